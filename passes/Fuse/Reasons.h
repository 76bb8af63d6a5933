//===- Reasons.h - why values go through memory -----------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TENON_PASSES_FUSE_REASONS_H
#define TENON_PASSES_FUSE_REASONS_H

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "passes/Fuse/Mode.h"

namespace tenon::fuse {

/// The rules that groups were made by.
struct GreedyRules {
  FusionMode mode;
  unsigned maxOperations;
};

/// Once groups are made: gives each its facts (dialects/Kernel/Facts.h), and
/// the program a list of what goes from one group to another, with the rule
/// that kept them apart. Of very many values, the first ones.
void explain(mlir::func::FuncOp program, const GreedyRules &rules);

} // namespace tenon::fuse

#endif // TENON_PASSES_FUSE_REASONS_H
