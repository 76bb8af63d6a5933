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

/// What is overwritten has one size, whatever the shapes.
static bool canUpdate(const struct tenon_tensor_record *input,
                      const struct tenon_tensor_record *output) {
  return input->byte_size >= 0 && input->byte_size == output->byte_size;
}

static bool haveOneType(const struct tenon_tensor_record *a,
                        const struct tenon_tensor_record *b) {
  return a->type_code == b->type_code && a->type_bits == b->type_bits &&
         a->rank == b->rank;
}

/// Whether its output, if it has one, can be its input.
static bool hasGoodOutput(const tenon_model *model,
                          const struct tenon_entry_record *entry,
                          const struct tenon_state_record *state,
                          const struct tenon_tensor_record *input) {
  if (!tenonWrites(state))
    return !tenonGrows(state) && !tenonIsUpdated(state);
  if (state->output >= entry->output_count)
    return false;
  const struct tenon_tensor_record *output =
      tenonEntryTensors(model, entry) + entry->input_count + state->output;
  return tenonHasExtents(output) && haveOneType(input, output) &&
         (!tenonGrows(state) || canGrow(model, state, input, output)) &&
         (!tenonIsUpdated(state) || canUpdate(input, output));
}

/// Whether what it is at first lies in WEIGHTS, as much as the tensor has.
static bool hasGoodFirst(const tenon_model *model,
                         const struct tenon_state_record *state,
                         const struct tenon_tensor_record *input) {
  return state->first == TENON_STATE_ZEROS ||
         (input->byte_size >= 0 && !tenonGrows(state) &&
          tenonWithin(state->first, (uint64_t)input->byte_size,
                      model->sections[TENON_SECTION_WEIGHTS].size));
}

/// Whether it is a number of steps.
static bool hasGoodRole(const struct tenon_state_record *state,
                        const struct tenon_tensor_record *input) {
  return (state->role != TENON_STATE_COUNTER &&
          state->role != TENON_STATE_SKIPPED) ||
         (input->type_code == TENON_INT && input->type_bits == 64 &&
          input->rank == 0);
}

static const struct tenon_tensor_record *
inputOf(const tenon_model *model, const struct tenon_state_record *state) {
  return tenonEntryTensors(model, &model->entries[state->entry]) + state->input;
}

static bool isGood(const tenon_model *model,
                   const struct tenon_state_record *state) {
  if (state->entry >= model->entryCount || state->reserved ||
      state->role >= TENON_STATE_ROLES ||
      state->slot >= model->signature->state_count)
    return false;
  const struct tenon_entry_record *entry = &model->entries[state->entry];
  if (entry->function || state->input >= entry->input_count)
    return false;
  const struct tenon_tensor_record *input = inputOf(model, state);
  return tenonHasExtents(input) && hasGoodFirst(model, state, input) &&
         hasGoodRole(state, input) && hasGoodOutput(model, entry, state, input);
}

/// Whether two states with one slot can be one tensor.
static bool canShare(const tenon_model *model,
                     const struct tenon_state_record *a,
                     const struct tenon_state_record *b) {
  const struct tenon_tensor_record *x = inputOf(model, a);
  const struct tenon_tensor_record *y = inputOf(model, b);
  bool isSame = a->entry != b->entry && a->first == b->first &&
                a->role == b->role && !tenonGrows(a) && !tenonGrows(b) &&
                haveOneType(x, y);
  for (uint32_t i = 0; isSame && i < x->rank; ++i) {
    int64_t extent = model->dims[x->first_dim + i];
    isSame = extent >= 0 && extent == model->dims[y->first_dim + i];
  }
  return isSame;
}

/// Whether two states of one entry share nothing.
static bool areApart(const struct tenon_state_record *a,
                     const struct tenon_state_record *b) {
  return a->input != b->input && (!tenonWrites(a) || a->output != b->output);
}

/// Whether no state before has its input, its output, or its slot for something
/// else; and that they are in the order of their entries.
static bool isOnly(const tenon_model *model, uint32_t index) {
  const struct tenon_state_record *state = &model->states[index];
  for (uint32_t i = 0; i < index; ++i) {
    const struct tenon_state_record *other = &model->states[i];
    if (other->entry > state->entry ||
        (other->entry == state->entry && !areApart(state, other)) ||
        (other->slot == state->slot && !canShare(model, state, other)))
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
