//===- Trace.c - instructions while they run ------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file writes what instructions take and give:
//
//   call nonzero(r1: f32 [3x4]) -> r2: i64 [2x5]
//
// in two steps, since operands may be gone when the instruction has run.
//===----------------------------------------------------------------------===//
#include "src/vm/Machine.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#define TEXT_BYTES 4096

size_t tenonPrintType(char *text, size_t size, uint8_t code, uint8_t bits) {
  static const char *const names[] = {[TENON_INT] = "i",
                                      [TENON_UINT] = "ui",
                                      [TENON_FLOAT] = "f",
                                      [TENON_BFLOAT] = "bf",
                                      [TENON_COMPLEX] = "complex",
                                      [TENON_FLOAT8_E4M3FN] = "f8E4M3FN",
                                      [TENON_FLOAT8_E4M3FNUZ] = "f8E4M3FNUZ",
                                      [TENON_FLOAT8_E5M2] = "f8E5M2",
                                      [TENON_FLOAT8_E5M2FNUZ] = "f8E5M2FNUZ",
                                      [TENON_FLOAT8_E8M0FNU] = "f8E8M0FNU",
                                      [TENON_FLOAT4_E2M1FN] = "f4E2M1FN"};
  if (code == TENON_STRING)
    return (size_t)snprintf(text, size, "string");
  if (code == TENON_BOOL)
    return (size_t)snprintf(text, size, "i1");
  const char *name =
      code < sizeof names / sizeof *names && names[code] ? names[code] : "?";
  return code > TENON_COMPLEX
             ? (size_t)snprintf(text, size, "%s", name)
             : (size_t)snprintf(text, size, "%s%u", name, (unsigned)bits);
}

/// A text that stops where there is no more room.
struct line {
  char *text;
  size_t end;
  size_t size;
};

__attribute__((format(printf, 2, 3))) static void add(struct line *line,
                                                      const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  int length = vsnprintf(line->text + line->end, line->size - line->end, format,
                         arguments);
  va_end(arguments);
  line->end += length > 0 ? (size_t)length : 0;
  if (line->end >= line->size)
    line->end = line->size - 1;
}

static void addType(struct line *line, tenon_dtype type) {
  char name[32];
  tenonPrintType(name, sizeof name, type.code, type.bits);
  add(line, "%s", name);
}

static void addValue(struct line *line, const tenon_value *value) {
  if (!value) {
    add(line, "nothing");
    return;
  }
  if (value->kind == TENON_IS_EMPTY) {
    add(line, "none");
    return;
  }
  addType(line, value->type);
  if (value->kind == TENON_IS_SEQUENCE) {
    add(line, " sequence of %lld", (long long)value->count);
    return;
  }
  add(line, " [");
  for (int32_t i = 0; i < value->rank; ++i)
    add(line, "%s%lld", i ? "x" : "", (long long)value->shape[i]);
  add(line, "]");
}

static void addRegisters(struct line *line, const struct tenonFrame *frame,
                         const uint32_t *numbers, uint32_t count) {
  for (uint32_t i = 0; i < count; ++i) {
    add(line, "%sr%u: ", i ? ", " : "", numbers[i]);
    addValue(line, frame->registers[numbers[i]]);
  }
}

void tenonTraceBegin(struct tenonMachine *machine,
                     const struct tenon_instruction_record *instruction,
                     const struct tenonFrame *frame) {
  struct line line = {machine->text, 0, TEXT_BYTES};
  add(&line, "%s", tenonFindOpcode(instruction->opcode)->name);
  if (instruction->opcode == TENON_OPCODE_call)
    add(&line, " %s",
        tenonCalleeName(machine->context->model,
                        &machine->bytecode->callees[instruction->callee]));
  if (instruction->opcode == TENON_OPCODE_goto)
    add(&line, " %u", instruction->targets[0]);
  if (instruction->opcode == TENON_OPCODE_goto)
    return;
  add(&line, "(");
  addRegisters(&line, frame, tenonOperands(machine->bytecode, instruction),
               instruction->operand_count);
  add(&line, ")");
}

void tenonTraceEnd(struct tenonMachine *machine,
                   const struct tenon_instruction_record *instruction,
                   const struct tenonFrame *frame, int64_t nanoseconds) {
  struct line line = {machine->text, strlen(machine->text), TEXT_BYTES};
  if (frame && instruction->opcode == TENON_OPCODE_if)
    add(&line, " -> %u", frame->next);
  if (frame && instruction->result_count) {
    add(&line, " -> ");
    addRegisters(&line, frame, tenonResults(machine->bytecode, instruction),
                 instruction->result_count);
  }
  const tenon_context_options *options = &machine->context->options;
  options->trace(options->trace_user, machine->text, nanoseconds);
}
