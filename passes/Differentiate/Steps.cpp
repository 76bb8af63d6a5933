//===- Steps.cpp - gradients of loops -------------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The gradient of a loop is a loop over the reversed steps. Each computes its
// step again from what was carried into it, which the loop forwards keeps, and
// carries the adjoints of what is carried, and sums for what all steps read.
//===----------------------------------------------------------------------===//
#include "passes/Differentiate/Gradient.h"
#include "passes/Differentiate/Rules.h"

#include "dialects/Graph/GraphSteps.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/SymbolTable.h"

using namespace mlir;
using namespace tenon;
using namespace tenon::graph;
using namespace tenon::differentiate;

//===-- Forwards ----------------------------------------------------------===//

static Type stackedType(StepsOp op, Type type) {
  auto step = cast<RankedTensorType>(type);
  Shape shape = {int64_t(op.getCount())};
  llvm::append_range(shape, step.getShape());
  return RankedTensorType::get(shape, step.getElementType());
}

void differentiate::keepCarried(StepsOp op) {
  func::FuncOp old = bodyOf(op);
  auto module = old->getParentOfType<ModuleOp>();
  func::FuncOp body = old.clone();
  SymbolTable(module).insert(body, std::next(Block::iterator(old)));
  SmallVector<Type> types(op->getResultTypes());
  SmallVector<bool> stacked(op.getStacked());
  for (size_t i = 0; i < op.getNext().size(); ++i) {
    BlockArgument carried = body.getArgument(op.getScans() + i);
    unsigned number = body.getNumResults();
    (void)body.insertResult(number, carried.getType(), {});
    body.front().getTerminator()->insertOperands(number, carried);
    types.push_back(stackedType(op, carried.getType()));
    stacked.push_back(true);
  }
  OpBuilder builder(op);
  auto kept = StepsOp::create(builder, op.getLoc(), types, body.getName(),
                              op.getInputs(), op.getCount(), op.getScans(),
                              op.getNext(), stacked);
  kept->setAttr(kKeepsCarried, builder.getUnitAttr());
  op->replaceAllUsesWith(kept->getResults().take_front(op.getNumResults()));
  op->erase();
  if (SymbolTable::symbolKnownUseEmpty(old, module))
    old->erase();
  expandForGradients(body.front());
}

//===-- Backwards ---------------------------------------------------------===//

namespace {
/// The loop backwards while it is built. Its operands are those of a loop;
/// the body's arguments are in their order.
class LoopGradient {
public:
  LoopGradient(Adjoint &g, StepsOp op) : g(g), op(op) {}
  LogicalResult build();

private:
  bool isReal(Value value) const {
    return isa<FloatType>(typeOf(value).getElementType());
  }
  unsigned carriedCount() { return op.getNext().size(); }
  unsigned invariantsBegin() { return op.getScans() + carriedCount(); }
  Value reversed(Value stack);
  Value stackedAdjoint(unsigned result);

  void addOperands();
  void makeBody();
  void seed(ArrayRef<Value> results, SmallVectorImpl<Value> &of,
            SmallVectorImpl<Value> &seeds);
  SmallVector<Value> cloneStep(OpBuilder &builder,
                               SmallVectorImpl<Value> &arguments);
  LogicalResult fillBody();
  void giveResults(StepsOp gradient);

  Adjoint &g;
  StepsOp op;
  /// Of the loop backwards: scans, what it carries, what all steps read.
  SmallVector<Value> scans, carried, invariants;
  SmallVector<unsigned> dyNumbers; ///< results with adjoints, scans at the end
  SmallVector<unsigned> carriedOf; ///< operands whose adjoints are carried
  SmallVector<unsigned> scansWanted; ///< operands whose adjoints are stacked
  func::FuncOp body;
};
} // namespace

/// The first steps of a stack, the last of them in front.
Value LoopGradient::reversed(Value stack) {
  int64_t count = op.getCount();
  return g.reverse(g.part(stack, 0, 0, count), 0);
}

/// The adjoint of each step's result. What the last step gave is that of its
/// result alone.
Value LoopGradient::stackedAdjoint(unsigned result) {
  Value dy = g.adjoints[result];
  if (op.getStacked()[result])
    return dy;
  Shape one(shapeOf(dy));
  one.insert(one.begin(), 1);
  int64_t count = op.getCount();
  return g.placePart(g.reshape(dy, one), 0, count - 1, count);
}

void LoopGradient::addOperands() {
  for (Value scan : op.getInputs().take_front(op.getScans()))
    scans.push_back(reversed(scan));
  for (Value kept : op->getResults().take_back(carriedCount()))
    scans.push_back(reversed(kept));
  for (unsigned i = 0; i < op.getNumResults(); ++i)
    if (g.adjoints[i]) {
      dyNumbers.push_back(i);
      scans.push_back(reversed(stackedAdjoint(i)));
    }
  for (unsigned i = 0; i < op.getInputs().size(); ++i) {
    Value input = op.getInputs()[i];
    if (op.isScan(i) && g.wants(i))
      scansWanted.push_back(i);
    bool isSum = i >= invariantsBegin() && g.wants(i);
    if (isSum || (op.isCarried(i) && isReal(input))) {
      carriedOf.push_back(i);
      carried.push_back(g.filled(0, typeOf(input)));
    }
  }
  llvm::append_range(invariants, op.getInputs().drop_front(invariantsBegin()));
}

