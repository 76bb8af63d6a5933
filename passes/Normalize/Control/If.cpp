//===- If.cpp - one of two branches ---------------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file takes the branch of a condition that is known, and makes functions
// of both where it is not.
//===----------------------------------------------------------------------===//
#include "dialects/Control/Control.h"
#include "passes/Normalize/Control/Body.h"
#include "passes/Normalize/Control/ControlFlow.h"
#include "passes/Normalize/Control/Types.h"

using namespace mlir;
using namespace tenon;
using namespace tenon::normalize;

/// Puts the nodes of a branch in front of `op`.
static Made takeBranch(Walk &walk, Operation *op, Block &branch) {
  Operation *yield = branch.getTerminator();
  SmallVector<Operation *> nodes;
  for (Operation &inner : branch.without_terminator())
    nodes.push_back(&inner);
  op->getBlock()->getOperations().splice(op->getIterator(),
                                         branch.getOperations(), branch.begin(),
                                         yield->getIterator());
  walk.visitAll(nodes);
  walk.setResults(op, yield->getOperands());
  SmallVector<Value> made;
  for (Value result : op->getResults())
    made.push_back(walk.lookup(result));
  return made;
}

namespace {
/// An If whose condition only the run knows.
class Branching {
public:
  Branching(Walk &walk, Operation *op)
      : walk(walk), op(op), taken(walk, op), other(walk, op) {}
  Made run(Value condition);

private:
  LogicalResult makeBodies(const Captures &captures);
  Type resultType(unsigned index, unsigned returned);

  Walk &walk;
  Operation *op;
  Body taken, other;
};
} // namespace

LogicalResult Branching::makeBodies(const Captures &captures) {
  auto arguments = [](NormalizeContext &, ValueRange) {
    return SmallVector<Value>();
  };
  auto returns = [&](unsigned index) {
    return walk.isUsed(op->getResult(index));
  };
  if (failed(taken.make(
          {op->getRegion(0), "then", {}, {}, captures, arguments, returns})) ||
      failed(other.make(
          {op->getRegion(1), "else", {}, {}, captures, arguments, returns})))
    return failure();
  return success();
}

/// What a result may be, from what both branches say; null after a refusal.
Type Branching::resultType(unsigned index, unsigned returned) {
  auto returnedBy = [&](Body &body) {
    return body.function.front().getTerminator()->getOperand(returned);
  };
  Type first = taken.exported(taken.results()[returned]);
  Type second = other.exported(other.results()[returned]);
  if (isEmptySequence(returnedBy(taken)))
    first = second;
  if (isEmptySequence(returnedBy(other)))
    second = first;
  Type type = joinTypes(first, second);
  if (isa_and_nonnull<UnrankedTensorType>(type) || !type) {
    std::string text;
    llvm::raw_string_ostream(text)
        << "its branches make different results " << index << ": "
        << taken.results()[returned] << " and " << other.results()[returned];
    (void)refuse(walk, op, text);
    return {};
  }
  if (auto tensor = dyn_cast<RankedTensorType>(type))
    return withNames(walk.ctx, index, tensor);
  return type;
}

Made Branching::run(Value condition) {
  FailureOr<Captures> captures = capturesOf(walk, op);
  if (failed(captures) || failed(makeBodies(*captures)))
    return failure();
  walk.ctx.begin(op);
  SmallVector<Type> types;
  for (OpResult result : op->getResults())
    if (walk.isUsed(result)) {
      types.push_back(resultType(result.getResultNumber(), types.size()));
      if (!types.back())
        return failure();
    }
  auto passed = passCaptures(walk, op, {&taken, &other}, 0, *captures);
  if (failed(passed))
    return failure();
  walk.ctx.begin(op);
  auto made = control::IfOp::create(
      walk.ctx.builder(), op->getLoc(), types, condition,
      FlatSymbolRefAttr::get(taken.function.getSymNameAttr()),
      FlatSymbolRefAttr::get(other.function.getSymNameAttr()), *passed);
  SmallVector<Value> values;
  size_t next = 0;
  for (Value result : op->getResults())
    values.push_back(walk.isUsed(result) ? made.getResult(next++) : Value());
  return values;
}

//===-- Ranks that sizes decide -------------------------------------------===//

/// The operation of that name which makes a value; null for any other.
static Operation *maker(Value value, StringRef name) {
  Operation *op = value.getDefiningOp();
  return op && op->getName().stripDialect() == name ? op : nullptr;
}

/// The one integer of an onnx.Constant.
static std::optional<int64_t> integerOf(Value value) {
  Operation *constant = maker(value, "Constant");
  auto elements = constant
                      ? constant->getAttrOfType<DenseIntElementsAttr>("value")
                      : nullptr;
  if (!elements || elements.getNumElements() != 1)
    return std::nullopt;
  return (*elements.begin()).getSExtValue();
}

/// Whether a condition says that dimension `axis` of `input` is 1.
static bool saysOne(Value condition, Value input, int64_t axis) {
  Operation *equal = maker(condition, "Equal");
  if (!equal || integerOf(equal->getOperand(1)) != 1)
    return false;
  Operation *gather = maker(equal->getOperand(0), "Gather");
  Operation *shape = gather ? maker(gather->getOperand(0), "Shape") : nullptr;
  return shape && shape->getOperand(0) == input &&
         integerOf(gather->getOperand(1)) == axis;
}

/// Whether the first branch removes a dimension that the condition says is 1,
/// as exporters write a squeeze. The result has a rank of its own in each
/// branch, so only one of them can be compiled; that the dimension is 1 is then
/// asked of the inputs.
static bool isSqueeze(Operation *op) {
  Operation *yield = op->getRegion(0).front().getTerminator();
  if (yield->getNumOperands() != 1)
    return false;
  Operation *squeeze = maker(yield->getOperand(0), "Squeeze");
  if (!squeeze || squeeze->getNumOperands() != 2)
    return false;
  std::optional<int64_t> axis = integerOf(squeeze->getOperand(1));
  return axis && saysOne(op->getOperand(0), squeeze->getOperand(0), *axis);
}

Made normalize::lowerIf(Walk &walk, Operation *op) {
  Value condition = walk.lookup(op->getOperand(0));
  if (!condition)
    return failure();
  if (auto known = knownNumber(walk, condition))
    return takeBranch(walk, op, op->getRegion(*known ? 0 : 1).front());
  if (isSqueeze(op))
    return takeBranch(walk, op, op->getRegion(0).front());
  Value scalar = scalarOf(walk, op, condition);
  return scalar ? Branching(walk, op).run(scalar) : Made(failure());
}
