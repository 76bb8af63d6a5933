//===- Looping.h - a body that runs again and again -------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file declares what Loop and Scan have in common.
//===----------------------------------------------------------------------===//
#ifndef TENON_PASSES_NORMALIZE_CONTROL_LOOPING_H
#define TENON_PASSES_NORMALIZE_CONTROL_LOOPING_H

#include "passes/Normalize/Control/ControlFlow.h"

namespace tenon::normalize {

/// A Loop, or a Scan as one.
struct LoopSource {
  Value trip;      ///< i64 of rank 0; null: no limit
  Value condition; ///< i1 of rank 0; null: it holds
  /// How many iterations there are if no condition ends them; null: not known.
  mlir::Attribute tripDim;
  SmallVector<Value> initial; ///< what is carried, at first
  SmallVector<Value> others;  ///< what the body gets besides
  /// Makes the arguments of the region from the number of the iteration, the
  /// condition, what is carried, and the others.
  llvm::function_ref<SmallVector<Value>(NormalizeContext &ctx,
                                        mlir::ValueRange own)>
      arguments;
  /// Whether the region yields a condition in front of what is carried.
  bool yieldsCondition = true;
};

/// Makes the loop of `op`. Results are what is carried in the end, and stacked
/// scan outputs.
Made makeLoop(Walk &walk, mlir::Operation *op, const LoopSource &source);

/// The same without a loop, if it is short and of known length.
std::optional<Made> unroll(Walk &walk, mlir::Operation *op,
                           const LoopSource &source);

} // namespace tenon::normalize

#endif // TENON_PASSES_NORMALIZE_CONTROL_LOOPING_H
