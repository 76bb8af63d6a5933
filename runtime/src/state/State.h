//===- State.h - a state's insides --------------------------------*- C -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file is the struct behind tenon_state.
//===----------------------------------------------------------------------===//
#ifndef TENON_RUNTIME_STATE_STATE_H
#define TENON_RUNTIME_STATE_STATE_H

#include "src/Context.h"

/// A tensor that is kept.
struct tenonHeld {
  const struct tenon_state_record *record;
  /// The input that it is.
  const struct tenon_tensor_record *tensor;
  uint8_t *data;
  size_t bytes; ///< that there are
  /// Where the output goes; unused in what grows.
  uint8_t *next;
  size_t nextBytes;
  int64_t shape[TENON_MAX_RANK];
  int64_t strides[TENON_MAX_RANK];
  /// Along the dimension that grows, of `data`.
  int64_t capacity;
  /// Whether all its extents are known.
  bool isKnown;
};

struct tenon_state {
  const tenon_model *model;
  const struct tenon_entry_record *entry;
  tenon_allocator allocator;
  int64_t maxCapacity; ///< INT64_MAX: none
  struct tenonHeld *held;
  uint32_t count;
  /// Of each slot of the model, which of `held` it is; UINT32_MAX: none.
  uint32_t *bySlot;
  /// What those that grow are to have, by the numbers of capacities.
  int64_t *capacities;
  /// All tensors of an entry, for runs: as many as the largest has.
  tenon_tensor *inputs;
  tenon_tensor *outputs;
  /// Whether a run failed between its updates.
  bool isTorn;
  atomic_flag isRunning;
};

/// What the state keeps of an entry's state; NULL: nothing.
static inline struct tenonHeld *
tenonHeldOf(const tenon_state *state, const struct tenon_state_record *record) {
  uint32_t index = state->bySlot[record->slot];
  return index < state->count ? &state->held[index] : NULL;
}

/// Between these two no other thread uses the state; fails when one does.
tenon_status *tenonLockState(tenon_state *state);
void tenonUnlockState(tenon_state *state);

/// That it is whole.
tenon_status *tenonCheckWhole(const tenon_state *state);

/// A state of the same entry, with the same options, as it is at first.
tenon_status *tenonCreateLike(const tenon_state *state, tenon_state **result);

/// Exchanges what two states of one entry keep.
void tenonSwapStates(tenon_state *a, tenon_state *b);

/// What it is now, as a view. Its strides are set.
tenon_tensor tenonHeldView(struct tenonHeld *held);

/// Makes sure that the capacity with this number is `length` at least.
tenon_status *tenonWantCapacity(tenon_state *state,
                                const struct tenonHeld *held, int64_t length);

/// Moves what grows to a buffer of the capacity that it is to have.
tenon_status *tenonMoveHeld(tenon_state *state, struct tenonHeld *held);

/// Makes sure that a buffer has so many bytes. Its contents are not kept.
tenon_status *tenonReserveBuffer(tenon_state *state, uint8_t **data,
                                 size_t *bytes, size_t wanted);

static inline const char *tenonHeldName(const tenon_state *state,
                                        const struct tenonHeld *held) {
  return tenonName(state->model, held->tensor->name);
}

#endif // TENON_RUNTIME_STATE_STATE_H
