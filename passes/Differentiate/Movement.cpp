//===- Movement.cpp - gradients of what is only moved ---------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "passes/Differentiate/Rules.h"

using namespace mlir;
using namespace tenon::graph;
using namespace tenon::differentiate;

static LogicalResult reshapeRule(Adjoint &g) {
  g.give(0, g.reshape(g.dy(), shapeOf(g.x())));
  return success();
}

/// Adjoint::give() sums up.
static LogicalResult broadcastRule(Adjoint &g) {
  g.give(0, g.dy());
  return success();
}

static LogicalResult transposeRule(Adjoint &g) {
  g.give(0, g.transposeBack(g.dy(), cast<TransposeOp>(g.op).getPermutation()));
  return success();
}

static LogicalResult sliceRule(Adjoint &g) {
  auto op = cast<SliceOp>(g.op);
  g.give(0, g.place(g.dy(), op.getStarts(), op.getSteps(), shapeOf(g.x())));
  return success();
}

static LogicalResult concatRule(Adjoint &g) {
  int64_t axis = cast<ConcatOp>(g.op).getAxis(), start = 0;
  for (unsigned i = 0; i < g.op->getNumOperands(); ++i) {
    int64_t size = shapeOf(g.x(i))[axis];
    if (g.wants(i))
      g.give(i, g.part(g.dy(), axis, start, size));
    start += size;
  }
  return success();
}

//===-- pad ---------------------------------------------------------------===//

/// The element that a border repeats at a place `at` of the padded dimension.
static int64_t repeated(PadMode mode, int64_t at, int64_t extent) {
  auto modulo = [](int64_t a, int64_t b) { return ((a % b) + b) % b; };
  if (mode == PadMode::Edge || extent == 1)
    return std::clamp<int64_t>(at, 0, extent - 1);
  if (mode == PadMode::Wrap)
    return modulo(at, extent);
  int64_t period = 2 * (extent - 1), in = modulo(at, period);
  return std::min(in, period - in);
}

/// Along each dimension, borders are rows that were gathered.
static Value bordersBack(Adjoint &g, PadOp op) {
  Value sum = g.dy();
  for (int64_t axis = 0; axis < rankOf(sum); ++axis) {
    int64_t low = op.getLow()[axis], high = op.getHigh()[axis];
    if (low == 0 && high == 0)
      continue;
    Shape shape(shapeOf(sum));
    shape[axis] = shapeOf(g.x())[axis];
    SmallVector<int64_t> rows;
    for (int64_t at = 0; at < shapeOf(sum)[axis]; ++at)
      rows.push_back(repeated(op.getMode(), at - low, shape[axis]));
    sum = gatherBack(g, sum, g.integers(rows), axis, shape);
  }
  return sum;
}

static LogicalResult padRule(Adjoint &g) {
  auto op = cast<PadOp>(g.op);
  auto opposite = [](ArrayRef<int64_t> widths) {
    return llvm::map_to_vector(widths, [](int64_t width) { return -width; });
  };
  if (op.getMode() == PadMode::Constant) {
    Value inside = g.pad(g.dy(), opposite(op.getLow()), opposite(op.getHigh()));
    g.give(0, inside);
    if (op.getValue() && g.wants(1))
      g.give(1, g.sub(g.sumTo(g.dy(), {}), g.sumTo(inside, {})));
    return success();
  }
  g.give(0, bordersBack(g, op));
  return success();
}

//===-- resize ------------------------------------------------------------===//

/// Ones on the diagonal.
static Value identity(Adjoint &g, int64_t extent) {
  auto type =
      RankedTensorType::get({extent, extent}, typeOf(g.dy()).getElementType());
  Value isDiagonal = g.equal(g.counter(2, 0, extent), g.counter(2, 1, extent));
  return g.where(isDiagonal, g.filled(1, type));
}

/// What a dimension makes of each of its unit vectors, a row for each: the
/// operation does that itself.
static Value weightsOf(Adjoint &g, ResizeOp op, int64_t axis) {
  Value units = identity(g, shapeOf(g.x())[axis]);
  auto weights = cast<ResizeOp>(g.builder.clone(*op));
  weights.getInputMutable().assign(units);
  weights.setScales({1, op.getScales()[axis]});
  weights.setExtrapolationValue(llvm::APFloat(0.0f));
  if (ArrayRef<float> roi = op.getRoi(); !roi.empty())
    weights.setRoi({0, roi[axis], 1, roi[roi.size() / 2 + axis]});
  weights.getResult().setType(
      typeOf(units).clone({shapeOf(units)[0], shapeOf(g.dy())[axis]}));
  return weights;
}

/// An interpolation of one dimension is a product with weights, and so is the
/// way back.
static Value interpolatedBack(Adjoint &g, ResizeOp op, Value dy, int64_t axis) {
  Value weights = weightsOf(g, op, axis);
  Shape shape(shapeOf(dy));
  int64_t to = shape[axis], inner = 1;
  for (int64_t extent : shapeOf(dy).drop_front(axis + 1))
    inner *= extent;
  int64_t outer = typeOf(dy).getNumElements() / (to * inner);
  shape[axis] = shapeOf(weights)[0];
  Value sum =
      inner == 1
          ? g.make<MatmulOp>(g.reshape(dy, {outer, to}), weights, false, true)
          : g.make<MatmulOp>(g.reshape(weights, {1, shape[axis], to}),
                             g.reshape(dy, {outer, to, inner}), false, false);
  return g.reshape(sum, shape);
}

/// Dimensions are interpolated one by one.
static Value interpolatedBack(Adjoint &g, ResizeOp op) {
  Value sum = g.dy();
  for (int64_t axis = 0; axis < rankOf(sum); ++axis)
    if (!op.getRoi().empty() || op.getScales()[axis] != 1 ||
        shapeOf(sum)[axis] != shapeOf(g.x())[axis])
      sum = interpolatedBack(g, op, sum, axis);
  return sum;
}

/// Elements that are repeated get the sum of their copies.
static LogicalResult resizeRule(Adjoint &g) {
  auto op = cast<ResizeOp>(g.op);
  SmallVector<int64_t> repeats = op.getRepeats();
  if (repeats.empty()) {
    g.give(0, interpolatedBack(g, op));
    return success();
  }
  Shape apart, copies;
  for (auto [dim, count] : llvm::enumerate(repeats)) {
    copies.push_back(apart.size() + 1);
    apart.append({shapeOf(g.x())[dim], count});
  }
  Value sum = g.sum(g.reshape(g.dy(), apart), copies);
  g.give(0, g.reshape(sum, shapeOf(g.x())));
  return success();
}

static const RuleEntry kRules[] = {
    {"graph.constant", isConstant},     {"graph.iota", isConstant},
    {"graph.sizes", isConstant},        {"graph.bitcast", isConstant},
    {"graph.reshape", reshapeRule},     {"graph.broadcast", broadcastRule},
    {"graph.transpose", transposeRule}, {"graph.slice", sliceRule},
    {"graph.concat", concatRule},       {"graph.pad", padRule},
    {"graph.resize", resizeRule},
};

ArrayRef<RuleEntry> tenon::differentiate::movementRules() { return kRules; }
