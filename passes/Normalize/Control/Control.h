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

/// A call of a primitive that makes values of `types`.
SmallVector<Value> callPrimitive(NormalizeContext &ctx, const Node &node,
                                 StringRef name, mlir::ValueRange operands,
                                 mlir::TypeRange types,
                                 ArrayRef<int64_t> integers = {});

} // namespace tenon::normalize

#endif // TENON_PASSES_NORMALIZE_CONTROL_CONTROL_H
