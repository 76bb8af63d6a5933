//===- Signatures.c - the types of calls ----------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file checks what calls take and give against their callees, so that the
// machine need not: every register always holds a value of its type. A rank
// that is not known here is checked when the value goes into the register.
//===----------------------------------------------------------------------===//
#include "src/vm/Bytecode.h"

#include <string.h>

/// A call that is checked.
struct call {
  const tenon_model *model;
  const struct tenonBytecode *bytecode;
  const struct tenon_function_record *function;
  const struct tenon_instruction_record *instruction;
};

static const struct tenon_type_record *operandType(const struct call *call,
                                                   uint32_t index) {
  return tenonRegisterType(
      call->bytecode, call->function,
      tenonOperands(call->bytecode, call->instruction)[index]);
}

static const struct tenon_type_record *resultType(const struct call *call,
                                                  uint32_t index) {
  return tenonRegisterType(
      call->bytecode, call->function,
      tenonResults(call->bytecode, call->instruction)[index]);
}

static bool hasSameElements(const struct tenon_type_record *a,
                            const struct tenon_type_record *b) {
  return a->type_code == b->type_code && a->type_bits == b->type_bits;
}

bool tenonIsAssignable(const struct tenon_type_record *from,
                       const struct tenon_type_record *to) {
  if (!hasSameElements(from, to))
    return false;
  if (from->kind == TENON_KIND_tensor && to->kind == TENON_KIND_tensor)
    return from->rank == to->rank || from->rank == TENON_TYPE_RANK_ANY ||
           to->rank == TENON_TYPE_RANK_ANY;
  return from->kind == to->kind ||
         (from->kind == TENON_KIND_tensor && to->kind == TENON_KIND_optional) ||
         (from->kind == TENON_KIND_sequence &&
          to->kind == TENON_KIND_optional_sequence);
}

struct tenon_type_record
tenonTypeOfTensor(const struct tenon_tensor_record *tensor) {
  uint8_t rank = tensor->rank == TENON_RANK_ANY ? TENON_TYPE_RANK_ANY
                                                : (uint8_t)tensor->rank;
  return (struct tenon_type_record){tensor->kind, tensor->type_code,
                                    tensor->type_bits, rank};
}

//===----------------------------------------------------------------------===//
// Primitives
//===----------------------------------------------------------------------===//

/// Operands: T a tensor, N one of numbers, L of i64, I of i32 or i64, B of
/// booleans, F of f32, S of strings, Q a sequence, V anything, E a tensor with
/// the elements of operand 0, C one of the type that integers say. Small
/// letters: or an optional of it. The last one is that of all further operands.
///
/// Results: L B S as above, X of i8, 0 a tensor and Q a sequence with the
/// elements of operand 0, C and c a tensor and a sequence of the type that
/// integers say, V what operand 0 is, O an optional of it, G what is in it, A
/// anything.
struct rule {
  const char *operands;
  const char *results;
  /// The first of the two integers that are a type.
  uint32_t type;
};

static const struct rule rules[] = {
    [TENON_PRIMITIVE_constant] = {"", "C", 1},
    [TENON_PRIMITIVE_copy] = {"V", "V", 0},
    [TENON_PRIMITIVE_kill] = {"V", "", 0},
    [TENON_PRIMITIVE_loop_test] = {"Llb", "B", 0},
    [TENON_PRIMITIVE_increment] = {"L", "L", 0},
    [TENON_PRIMITIVE_stack] = {"QL", "C", 0},
    [TENON_PRIMITIVE_extents] = {"L", "X", 0},
    [TENON_PRIMITIVE_nonzero] = {"N", "L", 0},
    [TENON_PRIMITIVE_compress] = {"TB", "0", 0},
    [TENON_PRIMITIVE_unique] = {"T", "0LLL", 0},
    [TENON_PRIMITIVE_non_max_suppression] = {"FFlff", "L", 0},
    [TENON_PRIMITIVE_sequence_construct] = {"C", "c", 0},
    [TENON_PRIMITIVE_sequence_insert] = {"QEi", "Q", 0},
    [TENON_PRIMITIVE_sequence_erase] = {"Qi", "Q", 0},
    [TENON_PRIMITIVE_sequence_at] = {"QI", "0", 0},
    [TENON_PRIMITIVE_sequence_length] = {"Q", "L", 0},
    [TENON_PRIMITIVE_sequence_concat] = {"Q", "0", 0},
    [TENON_PRIMITIVE_split_to_sequence] = {"Ti", "Q", 0},
    [TENON_PRIMITIVE_optional] = {"V", "O", 0},
    [TENON_PRIMITIVE_optional_has] = {"V", "B", 0},
    [TENON_PRIMITIVE_optional_get] = {"V", "G", 0},
    [TENON_PRIMITIVE_string_normalizer] = {"SS", "S", 0},
    [TENON_PRIMITIVE_string_concat] = {"SS", "S", 0},
    [TENON_PRIMITIVE_string_split] = {"Ss", "SL", 0},
    [TENON_PRIMITIVE_string_equal] = {"SS", "B", 0},
    [TENON_PRIMITIVE_string_reshape] = {"SL", "S", 0},
    [TENON_PRIMITIVE_fail] = {"S", "A", 0}};

