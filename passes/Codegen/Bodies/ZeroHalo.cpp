//===- ZeroHalo.cpp - clears the border of a buffer -----------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file works on the padded box: dimension d contributes, for every index
// of the dimensions before it, one contiguous run before and one after the
// tensor.
//===----------------------------------------------------------------------===//
#include "passes/Codegen/Bodies/ZeroHalo.h"

#include "dialects/Graph/Graph.h"
#include "dialects/Kernel/Buffers.h"
#include "lib/Tile/Rows.h"
#include "passes/Codegen/Builder/Cuts.h"
#include "passes/Codegen/Builder/KernelBuilder.h"

using namespace mlir;
using namespace tenon;
using namespace tenon::codegen;

Size codegen::haloBytes(memory::BufferType buffer) {
  Sizes shape = graph::sizesOf(buffer.getTensor());
  if (shape.size() < 2)
    return 0;
  Size pixels = graph::productOf(ArrayRef(shape).drop_back());
  Size pitch = kernel::stridesOf(buffer)[shape.size() - 2];
  return kernel::bytesOf(buffer) -
         pixels * pitch * graph::elementBytes(buffer.getElementType());
}

bool codegen::hasHaloBytes(memory::BufferType buffer) {
  Size bytes = haloBytes(buffer);
  return !bytes.isFixed() || bytes.fixed() > 0;
}

/// Finds how wide the halo before each dimension is, from `dim` on, when the
/// first element lies behind `rest` elements.
static bool findLows(MutableArrayRef<PaddedDim> dims, const Size &rest) {
  if (dims.empty())
    return rest.is(0);
  PaddedDim &dim = dims.front();
  if (rest.isFixed() && dim.stride.isFixed()) {
    int64_t stride = dim.stride.fixed();
    dim.low = rest.fixed() / stride;
    return findLows(dims.drop_front(), rest.fixed() % stride);
  }
  Size halo = dim.extent - dim.size;
  for (dim.low = 0; halo.isFixed() && dim.low <= halo.fixed(); ++dim.low)
    if (findLows(dims.drop_front(), rest - dim.stride * dim.low))
      return true;
  return false;
}

SmallVector<PaddedDim> codegen::paddedBox(memory::BufferType buffer) {
  Sizes strides = kernel::stridesOf(buffer);
  Sizes shape = graph::sizesOf(buffer.getTensor());
  int64_t elementBytes = graph::elementBytes(buffer.getElementType());
  Size outer = kernel::bytesOf(buffer).floorDiv(elementBytes);
  SmallVector<PaddedDim> dims;
  for (size_t i = 0; i < shape.size(); ++i) {
    bool isFixed = outer.isFixed() && strides[i].isFixed();
    std::optional<Size> extent =
        isFixed ? std::optional(Size(outer.fixed() / strides[i].fixed()))
                : graph::quotientOf(outer, strides[i]);
    if (!extent)
      return {};
    dims.push_back({0, shape[i], *extent, strides[i]});
    outer = strides[i];
  }
  return findLows(dims, kernel::offsetOf(buffer)) ? dims
                                                  : SmallVector<PaddedDim>();
}

/// Zeroes `count` elements from `start` on.
static void zeroRun(KernelBuilder &b, Value start, const Size &count,
                    Type element) {
  int64_t bytes = graph::elementBytes(element);
  int64_t lanes = b.target().lanes(bytes);
  Type vector = b.vectorType(b.storageType(element), lanes);
  Value zero = b.constantOf(vector, 0);
  Size whole = count.floorDiv(lanes) * lanes, rest = count - whole;
  b.loop(b.index(0), b.index(whole), lanes, [&](Value i) {
    b.store(zero, b.at(b.buffer(0), b.add(start, i), element));
  });
  if (!rest.is(0))
    b.storePart(zero, b.at(b.buffer(0), b.add(start, whole), element),
                b.index(rest));
}

/// All indices of the dimensions before `depth`, then both runs of `depth`.
static void zeroDim(KernelBuilder &b, ArrayRef<PaddedDim> dims, size_t depth,
                    size_t level, Value base, Type element) {
  const PaddedDim &dim = dims[level];
  if (level < depth) {
    b.loop(b.index(0), b.index(dim.size), 1, [&](Value i) {
      Value next = b.add(base, b.mul(b.add(i, dim.low), dim.stride));
      zeroDim(b, dims, depth, level + 1, next, element);
    });
    return;
  }
  Size after = dim.size + dim.low, behind = dim.extent - after;
  if (dim.low)
    zeroRun(b, base, dim.stride * dim.low, element);
  if (!behind.isFixed() || behind.fixed() > 0)
    zeroRun(b, b.add(base, after * dim.stride), behind * dim.stride, element);
}

/// The outermost dimension of several rows, of which each thread clears its
/// own: those that the kernels before and after give it.
static size_t sharedLevel(ArrayRef<PaddedDim> dims) {
  size_t level = 0;
  while (level + 2 < dims.size() && dims[level].extent.is(1))
    ++level;
  return level;
}

/// What of row `i` of the shared dimension is halo: all, or that of dimensions
/// further in.
static void zeroRow(KernelBuilder &b, ArrayRef<PaddedDim> dims, size_t level,
                    Value i, Type element) {
  const PaddedDim &dim = dims[level];
  Value base = b.mul(i, dim.stride);
  auto inner = [&] {
    for (size_t depth = level + 1; depth + 1 < dims.size(); ++depth)
      if (dims[depth].extent != dims[depth].size)
        zeroDim(b, dims, depth, level + 1, base, element);
  };
  if (dim.extent == dim.size)
    return inner();
  Value isOfTensor = b.inside(b.sub(i, b.index(dim.low)), dim.size);
  b.ifThen(isOfTensor, inner, [&] { zeroRun(b, base, dim.stride, element); });
}

/// As many bytes as elements elsewhere are worth a tile.
int64_t codegen::zeroHaloTiles(KernelBuilder &b, memory::BufferType buffer) {
  SmallVector<PaddedDim> dims = paddedBox(buffer);
  assert(!dims.empty() && "storage is a padded box");
  return borderTiles(b, dims[sharedLevel(dims)].extent, haloBytes(buffer));
}

void codegen::emitZeroHalo(KernelBuilder &b, memory::BufferType buffer) {
  SmallVector<PaddedDim> dims = paddedBox(buffer);
  size_t level = sharedLevel(dims);
  Size rows = dims[level].extent;
  Interval share = b.shareOfCall(rows, zeroHaloTiles(b, buffer));
  b.loop(share.begin, share.end, 1,
         [&](Value i) { zeroRow(b, dims, level, i, buffer.getElementType()); });
}
