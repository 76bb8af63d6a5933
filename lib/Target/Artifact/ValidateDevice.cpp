//===- ValidateDevice.cpp - checking variants for devices -----------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file states what the loader asks of devices, on descriptions: rules D1
// to D5 of docs/spec/artifact.md.
//===----------------------------------------------------------------------===//
#include "lib/Target/Artifact/Encode.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"

using namespace tenon::artifact;

static constexpr int64_t mostBlocks = INT32_MAX, mostRows = 65535;
static constexpr uint32_t mostThreads = 1024, mostCluster = 16;
static constexpr uint32_t mostShared = 1 << 20, mostParameters = 4096;
static constexpr uint32_t mostBox = 256, mostStep = 8, leastArchitecture = 50;
static constexpr uint64_t mostExtent = uint64_t(1) << 32;
static constexpr uint64_t strideEnd = uint64_t(1) << 40;
static constexpr uint64_t mapAlignment = 16, mostAlignment = 256;

template <typename T> static bool isIn(T value, T least, T most) {
  return value >= least && value <= most;
}

/// The bytes of an element of a map.
static uint64_t bytesOf(MapType type) {
  switch (type) {
  case MapType::U8:
    return 1;
  case MapType::F16:
  case MapType::BF16:
    return 2;
  case MapType::I32:
  case MapType::F32:
    return 4;
  }
  return 0;
}

/// Whether the box fits the map and its swizzle.
static bool hasGoodBox(const MapDesc &map) {
  if (map.box.size() != map.dims.size() || map.steps.size() != map.dims.size())
    return false;
  auto isGoodExtent = [](uint32_t extent) { return isIn(extent, 1u, mostBox); };
  auto isGoodStep = [](uint32_t step) { return isIn(step, 1u, mostStep); };
  const uint64_t row = map.box[0] * bytesOf(map.type);
  return llvm::all_of(map.box, isGoodExtent) &&
         llvm::all_of(map.steps, isGoodStep) && map.steps[0] == 1 &&
         row % mapAlignment == 0 && (!map.swizzle || row <= map.swizzle);
}

static bool hasGoodShape(const MapDesc &map) {
  if (!isIn<size_t>(map.dims.size(), 1, 5) ||
      map.strides.size() + 1 != map.dims.size())
    return false;
  auto isGoodExtent = [](uint64_t extent) {
    return isIn<uint64_t>(extent, 1, mostExtent);
  };
  auto isGoodStride = [](uint64_t stride) {
    return stride % mapAlignment == 0 && stride < strideEnd;
  };
  return llvm::all_of(map.dims, isGoodExtent) &&
         llvm::all_of(map.strides, isGoodStride);
}

/// From the first byte of a map's elements to behind the last; nothing where
/// that cannot be counted.
static std::optional<int64_t> spanOf(const MapDesc &map) {
  int64_t span = map.dims[0] * bytesOf(map.type);
  for (size_t i = 1; i < map.dims.size(); ++i) {
    int64_t most;
    if (llvm::MulOverflow<int64_t>(map.dims[i] - 1, map.strides[i - 1], most) ||
        llvm::AddOverflow(span, most, span))
      return std::nullopt;
  }
  return span;
}

/// As far as numbers tell; the run time asks again for each shape.
static bool liesIn(const MapDesc &map, const BufferRef &ref) {
  std::optional<int64_t> span = spanOf(map);
  if (!span || map.offset < 0)
    return false;
  bool isInside = ref.size < 0 ||
                  (map.offset <= ref.size && *span <= ref.size - map.offset);
  bool isAligned =
      ref.offset < 0 || (ref.offset + map.offset) % int64_t(mapAlignment) == 0;
  return isInside && isAligned;
}

static llvm::Error checkMap(const MapDesc &map, const LaunchDesc &launch,
                            const llvm::Twine &what) {
  if (map.ref >= launch.refs.size())
    return makeError(what + " is of an operand that does not exist");
  if (!bytesOf(map.type) || (map.swizzle && map.swizzle != 32 &&
                             map.swizzle != 64 && map.swizzle != 128))
    return makeError(what + " has an unknown type or swizzle");
  if (!hasGoodShape(map))
    return makeError(what + " has bad dimensions or strides");
  if (!hasGoodBox(map))
    return makeError(what + " has a bad box");
  if (!liesIn(map, launch.refs[map.ref]))
    return makeError(what + " does not lie in its operand");
  return llvm::Error::success();
}

/// Whether the GPU can run so many blocks and threads.
static bool hasGoodGrid(const LaunchDesc &launch,
                        const DeviceLaunchDesc &device) {
  return launch.tiles && launch.tiles <= mostBlocks &&
         isIn<int64_t>(device.gridY, 1, mostRows) &&
         isIn<int64_t>(device.gridZ, 1, mostRows) &&
         isIn(device.threads, 1u, mostThreads) &&
         device.sharedBytes <= mostShared &&
         isIn(device.cluster, 1u, mostCluster) &&
         (launch.tiles < 0 || launch.tiles % device.cluster == 0);
}

