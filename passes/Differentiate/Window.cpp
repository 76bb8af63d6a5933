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

namespace {
/// A pool's input with what its windows reach and no more.
struct Padded {
  explicit Padded(const Pool<MaxPoolOp> &pool)
      : low(pool.rank() + 2, 0), high(low), steps(pool.rank() + 2, 1) {
    for (size_t dim = 0; dim < pool.rank(); ++dim) {
      low[dim + 2] = pool.pads[dim];
      high[dim + 2] = pool.reach(dim) - pool.pads[dim] - pool.extent(dim);
      steps[dim + 2] = pool.strides[dim];
    }
  }
  Shape low, high, steps;
};
} // namespace

/// Where a tap of the first window is.
static Shape startOf(const Pool<MaxPoolOp> &pool, ArrayRef<int64_t> tap) {
  Shape starts(pool.rank() + 2, 0);
  for (size_t dim = 0; dim < pool.rank(); ++dim)
    starts[dim + 2] = tap[dim] * pool.dilations[dim];
  return starts;
}

/// Each tap is a comparison in the program.
static constexpr int64_t kMostTaps = 256;

static bool hasFewTaps(ArrayRef<int64_t> kernel) {
  int64_t taps = 1;
  for (int64_t extent : kernel) {
    if (extent > kMostTaps / taps)
      return false;
    taps *= extent;
  }
  return true;
}

static SmallVector<Shape> tapsOf(ArrayRef<int64_t> kernel) {
  SmallVector<Shape> taps;
  Shape tap(kernel.size(), 0);
  do
    taps.push_back(tap);
  while (advance(tap, kernel));
  return taps;
}

static Value tapNumber(Build &g, int64_t number) {
  return g.filled(number, RankedTensorType::get({}, g.builder.getI32Type()));
}

/// The number of the tap that wins each window: the first of equals, in
/// row-major order, as in torch. What stands outside is no number, which equals
/// nothing.
static Value winners(Build &g, const Pool<MaxPoolOp> &pool,
                     const Padded &padded, ArrayRef<Shape> taps) {
  Value nothing = g.number(std::numeric_limits<double>::quiet_NaN(), pool.x);
  Value x = g.make<PadOp>(pool.x, nothing, padded.low, padded.high);
  Value winner = tapNumber(g, int64_t(taps.size()));
  for (size_t number = taps.size(); number-- > 0;) {
    Value tap =
        g.slice(x, startOf(pool, taps[number]), shapeOf(pool.y), padded.steps);
    winner = g.select(g.equal(tap, pool.y), tapNumber(g, number), winner);
  }
  return winner;
}

/// Windows that lie side by side: each element looks whether it has won its
/// own.
static Value besideEachOther(Build &g, const Pool<MaxPoolOp> &pool,
                             Value winner) {
  Shape windows(shapeOf(pool.y).take_front(2)), taps(2, 1), result(windows);
  int64_t count = 1;
  for (size_t dim = 0; dim < pool.rank(); ++dim) {
    windows.append({pool.windows(dim), 1});
    taps.append({1, pool.kernel[dim]});
    result.push_back(pool.windows(dim) * pool.kernel[dim]);
    count *= pool.kernel[dim];
  }
  auto type = RankedTensorType::get(taps, g.builder.getI32Type());
  auto numbers = llvm::to_vector(llvm::seq<int32_t>(0, count));
  Value own = g.make<ConstantOp>(
      type, DenseElementsAttr::get(type, ArrayRef<int32_t>(numbers)));
  Value wins = g.equal(g.reshape(winner, windows), own);
  return g.reshape(g.where(wins, g.reshape(pool.dy, windows)), result);
}

namespace {
/// Windows that overlap. What windows give to places that are `residue` beyond
/// a multiple of the strides is one plane, a place for each multiple; the
/// planes of all residues lie between each other. So nothing is as large as x
/// but their union.
class Overlap {
public:
  Overlap(Build &g, const Pool<MaxPoolOp> &pool, const Padded &padded,
          Value winner)
      : g(g), pool(pool), winner(winner), whole(shapeOf(pool.x)) {
    for (size_t dim = 0; dim < whole.size(); ++dim)
      whole[dim] += padded.low[dim] + padded.high[dim];
    plane = whole;
    for (size_t dim = 0; dim < pool.rank(); ++dim)
      plane[dim + 2] = llvm::divideCeil(whole[dim + 2], pool.strides[dim]);
  }

