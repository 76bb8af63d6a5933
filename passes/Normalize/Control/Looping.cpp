//===- Looping.cpp - a body that runs again and again ---------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file lowers a body until its types hold in all iterations, and makes the
// loop.
//===----------------------------------------------------------------------===//
#include "passes/Normalize/Control/Looping.h"
#include "dialects/Control/Control.h"
#include "passes/Normalize/Control/CarriedTypes.h"
#include "passes/Normalize/Control/Types.h"

using namespace mlir;
using namespace tenon;
using namespace tenon::normalize;

/// The number of the iteration and the condition come first.
static constexpr unsigned kNumFixed = 2;

namespace {
class Looping {
public:
  Looping(Walk &walk, Operation *op, const LoopSource &source)
      : walk(walk), op(op), source(source), carried(walk.ctx, source.initial),
        body(walk, op) {}
  Made run();

private:
  bool returns(unsigned yielded) const;
  LogicalResult makeBody();
  LogicalResult settle();
  void wrapOptionals();
  Value unwrapOptional(Value value, Type wanted, unsigned index);
  bool keepsRunning();
  LogicalResult fixCondition();
  bool addScanTypes(SmallVectorImpl<Type> &types);
  Made finish(ArrayRef<Type> types);

  unsigned numCarried() const { return source.initial.size(); }
  unsigned numOwn() const {
    return kNumFixed + numCarried() + source.others.size();
  }

  Walk &walk;
  Operation *op;
  const LoopSource &source;
  Captures captures;
  CarriedTypes carried;
  Body body;
};
} // namespace

/// All but stacked outputs that nothing reads.
bool Looping::returns(unsigned yielded) const {
  unsigned result = yielded - (source.yieldsCondition ? 1 : 0);
  bool isFixed = source.yieldsCondition && yielded == 0;
  return isFixed || result < numCarried() || walk.isUsed(op->getResult(result));
}

LogicalResult Looping::makeBody() {
  MLIRContext *context = op->getContext();
  SmallVector<Type> own = {
      RankedTensorType::get({}, IntegerType::get(context, 64)),
      RankedTensorType::get({}, IntegerType::get(context, 1))};
  llvm::append_range(own, carried.types());
  llvm::append_range(own, TypeRange(ValueRange(source.others)));
  auto arguments = [&](NormalizeContext &ctx, ValueRange values) {
    auto function =
        cast<func::FuncOp>(ctx.builder().getInsertionBlock()->getParentOp());
    for (unsigned i = 0; i < numCarried(); ++i)
      markEmpty(function.getArgument(kNumFixed + i), carried.isEmpty(i));
    return source.arguments(ctx, values);
  };
  return body.make({op->getRegion(0), "body", own, carried.symbols(), captures,
                    arguments,
                    [&](unsigned yielded) { return returns(yielded); },
                    !source.yieldsCondition});
}

/// Lowers the body until types hold before and after it.
LogicalResult Looping::settle() {
  for (;;) {
    if (failed(makeBody()))
      return failure();
    auto again = carried.refine(body, kNumFixed);
    if (!again)
      return (void)refuse(walk, op, llvm::toString(again.takeError())),
             failure();
    if (!*again)
      break;
    body.erase();
  }
  for (BlockArgument argument : body.function.getArguments())
    markEmpty(argument, false);
  return success();
}

/// Puts what is carried as an optional into one.
void Looping::wrapOptionals() {
  Operation *end = body.function.front().getTerminator();
  walk.ctx.begin(end);
  for (unsigned index = 0; index < numCarried(); ++index) {
    OpOperand &given = end->getOpOperand(1 + index);
    Type type = given.get().getType();
    if (isa<control::OptionalType>(carried.types()[index]) &&
        !isa<control::OptionalType>(type))
      given.set(
          walk.ctx.call("optional", given.get(), {},
                        control::OptionalType::get(op->getContext(), type)));
  }
}

