//===- Order.c - that launches which may run at once share nothing --------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file proves that no launch touches a byte that another one writes, of
// those that nothing orders: launches of one wave on a processor, of several
// streams on a GPU.
//===----------------------------------------------------------------------===//
#include "src/Context.h"
#include "tenon/reach.h"

#include <stdlib.h>

//===----------------------------------------------------------------------===//
// Two launches
//===----------------------------------------------------------------------===//

/// NULL: it may write any byte.
static const struct tenon_piece_record *pieceOf(const tenon_model *model,
                                                uint32_t ref) {
  uint32_t first = 0;
  uint32_t count = model->schedule ? model->schedule->piece_count : 0;
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

static tenon_status *prove(const tenon_model *model, uint32_t one,
                           uint32_t other, const struct tenonShape *shape) {
  if (isIdle(model, one, shape) || isIdle(model, other, shape) ||
      !doMeet(model, &model->launches[one], &model->launches[other], shape))
    return NULL;
  return tenonFail(
      TENON_BAD_ARTIFACT, nodeOf(model, one),
      "launch %u ('%s') and launch %u ('%s') may run at once, but one of them "
      "writes bytes that the other one uses",
      one, nodeOf(model, one), other, nodeOf(model, other));
}

//===----------------------------------------------------------------------===//
// Waves
//===----------------------------------------------------------------------===//

static tenon_status *proveWave(const tenon_model *model,
                               const struct tenon_wave_record *wave,
                               const struct tenonShape *shape) {
  uint32_t end = wave->first_launch + wave->launch_count;
  for (uint32_t i = wave->first_launch; i < end; ++i)
    for (uint32_t k = i + 1; k < end; ++k)
      TENON_TRY(prove(model, i, k, shape));
  return NULL;
}

static tenon_status *proveWaves(const tenon_model *model,
                                const struct tenon_program_record *program,
                                const struct tenonShape *shape) {
  for (uint32_t i = 0; i < model->schedule->wave_count; ++i)
    if (model->waves[i].first_launch - program->first_launch <
        program->launch_count)
      TENON_TRY(proveWave(model, &model->waves[i], shape));
  return NULL;
}

//===----------------------------------------------------------------------===//
// Streams
//===----------------------------------------------------------------------===//

/// What is over when each launch of a program begins: of each stream so many
/// launches, the last of which has the number before that in the program.
struct clocks {
  uint32_t streams;
  uint32_t *latest; ///< of each stream: its latest launch so far, plus one
  uint32_t *of;     ///< a row for each launch
};

static uint32_t *clockOf(const struct clocks *clocks, uint32_t launch) {
  return clocks->of + (size_t)launch * clocks->streams;
}

/// Launch `launch` begins when `other`, of the same program, is over.
static void await(const tenon_model *model,
                  const struct tenon_program_record *program,
                  const struct clocks *clocks, uint32_t launch,
                  uint32_t other) {
  uint32_t *clock = clockOf(clocks, launch);
  const uint32_t *before = clockOf(clocks, other);
  for (uint32_t i = 0; i < clocks->streams; ++i)
    if (before[i] > clock[i])
      clock[i] = before[i];
  uint32_t stream = model->launches[program->first_launch + other].stream;
  if (other + 1 > clock[stream])
    clock[stream] = other + 1;
}

static void wind(const tenon_model *model,
                 const struct tenon_program_record *program,
                 const struct clocks *clocks) {
  for (uint32_t i = 0; i < program->launch_count; ++i) {
    const struct tenon_launch_record *launch =
        &model->launches[program->first_launch + i];
    uint32_t *latest = &clocks->latest[launch->stream];
    if (*latest)
      await(model, program, clocks, i, *latest - 1);
    *latest = i + 1;
    for (uint32_t k = 0; k < launch->wait_count; ++k)
      await(model, program, clocks, i,
            model->waits[launch->first_wait + k] - program->first_launch);
  }
}

static tenon_status *proveByClocks(const tenon_model *model,
                                   const struct tenon_program_record *program,
                                   const struct clocks *clocks,
                                   const struct tenonShape *shape) {
  const struct tenon_launch_record *launches =
      model->launches + program->first_launch;
  for (uint32_t i = 0; i < program->launch_count; ++i)
    for (uint32_t k = 0; k < i; ++k)
      if (clockOf(clocks, i)[launches[k].stream] <= k)
        TENON_TRY(prove(model, program->first_launch + k,
                        program->first_launch + i, shape));
  return NULL;
}

static uint32_t countStreams(const tenon_model *model,
                             const struct tenon_program_record *program) {
  uint32_t last = 0;
  for (uint32_t i = 0; i < program->launch_count; ++i) {
    uint32_t stream = model->launches[program->first_launch + i].stream;
    last = stream > last ? stream : last;
  }
  return last + 1;
}

static tenon_status *proveStreams(const tenon_model *model,
                                  const struct tenon_program_record *program,
                                  const struct tenonShape *shape) {
  struct clocks clocks = {.streams = countStreams(model, program)};
  if (clocks.streams == 1)
    return NULL;
  size_t rows = (size_t)program->launch_count + 1;
  uint32_t *memory = calloc(rows * clocks.streams, sizeof *memory);
  if (!memory)
    return tenonNoMemory(rows * clocks.streams * sizeof *memory);
  clocks.latest = memory;
  clocks.of = memory + clocks.streams;
  wind(model, program, &clocks);
  tenon_status *status = proveByClocks(model, program, &clocks, shape);
  free(memory);
  return status;
}

tenon_status *tenonProveOrder(const tenon_model *model, uint32_t entry,
                              const struct tenonShape *shape) {
  const struct tenon_program_record *program = &model->programs[entry];
  if (tenonIsCuda(model))
    return proveStreams(model, program, shape);
  return model->schedule ? proveWaves(model, program, shape) : NULL;
}
