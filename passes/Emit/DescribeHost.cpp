//===- DescribeHost.cpp - from vm operations to bytecode ------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "passes/Emit/DescribeHost.h"

#include "dialects/Control/ElementCode.h"
#include "dialects/Control/Primitives.h"
#include "dialects/Graph/Shapes.h"
#include "passes/Emit/DescribeSignature.h"
#include "passes/Emit/Registers.h"

#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace tenon;
using namespace tenon::emit;
using artifact::ArtifactDesc;
using artifact::CalleeKind;
using artifact::InstructionDesc;
using artifact::Opcode;
using artifact::ValueType;

namespace {
/// Where calls go, by name.
using Callees = llvm::StringMap<std::pair<CalleeKind, uint32_t>>;

/// Describes one function.
class FunctionDescriber {
public:
  FunctionDescriber(vm::FuncOp function, const Callees &callees,
                    ArtifactDesc &desc, WeightPool &weights)
      : function(function), callees(callees), desc(desc), weights(weights),
        registers(function) {}

  FailureOr<artifact::FunctionDesc> run();

private:
  void add(Operation *op);
  void add(vm::CallOp op);
  void add(vm::GotoOp op);
  void add(vm::IfOp op);
  void add(vm::ReturnOp op);
  InstructionDesc &append(Opcode opcode, Operation *op);
  void kill(vm::CallOp op);
  void copy(unsigned from, unsigned to, Operation *op);
  SmallVector<int64_t> integersOf(vm::CallOp op);
  std::vector<uint32_t> numbersOf(ValueRange values) const;
  void resolveTargets();
  FailureOr<std::vector<ValueType>> typesOf(ArrayRef<Type> types);

  vm::FuncOp function;
  const Callees &callees;
  ArtifactDesc &desc;
  WeightPool &weights;
  Registers registers;
  artifact::FunctionDesc result;
  llvm::DenseMap<Block *, uint32_t> begins; ///< numbers of instructions
  SmallVector<std::pair<size_t, SmallVector<Block *>>> jumps;
  llvm::DenseMap<unsigned, Value> holds; ///< what registers were given last
};
} // namespace

//===-- Small steps -------------------------------------------------------===//

static std::string nodeOf(Operation *op) {
  auto name = dyn_cast<NameLoc>(op->getLoc());
  return name ? name.getName().str() : "";
}

InstructionDesc &FunctionDescriber::append(Opcode opcode, Operation *op) {
  InstructionDesc instruction;
  instruction.opcode = opcode;
  instruction.node = nodeOf(op);
  result.instructions.push_back(std::move(instruction));
  return result.instructions.back();
}

std::vector<uint32_t> FunctionDescriber::numbersOf(ValueRange values) const {
  std::vector<uint32_t> numbers;
  for (Value value : values)
    numbers.push_back(registers.of(value));
  return numbers;
}

static uint32_t primitiveNumber(StringRef name) {
  return control::findPrimitive(name)->number;
}

//===-- Calls -------------------------------------------------------------===//

/// Strings as they lie in the weights: the end of each, counted from behind
/// these numbers, then all bytes.
static std::string tableOf(DenseStringElementsAttr strings) {
  std::string table, bytes;
  for (StringRef text : strings.getValues<StringRef>()) {
    bytes += text;
    uint64_t end = bytes.size();
    for (int i = 0; i < 8; ++i)
      table += char(end >> (8 * i));
  }
  return table + bytes;
}

/// The number of the weight that holds a constant.
static size_t weightOf(ElementsAttr value, WeightPool &pool,
                       std::vector<artifact::WeightDesc> &weights) {
  if (auto strings = dyn_cast<DenseStringElementsAttr>(value))
    return WeightPool::addBytes(tableOf(strings), weights);
  auto type = cast<RankedTensorType>(value.getType());
  int64_t bytes =
      type.getNumElements() * graph::elementBytes(type.getElementType());
  return pool.add({value, {}, uint64_t(bytes)}, weights);
}

/// A constant's say where it lies.
SmallVector<int64_t> FunctionDescriber::integersOf(vm::CallOp op) {
  auto value = op.getValueAttr();
  if (!value)
    return SmallVector<int64_t>(op.getIntegers());
  auto type = cast<RankedTensorType>(value.getType());
  size_t index = weightOf(value, weights, desc.weights);
  auto code = control::elementCode(type.getElementType());
  SmallVector<int64_t> integers = {int64_t(desc.weights[index].offset),
                                   code->code, code->bits};
  llvm::append_range(integers, type.getShape());
  return integers;
}

/// A register that was given another value is not killed.
void FunctionDescriber::kill(vm::CallOp op) {
  SmallVector<Value> dead;
  for (Value value : op.getArguments()) {
    Value held = holds.lookup(registers.of(value));
    if (!held || held == value)
      dead.push_back(value);
  }
  if (dead.empty())
    return;
  InstructionDesc &instruction = append(Opcode::Call, op);
  instruction.callee = primitiveNumber("kill");
  instruction.operands = numbersOf(dead);
}