/// What comes out of a loop as an optional, but has to be a value.
Value Looping::unwrapOptional(Value value, Type wanted, unsigned index) {
  auto optional = dyn_cast<control::OptionalType>(value.getType());
  if (!optional || isa<control::OptionalType>(wanted))
    return value;
  Type type = optional.getElement();
  if (auto tensor = dyn_cast<RankedTensorType>(type))
    type = withNames(walk.ctx, index, tensor);
  return walk.ctx.call("optional_get", value, {}, type);
}

/// Whether no condition ends the loop.
bool Looping::keepsRunning() {
  Value next = body.function.front().getTerminator()->getOperand(0);
  bool holds = !source.condition || knownNumber(walk, source.condition) == 1;
  return holds &&
         (next == body.function.getArgument(1) || knownNumber(walk, next) == 1);
}

/// The condition that the body returns, as a scalar.
LogicalResult Looping::fixCondition() {
  Operation *end = body.function.front().getTerminator();
  auto type = dyn_cast<RankedTensorType>(end->getOperand(0).getType());
  if (!type || !type.getElementType().isInteger(1))
    return (void)refuse(walk, op, "its body makes no condition"), failure();
  walk.ctx.begin(end);
  Value scalar = scalarOf(walk, op, end->getOperand(0));
  if (!scalar)
    return failure();
  end->setOperand(0, scalar);
  SmallVector<Type> results(end->getOperandTypes());
  body.function.setType(FunctionType::get(
      op->getContext(), body.function.getArgumentTypes(), results));
  return success();
}

/// The types of stacked outputs; false after a refusal.
bool Looping::addScanTypes(SmallVectorImpl<Type> &types) {
  Attribute count = keepsRunning() ? source.tripDim : Attribute();
  unsigned next = 1 + numCarried();
  for (unsigned index = numCarried(); index < op->getNumResults(); ++index) {
    if (!walk.isUsed(op->getResult(index)))
      continue;
    auto type = dyn_cast<RankedTensorType>(body.results()[next++]);
    if (!type) {
      (void)refuse(walk, op,
                   "output " + Twine(index) + " does not stack tensors");
      return false;
    }
    graph::Dims dims = {count};
    for (Attribute dim : graph::dimsOf(type))
      dims.push_back(body.exported(dim));
    types.push_back(withNames(
        walk.ctx, index, graph::typeFromDims(dims, type.getElementType())));
  }
  return true;
}

Made Looping::finish(ArrayRef<Type> types) {
  auto passed = passCaptures(walk, op, &body, numOwn(), captures);
  if (failed(passed))
    return failure();
  SmallVector<Value> invariants(source.others);
  llvm::append_range(invariants, *passed);
  walk.ctx.begin(op);
  auto loop = control::LoopOp::create(
      walk.ctx.builder(), op->getLoc(), types,
      FlatSymbolRefAttr::get(body.function.getSymNameAttr()), source.trip,
      knownNumber(walk, source.condition) == 1 ? Value() : source.condition,
      source.initial, invariants);
  SmallVector<Value> made;
  for (unsigned index = 0; index < numCarried(); ++index)
    made.push_back(unwrapOptional(loop.getResult(index),
                                  op->getResult(index).getType(), index));
  unsigned next = numCarried();
  for (unsigned index = numCarried(); index < op->getNumResults(); ++index)
    made.push_back(walk.isUsed(op->getResult(index)) ? loop.getResult(next++)
                                                     : Value());
  return made;
}

Made Looping::run() {
  FailureOr<Captures> found = capturesOf(walk, op);
  if (failed(found))
    return failure();
  captures = *found;
  if (failed(settle()))
    return failure();
  wrapOptionals();
  if (failed(fixCondition()))
    return failure();
  walk.ctx.begin(op);
  SmallVector<Type> types;
  for (unsigned index = 0; index < numCarried(); ++index)
    types.push_back(carried.resultType(index));
  if (!addScanTypes(types))
    return failure();
  return finish(types);
}

Made normalize::makeLoop(Walk &walk, Operation *op, const LoopSource &source) {
  if (auto made = unroll(walk, op, source))
    return *made;
  return Looping(walk, op, source).run();
}
