//===- Hold.c - memory of states ------------------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file makes states, and moves what grows to larger buffers.
//===----------------------------------------------------------------------===//
#include "src/state/State.h"

#include <string.h>

/// Elements along the dimension that grows, unless an option says otherwise.
#define DEFAULT_CAPACITY 128

tenon_tensor tenonHeldView(struct tenonHeld *held) {
  int64_t stride = 1;
  bool grows = tenonGrows(held->record);
  for (uint32_t i = held->tensor->rank; i-- > 0;) {
    held->strides[i] = stride;
    bool isAxis = grows && i == held->record->axis;
    stride *= isAxis ? held->capacity : held->shape[i];
  }
  return (tenon_tensor){
      .data = held->data,
      .device = {TENON_DEVICE_CPU, 0},
      .ndim = (int32_t)held->tensor->rank,
      .dtype = {held->tensor->type_code, held->tensor->type_bits, 1},
      .shape = held->shape,
      .strides = held->strides};
}

tenon_status *tenonReserveBuffer(tenon_state *state, uint8_t **data,
                                 size_t *bytes, size_t wanted) {
  if (*data && *bytes >= wanted)
    return NULL;
  void *memory =
      tenonAllocate(&state->allocator, wanted ? wanted : 1, TENON_LINE_BYTES);
  if (!memory)
    return tenonNoMemory(wanted);
  tenonRelease(&state->allocator, *data);
  *data = memory;
  *bytes = wanted;
  return NULL;
}

//===----------------------------------------------------------------------===//
// What grows
//===----------------------------------------------------------------------===//

tenon_status *tenonWantCapacity(tenon_state *state,
                                const struct tenonHeld *held, int64_t length) {
  int64_t *capacity = &state->capacities[held->record->capacity];
  if (length <= *capacity)
    return NULL;
  const char *name = tenonHeldName(state, held);
  if (length > state->maxCapacity)
    return tenonFail(TENON_CAPACITY_EXCEEDED, name,
                     "'%s' is full: it may have %lld elements along dimension "
                     "%u, and would have %lld",
                     name, (long long)state->maxCapacity, held->record->axis,
                     (long long)length);
  int64_t doubled =
      *capacity <= state->maxCapacity / 2 ? 2 * *capacity : state->maxCapacity;
  *capacity = doubled > length ? doubled : length;
  return NULL;
}

tenon_status *tenonMoveHeld(tenon_state *state, struct tenonHeld *held) {
  int64_t capacity = state->capacities[held->record->capacity];
  if (held->data && held->capacity == capacity)
    return NULL;
  const char *name = tenonHeldName(state, held);
  struct tenonHeld moved = *held;
  moved.capacity = capacity;
  moved.data = NULL;
  int64_t dims[TENON_MAX_RANK], bytes;
  memcpy(dims, held->shape, sizeof dims);
  dims[held->record->axis] = capacity;
  if (!tenonTensorBytes(held->tensor, dims, &bytes))
    return tenonFail(TENON_TENSOR_MISMATCH, name,
                     "'%s' has more bytes than can be counted", name);
  TENON_TRY(
      tenonReserveBuffer(state, &moved.data, &moved.bytes, (size_t)bytes));
  tenon_tensor from = tenonHeldView(held), to = tenonHeldView(&moved);
  tenon_status *status = NULL;
  if (held->data)
    status = tenonCopyGrown(name, &from, &to, (int32_t)held->record->axis);
  if (status) {
    tenonRelease(&state->allocator, moved.data);
    return status;
  }
  tenonRelease(&state->allocator, held->data);
  *held = moved;
  return NULL;
}

//===----------------------------------------------------------------------===//
// Making
//===----------------------------------------------------------------------===//

static tenon_status *take(const tenon_state *state, size_t count, size_t size,
                          void *result) {
  size_t bytes = count * size;
  void *memory =
      tenonAllocate(&state->allocator, bytes ? bytes : 1, TENON_LINE_BYTES);
  if (!memory)
    return tenonNoMemory(bytes);
  memset(memory, 0, bytes);
  memcpy(result, &memory, sizeof memory);
  return NULL;
}

/// Nothing where it grows; elsewhere what the model says, or zeros.
static tenon_status *empty(tenon_state *state, struct tenonHeld *held) {
  const int64_t *dims = state->model->dims + held->tensor->first_dim;
  held->isKnown = true;
  for (uint32_t i = 0; i < held->tensor->rank; ++i) {
    bool isAxis = tenonGrows(held->record) && i == held->record->axis;
    held->shape[i] = isAxis || dims[i] < 0 ? 0 : dims[i];
    held->isKnown &= isAxis || dims[i] >= 0;
  }
  if (tenonGrows(held->record) || !held->isKnown)
    return NULL;
  int64_t bytes = held->tensor->byte_size;
  TENON_TRY(
      tenonReserveBuffer(state, &held->data, &held->bytes, (size_t)bytes));
  if (held->record->first == TENON_STATE_ZEROS)
    memset(held->data, 0, (size_t)bytes);
  else
    memcpy(held->data,
           state->model->sections[TENON_SECTION_WEIGHTS].data +
               held->record->first,
           (size_t)bytes);
  return NULL;
}

/// Room for the tensors of any entry.
static tenon_status *takeTensors(tenon_state *state) {
  size_t inputs = 0, outputs = 0;
  for (uint32_t i = 0; i < state->model->entryCount; ++i) {
    const struct tenon_entry_record *entry = &state->model->entries[i];
    inputs = inputs > entry->input_count ? inputs : entry->input_count;
    outputs = outputs > entry->output_count ? outputs : entry->output_count;
  }
  TENON_TRY(take(state, inputs, sizeof *state->inputs, &state->inputs));
  return take(state, outputs, sizeof *state->outputs, &state->outputs);
}