void FunctionDescriber::add(vm::CallOp op) {
  if (op.getPrimitive() == "kill")
    return kill(op);
  SmallVector<int64_t> integers = integersOf(op);
  InstructionDesc &instruction = append(Opcode::Call, op);
  if (FlatSymbolRefAttr callee = op.getFunction())
    std::tie(instruction.calleeKind, instruction.callee) =
        callees.lookup(callee.getValue());
  else
    instruction.callee = primitiveNumber(op.getPrimitive());
  instruction.results = numbersOf(op.getResults());
  instruction.operands = numbersOf(op.getArguments());
  instruction.integers.assign(integers.begin(), integers.end());
  for (Value value : op.getResults())
    holds[registers.of(value)] = value;
}

void FunctionDescriber::copy(unsigned from, unsigned to, Operation *op) {
  InstructionDesc &instruction = append(Opcode::Call, op);
  instruction.callee = primitiveNumber("copy");
  instruction.operands = {from};
  instruction.results = {to};
}

//===-- Terminators -------------------------------------------------------===//

/// Arguments are given at once: where one's register is still to be read, all
/// values go through registers of their own.
void FunctionDescriber::add(vm::GotoOp op) {
  SmallVector<std::pair<unsigned, unsigned>> moves;
  for (auto [value, argument] :
       llvm::zip(op.getOperands(), op.getTarget()->getArguments()))
    if (registers.of(value) != registers.of(argument))
      moves.push_back({registers.of(value), registers.of(argument)});
  bool isCrossed = llvm::any_of(moves, [&](auto move) {
    return llvm::any_of(op.getOperands(), [&](Value value) {
      return registers.of(value) == move.second;
    });
  });
  if (isCrossed)
    for (auto &[from, to] : moves) {
      unsigned between = registers.add(registers.types()[from]);
      copy(from, between, op);
      from = between;
    }
  for (auto [from, to] : moves)
    copy(from, to, op);
  if (op->getBlock()->getNextNode() == op.getTarget())
    return;
  jumps.push_back({result.instructions.size(), {op.getTarget()}});
  append(Opcode::Goto, op);
}

void FunctionDescriber::add(vm::IfOp op) {
  jumps.push_back(
      {result.instructions.size(), {op.getThenBlock(), op.getElseBlock()}});
  append(Opcode::If, op).operands = {registers.of(op.getCondition())};
}

void FunctionDescriber::add(vm::ReturnOp op) {
  append(Opcode::Return, op).operands = numbersOf(op.getValues());
}

void FunctionDescriber::resolveTargets() {
  for (auto &[index, blocks] : jumps)
    for (Block *block : blocks)
      result.instructions[index].targets.push_back(begins.lookup(block));
}

//===-- Functions ---------------------------------------------------------===//

FailureOr<std::vector<ValueType>>
FunctionDescriber::typesOf(ArrayRef<Type> types) {
  std::vector<ValueType> result;
  for (Type type : types) {
    auto value = valueTypeOf(type);
    if (!value)
      return function.emitError("an artifact cannot hold ") << type;
    result.push_back(*value);
  }
  return result;
}

void FunctionDescriber::add(Operation *op) {
  llvm::TypeSwitch<Operation *>(op)
      .Case<vm::CallOp, vm::GotoOp, vm::IfOp, vm::ReturnOp>(
          [&](auto op) { add(op); });
}

FailureOr<artifact::FunctionDesc> FunctionDescriber::run() {
  auto results = typesOf(function.getResultTypes());
  if (failed(results) || failed(typesOf(registers.types())))
    return failure();
  for (Block &block : function.getBody()) {
    begins[&block] = result.instructions.size();
    holds.clear();
    for (Operation &op : block)
      add(&op);
  }
  resolveTargets();
  result.name = function.getName().str();
  result.parameterCount = function.getNumArguments();
  result.results = *results;
  result.registers = *typesOf(registers.types());
  return std::move(result);
}

//===-- The module --------------------------------------------------------===//

/// Functions by their order, programs by their entries.
static Callees calleesIn(ModuleOp module, const ArtifactDesc &desc) {
  Callees callees;
  uint32_t number = 0;
  for (auto function : module.getOps<vm::FuncOp>())
    callees[function.getName()] = {CalleeKind::Function, number++};
  for (auto [index, entry] : llvm::enumerate(desc.entries))
    if (entry.isInternal)
      callees[entry.name] = {CalleeKind::Program, uint32_t(index)};
  return callees;
}

LogicalResult emit::describeHost(ModuleOp module, ArtifactDesc &desc,
                                 WeightPool &weights, SizeProgram &sizes) {
  Callees callees = calleesIn(module, desc);
  for (auto function : module.getOps<vm::FuncOp>()) {
    FailureOr<artifact::FunctionDesc> described =
        FunctionDescriber(function, callees, desc, weights).run();
    if (failed(described))
      return failure();
    if (function.isPublic()) {
      desc.entries[0].function = desc.functions.size();
      if (failed(describeSignature(function, desc.entries[0], sizes)))
        return failure();
    }
    desc.functions.push_back(std::move(*described));
  }
  return success();
}
