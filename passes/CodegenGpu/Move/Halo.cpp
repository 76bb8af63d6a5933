//===- Halo.cpp - clears the border of a buffer by vectors ----------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "passes/CodegenGpu/Move/Halo.h"

#include "dialects/Graph/Graph.h"
#include "lib/Tile/Rows.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "passes/Codegen/Bodies/ZeroHalo.h"
#include "passes/CodegenGpu/Builder/BlockFunction.h"
#include "passes/CodegenGpu/Move/MoveBox.h"

using namespace mlir;
using namespace tenon;
using namespace tenon::gpu;
using codegen::PaddedDim;

static constexpr int64_t blockThreads = 256, accessBytes = 16;

namespace {
/// The padded box, by pixels and vectors of them.
struct HaloBox {
  SmallVector<int64_t> extents; ///< of pixels, then of vectors
  int64_t vectorBytes, elementBytes;

  int64_t vectors() const {
    int64_t count = 1;
    for (int64_t extent : extents)
      count *= extent;
    return count;
  }
};
} // namespace

/// Of pixels with all that lies before the next.
static HaloBox boxOf(ArrayRef<PaddedDim> dims, int64_t elementBytes) {
  HaloBox box;
  for (const PaddedDim &dim : dims.drop_back())
    box.extents.push_back(dim.extent.fixed());
  int64_t pixel = dims[dims.size() - 2].stride.fixed() * elementBytes;
  box.elementBytes = elementBytes;
  box.vectorBytes = std::min(accessBytes, pixel & -pixel);
  box.extents.push_back(pixel / box.vectorBytes);
  return box;
}

/// Stores a vector of zeros where the pixel is outside along some dimension.
static void clear(ThreadBuilder &t, ArrayRef<PaddedDim> dims,
                  const HaloBox &box, Value buffer, Value number) {
  Values index = t.delinearize(number, box.extents);
  Value isPixel;
  for (auto [at, dim] : llvm::zip(index, dims.drop_back()))
    if (dim.extent != dim.size)
      isPixel =
          t.both(isPixel, t.inside(t.add(at, -dim.low), dim.size.fixed()));
  if (!isPixel)
    return;
  OpBuilder &b = t.builder();
  Value no = arith::ConstantOp::create(b, t.loc(), b.getBoolAttr(false));
  Value isHalo =
      arith::CmpIOp::create(b, t.loc(), arith::CmpIPredicate::eq, isPixel, no);
  Type type = typeOfBytes(b.getContext(), box.vectorBytes, box.elementBytes);
  t.ifThen(isHalo, [&] {
    t.store(LLVM::ZeroOp::create(b, t.loc(), type),
            t.element(buffer, number, box.vectorBytes), box.vectorBytes);
  });
}

std::optional<codegen::Kernel>
tenon::gpu::emitHalo(ModuleOp module, Location loc, memory::BufferType buffer,
                     StringRef name, const tile::GpuTarget &target) {
  constexpr int64_t mostBytes = int64_t(1) << 31;
  SmallVector<PaddedDim> dims = codegen::paddedBox(buffer);
  auto isFixed = [](const PaddedDim &dim) {
    return dim.size.isFixed() && dim.extent.isFixed() && dim.stride.isFixed();
  };
  if (dims.size() < 2 || !llvm::all_of(dims, isFixed) ||
      buffer.getBytes() <= 0 || buffer.getBytes() >= mostBytes)
    return std::nullopt;
  HaloBox box = boxOf(dims, graph::elementBytes(buffer.getElementType()));
  BlockFunction function(module, loc, name, /*numBuffers=*/1);
  tile::Target thread = tile::threadOf(target);
  codegen::KernelBuilder kernel(function, loc, thread);
  ThreadBuilder t(kernel.builder(), loc);
  if (target.programmatic)
    t.waitForGrids();
  Value number = t.add(t.mul(t.block(), blockThreads), t.thread(blockThreads));
  Value exists;
  if (box.vectors() % blockThreads != 0)
    exists = t.less(number, box.vectors());
  t.ifThen(exists, [&] { clear(t, dims, box, kernel.buffer(0), number); });
  codegen::Kernel result;
  result.name = name.str();
  result.tiles = tile::ceilDiv(box.vectors(), blockThreads);
  MLIRContext *context = module.getContext();
  result.device = kernel::DeviceAttr::get(
      context, {1, 1}, blockThreads, /*shared=*/0, /*cluster=*/1,
      /*cooperative=*/false, /*programmatic=*/target.programmatic,
      ArrayAttr::get(context, {}));
  function.finish(result.device);
  codegen::describe(function.op, {});
  return result;
}
