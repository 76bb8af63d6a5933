//===- Interpret.cpp - whole functions ------------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file executes the operations of a function, and of the groups in it, one
// after the other.
//===----------------------------------------------------------------------===//
#include "lib/Interpreter/Check.h"
#include "lib/Interpreter/Execution.h"

#include "dialects/Check/Check.h"
#include "dialects/Graph/Programs.h"
#include "dialects/Kernel/Kernel.h"

using namespace mlir;
using namespace tenon;
using namespace tenon::interp;

namespace {

/// The values alive in one block. A value is dropped when its last user has
/// run.
class Scope {
public:
  void define(mlir::Value value, Datum datum) {
    if (value.use_empty())
      return;
    data[value] = std::move(datum);
    uses[value] = std::distance(value.use_begin(), value.use_end());
  }

  Data operandsOf(Operation *op) const {
    Data values;
    for (mlir::Value operand : op->getOperands())
      values.push_back(data.lookup(operand));
    return values;
  }

  void release(Operation *user) {
    for (mlir::Value operand : user->getOperands())
      if (--uses[operand] == 0)
        data.erase(operand);
  }

private:
  llvm::DenseMap<mlir::Value, Datum> data;
  llvm::DenseMap<mlir::Value, int64_t> uses;
};

} // namespace

/// Evaluates an operation, with sizes in place of its symbols.
static FailureOr<SmallVector<Tensor>>
evaluateInstance(Operation *op, ArrayRef<Tensor> operands, Symbols &symbols,
                 std::string &reason) {
  if (!Symbols::isSymbolic(op))
    return evaluate(op, operands, &reason);
  Block arguments;
  auto made = symbols.instance(op, operands, arguments, reason);
  if (!made)
    return failure();
  return evaluate(*made, operands, &reason);
}

/// The operands of a graph operation; no tensor where one is something else.
static SmallVector<Tensor> tensorsOf(ArrayRef<Datum> data) {
  SmallVector<Tensor> tensors;
  for (const Datum &datum : data)
    tensors.push_back(datum.tensor() ? *datum.tensor() : Tensor());
  return tensors;
}

FailureOr<Data> Execution::runOp(Operation *op, Data operands,
                                 Symbols &symbols) {
  if (auto group = dyn_cast<kernel::GroupOp>(op))
    return runBlock(group.getBlock(), operands, symbols);
  if (auto stage = dyn_cast<kernel::StageOp>(op))
    return runBlock(stage.getBlock(), operands, symbols);
  if (isa<control::ControlDialect>(op->getDialect()))
    return runControl(op, std::move(operands), symbols);
  if (auto steps = dyn_cast<graph::StepsOp>(op))
    return runSteps(steps, std::move(operands));
  std::string reason;
  if (isa<check::CheckDialect>(op->getDialect())) {
    if (succeeded(runCheck(op, operands, reason)))
      return Data();
    return op->emitError(reason);
  }
  SmallVector<Tensor> tensors = tensorsOf(operands);
  operands.clear();
  auto results = evaluateInstance(op, tensors, symbols, reason);
  if (failed(results))
    return op->emitError("cannot be interpreted: '")
           << op->getName() << "' " << reason;
  return Data(results->begin(), results->end());
}

FailureOr<Data> Execution::runBlock(Block &block, ArrayRef<Datum> inputs,
                                    Symbols &symbols) {
  Scope scope;
  for (auto [argument, input] : llvm::zip(block.getArguments(), inputs))
    scope.define(argument, input);
  for (Operation &op : block.without_terminator()) {
    auto results = runOp(&op, scope.operandsOf(&op), symbols);
    if (failed(results))
      return failure();
    for (auto [value, datum] : llvm::zip(op.getResults(), *results))
      scope.define(value, std::move(datum));
    scope.release(&op);
  }
  return scope.operandsOf(block.getTerminator());
}

//===-- Functions ---------------------------------------------------------===//

LogicalResult Execution::prepare() {
  if (!module)
    return success();
  auto loaded = graph::ConstraintStore::load(module);
  if (failed(loaded))
    return failure();
  constraints = std::move(*loaded);
  return success();
}

/// Binds the symbols of the arguments and checks what is known of them.
LogicalResult Execution::bindArguments(FunctionOpInterface function,
                                       ArrayRef<Datum> arguments,
                                       Symbols &symbols) {
  std::string reason;
  for (auto [index, argument] : llvm::enumerate(arguments)) {
    auto type = dyn_cast<RankedTensorType>(function.getArgumentTypes()[index]);
    if (type && failed(symbols.bind(type, argument.getShape(), reason)))
      return function.emitError("input ") << index << ": " << reason;
  }
  if (failed(symbols.check(constraints, reason)))
    return function.emitError("dimension ") << reason;
  return success();
}

FailureOr<Data> Execution::run(FunctionOpInterface function,
                               ArrayRef<Datum> arguments) {
  if (!function.getFunctionBody().hasOneBlock())
    return function.emitError("only a function of one block can be "
                              "interpreted");
  if (arguments.size() != function.getNumArguments())
    return function.emitError("needs ")
           << function.getNumArguments() << " inputs, got " << arguments.size();
  for (auto [index, argument] : llvm::enumerate(arguments)) {
    Type type = function.getArgumentTypes()[index];
    if (!argument.isOf(type))
      return function.emitError("input ")
             << index << " is not of type " << type;
  }
  Symbols symbols;
  if (failed(bindArguments(function, arguments, symbols)))
    return failure();
  active.push_back(function);
  auto results =
      runBlock(function.getFunctionBody().front(), arguments, symbols);
  active.pop_back();
  return results;
}

FailureOr<FunctionOpInterface> tenon::interp::findProgram(ModuleOp module) {
  for (auto function : module.getOps<control::FuncOp>())
    if (function.isPublic())
      return FunctionOpInterface(function);
  WalkResult control = module.walk([](Operation *op) {
    return isa_and_present<control::ControlDialect>(op->getDialect())
               ? WalkResult::interrupt()
               : WalkResult::advance();
  });
  auto programs = graph::programs(module);
  if (control.wasInterrupted() && !programs.empty())
    return FunctionOpInterface(programs.front());
  auto program = graph::requireProgram(module);
  if (failed(program))
    return failure();
  return FunctionOpInterface(*program);
}

FailureOr<Data> tenon::interp::interpret(FunctionOpInterface function,
                                         ArrayRef<Datum> inputs) {
  Execution execution(function->getParentOfType<ModuleOp>());
  if (failed(execution.prepare()))
    return failure();
  return execution.run(function, inputs);
}

FailureOr<SmallVector<Tensor>>
tenon::interp::interpretFunction(func::FuncOp function,
                                 ArrayRef<Tensor> inputs) {
  Data data(inputs.begin(), inputs.end());
  auto results = interpret(function, data);
  if (failed(results))
    return failure();
  for (auto [index, result] : llvm::enumerate(*results))
    if (!result.tensor())
      return function.emitError("result ") << index << " is not a tensor";
  return tensorsOf(*results);
}
