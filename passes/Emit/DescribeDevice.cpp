//===- DescribeDevice.cpp - launches on a device --------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "passes/Emit/DescribeDevice.h"

#include "llvm/ADT/STLExtras.h"

using namespace mlir;
using namespace tenon;
using artifact::MapType;

/// Where buffers start on a device.
static constexpr uint64_t arenaAlignment = 256;

/// Products of tensor cores for one of the program's.
static double productsFor(tile::Precision precision) {
  switch (precision) {
  case tile::Precision::F32:
    return 6; // of parts, at the rate of f16
  case tile::Precision::TF32:
    return 2; // which has half of that rate
  case tile::Precision::F16:
  case tile::Precision::BF16:
    return 1;
  }
  return 1;
}

artifact::VariantDesc emit::deviceVariant(const tile::GpuTarget &target,
                                          tile::Precision precision) {
  artifact::VariantDesc variant;
  variant.targetCpu = cuda::variantName(target);
  variant.plan.arenaAlignment = arenaAlignment;
  variant.device.emplace();
  variant.device->architecture = {uint32_t(target.architecture), target.exact};
  variant.device->gflops =
      uint32_t(target.tensorFlops / 1e3 / productsFor(precision));
  return variant;
}

static std::optional<MapType> mapTypeOf(Type type) {
  if (type.isF32())
    return MapType::F32;
  if (type.isF16())
    return MapType::F16;
  if (type.isBF16())
    return MapType::BF16;
  if (type.isInteger(32))
    return MapType::I32;
  return type.isInteger(8) ? std::optional(MapType::U8) : std::nullopt;
}

/// Whether the format has room for all of them.
static bool haveRoom(ArrayRef<int64_t> numbers) {
  return llvm::all_of(numbers, [](int64_t number) {
    return number >= 0 && number <= INT32_MAX;
  });
}

static FailureOr<artifact::MapDesc> describe(kernel::MapAttr map,
                                             kernel::LaunchOp launch) {
  std::optional<MapType> type = mapTypeOf(map.getElement());
  if (!type)
    return launch.emitError("no tensor map has elements of ")
           << map.getElement();
  if (!haveRoom(map.getBox()) || !haveRoom(map.getSteps()) ||
      !haveRoom({map.getOperand(), map.getSwizzle()}))
    return launch.emitError("numbers of a tensor map are out of range");
  artifact::MapDesc result;
  result.ref = map.getOperand();
  result.type = *type;
  result.swizzle = map.getSwizzle();
  result.offset = map.getOffset();
  result.dims.assign(map.getDims().begin(), map.getDims().end());
  result.strides.assign(map.getStrides().begin(), map.getStrides().end());
  result.box.assign(map.getBox().begin(), map.getBox().end());
  result.steps.assign(map.getSteps().begin(), map.getSteps().end());
  return result;
}

LogicalResult emit::describeDevice(kernel::LaunchOp launch,
                                   artifact::VariantDesc &variant) {
  kernel::DeviceAttr device = launch.getDeviceAttr();
  if (bool(device) != variant.device.has_value())
    return launch.emitError(device ? "this launch is for a device, not for '"
                                   : "this launch is for a processor, not "
                                     "for '")
           << variant.targetCpu << "'";
  if (!device)
    return success();
  artifact::DeviceLaunchDesc result;
  ArrayRef<int64_t> grid = device.getGrid();
  if (grid.size() != 2)
    return launch.emitError("a grid has two numbers beside the tiles");
  if (!haveRoom(grid) ||
      !haveRoom({device.getThreads(), device.getShared(), device.getCluster()}))
    return launch.emitError("numbers of a device are out of range");
  result.gridY = grid[0];
  result.gridZ = grid[1];
  result.threads = device.getThreads();
  result.sharedBytes = device.getShared();
  result.cluster = device.getCluster();
  result.cooperative = device.getCooperative();
  result.programmatic = device.getProgrammatic();
  for (auto attr : device.getMaps()) {
    auto map = dyn_cast<kernel::MapAttr>(attr);
    FailureOr<artifact::MapDesc> described = failure();
    if (map)
      described = ::describe(map, launch);
    if (failed(described))
      return launch.emitError("its maps are not those of a device");
    result.maps.push_back(std::move(*described));
  }
  variant.device->launches.push_back(std::move(result));
  return success();
}

static artifact::ModuleDesc describe(const cuda::PlacedModule &placed,
                                     artifact::Architecture architecture) {
  artifact::ModuleDesc module;
  module.kind =
      placed.isCubin ? artifact::ModuleKind::Cubin : artifact::ModuleKind::Ptx;
  module.unit = placed.unit;
  module.architecture = architecture;
  module.offset = placed.offset;
  module.size = placed.size;
  return module;
}

void emit::placeKernels(const cuda::CompiledKernels &kernels,
                        const cuda::Image &image,
                        artifact::VariantDesc &variant) {
  for (auto [kernel, placed] : llvm::zip(variant.kernels, kernels.kernels)) {
    kernel.name = placed.symbol;
    kernel.entry = placed.module;
    kernel.use = {placed.use.registers, placed.use.sharedBytes,
                  placed.use.spillBytes};
  }
  for (const cuda::PlacedModule &placed : image.modules)
    variant.device->modules.push_back(
        describe(placed, variant.device->architecture));
}
