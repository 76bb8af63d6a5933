//===- Sizes.c - running size programs ------------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file computes what follows from the extents of the inputs, and says in
// words which of them is wrong.
//===----------------------------------------------------------------------===//
#include "src/Context.h"

#include <stdio.h>

static int64_t floorDiv(int64_t a, int64_t b) { return a / b - (a % b < 0); }

static int64_t floorMod(int64_t a, int64_t b) {
  return a % b + (a % b < 0 ? b : 0);
}

/// False where numbers overflow, or are not what the instruction asks for.
static bool compute(uint32_t op, int64_t a, int64_t b, int64_t *result) {
  *result = a;
  switch (op) {
  case TENON_SIZE_ADD:
    return !__builtin_add_overflow(a, b, result);
  case TENON_SIZE_SUB:
    return !__builtin_sub_overflow(a, b, result);
  case TENON_SIZE_MUL:
    return !__builtin_mul_overflow(a, b, result);
  case TENON_SIZE_FLOOR_DIV:
    *result = b > 0 ? floorDiv(a, b) : 0;
    return b > 0;
  case TENON_SIZE_MOD:
    *result = b > 0 ? floorMod(a, b) : 0;
    return b > 0;
  case TENON_SIZE_MIN:
    *result = a < b ? a : b;
    return true;
  case TENON_SIZE_MAX:
    *result = a > b ? a : b;
    return true;
  case TENON_SIZE_BROADCAST:
    *result = a == 1 ? b : a;
    return a == b || a == 1 || b == 1;
  case TENON_SIZE_CHECK_EQUAL:
    return a == b;
  case TENON_SIZE_CHECK_AT_LEAST:
    return a >= b;
  case TENON_SIZE_CHECK_AT_MOST:
    return a <= b;
  default: // TENON_SIZE_CHECK_MULTIPLE; the loader knows no others
    return b > 0 && a % b == 0;
  }
}

//===----------------------------------------------------------------------===//
// Errors
//===----------------------------------------------------------------------===//

/// A dimension of an input.
struct dimension {
  const struct tenon_tensor_record *input;
  uint32_t number;
};

/// The dimension whose extent register `number` is.
static struct dimension dimensionOf(const tenon_context *context,
                                    uint32_t number) {
  const struct tenon_tensor_record *input =
      tenonEntryTensors(context->model, context->entry);
  for (; number >= input->rank; ++input)
    number -= input->rank;
  return (struct dimension){input, number};
}

/// " (batch)", or "".
static void printName(const tenon_context *context, struct dimension dimension,
                      char *text, size_t size) {
  const tenon_model *model = context->model;
  const char *name = tenonName(
      model, model->dimNames[dimension.input->first_dim + dimension.number]);
  snprintf(text, size, *name ? " (%s)" : "%s", name);
}

/// The register of an extent that `value` is, or is computed from: the first
/// that its instructions mention. Below zero: there is none.
static int64_t originOf(const tenon_context *context, tenon_size_value value) {
  const tenon_model *model = context->model;
  const struct tenon_size_instruction *instructions =
      model->sizeInstructions +
      tenonSizeProgram(model, context->entry).first_instruction;
  while (value < 0 && -1 - value >= context->givenSizes) {
    const struct tenon_size_instruction *instruction =
        &instructions[-1 - value - context->givenSizes];
    value = instruction->a < 0 ? instruction->a : instruction->b;
  }
  return value < 0 && -1 - value < context->inputDims ? -1 - value : -1;
}

/// "3", or "3 (dimension 1 of 'y')" where `value` is an extent.
static void printValue(const tenon_context *context, const int64_t *registers,
                       tenon_size_value value, char *text, size_t size) {
  bool isExtent = value < 0 && -1 - value < context->inputDims;
  long long number = value < 0 ? registers[-1 - value] : value;
  if (!isExtent) {
    snprintf(text, size, "%lld", number);
    return;
  }
  struct dimension dimension = dimensionOf(context, (uint32_t)(-1 - value));
  snprintf(text, size, "%lld (dimension %u of '%.60s')", number,
           dimension.number, tenonName(context->model, dimension.input->name));
}

/// What an instruction asks for: "must be at most", or NULL: a result that can
/// be written as a number.
static const char *relationOf(uint32_t op) {
  switch (op) {
  case TENON_SIZE_FLOOR_DIV:
  case TENON_SIZE_MOD:
    return "cannot be divided by";
  case TENON_SIZE_BROADCAST:
    return "must broadcast with";
  case TENON_SIZE_CHECK_EQUAL:
    return "must be equal to";
  case TENON_SIZE_CHECK_AT_LEAST:
    return "must be at least";
  case TENON_SIZE_CHECK_AT_MOST:
    return "must be at most";
  case TENON_SIZE_CHECK_MULTIPLE:
    return "must be a multiple of";
  default:
    return NULL;
  }
}

static char signOf(uint32_t op) {
  return op == TENON_SIZE_ADD ? '+' : op == TENON_SIZE_SUB ? '-' : '*';
}

/// "'x': dimension 1 (length) is 600, but must be at most 512 (node 'add')".
static tenon_status *mismatch(const tenon_context *context,
                              const int64_t *registers,
                              const struct tenon_size_instruction *failed) {
  const char *relation = relationOf(failed->op);
  char given[120], wanted[120], subject[400] = "the model's own sizes, ",
                                where[100];
  printValue(context, registers, failed->a, given, sizeof given);
  printValue(context, registers, failed->b, wanted, sizeof wanted);
  int64_t origin = originOf(context, failed->a);
  if (origin < 0)
    origin = originOf(context, failed->b);
  bool isExtent = failed->a < 0 && -1 - failed->a == origin;
  const char *input = "";
  if (origin >= 0) {
    struct dimension dimension = dimensionOf(context, (uint32_t)origin);
    input = tenonName(context->model, dimension.input->name);
    printName(context, dimension, where, sizeof where);
    snprintf(subject, sizeof subject, "'%.200s': dimension %u%s is %lld, ",
             input, dimension.number, where, (long long)registers[origin]);
  }
  const char *text = tenonName(context->model, failed->text);
  if (!relation)
    return tenonFail(TENON_TENSOR_MISMATCH, input,
                     "%sfrom which follows %s %c %s, a size that is too "
                     "large%s%s%s",
                     subject, given, signOf(failed->op), wanted,
                     *text ? " (" : "", text, *text ? ")" : "");
  return tenonFail(TENON_TENSOR_MISMATCH, input, "%s%s%s%s %s %s%s%s%s",
                   subject, isExtent ? "but" : "from which follows ",
                   isExtent ? "" : given, isExtent ? "" : ", which", relation,
                   wanted, *text ? " (" : "", text, *text ? ")" : "");
}

tenon_status *tenonComputeSizes(const tenon_context *context,
                                int64_t *registers) {
  const struct tenon_size_program_record program =
      tenonSizeProgram(context->model, context->entry);
  const struct tenon_size_instruction *instruction =
      context->model->sizeInstructions + program.first_instruction;
  int64_t *next = registers + context->givenSizes;
  for (uint32_t i = 0; i < program.instruction_count; ++i, ++instruction) {
    tenon_size_value a = instruction->a, b = instruction->b;
    if (!compute(instruction->op, a < 0 ? registers[-1 - a] : a,
                 b < 0 ? registers[-1 - b] : b, next++))
      return mismatch(context, registers, instruction);
  }
  return NULL;
}
