//===- Run.c - running a model with its state -----------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file puts what is kept among the caller's tensors, and keeps what came
// out.
//===----------------------------------------------------------------------===//
#include "src/state/State.h"

#include <string.h>

static tenon_status *checkCounts(const tenon_context *context,
                                 const tenon_state *state,
                                 const tenon_tensor *inputs, size_t inputCount,
                                 const tenon_tensor *outputs,
                                 size_t outputCount) {
  bool isIts = context->model == state->model && context->states.count;
  size_t inputsLeft = context->entry->input_count;
  size_t outputsLeft = context->entry->output_count;
  for (uint32_t i = 0; isIts && i < context->states.count; ++i) {
    isIts = tenonHeldOf(state, &context->states.first[i]) != NULL;
    inputsLeft -= 1;
    outputsLeft -= tenonWrites(&context->states.first[i]);
  }
  if (!isIts)
    return tenonFail(TENON_INVALID_ARGUMENT, "",
                     "the state is one of another model or entry");
  if (inputCount != inputsLeft || outputCount != outputsLeft)
    return tenonFail(TENON_INVALID_ARGUMENT, "",
                     "%zu inputs and %zu outputs were given; beside the state "
                     "the model has %zu and %zu",
                     inputCount, outputCount, inputsLeft, outputsLeft);
  if ((inputCount && !inputs) || (outputCount && !outputs))
    return tenonFail(TENON_INVALID_ARGUMENT, "", "a null argument");
  return NULL;
}

/// What marks places that are not the state's.
static const int32_t isCallers = -1;

static void clear(tenon_tensor *tensors, uint32_t count) {
  for (uint32_t i = 0; i < count; ++i)
    tensors[i] = (tenon_tensor){.ndim = isCallers};
}

/// Puts the caller's tensors where the state has none.
static void merge(tenon_tensor *all, uint32_t count,
                  const tenon_tensor *given) {
  for (uint32_t i = 0; i < count; ++i)
    if (all[i].ndim == isCallers)
      all[i] = *given++;
}

static tenon_status *putInputs(const tenon_context *context, tenon_state *state,
                               const tenon_tensor *inputs) {
  clear(state->inputs, context->entry->input_count);
  for (uint32_t i = 0; i < context->states.count; ++i) {
    const struct tenon_state_record *record = &context->states.first[i];
    struct tenonHeld *held = tenonHeldOf(state, record);
    const char *name = tenonHeldName(state, held);
    if (!held->isKnown)
      return tenonFail(TENON_INVALID_ARGUMENT, name,
                       "'%s' has no value yet, and its shape is not known: "
                       "tenon_state_set gives it one",
                       name);
    state->inputs[record->input] = tenonHeldView(held);
  }
  merge(state->inputs, context->entry->input_count, inputs);
  return NULL;
}

/// The extents of a state's output for the inputs at hand.
static int64_t *dimsOf(const tenon_context *context,
                       const struct tenon_state_record *record) {
  const struct tenon_entry_record *entry = context->entry;
  const struct tenon_tensor_record *output =
      tenonEntryTensors(context->model, entry) + entry->input_count;
  int64_t *dims = context->shape->outputDims;
  for (uint32_t i = 0; i < record->output; ++i)
    dims += output++->rank;
  return dims;
}

/// Gets memory for all outputs of the state but those that overwrite.
static tenon_status *makeRoom(const tenon_context *context,
                              tenon_state *state) {
  for (uint32_t i = 0; i < context->states.count; ++i) {
    const struct tenon_state_record *record = &context->states.first[i];
    if (!tenonWrites(record) || tenonIsUpdated(record))
      continue;
    struct tenonHeld *held = tenonHeldOf(state, record);
    const int64_t *dims = dimsOf(context, record);
    if (tenonGrows(held->record)) {
      TENON_TRY(tenonWantCapacity(state, held, dims[held->record->axis]));
      continue;
    }
    int64_t bytes = 0;
    tenonTensorBytes(held->tensor, dims, &bytes);
    TENON_TRY(tenonReserveBuffer(state, &held->next, &held->nextBytes,
                                 (size_t)bytes));
  }
  for (uint32_t i = 0; i < context->states.count; ++i)
    if (tenonGrows(&context->states.first[i]))
      TENON_TRY(
          tenonMoveHeld(state, tenonHeldOf(state, &context->states.first[i])));
  return NULL;
}

