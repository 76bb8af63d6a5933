//===- RunValues.c - running on values ------------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file runs any entry on values, and makes its outputs.
//===----------------------------------------------------------------------===//
#include "src/vm/Machine.h"

#include <string.h>

//===----------------------------------------------------------------------===//
// Checking
//===----------------------------------------------------------------------===//

static tenon_status *isWrong(const char *name, const char *given,
                             const char *expected) {
  return tenonFail(TENON_TENSOR_MISMATCH, name,
                   "'%s' is %s; the model takes %s", name, given, expected);
}

static const char *nameOfKind(const tenon_value *value) {
  switch (value->kind) {
  case TENON_IS_TENSOR:
    return "a tensor";
  case TENON_IS_SEQUENCE:
    return "a sequence";
  default:
    return "an empty optional";
  }
}

/// Whether a value is of a tensor record's kind.
static bool isOfKind(const tenon_value *value, uint8_t kind) {
  switch (kind) {
  case TENON_KIND_tensor:
    return value->kind == TENON_IS_TENSOR;
  case TENON_KIND_sequence:
    return value->kind == TENON_IS_SEQUENCE;
  case TENON_KIND_optional:
    return value->kind != TENON_IS_SEQUENCE;
  default: // TENON_KIND_optional_sequence; the loader knows no others
    return value->kind != TENON_IS_TENSOR;
  }
}

static tenon_status *checkInput(const tenon_model *model,
                                const struct tenon_tensor_record *record,
                                const tenon_value *value) {
  static const char *const kinds[] = {"a tensor", "a sequence", "an optional",
                                      "an optional sequence"};
  const char *name = tenonName(model, record->name);
  if (!value)
    return tenonFail(TENON_INVALID_ARGUMENT, name, "'%s' is null", name);
  if (!isOfKind(value, record->kind))
    return isWrong(name, nameOfKind(value), kinds[record->kind]);
  if (value->kind == TENON_IS_EMPTY)
    return NULL;
  if (value->type.code != record->type_code ||
      value->type.bits != record->type_bits) {
    char given[32], expected[32];
    tenonPrintType(given, sizeof given, value->type.code, value->type.bits);
    tenonPrintType(expected, sizeof expected, record->type_code,
                   record->type_bits);
    return isWrong(name, given, expected);
  }
  if (!tenonHasExtents(record))
    return NULL;
  tenon_tensor view = tenonViewOf(value);
  return tenonCheckTensor(model, record, model->dims + record->first_dim, &view,
                          /*isInput=*/true);
}

static tenon_status *takeInputs(tenon_context *context,
                                tenon_value *const *inputs, size_t count) {
  const tenon_model *model = context->model;
  const struct tenon_entry_record *entry = context->entry;
  if (count != entry->input_count || (count && !inputs))
    return tenonFail(TENON_INVALID_ARGUMENT, "",
                     "%zu inputs were given; the model has %u", count,
                     entry->input_count);
  const struct tenon_tensor_record *records = tenonEntryTensors(model, entry);
  int64_t *next = context->extents;
  for (size_t i = 0; i < count; ++i) {
    TENON_TRY(checkInput(model, &records[i], inputs[i]));
    for (uint32_t k = 0; k < tenonExtentCount(&records[i]); ++k)
      *next++ = inputs[i]->shape[k];
  }
  return context->isSymbolic ? tenonFindShape(context) : NULL;
}

//===----------------------------------------------------------------------===//
// Running
//===----------------------------------------------------------------------===//

/// Hands the results out, all or none.
static tenon_status *exportResults(struct tenonMachine *machine,
                                   tenon_value **outputs, uint32_t count) {
  for (uint32_t i = 0; i < count; ++i) {
    tenon_value *result = machine->results[i];
    machine->results[i] = NULL;
    TENON_TRY(tenonExport(machine->heap, result, &machine->results[i]));
  }
  memcpy(outputs, machine->results, count * sizeof *outputs);
  memset(machine->results, 0, count * sizeof *outputs);
  return NULL;
}

static tenon_status *runBytecode(tenon_context *context,
                                 tenon_value *const *inputs,
                                 tenon_value **outputs) {
  struct tenonMachine *machine = context->machine;
  const struct tenon_entry_record *entry = context->entry;
  for (uint32_t i = 0; i < entry->input_count; ++i)
    machine->stack[i] = tenonRetain(inputs[i]);
  TENON_TRY(tenonExecute(machine));
  tenon_status *status = exportResults(machine, outputs, entry->output_count);
  tenonDropResults(machine);
  return status;
}

static void viewAll(tenon_value *const *values, size_t count,
                    tenon_tensor *views) {
  for (size_t i = 0; i < count; ++i)
    views[i] = tenonViewOf(values[i]);
}

/// `views`: room for all inputs and outputs.
static tenon_status *runViews(tenon_context *context,
                              tenon_value *const *inputs, tenon_value **made,
                              tenon_tensor *views) {
  const struct tenon_entry_record *entry = context->entry;
  tenon_tensor *outputs = views + entry->input_count;
  viewAll(inputs, entry->input_count, views);
  TENON_TRY(tenonMakeOutputs(NULL, context, made));
  viewAll(made, entry->output_count, outputs);
  return tenonRunLocked(context, views, entry->input_count, outputs,
                        entry->output_count);
}

static tenon_status *runLaunches(tenon_context *context,
                                 tenon_value *const *inputs,
                                 tenon_value **outputs) {
  const struct tenon_entry_record *entry = context->entry;
  size_t count = entry->output_count;
  tenon_tensor *views;
  TENON_TRY(tenonContextAllocate(context,
                                 (entry->input_count + count) * sizeof *views +
                                     count * sizeof *outputs,
                                 (void **)&views));
  tenon_value **made = (tenon_value **)(views + entry->input_count + count);
  tenon_status *status = runViews(context, inputs, made, views);
  for (size_t i = 0; i < count; ++i)
    if (status)
      tenonDrop(made[i]);
    else
      outputs[i] = made[i];
  tenonRelease(&context->options.allocator, views);
  return status;
}

static tenon_status *runValues(tenon_context *context,
                               tenon_value *const *inputs, size_t inputCount,
                               tenon_value **outputs, size_t outputCount) {
  if (context->states.count)
    return tenonFail(TENON_UNSUPPORTED, "",
                     "a model with states is run with tenon_run_state");
  TENON_TRY(takeInputs(context, inputs, inputCount));
  if (outputCount != context->entry->output_count || (outputCount && !outputs))
    return tenonFail(TENON_INVALID_ARGUMENT, "",
                     "%zu outputs were given; the model has %u", outputCount,
                     context->entry->output_count);
  return context->machine ? runBytecode(context, inputs, outputs)
                          : runLaunches(context, inputs, outputs);
}

tenon_status *tenon_run_values(tenon_context *context,
                               tenon_value *const *inputs, size_t inputCount,
                               tenon_value **outputs, size_t outputCount) {
  if (!context)
    return tenonFail(TENON_INVALID_ARGUMENT, "", "a null context");
  TENON_TRY(tenonLock(context));
  tenon_status *status =
      runValues(context, inputs, inputCount, outputs, outputCount);
  tenonUnlock(context);
  return status;
}
