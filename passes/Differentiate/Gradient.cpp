//===- Gradient.cpp - reverse mode on graphs ------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file implements activity analysis, the walk back over the operations
// between the wanted values and the one that is differentiated, and the sums
// of what their users contribute.
//===----------------------------------------------------------------------===//
#include "passes/Differentiate/Gradient.h"
#include "passes/Differentiate/Rules.h"

#include "mlir/IR/Matchers.h"
#include "llvm/ADT/StringMap.h"

using namespace mlir;
using namespace tenon;
using namespace tenon::differentiate;

//===-- Rules -------------------------------------------------------------===//

LogicalResult Adjoint::refuse(const Twine &why) {
  return op->emitError() << "'" << op->getName() << "' " << why;
}

LogicalResult differentiate::isConstant(Adjoint &) { return success(); }

LogicalResult differentiate::byParts(Adjoint &g) {
  return g.refuse("has no gradient yet in this form");
}

LogicalResult differentiate::hasNone(Adjoint &g) {
  return g.refuse("has no gradient yet");
}

static llvm::StringMap<Rule> makeRules() {
  llvm::StringMap<Rule> rules;
  for (ArrayRef<RuleEntry> entries :
       {unaryRules(), binaryRules(), productRules(), windowRules(),
        reductionRules(), movementRules(), indexRules()})
    for (const RuleEntry &entry : entries)
      rules[entry.name] = entry.rule;
  return rules;
}

Rule differentiate::findRule(StringRef name) {
  static const llvm::StringMap<Rule> rules = makeRules();
  return rules.lookup(name);
}

static Rule ruleOf(Operation *op) {
  return findRule(op->getName().getStringRef());
}

Differentiability differentiate::differentiabilityOf(StringRef name) {
  Rule rule = findRule(name);
  if (!rule)
    return Differentiability::Unknown;
  if (rule == isConstant)
    return Differentiability::Constant;
  return rule == hasNone ? Differentiability::NoRule
                         : Differentiability::HasRule;
}

/// Puts the parts of a composite in its place.
static void replaceByParts(Operation *op) {
  OpBuilder builder(op);
  auto parts = cast<graph::TensorOpInterface>(op).decompose(builder);
  if (failed(parts))
    return;
  op->replaceAllUsesWith(*parts);
  op->erase();
}

void differentiate::expandForGradients(Block &block) {
  for (Operation &op : llvm::make_early_inc_range(block))
    if (ruleOf(&op) == byParts)
      replaceByParts(&op);
  // These may be parts.
  for (Operation &op : llvm::make_early_inc_range(block))
    if (auto recurrence = dyn_cast<graph::RecurrenceOp>(op))
      makeLoops(recurrence);
  for (Operation &op : llvm::make_early_inc_range(block))
    if (auto steps = dyn_cast<graph::StepsOp>(op))
      keepCarried(steps);
}

void differentiate::removeNotes(Operation *module) {
  module->walk([](Operation *op) {
    op->removeAttr(kNoGradient);
    op->removeAttr(kKeepsCarried);
  });
}

//===-- Reverse mode ------------------------------------------------------===//

namespace {
class Reverse {
public:
  Reverse(OpBuilder &builder, ArrayRef<Value> wanted)
      : builder(builder), wanted(wanted) {}

  /// Notes what depends on a wanted value.
  void findActive(Block &block);
  /// Adds to the adjoint of a value.
  void add(Value value, Value part, Location loc);
  /// Adds what an operation's operands get, if its results have adjoints.
  LogicalResult visit(Operation *op);

  Value adjointOf(Value value) const { return sums.lookup(value); }
  bool isActive(Value value) const { return active.contains(value); }

private:
  OpBuilder &builder;
  ArrayRef<Value> wanted;
  DenseSet<Value> active;
  DenseMap<Value, Value> sums;
};
} // namespace

