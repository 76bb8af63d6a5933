//===- Place.h - walking over a nest ----------------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TENON_PASSES_CODEGENCPU_CONTRACTION_PLACE_H
#define TENON_PASSES_CODEGENCPU_CONTRACTION_PLACE_H

#include "passes/Codegen/Bodies/Epilogue.h"
#include "passes/Codegen/Groups/ContractionNest.h"

namespace tenon::codegen {

/// Element indices of the current place in lhs, rhs and the result's tensors.
struct Place {
  Value lhs, rhs;
  Values result;
};

/// The first element of all.
Place originOf(KernelBuilder &b, const ContractionNest &nest,
               llvm::ArrayRef<IndexedTensor> tensors);
/// `index` steps along one dimension.
Place moveAlong(KernelBuilder &b, const Place &from, const NestDim &dim,
                Value index);
/// The step with that number over several dimensions, the last one fastest.
Place moveOver(KernelBuilder &b, Place from, llvm::ArrayRef<NestDim> dims,
               Value number);

/// Code for each number from `least` to `most`, found in a few comparisons.
void emitAnyNumber(KernelBuilder &b, Value number, int64_t least, int64_t most,
                   llvm::function_ref<void(int64_t)> emit);

} // namespace tenon::codegen

#endif // TENON_PASSES_CODEGENCPU_CONTRACTION_PLACE_H
