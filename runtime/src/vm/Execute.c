//===- Execute.c - running bytecode ---------------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file walks the instructions of functions. All numbers have been checked
// by the loader: what is checked here is what only data decide.
//===----------------------------------------------------------------------===//
#include "src/vm/Machine.h"

#include <string.h>

/// That a value has the rank of a type; its kind and its elements are right.
static tenon_status *checkRank(const struct tenon_type_record *type,
                               const tenon_value *value, const char *node) {
  if (type->kind != TENON_KIND_tensor || type->rank == TENON_TYPE_RANK_ANY ||
      value->rank == type->rank)
    return NULL;
  return tenonFail(
      TENON_TENSOR_MISMATCH, node,
      "node '%s': a tensor has %d dimensions where %d are expected", node,
      value->rank, type->rank);
}

tenon_status *tenonStore(struct tenonMachine *machine,
                         const struct tenonFrame *frame, uint32_t number,
                         tenon_value *value, const char *node) {
  tenon_status *status =
      checkRank(tenonRegisterType(machine->bytecode, frame->function, number),
                value, node);
  if (status) {
    tenonDrop(value);
    return status;
  }
  tenonDrop(frame->registers[number]);
  frame->registers[number] = value;
  return NULL;
}

/// Another owner of an operand, or its last.
static tenon_value *takeOperand(const struct tenonFrame *frame, uint32_t number,
                                bool isMoved) {
  tenon_value *value = frame->registers[number];
  if (!isMoved)
    return tenonRetain(value);
  frame->registers[number] = NULL;
  return value;
}

tenon_status *tenonOfNode(tenon_status *status, const char *node) {
  const char *message = tenon_status_message(status);
  if (!*node || strncmp(message, "node '", 6) == 0)
    return status;
  tenon_status *full = tenonFail(tenon_status_code_of(status), node,
                                 "node '%s': %s", node, message);
  tenon_status_destroy(status);
  return full;
}

static const char *nodeOf(const struct tenonMachine *machine,
                          const struct tenon_instruction_record *instruction) {
  return tenonName(machine->context->model, instruction->node);
}

//===----------------------------------------------------------------------===//
// Instructions
//===----------------------------------------------------------------------===//

static tenon_status *
callPrimitive(struct tenonMachine *machine, uint32_t number,
              const struct tenon_instruction_record *instruction,
              const struct tenonFrame *frame) {
  const struct tenonBytecode *bytecode = machine->bytecode;
  const uint32_t *operands = tenonOperands(bytecode, instruction);
  struct tenonPrimitiveCall call = {
      .machine = machine,
      .heap = machine->heap,
      .instruction = instruction,
      .registers = frame->registers,
      .operands = operands,
      .moves = bytecode->moves + (operands - bytecode->operands),
      .integers = bytecode->integers + instruction->first_integer,
      .operandCount = instruction->operand_count,
      .integerCount = instruction->integer_count,
      .node = nodeOf(machine, instruction)};
  tenon_status *status = tenonPrimitiveFunction(number)(&call);
  if (status)
    status = tenonOfNode(status, call.node);
  const uint32_t *results = tenonResults(bytecode, instruction);
  for (uint32_t i = 0; i < instruction->result_count; ++i)
    if (status)
      tenonDrop(call.results[i]);
    else
      status =
          tenonStore(machine, frame, results[i], call.results[i], call.node);
  return status;
}

/// Makes `number` the active function; its registers follow the caller's.
static tenon_status *
callFunction(struct tenonMachine *machine, uint32_t number,
             const struct tenon_instruction_record *instruction,
             struct tenonFrame **top) {
  const struct tenonBytecode *bytecode = machine->bytecode;
  struct tenonFrame *caller = *top, *callee = caller + 1;
  *callee = (struct tenonFrame){
      &bytecode->functions[number],
      caller->registers + caller->function->register_count, 0};
  *top = callee;
  const uint32_t *operands = tenonOperands(bytecode, instruction);
  const uint8_t *moves = bytecode->moves + (operands - bytecode->operands);
  for (uint32_t i = 0; i < instruction->operand_count; ++i)
    TENON_TRY(tenonStore(machine, callee, i,
                         takeOperand(caller, operands[i], moves[i]),
                         nodeOf(machine, instruction)));
  return NULL;
}

static void leave(const struct tenonFrame *frame) {
  for (uint32_t i = 0; i < frame->function->register_count; ++i) {
    tenonDrop(frame->registers[i]);
    frame->registers[i] = NULL;
  }
}

