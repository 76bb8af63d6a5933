//===- Threads.cpp - every CPU kernel, by a thread for a tile -------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "passes/CodegenGpu/Threads/Threads.h"

#include "passes/Codegen/Bodies/ZeroHalo.h"
#include "passes/CodegenGpu/Threads/ThreadFunction.h"

using namespace mlir;
using namespace tenon;
using namespace tenon::gpu;
using codegen::Kernel;
using codegen::Size;

/// What LLVM may know of the buffers, when there are all parameters: only what
/// lies inside of another one, or may be stored over, shares its storage.
static void describeBuffers(ThreadFunction &function, kernel::GroupOp group,
                            const codegen::StageInfo &info) {
  constexpr int64_t scratchAlignment = 64;
  unsigned operands = group.getOperands_().size();
  unsigned all = group.getBuffers()->size();
  for (unsigned i = 0; i < all; ++i)
    function.setAlignment(i, alignmentOf(group, i));
  function.setScratchAlignment(scratchAlignment);
  if (group.getInPlace())
    return;
  llvm::SmallBitVector isShared(all);
  for (auto [operand, written] : info.inPlace) {
    isShared.set(operand);
    isShared.set(operands + written);
  }
  for (unsigned i = 0; i < all; ++i)
    if (!isShared[i])
      function.setAlone(i, i < operands);
}

/// Closes the function, and says how it is launched.
static void finish(ThreadFunction &function, const ThreadGrid &grid,
                   Kernel &kernel) {
  function.finish(grid);
  kernel.tiles = grid.blocks();
  kernel.sizes = codegen::sizesOf(function);
  MLIRContext *context = function.op.getContext();
  kernel.device = kernel::DeviceAttr::get(
      context, {1, 1}, grid.threads, /*shared=*/0, /*cluster=*/1,
      /*cooperative=*/false, /*programmatic=*/false,
      ArrayAttr::get(context, {}));
}

FailureOr<Kernel> tenon::gpu::emitThreads(ModuleOp module,
                                          kernel::GroupOp group, StringRef name,
                                          const GpuDevice &device) {
  const tile::GpuTarget &target = device.target();
  int64_t scratch =
      llvm::alignTo(group.getThreadScratch().value_or(0), tile::lineBytes);
  ThreadFunction function(module, group.getLoc(), name,
                          {unsigned(group.getBuffers()->size()),
                           unsigned(codegen::scratchOf(group).size()),
                           scratch});
  codegen::KernelBuilder b(function, group.getLoc(), device.thread());
  auto info = codegen::emitStage(
      codegen::requestFor(device.threads(), function, b, group));
  if (failed(info)) {
    function.finish({});
    return failure();
  }
  Kernel kernel = codegen::kernelOf(*info, group);
  kernel.name = name.str();
  ThreadGrid grid{info->tiles, info->steps,
                  tilesPerThread(info->tiles, scratch, module),
                  blockThreads(info->tiles, target, module)};
  finish(function, grid, kernel);
  describeBuffers(function, group, *info);
  if (scratch > 0)
    kernel.scratch.insert(kernel.scratch.begin(),
                          grid.blocks() * (grid.threads * scratch));
  codegen::describe(function.op,
                    {info->errorGrowth, false, group.getChecked()});
  return kernel;
}

Kernel tenon::gpu::emitThreadsZeroHalo(ModuleOp module, Location loc,
                                       memory::BufferType buffer,
                                       StringRef name,
                                       const tile::GpuTarget &target) {
  tile::Target thread = tile::threadOf(target);
  ThreadFunction function(module, loc, name, {1});
  codegen::KernelBuilder b(function, loc, thread);
  codegen::emitZeroHalo(b, buffer);
  Kernel kernel;
  kernel.name = name.str();
  Size tiles = codegen::zeroHaloTiles(b, buffer);
  finish(function, {tiles, 1, 1, blockThreads(tiles, target, module)}, kernel);
  codegen::describe(function.op, {});
  return kernel;
}