static bool isType(const struct tenon_type_record *type, uint8_t code,
                   uint8_t bits) {
  return type->type_code == code && type->type_bits == bits;
}

/// Whether the elements are those that a capital letter stands for.
static bool hasElements(const struct tenon_type_record *type, char letter) {
  switch (letter) {
  case 'N':
    return type->type_code != TENON_STRING;
  case 'L':
    return isType(type, TENON_INT, 64);
  case 'I':
    return isType(type, TENON_INT, 64) || isType(type, TENON_INT, 32);
  case 'B':
    return isType(type, TENON_BOOL, 8);
  case 'F':
    return isType(type, TENON_FLOAT, 32);
  case 'S':
    return type->type_code == TENON_STRING;
  case 'X':
    return isType(type, TENON_INT, 8);
  default: // T
    return true;
  }
}

static bool isOfIntegers(const struct call *call, const struct rule *rule,
                         const struct tenon_type_record *type) {
  const int64_t *integers =
      call->bytecode->integers + call->instruction->first_integer + rule->type;
  return type->type_code == integers[0] && type->type_bits == integers[1];
}

static bool fitsOperand(const struct call *call, const struct rule *rule,
                        char letter, uint32_t index) {
  const struct tenon_type_record *type = operandType(call, index);
  bool isTensor = type->kind == TENON_KIND_tensor;
  bool mayLack = letter >= 'a';
  if (mayLack) {
    isTensor |= type->kind == TENON_KIND_optional;
    letter = (char)(letter - 'a' + 'A');
  }
  switch (letter) {
  case 'V':
    return true;
  case 'Q':
    return type->kind == TENON_KIND_sequence;
  case 'E':
    return isTensor && hasSameElements(type, operandType(call, 0));
  case 'C':
    return isTensor && isOfIntegers(call, rule, type);
  default:
    return isTensor && hasElements(type, letter);
  }
}

static bool holdsSequence(const struct tenon_type_record *type) {
  return type->kind == TENON_KIND_sequence ||
         type->kind == TENON_KIND_optional_sequence;
}

/// What `optional` gives for its operand, or for none.
static bool fitsOptional(const struct call *call,
                         const struct tenon_type_record *type) {
  bool isOptional = type->kind == TENON_KIND_optional ||
                    type->kind == TENON_KIND_optional_sequence;
  return isOptional &&
         (!call->instruction->operand_count ||
          (hasSameElements(type, operandType(call, 0)) &&
           holdsSequence(type) == holdsSequence(operandType(call, 0))));
}

static bool fitsResult(const struct call *call, const struct rule *rule,
                       char letter, uint32_t index) {
  const struct tenon_type_record *type = resultType(call, index);
  bool isTensor = type->kind == TENON_KIND_tensor;
  bool isSequence = type->kind == TENON_KIND_sequence;
  switch (letter) {
  case 'A':
    return true;
  case 'V':
    return tenonIsAssignable(operandType(call, 0), type);
  case 'O':
    return fitsOptional(call, type);
  case 'G':
    return hasSameElements(type, operandType(call, 0)) &&
           (holdsSequence(operandType(call, 0)) ? isSequence : isTensor);
  case '0':
    return isTensor && hasSameElements(type, operandType(call, 0));
  case 'Q':
    return isSequence && hasSameElements(type, operandType(call, 0));
  case 'C':
    return isTensor && isOfIntegers(call, rule, type);
  case 'c':
    return isSequence && isOfIntegers(call, rule, type);
  default:
    return isTensor && hasElements(type, letter);
  }
}

/// The number of integers that a list of names asks for; `*isOpen`: or more.
static uint32_t countIntegers(const char *names, bool *isOpen) {
  uint32_t words = *names ? 1 : 0;
  for (const char *at = names; *at; ++at)
    words += *at == ' ';
  *isOpen = strstr(names, "...") != NULL;
  return *isOpen ? words - 2 : words;
}

/// The bytes of a tensor that `constant` makes lie in the weights, where its
/// elements may.
static bool fitsWeights(const struct call *call) {
  const int64_t *integers =
      call->bytecode->integers + call->instruction->first_integer;
  uint32_t rank = call->instruction->integer_count - 3;
  if (rank > TENON_MAX_RANK || integers[0] < 0 || integers[1] < 0 ||
      integers[1] > UINT8_MAX || integers[2] < 0 || integers[2] > UINT8_MAX ||
      !tenonIsElementType((uint8_t)integers[1], (uint8_t)integers[2]))
    return false;
  int64_t bytes = (integers[2] + 7) / 8;
  if (integers[0] % bytes)
    return false;
  for (uint32_t i = 0; i < rank; ++i)
    if (integers[3 + i] < 0 ||
        __builtin_mul_overflow(bytes, integers[3 + i], &bytes))
      return false;
  return tenonWithin((uint64_t)integers[0], (uint64_t)bytes,
                     call->model->sections[TENON_SECTION_WEIGHTS].size);
}

