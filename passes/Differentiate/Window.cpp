//===- Window.cpp - gradients of pools ------------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "passes/Differentiate/Rules.h"

#include <limits>

using namespace mlir;
using namespace tenon::graph;
using namespace tenon::differentiate;

namespace {
/// Where the taps of a pool's windows lie, channels in front.
template <typename Op> struct Pool {
  Pool(Adjoint &g)
      : op(cast<Op>(g.op)), kernel(op.getKernel()), strides(op.getStrides()),
        pads(op.getPads()), dilations(op.getDilations()),
        x(channelsFirst(g, g.x(), op.getLayout())),
        y(channelsFirst(g, g.y(), op.getLayout())),
        dy(channelsFirst(g, g.dy(), op.getLayout())) {}

  Op op;
  ArrayRef<int64_t> kernel, strides, pads, dilations;
  Value x, y, dy;

  size_t rank() const { return kernel.size(); }
  int64_t extent(size_t dim) const { return shapeOf(x)[dim + 2]; }
  int64_t windows(size_t dim) const { return shapeOf(y)[dim + 2]; }
  /// From the first tap of the first window to the last of the last.
  int64_t reach(size_t dim) const {
    return (windows(dim) - 1) * strides[dim] +
           (kernel[dim] - 1) * dilations[dim] + 1;
  }
};
} // namespace

/// The next index in row-major order; false behind the last.
static bool advance(MutableArrayRef<int64_t> index, ArrayRef<int64_t> extents) {
  for (size_t dim = index.size(); dim-- > 0;) {
    if (++index[dim] < extents[dim])
      return true;
    index[dim] = 0;
  }
  return false;
}

//===-- max_pool ----------------------------------------------------------===//

/// The first of equals takes it all, in row-major order, as in torch. What
/// stands outside is no number, which equals nothing, so it never wins.
static LogicalResult maxPoolRule(Adjoint &g) {
  Pool<MaxPoolOp> pool(g);
  size_t rank = pool.rank();
  Shape low(rank + 2, 0), high(low), steps(rank + 2, 1), taps(rank, 0);
  for (size_t dim = 0; dim < rank; ++dim) {
    low[dim + 2] = pool.pads[dim];
    high[dim + 2] = pool.reach(dim) - pool.pads[dim] - pool.extent(dim);
    steps[dim + 2] = pool.strides[dim];
  }
  Value nothing = g.number(std::numeric_limits<double>::quiet_NaN(), pool.x);
  Value padded = g.make<PadOp>(pool.x, nothing, low, high), taken, sum;
  do {
    Shape starts(rank + 2, 0);
    for (size_t dim = 0; dim < rank; ++dim)
      starts[dim + 2] = taps[dim] * pool.dilations[dim];
    Value tap = g.slice(padded, starts, shapeOf(pool.y), steps);
    Value wins = g.equal(tap, pool.y);
    Value first = taken ? g.make<AndOp>(wins, g.make<NotOp>(taken)) : wins;
    taken = taken ? g.make<OrOp>(taken, wins) : wins;
    Value part =
        g.place(g.where(first, pool.dy), starts, steps, shapeOf(padded));
    sum = sum ? g.add(sum, part) : part;
  } while (advance(taps, pool.kernel));
  auto opposite = [](ArrayRef<int64_t> widths) {
    return llvm::map_to_vector(widths, [](int64_t width) { return -width; });
  };
  Value dx = g.pad(sum, opposite(low), opposite(high));
  g.give(0, channelsBack(g, dx, pool.op.getLayout()));
  return success();
}

//===-- avg_pool ----------------------------------------------------------===//

/// How many taps of window number `window` count along one dimension.
static int64_t tapsInside(Pool<AvgPoolOp> &pool, size_t dim, int64_t window) {
  bool padded = pool.op.getCountIncludePad();
  int64_t begin = padded ? -pool.pads[dim] : 0;
  int64_t end = pool.extent(dim) + (padded ? pool.pads[pool.rank() + dim] : 0);
  int64_t count = 0;
  for (int64_t tap = 0; tap < pool.kernel[dim]; ++tap) {
    int64_t at =
        window * pool.strides[dim] - pool.pads[dim] + tap * pool.dilations[dim];
    count += at >= begin && at < end;
  }
  return count;
}

/// The factor of each window, 1 / count; 0 of one that counts nothing.
static Value factors(Adjoint &g, Pool<AvgPoolOp> &pool) {
  Shape shape(pool.rank() + 2, 1), window(pool.rank(), 0);
  llvm::copy(shapeOf(pool.y).drop_front(2), shape.begin() + 2);
  SmallVector<double> values;
  do {
    double count = 1;
    for (size_t dim = 0; dim < pool.rank(); ++dim)
      count *= tapsInside(pool, dim, window[dim]);
    values.push_back(count ? 1 / count : 0);
  } while (advance(window, shapeOf(pool.y).drop_front(2)));
  return g.numbers(
      values, RankedTensorType::get(shape, typeOf(g.dy()).getElementType()));
}

/// A transposed convolution with ones, a channel each.
static LogicalResult avgPoolRule(Adjoint &g) {
  Pool<AvgPoolOp> pool(g);
  size_t rank = pool.rank();
  int64_t channels = shapeOf(pool.x)[1];
  Shape ones = {channels, 1}, pads(pool.pads), beyond;
  llvm::append_range(ones, pool.kernel);
  for (size_t dim = 0; dim < rank; ++dim) {
    int64_t rest = pool.extent(dim) - (pool.reach(dim) - pads[dim]);
    pads[rank + dim] = std::max<int64_t>(-rest, 0);
    beyond.push_back(std::max<int64_t>(rest, 0));
  }
  Value shares = g.mul(pool.dy, factors(g, pool));
  Value filter =
      g.filled(1, RankedTensorType::get(ones, typeOf(shares).getElementType()));
  Value dx = g.make<ConvTransposeOp>(shares, filter, pool.strides, pads,
                                     pool.dilations, beyond, channels);
  g.give(0, channelsBack(g, dx, pool.op.getLayout()));
  return success();
}

static const RuleEntry kRules[] = {
    {"graph.max_pool", maxPoolRule},
    {"graph.avg_pool", avgPoolRule},
    {"graph.lrn", byParts},
};

ArrayRef<RuleEntry> tenon::differentiate::windowRules() { return kRules; }
