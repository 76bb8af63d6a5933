//===- EncodeDevice.cpp - what launches on a device have beside -----------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "lib/Target/Artifact/Encode.h"

#include "llvm/ADT/STLExtras.h"

using namespace tenon::artifact;

bool tenon::artifact::hasDevices(const ArtifactDesc &desc) {
  return llvm::any_of(desc.variants, [](const VariantDesc &variant) {
    return variant.device.has_value();
  });
}

uint32_t tenon::artifact::encodeArchitecture(Architecture architecture) {
  return architecture.number | (architecture.exact ? TENON_CUDA_EXACT : 0);
}

static tenon_device_launch_record encodeLaunch(const DeviceLaunchDesc &launch,
                                               uint32_t firstMap) {
  tenon_device_launch_record record = {};
  record.grid_y = launch.gridY;
  record.grid_z = launch.gridZ;
  record.threads = launch.threads;
  record.shared_bytes = launch.sharedBytes;
  record.cluster = launch.cluster;
  record.flags = (launch.cooperative ? TENON_DEVICE_COOPERATIVE : 0) |
                 (launch.programmatic ? TENON_DEVICE_PROGRAMMATIC : 0);
  record.first_map = firstMap;
  record.map_count = launch.maps.size();
  return record;
}

static tenon_device_map_record encodeMap(const MapDesc &map) {
  tenon_device_map_record record = {};
  record.ref = map.ref;
  record.type = static_cast<uint32_t>(map.type);
  record.rank = map.dims.size();
  record.swizzle = map.swizzle;
  record.offset = map.offset;
  llvm::copy(map.dims, record.dims);
  llvm::copy(map.strides, record.strides);
  llvm::copy(map.box, record.box);
  llvm::copy(map.steps, record.steps);
  return record;
}

static tenon_device_module_record encodeModule(const ModuleDesc &module) {
  tenon_device_module_record record = {};
  record.offset = module.offset;
  record.size = module.size;
  record.unit = module.unit;
  record.kind = static_cast<uint32_t>(module.kind);
  record.architecture = encodeArchitecture(module.architecture);
  return record;
}

std::string tenon::artifact::encodeDevice(const VariantDesc &variant) {
  if (!variant.device)
    return "";
  std::string launches, maps, modules;
  tenon_device_header header = {};
  for (const DeviceLaunchDesc &launch : variant.device->launches) {
    append(launches, encodeLaunch(launch, header.map_count));
    for (const MapDesc &map : launch.maps)
      append(maps, encodeMap(map));
    header.map_count += launch.maps.size();
  }
  for (const ModuleDesc &module : variant.device->modules)
    append(modules, encodeModule(module));
  header.launch_count = variant.device->launches.size();
  header.module_count = variant.device->modules.size();
  header.gflops = variant.device->gflops;
  std::string bytes;
  append(bytes, header);
  return bytes + launches + maps + modules;
}
