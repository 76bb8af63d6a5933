//===- Shapes.h - dimensions, static and symbolic ---------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file declares dimension lists, the form in which shape functions work:
// a size and the name of a symbol are treated alike.
//===----------------------------------------------------------------------===//
#ifndef TENON_DIALECTS_GRAPH_SHAPES_H
#define TENON_DIALECTS_GRAPH_SHAPES_H

#include "dialects/Graph/DimExpr.h"
#include "dialects/Graph/Graph.h"

namespace tenon::graph {

/// One entry per dimension: an i64 IntegerAttr for a size, the StringAttr of a
/// symbol, a DimExprAttr of several, or null where nothing is known. DimExpr.h
/// computes with them.
using Dims = llvm::SmallVector<mlir::Attribute>;

/// The dimensions of a type, symbols taken from its `#graph.dims`.
Dims dimsOf(mlir::RankedTensorType type);
Dims dimsOf(mlir::Value value);

/// The inverse of dimsOf(). The type has an encoding only if there is a symbol.
mlir::RankedTensorType typeFromDims(llvm::ArrayRef<mlir::Attribute> dims,
                                    mlir::Type element);

/// A size as a dimension; null for a dynamic size.
mlir::Attribute sizeDim(mlir::MLIRContext *context, int64_t size);

/// The size of a dimension, ShapedType::kDynamic if it is not static.
int64_t sizeOf(mlir::Attribute dim);

/// Whether a dimension is a symbol or an expression of symbols.
bool isSymbolic(mlir::Attribute dim);

/// False only if they differ for any values of their symbols.
bool mayBeEqual(mlir::Attribute a, mlir::Attribute b);

/// The better known one of two dimensions that are equal at run time.
mlir::Attribute unify(mlir::Attribute a, mlir::Attribute b);

/// A list of dimensions as an attribute; null entries become `?`.
DimsAttr dimsAttr(mlir::MLIRContext *context,
                  llvm::ArrayRef<mlir::Attribute> dims);

/// Numbers that are not known yet stand in an attribute beside an array: the
/// array has kDynamic there. Both from a list; no attribute where all are
/// numbers.
struct SplitDims {
  llvm::SmallVector<int64_t> numbers;
  DimsAttr dims;
};
SplitDims splitDims(mlir::MLIRContext *context,
                    llvm::ArrayRef<mlir::Attribute> dims);

/// Moves what is a number from the attributes that stand beside arrays
/// (`start_dims` of a slice) into these, and gives a `resize` its scales: to be
/// called when symbols of an operation and of its operands were replaced.
void settleDims(mlir::Operation *op);

/// How many dimensions of `type` are neither sizes nor symbols. With none,
/// equal types mean equal shapes; with one, a reshape to `type` is still
/// determined.
unsigned countUnknown(mlir::RankedTensorType type);

/// `type` with other dimensions in the order of `permutation`.
mlir::RankedTensorType permuted(mlir::RankedTensorType type,
                                llvm::ArrayRef<int64_t> permutation);

/// `type` with static dimensions `shape`.
mlir::RankedTensorType withShape(mlir::RankedTensorType type,
                                 llvm::ArrayRef<int64_t> shape);

/// Whether all operand dimensions of `type` appear unchanged, right-aligned, in
/// the dimensions of `result`, or are 1: the rule of numpy.
bool broadcastsTo(mlir::RankedTensorType type, mlir::RankedTensorType result);

/// Walks two shapes with equal products, from the left, in the shortest runs of
/// dimensions with equal products: `[2, 3, 4]` and `[6, 2, 2]` have the runs
/// (2, 3 | 6) and (4 | 2, 2).
class ReshapeRuns {
public:
  ReshapeRuns(Dims from, Dims to) : from(std::move(from)), to(std::move(to)) {}

  /// Finds the next run; false at the end, or if the sizes are not known.
  bool next();
  /// Whether the last call of next() had come to the end of both shapes.
  bool atEnd() const { return fromEnd == from.size() && toEnd == to.size(); }

  Dims from, to;
  unsigned fromBegin = 0, fromEnd = 0; ///< the run in `from`
  unsigned toBegin = 0, toEnd = 0;     ///< the run in `to`
};

/// The dimension of the channels in a tensor of `rank`.
int64_t channelDim(Layout layout, int64_t rank);

/// The first of the spatial dimensions, which are adjacent.
inline int64_t firstSpatialDim(Layout layout) {
  return layout == Layout::NCHW ? 2 : 1;
}

} // namespace tenon::graph

#endif // TENON_DIALECTS_GRAPH_SHAPES_H
