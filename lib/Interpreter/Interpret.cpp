//===- Interpret.cpp - whole functions ------------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file executes the operations of a function, and of the groups in it, one
// after the other.
//===----------------------------------------------------------------------===//
#include "lib/Interpreter/Interpreter.h"

#include "lib/Interpreter/Check.h"
#include "lib/Interpreter/Symbols.h"

#include "dialects/Check/Check.h"
#include "dialects/Kernel/Kernel.h"

using namespace mlir;
using namespace tenon;
using namespace tenon::interp;

namespace {

/// The values alive in one block. A value is dropped when its last user has
/// run.
class Scope {
public:
  void define(Value value, Tensor tensor) {
    if (value.use_empty())
      return;
    tensors[value] = std::move(tensor);
    uses[value] = std::distance(value.use_begin(), value.use_end());
  }

  SmallVector<Tensor> operandsOf(Operation *op) const {
    SmallVector<Tensor> values;
    for (Value operand : op->getOperands())
      values.push_back(tensors.lookup(operand));
    return values;
  }

  void release(Operation *user) {
    for (Value operand : user->getOperands())
      if (--uses[operand] == 0)
        tensors.erase(operand);
  }

private:
  llvm::DenseMap<Value, Tensor> tensors;
  llvm::DenseMap<Value, int64_t> uses;
};

} // namespace

static FailureOr<SmallVector<Tensor>>
interpretBlock(Block &block, ArrayRef<Tensor> inputs, Symbols &symbols);

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

static FailureOr<SmallVector<Tensor>>
execute(Operation *op, SmallVector<Tensor> operands, Symbols &symbols) {
  if (auto group = dyn_cast<kernel::GroupOp>(op))
    return interpretBlock(group.getBlock(), operands, symbols);
  if (auto stage = dyn_cast<kernel::StageOp>(op))
    return interpretBlock(stage.getBlock(), operands, symbols);
  std::string reason;
  if (isa<check::CheckDialect>(op->getDialect())) {
    if (succeeded(runCheck(op, operands, reason)))
      return SmallVector<Tensor>();
    return op->emitError(reason);
  }
  auto results = evaluateInstance(op, operands, symbols, reason);
  if (failed(results))
    return op->emitError("cannot be interpreted: '")
           << op->getName() << "' " << reason;
  return results;
}

static FailureOr<SmallVector<Tensor>>
interpretBlock(Block &block, ArrayRef<Tensor> inputs, Symbols &symbols) {
  Scope scope;
  for (auto [argument, input] : llvm::zip(block.getArguments(), inputs))
    scope.define(argument, input);
  for (Operation &op : block.without_terminator()) {
    auto results = execute(&op, scope.operandsOf(&op), symbols);
    if (failed(results))
      return failure();
    for (auto [value, tensor] : llvm::zip(op.getResults(), *results))
      scope.define(value, std::move(tensor));
    scope.release(&op);
  }
  return scope.operandsOf(block.getTerminator());
}

/// Binds the symbols of the arguments and checks what is known of them.
static LogicalResult bindInputs(func::FuncOp function, ArrayRef<Tensor> inputs,
                                Symbols &symbols) {
  std::string reason;
  for (auto [index, input] : llvm::enumerate(inputs)) {
    auto type = cast<RankedTensorType>(function.getArgumentTypes()[index]);
    if (failed(symbols.bind(type, input.getShape(), reason)))
      return function.emitError("input ") << index << ": " << reason;
  }
  auto module = function->getParentOfType<ModuleOp>();
  if (!module)
    return success();
  auto constraints = graph::ConstraintStore::load(module);
  if (failed(constraints))
    return failure();
  if (failed(symbols.check(*constraints, reason)))
    return function.emitError("dimension ") << reason;
  return success();
}

/// Whether an input fits an argument; dynamic extents take any.
static bool fits(const Tensor &input, Type type) {
  auto tensor = dyn_cast<RankedTensorType>(type);
  return input && tensor && tensor.getElementType() == input.getElementType() &&
         succeeded(verifyCompatibleShape(tensor.getShape(), input.getShape()));
}

FailureOr<SmallVector<Tensor>>
tenon::interp::interpretFunction(func::FuncOp function,
                                 ArrayRef<Tensor> inputs) {
  if (!function.getBody().hasOneBlock())
    return function.emitError("only a function of one block can be "
                              "interpreted");
  if (inputs.size() != function.getNumArguments())
    return function.emitError("needs ")
           << function.getNumArguments() << " inputs, got " << inputs.size();
  Symbols symbols;
  for (auto [index, input] : llvm::enumerate(inputs)) {
    Type type = function.getArgumentTypes()[index];
    if (!fits(input, type))
      return function.emitError("input ")
             << index << " is not of type " << type;
  }
  if (failed(bindInputs(function, inputs, symbols)))
    return failure();
  return interpretBlock(function.getBody().front(), inputs, symbols);
}
