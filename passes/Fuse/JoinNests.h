//===- JoinNests.h - groups that one nest of loops computes -----*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file declares how groups of loops become one: what the first leaves for
// the second stays in registers, through a reshape between them, too, and what
// both read is read once. Both may have results that others read. (Growing
// groups joins what has one reader; stages have one result each.)
//===----------------------------------------------------------------------===//
#ifndef TENON_PASSES_FUSE_JOINNESTS_H
#define TENON_PASSES_FUSE_JOINNESTS_H

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "passes/Fuse/Price.h"

namespace tenon::fuse {

/// Which groups may be joined.
enum class Joins {
  Stages, ///< what can still be a stage of a larger group afterwards
  All
};

/// Joins groups of a function as long as that takes less time by their prices;
/// says how often it did.
unsigned joinNests(mlir::func::FuncOp function, Pricer &pricer, Joins joins);

} // namespace tenon::fuse

#endif // TENON_PASSES_FUSE_JOINNESTS_H
