//===- NormalizeOnnx.cpp - from onnx to graph -----------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file drives the lowerings over each program and reports all unsupported
// nodes together.
//===----------------------------------------------------------------------===//
#include "dialects/Control/Control.h"
#include "dialects/Graph/Programs.h"
#include "dialects/Graph/Symbols.h"
#include "dialects/Onnx/Onnx.h"
#include "lib/Import/Onnx/Import.h"
#include "lib/Interpreter/SmallElements.h"
#include "passes/Normalize/EraseDead.h"
#include "passes/Normalize/KnownSymbols.h"
#include "passes/Normalize/Lowering.h"
#include "passes/Normalize/Passes.h"
#include "llvm/Support/raw_ostream.h"

namespace tenon {
#define GEN_PASS_DEF_NORMALIZEONNXPASS
#include "passes/Normalize/Passes.h.inc"
} // namespace tenon

using namespace mlir;
using namespace tenon;
using namespace tenon::normalize;

LoweringTable normalize::allLowerings() {
  LoweringTable table;
  populateElementwiseLowerings(table);
  populateContractionLowerings(table);
  populateReductionLowerings(table);
  populateNormalizationLowerings(table);
  populateWindowLowerings(table);
  populateMovementLowerings(table);
  populateShapeLowerings(table);
  populateRecurrentLowerings(table);
  populateQuantizationLowerings(table);
  populateSignalLowerings(table);
  return table;
}

/// Function bodies may hold operators that have function bodies.
static constexpr int64_t kMaxDepth = 8;

namespace {
/// One walk over one function.
class Walk {
public:
  explicit Walk(func::FuncOp function)
      : function(function), ctx(function.getContext()), table(allLowerings()) {}

  LogicalResult run();
  int64_t numLowered() const { return lowered; }
  int64_t numEvaluated() const { return ctx.numEvaluated(); }
  int64_t numExpanded() const { return expanded; }

private:
  LogicalResult checkArguments();
  bool waitsForSize(Operation *op, StringRef reason);
  bool needsSizes();
  void visit(Operation *op);
  void lower(Operation *op, const Lowering &lowering, ArrayRef<Value> operands);
  void expand(Operation *op);
  void takeBranch(Operation *op);
  void visitAll(ArrayRef<Operation *> body);
  void setResults(Operation *op, ValueRange made);
  bool isUsed(Value value) const {
    return !value.use_empty() || returned.contains(value);
  }
  void refuse(Operation *op, StringRef reason, bool isUnknown = false);
  LogicalResult report();
  void replaceOperands(Operation *op);
  void finish();

  func::FuncOp function;
  NormalizeContext ctx;
  LoweringTable table;
  DenseMap<Value, Value> values; ///< onnx value -> graph value
  DenseSet<Value> doubtful;      ///< onnx values behind a refused node
  DenseSet<Value> returned;      ///< results of function bodies that are used
  bool isDoubtful = false;       ///< of the node in hand
  DenseSet<Value> unsized;       ///< onnx values that wait for a size
  int64_t depth = 0;             ///< of nested function bodies
  SmallVector<Operation *> visited;
  std::string unsupported; ///< one line per node
  Operation *firstUnsupported = nullptr;
  int64_t numUnsupported = 0;
  int64_t lowered = 0, expanded = 0;
};
} // namespace

static bool isOnnx(Operation *op) {
  return op->getName().getDialectNamespace() ==
         onnx::OnnxDialect::getDialectNamespace();
}

/// Why the graph dialect cannot hold a value of this type; empty if it can.
static std::string objection(Type type) {
  auto tensor = dyn_cast<RankedTensorType>(type);
  std::string text;
  llvm::raw_string_ostream stream(text);
  if (!tensor) {
    stream << "a value of type " << type << " has no known rank";
    return text;
  }
  Type element = tensor.getElementType();
  auto integer = dyn_cast<IntegerType>(element);
  bool isKnown =
      interp::isSmall(element) ||
      isa<Float16Type, BFloat16Type, Float32Type, Float64Type>(element) ||
      (integer &&
       llvm::is_contained({1u, 8u, 16u, 32u, 64u}, integer.getWidth()));
  if (!isKnown)
    stream << "elements of type " << element << " are not supported";
  return text;
}

static std::string nodeName(Operation *op) {
  if (auto name = dyn_cast<NameLoc>(op->getLoc()))
    return name.getName().str();
  return "?";
}

/// What stands behind a refused node is only reported where it would be refused
/// anyway: that its operands are not constant says nothing. Nor does any other
/// reason where a size is missing, which all are told of together.
void Walk::refuse(Operation *op, StringRef reason, bool isUnknown) {
  doubtful.insert_range(op->getResults());
  if (isDoubtful)
    return;
  if (!isUnknown && waitsForSize(op, reason)) {
    unsized.insert_range(op->getResults());
    return;
  }
  llvm::raw_string_ostream stream(unsupported);
  stream << "\n  node '" << nodeName(op) << "' ("
         << op->getName().stripDialect() << "), opset ";
  auto module = op->getParentOfType<ModuleOp>();
  auto opset = module->getAttrOfType<IntegerAttr>("onnx.model_opset");
  stream << (opset ? opset.getInt() : onnx::newestOpset()) << ", inputs (";
  llvm::interleaveComma(op->getOperandTypes(), stream);
  stream << "): " << reason;
  ++numUnsupported;
  if (!firstUnsupported)
    firstUnsupported = op;
}

