//===- Groups.h - what is fused, read from a program ------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file is private to the compiler: the groups of a planned program as
// reports show them.
//===----------------------------------------------------------------------===//
#ifndef TENON_LIB_COMPILER_GROUPS_H
#define TENON_LIB_COMPILER_GROUPS_H

#include "lib/Compiler/Report.h"
#include "mlir/IR/BuiltinOps.h"

namespace tenon {

/// The launches of all programs that say what they are made of, planned for a
/// row of the target table. Empty before there are launches.
fusion::GroupGraph groupsOf(mlir::ModuleOp module, llvm::StringRef target,
                            int64_t threads);

/// As `groups` and `unfused` of a report.
llvm::json::Array groupsJson(const fusion::GroupGraph &graph);
llvm::json::Array unfusedJson(const fusion::GroupGraph &graph);

/// The largest groups by traffic, and what goes through memory by reasons.
void printGroups(llvm::raw_ostream &stream, const fusion::GroupGraph &graph);

} // namespace tenon

#endif // TENON_LIB_COMPILER_GROUPS_H
