//===- Recurrent.cpp - what LSTM, GRU and RNN share -----------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file brings operands and results into the order of graph.recurrent.
//===----------------------------------------------------------------------===//
#include "passes/Normalize/Recurrent/Recurrent.h"

#include "passes/Normalize/Extents.h"

using namespace mlir;
using namespace tenon;
using namespace tenon::normalize;

static std::optional<graph::Direction> directionOf(const Node &node) {
  StringRef name = node.string("direction", "forward");
  if (name == "forward")
    return graph::Direction::Forward;
  if (name == "reverse")
    return graph::Direction::Reverse;
  if (name == "bidirectional")
    return graph::Direction::Bidirectional;
  return std::nullopt;
}

/// The activations of all directions, those of ONNX where none are given.
static ArrayAttr activations(NormalizeContext &ctx, const Node &node,
                             const CellKind &kind, bool isBidirectional) {
  SmallVector<StringRef> names = node.strings("activations");
  if (names.empty()) {
    names = kind.activations;
    if (isBidirectional)
      llvm::append_range(names, kind.activations);
  }
  return ctx.builder().getStrArrayAttr(names);
}

namespace {
/// The results in ONNX's order of dimensions.
struct Layout {
  NormalizeContext &ctx;
  bool batchFirst;

  Value swapIn(Value value) const {
    return batchFirst && value ? ctx.transpose(value, {1, 0, 2}) : value;
  }
  Value all(Value value) const { // [T, D, B, H] -> [B, T, D, H]
    return batchFirst ? ctx.transpose(value, {2, 0, 1, 3}) : value;
  }
  Value last(Value value) const { // [D, B, H] -> [B, D, H]
    return batchFirst ? ctx.transpose(value, {1, 0, 2}) : value;
  }
};
} // namespace

static bool ranksFit(NormalizeContext &ctx, const Node &node) {
  constexpr int64_t ranks[] = {3, 3, 3, 2, 1, 3, 3, 2};
  for (auto [index, rank] : llvm::enumerate(ranks))
    if (node.operand(index) && node.type(index).getRank() != rank)
      return succeeded(ctx.unsupported("operand " + Twine(index) +
                                       " is not of rank " + Twine(rank)));
  return true;
}

/// Has an extent of the inputs be a number that is known.
static bool fix(NormalizeContext &ctx, Attribute own, Attribute wanted) {
  auto symbol = dyn_cast_or_null<StringAttr>(own);
  if (!symbol || !wanted || graph::isSymbolic(wanted) ||
      !isOfInputs(ctx, symbol))
    return true;
  graph::SymbolRange range;
  range.min = range.max = sizeOf(wanted);
  return succeeded(ctx.symbols().constrain(symbol.getValue(), range));
}

/// An initial state says how many sequences there are.
static LogicalResult fixSequences(NormalizeContext &ctx, Value input,
                                  Value state) {
  if (!input || !state)
    return success();
  Attribute wanted = dimsOf(state)[1];
  if (fix(ctx, dimsOf(input)[1], wanted))
    return success();
  return ctx.unsupported("the initial state is of " + graph::dimText(wanted) +
                         " sequences");
}

/// Gives `value`, where it is there, extents that follow from what the node
/// says, where it has no numbers of its own; they are asked of the run.
static LogicalResult give(NormalizeContext &ctx, Value &value, Dims dims) {
  if (!value)
    return success();
  Dims own = dimsOf(value);
  for (auto [size, wanted] : llvm::zip(own, dims)) {
    if (!fix(ctx, size, wanted))
      return ctx.unsupported(graph::dimText(size) + " cannot be " +
                             graph::dimText(wanted));
    if (wanted && (!size || graph::isSymbolic(size)))
      size = wanted;
  }
  value = ctx.reshapeTo(value,
                        typeFromDims(own, mlir::getElementTypeOrSelf(value)));
  return success(bool(value));
}

namespace {
/// A layer's operands in the order of graph.recurrent, null where absent.
struct Operands {
  Value input, weights, recurrence, bias, lengths, initialH, initialC, peephole;

