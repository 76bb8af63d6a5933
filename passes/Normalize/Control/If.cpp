//===- If.cpp - one of two branches ---------------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file takes the branch of a condition that is known, and makes functions
// of both where it is not.
//===----------------------------------------------------------------------===//
#include "dialects/Control/Control.h"
#include "lib/Support/Codes.h"
#include "passes/Normalize/Control/Body.h"
#include "passes/Normalize/Control/ControlFlow.h"
#include "passes/Normalize/Control/Types.h"

using namespace mlir;
using namespace tenon;
using namespace tenon::normalize;

/// The operation of that name which makes a value; null for any other.
static Operation *maker(Value value, StringRef name) {
  Operation *op = value.getDefiningOp();
  return op && op->getName().stripDialect() == name ? op : nullptr;
}

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
      : walk(walk), op(op), taken{Body(walk, op), "then", {}},
        other{Body(walk, op), "else", {}} {}
  Made run(Value condition);

private:
  /// A branch; where nodes of it are refused, `refusals` say why.
  struct Branch {
    Body body;
    StringRef name;
    std::vector<Refusal> refusals;
  };
  BodySource sourceOf(Branch &branch, const Captures &captures);
  LogicalResult make(Branch &branch, const Captures &captures);
  LogicalResult makeBodies(const Captures &captures);
  void makeFailing(Branch &branch, Branch &other, const Captures &captures);
  void makeNumber(Body &body, unsigned returned);
  void meetAsNumbers(Value result, unsigned returned);
  Type resultType(unsigned index, unsigned returned);

  Walk &walk;
  Operation *op;
  Branch taken, other;
  std::function<bool(unsigned)> isReturned = [this](unsigned index) {
    return walk.isUsed(op->getResult(index));
  };
};
} // namespace

static SmallVector<Value> noArguments(NormalizeContext &, ValueRange) {
  return {};
}

BodySource Branching::sourceOf(Branch &branch, const Captures &captures) {
  return {op->getRegion(&branch == &other),
          branch.name,
          {},
          {},
          captures,
          noArguments,
          isReturned};
}

/// Whether all operators are known, so that what they are given here is why
/// nodes cannot be compiled.
static bool dependOnOperands(ArrayRef<Refusal> refusals) {
  return !refusals.empty() &&
         llvm::none_of(refusals, [](const Refusal &refusal) {
           return refusal.node.reason == kNoLowering;
         });
}

LogicalResult Branching::make(Branch &branch, const Captures &captures) {
  Report &report = walk.model.report;
  int64_t before = report.size();
  if (succeeded(branch.body.make(sourceOf(branch, captures))))
    return success();
  branch.refusals = report.takeBehind(before);
  if (dependOnOperands(branch.refusals)) {
    branch.body.erase();
    return success();
  }
  report.add(branch.refusals);
  return failure();
}

/// A branch that cannot be compiled is an error when it is taken. Conditions
/// mostly see to it that it fits the sizes; of anything else there is a
/// warning.
void Branching::makeFailing(Branch &branch, Branch &other,
                            const Captures &captures) {
  SmallVector<Type> types;
  for (Type type : other.body.results())
    types.push_back(withoutSymbols(type));
  for (const Refusal &refusal : branch.refusals)
    if (!isAboutSizes(refusal.node.reason))
      walk.model.report.warn(refusal);
  const Refusal &first = branch.refusals.front();
  StringRef why = isAboutSizes(first.node.reason)
                      ? "cannot run for these sizes, "
                      : "cannot run, ";
  branch.body.makeFailing(sourceOf(branch, captures), first.where,
                          (why + first.summary).str(), types);
}

LogicalResult Branching::makeBodies(const Captures &captures) {
  if (failed(make(taken, captures)) || failed(make(other, captures)))
    return failure();
  if (!taken.refusals.empty() && !other.refusals.empty()) {
    walk.model.report.add(taken.refusals);
    walk.model.report.add(other.refusals);
    return failure();
  }
  if (!taken.refusals.empty())
    makeFailing(taken, other, captures);
  if (!other.refusals.empty())
    makeFailing(other, taken, captures);
  return success();
}