/// No slot has anything yet.
static tenon_status *takeSlots(tenon_state *state) {
  size_t count = state->model->signature->state_count;
  TENON_TRY(take(state, count, sizeof *state->bySlot, &state->bySlot));
  for (size_t i = 0; i < count; ++i)
    state->bySlot[i] = UINT32_MAX;
  return NULL;
}

static tenon_status *fill(tenon_state *state, int64_t capacity) {
  const struct tenon_entry_record *entry = state->entry;
  struct tenonStates states = tenonEntryStates(state->model, entry);
  uint32_t capacities = state->model->capacities[entry - state->model->entries];
  TENON_TRY(take(state, states.count, sizeof *state->held, &state->held));
  state->count = states.count;
  TENON_TRY(
      take(state, capacities, sizeof *state->capacities, &state->capacities));
  TENON_TRY(takeTensors(state));
  TENON_TRY(takeSlots(state));
  for (uint32_t i = 0; i < capacities; ++i)
    state->capacities[i] = capacity;
  for (uint32_t i = 0; i < states.count; ++i) {
    struct tenonHeld *held = &state->held[i];
    held->record = &states.first[i];
    state->bySlot[held->record->slot] = i;
    held->tensor =
        tenonEntryTensors(state->model, entry) + states.first[i].input;
    TENON_TRY(empty(state, held));
  }
  return NULL;
}

static const struct tenon_entry_record *findEntry(const tenon_model *model,
                                                  const char *name) {
  for (uint32_t i = 0; i < model->entryCount; ++i)
    if (!name || strcmp(tenonName(model, model->entries[i].name), name) == 0)
      return &model->entries[i];
  return NULL;
}

static tenon_status *checkOptions(const tenon_state_options *options) {
  if (options->capacity < 0 || options->max_capacity < 0 ||
      (options->max_capacity && options->capacity > options->max_capacity))
    return tenonFail(TENON_INVALID_ARGUMENT, "",
                     "a capacity of %lld, at most %lld, is impossible",
                     (long long)options->capacity,
                     (long long)options->max_capacity);
  if (!options->allocator.allocate != !options->allocator.release)
    return tenonFail(TENON_INVALID_ARGUMENT, "",
                     "an allocator needs both of its functions");
  return NULL;
}

static tenon_status *create(const tenon_state *like, int64_t capacity,
                            tenon_state **result) {
  tenon_state *state =
      tenonAllocate(&like->allocator, sizeof *state, TENON_LINE_BYTES);
  if (!state)
    return tenonNoMemory(sizeof *state);
  *state = (tenon_state){.model = like->model,
                         .entry = like->entry,
                         .allocator = like->allocator,
                         .maxCapacity = like->maxCapacity};
  atomic_flag_clear(&state->isRunning);
  tenon_status *status = fill(state, capacity);
  if (status)
    tenon_state_destroy(state);
  else
    *result = state;
  return status;
}

static int64_t firstCapacity(int64_t wanted, int64_t most) {
  int64_t first = wanted ? wanted : DEFAULT_CAPACITY;
  return first < most ? first : most;
}

tenon_status *tenon_state_create(const tenon_model *model,
                                 const tenon_state_options *options,
                                 tenon_state **result) {
  if (!model || !result)
    return tenonFail(TENON_INVALID_ARGUMENT, "", "a null argument");
  tenon_state_options local;
  TENON_TRY(tenonReadStruct(&local, sizeof local, options));
  TENON_TRY(checkOptions(&local));
  const struct tenon_entry_record *entry = findEntry(model, local.entry);
  if (!entry)
    return tenonFail(TENON_INVALID_ARGUMENT, "", "the model has no entry '%s'",
                     local.entry);
  int64_t most = local.max_capacity ? local.max_capacity : INT64_MAX;
  tenon_state like = {.model = model,
                      .entry = entry,
                      .allocator = local.allocator,
                      .maxCapacity = most};
  return create(&like, firstCapacity(local.capacity, most), result);
}

tenon_status *tenonCreateLike(const tenon_state *state, tenon_state **result) {
  return create(state, firstCapacity(0, state->maxCapacity), result);
}

void tenonSwapStates(tenon_state *a, tenon_state *b) {
  struct tenonHeld *held = a->held;
  int64_t *capacities = a->capacities;
  a->held = b->held;
  a->capacities = b->capacities;
  a->isTorn = b->isTorn;
  b->held = held;
  b->capacities = capacities;
}

void tenon_state_destroy(tenon_state *state) {
  if (!state)
    return;
  tenon_allocator allocator = state->allocator;
  for (uint32_t i = 0; i < state->count; ++i) {
    tenonRelease(&allocator, state->held[i].data);
    tenonRelease(&allocator, state->held[i].next);
  }
  tenonRelease(&allocator, state->held);
  tenonRelease(&allocator, state->bySlot);
  tenonRelease(&allocator, state->capacities);
  tenonRelease(&allocator, state->inputs);
  tenonRelease(&allocator, state->outputs);
  tenonRelease(&allocator, state);
}

void tenon_state_reset(tenon_state *state) {
  // Those that are known from the begin have their memory: nothing can fail.
  for (uint32_t i = 0; i < state->count; ++i)
    tenon_status_destroy(empty(state, &state->held[i]));
  state->isTorn = false;
}
