//===- Attention.h - groups of two products and a softmax -------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file declares how a group is read that computes
//
//   softmax(f(Q K^T)) V
//
// where f are any element-wise operations: a scale, a mask that is added or
// selects, a bias of positions.
//===----------------------------------------------------------------------===//
#ifndef TENON_PASSES_CODEGENGPU_ATTENTION_ATTENTION_H
#define TENON_PASSES_CODEGENGPU_ATTENTION_ATTENTION_H

#include "dialects/Graph/Graph.h"
#include "lib/Tile/GpuAttention.h"
#include "passes/Codegen/Bodies/Epilogue.h"
#include "passes/CodegenGpu/Contraction/Product.h"

namespace tenon::gpu {

/// The operations of such a group.
struct AttentionOps {
  graph::MatmulOp scores, context;
  /// f, in program order, and its result, which the softmax reads.
  llvm::SmallVector<mlir::Operation *> between;
  mlir::Value logits;
  /// Whether rows in which nothing counts are zero instead of NaN.
  bool clearsNaN = false;
};

/// Those of the stages of a group, read as one block (FlatGroup.h); none for
/// all other groups.
std::optional<AttentionOps> attentionIn(kernel::GroupOp flat);

/// Whether an attention may hold one group and another that reads it: a product
/// of matrices, and a nest of loops on its scores or on what another made of
/// them.
bool mayBeAttention(kernel::GroupOp from, kernel::GroupOp to);

/// Attention on its buffers.
struct Attention {
  AttentionOps ops;
  OperandLayout queries, keys, values;
  llvm::SmallVector<int64_t> batch; ///< extents

  int64_t batches() const;
  tile::GpuAttention problem(tile::Precision precision) const;
};

/// Whether a constant is added to the scores last that leaves those behind the
/// diagonal without weight.
bool isCausal(kernel::GroupOp group, const AttentionOps &ops);

/// Reads the group on these buffers of its operands.
Attention readAttention(kernel::GroupOp group, const AttentionOps &ops,
                        llvm::ArrayRef<memory::BufferType> operands);

} // namespace tenon::gpu

#endif // TENON_PASSES_CODEGENGPU_ATTENTION_ATTENTION_H
