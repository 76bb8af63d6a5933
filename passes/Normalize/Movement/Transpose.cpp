//===- Transpose.cpp - permutation of dimensions --------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file reverses them where no permutation is given.
//===----------------------------------------------------------------------===//
#include "passes/Normalize/Movement/Movement.h"

using namespace tenon;
using namespace tenon::normalize;

Lowered normalize::lowerTranspose(NormalizeContext &ctx, const Node &node) {
  int64_t rank = node.type(0).getRank();
  SmallVector<int64_t> axes = range(0, rank);
  SmallVector<int64_t> permutation = node.integers("perm");
  if (!node.has("perm"))
    permutation.assign(axes.rbegin(), axes.rend());
  SmallVector<int64_t> sorted = permutation;
  llvm::sort(sorted);
  if (sorted != axes)
    return ctx.unsupported("'perm' is not a permutation of the dimensions");
  return ctx.transpose(node.operand(0), permutation);
}
