//===- Parse.c - the bytecode section -------------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file slices the BYTECODE section and checks each record by itself. Types
// are Signatures.c's, order is Flow.c's.
//===----------------------------------------------------------------------===//
#include "src/vm/Bytecode.h"

#include <stdlib.h>

const struct tenonOpcode *tenonFindOpcode(uint32_t number) {
  static const struct tenonOpcode opcodes[] = {
#define TENON_OPCODE(number, name, callee, results, least, most, integers,     \
                     targets, through, ...)                                    \
  [number] = {#name, callee, results, least, most, integers, targets, through},
#include "tenon/bytecode.def"
  };
  return number < sizeof opcodes / sizeof *opcodes && opcodes[number].name
             ? &opcodes[number]
             : NULL;
}

#define ANY UINT32_MAX
const struct tenonPrimitive *tenonFindPrimitive(uint32_t number) {
  static const struct tenonPrimitive primitives[] = {
#define TENON_PRIMITIVE(number, name, least, most, results, integers, summary) \
  [number] = {#name, least, most, results, integers},
#include "tenon/primitives.def"
  };
  return number < sizeof primitives / sizeof *primitives &&
                 primitives[number].name
             ? &primitives[number]
             : NULL;
}
#undef ANY

bool tenonIsCallOf(const struct tenonBytecode *bytecode,
                   const struct tenon_instruction_record *instruction,
                   uint32_t kind, uint32_t *number) {
  if (instruction->opcode != TENON_OPCODE_call)
    return false;
  const struct tenon_callee_record *callee =
      &bytecode->callees[instruction->callee];
  *number = callee->number;
  return callee->kind == kind;
}

tenon_status *
tenonBadInstruction(const struct tenonBytecode *bytecode,
                    const struct tenon_instruction_record *instruction,
                    const char *what) {
  return TENON_BAD("instruction %u of the bytecode %s",
                   (uint32_t)(instruction - bytecode->instructions), what);
}

static tenon_status *slice(const tenon_model *model,
                           struct tenonBytecode *bytecode) {
  struct tenonBytes bytes = model->sections[TENON_SECTION_BYTECODE];
  const struct tenon_bytecode_header *counts = (const void *)bytes.data;
  if (bytes.size < sizeof *counts)
    return TENON_BAD("the bytecode section is too small");
  uint64_t size =
      sizeof *counts + counts->integer_count * (uint64_t)sizeof(int64_t) +
      counts->function_count * (uint64_t)sizeof(struct tenon_function_record) +
      counts->instruction_count *
          (uint64_t)sizeof(struct tenon_instruction_record) +
      counts->type_count * (uint64_t)sizeof(struct tenon_type_record) +
      counts->callee_count * (uint64_t)sizeof(struct tenon_callee_record) +
      counts->operand_count * (uint64_t)sizeof(uint32_t);
  if (bytes.size != size)
    return TENON_BAD("the bytecode section has the wrong size");
  bytecode->counts = counts;
  bytecode->integers = (const int64_t *)(counts + 1);
  bytecode->functions =
      (const void *)(bytecode->integers + counts->integer_count);
  bytecode->instructions =
      (const void *)(bytecode->functions + counts->function_count);
  bytecode->types =
      (const void *)(bytecode->instructions + counts->instruction_count);
  bytecode->callees = (const void *)(bytecode->types + counts->type_count);
  bytecode->operands = (const void *)(bytecode->callees + counts->callee_count);
  return NULL;
}

static tenon_status *checkTypes(const struct tenonBytecode *bytecode) {
  for (uint32_t i = 0; i < bytecode->counts->type_count; ++i) {
    const struct tenon_type_record *type = &bytecode->types[i];
    if (type->kind > TENON_KIND_optional_sequence ||
        !tenonIsElementType(type->type_code, type->type_bits) ||
        (type->rank > TENON_MAX_RANK && type->rank != TENON_TYPE_RANK_ANY))
      return TENON_BAD("type %u of the bytecode is bad", i);
  }
  return NULL;
}

static bool isCallee(const tenon_model *model,
                     const struct tenonBytecode *bytecode,
                     const struct tenon_callee_record *callee) {
  switch (callee->kind) {
  case TENON_CALLEE_function:
    return callee->number < bytecode->counts->function_count;
  case TENON_CALLEE_program:
    return callee->number < model->entryCount &&
           !model->entries[callee->number].function;
  case TENON_CALLEE_primitive:
    return tenonFindPrimitive(callee->number);
  default:
    return false;
  }
}

static tenon_status *checkCallees(const tenon_model *model,
                                  const struct tenonBytecode *bytecode) {
  for (uint32_t i = 0; i < bytecode->counts->callee_count; ++i)
    if (!isCallee(model, bytecode, &bytecode->callees[i]))
      return TENON_BAD("callee %u of the bytecode does not exist", i);
  return NULL;
}

/// Whether an instruction has what its opcode has, and nothing else.
static bool fitsSchema(const struct tenonBytecode *bytecode,
                       const struct tenon_instruction_record *instruction,
                       const struct tenonOpcode *opcode) {
  const struct tenon_bytecode_header *counts = bytecode->counts;
  bool fits = opcode->hasCallee ? instruction->callee < counts->callee_count
                                : !instruction->callee;
  fits &= opcode->hasResults || !instruction->result_count;
  fits &= opcode->hasIntegers || !instruction->integer_count;
  fits &= instruction->operand_count >= opcode->leastOperands &&
          instruction->operand_count <= opcode->mostOperands;
  fits &= tenonWithin(instruction->first_operand,
                      (uint64_t)instruction->result_count +
                          instruction->operand_count,
                      counts->operand_count);
  return fits && tenonWithin(instruction->first_integer,
                             instruction->integer_count, counts->integer_count);
}

static tenon_status *
checkInstruction(const tenon_model *model, const struct tenonBytecode *bytecode,
                 const struct tenon_function_record *function,
                 const struct tenon_instruction_record *instruction) {
  TENON_TRY(tenonCheckName(model, instruction->node));
  const struct tenonOpcode *opcode = tenonFindOpcode(instruction->opcode);
  if (!opcode)
    return tenonBadInstruction(bytecode, instruction, "has no opcode");
  if (!fitsSchema(bytecode, instruction, opcode))
    return tenonBadInstruction(bytecode, instruction,
                               "does not have what its opcode has");
  const uint32_t *registers = tenonResults(bytecode, instruction);
  uint32_t count = instruction->result_count + instruction->operand_count;
  for (uint32_t i = 0; i < count; ++i)
    if (registers[i] >= function->register_count)
      return tenonBadInstruction(bytecode, instruction,
                                 "names a register that does not exist");
  for (uint32_t i = 0; i < 2; ++i)
    if (i < opcode->targets
            ? instruction->targets[i] >= function->instruction_count
            : instruction->targets[i] != 0)
      return tenonBadInstruction(bytecode, instruction, "has a bad target");
  return NULL;
}

/// Calls look at their callees' records: all are checked before instructions.
static tenon_status *checkRecord(const tenon_model *model,
                                 const struct tenonBytecode *bytecode,
                                 uint32_t index) {
  const struct tenon_function_record *function = &bytecode->functions[index];
  TENON_TRY(tenonCheckName(model, function->name));
  if (!function->instruction_count || function->reserved ||
      function->parameter_count > function->register_count ||
      !tenonWithin(function->first_type,
                   (uint64_t)function->register_count + function->result_count,
                   bytecode->counts->type_count))
    return TENON_BAD("function %u is bad", index);
  return NULL;
}

static tenon_status *checkFunction(const tenon_model *model,
                                   const struct tenonBytecode *bytecode,
                                   uint32_t index) {
  const struct tenon_function_record *function = &bytecode->functions[index];
  const struct tenon_instruction_record *instruction =
      bytecode->instructions + function->first_instruction;
  for (uint32_t i = 0; i < function->instruction_count; ++i)
    TENON_TRY(checkInstruction(model, bytecode, function, instruction + i));
  if (tenonFindOpcode(instruction[function->instruction_count - 1].opcode)
          ->fallsThrough)
    return TENON_BAD("function %u does not end in its last instruction", index);
  for (uint32_t i = 0; i < function->instruction_count; ++i)
    TENON_TRY(tenonCheckCall(model, bytecode, function, instruction + i));
  return tenonCheckFlow(bytecode, function);
}

static tenon_status *checkFunctions(const tenon_model *model,
                                    const struct tenonBytecode *bytecode) {
  const struct tenon_function_record *functions = bytecode->functions;
  uint64_t end = 0;
  for (uint32_t i = 0; i < bytecode->counts->function_count; ++i) {
    if (functions[i].first_instruction != end)
      return TENON_BAD("the functions do not follow each other");
    end += functions[i].instruction_count;
    if (end > bytecode->counts->instruction_count)
      return TENON_BAD("the functions do not follow each other");
  }
  if (end != bytecode->counts->instruction_count)
    return TENON_BAD("the functions do not follow each other");
  for (uint32_t i = 0; i < bytecode->counts->function_count; ++i)
    TENON_TRY(checkRecord(model, bytecode, i));
  for (uint32_t i = 0; i < bytecode->counts->function_count; ++i)
    TENON_TRY(checkFunction(model, bytecode, i));
  return NULL;
}

/// Whether what `from` describes always is what `to` does. Nothing checks ranks
/// where callers' values become registers.
static bool isAlways(const struct tenon_type_record *from,
                     const struct tenon_type_record *to) {
  bool hasRank =
      to->kind == TENON_KIND_tensor && to->rank != TENON_TYPE_RANK_ANY;
  return tenonIsAssignable(from, to) && (!hasRank || from->rank == to->rank);
}

/// That an entry's function takes and gives what the signature says.
static tenon_status *checkEntry(const tenon_model *model,
                                const struct tenonBytecode *bytecode,
                                const struct tenon_entry_record *entry) {
  const char *name = tenonName(model, entry->name);
  if (entry->function > bytecode->counts->function_count)
    return TENON_BAD("the function of entry '%s' does not exist", name);
  const struct tenon_function_record *function =
      &bytecode->functions[entry->function - 1];
  const struct tenon_tensor_record *tensors = tenonEntryTensors(model, entry);
  bool fits = function->parameter_count == entry->input_count &&
              function->result_count == entry->output_count;
  for (uint32_t i = 0; fits && i < entry->input_count; ++i) {
    struct tenon_type_record given = tenonTypeOfTensor(&tensors[i]);
    fits = isAlways(&given, tenonRegisterType(bytecode, function, i));
  }
  for (uint32_t i = 0; fits && i < entry->output_count; ++i) {
    struct tenon_type_record wanted =
        tenonTypeOfTensor(&tensors[entry->input_count + i]);
    fits = isAlways(tenonResultType(bytecode, function, i), &wanted);
  }
  return fits ? NULL
              : TENON_BAD("the function of entry '%s' has another signature",
                          name);
}

/// Marks operands that the next instruction kills, or that are results, too.
static void markMoves(const struct tenonBytecode *bytecode,
                      const struct tenon_instruction_record *instruction) {
  uint32_t number;
  const struct tenon_instruction_record *next = instruction + 1;
  const uint32_t *operands = tenonOperands(bytecode, instruction);
  const uint32_t *results = tenonResults(bytecode, instruction);
  bool isKilled =
      tenonIsCallOf(bytecode, next, TENON_CALLEE_primitive, &number) &&
      number == TENON_PRIMITIVE_kill;
  uint8_t *moves = bytecode->moves + (operands - bytecode->operands);
  // The last operand that is a register is it; one that stands twice has two
  // owners meanwhile. Lists are short but for those of `kill` itself.
  for (uint32_t i = 0; i < instruction->operand_count; ++i) {
    bool isLast = true, isDead = false;
    for (uint32_t k = i + 1; isLast && k < instruction->operand_count; ++k)
      isLast = operands[k] != operands[i];
    for (uint32_t k = 0; !isDead && k < instruction->result_count; ++k)
      isDead = results[k] == operands[i];
    const uint32_t *killed = tenonOperands(bytecode, next);
    for (uint32_t k = 0; isKilled && !isDead && k < next->operand_count; ++k)
      isDead = killed[k] == operands[i];
    moves[i] = isLast && isDead;
  }
}

#define MOST_MOVED 256u

static tenon_status *findMoves(struct tenonBytecode *bytecode) {
  uint32_t count = bytecode->counts->operand_count;
  bytecode->moves = calloc(count ? count : 1, 1);
  if (!bytecode->moves)
    return tenonNoMemory(count);
  // The last instruction of all is no call.
  for (uint32_t i = 0; i + 1 < bytecode->counts->instruction_count; ++i) {
    const struct tenon_instruction_record *instruction =
        &bytecode->instructions[i];
    if (instruction->opcode == TENON_OPCODE_call &&
        instruction->operand_count <= MOST_MOVED &&
        instruction->result_count <= MOST_MOVED)
      markMoves(bytecode, instruction);
  }
  return NULL;
}

tenon_status *tenonParseBytecode(tenon_model *model) {
  struct tenonBytecode *bytecode = calloc(1, sizeof *bytecode);
  if (!bytecode)
    return tenonNoMemory(sizeof *bytecode);
  model->bytecode = bytecode;
  TENON_TRY(slice(model, bytecode));
  TENON_TRY(checkTypes(bytecode));
  TENON_TRY(checkCallees(model, bytecode));
  TENON_TRY(checkFunctions(model, bytecode));
  for (uint32_t i = 0; i < model->entryCount; ++i)
    if (model->entries[i].function)
      TENON_TRY(checkEntry(model, bytecode, &model->entries[i]));
  TENON_TRY(tenonCheckDepth(bytecode));
  return findMoves(bytecode);
}

void tenonFreeBytecode(struct tenonBytecode *bytecode) {
  if (!bytecode)
    return;
  free(bytecode->moves);
  free(bytecode->stackRegisters);
  free(bytecode->stackFrames);
  free(bytecode);
}
