//===- Instances.h - programs for given sizes -------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file declares how symbols are replaced by numbers: everywhere in an
// operation, so that planners that know sizes only can look at it, or in one
// dimension.
//===----------------------------------------------------------------------===//
#ifndef TENON_DIALECTS_GRAPH_INSTANCES_H
#define TENON_DIALECTS_GRAPH_INSTANCES_H

#include "dialects/Graph/Constraints.h"
#include "dialects/Graph/Size.h"
#include "mlir/IR/Operation.h"

namespace tenon::graph {

/// What a symbol stands for.
using SymbolValues = llvm::function_ref<mlir::Attribute(mlir::StringAttr)>;

/// The symbols of a dimension, by name; none of a size or null.
llvm::SmallVector<mlir::StringAttr> symbolsOf(mlir::Attribute dim);

/// `dim` with other dimensions in place of its symbols.
mlir::Attribute substitute(mlir::Attribute dim, SymbolValues values);

/// What stands in place of a whole dimension.
using DimMap = llvm::function_ref<mlir::Attribute(mlir::Attribute)>;

/// Replaces dimensions in a type, or in all types and `#graph.dims` attributes
/// of an operation and of what it holds.
mlir::Type mapDims(mlir::Type type, DimMap map);
void mapDims(mlir::Operation *op, DimMap map);

/// A type with other dimensions in its `#graph.dims`.
mlir::Type substitute(mlir::Type type, SymbolValues values);

/// Replaces symbols in all types and `#graph.dims` attributes of an operation
/// and of what it holds.
void substitute(mlir::Operation *op, SymbolValues values);

/// What symbols are likely to be: plans are made for these sizes, and hold for
/// all. The number that the store names, or 128, or what is nearest to it in
/// the symbol's range.
class TypicalSizes {
public:
  explicit TypicalSizes(ConstraintStore store = {}) : store(std::move(store)) {}
  /// With the ranges that a module states; null: none.
  static TypicalSizes in(mlir::ModuleOp module);

  int64_t of(mlir::Attribute dim) const;
  int64_t of(const Size &size) const {
    return size.isFixed() ? size.fixed() : of(size.symbolic());
  }
  mlir::Attribute ofSymbol(mlir::StringAttr symbol) const;

private:
  ConstraintStore store;
};

/// The same where nobody states ranges, for what is judged by its size only.
inline int64_t typicalOf(const Size &size) { return TypicalSizes().of(size); }

} // namespace tenon::graph

#endif // TENON_DIALECTS_GRAPH_INSTANCES_H
