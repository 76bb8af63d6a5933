//===- Guards.c - the plan of a guarded artifact --------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file checks that the buffers of a guarded arena are as far from each
// other as their guards take, and that launches use nothing else.
//===----------------------------------------------------------------------===//
#include "src/Model.h"

/// `bytes` is at most PTRDIFF_MAX here: the plan has been checked, and where
/// there are no symbols all its sizes are numbers.
static uint64_t roundDown(uint64_t bytes) {
  return bytes / TENON_GUARD_BYTES * TENON_GUARD_BYTES;
}

static uint64_t roundUp(uint64_t bytes) {
  return roundDown(bytes + TENON_GUARD_BYTES - 1);
}

/// Whether each buffer has its own units of the arena, with a unit that is
/// nobody's before it and after it.
static tenon_status *checkDistances(const tenon_model *model) {
  const struct tenon_plan_header *plan = model->plan;
  const struct tenon_buffer_record *buffers = tenonPlanBuffers(model);
  uint64_t end = 0;
  for (uint32_t i = 0; i < plan->buffer_count; ++i) {
    uint64_t begin = roundDown((uint64_t)buffers[i].offset);
    if (begin < end || begin - end < TENON_GUARD_BYTES)
      return TENON_BAD("buffer %u of the memory plan has no guard below it", i);
    end = roundUp((uint64_t)buffers[i].offset + (uint64_t)buffers[i].size);
  }
  if (plan->buffer_count &&
      !tenonWithin(end, TENON_GUARD_BYTES, plan->arena_bytes))
    return TENON_BAD("the last buffer of the memory plan has no guard above");
  return NULL;
}

uint32_t tenonGuardedBuffer(const tenon_model *model, int64_t offset,
                            int64_t size) {
  const struct tenon_buffer_record *buffers = tenonPlanBuffers(model);
  uint32_t first = 0, end = model->plan->buffer_count;
  // The last buffer that begins at `offset` or before it.
  while (end - first > 1) {
    uint32_t middle = first + (end - first) / 2;
    if (buffers[middle].offset <= offset)
      first = middle;
    else
      end = middle;
  }
  bool isInside = first < end && buffers[first].offset <= offset &&
                  tenonMayBeWithin(offset - buffers[first].offset, size,
                                   buffers[first].size);
  return isInside ? first : model->plan->buffer_count;
}

static tenon_status *checkLaunch(const tenon_model *model, uint32_t index) {
  const struct tenon_launch_record *launch = &model->launches[index];
  for (uint32_t i = 0; i < launch->ref_count; ++i) {
    const struct tenon_ref_record *ref = &model->refs[launch->first_ref + i];
    if (ref->space == TENON_SPACE_ARENA &&
        tenonGuardedBuffer(model, ref->offset, ref->size) ==
            model->plan->buffer_count)
      return TENON_BAD("launch %u refers to bytes of no guarded buffer", index);
  }
  return NULL;
}

tenon_status *tenonCheckGuards(const tenon_model *model) {
  const struct tenon_plan_header *plan = model->plan;
  bool isGuarded = tenonIsGuarded(model);
  bool isKnown = isGuarded ? plan->guard == TENON_GUARD_ABOVE ||
                                 plan->guard == TENON_GUARD_BELOW
                           : plan->guard == TENON_GUARD_NONE;
  if (!isKnown || (isGuarded && plan->arena_alignment != TENON_GUARD_BYTES))
    return TENON_BAD("the guards of the memory plan are bad");
  if (!isGuarded)
    return NULL;
  for (uint32_t i = 0; i < model->entryCount; ++i) {
    if (model->registers[i])
      return TENON_BAD("a guarded artifact has symbols");
    if (model->entries[i].function)
      return TENON_BAD("a guarded artifact has bytecode");
  }
  TENON_TRY(checkDistances(model));
  for (uint32_t i = 0; i < model->counts->launch_count; ++i)
    TENON_TRY(checkLaunch(model, i));
  return NULL;
}
