//===- Walk.cpp - one function, node after node ---------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file drives the lowerings over a function.
//===----------------------------------------------------------------------===//
#include "passes/Normalize/Walk.h"
#include "dialects/Control/Control.h"
#include "dialects/Graph/SizeAdvice.h"
#include "dialects/Graph/Symbols.h"
#include "dialects/Onnx/Onnx.h"
#include "lib/Import/Onnx/Import.h"
#include "passes/Normalize/Control/ControlFlow.h"
#include "passes/Normalize/EraseDead.h"
#include "passes/Normalize/KnownSymbols.h"
#include "passes/Normalize/Shapes.h"

using namespace mlir;
using namespace tenon;
using namespace tenon::normalize;

/// Function bodies may hold operators that have function bodies.
static constexpr int64_t kMaxDepth = 8;

static bool isOnnx(Operation *op) {
  return op->getName().getDialectNamespace() ==
         onnx::OnnxDialect::getDialectNamespace();
}

/// Whether only the host holds values of this type.
static bool isForHost(Type type) {
  auto tensor = dyn_cast<TensorType>(type);
  return tensor ? isa<control::StringType>(tensor.getElementType())
                : isa<control::SequenceType, control::OptionalType>(type);
}

/// What stands behind a refused node is only reported where it would be refused
/// anyway: that its operands are not constant says nothing. Nor does any other
/// reason where a size is missing, which all are told of together.
void Walk::refuse(Operation *op, StringRef reason, bool isUnknown) {
  doubtful.insert_range(op->getResults());
  if (isDoubtful)
    return;
  if (!isUnknown && !isBody && waitsForSize(op, reason)) {
    if (llvm::none_of(op->getOperands(),
                      [&](Value value) { return unsized.contains(value); }))
      missing.add(op, expanded ? expanded : op, madeFor(op), reason);
    unsized.insert_range(op->getResults());
    return;
  }
  model.report.add(op, withOptions(op, reason));
}

/// The control operations that symbols come from.
static DenseMap<StringAttr, Operation *>
makersOfSymbols(func::FuncOp function) {
  DenseMap<StringAttr, Operation *> makers;
  for (Operation &op : function.front())
    if (isa_and_nonnull<control::ControlDialect>(op.getDialect()))
      for (Type type : op.getResultTypes())
        for (StringAttr symbol : symbolsIn(type))
          makers.try_emplace(symbol, &op);
  return makers;
}

/// What is not known may be given: says how.
std::string Walk::withOptions(Operation *op, StringRef reason) const {
  auto main = *model.module.getOps<func::FuncOp>().begin();
  graph::SizeAdvice advice(main);
  if (reason.contains("at compile time"))
    for (Value operand : madeFor(op)) {
      if (!operand)
        continue;
      advice.add(operand.getType());
      advice.addContents(operand);
    }
  std::string lines = advice.lines(/*indent=*/4);
  return lines.empty() ? reason.str() : reason.split(';').first.str() + lines;
}

/// What was made for the operands, or these; null where they are absent.
SmallVector<Value> Walk::madeFor(Operation *op) const {
  return llvm::map_to_vector(op->getOperands(), [&](Value operand) {
    Value made = values.lookup(operand);
    return made || isa<NoneType>(operand.getType()) ? made : operand;
  });
}

/// The nodes without a lowering on which results of the function, or their
/// sizes, depend.
llvm::SetVector<Operation *> Walk::neededNodes() {
  SmallVector<Value> work(function.front().getTerminator()->getOperands());
  DenseMap<StringAttr, Operation *> makers = makersOfSymbols(function);
  llvm::SetVector<Operation *> nodes;
  DenseSet<Operation *> seen;
  while (!work.empty()) {
    Value value = work.pop_back_val();
    Value made = values.lookup(value);
    value = made ? made : value;
    for (StringAttr symbol : symbolsIn(value.getType()))
      if (Operation *maker = makers.lookup(symbol);
          maker && seen.insert(maker).second)
        llvm::append_range(work, maker->getOperands());
    Operation *op = value.getDefiningOp();
    if (!op || !seen.insert(op).second)
      continue;
    if (isOnnx(op))
      nodes.insert(op);
    llvm::append_range(work, op->getOperands());
  }
  return nodes;
}

