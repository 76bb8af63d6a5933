//===- Contraction.cpp - products -----------------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file says what matrix products compute. Real sums are accumulated in
// double and rounded once.
//===----------------------------------------------------------------------===//
#include "lib/Interpreter/Convolution.h"

#include "dialects/Graph/Graph.h"

using namespace mlir;
using namespace tenon;
using namespace tenon::interp;

/// result[m, n] = sum over k of lhs[m, k] * rhs[k, n], all row-major.
template <typename W>
static void multiplyMatrices(const W *lhs, const W *rhs, W *result, int64_t m,
                             int64_t k, int64_t n) {
  for (int64_t row = 0; row < m; ++row)
    for (int64_t i = 0; i < k; ++i) {
      W factor = lhs[row * k + i];
      for (int64_t column = 0; column < n; ++column)
        result[row * n + column] += factor * rhs[i * n + column];
    }
}

/// The numbers of a stack of matrices, each transposed when asked for.
template <typename W>
static std::vector<W> loadMatrices(const Tensor &tensor, bool transposed) {
  std::vector<W> numbers = loadAll<W>(tensor);
  if (!transposed)
    return numbers;
  auto order = llvm::to_vector(llvm::seq<int64_t>(tensor.getRank()));
  std::swap(order[order.size() - 1], order[order.size() - 2]);
  return permute(numbers, tensor.getShape(), order);
}

template <typename W> static LogicalResult matmulNumbers(Call &call) {
  auto op = cast<graph::MatmulOp>(call.op);
  const Tensor &lhs = call.operands[0], &rhs = call.operands[1];
  Shape shape = call.result().getShape(), batch = shape.drop_back(2);
  int64_t m = shape[batch.size()], n = shape[batch.size() + 1];
  int64_t k = lhs.getShape()[lhs.getRank() - (op.getTransposeLhs() ? 2 : 1)];
  std::vector<W> left = loadMatrices<W>(lhs, op.getTransposeLhs());
  std::vector<W> right = loadMatrices<W>(rhs, op.getTransposeRhs());
  std::vector<W> result(call.result().size());
  SmallVector<Strides> strides = {
      broadcastStrides(lhs.getShape().drop_back(2), batch.size()),
      broadcastStrides(rhs.getShape().drop_back(2), batch.size())};
  forEachRun(batch, strides, [&](const Run &run) {
    for (int64_t i = 0; i < run.size; ++i)
      multiplyMatrices<W>(
          left.data() + (run.offsets[0] + i * run.strides[0]) * m * k,
          right.data() + (run.offsets[1] + i * run.strides[1]) * k * n,
          result.data() + (run.first + i) * m * n, m, k, n);
  });
  storeAll(call.result(), result);
  return success();
}

static LogicalResult matmul(Call &call) {
  return withAccumulatorOf(call.result().getElementType(), [&](auto kind) {
    return matmulNumbers<decltype(kind)>(call);
  });
}

static const Entry kEntries[] = {
    {"graph.matmul", matmul},
    {"graph.conv", convolve},
    {"graph.conv_transpose", convolveTransposed},
};

ArrayRef<Entry> tenon::interp::contractionEntries() { return kEntries; }
