//===- SplitControl.cpp - part control from what kernels compute ----------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file makes a function of control, and programs of what stands between.
//===----------------------------------------------------------------------===//
#include "passes/Control/Passes.h"

#include "dialects/Control/Control.h"
#include "dialects/Graph/GraphSteps.h"
#include "dialects/Graph/Programs.h"
#include "passes/Control/Levels.h"

#include "mlir/IR/IRMapping.h"
#include "llvm/ADT/StringSet.h"

namespace tenon::ctrl {
#define GEN_PASS_DEF_SPLITCONTROLPASS
#include "passes/Control/Passes.h.inc"
} // namespace tenon::ctrl

using namespace mlir;
using namespace tenon;

namespace {
/// The operations of one level, and what goes in and out.
struct Segment {
  SmallVector<Operation *> ops;
  llvm::SetVector<Value> inputs;
  llvm::SetVector<Value> outputs;
};

/// Splits one function.
class Splitter {
public:
  Splitter(func::FuncOp function, SymbolTable &symbols)
      : function(function), symbols(symbols), levels(function),
        segments(levels.count()), builder(function) {}

  /// The function of control, which stands in front of the segments; it has
  /// the function's name.
  control::FuncOp run(bool isEntry);
  unsigned numSegments() const { return made; }

private:
  void gather();
  void read(Segment &segment, Operation *op);
  void carrySymbols(Segment &segment, Operation *op);
  void carryForCarriers(Segment &segment);
  void write(Value value, Operation *user);
  func::FuncOp makeProgram(Segment &segment);
  void callProgram(Segment &segment);
  void copyControl(Operation *op);
  Value hostValue(Value value);

  func::FuncOp function;
  SymbolTable &symbols;
  ctrl::Levels levels;
  SmallVector<Segment> segments;
  OpBuilder builder; ///< in the function of control
  IRMapping host;    ///< values of the function there
  unsigned made = 0;
};
} // namespace

static bool isCopiedValue(Value value) {
  Operation *op = value.getDefiningOp();
  return op && ctrl::isCopied(op);
}

//===-- What goes in and out ----------------------------------------------===//

void Splitter::read(Segment &segment, Operation *op) {
  unsigned level = levels.of(op);
  for (Value operand : op->getOperands()) {
    Operation *producer = operand.getDefiningOp();
    bool isOwn =
        producer && !ctrl::isControl(producer) && levels.of(producer) == level;
    if (!isOwn && !isCopiedValue(operand))
      segment.inputs.insert(operand);
  }
}

/// Has the segment take what an operation's symbols are extents of.
void Splitter::carrySymbols(Segment &segment, Operation *op) {
  for (StringAttr symbol : ctrl::symbolsOf(op))
    if (Value carrier = levels.carrierOf(symbol))
      segment.inputs.insert(carrier);
}

/// What brings one symbol may have extents of others.
void Splitter::carryForCarriers(Segment &segment) {
  for (size_t i = 0; i < segment.inputs.size(); ++i)
    if (auto type = dyn_cast<RankedTensorType>(segment.inputs[i].getType()))
      for (Attribute dim : graph::dimsOf(type))
        for (StringAttr symbol : ctrl::symbolsOf(dim))
          if (Value carrier = levels.carrierOf(symbol))
            segment.inputs.insert(carrier);
}

/// Has the segment that makes `value` give it to another one, or to control.
void Splitter::write(Value value, Operation *user) {
  Operation *producer = value.getDefiningOp();
  if (!producer || ctrl::isControl(producer) ||
      isa<graph::ConstantOp>(producer))
    return;
  bool isByControl = ctrl::isControl(user) || isa<func::ReturnOp>(user);
  if (isByControl ||
      (!ctrl::isCopied(producer) && levels.of(user) != levels.of(producer)))
    segments[levels.of(producer)].outputs.insert(value);
}

void Splitter::gather() {
  for (Operation &op : function.front()) {
    for (Value operand : op.getOperands())
      write(operand, &op);
    if (ctrl::isControl(&op) || isa<func::ReturnOp>(op) || ctrl::isCopied(&op))
      continue;
    Segment &segment = segments[levels.of(&op)];
    segment.ops.push_back(&op);
    read(segment, &op);
  }
  for (Segment &segment : segments) {
    for (Operation *op : segment.ops) {
      carrySymbols(segment, op);
      for (Value operand : op->getOperands())
        if (isCopiedValue(operand))
          carrySymbols(segment, operand.getDefiningOp());
    }
    for (Value output : segment.outputs)
      carrySymbols(segment, output.getDefiningOp());
    carryForCarriers(segment);
  }
}

//===-- Programs ----------------------------------------------------------===//