/// Whether a lowering may have failed for want of a size.
bool Walk::waitsForSize(Operation *op, StringRef reason) {
  auto lacks = [&](Value value) {
    if (unsized.contains(value))
      return true;
    Value made = values.lookup(value);
    return graph::lacksSize(made ? made.getType() : value.getType());
  };
  return llvm::any_of(op->getOperands(), lacks) ||
         (reason == kUnknownShape && llvm::any_of(op->getResults(), lacks));
}

LogicalResult Walk::checkArguments() {
  for (BlockArgument argument : function.getArguments()) {
    if (isForHost(argument.getType()))
      continue;
    std::string name = graph::inputName(function, argument.getArgNumber());
    if (isa<UnrankedTensorType>(argument.getType()))
      return emitError(graph::modelLoc(function))
             << "input '" << name << "' has no shape; '--shape " << name
             << "=1x3x224x224' gives it that one";
    if (std::string why = objection(argument.getType()); !why.empty())
      return emitError(graph::modelLoc(function))
             << "input '" << name << "': " << why;
  }
  return success();
}

void Walk::lower(Operation *op, const Lowering &lowering,
                 ArrayRef<Value> operands) {
  ctx.begin(op);
  Lowered result = lowering(ctx, Node(op, operands));
  bool isComplete = result.values.size() == op->getNumResults();
  for (auto [index, old] : llvm::enumerate(op->getResults())) {
    Value value = isComplete ? result.values[index] : Value();
    // Gradients tell tensors by their values: one that is named has its own.
    if (value && llvm::is_contained(operands, value) &&
        onnx::isReadByGradient(old))
      value = ctx.createTyped<graph::ReshapeOp>(value.getType(), value);
    if (value)
      values[old] = value;
    else if (!isComplete || isUsed(old))
      return refuse(op, ctx.reason().empty() ? "the lowering failed"
                                             : StringRef(ctx.reason()));
  }
  ++model.lowered;
}

void Walk::refuseExpansion(Operation *op, ArrayRef<Operation *> body,
                           std::string why) {
  llvm::append_range(visited, body);
  isDoubtful = false;
  bool isUnknown = why.empty();
  if (isUnknown)
    why = kNoLowering;
  refuse(op, why, isUnknown);
}

/// Puts the function body of the operator in front of `op` and lowers that.
void Walk::expand(Operation *op) {
  ctx.begin(op);
  Operation *before = op->getPrevNode();
  std::string why;
  ScopedDiagnosticHandler handler(op->getContext(),
                                  [&](Diagnostic &diagnostic) {
                                    why = diagnostic.str();
                                    return success();
                                  });
  FailureOr<SmallVector<Value>> results =
      depth < kMaxDepth ? onnximport::expandFunction(ctx.builder(), op)
                        : FailureOr<SmallVector<Value>>(failure());
  SmallVector<Operation *> body;
  Operation *first = before ? before->getNextNode() : &op->getBlock()->front();
  for (Operation *next = first; next != op; next = next->getNextNode())
    body.push_back(next);
  if (failed(results))
    return refuseExpansion(op, body, why);
  for (auto [old, made] : llvm::zip(op->getResults(), *results))
    if (made && isUsed(old))
      returned.insert(made);
  if (depth++ == 0)
    expanded = op;
  visitAll(body);
  if (--depth == 0)
    expanded = nullptr;
  ++model.expanded;
  setResults(op, *results);
}

void Walk::visitAll(ArrayRef<Operation *> body) {
  for (Operation *inner : body)
    visit(inner);
}

/// Makes the results of `op` stand for what was made instead.
void Walk::setResults(Operation *op, ValueRange made) {
  for (auto [old, result] : llvm::zip(op->getResults(), made)) {
    if (Value value = values.lookup(result)) {
      values[old] = value;
      continue;
    }
    if (unsized.contains(result))
      unsized.insert(old);
    // Nothing in the body uses its results, so nothing missed this one.
    else if (!doubtful.contains(result) && !old.use_empty()) {
      isDoubtful = false;
      refuse(op, "a result of its function body has no lowering");
    }
    doubtful.insert(old);
  }
}

