//===- Schedule.c - launches that may run at once -------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file checks section SCHEDULE, and proves that no launch of a wave
// touches a byte that another one writes.
//===----------------------------------------------------------------------===//
#include "src/Context.h"
#include "tenon/reach.h"

//===----------------------------------------------------------------------===//
// What it says
//===----------------------------------------------------------------------===//

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
  for (uint32_t i = 0; i < wave.launch_count; ++i)
    if (model->launches[wave.first_launch + i].steps != 1)
      return TENON_BAD("launch %u of wave %u has steps", wave.first_launch + i,
                       index);
  return NULL;
}

/// Whether a launch of a wave writes through the reference.
static bool isWritten(const tenon_model *model, uint32_t ref) {
  for (uint32_t i = 0; i < model->schedule->wave_count; ++i)
    for (uint32_t k = 0; k < model->waves[i].launch_count; ++k) {
      const struct tenon_launch_record *launch =
          &model->launches[model->waves[i].first_launch + k];
      if (ref - launch->first_ref < launch->ref_count)
        return ref - launch->first_ref >= launch->read_count;
    }
  return false;
}

static tenon_status *checkPieces(const tenon_model *model) {
  const struct tenon_piece_record *pieces = model->pieces;
  for (uint32_t i = 0; i < model->schedule->piece_count; ++i) {
    const struct tenon_piece_record *piece = &pieces[i];
    struct tenon_reach reach = {piece->begin, piece->end, piece->run,
                                piece->pitch};
    if ((i && piece->ref <= pieces[i - 1].ref) || piece->reserved ||
        !tenon_is_reach(&reach) || !isWritten(model, piece->ref))
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
  for (uint32_t i = 0; i < header->wave_count; ++i)
    launches += model->waves[i].launch_count;
  if (bytes.size != size + launches * sizeof *model->waveTimes)
    return TENON_BAD("the schedule section has the wrong size");
  for (uint64_t i = 0; i < launches; ++i)
    if (!model->waveTimes[i])
      return TENON_BAD("a launch of a wave is expected to take no time");
  return NULL;
}

//===----------------------------------------------------------------------===//
// That it may
//===----------------------------------------------------------------------===//

/// NULL: it may write any byte.
static const struct tenon_piece_record *pieceOf(const tenon_model *model,
                                                uint32_t ref) {
  uint32_t first = 0, count = model->schedule->piece_count;
  while (count) {
    uint32_t half = count / 2;
    const struct tenon_piece_record *middle = &model->pieces[first + half];
    if (middle->ref == ref)
      return middle;
    if (middle->ref < ref)
      first += half + 1;
    count = middle->ref < ref ? count - half - 1 : half;
  }
  return NULL;
}

/// The sizes of `shape` have been checked; NULL: all are numbers.
static struct tenon_reach reachOf(const tenon_model *model, uint32_t ref,
                                  bool isWrite,
                                  const struct tenonShape *shape) {
  int64_t offset = tenonSize(shape, model->refs[ref].offset);
  int64_t size = tenonSize(shape, model->refs[ref].size);
  const struct tenon_piece_record *piece = isWrite ? pieceOf(model, ref) : NULL;
  if (piece && piece->end <= size)
    return (struct tenon_reach){offset + piece->begin, offset + piece->end,
                                piece->run, piece->pitch};
  return (struct tenon_reach){offset, offset + size, size, 0};
}

/// Whether reference `ref` of one launch and those of another one that may meet
/// it, all or those that it writes, have a byte in common.
static bool meets(const tenon_model *model, uint32_t ref, bool isWrite,
                  const struct tenon_launch_record *other,
                  const struct tenonShape *shape) {
  const struct tenon_ref_record *record = &model->refs[ref];
  struct tenon_reach reach = reachOf(model, ref, isWrite, shape);
  uint32_t begin = isWrite ? 0 : other->read_count;
  for (uint32_t i = begin; i < other->ref_count; ++i) {
    const struct tenon_ref_record *second = &model->refs[other->first_ref + i];
    if (second->space != record->space || second->index != record->index)
      continue;
    struct tenon_reach its =
        reachOf(model, other->first_ref + i, i >= other->read_count, shape);
    if (tenon_reaches_meet(&reach, &its))
      return true;
  }
  return false;
}

static bool doMeet(const tenon_model *model,
                   const struct tenon_launch_record *launch,
                   const struct tenon_launch_record *other,
                   const struct tenonShape *shape) {
  for (uint32_t i = 0; i < launch->ref_count; ++i)
    if (meets(model, launch->first_ref + i, i >= launch->read_count, other,
              shape))
      return true;
  return false;
}

static const char *nodeOf(const tenon_model *model, uint32_t launch) {
  const struct tenon_launch_record *record = &model->launches[launch];
  return record->node_count ? model->nodeNames[record->first_node] : "";
}

/// A launch without tiles touches nothing.
static bool isIdle(const tenon_model *model, uint32_t launch,
                   const struct tenonShape *shape) {
  return !tenonSize(shape, model->launches[launch].tiles);
}

tenon_status *tenonProveWave(const tenon_model *model,
                             const struct tenon_wave_record *wave,
                             const struct tenonShape *shape) {
  uint32_t end = wave->first_launch + wave->launch_count;
  for (uint32_t i = wave->first_launch; i < end; ++i)
    for (uint32_t k = i + 1; k < end; ++k)
      if (!isIdle(model, i, shape) && !isIdle(model, k, shape) &&
          doMeet(model, &model->launches[i], &model->launches[k], shape))
        return tenonFail(
            TENON_BAD_ARTIFACT, nodeOf(model, i),
            "launch %u ('%s') and launch %u ('%s') are to run at once, but one "
            "of them writes bytes that the other one uses",
            i, nodeOf(model, i), k, nodeOf(model, k));
  return NULL;
}

tenon_status *tenonParseSchedule(tenon_model *model) {
  if (!model->sections[TENON_SECTION_SCHEDULE].size)
    return NULL;
  if (tenonIsCuda(model))
    return TENON_BAD("launches of a device are in waves");
  TENON_TRY(sliceSchedule(model));
  uint32_t end = 0;
  for (uint32_t i = 0; i < model->schedule->wave_count; ++i) {
    TENON_TRY(checkWave(model, i, end));
    end = model->waves[i].first_launch + model->waves[i].launch_count;
  }
  TENON_TRY(checkPieces(model));
  for (uint32_t i = 0; i < model->schedule->wave_count; ++i) {
    const struct tenon_program_record *program =
        programOf(model, model->waves[i].first_launch);
    // Where sizes depend on shapes, each shape is looked at.
    if (!model->registers[program - model->programs])
      TENON_TRY(tenonProveWave(model, &model->waves[i], NULL));
  }
  return NULL;
}
