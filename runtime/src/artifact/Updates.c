//===- Updates.c - that states which are overwritten are whole ------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file proves of the launches what the signature says of states that are
// updated. One buffer is then as good as two: the launch that overwrites a
// state is the last that wants its old value, and a run that fails does so
// before.
//===----------------------------------------------------------------------===//
#include "src/Model.h"

/// How often the references [begin, end) of a launch are to a tensor; `found`,
/// where it is given, is the last of them.
static uint32_t count(const tenon_model *model,
                      const struct tenon_launch_record *launch, uint32_t begin,
                      uint32_t end, uint32_t space, uint32_t index,
                      const struct tenon_ref_record **found) {
  uint32_t times = 0;
  for (uint32_t i = begin; i < end; ++i) {
    const struct tenon_ref_record *ref = &model->refs[launch->first_ref + i];
    if (ref->space != space || ref->index != index)
      continue;
    if (found)
      *found = ref;
    ++times;
  }
  return times;
}

static uint32_t countReads(const tenon_model *model,
                           const struct tenon_launch_record *launch,
                           const struct tenon_state_record *state,
                           const struct tenon_ref_record **found) {
  return count(model, launch, 0, launch->ref_count, TENON_SPACE_INPUT,
               state->input, found);
}

static uint32_t countWrites(const tenon_model *model,
                            const struct tenon_launch_record *launch,
                            const struct tenon_state_record *state,
                            const struct tenon_ref_record **found) {
  return count(model, launch, launch->read_count, launch->ref_count,
               TENON_SPACE_OUTPUT, state->output, found);
}

/// Whether one launch may write a state where it reads it: all of it, once.
static bool overwrites(const tenon_model *model,
                       const struct tenon_launch_record *launch,
                       const struct tenon_state_record *state) {
  const struct tenon_ref_record *read = NULL, *written = NULL;
  uint32_t reads = countReads(model, launch, state, &read);
  uint32_t writes = countWrites(model, launch, state, &written);
  return writes == 1 && launch->steps == 1 &&
         (!reads || (reads == 1 && read->offset == written->offset &&
                     read->size == written->size));
}

static bool isInWave(const tenon_model *model, uint32_t launch) {
  uint32_t waves = model->schedule ? model->schedule->wave_count : 0;
  for (uint32_t i = 0; i < waves; ++i)
    if (launch - model->waves[i].first_launch < model->waves[i].launch_count)
      return true;
  return false;
}

/// Whether a launch may end the run.
static bool isChecked(const tenon_model *model, uint32_t launch) {
  return model->kernelRecords[model->launches[launch].kernel].flags &
         TENON_KERNEL_CHECKED;
}

/// The first launch of a program that writes a state; its end: none does.
static uint32_t writerOf(const tenon_model *model,
                         const struct tenon_program_record *program,
                         const struct tenon_state_record *state) {
  uint32_t end = program->first_launch + program->launch_count;
  uint32_t writer = program->first_launch;
  while (writer < end &&
         !countWrites(model, &model->launches[writer], state, NULL))
    ++writer;
  return writer;
}

static bool isWhole(const tenon_model *model,
                    const struct tenon_program_record *program,
                    const struct tenon_state_record *state) {
  uint32_t end = program->first_launch + program->launch_count;
  uint32_t writer = writerOf(model, program, state);
  if (writer == end || isInWave(model, writer) ||
      !overwrites(model, &model->launches[writer], state) ||
      isChecked(model, writer))
    return false;
  for (uint32_t i = writer + 1; i < end; ++i)
    if (isChecked(model, i) ||
        countReads(model, &model->launches[i], state, NULL) ||
        countWrites(model, &model->launches[i], state, NULL))
      return false;
  return true;
}

tenon_status *tenonProveUpdates(const tenon_model *model) {
  for (uint32_t i = 0; i < model->signature->state_count; ++i) {
    const struct tenon_state_record *state = &model->states[i];
    if (tenonIsUpdated(state) &&
        (tenonIsCuda(model) || tenonIsGuarded(model) ||
         !isWhole(model, &model->programs[state->entry], state)))
      return TENON_BAD("state %u is overwritten while it is in use", i);
  }
  return NULL;
}

uint32_t tenonFirstUpdate(const tenon_model *model,
                          const struct tenon_entry_record *entry) {
  const struct tenon_program_record *program = tenonEntryProgram(model, entry);
  struct tenonStates states = tenonEntryStates(model, entry);
  uint32_t first = program->first_launch + program->launch_count;
  for (uint32_t i = 0; i < states.count; ++i) {
    if (!tenonIsUpdated(&states.first[i]))
      continue;
    uint32_t writer = writerOf(model, program, &states.first[i]);
    first = writer < first ? writer : first;
  }
  return first - program->first_launch;
}
