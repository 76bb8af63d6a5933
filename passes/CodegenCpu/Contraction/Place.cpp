//===- Place.cpp - walking over a nest ------------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "passes/CodegenCpu/Contraction/Place.h"

using namespace mlir;
using namespace tenon;
using namespace tenon::codegen;

Place codegen::originOf(KernelBuilder &b, const ContractionNest &nest,
                        ArrayRef<IndexedTensor> tensors) {
  Place place{b.index(nest.lhsOffset), b.index(nest.rhsOffset), {}};
  for (const IndexedTensor &tensor : tensors)
    place.result.push_back(b.index(tensor.offset));
  return place;
}

Place codegen::moveAlong(KernelBuilder &b, const Place &from,
                         const NestDim &dim, Value index) {
  Place to;
  to.lhs = b.add(from.lhs, b.mul(index, dim.lhs));
  to.rhs = b.add(from.rhs, b.mul(index, dim.rhs));
  for (auto [i, base] : llvm::enumerate(from.result))
    to.result.push_back(
        dim.result.empty() ? base : b.add(base, b.mul(index, dim.result[i])));
  return to;
}

Place codegen::moveOver(KernelBuilder &b, Place from, ArrayRef<NestDim> dims,
                        Value number) {
  SmallVector<int64_t> extents;
  for (const NestDim &dim : dims)
    extents.push_back(dim.extent);
  for (auto [dim, index] :
       llvm::zip_equal(dims, b.delinearize(number, extents)))
    from = moveAlong(b, from, dim, index);
  return from;
}

/// Calls `body` with the length of piece `i`.
static void withLength(KernelBuilder &b, const tile::EvenSplit &split, Value i,
                       llvm::function_ref<void(int64_t)> body) {
  if (split.uniform())
    return body(split.height);
  b.ifThen(
      b.less(i, b.index(split.tall)), [&] { body(split.height); },
      [&] { body(split.height - 1); });
}

void codegen::atRowTile(
    KernelBuilder &b, const ContractionNest &nest,
    const tile::RowTiling &tiling, Place from, Value number,
    llvm::function_ref<void(const Place &, int64_t, int64_t)> body) {
  SmallVector<int64_t> extents;
  size_t restDims = nest.rows.size() < 2 ? 0 : nest.rows.size() - 2;
  for (size_t i = 0; i < restDims; ++i)
    extents.push_back(nest.rows[i].extent);
  extents.push_back(tiling.outer.count);
  extents.push_back(tiling.inner.count);
  Values index = b.delinearize(number, extents);
  for (size_t i = 0; i < restDims; ++i)
    from = moveAlong(b, from, nest.rows[i], index[i]);
  Value y = index[restDims], x = index[restDims + 1];
  from = moveAlong(b, from, nest.rowDim(2), b.startOf(tiling.outer, y));
  from = moveAlong(b, from, nest.rowDim(1), b.startOf(tiling.inner, x));
  withLength(b, tiling.outer, y, [&](int64_t height) {
    withLength(b, tiling.inner, x,
               [&](int64_t width) { body(from, height, width); });
  });
}
