//===- Registers.cpp - which register holds a value -----------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "passes/Emit/Registers.h"

#include "dialects/Control/ElementCode.h"

using namespace mlir;
using namespace tenon;
using namespace tenon::emit;
using artifact::ValueKind;
using artifact::ValueType;

static std::optional<ValueType> tensorType(Type type, ValueKind kind) {
  auto tensor = dyn_cast<TensorType>(type);
  if (!tensor)
    return std::nullopt;
  auto code = control::elementCode(tensor.getElementType());
  if (!code)
    return std::nullopt;
  ValueType result{{uint8_t(code->code), uint8_t(code->bits)}, {}, kind};
  if (tensor.hasRank())
    result.rank = tensor.getRank();
  return result;
}

std::optional<ValueType> emit::valueTypeOf(Type type) {
  if (auto sequence = dyn_cast<control::SequenceType>(type))
    return tensorType(sequence.getElement(), ValueKind::Sequence);
  auto optional = dyn_cast<control::OptionalType>(type);
  if (!optional)
    return tensorType(type, ValueKind::Tensor);
  if (auto sequence = dyn_cast<control::SequenceType>(optional.getElement()))
    return tensorType(sequence.getElement(), ValueKind::OptionalSequence);
  return tensorType(optional.getElement(), ValueKind::Optional);
}

static bool isSameRegister(Type a, Type b) {
  auto first = valueTypeOf(a), second = valueTypeOf(b);
  return first && second && first->type == second->type &&
         first->rank == second->rank && first->kind == second->kind;
}

static bool isKill(Operation *op) {
  auto call = dyn_cast<vm::CallOp>(op);
  return call && call.getPrimitive() == "kill";
}

/// Whether an operation behind `op` in its block reads a value.
static bool isReadBehind(Value value, Operation *op) {
  return llvm::any_of(value.getUsers(), [&](Operation *user) {
    return user->getBlock() == op->getBlock() && op->isBeforeInBlock(user) &&
           !isKill(user);
  });
}

Value Registers::targetOf(OpResult result) const {
  Operation *op = result.getOwner();
  auto jump = dyn_cast<vm::GotoOp>(op->getBlock()->getTerminator());
  bool isLocal = llvm::all_of(result.getUsers(), [&](Operation *user) {
    return user->getBlock() == op->getBlock();
  });
  if (!jump || !isLocal)
    return {};
  for (auto [operand, argument] :
       llvm::zip(jump.getOperands(), jump.getTarget()->getArguments()))
    if (operand == result && !isReadBehind(argument, op) &&
        isSameRegister(operand.getType(), argument.getType()))
      return argument;
  return {};
}

unsigned Registers::add(Type type) {
  all.push_back(type);
  return all.size() - 1;
}

Registers::Registers(vm::FuncOp function) {
  for (Block &block : function.getBody())
    for (BlockArgument argument : block.getArguments())
      numbers[argument] = add(argument.getType());
  for (Block &block : function.getBody())
    for (Operation &op : block)
      for (OpResult result : op.getResults()) {
        Value target = targetOf(result);
        numbers[result] = target ? of(target) : add(result.getType());
      }
}