/// What errors call an input: the model's name for it, or its node's.
static StringAttr nameOf(func::FuncOp function, Value value) {
  if (auto argument = dyn_cast<BlockArgument>(value))
    return function.getArgAttrOfType<StringAttr>(argument.getArgNumber(),
                                                 "onnx.name");
  if (auto name = dyn_cast<NameLoc>(value.getLoc()))
    return name.getName();
  return {};
}

namespace {
/// Names of a program's inputs, or of its outputs, which differ.
class Names {
public:
  StringAttr add(StringAttr wanted) {
    if (!wanted)
      return {};
    std::string name = wanted.str();
    for (unsigned i = 1; !taken.insert(name).second; ++i)
      name = (wanted.getValue() + "_" + Twine(i)).str();
    return StringAttr::get(wanted.getContext(), name);
  }

private:
  llvm::StringSet<> taken;
};
} // namespace

/// Clones an operation and those that it has to itself.
static void copyInto(OpBuilder &builder, Operation *op, IRMapping &mapping) {
  for (Value operand : op->getOperands())
    if (!mapping.contains(operand) && isCopiedValue(operand))
      builder.clone(*operand.getDefiningOp(), mapping);
  builder.clone(*op, mapping);
}

func::FuncOp Splitter::makeProgram(Segment &segment) {
  MLIRContext *context = function.getContext();
  auto typesOf = [](auto &values) {
    return llvm::map_to_vector(values, [](Value v) { return v.getType(); });
  };
  auto type = FunctionType::get(context, typesOf(segment.inputs),
                                typesOf(segment.outputs));
  std::string name = (function.getName() + "_" + Twine(made)).str();
  auto program = func::FuncOp::create(function.getLoc(), name, type);
  symbols.insert(program);
  Block *body = program.addEntryBlock();
  OpBuilder inside = OpBuilder::atBlockEnd(body);
  IRMapping mapping;
  Names inputNames, outputNames;
  for (auto [index, input] : llvm::enumerate(segment.inputs)) {
    mapping.map(input, body->getArgument(index));
    if (StringAttr label = inputNames.add(nameOf(function, input)))
      program.setArgAttr(index, "onnx.name", label);
  }
  for (Operation *op : segment.ops)
    copyInto(inside, op, mapping);
  SmallVector<Value> results;
  for (auto [index, output] : llvm::enumerate(segment.outputs)) {
    if (!mapping.contains(output))
      copyInto(inside, output.getDefiningOp(), mapping);
    results.push_back(mapping.lookup(output));
    if (StringAttr label = outputNames.add(nameOf(function, output)))
      program.setResultAttr(index, "onnx.name", label);
  }
  func::ReturnOp::create(inside, function.getLoc(), results);
  return program;
}

//===-- Control -----------------------------------------------------------===//

/// A value in the function of control, which makes constants where they are
/// used.
Value Splitter::hostValue(Value value) {
  if (Value known = host.lookupOrNull(value))
    return known;
  auto constant = value.getDefiningOp<graph::ConstantOp>();
  auto copy = control::ConstantOp::create(builder, value.getLoc(),
                                          value.getType(), constant.getValue());
  host.map(value, copy.getResult());
  return copy;
}

void Splitter::callProgram(Segment &segment) {
  if (segment.ops.empty() && segment.outputs.empty())
    return;
  func::FuncOp program = makeProgram(segment);
  ++made;
  SmallVector<Value> inputs = llvm::map_to_vector(
      segment.inputs, [&](Value value) { return hostValue(value); });
  auto call = control::CallOp::create(
      builder, function.getLoc(), program.getResultTypes(),
      FlatSymbolRefAttr::get(program), inputs, ArrayRef<int64_t>());
  host.map(segment.outputs.getArrayRef(), call.getResults());
}

void Splitter::copyControl(Operation *op) {
  for (Value operand : op->getOperands())
    hostValue(operand);
  builder.clone(*op, host);
}

control::FuncOp Splitter::run(bool isEntry) {
  gather();
  builder.setInsertionPoint(function);
  auto name = function.getName().str();
  auto made = control::FuncOp::create(builder, function.getLoc(), name,
                                      function.getFunctionType());
  made.setVisibility(isEntry ? SymbolTable::Visibility::Public
                             : SymbolTable::Visibility::Private);
  made.setArgAttrsAttr(function.getArgAttrsAttr());
  made.setResAttrsAttr(function.getResAttrsAttr());
  Block *body = &made.getBody().emplaceBlock();
  for (BlockArgument argument : function.getArguments())
    host.map(argument,
             body->addArgument(argument.getType(), argument.getLoc()));
  builder.setInsertionPointToEnd(body);
  for (unsigned level = 0; level < levels.count(); ++level) {
    callProgram(segments[level]);
    for (Operation &op : function.front().without_terminator())
      if (ctrl::isControl(&op) && levels.of(&op) == level)
        copyControl(&op);
  }
  SmallVector<Value> results;
  for (Value value : function.front().getTerminator()->getOperands())
    results.push_back(hostValue(value));
  control::ReturnOp::create(builder, function.getLoc(), results);
  return made;
}