void LoopGradient::makeBody() {
  SmallVector<Type> types;
  for (Value scan : scans)
    types.push_back(RankedTensorType::get(shapeOf(scan).drop_front(),
                                          typeOf(scan).getElementType()));
  llvm::append_range(types, ValueRange(carried).getTypes());
  llvm::append_range(types, ValueRange(invariants).getTypes());
  func::FuncOp forwards = bodyOf(op);
  auto module = forwards->getParentOfType<ModuleOp>();
  body = func::FuncOp::create(op.getLoc(),
                              (forwards.getName() + "_gradient").str(),
                              g.builder.getFunctionType(types, {}));
  markStepsBody(body);
  body.addEntryBlock();
  SymbolTable(module).insert(body, std::next(Block::iterator(forwards)));
}

/// The body's results and their adjoints: those of this step, and those of the
/// values that the next one finds.
void LoopGradient::seed(ArrayRef<Value> results, SmallVectorImpl<Value> &of,
                        SmallVectorImpl<Value> &seeds) {
  unsigned firstDy = op.getScans() + carriedCount();
  for (auto [index, number] : llvm::enumerate(dyNumbers)) {
    of.push_back(results[number]);
    seeds.push_back(body.getArgument(firstDy + index));
  }
  for (auto [index, input] : llvm::enumerate(carriedOf)) {
    if (!op.isCarried(input))
      continue;
    of.push_back(results[op.getNextOf(input)]);
    seeds.push_back(body.getArgument(scans.size() + index));
  }
}

/// Computes the step again; what it gave. `arguments`: what it took.
SmallVector<Value> LoopGradient::cloneStep(OpBuilder &builder,
                                           SmallVectorImpl<Value> &arguments) {
  Block &forwards = bodyOf(op).front();
  unsigned firstInvariant = scans.size() + carried.size();
  IRMapping step;
  for (BlockArgument argument : forwards.getArguments()) {
    unsigned i = argument.getArgNumber();
    unsigned number =
        i < invariantsBegin() ? i : firstInvariant + i - invariantsBegin();
    step.map(argument, body.getArgument(number));
    arguments.push_back(body.getArgument(number));
  }
  for (Operation &each : forwards.without_terminator())
    builder.clone(each, step);
  SmallVector<Value> results;
  for (Value result : forwards.getTerminator()->getOperands())
    results.push_back(step.lookup(result));
  return results;
}

LogicalResult LoopGradient::fillBody() {
  OpBuilder builder = OpBuilder::atBlockEnd(&body.front());
  SmallVector<Value> arguments, of, seeds, wanted;
  seed(cloneStep(builder, arguments), of, seeds);
  SmallVector<unsigned> all(scansWanted);
  llvm::append_range(all, carriedOf);
  for (unsigned i : all)
    wanted.push_back(arguments[i]);
  auto gradients = buildGradients(builder, of, seeds, wanted);
  if (failed(gradients))
    return failure();
  Build b(builder, op.getLoc());
  for (auto [index, i] : llvm::enumerate(all)) {
    Value &gradient = (*gradients)[index];
    if (!gradient)
      gradient = b.filled(0, typeOf(arguments[i]));
    if (i >= invariantsBegin())
      gradient =
          b.add(body.getArgument(scans.size() + index - scansWanted.size()),
                gradient);
  }
  func::ReturnOp::create(builder, op.getLoc(), *gradients);
  body.setType(builder.getFunctionType(body.getArgumentTypes(),
                                       ValueRange(*gradients).getTypes()));
  return success();
}

void LoopGradient::giveResults(StepsOp gradient) {
  for (auto [index, i] : llvm::enumerate(scansWanted))
    g.give(i, g.placePart(g.reverse(gradient->getResult(index), 0), 0, 0,
                          shapeOf(g.x(i)).front()));
  for (auto [index, i] : llvm::enumerate(carriedOf))
    g.give(i, gradient->getResult(scansWanted.size() + index));
}

LogicalResult LoopGradient::build() {
  addOperands();
  makeBody();
  if (failed(fillBody()))
    return failure();
  SmallVector<Type> types;
  SmallVector<bool> stacked;
  SmallVector<int64_t> next;
  for (auto [index, type] : llvm::enumerate(body.getResultTypes())) {
    stacked.push_back(index < scansWanted.size());
    types.push_back(stacked.back() ? stackedType(op, type) : type);
    if (!stacked.back())
      next.push_back(index);
  }
  SmallVector<Value> operands(scans);
  llvm::append_range(operands, carried);
  llvm::append_range(operands, invariants);
  giveResults(StepsOp::create(g.builder, op.getLoc(), types, body.getName(),
                              operands, op.getCount(), scans.size(), next,
                              stacked));
  return success();
}

LogicalResult differentiate::stepsRule(Adjoint &g) {
  auto op = cast<StepsOp>(g.op);
  if (!op->hasAttr(kKeepsCarried))
    return hasNone(g);
  return LoopGradient(g, op).build();
}
