//===- ArtifactTestDevice.h - a variant for a device by hand ----*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TENON_TEST_UNIT_ARTIFACTTESTDEVICE_H
#define TENON_TEST_UNIT_ARTIFACTTESTDEVICE_H

#include "test/unit/ArtifactTestModel.h"
#include "llvm/Support/MathExtras.h"

namespace tenon::test {

/// Puts a variant for a device in front, with the launches of the first one.
inline artifact::VariantDesc &addDevice(artifact::ArtifactDesc &desc,
                                        artifact::Architecture architecture) {
  desc.variants.insert(desc.variants.begin(), desc.variants[0]);
  artifact::VariantDesc &variant = desc.variants[0];
  variant.targetCpu = "cuda-sm_" + std::to_string(architecture.number) +
                      (architecture.exact ? "a" : "");
  variant.device.emplace();
  variant.device->architecture = architecture;
  return variant;
}

/// Code of two units: the first as a cubin and as PTX, the second as PTX. None
/// of it is code.
inline std::vector<uint8_t>
makeDeviceCode(std::vector<artifact::ModuleDesc> &modules) {
  using namespace artifact;
  const Architecture hopper{90, /*exact=*/true};
  const std::pair<uint32_t, std::string> forms[] = {
      {0, std::string("\x7f"
                      "ELF\0\0",
                      6)},
      {0, std::string("// first\n\0", 10)},
      {1, std::string("// second\n\0", 11)}};
  std::vector<uint8_t> code;
  for (const auto &[unit, bytes] : forms) {
    code.resize(llvm::alignTo(code.size(), moduleAlignment));
    ModuleKind kind = bytes[0] == '/' ? ModuleKind::Ptx : ModuleKind::Cubin;
    modules.push_back({kind, unit, hopper, code.size(), bytes.size()});
    code.insert(code.end(), bytes.begin(), bytes.end());
  }
  return code;
}

/// The artifact of ArtifactTestModel.h for a device and a processor. The first
/// launch of the device has everything that one can have.
inline artifact::ArtifactDesc makeDeviceDesc() {
  using namespace artifact;
  ArtifactDesc desc = makeDesc();
  VariantDesc &variant = addDevice(desc, {90, /*exact=*/true});
  variant.plan.arenaAlignment = 256;
  static std::vector<uint8_t> code;
  code = makeDeviceCode(variant.device->modules);
  variant.code = code;
  variant.kernels = {{"first", 0}, {"second", 1}};
  variant.launches[0].tiles = 8;
  variant.launches[1].tiles = 1;
  variant.launches[1].kernel = 1;
  MapDesc map;
  map.ref = 1;
  map.swizzle = 128;
  map.dims = {40, 20};
  map.strides = {160};
  map.box = {32, 8};
  map.steps = {1, 2};
  DeviceLaunchDesc first{3, 2, 128, 1024, 2, true, true, {map}};
  variant.device->launches = {first, {1, 1, 32}};
  return desc;
}

} // namespace tenon::test

#endif // TENON_TEST_UNIT_ARTIFACTTESTDEVICE_H
