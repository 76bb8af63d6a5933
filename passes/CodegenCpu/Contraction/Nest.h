//===- Nest.h - a contraction as strided dimensions -------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file declares the form in which products and convolutions are the same:
// lists of dimensions with one stride per tensor.
//===----------------------------------------------------------------------===//
#ifndef TENON_PASSES_CODEGENCPU_CONTRACTION_NEST_H
#define TENON_PASSES_CODEGENCPU_CONTRACTION_NEST_H

#include "dialects/Memory/Memory.h"
#include "lib/Tile/Contraction.h"
#include "mlir/Support/LLVM.h"

namespace tenon::codegen {

/// One loop of a nest. `result` are the strides of the tensors that are
/// addressed by the result's indices, in the caller's order.
struct NestDim {
  int64_t extent = 1;
  int64_t lhs = 0, rhs = 0;
  llvm::SmallVector<int64_t, 6> result;
};

/// A contraction. `batch` dimensions have their own right operand, `rows` share
/// it; the columns of a panel are those of all of `member` side by side.
/// Strides count elements.
struct ContractionNest {
  llvm::SmallVector<NestDim> batch, rows, k;
  NestDim member, column;
  int64_t lhsOffset = 0, rhsOffset = 0;
  bool packed = false;     ///< rhs is [panels][K][panel]
  int64_t panelStride = 0; ///< of rhs, when packed

  /// Merges neighbouring dimensions that are one dimension in all tensors.
  void collapse();

  /// Makes `count` neighbours of the innermost batch dimension, or else of the
  /// innermost row dimension, members: of a packed nest, whose panels have
  /// `panel` columns.
  void join(int64_t count, int64_t panel);

  /// Of all members.
  int64_t columns() const { return member.extent * column.extent; }

  tile::ContractionProblem problem() const;
};

/// Strides of tensors for the indices of a contraction's result.
using ResultStrides = llvm::ArrayRef<llvm::ArrayRef<int64_t>>;

/// The nest of a `graph.matmul`, a `graph.conv`, or a `graph.conv_transpose`
/// whose windows do not meet. Its operands lie as `lhs` and `rhs` say. `panel`
/// is the width of packed panels, 0 when rhs lies as the operation reads it;
/// `join` neighbours are members. Fails with a diagnostic on what has no nest:
/// another layout than nhwc, or padding that the buffer has no halo for.
mlir::FailureOr<ContractionNest>
buildNest(mlir::Operation *op, memory::BufferType lhs, memory::BufferType rhs,
          int64_t panel, int64_t join, ResultStrides results);

/// How the right operand of `op` is packed into panels of that width, for so
/// many neighbours side by side: the attributes of a `graph.pack`.
mlir::DictionaryAttr packAttributes(mlir::Operation *op, int64_t panel,
                                    int64_t join = 1);

} // namespace tenon::codegen

#endif // TENON_PASSES_CODEGENCPU_CONTRACTION_NEST_H
