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

/// An initial state says how many sequences there are.
static LogicalResult fixSequences(NormalizeContext &ctx, Value input,
                                  Value state) {
  if (!input || !state)
    return success();
  Attribute own = dimsOf(input)[1], wanted = dimsOf(state)[1];
  auto symbol = dyn_cast_or_null<StringAttr>(own);
  if (!symbol || !wanted || graph::isSymbolic(wanted) ||
      !isOfInputs(ctx, symbol))
    return success();
  graph::SymbolRange range;
  range.min = range.max = sizeOf(wanted);
  if (succeeded(ctx.symbols().constrain(symbol.getValue(), range)))
    return success();
  return ctx.unsupported("the initial state is of " + graph::dimText(wanted) +
                         " sequences");
}

static Lowered build(NormalizeContext &ctx, const Node &node,
                     const CellKind &kind, graph::Direction direction) {
  Layout layout{ctx, node.integer("layout", 0) == 1};
  OpBuilder &b = ctx.builder();
  bool isLstm = kind.cell == graph::Cell::Lstm;
  Value lengths = node.operand(4);
  if (lengths)
    lengths = ctx.cast(lengths, b.getI32Type());
  FloatAttr clip;
  if (node.has("clip"))
    clip = b.getF32FloatAttr(node.real("clip", 0.0f));
  Value input = layout.swapIn(node.operand(0));
  Value initialH = layout.swapIn(node.operand(5));
  Value initialC = isLstm ? layout.swapIn(node.operand(6)) : Value();
  if (failed(fixSequences(ctx, input, initialH)) ||
      failed(fixSequences(ctx, input, initialC)))
    return failure();
  SmallVector<Value> values = ctx.createAll<graph::RecurrentOp, 3>(
      input, node.operand(1), node.operand(2), Optional{node.operand(3)},
      Optional{lengths}, Optional{initialH}, Optional{initialC},
      Optional{isLstm ? node.operand(7) : Value()}, kind.cell, direction,
      activations(ctx, node, kind,
                  direction == graph::Direction::Bidirectional),
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