/// Whether a value is of numbers that adjoints can be made of.
static bool isReal(Value value) {
  auto type = dyn_cast<RankedTensorType>(value.getType());
  return type && isa<Float16Type, BFloat16Type, Float32Type, Float64Type>(
                     type.getElementType());
}

void Reverse::findActive(Block &block) {
  active.insert(wanted.begin(), wanted.end());
  auto depends = [&](Value operand) { return isActive(operand); };
  for (Operation &op : block) {
    if (ruleOf(&op) == isConstant || op.hasAttr(kNoGradient) ||
        !llvm::any_of(op.getOperands(), depends))
      continue;
    for (Value result : op.getResults())
      if (isReal(result))
        active.insert(result);
  }
}

/// A scatter into zeros takes what there is as its input, and works in place.
static Value scatteredInto(Build &g, Value sum, Value part) {
  auto scatter = part.getDefiningOp<graph::ScatterOp>();
  if (!scatter || scatter.getKind() != graph::ScatterKind::Add ||
      !matchPattern(scatter.getInput(), m_AnyZeroFloat()))
    return nullptr;
  return g.make<graph::ScatterOp>(sum, scatter.getIndices(),
                                  scatter.getUpdates(), scatter.getKind());
}

void Reverse::add(Value value, Value part, Location loc) {
  Build g(builder, loc);
  Value &sum = sums[value];
  if (!sum) {
    sum = part;
    return;
  }
  Value scattered = scatteredInto(g, sum, part);
  sum = scattered ? scattered : g.add(sum, part);
}

static bool hasOpenSize(Operation *op) {
  auto isOpen = [](Type type) {
    auto tensor = dyn_cast<RankedTensorType>(type);
    return !tensor || !tensor.hasStaticShape();
  };
  return llvm::any_of(op->getOperandTypes(), isOpen) ||
         llvm::any_of(op->getResultTypes(), isOpen);
}

LogicalResult Reverse::visit(Operation *op) {
  Adjoint g(builder, op);
  for (Value result : op->getResults())
    g.adjoints.push_back(isActive(result) ? adjointOf(result) : Value());
  auto isGiven = [](Value adjoint) { return bool(adjoint); };
  auto isWanted = [&](Value operand) { return isActive(operand); };
  if (llvm::none_of(g.adjoints, isGiven) ||
      llvm::none_of(op->getOperands(), isWanted))
    return success();
  if (hasOpenSize(op))
    return g.refuse("has a size that is open, which gradients do not support: "
                    "--dim or --shape fix it");
  g.wants = [&](unsigned i) { return isActive(op->getOperand(i)); };
  g.take = [&](unsigned i, Value part) {
    add(op->getOperand(i), part, op->getLoc());
  };
  Rule rule = ruleOf(op);
  return rule ? rule(g) : hasNone(g);
}

/// The operations in front of an insertion point, backwards.
static SmallVector<Operation *> backwardsFrom(OpBuilder &builder) {
  Block *block = builder.getInsertionBlock();
  SmallVector<Operation *> ops;
  for (Operation &op :
       llvm::make_range(block->begin(), builder.getInsertionPoint()))
    ops.push_back(&op);
  std::reverse(ops.begin(), ops.end());
  return ops;
}

FailureOr<SmallVector<Value>>
differentiate::buildGradients(OpBuilder &builder, ArrayRef<Value> of,
                              ArrayRef<Value> seeds, ArrayRef<Value> wanted) {
  Reverse reverse(builder, wanted);
  reverse.findActive(*builder.getInsertionBlock());
  SmallVector<Operation *> ops = backwardsFrom(builder);
  for (auto [value, seed] : llvm::zip_equal(of, seeds))
    reverse.add(value, seed, value.getLoc());
  for (Operation *op : ops)
    if (failed(reverse.visit(op)))
      return failure();
  SmallVector<Value> gradients;
  for (Value value : wanted)
    gradients.push_back(reverse.adjointOf(value));
  return gradients;
}
