//===- Schedule.c - launches that may run at once -------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file checks what section SCHEDULE says.
//===----------------------------------------------------------------------===//
#include "src/Context.h"
#include "tenon/reach.h"

static const struct tenon_program_record *programOf(const tenon_model *model,
                                                    uint32_t launch) {
  const struct tenon_program_record *program = model->programs;
  while (launch - program->first_launch >= program->launch_count)
    ++program;
  return program;
}

/// `end`: of the launches of the wave before.
static tenon_status *checkWave(const tenon_model *model, uint32_t index,
                               uint32_t end) {
  struct tenon_wave_record wave = model->waves[index];
  if (wave.first_launch < end || wave.launch_count < 2 ||
      !tenonWithin(wave.first_launch, wave.launch_count,
                   model->counts->launch_count))
    return TENON_BAD("wave %u is bad", index);
  const struct tenon_program_record *program =
      programOf(model, wave.first_launch);
  if (!tenonWithin(wave.first_launch - program->first_launch, wave.launch_count,
                   program->launch_count))
    return TENON_BAD("wave %u has launches of two programs", index);
  // An input and an output are one buffer then, which no proof looks at.
  if (model->capacities[program - model->programs])
    return TENON_BAD("wave %u is of a program whose states grow", index);
  for (uint32_t i = 0; i < wave.launch_count; ++i)
    if (model->launches[wave.first_launch + i].steps != 1)
      return TENON_BAD("launch %u of wave %u has steps", wave.first_launch + i,
                       index);
  return NULL;
}

/// Whether a launch from `*next` on writes through the reference. References
/// ascend with their launches, so `*next` moves on past those before it.
static bool isWritten(const tenon_model *model, uint32_t ref, uint32_t *next) {
  const struct tenon_launch_record *launches = model->launches;
  uint32_t count = model->counts->launch_count, i = *next;
  while (i < count && launches[i].first_ref + launches[i].ref_count <= ref)
    ++i;
  *next = i;
  return i < count && ref - launches[i].first_ref < launches[i].ref_count &&
         ref - launches[i].first_ref >= launches[i].read_count;
}

static tenon_status *checkPieces(const tenon_model *model) {
  const struct tenon_piece_record *pieces = model->pieces;
  uint32_t launch = 0;
  for (uint32_t i = 0; i < model->schedule->piece_count; ++i) {
    const struct tenon_piece_record *piece = &pieces[i];
    struct tenon_reach reach = {piece->begin, piece->end, piece->run,
                                piece->pitch};
    if ((i && piece->ref <= pieces[i - 1].ref) || piece->reserved ||
        !tenon_is_reach(&reach) || !isWritten(model, piece->ref, &launch))
      return TENON_BAD("piece %u of the schedule is bad", i);
    int64_t size = model->refs[piece->ref].size;
    if (size >= 0 && piece->end > size)
      return TENON_BAD("piece %u of the schedule is bad", i);
  }
  return NULL;
}

static tenon_status *sliceSchedule(tenon_model *model) {
  struct tenonBytes bytes = model->sections[TENON_SECTION_SCHEDULE];
  const struct tenon_schedule_header *header = (const void *)bytes.data;
  if (bytes.size < sizeof *header)
    return TENON_BAD("the schedule section is too small");
  uint64_t size =
      sizeof *header +
      header->wave_count * (uint64_t)sizeof(struct tenon_wave_record) +
      header->piece_count * (uint64_t)sizeof(struct tenon_piece_record);
  if (bytes.size < size)
    return TENON_BAD("the schedule section has the wrong size");
  model->schedule = header;
  model->waves = (const struct tenon_wave_record *)(header + 1);
  model->pieces = (const void *)(model->waves + header->wave_count);
  model->waveTimes = (const void *)(model->pieces + header->piece_count);
  uint64_t launches = 0;
  for (uint32_t i = 0; i < header->wave_count; ++i) {
    if (model->waves[i].launch_count > model->counts->launch_count)
      return TENON_BAD("wave %u is bad", i);
    launches += model->waves[i].launch_count;
  }
  if (bytes.size != size + launches * sizeof *model->waveTimes)
    return TENON_BAD("the schedule section has the wrong size");
  for (uint64_t i = 0; i < launches; ++i)
    if (!model->waveTimes[i])
      return TENON_BAD("a launch of a wave is expected to take no time");
  return NULL;
}

static tenon_status *checkSchedule(tenon_model *model) {
  TENON_TRY(sliceSchedule(model));
  if (tenonIsCuda(model) && model->schedule->wave_count)
    return TENON_BAD("launches of a device are in waves");
  uint32_t end = 0;
  for (uint32_t i = 0; i < model->schedule->wave_count; ++i) {
    TENON_TRY(checkWave(model, i, end));
    end = model->waves[i].first_launch + model->waves[i].launch_count;
  }
  return checkPieces(model);
}

tenon_status *tenonParseSchedule(tenon_model *model) {
  if (model->sections[TENON_SECTION_SCHEDULE].size)
    TENON_TRY(checkSchedule(model));
  // Where sizes depend on shapes, each shape is looked at.
  for (uint32_t i = 0; i < model->entryCount; ++i)
    if (!model->registers[i])
      TENON_TRY(tenonProveOrder(model, i, NULL));
  return NULL;
}
