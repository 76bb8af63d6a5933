//===- RunInto.c - runs into buffers that may be too large ----------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "src/Context.h"

#include "src/vm/Machine.h"

#include <string.h>

/// Says what the outputs are, and makes tensors of the buffers.
static void describe(tenon_context *context, tenon_output_buffer *outputs) {
  const struct tenon_entry_record *entry = context->entry;
  const struct tenon_tensor_record *records =
      tenonEntryTensors(context->model, entry) + entry->input_count;
  int64_t *dims = context->shape->outputDims;
  for (uint32_t i = 0; i < entry->output_count; ++i) {
    const struct tenon_tensor_record *record = &records[i];
    int64_t bytes = 0;
    tenonTensorBytes(record, dims, &bytes);
    outputs[i].byte_size = (size_t)bytes;
    if (outputs[i].shape)
      memcpy(outputs[i].shape, dims, record->rank * sizeof *dims);
    context->outputViews[i] =
        (tenon_tensor){.data = outputs[i].data,
                       .device = {TENON_DEVICE_CPU, 0},
                       .ndim = (int32_t)record->rank,
                       .dtype = {record->type_code, record->type_bits, 1},
                       .shape = dims};
    dims += record->rank;
  }
}

tenon_status *tenonCheckCapacities(const tenon_context *context,
                                   const tenon_output_buffer *outputs) {
  const struct tenon_entry_record *entry = context->entry;
  for (uint32_t i = 0; i < entry->output_count; ++i) {
    if (outputs[i].byte_size <= outputs[i].capacity)
      continue;
    const char *name = tenonName(
        context->model,
        tenonEntryTensors(context->model, entry)[entry->input_count + i].name);
    return tenonFail(TENON_CAPACITY_EXCEEDED, name,
                     "'%s' takes %zu bytes; its buffer has %zu", name,
                     outputs[i].byte_size, outputs[i].capacity);
  }
  return NULL;
}

static tenon_status *runInto(tenon_context *context, const tenon_tensor *inputs,
                             size_t inputCount, tenon_output_buffer *outputs,
                             size_t outputCount) {
  if (outputCount != context->entry->output_count || (outputCount && !outputs))
    return tenonFail(TENON_INVALID_ARGUMENT, "",
                     "%zu outputs were given; the model has %u", outputCount,
                     context->entry->output_count);
  if (context->machine)
    return tenonRunMachineInto(context, inputs, inputCount, outputs);
  TENON_TRY(tenonTakeInputs(context, inputs, inputCount, NULL,
                            /*withData=*/true));
  describe(context, outputs);
  TENON_TRY(tenonCheckCapacities(context, outputs));
  return tenonRunLocked(context, inputs, inputCount, context->outputViews,
                        outputCount);
}

tenon_status *tenon_run_into(tenon_context *context, const tenon_tensor *inputs,
                             size_t inputCount, tenon_output_buffer *outputs,
                             size_t outputCount) {
  if (!context)
    return tenonFail(TENON_INVALID_ARGUMENT, "", "a null context");
  TENON_TRY(tenonLock(context));
  tenon_status *status =
      runInto(context, inputs, inputCount, outputs, outputCount);
  tenonUnlock(context);
  return status;
}
