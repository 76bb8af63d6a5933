//===- Report.h - nodes that cannot be lowered ------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file declares the one error that all refused nodes of a module go into.
//===----------------------------------------------------------------------===//
#ifndef TENON_PASSES_NORMALIZE_REPORT_H
#define TENON_PASSES_NORMALIZE_REPORT_H

#include "dialects/Onnx/Refused.h"
#include "mlir/IR/Operation.h"

#include <string>

namespace tenon::normalize {

/// The name of a node, "?" where it has none.
std::string nodeName(mlir::Operation *op);

/// Why the graph dialect cannot hold a value of this type; empty if it can.
std::string objection(mlir::Type type);

/// Gathers refused nodes, a line for each.
class Report {
public:
  void add(mlir::Operation *op, llvm::StringRef reason);
  int64_t size() const { return refused.size(); }
  /// The error, if there is something to say.
  mlir::LogicalResult emit() const;

private:
  std::string lines;
  std::vector<onnx::RefusedNode> refused;
  std::optional<mlir::Location> first;
};

} // namespace tenon::normalize

#endif // TENON_PASSES_NORMALIZE_REPORT_H
