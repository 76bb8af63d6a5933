//===- Contraction.cpp - products -----------------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file says what matrix products and packing compute. Real sums are
// accumulated in double and rounded once.
//===----------------------------------------------------------------------===//
#include "lib/Interpreter/Convolution.h"

#include "dialects/Graph/Graph.h"
#include "dialects/Graph/Planes.h"
#include "lib/Support/NarrowFloat.h"
#include "lib/Tile/Fragments.h"
#include "lib/Tile/WinogradMatrices.h"

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

/// Product of the extents of some dimensions.
static int64_t extentOf(Shape shape, ArrayRef<int64_t> dims) {
  int64_t extent = 1;
  for (int64_t dim : dims)
    extent *= shape[dim];
  return extent;
}

/// Dimensions of a matrix.
struct MatrixDims {
  SmallVector<int64_t> batch, k, n;
};

/// The filter `[..., window...]` as `[..., windows, points]`; tells `dims`
/// where those are now.
static Tensor transformWindows(const Tensor &filter, graph::PackOp op,
                               MatrixDims &dims) {
  int64_t m = op.getWinograd(), rank = op.getWindowRank();
  int64_t side = filter.getShape()[dims.k.front()];
  tile::WinogradMatrices matrices =
      tile::winogradMatrices(m, op.getWindow() ? op.getWindow() : side);
  int64_t count =
      tile::windowSize(tile::windowsAlong(side, matrices.taps), rank);
  int64_t points = tile::windowSize(matrices.points, rank);
  ArrayRef<int64_t> windows = ArrayRef(dims.k).take_front(rank);
  SmallVector<int64_t> shape, moved;
  for (auto [dim, extent] : llvm::enumerate(filter.getShape())) {
    moved.push_back(shape.size());
    if (!llvm::is_contained(windows, dim))
      shape.push_back(extent);
  }
  int64_t last = shape.size();
  shape.append({count, points});
  dims.k.erase(dims.k.begin(), dims.k.begin() + rank);
  for (SmallVector<int64_t> *list : {&dims.batch, &dims.k, &dims.n})
    for (int64_t &dim : *list)
      dim = moved[dim];
  dims.k.insert(dims.k.begin(), {last + 1, last});
  std::vector<double> numbers = loadAll<double>(filter);
  std::vector<float> taps(numbers.begin(), numbers.end());
  auto size = size_t(tile::windowSize(side, rank));
  std::vector<double> transformed(taps.size() / size * count * points);
  for (size_t i = 0; i < taps.size() / size; ++i)
    tile::transformFilter(matrices, rank, side, &taps[i * size],
                          &transformed[i * count * points]);
  Tensor result =
      Tensor::allocate(RankedTensorType::get(shape, filter.getElementType()));
  storeAll(result, transformed);
  return result;
}

/// Each number in pieces of bf16, plane by plane.
template <typename W>
static std::vector<W> planesOf(const std::vector<W> &numbers, int64_t planes) {
  std::vector<W> pieces;
  for (int64_t plane = 0; plane < planes; ++plane)
    for (size_t i = 0; i < numbers.size(); ++i) {
      auto number = float(numbers[tile::fragmentStep(int64_t(i))]);
      pieces.push_back(
          W(BrainFloat::widen(BrainFloat::piece(number, int(plane)))));
    }
  return pieces;
}

/// [batch, K, N] -> [batch, panels, K, panel] by element, K folded, zero
/// behind the columns of each group.
static LogicalResult pack(Call &call) {
  auto op = cast<graph::PackOp>(call.op);
  Tensor input = call.operands[0];
  MatrixDims dims;
  llvm::append_range(dims.batch, op.getBatchDims());
  llvm::append_range(dims.k, op.getKDims());
  llvm::append_range(dims.n, op.getNDims());
  if (op.getWinograd())
    input = transformWindows(input, op, dims);
  SmallVector<int64_t> order(dims.batch);
  llvm::append_range(order, dims.k);
  llvm::append_range(order, dims.n);
  if (order.size() != size_t(input.getRank()) || op.getPanel() < 1)
    return call.fail("does not name each dimension once");
  int64_t batch = extentOf(input.getShape(), dims.batch);
  int64_t k = extentOf(input.getShape(), dims.k);
  int64_t n = extentOf(input.getShape(), dims.n), fold = op.getFold();
  int64_t panel = op.getPanel(), groups = op.getGroups();
  if (groups < 1 || n % groups || fold < 1 || k % fold)
    return call.fail("has groups or a fold that do not divide N or K");
  int64_t size = n / groups * fold, inGroup = (size + panel - 1) / panel;
  int64_t steps = k / fold;
  int64_t panels = groups * inGroup;
  int64_t planes = op.getElement() ? graph::packedPlanes(*op.getElement()) : 1;
  int64_t each = batch * panels * steps * panel;
  if (call.result().size() != planes * each)
    return call.fail("has a result of another size");
  return withNumbersOf(input.getElementType(), [&](auto kind) {
    using W = decltype(kind);
    auto source = permute(loadAll<W>(input), input.getShape(), order);
    std::vector<W> packed(each);
    auto panelOf = [&](int64_t column) {
      return column / size * inGroup + column % size / panel;
    };
    for (int64_t row = 0; row < batch * k; ++row)
      for (int64_t i = 0; i < n; ++i) {
        int64_t column = i * fold + row % fold;
        int64_t at = row / k * panels + panelOf(column);
        packed[(at * steps + row % k / fold) * panel + column % size % panel] =
            source[row * n + i];
      }
    if (op.getElement() && op.getElement()->isTF32())
      for (W &number : packed)
        number = W(std::bit_cast<float>(roundToTf32(float(number))));
    storeAll(call.result(), planes > 1 ? planesOf(packed, planes) : packed);
    return success();
  });
}

static const Entry kEntries[] = {
    {"graph.matmul", matmul},
    {"graph.conv", convolve},
    {"graph.conv_transpose", convolveTransposed},
    {"graph.pack", pack},
};

ArrayRef<Entry> tenon::interp::contractionEntries() { return kEntries; }
