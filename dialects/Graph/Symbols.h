//===- Symbols.h - dimensions that have no size -----------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file declares where symbols stand, and the error about those that the
// inputs do not determine.
//===----------------------------------------------------------------------===//
#ifndef TENON_DIALECTS_GRAPH_SYMBOLS_H
#define TENON_DIALECTS_GRAPH_SYMBOLS_H

#include "mlir/IR/BuiltinTypes.h"
#include "mlir/Interfaces/FunctionInterfaces.h"

namespace tenon::graph {

/// Whether some dimension of a tensor has no size.
bool lacksSize(mlir::Type type);
bool lacksSize(mlir::Operation *op); ///< an operand or a result

/// The name by which the model calls an input; else its number.
std::string inputName(mlir::FunctionOpInterface function, unsigned input);

/// Where errors about a whole function belong: its file, where the function
/// only has the name of the model's graph.
mlir::Location modelLoc(mlir::FunctionOpInterface function);

/// Erases inputs with dimensions of which nothing is known that are not used,
/// with a warning for each.
void dropUnsizedInputs(mlir::FunctionOpInterface function);

/// Fails with one error if a dimension of anything but an unused input cannot
/// be computed from those of the inputs: a size that depends on data, or an
/// input of unknown rank.
mlir::LogicalResult requireDims(mlir::FunctionOpInterface function);

} // namespace tenon::graph

#endif // TENON_DIALECTS_GRAPH_SYMBOLS_H
