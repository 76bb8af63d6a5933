//===- Movement.h - lowerings of views and data movement --------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file is private to the family; each function stands in the file of its
// operator.
//===----------------------------------------------------------------------===//
#ifndef TENON_PASSES_NORMALIZE_MOVEMENT_MOVEMENT_H
#define TENON_PASSES_NORMALIZE_MOVEMENT_MOVEMENT_H

#include "passes/Normalize/Lowering.h"
#include "passes/Normalize/Shapes.h"

namespace tenon::normalize {

Lowered lowerCol2Im(NormalizeContext &ctx, const Node &node);
Lowered lowerConcat(NormalizeContext &ctx, const Node &node);
Lowered lowerDepthToSpace(NormalizeContext &ctx, const Node &node);
Lowered lowerDropout(NormalizeContext &ctx, const Node &node);
Lowered lowerExpand(NormalizeContext &ctx, const Node &node);
Lowered lowerEyeLike(NormalizeContext &ctx, const Node &node);
Lowered lowerFlatten(NormalizeContext &ctx, const Node &node);
Lowered lowerGather(NormalizeContext &ctx, const Node &node);
Lowered lowerGatherElements(NormalizeContext &ctx, const Node &node);
Lowered lowerGatherND(NormalizeContext &ctx, const Node &node);
Lowered lowerMaxUnpool(NormalizeContext &ctx, const Node &node);
Lowered lowerOneHot(NormalizeContext &ctx, const Node &node);
Lowered lowerPad(NormalizeContext &ctx, const Node &node);
Lowered lowerReshape(NormalizeContext &ctx, const Node &node);
Lowered lowerResize(NormalizeContext &ctx, const Node &node);
Lowered lowerReverseSequence(NormalizeContext &ctx, const Node &node);
Lowered lowerScatterElements(NormalizeContext &ctx, const Node &node);
Lowered lowerScatterND(NormalizeContext &ctx, const Node &node);
Lowered lowerSlice(NormalizeContext &ctx, const Node &node);
Lowered lowerSpaceToDepth(NormalizeContext &ctx, const Node &node);
Lowered lowerSplit(NormalizeContext &ctx, const Node &node);
Lowered lowerSqueeze(NormalizeContext &ctx, const Node &node);
Lowered lowerTensorScatter(NormalizeContext &ctx, const Node &node);
Lowered lowerTile(NormalizeContext &ctx, const Node &node);
Lowered lowerTranspose(NormalizeContext &ctx, const Node &node);
Lowered lowerTrilu(NormalizeContext &ctx, const Node &node);
Lowered lowerUnsqueeze(NormalizeContext &ctx, const Node &node);

/// The axes in operand `index`, each in [0, rank), distinct, in the order
/// given; refuses if they are not constant or out of range.
std::optional<SmallVector<int64_t>> axesOperand(NormalizeContext &ctx,
                                                const Node &node,
                                                unsigned index, int64_t rank);

/// A constant list of integers with a reason that names it.
std::optional<SmallVector<int64_t>> listOperand(NormalizeContext &ctx,
                                                const Node &node,
                                                unsigned index, StringRef name);

/// The rank that the model states for a value, or for what keeps it. Chains
/// of more than `most` say nothing.
std::optional<int64_t> statedRank(Value value, int most = 16);

/// A dimension that is indexed: `index`, of i64, lies in [-size, size).
struct IndexPart {
  Value index;
  mlir::Attribute size, stride;
};

/// The sum of indices (counted from the start) times strides, and of `offsets`;
/// all broadcast. Where an index lies outside it is `outside`, the number of
/// rows.
Value linearIndex(NormalizeContext &ctx, ArrayRef<IndexPart> parts,
                  ArrayRef<Value> offsets, mlir::Attribute outside);

/// `tuples`, whose last dimension is known to be `length`: the run checks what
/// symbols leave open.
Value ofLength(NormalizeContext &ctx, Value tuples, int64_t length);

/// The parts of tuples that lie along the last dimension of `tuples`; their
/// shape has 1 there. `sizes` are those of the dimensions they index.
SmallVector<IndexPart> tupleParts(NormalizeContext &ctx, Value tuples,
                                  ArrayRef<mlir::Attribute> sizes);

/// 0, stride, 2 * stride... along dimension `axis` of [1, ..., size, ..., 1].
Value steps(NormalizeContext &ctx, int64_t rank, int64_t axis,
            mlir::Attribute size, mlir::Attribute stride);

/// Whether two shapes are the same for some values of their symbols.
bool mayBeEqual(ArrayRef<mlir::Attribute> a, ArrayRef<mlir::Attribute> b);

/// The product of dimensions; null if one of them is not known. `context` is
/// for that of none.
mlir::Attribute product(mlir::MLIRContext *context,
                        ArrayRef<mlir::Attribute> dims);
int64_t product(ArrayRef<int64_t> extents);

} // namespace tenon::normalize

#endif // TENON_PASSES_NORMALIZE_MOVEMENT_MOVEMENT_H