/// The operands that a lowering gets; false if it cannot have them.
bool Walk::takesOperands(Operation *op, SmallVectorImpl<Value> &operands) {
  bool takesAll = model.table.takesAll(op->getName().getStringRef());
  for (Value operand : op->getOperands()) {
    Value value = values.lookup(operand);
    bool isAbsent = isa<NoneType>(operand.getType());
    std::string why = isAbsent || (value && takesAll)
                          ? ""
                          : objection((value ? value : operand).getType());
    // What a refused node would have made stands in for itself, if it can.
    if (!why.empty()) {
      refuse(op, value ? StringRef(why) : "an operand is unknown");
      return false;
    }
    operands.push_back(value || isAbsent ? value : operand);
  }
  return true;
}

/// If, Loop and Scan.
void Walk::visitControl(Operation *op) {
  isDoubtful = false;
  ctx.begin(op);
  auto made = lowerControlFlow(*this, op);
  if (failed(made))
    doubt(op);
  else
    for (auto [old, value] : llvm::zip(op->getResults(), *made))
      if (value)
        values[old] = value;
  // Behind the nodes of a branch that is taken, whose values it yields: erased
  // before them.
  visited.push_back(op);
}

void Walk::visit(Operation *op) {
  if (op->getNumRegions() != 0)
    return visitControl(op);
  visited.push_back(op);
  if (op->getName().stripDialect() == "NoValue")
    return;
  isDoubtful = llvm::any_of(op->getOperands(),
                            [&](Value v) { return doubtful.contains(v); });
  if (llvm::any_of(op->getOperands(),
                   [&](Value v) { return unsized.contains(v); }))
    unsized.insert_range(op->getResults());
  StringRef name = op->getName().getStringRef();
  const Lowering *lowering = model.table.find(name);
  if (!lowering)
    return expand(op);
  for (Type type : op->getResultTypes())
    if (isa<RankedTensorType>(type) && !model.table.takesAll(name))
      if (std::string why = objection(type); !why.empty())
        return refuse(op, why);
  SmallVector<Value> operands;
  if (takesOperands(op, operands))
    lower(op, *lowering, operands);
}

void Walk::replaceOperands(Operation *op) {
  for (OpOperand &operand : op->getOpOperands())
    if (Value value = values.lookup(operand.get()))
      operand.set(value);
}

/// Lets operations that nothing needs have operands until they go: a shape may
/// be known of what is computed from a node that waits for a size.
static void standIn(Operation *op) {
  if (op->use_empty())
    return;
  OpBuilder builder(op);
  op->replaceAllUsesWith(UnrealizedConversionCastOp::create(
      builder, op->getLoc(), op->getResultTypes(), ValueRange()));
}

/// Rewires the return, and graph operations that stood among the nodes, and
/// drops what is left of the onnx operations.
void Walk::finish() {
  for (Operation &op : function.front())
    if (!isOnnx(&op))
      replaceOperands(&op);
  Operation *terminator = function.front().getTerminator();
  function.setType(FunctionType::get(function.getContext(),
                                     function.getArgumentTypes(),
                                     terminator->getOperandTypes()));
  for (Operation *op : llvm::reverse(visited)) {
    standIn(op);
    op->erase();
  }
  eraseDead(function);
}

void Walk::visitNodes() {
  for (BlockArgument argument : function.getArguments())
    values[argument] = argument;
  SmallVector<Operation *> ops;
  for (Operation &op : function.front()) {
    if (isOnnx(&op) && !isa<onnx::YieldOp>(op))
      ops.push_back(&op);
    // What a body was given besides stands for itself.
    if (!isOnnx(&op))
      for (Value result : op.getResults())
        values[result] = result;
  }
  visitAll(ops);
  model.evaluated += ctx.numEvaluated();
}

LogicalResult Walk::run() {
  if (failed(checkArguments()))
    return failure();
  auto symbols = graph::ConstraintStore::load(model.module);
  if (failed(symbols))
    return failure();
  ctx.symbols() = *symbols;
  visitNodes();
  if (failed(model.report.emit()) ||
      failed(missing.emit(function, neededNodes())))
    return failure();
  finish();
  if (failed(settleKnownSymbols(function, ctx.symbols())))
    return failure();
  for (const auto &[symbol, range] : model.ranges)
    (void)ctx.symbols().constrain(symbol, range);
  ctx.symbols().save(model.module);
  return success();
}

LogicalResult Walk::runBody(const graph::ConstraintStore &symbols) {
  isBody = true;
  ctx.symbols() = symbols;
  int64_t refused = model.report.size();
  visitNodes();
  if (model.report.size() != refused || !neededNodes().empty())
    return failure();
  finish();
  return settleKnownSymbols(function, ctx.symbols());
}
