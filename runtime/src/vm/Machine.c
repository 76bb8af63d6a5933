//===- Machine.c - the machine of a context -------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file makes a machine with contexts for all programs that bytecode may
// call, and hands the caller's tensors and values to it.
//===----------------------------------------------------------------------===//
#include "src/vm/Machine.h"

#include <string.h>

#define TEXT_BYTES 4096

/// The most tensors that a program has.
static uint32_t mostTensors(const tenon_model *model) {
  uint32_t most = 0;
  for (uint32_t i = 0; i < model->entryCount; ++i) {
    uint32_t count =
        model->entries[i].input_count + model->entries[i].output_count;
    most = count > most ? count : most;
  }
  return most;
}

static tenon_status *allocateStack(struct tenonMachine *machine) {
  const tenon_context *context = machine->context;
  const struct tenonBytecode *bytecode = machine->bytecode;
  uint32_t number = context->entry->function - 1;
  size_t registers = bytecode->stackRegisters[number];
  size_t frames = bytecode->stackFrames[number];
  TENON_TRY(tenonContextAllocate(context, registers * sizeof *machine->stack,
                                 (void **)&machine->stack));
  TENON_TRY(tenonContextAllocate(context, frames * sizeof *machine->frames,
                                 (void **)&machine->frames));
  TENON_TRY(tenonContextAllocate(
      context, context->entry->output_count * sizeof *machine->results,
      (void **)&machine->results));
  return tenonContextAllocate(
      context, mostTensors(context->model) * sizeof *machine->tensors,
      (void **)&machine->tensors);
}

static tenon_status *makeConstants(struct tenonMachine *machine) {
  static const tenon_dtype type = {TENON_BOOL, 8, 1};
  for (int i = 0; i < 2; ++i) {
    TENON_TRY(
        tenonNewTensor(machine->heap, type, 0, NULL, &machine->booleans[i]));
    *(uint8_t *)machine->booleans[i]->data = (uint8_t)i;
  }
  return tenonNewEmpty(machine->heap, &machine->empty);
}

/// A context for each program among the callees.
static tenon_status *makePrograms(struct tenonMachine *machine) {
  const struct tenonBytecode *bytecode = machine->bytecode;
  uint32_t count = bytecode->counts->callee_count;
  TENON_TRY(tenonContextAllocate(machine->context,
                                 count * sizeof *machine->programs,
                                 (void **)&machine->programs));
  TENON_TRY(tenonContextAllocate(machine->context,
                                 count * sizeof *machine->programOf,
                                 (void **)&machine->programOf));
  for (uint32_t i = 0; i < count; ++i) {
    if (bytecode->callees[i].kind != TENON_CALLEE_program)
      continue;
    TENON_TRY(tenonCreateProgram(machine->context, bytecode->callees[i].number,
                                 &machine->programs[machine->programCount]));
    machine->programOf[i] = machine->programCount++;
  }
  return NULL;
}

const tenon_context *tenonProgramAt(const struct tenonMachine *machine,
                                    uint32_t index) {
  return index < machine->programCount ? machine->programs[index] : NULL;
}

tenon_status *tenonCreateMachine(tenon_context *context) {
  struct tenonMachine *machine;
  TENON_TRY(tenonContextAllocate(context, sizeof *machine, (void **)&machine));
  context->machine = machine;
  machine->context = context;
  machine->bytecode = context->model->bytecode;
  TENON_TRY(tenonCreateHeap(&context->options.allocator, &machine->heap));
  TENON_TRY(allocateStack(machine));
  TENON_TRY(makeConstants(machine));
  TENON_TRY(makePrograms(machine));
  if (!context->options.trace)
    return NULL;
  return tenonContextAllocate(context, TEXT_BYTES, (void **)&machine->text);
}

void tenonDestroyMachine(struct tenonMachine *machine) {
  if (!machine)
    return;
  const tenon_allocator allocator = machine->context->options.allocator;
  for (uint32_t i = 0; i < machine->programCount; ++i)
    tenon_context_destroy(machine->programs[i]);
  tenonDrop(machine->booleans[0]);
  tenonDrop(machine->booleans[1]);
  tenonDrop(machine->empty);
  tenonReleaseHeap(machine->heap);
  tenonRelease(&allocator, machine->programs);
  tenonRelease(&allocator, machine->programOf);
  tenonRelease(&allocator, machine->stack);
  tenonRelease(&allocator, machine->frames);
  tenonRelease(&allocator, machine->results);
  tenonRelease(&allocator, machine->tensors);
  tenonRelease(&allocator, machine->text);
  tenonRelease(&allocator, machine);
}

//===----------------------------------------------------------------------===//
// Tensors of the caller
//===----------------------------------------------------------------------===//

void tenonDropResults(struct tenonMachine *machine) {
  for (uint32_t i = 0; i < machine->context->entry->output_count; ++i) {
    tenonDrop(machine->results[i]);
    machine->results[i] = NULL;
  }
}

