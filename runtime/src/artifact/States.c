//===- States.c - outputs that are inputs of the next run -----------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file checks what the signature says of states.
//===----------------------------------------------------------------------===//
#include "src/Model.h"

#include <stdlib.h>

struct tenonStates tenonEntryStates(const tenon_model *model,
                                    const struct tenon_entry_record *entry) {
  uint32_t number = (uint32_t)(entry - model->entries);
  uint32_t count = model->signature->state_count, first = 0;
  while (first < count && model->states[first].entry < number)
    ++first;
  uint32_t end = first;
  while (end < count && model->states[end].entry == number)
    ++end;
  return (struct tenonStates){model->states + first, end - first};
}

/// What grows does so along a dimension that the shapes decide.
static bool canGrow(const tenon_model *model,
                    const struct tenon_state_record *state,
                    const struct tenon_tensor_record *input,
                    const struct tenon_tensor_record *output) {
  return state->axis < output->rank &&
         state->capacity < model->signature->state_count &&
         model->dims[input->first_dim + state->axis] < 0 &&
         model->dims[output->first_dim + state->axis] < 0;
}

static bool isGood(const tenon_model *model,
                   const struct tenon_state_record *state) {
  if (state->entry >= model->entryCount || state->reserved)
    return false;
  const struct tenon_entry_record *entry = &model->entries[state->entry];
  if (state->input >= entry->input_count ||
      state->output >= entry->output_count)
    return false;
  const struct tenon_tensor_record *tensors = tenonEntryTensors(model, entry);
  const struct tenon_tensor_record *input = tensors + state->input;
  const struct tenon_tensor_record *output =
      tensors + entry->input_count + state->output;
  return !entry->function && tenonHasExtents(input) &&
         tenonHasExtents(output) && input->type_code == output->type_code &&
         input->type_bits == output->type_bits && input->rank == output->rank &&
         (!tenonGrows(state) || canGrow(model, state, input, output));
}

/// Whether no state before has its input or its output; and that they are in
/// the order of their entries.
static bool isOnly(const tenon_model *model, uint32_t index) {
  const struct tenon_state_record *state = &model->states[index];
  for (uint32_t i = 0; i < index; ++i) {
    const struct tenon_state_record *other = &model->states[i];
    if (other->entry > state->entry ||
        (other->entry == state->entry &&
         (other->input == state->input || other->output == state->output)))
      return false;
  }
  return true;
}

tenon_status *tenonParseStates(tenon_model *model) {
  model->capacities = calloc(model->entryCount, sizeof *model->capacities);
  if (!model->capacities)
    return tenonNoMemory(model->entryCount * sizeof *model->capacities);
  for (uint32_t i = 0; i < model->signature->state_count; ++i) {
    const struct tenon_state_record *state = &model->states[i];
    if (!isGood(model, state) || !isOnly(model, i))
      return TENON_BAD("state %u is bad", i);
    uint32_t *capacities = &model->capacities[state->entry];
    if (tenonGrows(state) && state->capacity >= *capacities)
      *capacities = state->capacity + 1;
  }
  return NULL;
}