  /// The units of each cell: as the node says, or the weights.
  std::optional<int64_t> hidden(const Node &node) const;
  /// Gives all that may be without sizes those that follow.
  LogicalResult size(NormalizeContext &ctx, const CellKind &kind,
                     int64_t directions, int64_t hidden);
};
} // namespace

std::optional<int64_t> Operands::hidden(const Node &node) const {
  if (node.has("hidden_size"))
    return node.integer("hidden_size", 0);
  Attribute last = dimsOf(recurrence)[2];
  if (!last || graph::isSymbolic(last))
    return std::nullopt;
  return sizeOf(last);
}

LogicalResult Operands::size(NormalizeContext &ctx, const CellKind &kind,
                             int64_t directions, int64_t hidden) {
  if (hidden < 1 || hidden > INT32_MAX)
    return ctx.unsupported("'hidden_size' is " + Twine(hidden));
  auto number = [&](int64_t size) { return sizeDim(input.getContext(), size); };
  Attribute ways = number(directions), units = number(hidden);
  Attribute rows = number(kind.gates * hidden);
  Dims ofInput = dimsOf(input);
  Dims state{ways, ofInput[1], units};
  std::pair<Value *, Dims> all[] = {
      {&weights, {ways, rows, ofInput[2]}},
      {&recurrence, {ways, rows, units}},
      {&bias, {ways, number(2 * kind.gates * hidden)}},
      {&lengths, {ofInput[1]}},
      {&initialH, state},
      {&initialC, state},
      {&peephole, {ways, number(3 * hidden)}}};
  return success(llvm::all_of(all, [&](auto &each) {
    return succeeded(give(ctx, *each.first, each.second));
  }));
}

static Lowered build(NormalizeContext &ctx, const Node &node,
                     const CellKind &kind, graph::Direction direction) {
  Layout layout{ctx, node.integer("layout", 0) == 1};
  OpBuilder &b = ctx.builder();
  bool isLstm = kind.cell == graph::Cell::Lstm;
  bool isBidirectional = direction == graph::Direction::Bidirectional;
  Operands of{layout.swapIn(node.operand(0)),
              node.operand(1),
              node.operand(2),
              node.operand(3),
              node.operand(4),
              layout.swapIn(node.operand(5)),
              isLstm ? layout.swapIn(node.operand(6)) : Value(),
              isLstm ? node.operand(7) : Value()};
  if (of.lengths)
    of.lengths = ctx.cast(of.lengths, b.getI32Type());
  FloatAttr clip;
  if (node.has("clip"))
    clip = b.getF32FloatAttr(node.real("clip", 0.0f));
  if (failed(fixSequences(ctx, of.input, of.initialH)) ||
      failed(fixSequences(ctx, of.input, of.initialC)))
    return failure();
  auto hidden = of.hidden(node);
  if (hidden && failed(of.size(ctx, kind, isBidirectional ? 2 : 1, *hidden)))
    return failure();
  SmallVector<Value> values = ctx.createAll<graph::RecurrentOp, 3>(
      of.input, of.weights, of.recurrence, Optional{of.bias},
      Optional{of.lengths}, Optional{of.initialH}, Optional{of.initialC},
      Optional{of.peephole}, kind.cell, direction,
      activations(ctx, node, kind, isBidirectional),
      node.reals("activation_alpha"), node.reals("activation_beta"), clip,
      node.flag("input_forget", false),
      node.flag("linear_before_reset", false));
  SmallVector<Value> results{layout.all(values[0]), layout.last(values[1]),
                             layout.last(values[2])};
  results.resize(node.numResults());
  return results;
}

Lowered normalize::lowerRecurrent(NormalizeContext &ctx, const Node &node,
                                  const CellKind &kind) {
  auto direction = directionOf(node);
  if (!direction)
    return ctx.unsupported("unknown direction");
  if (!ranksFit(ctx, node))
    return failure();
  return build(ctx, node, kind, *direction);
}
