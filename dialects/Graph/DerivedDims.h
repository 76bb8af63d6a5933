//===- DerivedDims.h - symbols that are made of others ----------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file declares how symbols of derivedSymbol() (DimExpr.h) are taken apart
// again, and which symbols a program's inputs give values to.
//===----------------------------------------------------------------------===//
#ifndef TENON_DIALECTS_GRAPH_DERIVEDDIMS_H
#define TENON_DIALECTS_GRAPH_DERIVEDDIMS_H

#include "mlir/IR/BuiltinTypes.h"
#include "llvm/ADT/DenseSet.h"

#include <optional>
#include <string>

namespace tenon::graph {

/// "broadcast(m, n)" or "min(m, n)": what it is made of.
struct DerivedDim {
  std::string function;
  llvm::SmallVector<mlir::Attribute> operands;
};

/// None of symbols that are not made so.
std::optional<DerivedDim> derivationOf(mlir::StringAttr symbol);

/// What two symbolic dimensions broadcast to, which are equal or one of them 1:
/// that which cannot be 1, 2 * "m", else a symbol, "broadcast(m, n)".
mlir::Attribute broadcastSymbols(mlir::Attribute a, mlir::Attribute b);

/// The smaller of two dimensions: a symbol, "min(m, n)", where nothing tells
/// which one it is. Null if one of them is.
mlir::Attribute minDims(mlir::Attribute a, mlir::Attribute b);

/// A dimension, or 0 where that would be negative; null if it is.
mlir::Attribute positivePart(mlir::Attribute dim);

/// What a derived symbol is for other operands.
mlir::Attribute deriveAgain(const DerivedDim &derived, mlir::Attribute a,
                            mlir::Attribute b);

/// The names that dimensions of a program's inputs have: those that stand alone
/// in one, `"batch"`, not `2 * "batch"`.
class BoundSymbols {
public:
  explicit BoundSymbols(mlir::TypeRange inputs);

  /// Whether a dimension can be computed once the inputs are there.
  bool determine(mlir::Attribute dim) const;

private:
  llvm::DenseSet<mlir::Attribute> names;
};

} // namespace tenon::graph

#endif // TENON_DIALECTS_GRAPH_DERIVEDDIMS_H