//===-- Numbers -------------------------------------------------------------//

/// Whether a number does for all that read `result` what a tensor with one
/// element of rank 1 does: it is broadcast to another operand.
static bool mayBeNumber(Value result) {
  return llvm::all_of(result.getUses(), [](OpOperand &use) {
    Operation *user = use.getOwner();
    StringRef name = user->getName().stripDialect();
    unsigned index = use.getOperandNumber();
    Operation *outer = user->getParentOp();
    if (name == "Yield" && outer->getName().stripDialect() == "If")
      return mayBeNumber(outer->getResult(index));
    if (name == "CastLike")
      return index == 1;
    auto beside = dyn_cast<RankedTensorType>(
        user->getOperand(user->getNumOperands() - 1 - index).getType());
    return llvm::is_contained({"Add", "Div", "Mul", "Sub"}, name) && beside &&
           beside.getRank() > 0;
  });
}

void Branching::makeNumber(Body &body, unsigned returned) {
  func::FuncOp function = body.function;
  Operation *end = function.front().getTerminator();
  auto type = cast<RankedTensorType>(body.results()[returned]);
  OpBuilder builder(end);
  end->setOperand(
      returned,
      graph::ReshapeOp::create(builder, op->getLoc(),
                               RankedTensorType::get({}, type.getElementType()),
                               end->getOperand(returned)));
  function.setType(builder.getFunctionType(function.getArgumentTypes(),
                                           end->getOperandTypes()));
}

/// Where one branch gives a number, and the other one a list of one.
void Branching::meetAsNumbers(Value result, unsigned returned) {
  auto isOf = [&](Branch &branch, int64_t rank) {
    auto type = dyn_cast<RankedTensorType>(branch.body.results()[returned]);
    return type && type.getRank() == rank && type.hasStaticShape() &&
           type.getNumElements() == 1;
  };
  if (isOf(taken, 0) && isOf(other, 1) && mayBeNumber(result))
    makeNumber(other.body, returned);
  if (isOf(taken, 1) && isOf(other, 0) && mayBeNumber(result))
    makeNumber(taken.body, returned);
}

/// What a result may be, from what both branches say; null after a refusal.
Type Branching::resultType(unsigned index, unsigned returned) {
  auto typeIn = [&](Branch &branch) {
    return branch.body.exported(branch.body.results()[returned]);
  };
  auto saysNothing = [&](Branch &branch) {
    Operation *end = branch.body.function.front().getTerminator();
    return !branch.refusals.empty() ||
           isEmptySequence(end->getOperand(returned));
  };
  Type first = typeIn(taken), second = typeIn(other);
  if (saysNothing(taken))
    first = second;
  if (saysNothing(other))
    second = first;
  Type type = joinTypes(first, second);
  if (isa_and_nonnull<UnrankedTensorType>(type) || !type) {
    std::string text;
    llvm::raw_string_ostream(text)
        << "its branches make different results " << index << ": "
        << taken.body.results()[returned] << " and "
        << other.body.results()[returned];
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
      meetAsNumbers(result, types.size());
      types.push_back(resultType(result.getResultNumber(), types.size()));
      if (!types.back())
        return failure();
    }
  auto passed =
      passCaptures(walk, op, {&taken.body, &other.body}, 0, *captures);
  if (failed(passed))
    return failure();
  walk.ctx.begin(op);
  auto made = control::IfOp::create(
      walk.ctx.builder(), op->getLoc(), types, condition,
      FlatSymbolRefAttr::get(taken.body.function.getSymNameAttr()),
      FlatSymbolRefAttr::get(other.body.function.getSymNameAttr()), *passed);
  SmallVector<Value> values;
  size_t next = 0;
  for (Value result : op->getResults())
    values.push_back(walk.isUsed(result) ? made.getResult(next++) : Value());
  return values;
}

//===-- Ranks that sizes decide -------------------------------------------===//

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
