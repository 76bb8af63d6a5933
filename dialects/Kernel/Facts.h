//===- Facts.h - what fusion knows of a group -------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file declares what whoever makes groups leaves for reports, as
// attributes: numbers on a group, which its launch takes over, and for each
// value that goes through memory from one group to another the reason. Sizes
// are typical ones where they depend on inputs.
//===----------------------------------------------------------------------===//
#ifndef TENON_DIALECTS_KERNEL_FACTS_H
#define TENON_DIALECTS_KERNEL_FACTS_H

#include "dialects/Graph/Size.h"
#include "dialects/Kernel/Kernel.h"
#include "lib/Support/Time.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include <optional>

namespace tenon::kernel {

/// `fusion` of groups and launches.
struct FusionFacts {
  int64_t bytesBefore = 0; ///< read and written if each operation were a kernel
  int64_t bytes = 0;       ///< that the group reads and writes in memory
  double work = 1;         ///< operations executed over those of the program
  int64_t scratchBytes = 0; ///< of a thread, for values between stages
  Time time;                ///< predicted for a launch; 0: nobody has
};

/// The bytes of a group, each value once, and of its operations, for typical
/// sizes; the rest as if nothing were computed twice.
FusionFacts measure(GroupOp group);

void setFacts(GroupOp group, const FusionFacts &facts);
std::optional<FusionFacts> factsOf(GroupOp group);
std::optional<FusionFacts> factsOf(LaunchOp launch);

/// `kernel.counts` of a launch whose work depends on symbols: what it does in a
/// run. No flops: some operation does not say how many they are.
struct RunCounts {
  std::optional<graph::Size> flops;
  graph::Size bytes;
};
inline constexpr llvm::StringLiteral runCountsAttr = "kernel.counts";
void setRunCounts(LaunchOp launch, const RunCounts &counts);
/// Those of a launch without symbols are its own `flops` and `bytes`.
RunCounts runCountsOf(LaunchOp launch);
mlir::LogicalResult verifyRunCounts(mlir::Operation *op,
                                    mlir::Attribute counts);

/// An entry of `operators` of a launch: a graph operation of its group.
struct OperatorFacts {
  std::string kind;  ///< "conv", "add"
  std::string nodes; ///< the ONNX nodes that it is for, joined by ';'
  /// Those before that it reads.
  llvm::SmallVector<int64_t> operands;
  std::optional<int64_t> stage;
  std::string strategy; ///< of the stage, once it has a plan
};

/// Gives a launch the facts of its group (measured, where it has none), its
/// operators and its tile.
void describe(LaunchOp launch, GroupOp group);
llvm::SmallVector<OperatorFacts> operatorsOf(LaunchOp launch);

/// A value that one group writes and another reads, be it through views.
struct GroupEdge {
  GroupOp from, to;
  mlir::Operation *producer = nullptr; ///< in `from`; null: none
  mlir::Operation *consumer = nullptr; ///< the first in `to`; null: none
  bool throughView = false;
};

/// Those of a program, by readers and then operands.
llvm::SmallVector<GroupEdge> edgesOf(mlir::func::FuncOp program);

/// An entry of `kernel.unfused` of a program: a value that one group writes and
/// another reads. Ends are ONNX nodes, or kinds of operations without any.
struct UnfusedEdge {
  std::string from, to;
  std::string reason; ///< in words: "several users outside"
};

void setUnfused(mlir::func::FuncOp program, llvm::ArrayRef<UnfusedEdge> edges);
llvm::SmallVector<UnfusedEdge> unfusedOf(mlir::func::FuncOp program);

/// The ONNX nodes that a location names, in order, joined by ';'.
std::string nodesOf(mlir::Location loc);

/// What an end of an edge is called.
std::string nameOf(mlir::Operation *op);

/// Whether `fusion`, `operators` and `kernel.unfused` have what readers expect;
/// null is fine.
mlir::LogicalResult verifyFusion(mlir::Operation *op,
                                 mlir::DictionaryAttr fusion);
mlir::LogicalResult verifyOperators(LaunchOp launch);
bool isUnfusedList(mlir::Attribute attribute);

} // namespace tenon::kernel

#endif // TENON_DIALECTS_KERNEL_FACTS_H
