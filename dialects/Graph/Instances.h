//===- Instances.h - programs for given sizes -------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file declares how symbols are replaced by numbers: everywhere in an
// operation, so that planners that know sizes only can look at it, or in one
// dimension.
//===----------------------------------------------------------------------===//
#ifndef TENON_DIALECTS_GRAPH_INSTANCES_H
#define TENON_DIALECTS_GRAPH_INSTANCES_H

#include "mlir/IR/BuiltinAttributes.h"
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

} // namespace tenon::graph

#endif // TENON_DIALECTS_GRAPH_INSTANCES_H
