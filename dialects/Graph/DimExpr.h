//===- DimExpr.h - sizes that are computed from symbols ---------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file declares the arithmetic of dimensions. A dimension is an attribute:
//
//   128                  a size, an i64
//   "batch"              a symbol, a string
//   2 * "height" + 1     an expression, a DimExprAttr: sums of products of
//                        symbols and of quotients by a number, rounded down
//   null                 not known, as in a `tensor<?xf32>` without #graph.dims
//
// Equal dimensions that are made here are the same attribute: sums are sorted
// and quotients taken apart as far as they go. What has no such form, the
// broadcast of two symbols, is a symbol whose name says what it is,
// "broadcast(m, n)", so that equal ones still are.
//===----------------------------------------------------------------------===//
#ifndef TENON_DIALECTS_GRAPH_DIMEXPR_H
#define TENON_DIALECTS_GRAPH_DIMEXPR_H

#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/OpImplementation.h"

namespace tenon::graph {

/// Null if one of the dimensions is. A divisor is positive; the remainder of a
/// division is from 0 up, as the quotient is rounded down.
mlir::Attribute addDims(mlir::Attribute a, mlir::Attribute b);
mlir::Attribute subtractDims(mlir::Attribute a, mlir::Attribute b);
mlir::Attribute multiplyDims(mlir::Attribute a, mlir::Attribute b);
mlir::Attribute floorDivDim(mlir::Attribute dim, int64_t divisor);
mlir::Attribute modDim(mlir::Attribute dim, int64_t divisor);

/// The dimension that `divisor` is to be multiplied with for `dim`, whatever
/// its symbols are: (6 + 3 * m) / (2 + m) is 3. Null if there is none.
mlir::Attribute divideDims(mlir::Attribute dim, mlir::Attribute divisor);

/// (factor * dim + offset) / divisor, rounded down.
mlir::Attribute affineDim(mlir::Attribute dim, int64_t factor, int64_t offset,
                          int64_t divisor = 1);

/// What a dimension is a multiple of, for any values of its symbols, and what
/// is left when it is divided by that.
struct DimContent {
  int64_t factor;
  mlir::Attribute rest;
};
DimContent contentOf(mlir::Attribute dim);

/// A symbol that stands for what `function` makes of dimensions that no
/// expression can: "broadcast(m, n)". The operands' order does not matter.
mlir::Attribute derivedSymbol(llvm::StringRef function,
                              llvm::ArrayRef<mlir::Attribute> operands);

/// A symbol for a size that `op` finds in its data, which no type in the
/// function of `op` has: the name of its node, and a number where that is
/// taken.
mlir::Attribute freshDim(mlir::Operation *op);

/// "128", "batch", "2 * height + 1", "?".
std::string dimText(mlir::Attribute dim);

/// Whether dimensions have this word beside names.
bool isDimKeyword(llvm::StringRef word);

/// Reads and writes a dimension as it stands in #graph.dims, null as `?`.
mlir::ParseResult parseDim(mlir::AsmParser &parser, mlir::Attribute &dim);
void printDim(mlir::AsmPrinter &printer, mlir::Attribute dim);

} // namespace tenon::graph

#endif // TENON_DIALECTS_GRAPH_DIMEXPR_H