/// Gives the operands to the caller, or to the machine's results.
static tenon_status *
returnFrom(struct tenonMachine *machine,
           const struct tenon_instruction_record *instruction,
           struct tenonFrame **top) {
  const struct tenonBytecode *bytecode = machine->bytecode;
  const struct tenonFrame *frame = *top;
  const uint32_t *operands = tenonOperands(bytecode, instruction);
  uint32_t count = instruction->operand_count;
  if (frame == machine->frames) {
    for (uint32_t i = 0; i < count; ++i)
      TENON_TRY(checkRank(tenonResultType(bytecode, frame->function, i),
                          frame->registers[operands[i]],
                          nodeOf(machine, instruction)));
    for (uint32_t i = 0; i < count; ++i)
      machine->results[i] = tenonRetain(frame->registers[operands[i]]);
    leave(frame);
    return NULL;
  }
  const struct tenonFrame *caller = frame - 1;
  const struct tenon_instruction_record *call =
      &bytecode->instructions[caller->function->first_instruction +
                              caller->next - 1];
  const uint32_t *results = tenonResults(bytecode, call);
  for (uint32_t i = 0; i < count; ++i)
    TENON_TRY(tenonStore(machine, caller, results[i],
                         tenonRetain(frame->registers[operands[i]]),
                         nodeOf(machine, call)));
  leave(frame);
  --*top;
  return NULL;
}

static tenon_status *branch(const struct tenonMachine *machine,
                            const struct tenon_instruction_record *instruction,
                            struct tenonFrame *frame) {
  const tenon_value *condition =
      frame->registers[*tenonOperands(machine->bytecode, instruction)];
  const char *node = nodeOf(machine, instruction);
  if (condition->count != 1)
    return tenonFail(TENON_TENSOR_MISMATCH, node,
                     "node '%s': the condition has %lld elements instead of "
                     "one",
                     node, (long long)condition->count);
  bool isTrue = *(const uint8_t *)condition->data;
  frame->next = instruction->targets[isTrue ? 0 : 1];
  return NULL;
}

static tenon_status *call(struct tenonMachine *machine,
                          const struct tenon_instruction_record *instruction,
                          struct tenonFrame **top) {
  const struct tenon_callee_record *callee =
      &machine->bytecode->callees[instruction->callee];
  switch (callee->kind) {
  case TENON_CALLEE_primitive:
    return callPrimitive(machine, callee->number, instruction, *top);
  case TENON_CALLEE_program:
    return tenonCallProgram(machine, instruction->callee, instruction, *top);
  default: // TENON_CALLEE_function; the loader knows no others
    return callFunction(machine, callee->number, instruction, top);
  }
}

static tenon_status *step(struct tenonMachine *machine,
                          const struct tenon_instruction_record *instruction,
                          struct tenonFrame **top) {
  switch (instruction->opcode) {
  case TENON_OPCODE_call:
    return call(machine, instruction, top);
  case TENON_OPCODE_return:
    return returnFrom(machine, instruction, top);
  case TENON_OPCODE_goto:
    (*top)->next = instruction->targets[0];
    return NULL;
  default: // TENON_OPCODE_if; the loader knows no others
    return branch(machine, instruction, *top);
  }
}

//===----------------------------------------------------------------------===//
// Running
//===----------------------------------------------------------------------===//

static tenon_status *
tracedStep(struct tenonMachine *machine,
           const struct tenon_instruction_record *instruction,
           struct tenonFrame **top) {
  struct tenonFrame *frame = *top;
  tenonTraceBegin(machine, instruction, frame);
  int64_t before = tenonNow();
  tenon_status *status = step(machine, instruction, top);
  int64_t after = tenonNow();
  // A function's results are not there yet: its end is traced, too.
  bool hasResults = !status && *top == frame;
  tenonTraceEnd(machine, instruction, hasResults ? frame : NULL,
                after - before);
  return status;
}

static tenon_status *tooManySteps(const struct tenonMachine *machine) {
  return tenonFail(TENON_STEP_LIMIT, "",
                   "more than %llu instructions of bytecode have run",
                   (unsigned long long)machine->context->options.max_steps);
}

static bool isLast(const struct tenonMachine *machine,
                   const struct tenon_instruction_record *instruction,
                   const struct tenonFrame *frame) {
  return instruction->opcode == TENON_OPCODE_return && frame == machine->frames;
}

static tenon_status *run(struct tenonMachine *machine,
                         struct tenonFrame **top) {
  const struct tenonBytecode *bytecode = machine->bytecode;
  const tenon_context_options *options = &machine->context->options;
  const uint64_t most = options->max_steps ? options->max_steps : UINT64_MAX;
  for (uint64_t steps = 0;; ++steps) {
    struct tenonFrame *frame = *top;
    const struct tenon_instruction_record *instruction =
        &bytecode
             ->instructions[frame->function->first_instruction + frame->next++];
    bool ends = isLast(machine, instruction, frame);
    if (steps == most)
      return tooManySteps(machine);
    TENON_TRY(options->trace ? tracedStep(machine, instruction, top)
                             : step(machine, instruction, top));
    if (ends)
      return NULL;
  }
}

tenon_status *tenonExecute(struct tenonMachine *machine) {
  struct tenonFrame *top = machine->frames;
  *top = (struct tenonFrame){
      &machine->bytecode->functions[machine->context->entry->function - 1],
      machine->stack, 0};
  tenon_status *status = run(machine, &top);
  if (status)
    for (struct tenonFrame *frame = machine->frames; frame <= top; ++frame)
      leave(frame);
  return status;
}
