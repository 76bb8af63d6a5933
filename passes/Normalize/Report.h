//===- Report.h - nodes that cannot be lowered ------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file declares the one error that all refused nodes of a module go into,
// and the warnings of those that only a branch would run.
//===----------------------------------------------------------------------===//
#ifndef TENON_PASSES_NORMALIZE_REPORT_H
#define TENON_PASSES_NORMALIZE_REPORT_H

#include "dialects/Onnx/Refused.h"
#include "mlir/IR/Operation.h"

#include <string>

namespace tenon::normalize {

/// The name of a node, "?" where it has none.
std::string nodeName(mlir::Operation *op);

/// The operator and the shapes of what it takes, "Conv of [n, 3, h, w],
/// [8, 3, 3, 3]"; operands that are null are absent.
std::string describeNode(mlir::Operation *op, mlir::ValueRange operands);

/// Why the graph dialect cannot hold a value of this type; empty if it can.
std::string objection(mlir::Type type);

/// Why nothing computes an operator, whatever its operands.
inline constexpr llvm::StringLiteral kNoLowering =
    "this operator has no lowering and no function body";

/// A refused node, what is said of it behind its name, and in short.
struct Refusal {
  onnx::RefusedNode node;
  std::string line, summary;
  mlir::Location where;
};

/// Gathers refused nodes, a line for each.
class Report {
public:
  void add(mlir::Operation *op, llvm::StringRef reason);
  void add(llvm::ArrayRef<Refusal> more) { llvm::append_range(refusals, more); }
  int64_t size() const { return refusals.size(); }
  /// Takes back what came behind the first `size`.
  std::vector<Refusal> takeBehind(int64_t size);
  /// Warns of a node that is an error only where its branch is taken.
  void warn(const Refusal &refusal);
  /// The error, if there is something to say; else the warnings.
  mlir::LogicalResult emit() const;

private:
  std::vector<Refusal> refusals, warnings;
};

} // namespace tenon::normalize

#endif // TENON_PASSES_NORMALIZE_REPORT_H
