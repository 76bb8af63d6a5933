//===- Product.cpp - gradients of products and convolutions ---------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Of a product's two gradients, the one whose other operand is larger comes
// first: that operand is needed no more when the other gradient is made.
//===----------------------------------------------------------------------===//
#include "passes/Differentiate/Rules.h"

using namespace mlir;
using namespace tenon;
using namespace tenon::graph;
using namespace tenon::differentiate;

/// Calls what gives to the second operand and to the first, in the order in
/// which less is kept.
static LogicalResult inOrder(Adjoint &g, llvm::function_ref<void()> first,
                             llvm::function_ref<void()> second) {
  bool firstLeads =
      typeOf(g.x(1)).getNumElements() > typeOf(g.x(0)).getNumElements();
  if (firstLeads && g.wants(0))
    first();
  if (g.wants(1))
    second();
  if (!firstLeads && g.wants(0))
    first();
  return success();
}

//===-- matmul ------------------------------------------------------------===//

static Value product(Build &g, Value a, Value b, bool left, bool right) {
  return g.make<MatmulOp>(a, b, left, right);
}

/// All dimensions but the last as one.
static Value asRows(Build &g, Value a) {
  int64_t columns = shapeOf(a).back(), rows = 1;
  for (int64_t extent : shapeOf(a).drop_back())
    rows *= extent;
  return g.reshape(a, {rows, columns});
}

/// Weights under a batch: rows are rows, and the sum over the batch is the
/// product's own. As a batched product and a sum it would be as large as all
/// weights times the batch.
static LogicalResult weightsRule(Adjoint &g, bool right) {
  Value rows = asRows(g, g.dy());
  auto first = [&] {
    Value part = product(g, rows, g.x(1), false, !right);
    g.give(0, g.reshape(part, shapeOf(g.x(0))));
  };
  auto second = [&] {
    Value a = asRows(g, g.x(0));
    g.give(1, right ? product(g, rows, a, true, false)
                    : product(g, a, rows, true, false));
  };
  return inOrder(g, first, second);
}

static LogicalResult matmulRule(Adjoint &g) {
  auto op = cast<MatmulOp>(g.op);
  bool left = op.getTransposeLhs(), right = op.getTransposeRhs();
  if (rankOf(g.x(1)) == 2 && rankOf(g.x(0)) > 2 && !left)
    return weightsRule(g, right);
  auto first = [&] {
    g.give(0, left ? product(g, g.x(1), g.dy(), right, true)
                   : product(g, g.dy(), g.x(1), false, !right));
  };
  auto second = [&] {
    g.give(1, right ? product(g, g.dy(), g.x(0), true, left)
                    : product(g, g.x(0), g.dy(), !left, false));
  };
  return inOrder(g, first, second);
}

//===-- Convolutions ------------------------------------------------------===//

namespace {
/// Numbers that convolutions and their gradients share, channels in front.
struct Geometry {
  template <typename Op>
  explicit Geometry(Op op)
      : strides(op.getStrides()), pads(op.getPads()),
        dilations(op.getDilations()), group(op.getGroup()),
        layout(op.getLayout()) {}

  Shape strides, pads, dilations;
  int64_t group;
  Layout layout;

  size_t rank() const { return strides.size(); }
  /// What windows over `count` places reach, of `taps` taps each.
  int64_t reach(size_t dim, int64_t count, int64_t taps) const {
    return (count - 1) * strides[dim] + (taps - 1) * dilations[dim] + 1;
  }
};
} // namespace

/// A filter whose taps are turned around, with inputs and outputs of each group
/// exchanged.
static Value turned(Build &g, Value filter, int64_t group) {
  ArrayRef<int64_t> shape = shapeOf(filter), taps = shape.drop_front(2);
  int64_t outputs = shape[0] / group, inputs = shape[1];
  Shape apart = {group, outputs, inputs}, order = {0, 2, 1};
  Shape together = {group * inputs, outputs};
  for (size_t dim = 0; dim < taps.size(); ++dim)
    order.push_back(dim + 3);
  llvm::append_range(apart, taps);
  llvm::append_range(together, taps);
  Value result =
      g.reshape(g.transpose(g.reshape(filter, apart), order), together);
  for (int64_t axis = 2; axis < rankOf(result); ++axis)
    result = g.reverse(result, axis);
  return result;
}

/// The pads of the convolution with the turned filter that gives the gradient
/// of an input; none where windows are apart, or lie outside of the input.
static std::optional<Shape> padsBack(Value dy, Value filter,
                                     ArrayRef<int64_t> spatial,
                                     const Geometry &geometry) {
  Shape low, high;
  for (size_t dim = 0; dim < geometry.rank(); ++dim) {
    int64_t beyond = (shapeOf(filter)[dim + 2] - 1) * geometry.dilations[dim];
    low.push_back(beyond - geometry.pads[dim]);
    high.push_back(spatial[dim] + beyond - shapeOf(dy)[dim + 2] - low.back());
    if (geometry.strides[dim] != 1 || low.back() < 0 || high.back() < 0)
      return std::nullopt;
  }
  low.append(high);
  return low;
}

