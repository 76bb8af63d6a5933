//===- Control.h - sequences, optionals, strings ----------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file declares the lowerings of operators that the run time computes.
//===----------------------------------------------------------------------===//
#ifndef TENON_PASSES_NORMALIZE_CONTROL_CONTROL_H
#define TENON_PASSES_NORMALIZE_CONTROL_CONTROL_H

#include "passes/Normalize/Lowering.h"

namespace tenon::normalize {

void populateSequenceLowerings(LoweringTable &table);
void populateOptionalLowerings(LoweringTable &table);
void populateStringLowerings(LoweringTable &table);

Lowered lowerSplitToSequence(NormalizeContext &ctx, const Node &node);

/// A sequence of tensors, at least one.
Lowered constructSequence(NormalizeContext &ctx, ArrayRef<Value> elements);

} // namespace tenon::normalize

#endif // TENON_PASSES_NORMALIZE_CONTROL_CONTROL_H