static uint64_t parameterBytes(const LaunchDesc &launch,
                               const DeviceLaunchDesc &device) {
  return 128 * device.maps.size() +
         8 * (launch.refs.size() + launch.sizes.size() +
              (launch.steps == 1 ? 0 : 1));
}

static llvm::Error checkLaunch(const VariantDesc &variant, size_t index) {
  const LaunchDesc &launch = variant.launches[index];
  const DeviceLaunchDesc &device = variant.device->launches[index];
  std::string what = "launch " + std::to_string(index) + " of '" +
                     variant.kernels[launch.kernel].name + "'";
  if (!hasGoodGrid(launch, device))
    return makeError(what + " has a grid that devices do not have");
  if (parameterBytes(launch, device) > mostParameters)
    return makeError(what + " has too many parameters");
  if (launch.scratchBytes)
    return makeError(what + " wants scratch of threads on a device");
  for (auto [i, map] : llvm::enumerate(device.maps))
    if (llvm::Error error =
            checkMap(map, launch, what + ": map " + llvm::Twine(i)))
      return error;
  return llvm::Error::success();
}

static bool isArchitecture(Architecture architecture) {
  return isIn<uint32_t>(architecture.number, leastArchitecture,
                        TENON_CUDA_ARCHITECTURE);
}

/// Whether the last byte of a text is its only zero.
static bool isText(llvm::ArrayRef<uint8_t> bytes) {
  return llvm::find(bytes, 0) == bytes.end() - 1;
}

/// Whether a module of unit `unit` lies behind `end`, where it should.
static bool isGoodModule(const ModuleDesc &module, uint64_t end,
                         llvm::ArrayRef<uint8_t> code) {
  if (module.offset % moduleAlignment || module.offset < end || !module.size ||
      module.offset > code.size() ||
      module.size > code.size() - module.offset ||
      !isArchitecture(module.architecture))
    return false;
  return module.kind == ModuleKind::Cubin ||
         (module.kind == ModuleKind::Ptx &&
          isText(code.slice(module.offset, module.size)));
}

/// The number of units, if the modules are in order.
static llvm::Expected<uint32_t> checkModules(const VariantDesc &variant) {
  uint32_t unit = 0;
  uint64_t end = 0;
  for (auto [i, module] : llvm::enumerate(variant.device->modules)) {
    if (module.unit != unit || !isGoodModule(module, end, variant.code))
      return makeError("module " + llvm::Twine(i) + " of '" +
                       variant.targetCpu + "' is bad");
    end = module.offset + module.size;
    if (module.kind == ModuleKind::Ptx)
      ++unit;
  }
  if (!variant.device->modules.empty() &&
      variant.device->modules.back().kind != ModuleKind::Ptx)
    return makeError("the last unit of '" + variant.targetCpu + "' has no PTX");
  return unit;
}

llvm::Error tenon::artifact::validateDevice(const VariantDesc &variant) {
  const DeviceDesc &device = *variant.device;
  if (!isArchitecture(device.architecture))
    return makeError("'" + variant.targetCpu + "' has a bad architecture");
  if (variant.plan.arenaAlignment > mostAlignment)
    return makeError("the arena of '" + variant.targetCpu +
                     "' is aligned to more than devices align memory to");
  if (device.launches.size() != variant.launches.size())
    return makeError(llvm::Twine(device.launches.size()) + " descriptions of " +
                     llvm::Twine(variant.launches.size()) +
                     " launches on a device");
  llvm::Expected<uint32_t> units = checkModules(variant);
  if (!units)
    return units.takeError();
  for (const KernelDesc &kernel : variant.kernels)
    if (kernel.entry >= *units)
      return makeError("kernel '" + kernel.name + "' is in no module");
  for (size_t i = 0; i < variant.launches.size(); ++i)
    if (llvm::Error error = checkLaunch(variant, i))
      return error;
  return llvm::Error::success();
}

llvm::Error tenon::artifact::validateDevices(const ArtifactDesc &desc,
                                             bool isStatic) {
  if (!hasDevices(desc))
    return llvm::Error::success();
  if (desc.variants.back().device)
    return makeError("no variant for a processor is behind those of devices");
  if (isStatic)
    return makeError("programs for devices cannot be linked statically");
  if (desc.variants.front().plan.guard != Guard::None)
    return makeError("programs for devices cannot be guarded");
  if (!desc.functions.empty())
    return makeError("programs for devices cannot have bytecode");
  return llvm::Error::success();
}
