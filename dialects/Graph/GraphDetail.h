//===- GraphDetail.h - shared by the files of the dialect -------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file declares what the operations of a family have in common: shape
// functions, iteration domains, access maps, costs. Private to dialects/Graph.
//===----------------------------------------------------------------------===//
#ifndef TENON_DIALECTS_GRAPH_GRAPHDETAIL_H
#define TENON_DIALECTS_GRAPH_GRAPHDETAIL_H

#include "dialects/Graph/Shapes.h"

namespace tenon::graph::detail {

using llvm::ArrayRef;
using llvm::LogicalResult;
using llvm::SmallVector;
using mlir::AffineExpr;
using mlir::RankedTensorType;
using mlir::Type;
using mlir::Value;
using Loc = std::optional<mlir::Location>;
using Types = llvm::SmallVectorImpl<Type>;

/// Reports `text` if there is a location, and fails.
LogicalResult refuse(Loc loc, const llvm::Twine &text);

/// "2x?x4", for messages.
std::string shapeText(Type type);

//===-- Iteration domains -------------------------------------------------===//

/// The dimensions of `type`, all parallel.
IterationDomain parallelDomain(RankedTensorType type);

/// The same followed by static reductions.
IterationDomain windowDomain(RankedTensorType type, ArrayRef<int64_t> reduced);

/// With the identity of the kind in the element type of `value`.
Reduction reduction(ReductionKind kind, Value value);

//===-- Accesses ----------------------------------------------------------===//

/// Makes accesses over a domain with a given number of dimensions.
class AccessMaker {
public:
  using Exprs = SmallVector<AffineExpr>;
  AccessMaker(mlir::MLIRContext *context, unsigned numDims)
      : context(context), numDims(numDims) {}

  AffineExpr dim(unsigned index) const;
  AffineExpr constant(int64_t value) const;
  /// Any index of the tensor's dimension `dim`.
  AffineExpr any(unsigned dim) const;
  /// Dimensions [first, first + count).
  Exprs dims(unsigned first, unsigned count) const;

  Access read(unsigned operand, ArrayRef<AffineExpr> exprs,
              AccessKind kind = AccessKind::Exact,
              std::optional<Outside> outside = std::nullopt) const;
  Access readIdentity(unsigned operand, unsigned rank) const {
    return read(operand, dims(0, rank));
  }
  /// An operand that broadcasts to domain dimensions 0 to `rank`.
  Access readBroadcast(unsigned operand, RankedTensorType type,
                       RankedTensorType result) const;
  /// What earlier points wrote to a result.
  Access readBack(unsigned result, ArrayRef<AffineExpr> exprs, AccessKind kind,
                  Outside outside) const;
  Access write(unsigned result, ArrayRef<AffineExpr> exprs) const;
  Access writeIdentity(unsigned result, unsigned rank) const {
    return write(result, dims(0, rank));
  }

private:
  mlir::MLIRContext *context;
  unsigned numDims;
};

//===-- Costs -------------------------------------------------------------===//

/// A number that may depend on symbols, and is none then.
using Count = std::optional<int64_t>;

Count sum(Count a, Count b);
Count product(Count a, Count b);

/// Bytes of all operands and results, `flops` operations.
Cost streamCost(mlir::Operation *op, Count flops);

/// `flopsPerPoint` for each point of the operation's domain.
Cost domainCost(mlir::Operation *op, Count flopsPerPoint);

//===-- Element-wise ------------------------------------------------------===//

LogicalResult inferSameElement(Loc loc, mlir::ValueRange operands,
                               Types &results);
LogicalResult inferFirstElement(Loc loc, mlir::ValueRange operands,
                                Types &results);
LogicalResult inferPredicate(Loc loc, mlir::ValueRange operands,
                             Types &results);
LogicalResult inferSelect(Loc loc, mlir::ValueRange operands, Types &results);
SmallVector<Access> elementwiseAccesses(mlir::Operation *op);
Cost elementwiseCost(mlir::Operation *op);

//===-- Reductions --------------------------------------------------------===//

/// `element` null: that of the input.
LogicalResult inferReduce(Loc loc, Value input, ArrayRef<int64_t> axes,
                          bool keepDims, Type element, Types &results);
IterationDomain reduceDomain(Value input, ArrayRef<int64_t> axes);
SmallVector<Access> reduceAccesses(Value input, ArrayRef<int64_t> axes,
                                   bool keepDims);

//===-- Windows -----------------------------------------------------------===//

/// The geometry that convolutions and pools share.
struct Window {
  ArrayRef<int64_t> kernel;
  ArrayRef<int64_t> strides;
  ArrayRef<int64_t> pads; ///< all begins, then all ends
  ArrayRef<int64_t> dilations;
  Layout layout;

  unsigned rank() const { return kernel.size(); }
};

template <typename Op> Window window(Op op) {
  return {op.getKernel(), op.getStrides(), op.getPads(), op.getDilations(),
          op.getLayout()};
}

/// Counts and signs of the attributes against a spatial rank.
LogicalResult checkWindow(Loc loc, const Window &window, int64_t spatialRank);

/// The expressions `o * stride + k * dilation - pad`, with the output positions
/// in domain dimensions from `out` and the kernel positions from `kernel`.
SmallVector<AffineExpr> windowPositions(const AccessMaker &maker,
                                        const Window &window, unsigned out,
                                        unsigned kernel);

/// Whether some window may reach over the input's borders; `in` and `out` are
/// the extents along the spatial dimensions.
bool reachesOutside(const Window &window, ArrayRef<int64_t> in,
                    ArrayRef<int64_t> out);

LogicalResult verifyPool(mlir::Operation *op, const Window &window);
SmallVector<Access> poolAccesses(mlir::Operation *op, const Window &window,
                                 Outside outside);

} // namespace tenon::graph::detail

#endif // TENON_DIALECTS_GRAPH_GRAPHDETAIL_H
