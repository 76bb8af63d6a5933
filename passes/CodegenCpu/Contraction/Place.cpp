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
  Sizes extents;
  for (const NestDim &dim : dims)
    extents.push_back(dim.extent);
  for (auto [dim, index] :
       llvm::zip_equal(dims, b.delinearize(number, extents)))
    from = moveAlong(b, from, dim, index);
  return from;
}

void codegen::emitAnyNumber(KernelBuilder &b, Value number, int64_t least,
                            int64_t most, function_ref<void(int64_t)> emit) {
  if (least == most)
    return emit(least);
  int64_t middle = (least + most + 1) / 2;
  b.ifThen(
      b.less(number, b.index(middle)),
      [&] { emitAnyNumber(b, number, least, middle - 1, emit); },
      [&] { emitAnyNumber(b, number, middle, most, emit); });
}
