//===- Programs.c - calling launches from bytecode ------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file runs a program on values. Element types and ranks are right: the
// loader has seen to it. Where the extents are those of the call before,
// nothing is left to check.
//===----------------------------------------------------------------------===//
#include "src/vm/Machine.h"

#include <string.h>

tenon_tensor tenonViewOf(const tenon_value *value) {
  return (tenon_tensor){.data = value->data,
                        .device = {TENON_DEVICE_CPU, 0},
                        .ndim = value->rank,
                        .dtype = value->type,
                        .shape = (int64_t *)value->shape};
}

/// Finds the shape of the program that follows from its inputs.
static tenon_status *takeShape(tenon_context *program,
                               tenon_value *const *inputs) {
  const struct tenon_entry_record *entry = program->entry;
  int64_t *next = program->extents;
  for (uint32_t i = 0; i < entry->input_count; ++i)
    for (int32_t k = 0; k < inputs[i]->rank; ++k)
      *next++ = inputs[i]->shape[k];
  if (program->shape &&
      memcmp(program->shape->registers, program->extents,
             program->inputDims * sizeof *program->extents) == 0)
    return NULL;
  const tenon_model *model = program->model;
  const struct tenon_tensor_record *records = tenonEntryTensors(model, entry);
  for (uint32_t i = 0; i < entry->input_count; ++i) {
    tenon_tensor view = tenonViewOf(inputs[i]);
    TENON_TRY(tenonCheckTensor(model, &records[i],
                               model->dims + records[i].first_dim, &view,
                               /*isInput=*/true));
  }
  return program->isSymbolic ? tenonFindShape(program) : NULL;
}

tenon_status *tenonMakeOutputs(struct tenonHeap *heap,
                               const tenon_context *program,
                               tenon_value **outputs) {
  const struct tenon_entry_record *entry = program->entry;
  const struct tenon_tensor_record *record =
      tenonEntryTensors(program->model, entry) + entry->input_count;
  const int64_t *dims = program->shape->outputDims;
  for (uint32_t i = 0; i < entry->output_count; ++i, ++record) {
    tenon_dtype type = {record->type_code, record->type_bits, 1};
    TENON_TRY(
        tenonNewTensor(heap, type, (int32_t)record->rank, dims, &outputs[i]));
    dims += record->rank;
  }
  return NULL;
}

static void patchPointers(const tenon_context *program,
                          tenon_value *const *tensors) {
  const struct tenonShape *shape = program->shape;
  for (size_t i = 0; i < shape->patchCount; ++i) {
    const struct tenonPatch *patch = &shape->patches[i];
    uint8_t *data = tensors[patch->tensor]->data;
    shape->pointers[patch->ref] = data ? data + patch->offset : NULL;
  }
}

/// `tensors`: the inputs, and room for the outputs.
static tenon_status *runProgram(struct tenonMachine *machine,
                                tenon_context *program, tenon_value **tensors) {
  TENON_TRY(takeShape(program, tensors));
  TENON_TRY(tenonMakeOutputs(machine->heap, program,
                             tensors + program->entry->input_count));
  program->arenaVersion = machine->context->arenaVersion;
  TENON_TRY(tenonPrepareRun(program));
  patchPointers(program, tensors);
  return tenonRunLaunches(program);
}

tenon_status *
tenonCallProgram(struct tenonMachine *machine, uint32_t callee,
                 const struct tenon_instruction_record *instruction,
                 const struct tenonFrame *frame) {
  tenon_context *program = machine->programs[machine->programOf[callee]];
  const struct tenonBytecode *bytecode = machine->bytecode;
  const char *node = tenonName(program->model, instruction->node);
  const uint32_t *operands = tenonOperands(bytecode, instruction);
  const uint32_t *results = tenonResults(bytecode, instruction);
  tenon_value **tensors = machine->tensors;
  tenon_value **outputs = tensors + instruction->operand_count;
  for (uint32_t i = 0; i < instruction->operand_count; ++i)
    tensors[i] = frame->registers[operands[i]];
  for (uint32_t i = 0; i < instruction->result_count; ++i)
    outputs[i] = NULL;
  tenon_status *status = runProgram(machine, program, tensors);
  // What a size asks for names its own node.
  if (status && !strstr(tenon_status_message(status), "(node '"))
    status = tenonOfNode(status, node);
  for (uint32_t i = 0; i < instruction->result_count; ++i)
    if (status)
      tenonDrop(outputs[i]);
    else
      status = tenonStore(machine, frame, results[i], outputs[i], node);
  return status;
}