void tenonDropParameters(struct tenonMachine *machine) {
  for (uint32_t i = 0; i < machine->context->entry->input_count; ++i) {
    tenonDrop(machine->stack[i]);
    machine->stack[i] = NULL;
  }
}

/// Puts the inputs into the first registers, where they lie with the caller.
static tenon_status *borrowInputs(struct tenonMachine *machine,
                                  const tenon_tensor *inputs) {
  // What has no bytes may have no address; here it has one.
  static uint8_t nothing[TENON_LINE_BYTES];
  for (uint32_t i = 0; i < machine->context->entry->input_count; ++i) {
    uint8_t *data = inputs[i].data;
    tenon_status *status = tenonBorrowTensor(
        machine->heap, inputs[i].dtype, inputs[i].ndim, inputs[i].shape,
        data ? data + inputs[i].byte_offset : nothing, &machine->stack[i]);
    if (status) {
      tenonDropParameters(machine);
      return status;
    }
  }
  return NULL;
}

static tenon_status *copyResults(const struct tenonMachine *machine,
                                 const tenon_tensor *outputs) {
  const tenon_context *context = machine->context;
  const struct tenon_entry_record *entry = context->entry;
  const struct tenon_tensor_record *records =
      tenonEntryTensors(context->model, entry) + entry->input_count;
  for (uint32_t i = 0; i < entry->output_count; ++i) {
    const tenon_value *result = machine->results[i];
    TENON_TRY(tenonCheckTensor(context->model, &records[i], result->shape,
                               &outputs[i], /*isInput=*/false));
    const char *name = tenonName(context->model, records[i].name);
    if (result->bytes && !outputs[i].data)
      return tenonFail(TENON_TENSOR_MISMATCH, name, "'%s' has no data", name);
  }
  for (uint32_t i = 0; i < entry->output_count; ++i)
    if (machine->results[i]->bytes)
      memcpy((uint8_t *)outputs[i].data + outputs[i].byte_offset,
             machine->results[i]->data, (size_t)machine->results[i]->bytes);
  return NULL;
}

tenon_status *tenonRunMachine(tenon_context *context,
                              const tenon_tensor *inputs, size_t inputCount,
                              const tenon_tensor *outputs, size_t outputCount) {
  struct tenonMachine *machine = context->machine;
  TENON_TRY(tenonCountOutputs(context, outputs, outputCount));
  TENON_TRY(tenonTakeInputs(context, inputs, inputCount, NULL,
                            /*withData=*/true));
  TENON_TRY(tenonCheckOutputs(context, outputs, outputCount));
  TENON_TRY(borrowInputs(machine, inputs));
  TENON_TRY(tenonExecute(machine));
  tenon_status *status = copyResults(machine, outputs);
  tenonDropResults(machine);
  return status;
}

/// Says what the results take.
static tenon_status *measureResults(const struct tenonMachine *machine,
                                    tenon_output_buffer *outputs) {
  const tenon_context *context = machine->context;
  const struct tenon_entry_record *entry = context->entry;
  const struct tenon_tensor_record *records =
      tenonEntryTensors(context->model, entry) + entry->input_count;
  for (uint32_t i = 0; i < entry->output_count; ++i) {
    const tenon_value *result = machine->results[i];
    TENON_TRY(tenonCheckPlain(context->model, &records[i]));
    outputs[i].byte_size = (size_t)result->bytes;
    const char *name = tenonName(context->model, records[i].name);
    if (result->bytes && outputs[i].capacity && !outputs[i].data)
      return tenonFail(TENON_TENSOR_MISMATCH, name, "'%s' has no data", name);
    if (outputs[i].shape)
      memcpy(outputs[i].shape, result->shape,
             (size_t)result->rank * sizeof *result->shape);
  }
  return NULL;
}

static tenon_status *fillBuffers(const struct tenonMachine *machine,
                                 tenon_output_buffer *outputs) {
  TENON_TRY(measureResults(machine, outputs));
  TENON_TRY(tenonCheckCapacities(machine->context, outputs));
  for (uint32_t i = 0; i < machine->context->entry->output_count; ++i)
    if (outputs[i].byte_size)
      memcpy(outputs[i].data, machine->results[i]->data, outputs[i].byte_size);
  return NULL;
}

tenon_status *tenonRunMachineInto(tenon_context *context,
                                  const tenon_tensor *inputs, size_t inputCount,
                                  tenon_output_buffer *outputs) {
  struct tenonMachine *machine = context->machine;
  TENON_TRY(tenonTakeInputs(context, inputs, inputCount, NULL,
                            /*withData=*/true));
  TENON_TRY(borrowInputs(machine, inputs));
  TENON_TRY(tenonExecute(machine));
  tenon_status *status = fillBuffers(machine, outputs);
  tenonDropResults(machine);
  return status;
}
