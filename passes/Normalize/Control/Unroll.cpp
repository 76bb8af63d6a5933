//===- Unroll.cpp - iterations one after the other ------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file puts the iterations of a short loop where it stands. Their sizes
// are known then, as are the places that they read by the number of the
// iteration, kernels join what one iteration makes and the next one reads, and
// no bytecode runs. A longer loop would give as many kernels as it has
// iterations, which cost more to compile and to load than they save.
//===----------------------------------------------------------------------===//
#include "mlir/IR/IRMapping.h"
#include "passes/Normalize/Control/Looping.h"
#include "passes/Normalize/Shapes.h"

using namespace mlir;
using namespace tenon;
using namespace tenon::normalize;

static constexpr int64_t kMaxIterations = 8;
static constexpr int64_t kMaxNodes = 256; ///< of all iterations

/// Whether the condition that a body yields is always true.
static bool alwaysHolds(Walk &walk, Block &body, Value condition) {
  Operation *op = condition.getDefiningOp();
  while (op && op->getName().getStringRef() == "onnx.Identity") {
    condition = op->getOperand(0);
    op = condition.getDefiningOp();
  }
  if (!op)
    return condition == body.getArgument(1);
  if (auto value = dyn_cast_or_null<DenseElementsAttr>(op->getAttr("value")))
    return op->getName().getStringRef() == "onnx.Constant" &&
           value.getElementType().isInteger(1) && value.isSplat() &&
           value.getSplatValue<bool>();
  return knownNumber(walk, walk.lookup(condition)) == 1;
}

/// How often a loop runs that is to be unrolled; 0 for others.
static int64_t numIterations(Walk &walk, Operation *op,
                             const LoopSource &source) {
  int64_t count =
      source.tripDim ? graph::sizeOf(source.tripDim) : ShapedType::kDynamic;
  Block &body = op->getRegion(0).front();
  int64_t nodes = 0;
  body.walk([&](Operation *) { ++nodes; });
  if (count < 1 || count > kMaxIterations || count * nodes > kMaxNodes)
    return 0;
  bool holds = !source.condition || knownNumber(walk, source.condition) == 1;
  Value next = body.getTerminator()->getOperand(0);
  return holds && (!source.yieldsCondition || alwaysHolds(walk, body, next))
             ? count
             : 0;
}

/// The nodes of one iteration, whose arguments are `values`, in front of `op`.
/// What it yields, lowered; nothing where a node was refused.
static FailureOr<SmallVector<Value>> iterate(Walk &walk, Operation *op,
                                             ArrayRef<Value> values) {
  Block &body = op->getRegion(0).front();
  IRMapping mapping;
  mapping.map(body.getArguments(), values);
  for (Value value : values)
    walk.set(value, value);
  OpBuilder builder(op);
  SmallVector<Operation *> nodes;
  for (Operation &node : body.without_terminator())
    nodes.push_back(builder.clone(node, mapping));
  SmallVector<Value> yields;
  for (Value value : body.getTerminator()->getOperands()) {
    yields.push_back(mapping.lookupOrDefault(value));
    walk.markReturned(yields.back());
  }
  walk.visitAll(nodes);
  for (Value &value : yields) {
    if (walk.isDoubted(value) || !walk.lookup(value))
      return failure();
    value = walk.lookup(value);
  }
  return yields;
}

/// What all iterations gave, along a new dimension in front.
static Value stack(NormalizeContext &ctx, SmallVector<Value> slices) {
  for (Value &slice : slices) {
    auto type = cast<RankedTensorType>(slice.getType());
    Dims dims = graph::dimsOf(type);
    dims.insert(dims.begin(), graph::sizeDim(type.getContext(), 1));
    slice =
        ctx.reshapeTo(slice, graph::typeFromDims(dims, type.getElementType()));
  }
  return slices.size() == 1 ? slices[0]
                            : ctx.create<graph::ConcatOp>(slices, 0);
}

namespace {
/// Values of one kind, by iteration.
using Slices = SmallVector<SmallVector<Value>>;
} // namespace

static Made finish(Walk &walk, Operation *op, ArrayRef<Value> carried,
                   const Slices &slices) {
  SmallVector<Value> made(carried);
  walk.ctx.begin(op);
  for (auto [index, all] : llvm::enumerate(slices)) {
    unsigned result = carried.size() + index;
    made.emplace_back();
    if (!walk.isUsed(op->getResult(result)))
      continue;
    if (!isa<RankedTensorType>(all.front().getType()))
      return refuse(walk, op,
                    "output " + Twine(result) + " does not stack tensors");
    made.back() = stack(walk.ctx, all);
    if (!made.back())
      return refuse(walk, op, walk.ctx.reason());
  }
  return made;
}

std::optional<Made> normalize::unroll(Walk &walk, Operation *op,
                                      const LoopSource &source) {
  int64_t count = numIterations(walk, op, source);
  if (!count)
    return std::nullopt;
  MLIRContext *context = op->getContext();
  auto number = RankedTensorType::get({}, IntegerType::get(context, 64));
  auto condition = RankedTensorType::get({}, IntegerType::get(context, 1));
  SmallVector<Value> carried(source.initial);
  Slices slices(op->getNumResults() - carried.size());
  for (int64_t i = 0; i < count; ++i) {
    walk.ctx.begin(op);
    SmallVector<Value> own = {
        walk.ctx.constant(DenseElementsAttr::get(number, i)),
        walk.ctx.constant(DenseElementsAttr::get(condition, true))};
    llvm::append_range(own, carried);
    llvm::append_range(own, source.others);
    SmallVector<Value> values = source.arguments(walk.ctx, own);
    if (llvm::is_contained(values, Value()))
      return refuse(walk, op, walk.ctx.reason());
    auto yields = iterate(walk, op, values);
    if (failed(yields))
      return Made(failure());
    auto *next = yields->begin() + (source.yieldsCondition ? 1 : 0);
    carried.assign(next, next + carried.size());
    for (auto [all, slice] : llvm::zip(
             slices, llvm::make_range(next + carried.size(), yields->end())))
      all.push_back(slice);
  }
  return finish(walk, op, carried, slices);
}