static bool fitsIntegers(const struct call *call, uint32_t number,
                         const struct tenonPrimitive *primitive) {
  bool isOpen;
  uint32_t least = countIntegers(primitive->integers, &isOpen);
  uint32_t given = call->instruction->integer_count;
  if (given < least || (given > least && !isOpen))
    return false;
  if (number == TENON_PRIMITIVE_stack)
    return given - least < TENON_MAX_RANK;
  return number != TENON_PRIMITIVE_constant || fitsWeights(call);
}

static bool fitsPrimitive(const struct call *call, uint32_t number) {
  const struct tenonPrimitive *primitive = tenonFindPrimitive(number);
  const struct tenon_instruction_record *instruction = call->instruction;
  const struct rule *rule = &rules[number];
  if (number >= sizeof rules / sizeof *rules || !rule->operands ||
      instruction->operand_count < primitive->leastOperands ||
      instruction->operand_count > primitive->mostOperands ||
      instruction->result_count != primitive->results ||
      !fitsIntegers(call, number, primitive))
    return false;
  size_t letters = strlen(rule->operands);
  for (uint32_t i = 0; i < instruction->operand_count; ++i)
    if (!fitsOperand(call, rule, rule->operands[i < letters ? i : letters - 1],
                     i))
      return false;
  for (uint32_t i = 0; i < instruction->result_count; ++i)
    if (!fitsResult(call, rule, rule->results[i], i))
      return false;
  return true;
}

//===----------------------------------------------------------------------===//
// Functions and programs
//===----------------------------------------------------------------------===//

static bool fitsFunction(const struct call *call, uint32_t number) {
  const struct tenonBytecode *bytecode = call->bytecode;
  const struct tenon_function_record *callee = &bytecode->functions[number];
  if (call->instruction->operand_count != callee->parameter_count ||
      call->instruction->result_count != callee->result_count)
    return false;
  for (uint32_t i = 0; i < callee->parameter_count; ++i)
    if (!tenonIsAssignable(operandType(call, i),
                           tenonRegisterType(bytecode, callee, i)))
      return false;
  for (uint32_t i = 0; i < callee->result_count; ++i)
    if (!tenonIsAssignable(tenonResultType(bytecode, callee, i),
                           resultType(call, i)))
      return false;
  return true;
}

static bool fitsProgram(const struct call *call, uint32_t number) {
  const struct tenon_entry_record *entry = &call->model->entries[number];
  const struct tenon_tensor_record *tensors =
      tenonEntryTensors(call->model, entry);
  if (call->instruction->operand_count != entry->input_count ||
      call->instruction->result_count != entry->output_count)
    return false;
  for (uint32_t i = 0; i < entry->input_count; ++i) {
    struct tenon_type_record wanted = tenonTypeOfTensor(&tensors[i]);
    const struct tenon_type_record *given = operandType(call, i);
    if (given->rank != wanted.rank || !tenonIsAssignable(given, &wanted))
      return false;
  }
  for (uint32_t i = 0; i < entry->output_count; ++i) {
    struct tenon_type_record given =
        tenonTypeOfTensor(&tensors[entry->input_count + i]);
    if (!tenonIsAssignable(&given, resultType(call, i)))
      return false;
  }
  return true;
}

static bool fitsReturn(const struct call *call) {
  if (call->instruction->operand_count != call->function->result_count)
    return false;
  for (uint32_t i = 0; i < call->function->result_count; ++i)
    if (!tenonIsAssignable(operandType(call, i),
                           tenonResultType(call->bytecode, call->function, i)))
      return false;
  return true;
}

static bool fits(const struct call *call) {
  const struct tenon_instruction_record *instruction = call->instruction;
  if (instruction->opcode == TENON_OPCODE_return)
    return fitsReturn(call);
  if (instruction->opcode == TENON_OPCODE_if)
    return operandType(call, 0)->kind == TENON_KIND_tensor &&
           hasElements(operandType(call, 0), 'B');
  if (instruction->opcode != TENON_OPCODE_call)
    return true;
  const struct tenon_callee_record *callee =
      &call->bytecode->callees[instruction->callee];
  switch (callee->kind) {
  case TENON_CALLEE_function:
    return fitsFunction(call, callee->number);
  case TENON_CALLEE_program:
    return fitsProgram(call, callee->number);
  default:
    return fitsPrimitive(call, callee->number);
  }
}

tenon_status *
tenonCheckCall(const tenon_model *model, const struct tenonBytecode *bytecode,
               const struct tenon_function_record *function,
               const struct tenon_instruction_record *instruction) {
  struct call call = {model, bytecode, function, instruction};
  return fits(&call) ? NULL
                     : tenonBadInstruction(
                           bytecode, instruction,
                           "has operands, results or integers of wrong types");
}