static void putOutputs(const tenon_context *context, tenon_state *state,
                       const tenon_tensor *outputs) {
  clear(state->outputs, context->entry->output_count);
  for (uint32_t i = 0; i < context->states.count; ++i) {
    const struct tenon_state_record *record = &context->states.first[i];
    if (!tenonWrites(record))
      continue;
    struct tenonHeld *held = tenonHeldOf(state, record);
    tenon_tensor *output = &state->outputs[record->output];
    *output = tenonHeldView(held);
    state->inputs[record->input] = *output;
    output->shape = dimsOf(context, record);
    if (tenonGrows(record))
      continue;
    output->data = tenonIsUpdated(record) ? held->data : held->next;
    output->strides = NULL;
  }
  merge(state->outputs, context->entry->output_count, outputs);
}

static void keep(const tenon_context *context, tenon_state *state) {
  for (uint32_t i = 0; i < context->states.count; ++i) {
    const struct tenon_state_record *record = &context->states.first[i];
    if (!tenonWrites(record))
      continue;
    struct tenonHeld *held = tenonHeldOf(state, record);
    memcpy(held->shape, dimsOf(context, record),
           held->tensor->rank * sizeof *held->shape);
    if (tenonGrows(record) || tenonIsUpdated(record))
      continue;
    uint8_t *data = held->data;
    size_t bytes = held->bytes;
    held->data = held->next;
    held->bytes = held->nextBytes;
    held->next = data;
    held->nextBytes = bytes;
  }
}

static tenon_status *runLocked(tenon_context *context, tenon_state *state,
                               const tenon_tensor *inputs,
                               const tenon_tensor *outputs) {
  const struct tenon_entry_record *entry = context->entry;
  TENON_TRY(tenonCheckWhole(state));
  TENON_TRY(putInputs(context, state, inputs));
  TENON_TRY(tenonTakeInputs(context, state->inputs, entry->input_count, NULL,
                            /*withData=*/true));
  TENON_TRY(makeRoom(context, state));
  putOutputs(context, state, outputs);
  context->begun = 0;
  tenon_status *status =
      tenonRunLocked(context, state->inputs, entry->input_count, state->outputs,
                     entry->output_count);
  if (!status)
    keep(context, state);
  else
    state->isTorn = context->begun > context->firstUpdate;
  return status;
}

tenon_status *tenonCheckWhole(const tenon_state *state) {
  if (!state->isTorn)
    return NULL;
  return tenonFail(TENON_INVALID_ARGUMENT, "",
                   "the state is torn: a run that changed it failed half-way; "
                   "load or reset it");
}

tenon_status *tenonLockState(tenon_state *state) {
  if (!atomic_flag_test_and_set_explicit(&state->isRunning,
                                         memory_order_acquire))
    return NULL;
  return tenonFail(TENON_BUSY, "",
                   "the state is in use in another thread: one context at a "
                   "time runs on it");
}

void tenonUnlockState(tenon_state *state) {
  atomic_flag_clear_explicit(&state->isRunning, memory_order_release);
}

static tenon_status *runBothLocked(tenon_context *context, tenon_state *state,
                                   const tenon_tensor *inputs,
                                   const tenon_tensor *outputs) {
  TENON_TRY(tenonLockState(state));
  tenon_status *status = runLocked(context, state, inputs, outputs);
  tenonUnlockState(state);
  return status;
}

tenon_status *tenon_run_state(tenon_context *context, tenon_state *state,
                              const tenon_tensor *inputs, size_t inputCount,
                              const tenon_tensor *outputs, size_t outputCount) {
  if (!context || !state)
    return tenonFail(TENON_INVALID_ARGUMENT, "", "a null argument");
  TENON_TRY(
      checkCounts(context, state, inputs, inputCount, outputs, outputCount));
  TENON_TRY(tenonLock(context));
  tenon_status *status = runBothLocked(context, state, inputs, outputs);
  tenonUnlock(context);
  return status;
}
