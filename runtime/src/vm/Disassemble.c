//===- Disassemble.c - bytecode in words ----------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file writes functions as lines:
//
//   function @body(r0: i64 of rank 0, r1: f32 of rank 2) -> (f32 of rank 2)
//     0: r2 = call increment(r0) "node"
//     1: if(r3) then 2 else 7
//===----------------------------------------------------------------------===//
#include "src/vm/Bytecode.h"
#include "src/vm/Machine.h"

#include <stdarg.h>
#include <stdio.h>

/// Where lines go; what is longer is cut.
struct writer {
  const tenon_model *model;
  const struct tenonBytecode *bytecode;
  void (*line)(void *user, const char *text);
  void *user;
  char text[2048];
  size_t end;
};

__attribute__((format(printf, 2, 3))) static void add(struct writer *writer,
                                                      const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  size_t room = sizeof writer->text - writer->end;
  int length = vsnprintf(writer->text + writer->end, room, format, arguments);
  va_end(arguments);
  writer->end += length > 0 ? (size_t)length : 0;
  if (writer->end >= sizeof writer->text)
    writer->end = sizeof writer->text - 1;
}

static void finish(struct writer *writer) {
  writer->line(writer->user, writer->text);
  writer->end = 0;
  writer->text[0] = 0;
}

const char *tenonCalleeName(const tenon_model *model,
                            const struct tenon_callee_record *callee) {
  switch (callee->kind) {
  case TENON_CALLEE_function:
    return tenonName(model, model->bytecode->functions[callee->number].name);
  case TENON_CALLEE_program:
    return tenonName(model, model->entries[callee->number].name);
  default: // TENON_CALLEE_primitive; the loader knows no others
    return tenonFindPrimitive(callee->number)->name;
  }
}

static void addType(struct writer *writer,
                    const struct tenon_type_record *type) {
  static const char *const kinds[] = {"", "sequence of ", "optional ",
                                      "optional sequence of "};
  char name[32];
  tenonPrintType(name, sizeof name, type->type_code, type->type_bits);
  add(writer, "%s%s", kinds[type->kind], name);
  if (type->rank != TENON_TYPE_RANK_ANY)
    add(writer, " of rank %u", type->rank);
}

static void addRegisters(struct writer *writer, const uint32_t *numbers,
                         uint32_t count) {
  for (uint32_t i = 0; i < count; ++i)
    add(writer, "%sr%u", i ? ", " : "", numbers[i]);
}

/// "@f" for a function, "program @main_0" for one, "nonzero" for a primitive.
static void addCallee(struct writer *writer,
                      const struct tenon_callee_record *callee) {
  static const char *const marks[] = {[TENON_CALLEE_function] = "@",
                                      [TENON_CALLEE_program] = "program @",
                                      [TENON_CALLEE_primitive] = ""};
  add(writer, " %s%s", marks[callee->kind],
      tenonCalleeName(writer->model, callee));
}

static void addIntegers(struct writer *writer,
                        const struct tenon_instruction_record *instruction) {
  const int64_t *integers =
      writer->bytecode->integers + instruction->first_integer;
  for (uint32_t i = 0; i < instruction->integer_count; ++i)
    add(writer, "%s%lld", i ? ", " : " [", (long long)integers[i]);
  if (instruction->integer_count)
    add(writer, "]");
}

static void writeInstruction(struct writer *writer, uint32_t index,
                             const struct tenon_instruction_record *record) {
  const struct tenonOpcode *opcode = tenonFindOpcode(record->opcode);
  add(writer, "  %u: ", index);
  addRegisters(writer, tenonResults(writer->bytecode, record),
               record->result_count);
  add(writer, "%s%s", record->result_count ? " = " : "", opcode->name);
  if (opcode->hasCallee)
    addCallee(writer, &writer->bytecode->callees[record->callee]);
  if (opcode->mostOperands) {
    add(writer, "(");
    addRegisters(writer, tenonOperands(writer->bytecode, record),
                 record->operand_count);
    add(writer, ")");
  }
  addIntegers(writer, record);
  for (uint32_t i = 0; i < opcode->targets; ++i)
    add(writer, "%s%u",
        i                     ? " else "
        : opcode->targets > 1 ? " then "
                              : " ",
        record->targets[i]);
  const char *node = tenonName(writer->model, record->node);
  if (*node)
    add(writer, " \"%s\"", node);
  finish(writer);
}

static void writeFunction(struct writer *writer,
                          const struct tenon_function_record *function) {
  add(writer, "function @%s(", tenonName(writer->model, function->name));
  for (uint32_t i = 0; i < function->parameter_count; ++i) {
    add(writer, "%sr%u: ", i ? ", " : "", i);
    addType(writer, tenonRegisterType(writer->bytecode, function, i));
  }
  add(writer, ") -> (");
  for (uint32_t i = 0; i < function->result_count; ++i) {
    add(writer, "%s", i ? ", " : "");
    addType(writer, tenonResultType(writer->bytecode, function, i));
  }
  add(writer, ")");
  finish(writer);
  for (uint32_t i = 0; i < function->instruction_count; ++i)
    writeInstruction(
        writer, i,
        &writer->bytecode->instructions[function->first_instruction + i]);
}

tenon_status *tenon_model_disassemble(const tenon_model *model,
                                      void (*line)(void *user,
                                                   const char *text),
                                      void *user) {
  if (!model || !line)
    return tenonFail(TENON_INVALID_ARGUMENT, "", "a null argument");
  struct writer writer = {
      .model = model, .bytecode = model->bytecode, .line = line, .user = user};
  for (uint32_t i = 0; i < model->bytecode->counts->function_count; ++i)
    writeFunction(&writer, &model->bytecode->functions[i]);
  return NULL;
}