/// Whether results of the function depend on a node that waits for a size.
bool Walk::needsSizes() {
  SmallVector<Value> work(function.front().getTerminator()->getOperands());
  DenseSet<Operation *> seen;
  while (!work.empty()) {
    Value value = work.pop_back_val();
    Value made = values.lookup(value);
    Operation *op = (made ? made : value).getDefiningOp();
    if (!op || !seen.insert(op).second)
      continue;
    if (isOnnx(op))
      return true;
    llvm::append_range(work, op->getOperands());
  }
  return false;
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

LogicalResult Walk::report() {
  if (!numUnsupported)
    return needsSizes() ? graph::refuseSymbols(function) : success();
  return emitError(firstUnsupported->getLoc())
         << numUnsupported << (numUnsupported == 1 ? " node is" : " nodes are")
         << " not supported:" << unsupported;
}

LogicalResult Walk::checkArguments() {
  for (BlockArgument argument : function.getArguments()) {
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
    if (value)
      values[old] = value;
    else if (!isComplete || isUsed(old))
      return refuse(op, ctx.reason().empty() ? "the lowering failed"
                                             : StringRef(ctx.reason()));
  }
  ++lowered;
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
  if (failed(results)) {
    llvm::append_range(visited, body);
    isDoubtful = false;
    bool isUnknown = why.empty();
    if (isUnknown)
      why = "this operator has no lowering and no function body";
    return refuse(op, why, isUnknown);
  }
  for (auto [old, made] : llvm::zip(op->getResults(), *results))
    if (made && isUsed(old))
      returned.insert(made);
  ++depth;
  visitAll(body);
  --depth;
  ++expanded;
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
    // Nothing in the body uses its results, so nothing missed this one.
    if (!doubtful.contains(result) && !old.use_empty()) {
      isDoubtful = false;
      refuse(op, "a result of its function body has no lowering");
    }
    doubtful.insert(old);
  }
}

/// Puts the nodes of the branch that is taken in front of `op`.
void Walk::takeBranch(Operation *op) {
  ctx.begin(op);
  Value condition = values.lookup(op->getOperand(0));
  auto known = condition ? ctx.constantInts(condition) : std::nullopt;
  if (!known || known->size() != 1) {
    visited.push_back(op);
    return refuse(op, "its condition is not known at compile time; "
                      "--const NAME=VALUE gives an input its value");
  }
  Block &branch = op->getRegion(known->front() ? 0 : 1).front();
  Operation *yield = branch.getTerminator();
  SmallVector<Operation *> body;
  for (Operation &inner : branch.without_terminator())
    body.push_back(&inner);
  op->getBlock()->getOperations().splice(op->getIterator(),
                                         branch.getOperations(), branch.begin(),
                                         yield->getIterator());
  visitAll(body);
  setResults(op, yield->getOperands());
  // Behind the body, whose values the branch yields: erased before it.
  visited.push_back(op);
}

void Walk::visit(Operation *op) {
  if (op->getName().stripDialect() == "If") {
    isDoubtful = doubtful.contains(op->getOperand(0));
    return takeBranch(op);
  }
  visited.push_back(op);
  if (op->getName().stripDialect() == "NoValue")
    return;
  isDoubtful = llvm::any_of(op->getOperands(),
                            [&](Value v) { return doubtful.contains(v); });
  if (llvm::any_of(op->getOperands(),
                   [&](Value v) { return unsized.contains(v); }))
    unsized.insert_range(op->getResults());
  const Lowering *lowering = table.find(op->getName().getStringRef());
  if (!lowering)
    return expand(op);
  for (Type type : op->getResultTypes())
    if (isa<RankedTensorType>(type))
      if (std::string why = objection(type); !why.empty())
        return refuse(op, why);
  SmallVector<Value> operands;
  for (Value operand : op->getOperands()) {
    Value value = values.lookup(operand);
    // What a refused node would have made stands in for itself, if it can.
    bool isAbsent = isa<NoneType>(operand.getType());
    if (!value && !isAbsent && !objection(operand.getType()).empty())
      return refuse(op, "an operand is unknown");
    operands.push_back(value || isAbsent ? value : operand);
  }
  lower(op, *lowering, operands);
}

void Walk::replaceOperands(Operation *op) {
  for (OpOperand &operand : op->getOpOperands())
    if (Value value = values.lookup(operand.get()))
      operand.set(value);
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
  for (Operation *op : llvm::reverse(visited))
    op->erase();
  eraseDead(function);
}

LogicalResult Walk::run() {
  if (failed(checkArguments()))
    return failure();
  auto module = function->getParentOfType<ModuleOp>();
  auto symbols = graph::ConstraintStore::load(module);
  if (failed(symbols))
    return failure();
  ctx.symbols() = *symbols;
  for (BlockArgument argument : function.getArguments())
    values[argument] = argument;
  SmallVector<Operation *> ops;
  for (Operation &op : function.front())
    if (isOnnx(&op))
      ops.push_back(&op);
  for (Operation *op : ops)
    visit(op);
  if (failed(report()))
    return failure();
  finish();
  if (failed(settleKnownSymbols(function, ctx.symbols())))
    return failure();
  ctx.symbols().save(module);
  return success();
}

namespace {
class NormalizeOnnxPass
    : public tenon::impl::NormalizeOnnxPassBase<NormalizeOnnxPass> {
public:
  void runOnOperation() override {
    auto programs = graph::requirePrograms(getOperation());
    if (failed(programs))
      return signalPassFailure();
    for (func::FuncOp program : *programs)
      if (failed(normalize(program)))
        return signalPassFailure();
  }

  LogicalResult normalize(func::FuncOp program) {
    if (!llvm::hasSingleElement(program.getBody()))
      return program.emitError("expected a program of one block");
    Walk walk(program);
    if (failed(walk.run()))
      return failure();
    numLowered += walk.numLowered();
    numEvaluated += walk.numEvaluated();
    numExpanded += walk.numExpanded();
    return success();
  }
};
} // namespace
