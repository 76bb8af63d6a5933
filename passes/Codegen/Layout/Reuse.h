//===- Reuse.h - how long ago a tensor was touched --------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file declares the distance by which a planner tells what the caches
// still hold.
//===----------------------------------------------------------------------===//
#ifndef TENON_PASSES_CODEGEN_LAYOUT_REUSE_H
#define TENON_PASSES_CODEGEN_LAYOUT_REUSE_H

#include "dialects/Kernel/Kernel.h"

namespace tenon::codegen {

/// The bytes of all operands and results, weights too, of the groups between
/// the last one that read or wrote `value` and `user`; no more than the first
/// sum that reaches `enough`.
int64_t reuseDistance(mlir::Value value, kernel::GroupOp user, int64_t enough);

} // namespace tenon::codegen

#endif // TENON_PASSES_CODEGEN_LAYOUT_REUSE_H
