//===- Scan.cpp - along dimensions of tensors -----------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file states a Scan as a loop whose body picks its slices, and brings the
// stacked outputs into their order.
//===----------------------------------------------------------------------===//
#include "passes/Normalize/Control/Looping.h"
#include "passes/Normalize/Node.h"

using namespace mlir;
using namespace tenon;
using namespace tenon::normalize;

namespace {
class Scanning {
public:
  Scanning(Walk &walk, Operation *op) : walk(walk), op(op), node(op, {}) {}
  Made run();

private:
  bool readOperands();
  bool readCount();
  void demandCount();
  std::optional<int64_t> axisOf(StringRef list, size_t index, int64_t rank);
  bool isReversed(StringRef list, size_t index) {
    SmallVector<int64_t> directions = node.integers(list);
    return index < directions.size() && directions[index] != 0;
  }
  SmallVector<Value> arguments(NormalizeContext &ctx, ValueRange own);
  Value pick(NormalizeContext &ctx, Value input, size_t index, Value number);
  Value arrange(Value stacked, size_t index);

  Walk &walk;
  Operation *op;
  Node node;
  unsigned numStates = 0;
  SmallVector<int64_t> axes; ///< of scan inputs
  Attribute count;
  LoopSource source;
};
} // namespace

bool Scanning::readOperands() {
  int64_t scans = node.integer("num_scan_inputs", 0);
  if (scans < 1 || scans > op->getNumOperands()) {
    (void)refuse(walk, op, "'num_scan_inputs' does not fit");
    return false;
  }
  numStates = op->getNumOperands() - unsigned(scans);
  for (Value operand : op->getOperands()) {
    Value made = walk.lookup(operand);
    if (!made)
      return false;
    (source.initial.size() < numStates ? source.initial : source.others)
        .push_back(made);
  }
  return true;
}

/// An axis of a tensor of `rank`; nothing after a refusal.
std::optional<int64_t> Scanning::axisOf(StringRef list, size_t index,
                                        int64_t rank) {
  SmallVector<int64_t> given = node.integers(list);
  int64_t axis = index < given.size() ? given[index] : 0;
  axis += axis < 0 ? rank : 0;
  if (axis >= 0 && axis < rank)
    return axis;
  (void)refuse(walk, op, "'" + list + "' does not fit");
  return std::nullopt;
}

/// How long it is: the extent of all of its inputs along their axes.
bool Scanning::readCount() {
  for (auto [index, input] : llvm::enumerate(source.others)) {
    graph::Dims dims = graph::dimsOf(input);
    auto axis = axisOf("scan_input_axes", index, dims.size());
    if (!axis)
      return false;
    axes.push_back(*axis);
    Attribute extent = dims[*axis];
    if (count && !graph::mayBeEqual(count, extent)) {
      (void)refuse(walk, op,
                   "its inputs are " + graph::dimText(count) + " and " +
                       graph::dimText(extent) + " long");
      return false;
    }
    if (!count || !graph::isSymbolic(extent))
      count = extent;
  }
  return true;
}

/// Has the run check that all inputs are as long as that.
void Scanning::demandCount() {
  for (auto [input, axis] : llvm::zip(source.others, axes)) {
    graph::Dims dims = graph::dimsOf(input);
    dims[axis] = count;
    input = walk.ctx.reshapeTo(
        input, graph::typeFromDims(dims, getElementTypeOrSelf(input)));
  }
}

/// Slice `number` of a scan input.
Value Scanning::pick(NormalizeContext &ctx, Value input, size_t index,
                     Value number) {
  if (isReversed("scan_input_directions", index)) {
    auto scalar = RankedTensorType::get({}, ctx.builder().getI64Type());
    Value last = ctx.sizes({graph::affineDim(count, 1, -1)}, scalar);
    number = ctx.create<graph::SubOp>(last, number);
  }
  return ctx.create<graph::GatherOp>(input, number, axes[index]);
}

SmallVector<Value> Scanning::arguments(NormalizeContext &ctx, ValueRange own) {
  SmallVector<Value> values(own.slice(2, numStates));
  for (auto [index, input] : llvm::enumerate(own.drop_front(2 + numStates)))
    values.push_back(pick(ctx, input, index, own[0]));
  return values;
}

/// A stacked output along its axis, in its direction; null after a refusal.
Value Scanning::arrange(Value stacked, size_t index) {
  graph::Dims dims = graph::dimsOf(stacked);
  auto axis = axisOf("scan_output_axes", index, dims.size());
  if (!axis)
    return {};
  if (isReversed("scan_output_directions", index)) {
    graph::Dims starts(dims.size(), graph::sizeDim(op->getContext(), 0));
    starts[0] = graph::affineDim(dims[0], 1, -1);
    SmallVector<int64_t> steps(dims.size(), 1);
    steps[0] = -1;
    stacked = walk.ctx.slice(stacked, starts, dims, steps);
  }
  SmallVector<int64_t> order;
  for (int64_t dim = 1; dim < int64_t(dims.size()); ++dim)
    order.push_back(dim);
  order.insert(order.begin() + *axis, 0);
  Value arranged = stacked ? walk.ctx.transpose(stacked, order) : Value();
  if (!arranged)
    (void)refuse(walk, op, walk.ctx.reason());
  return arranged;
}

Made Scanning::run() {
  if (!readOperands() || !readCount())
    return failure();
  demandCount();
  auto scalar = RankedTensorType::get({}, walk.ctx.builder().getI64Type());
  source.trip = walk.ctx.sizes({count}, scalar);
  source.tripDim = count;
  source.yieldsCondition = false;
  auto arguments = [&](NormalizeContext &ctx, ValueRange own) {
    return this->arguments(ctx, own);
  };
  source.arguments = arguments;
  Made made = makeLoop(walk, op, source);
  if (failed(made))
    return failure();
  walk.ctx.begin(op);
  for (size_t index = numStates; index < made->size(); ++index)
    if (Value &stacked = (*made)[index])
      if (!(stacked = arrange(stacked, index - numStates)))
        return failure();
  return made;
}

Made normalize::lowerScan(Walk &walk, Operation *op) {
  return Scanning(walk, op).run();
}