//===-- Empty loops -------------------------------------------------------===//

/// The extents of what an iteration gives, 0 for those that are not known in
/// front of the loop.
static Value sizesOf(OpBuilder &builder, control::LoopOp loop, Type stacked,
                     const llvm::DenseSet<Attribute> &known) {
  MLIRContext *context = loop.getContext();
  graph::Dims dims = graph::dimsOf(cast<RankedTensorType>(stacked));
  dims.erase(dims.begin());
  for (Attribute &dim : dims)
    if (!dim || llvm::any_of(ctrl::symbolsOf(dim), [&](StringAttr symbol) {
          return !known.contains(symbol);
        }))
      dim = graph::sizeDim(context, 0);
  auto type =
      RankedTensorType::get({int64_t(dims.size())}, builder.getI64Type());
  return graph::SizesOp::create(builder, loop.getLoc(), type,
                                graph::dimsAttr(context, dims));
}

static bool hasOpenScans(control::LoopOp loop) {
  return llvm::any_of(
      loop.getResults().drop_front(loop.getCarried().size()), [](Value scan) {
        auto type = dyn_cast<RankedTensorType>(scan.getType());
        return type && !ShapedType::isStaticShape(type.getShape().drop_front());
      });
}

/// Has loops know the extents of their scan outputs, should they not run.
static void measureScans(func::FuncOp program) {
  llvm::DenseSet<Attribute> known;
  auto learn = [&](ValueRange values) {
    for (Value value : values)
      if (auto type = dyn_cast<RankedTensorType>(value.getType()))
        known.insert_range(graph::dimsOf(type));
  };
  learn(program.getArguments());
  for (Operation &op : program.front()) {
    auto loop = dyn_cast<control::LoopOp>(op);
    if (loop && loop.getSizes().empty() && hasOpenScans(loop)) {
      OpBuilder builder(loop);
      SmallVector<Value> sizes;
      for (Value scan : loop.getResults().drop_front(loop.getCarried().size()))
        sizes.push_back(sizesOf(builder, loop, scan.getType(), known));
      loop.getSizesMutable().append(sizes);
    }
    if (ctrl::isControl(&op))
      learn(op.getResults());
  }
}

//===-- The pass ----------------------------------------------------------===//

/// The functions that control runs, by name.
static llvm::DenseSet<StringRef> calledIn(ModuleOp module) {
  llvm::DenseSet<StringRef> called;
  module.walk([&](Operation *op) {
    if (ctrl::isControl(op))
      op->getAttrDictionary().walk(
          [&](FlatSymbolRefAttr callee) { called.insert(callee.getValue()); });
  });
  return called;
}

/// Erases bodies whose branch or loop is gone, and then those that only they
/// call.
static void eraseDeadBodies(ModuleOp module) {
  for (bool isDone = false; !isDone;) {
    isDone = true;
    llvm::DenseSet<StringRef> called = calledIn(module);
    for (func::FuncOp program : graph::programs(module))
      if (control::isBody(program) && !called.contains(program.getName())) {
        program.erase();
        isDone = false;
      }
  }
}

/// Whether the host has to hold what programs cannot.
static bool isHosts(Type type) {
  auto tensor = dyn_cast<RankedTensorType>(type);
  return !tensor || isa<control::StringType>(tensor.getElementType());
}

static bool needsHost(func::FuncOp program) {
  return llvm::any_of(program.getArgumentTypes(), isHosts) ||
         llvm::any_of(program.getResultTypes(), isHosts) ||
         llvm::any_of(program.getOps(),
                      [](Operation &op) { return ctrl::isControl(&op); });
}

namespace {
struct SplitControl : ctrl::impl::SplitControlPassBase<SplitControl> {
  void runOnOperation() override {
    ModuleOp module = getOperation();
    eraseDeadBodies(module);
    SmallVector<func::FuncOp> programs = graph::programs(module);
    if (llvm::none_of(programs, needsHost))
      return;
    llvm::DenseSet<StringRef> called = calledIn(module);
    SymbolTable symbols(module);
    for (func::FuncOp program : programs) {
      if (graph::isStepsBody(program))
        continue;
      measureScans(program);
      split(program, symbols, !called.contains(program.getName()));
    }
  }

  void split(func::FuncOp program, SymbolTable &symbols, bool isEntry) {
    Splitter splitter(program, symbols);
    control::FuncOp made = splitter.run(isEntry);
    symbols.erase(program);
    symbols.insert(made);
    numSegments += splitter.numSegments();
  }
};
} // namespace
