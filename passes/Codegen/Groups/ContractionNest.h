//===- ContractionNest.h - a contraction as strided dimensions --*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file declares the form in which products and convolutions are the same:
// lists of dimensions with one stride per tensor.
//===----------------------------------------------------------------------===//
#ifndef TENON_PASSES_CODEGEN_GROUPS_CONTRACTIONNEST_H
#define TENON_PASSES_CODEGEN_GROUPS_CONTRACTIONNEST_H

#include "dialects/Graph/Size.h"
#include "dialects/Memory/Memory.h"
#include "lib/Tile/Contraction.h"
#include "mlir/Support/LLVM.h"

namespace tenon::codegen {

using graph::Size;
using graph::Sizes;

/// The type sums are kept in: f32 for 16-bit floats, else the type itself.
mlir::Type accumulatorType(mlir::Type element);

/// One loop of a nest. `result` are the strides of the tensors that are
/// addressed by the result's indices, in the caller's order.
struct NestDim {
  Size extent = 1;
  Size lhs = 0, rhs = 0;
  llvm::SmallVector<Size, 6> result;
};

/// How the right operand lies: in panels of `panel` columns, with those of so
/// many neighbours and so many steps of k side by side; as the operation reads
/// it where that is 0.
struct Packing {
  int64_t panel = 0, join = 1, fold = 1;
};

/// A contraction. `batch` dimensions have their own right operand, `rows` share
/// it; the columns of a panel are those of all of `member` side by side, for
/// each of `plane`, and each is `fold` steps of k wide. Strides count elements;
/// those of rhs, and of k, take folded steps for one. Planes, members and the
/// columns of a packed right operand are fixed.
struct ContractionNest {
  llvm::SmallVector<NestDim> batch, rows, k;
  NestDim plane, member, column;
  Size lhsOffset = 0, rhsOffset = 0;
  int64_t fold = 1;
  int64_t run = 1;         ///< what of k lies together in lhs
  bool packed = false;     ///< rhs is [panels][K][panel]
  int64_t panelStride = 0; ///< of rhs, when packed

  /// Merges neighbouring dimensions that are one dimension in all tensors.
  void collapse();

  /// Makes `count` neighbours of the innermost batch dimension members, or all
  /// of them and some of the next one planes: of a packed nest, whose panels
  /// have `panel` columns.
  void join(int64_t count, int64_t panel);

  /// Of all planes, members and folded steps.
  Size columns() const {
    return plane.extent * member.extent * column.extent * fold;
  }

  /// Whether some numbers come in with the call.
  bool isSymbolic() const;

  /// Whether all batches multiply the same rows.
  bool sharesA() const;

  /// Whether the results of neighbouring rows lie behind each other in the
  /// tensor `t`: where A is shared, with those of all neighbours.
  bool rowsAdjoin(size_t t) const;

  /// The innermost dimension of rows for 1, that outside of it for 2; of one
  /// row where there is none.
  NestDim rowDim(size_t fromEnd) const {
    return rows.size() < fromEnd ? NestDim() : rows[rows.size() - fromEnd];
  }

  /// Of a nest whose numbers are fixed.
  tile::ContractionProblem problem() const;

  /// What of it does not depend on batch and rows, of which only the run may
  /// know how many there are.
  tile::ContractionProblem stepsProblem() const;

  /// What of it does not depend on batch, rows and k.
  tile::ContractionProblem columnsProblem() const;
};

/// Strides of tensors for the indices of a contraction's result.
using ResultStrides = llvm::ArrayRef<llvm::ArrayRef<Size>>;

/// The nest of a `graph.matmul`, a `graph.conv`, or a `graph.conv_transpose`
/// whose windows do not meet. Its operands lie as `lhs`, `rhs` and `packing`
/// say. Fails with a diagnostic on what has no nest: another layout than nhwc,
/// or padding that the buffer has no halo for.
mlir::FailureOr<ContractionNest>
buildNest(mlir::Operation *op, memory::BufferType lhs, memory::BufferType rhs,
          Packing packing, ResultStrides results);

/// The same, each dimension for itself: all that a nest of any buffers may
/// have.
mlir::FailureOr<ContractionNest>
buildLooseNest(mlir::Operation *op, memory::BufferType lhs,
               memory::BufferType rhs, Packing packing, ResultStrides results);

/// The loose nest of a kernel that tests itself what of a convolution's window
/// lies outside of the input: nothing around that needs to be zero.
mlir::FailureOr<ContractionNest> buildNestWithoutHalo(mlir::Operation *op,
                                                      memory::BufferType lhs,
                                                      memory::BufferType rhs,
                                                      Packing packing,
                                                      ResultStrides results);

/// How the right operand of `op` is packed: the attributes of a `graph.pack`.
mlir::DictionaryAttr packAttributes(mlir::Operation *op, Packing packing);

} // namespace tenon::codegen

#endif // TENON_PASSES_CODEGEN_GROUPS_CONTRACTIONNEST_H
