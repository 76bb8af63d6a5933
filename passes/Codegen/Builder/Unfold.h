//===- Unfold.h - joins neighbouring lanes ----------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TENON_PASSES_CODEGEN_BUILDER_UNFOLD_H
#define TENON_PASSES_CODEGEN_BUILDER_UNFOLD_H

#include "passes/Codegen/Builder/KernelBuilder.h"

namespace tenon::codegen {

/// Two vectors become one, lane by lane.
using Join = llvm::function_ref<Value(Value x, Value y)>;

/// What each `fold` neighbouring lanes of `vectors`, which lie behind each
/// other, are together, in order; lanes behind the last are undefined. `fold`
/// is a power of two that divides the number of lanes.
///
///     | x0 x1  y0 y1 |  | z0 z1  w0 w1 |  ->  | x0+x1  y0+y1  z0+z1  w0+w1 |
Values unfold(KernelBuilder &b, ValueRange vectors, int64_t fold, Join join);

/// Their sums.
Values unfold(KernelBuilder &b, ValueRange vectors, int64_t fold);

} // namespace tenon::codegen

#endif // TENON_PASSES_CODEGEN_BUILDER_UNFOLD_H