/// The gradient of a convolution's input of spatial extents `spatial`. Without
/// strides it is a convolution, for which there are faster kernels. Rows
/// behind the last window get zeros.
static Value inputGradient(Build &g, Value dy, Value filter,
                           ArrayRef<int64_t> spatial, Geometry geometry) {
  if (auto pads = padsBack(dy, filter, spatial, geometry))
    return g.make<ConvOp>(dy, turned(g, filter, geometry.group),
                          geometry.strides, *pads, geometry.dilations,
                          geometry.group);
  Shape beyond;
  for (size_t dim = 0; dim < geometry.rank(); ++dim) {
    int64_t reach =
        geometry.reach(dim, shapeOf(dy)[dim + 2], shapeOf(filter)[dim + 2]);
    int64_t rest = spatial[dim] - (reach - geometry.pads[dim]);
    geometry.pads[geometry.rank() + dim] = std::max<int64_t>(-rest, 0);
    beyond.push_back(std::max<int64_t>(rest, 0));
  }
  return g.make<ConvTransposeOp>(dy, filter, geometry.strides, geometry.pads,
                                 geometry.dilations, beyond, geometry.group);
}

/// The gradient of a convolution's filter is a convolution of its input with
/// dy: pixels are taps, strides are dilations, and the batch is what is summed
/// over. `kernel`: the filter's spatial extents.
static Value filterGradient(Build &g, Value x, Value dy,
                            ArrayRef<int64_t> kernel, Geometry geometry) {
  int64_t batch = shapeOf(x)[0], channels = shapeOf(x)[1] / geometry.group;
  size_t rank = geometry.rank();
  // What no window reads is cut off, so that there are as many taps as there
  // were.
  Shape none(rank + 2, 0), excess(none);
  for (size_t dim = 0; dim < rank; ++dim) {
    int64_t reach = geometry.reach(dim, shapeOf(dy)[dim + 2], kernel[dim]);
    int64_t pad = reach - shapeOf(x)[dim + 2] - geometry.pads[dim];
    geometry.pads[rank + dim] = std::max<int64_t>(pad, 0);
    excess[dim + 2] = std::min<int64_t>(pad, 0);
  }
  x = g.pad(x, none, excess);
  ArrayRef<int64_t> spatial = shapeOf(x).drop_front(2);
  Shape apart = {batch, geometry.group, channels};
  Shape turned = {channels, geometry.group * batch}, order = {2, 1, 0};
  for (size_t dim = 0; dim < rank; ++dim)
    order.push_back(dim + 3);
  llvm::append_range(apart, spatial);
  llvm::append_range(turned, spatial);
  x = g.reshape(g.transpose(g.reshape(x, apart), order), turned);
  Shape swapped(llvm::to_vector(llvm::seq<int64_t>(0, rank + 2)));
  std::swap(swapped[0], swapped[1]);
  Value taps = g.make<ConvOp>(x, g.transpose(dy, swapped), geometry.dilations,
                              geometry.pads, geometry.strides, geometry.group);
  return g.transpose(taps, swapped);
}

Value tenon::differentiate::channelsFirst(Build &g, Value image,
                                          Layout layout) {
  if (layout == Layout::NCHW)
    return image;
  Shape order = {0, rankOf(image) - 1};
  for (int64_t dim = 1; dim < rankOf(image) - 1; ++dim)
    order.push_back(dim);
  return g.transpose(image, order);
}

Value tenon::differentiate::channelsBack(Build &g, Value image, Layout layout) {
  if (layout == Layout::NCHW)
    return image;
  Shape order = {0};
  for (int64_t dim = 2; dim < rankOf(image); ++dim)
    order.push_back(dim);
  order.push_back(1);
  return g.transpose(image, order);
}

static LogicalResult convRule(Adjoint &g) {
  Geometry geometry(cast<ConvOp>(g.op));
  Value x = channelsFirst(g, g.x(0), geometry.layout);
  Value dy = channelsFirst(g, g.dy(), geometry.layout), filter = g.x(1);
  auto first = [&] {
    Value part =
        inputGradient(g, dy, filter, shapeOf(x).drop_front(2), geometry);
    g.give(0, channelsBack(g, part, geometry.layout));
  };
  auto second = [&] {
    g.give(1,
           filterGradient(g, x, dy, shapeOf(filter).drop_front(2), geometry));
  };
  return inOrder(g, first, second);
}

/// Forwards it is the input's gradient of a convolution, so backwards it is
/// that convolution.
static LogicalResult convTransposeRule(Adjoint &g) {
  Geometry geometry(cast<ConvTransposeOp>(g.op));
  Value x = channelsFirst(g, g.x(0), geometry.layout);
  Value dy = channelsFirst(g, g.dy(), geometry.layout), filter = g.x(1);
  auto first = [&] {
    Value part = g.make<ConvOp>(dy, filter, geometry.strides, geometry.pads,
                                geometry.dilations, geometry.group);
    // With much output padding there are windows that no pixel of x made.
    Shape starts(rankOf(x), 0), steps(rankOf(x), 1);
    if (shapeOf(part) != shapeOf(x))
      part = g.slice(part, starts, shapeOf(x), steps);
    g.give(0, channelsBack(g, part, geometry.layout));
  };
  auto second = [&] {
    g.give(1,
           filterGradient(g, dy, x, shapeOf(filter).drop_front(2), geometry));
  };
  return inOrder(g, first, second);
}

static const RuleEntry kRules[] = {
    {"graph.matmul", matmulRule},
    {"graph.conv", convRule},
    {"graph.conv_transpose", convTransposeRule},
    {"graph.pack", hasNone},
    {"graph.recurrent", byParts},
    {"graph.recurrence", byParts},
    {"graph.steps", stepsRule},
};

ArrayRef<RuleEntry> tenon::differentiate::productRules() { return kRules; }
