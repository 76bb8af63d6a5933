//===- EncodeBytecode.cpp - functions as bytes ----------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file writes the BYTECODE section, and checks that what is written says
// what the description does: bytecode.def decides which parts an opcode has.
//===----------------------------------------------------------------------===//
#include "lib/Target/Artifact/Encode.h"

#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/STLExtras.h"

using namespace tenon::artifact;

namespace {

/// What bytecode.def says of an opcode.
struct Schema {
  bool hasCallee, hasResults;
  uint32_t leastOperands, mostOperands;
  bool hasIntegers;
  uint32_t targets;
};

/// The section's lists while they grow.
struct Lists {
  std::string functions, instructions, integers, types, callees, operands;
  tenon_bytecode_header header = {};
  llvm::MapVector<std::pair<uint32_t, uint32_t>, uint32_t> calleeNumbers;
};

} // namespace

/// Null: there is no such opcode.
static const Schema *schemaOf(Opcode opcode) {
  static constexpr std::pair<uint32_t, Schema> schemas[] = {
#define TENON_OPCODE(number, name, callee, results, least, most, integers,     \
                     targets, ...)                                             \
  {number, {callee, results, least, most, integers, targets}},
#include "tenon/bytecode.def"
  };
  for (const auto &[number, schema] : schemas)
    if (number == static_cast<uint32_t>(opcode))
      return &schema;
  return nullptr;
}

static void encodeTypes(llvm::ArrayRef<ValueType> types, Lists &lists) {
  for (const ValueType &type : types)
    append(lists.types,
           tenon_type_record{static_cast<uint8_t>(type.kind), type.type.code,
                             type.type.bits,
                             type.rank.value_or(uint8_t(TENON_TYPE_RANK_ANY))});
  lists.header.type_count += types.size();
}

static uint32_t encodeCallee(const InstructionDesc &instruction, Lists &lists) {
  std::pair<uint32_t, uint32_t> callee = {
      static_cast<uint32_t>(instruction.calleeKind), instruction.callee};
  auto [entry, isNew] =
      lists.calleeNumbers.try_emplace(callee, lists.header.callee_count);
  if (!isNew)
    return entry->second;
  append(lists.callees, tenon_callee_record{callee.first, callee.second});
  return lists.header.callee_count++;
}

static void encodeInstruction(const InstructionDesc &instruction, Lists &lists,
                              NameTable &names) {
  tenon_instruction_record record = {};
  record.opcode = static_cast<uint32_t>(instruction.opcode);
  record.node = names.add(instruction.node);
  if (instruction.opcode == Opcode::Call)
    record.callee = encodeCallee(instruction, lists);
  record.first_operand = lists.header.operand_count;
  record.result_count = instruction.results.size();
  record.operand_count = instruction.operands.size();
  record.first_integer = lists.header.integer_count;
  record.integer_count = instruction.integers.size();
  llvm::copy(instruction.targets, record.targets);
  append(lists.instructions, record);
  for (const auto *list : {&instruction.results, &instruction.operands})
    for (uint32_t number : *list)
      append(lists.operands, number);
  for (int64_t integer : instruction.integers)
    append(lists.integers, integer);
  lists.header.operand_count += record.result_count + record.operand_count;
  lists.header.integer_count += record.integer_count;
  ++lists.header.instruction_count;
}

static void encodeFunction(const FunctionDesc &function, Lists &lists,
                           NameTable &names) {
  tenon_function_record record = {};
  record.name = names.add(function.name);
  record.first_type = lists.header.type_count;
  record.register_count = function.registers.size();
  record.parameter_count = function.parameterCount;
  record.result_count = function.results.size();
  record.first_instruction = lists.header.instruction_count;
  record.instruction_count = function.instructions.size();
  append(lists.functions, record);
  encodeTypes(function.registers, lists);
  encodeTypes(function.results, lists);
  for (const InstructionDesc &instruction : function.instructions)
    encodeInstruction(instruction, lists, names);
  ++lists.header.function_count;
}

std::string tenon::artifact::encodeBytecode(const ArtifactDesc &desc,
                                            NameTable &names) {
  Lists lists;
  for (const FunctionDesc &function : desc.functions)
    encodeFunction(function, lists, names);
  std::string bytes;
  append(bytes, lists.header);
  return bytes + lists.integers + lists.functions + lists.instructions +
         lists.types + lists.callees + lists.operands;
}

static llvm::Error checkInstruction(const InstructionDesc &instruction,
                                    const llvm::Twine &what) {
  const Schema *schema = schemaOf(instruction.opcode);
  if (!schema)
    return makeError(what + " has an opcode that does not exist");
  size_t operands = instruction.operands.size();
  if ((!schema->hasResults && !instruction.results.empty()) ||
      (!schema->hasIntegers && !instruction.integers.empty()) ||
      operands < schema->leastOperands || operands > schema->mostOperands ||
      instruction.targets.size() != schema->targets)
    return makeError(what + " has what its opcode has not");
  return checkName(instruction.node);
}

static llvm::Error checkFunction(const FunctionDesc &function) {
  if (llvm::Error error = checkName(function.name))
    return error;
  if (function.parameterCount > function.registers.size())
    return makeError("function '" + function.name +
                     "' has more parameters than registers");
  for (auto [i, instruction] : llvm::enumerate(function.instructions))
    if (llvm::Error error = checkInstruction(
            instruction, "instruction " + llvm::Twine(i) + " of function '" +
                             function.name + "'"))
      return error;
  return llvm::Error::success();
}

llvm::Error tenon::artifact::validateBytecode(const ArtifactDesc &desc) {
  for (const FunctionDesc &function : desc.functions)
    if (llvm::Error error = checkFunction(function))
      return error;
  for (const EntryDesc &entry : desc.entries)
    if (entry.function && *entry.function >= desc.functions.size())
      return makeError("entry '" + entry.name +
                       "' is a function that does not exist");
  return llvm::Error::success();
}
