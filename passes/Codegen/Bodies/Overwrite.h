//===- Overwrite.h - results that may lie on operands -----------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file declares which results a kernel may store where an operand lies,
// so that the memory planner can give both the same bytes:
//
//   y = relu(x) + z     load x[i]; load z[i]; store y[i]      y over x or z
//   y = x + row         load x[i]; load row[i % n]; ...       not over row
//
// It is right where every element of the operand is read before the element at
// the same address is written. Both are walked by the same strides and no two
// points meet in one address, so each address belongs to one point, and so to
// one thread; it is then enough that a point reads before it writes and is
// never visited after that.
//===----------------------------------------------------------------------===//
#ifndef TENON_PASSES_CODEGEN_BODIES_OVERWRITE_H
#define TENON_PASSES_CODEGEN_BODIES_OVERWRITE_H

#include "passes/Codegen/Bodies/Epilogue.h"
#include "passes/Codegen/Groups/LoopNest.h"

namespace tenon::codegen {

/// Pairs of an operand and a result, each numbered from 0.
using OverwritePairs = llvm::SmallVector<std::pair<unsigned, unsigned>>;

/// Of a kernel of kind `loops`. Every stage but the last only reads, and the
/// last one goes over the points once, so reductions are no obstacle to the
/// only result of a nest; results that are stored once per row are refused.
/// Squares that are transposed in registers are, too: they read ahead of what
/// they store.
OverwritePairs overwritesOf(const LoopNest &nest, const LoopSchedule &schedule);

/// Of a kernel that stores through an epilogue, once per element: operands that
/// only the epilogue reads.
OverwritePairs overwritesOf(kernel::GroupOp group, const Epilogue &epilogue);

} // namespace tenon::codegen

#endif // TENON_PASSES_CODEGEN_BODIES_OVERWRITE_H
