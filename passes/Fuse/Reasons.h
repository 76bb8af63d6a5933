//===- Reasons.h - why values go through memory -----------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TENON_PASSES_FUSE_REASONS_H
#define TENON_PASSES_FUSE_REASONS_H

#include "dialects/Kernel/Facts.h"
#include "passes/Fuse/Mode.h"

namespace tenon::fuse {

/// The rules that groups were made by.
struct GreedyRules {
  FusionMode mode;
  unsigned maxOperations;
};

/// Says in words why a value goes through memory; empty: it does not.
using ReasonOf = llvm::function_ref<std::string(kernel::GroupEdge)>;

/// Once groups are made: gives those that have none their facts, and the
/// program a list of what goes from one group to another. Of very many values,
/// the first ones.
void explain(mlir::func::FuncOp program, ReasonOf reasonOf);

/// The rule that kept two groups of a program apart.
std::string greedyReason(kernel::GroupEdge edge, const GreedyRules &rules);

} // namespace tenon::fuse

#endif // TENON_PASSES_FUSE_REASONS_H
