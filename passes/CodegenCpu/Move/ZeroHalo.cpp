//===- ZeroHalo.cpp - clears the border of a buffer -----------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file works on the padded box: dimension d contributes, for every index
// of the dimensions before it, one contiguous run before and one after the
// tensor.
//===----------------------------------------------------------------------===//
#include "passes/CodegenCpu/Move/ZeroHalo.h"

#include "dialects/Graph/Graph.h"
#include "lib/Tile/Rows.h"
#include "passes/CodegenCpu/Builder/KernelBuilder.h"

using namespace mlir;
using namespace tenon;
using namespace tenon::codegen;

int64_t codegen::haloBytes(memory::BufferType buffer) {
  ArrayRef<int64_t> shape = buffer.getShape();
  if (shape.size() < 2 || !buffer.getTensor().hasStaticShape())
    return 0;
  int64_t pixels = ShapedType::getNumElements(shape.drop_back());
  int64_t pitch = buffer.getStrides()[shape.size() - 2];
  return buffer.getBytes() -
         pixels * pitch * graph::elementBytes(buffer.getElementType());
}

/// Of a halo: what makes a launch tile worth handing to a thread.
static constexpr int64_t bytesWorthSharing = 8192;

namespace {
/// One dimension of the padded box, in elements.
struct PaddedDim {
  int64_t low, size, extent, stride; ///< halo before, tensor, all, pitch
};
} // namespace

/// Recovers the padded box from strides and offset: a dimension's padded extent
/// is the ratio of the stride before it to its own.
static SmallVector<PaddedDim> paddedBox(memory::BufferType buffer) {
  ArrayRef<int64_t> strides = buffer.getStrides(), shape = buffer.getShape();
  int64_t elementBytes = graph::elementBytes(buffer.getElementType());
  int64_t total = buffer.getBytes() / elementBytes;
  int64_t rest = buffer.getOffset();
  SmallVector<PaddedDim> dims;
  for (size_t i = 0; i < shape.size(); ++i) {
    int64_t outer = i == 0 ? total : strides[i - 1];
    dims.push_back(
        {rest / strides[i], shape[i], outer / strides[i], strides[i]});
    rest %= strides[i];
  }
  return dims;
}

/// Zeroes `count` elements from `start` on.
static void zeroRun(KernelBuilder &b, Value start, int64_t count,
                    Type element) {
  int64_t bytes = graph::elementBytes(element);
  int64_t lanes = b.target().lanes(bytes);
  Type vector = b.vectorType(b.storageType(element), lanes);
  Value zero = b.constantOf(vector, 0);
  int64_t whole = count / lanes * lanes;
  b.loop(b.index(0), b.index(whole), lanes, [&](Value i) {
    b.store(zero, b.at(b.buffer(0), b.add(start, i), element));
  });
  if (whole != count)
    b.storePart(zero, b.at(b.buffer(0), b.add(start, whole), element),
                b.index(count - whole));
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
  int64_t after = dim.low + dim.size;
  if (dim.low)
    zeroRun(b, base, dim.low * dim.stride, element);
  if (after < dim.extent)
    zeroRun(b, b.add(base, after * dim.stride),
            (dim.extent - after) * dim.stride, element);
}

/// The outermost dimension of several rows, of which each thread clears its
/// own: those that the kernels before and after give it.
static size_t sharedLevel(ArrayRef<PaddedDim> dims) {
  size_t level = 0;
  while (level + 2 < dims.size() && dims[level].extent == 1)
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

static int64_t tilesOf(int64_t rows, memory::BufferType buffer) {
  return tile::launchTiles(rows, haloBytes(buffer) / bytesWorthSharing);
}

int64_t codegen::zeroHaloTiles(memory::BufferType buffer) {
  SmallVector<PaddedDim> dims = paddedBox(buffer);
  return tilesOf(dims[sharedLevel(dims)].extent, buffer);
}

void codegen::emitZeroHalo(KernelBuilder &b, memory::BufferType buffer) {
  SmallVector<PaddedDim> dims = paddedBox(buffer);
  size_t level = sharedLevel(dims);
  int64_t rows = dims[level].extent, tiles = tilesOf(rows, buffer);
  Interval share = b.shareOfCall(rows, tiles);
  b.loop(share.begin, share.end, 1,
         [&](Value i) { zeroRow(b, dims, level, i, buffer.getElementType()); });
}
