//===- Change.c - looking at states and changing them ---------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file answers questions about states, and gives them other contents than
// runs do.
//===----------------------------------------------------------------------===//
#include "src/state/State.h"

#include <string.h>

size_t tenon_model_state_count(const tenon_model *model, size_t entry) {
  if (!model || entry >= model->entryCount)
    return 0;
  return tenonEntryStates(model, &model->entries[entry]).count;
}

tenon_status *tenon_model_state(const tenon_model *model, size_t entry,
                                size_t index, tenon_state_info *info) {
  if (index >= tenon_model_state_count(model, entry))
    return tenonFail(TENON_INVALID_ARGUMENT, "", "there is no state %zu",
                     index);
  const struct tenon_state_record *state =
      tenonEntryStates(model, &model->entries[entry]).first + index;
  tenon_state_info full = {
      .input = state->input,
      .output = tenonWrites(state) ? state->output : TENON_NO_OUTPUT,
      .axis = tenonGrows(state) ? (int32_t)state->axis : -1,
      .is_updated = tenonIsUpdated(state)};
  return tenonFillStruct(info, &full, sizeof full);
}

static tenon_status *findHeld(const tenon_state *state, size_t index,
                              const tenon_tensor *value,
                              struct tenonHeld **held) {
  if (!state || !value)
    return tenonFail(TENON_INVALID_ARGUMENT, "", "a null argument");
  if (index >= state->count)
    return tenonFail(TENON_INVALID_ARGUMENT, "", "there is no state %zu",
                     index);
  *held = &state->held[index];
  return NULL;
}

tenon_status *tenon_state_get(const tenon_state *state, size_t index,
                              tenon_tensor *value) {
  struct tenonHeld *held;
  TENON_TRY(findHeld(state, index, value, &held));
  TENON_TRY(tenonCheckWhole(state));
  const char *name = tenonHeldName(state, held);
  if (!held->isKnown)
    return tenonFail(TENON_INVALID_ARGUMENT, name, "'%s' has no value yet",
                     name);
  *value = tenonHeldView(held);
  return NULL;
}

/// That a tensor can be an input's value, whatever symbols are.
static tenon_status *checkValue(const tenon_state *state,
                                const struct tenonHeld *held,
                                const tenon_tensor *value) {
  const struct tenon_tensor_record *tensor = held->tensor;
  const char *name = tenonHeldName(state, held);
  const int64_t *dims = state->model->dims + tensor->first_dim;
  bool fits = value->dtype.code == tensor->type_code &&
              value->dtype.bits == tensor->type_bits &&
              value->ndim == (int32_t)tensor->rank &&
              (!tensor->rank || value->shape) &&
              value->device.device_type == TENON_DEVICE_CPU;
  bool isEmpty = false;
  for (uint32_t i = 0; fits && i < tensor->rank; ++i) {
    fits = dims[i] < 0 ? value->shape[i] >= 0 : value->shape[i] == dims[i];
    isEmpty |= value->shape[i] == 0;
  }
  int64_t capacity;
  int32_t axis = tenonGrows(held->record) ? (int32_t)held->record->axis : 0;
  if (fits && tenonReadCapacity(value, axis, &capacity) &&
      (value->data || isEmpty))
    return NULL;
  return tenonFail(TENON_TENSOR_MISMATCH, name,
                   "'%s' cannot be this tensor: its type, shape or layout is "
                   "not the model's",
                   name);
}

tenon_status *tenon_state_set(tenon_state *state, size_t index,
                              const tenon_tensor *value) {
  struct tenonHeld *held;
  TENON_TRY(findHeld(state, index, value, &held));
  TENON_TRY(checkValue(state, held, value));
  const char *name = tenonHeldName(state, held);
  bool grows = tenonGrows(held->record);
  int32_t axis = grows ? (int32_t)held->record->axis : 0;
  struct tenonHeld changed = *held;
  memcpy(changed.shape, value->shape, held->tensor->rank * sizeof(int64_t));
  changed.isKnown = true;
  changed.data = NULL;
  int64_t dims[TENON_MAX_RANK], bytes;
  memcpy(dims, changed.shape, sizeof dims);
  if (grows) {
    TENON_TRY(tenonWantCapacity(state, held, dims[axis]));
    dims[axis] = changed.capacity = state->capacities[held->record->capacity];
  }
  if (!tenonTensorBytes(held->tensor, dims, &bytes))
    return tenonFail(TENON_TENSOR_MISMATCH, name,
                     "'%s' has more bytes than can be counted", name);
  TENON_TRY(
      tenonReserveBuffer(state, &changed.data, &changed.bytes, (size_t)bytes));
  tenon_tensor to = tenonHeldView(&changed);
  tenon_status *status = NULL;
  if (held->tensor->rank)
    status = tenonCopyGrown(name, value, &to, axis);
  else
    memcpy(to.data, (const uint8_t *)value->data + value->byte_offset,
           (size_t)bytes);
  if (status) {
    tenonRelease(&state->allocator, changed.data);
    return status;
  }
  tenonRelease(&state->allocator, held->data);
  *held = changed;
  return NULL;
}

tenon_status *tenon_state_truncate(tenon_state *state, int64_t length) {
  if (!state || length < 0)
    return tenonFail(TENON_INVALID_ARGUMENT, "", "a state has no such length");
  for (uint32_t i = 0; i < state->count; ++i) {
    const struct tenonHeld *held = &state->held[i];
    if (!tenonGrows(held->record) || held->shape[held->record->axis] >= length)
      continue;
    const char *name = tenonHeldName(state, held);
    return tenonFail(TENON_INVALID_ARGUMENT, name,
                     "'%s' has %lld elements along dimension %u, not %lld",
                     name, (long long)held->shape[held->record->axis],
                     held->record->axis, (long long)length);
  }
  for (uint32_t i = 0; i < state->count; ++i)
    if (tenonGrows(state->held[i].record))
      state->held[i].shape[state->held[i].record->axis] = length;
  return NULL;
}