  Value sum(ArrayRef<Shape> taps) {
    SmallVector<Value> planes;
    for (const Shape &residue : tapsOf(pool.strides))
      planes.push_back(planeOf(residue, taps));
    for (size_t dim = pool.rank(); dim-- > 0;)
      planes = interleaved(planes, dim);
    Shape beyond(whole.size(), 0);
    for (size_t dim = 0; dim < whole.size(); ++dim)
      beyond[dim] = whole[dim] - shapeOf(planes.front())[dim];
    return g.pad(planes.front(), Shape(whole.size(), 0), beyond);
  }

private:
  Value planeOf(ArrayRef<int64_t> residue, ArrayRef<Shape> taps);
  SmallVector<Value> interleaved(ArrayRef<Value> planes, size_t dim);

  Build &g;
  const Pool<MaxPoolOp> &pool;
  Value winner;
  Shape whole, plane; ///< shapes: of what windows reach, and of a plane
};
} // namespace

/// The taps with this residue, each moved by its multiples.
Value Overlap::planeOf(ArrayRef<int64_t> residue, ArrayRef<Shape> taps) {
  Value sum;
  for (auto [number, tap] : llvm::enumerate(taps)) {
    Shape start(plane.size(), 0);
    bool isHere = true;
    for (size_t dim = 0; dim < pool.rank(); ++dim) {
      int64_t offset = tap[dim] * pool.dilations[dim];
      isHere &= offset % pool.strides[dim] == residue[dim];
      start[dim + 2] = offset / pool.strides[dim];
    }
    if (!isHere)
      continue;
    Value wins = g.equal(winner, tapNumber(g, int64_t(number)));
    Value part =
        g.place(g.where(wins, pool.dy), start, Shape(plane.size(), 1), plane);
    sum = sum ? g.add(sum, part) : part;
  }
  auto type = RankedTensorType::get(plane, typeOf(pool.dy).getElementType());
  return sum ? sum : g.filled(0, type);
}

/// Planes whose last residue is that of `dim`, as fewer that have all of it.
SmallVector<Value> Overlap::interleaved(ArrayRef<Value> planes, size_t dim) {
  auto step = size_t(pool.strides[dim]);
  SmallVector<Value> result;
  for (; !planes.empty(); planes = planes.drop_front(step)) {
    if (step == 1) {
      result.push_back(planes.front());
      continue;
    }
    Shape apart(shapeOf(planes.front())), together(apart);
    apart.insert(apart.begin() + int64_t(dim) + 3, 1);
    together[dim + 2] *= int64_t(step);
    SmallVector<Value> parts;
    for (Value part : planes.take_front(step))
      parts.push_back(g.reshape(part, apart));
    Value joined = g.make<ConcatOp>(parts, int64_t(dim) + 3);
    result.push_back(g.reshape(joined, together));
  }
  return result;
}

static LogicalResult maxPoolRule(Adjoint &g) {
  Pool<MaxPoolOp> pool(g);
  Padded padded(pool);
  if (!hasFewTaps(pool.kernel) || !hasFewTaps(pool.strides))
    return g.refuse("has no gradient yet: windows or strides of more than " +
                    Twine(kMostTaps) + " elements");
  SmallVector<Shape> taps = tapsOf(pool.kernel);
  Value winner = winners(g, pool, padded, taps);
  bool isApart = pool.strides == pool.kernel &&
                 llvm::all_of(pool.dilations, [](int64_t d) { return d == 1; });
  Value sum = isApart ? besideEachOther(g, pool, winner)
                      : Overlap(g, pool, padded, winner).sum(taps);
  auto opposite = [](ArrayRef<int64_t> widths) {
    return llvm::map_to_vector(widths, [](int64_t width) { return -width; });
  };
  Value dx = g.pad(sum, opposite(padded.low), opposite(padded.high));
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
