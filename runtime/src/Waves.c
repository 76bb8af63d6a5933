//===- Waves.c - launches that run at once --------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file shares the tiles of a wave's launches out to the threads, once for
// each shape, and runs them.
//===----------------------------------------------------------------------===//
#include "src/Context.h"

#include <stdlib.h>
#include <string.h>

//===----------------------------------------------------------------------===//
// Which there are
//===----------------------------------------------------------------------===//

static tenon_status *runsInOrder(bool *result) {
  const char *schedule = getenv("TENON_SCHEDULE");
  *result = schedule && strcmp(schedule, "order") == 0;
  if (schedule && *schedule && !*result)
    return tenonFail(TENON_INVALID_ARGUMENT, "",
                     "TENON_SCHEDULE is '%s'; it can be 'order', for launches "
                     "one after the other",
                     schedule);
  return NULL;
}

tenon_status *tenonFindWaves(tenon_context *context) {
  const tenon_model *model = context->model;
  bool isOrdered;
  TENON_TRY(runsInOrder(&isOrdered));
  if (!model->schedule || isOrdered || context->threads == 1)
    return NULL;
  uint32_t end = context->firstLaunch + context->launchCount;
  context->waveTimes = model->waveTimes;
  for (uint32_t i = 0; i < model->schedule->wave_count; ++i) {
    const struct tenon_wave_record *wave = &model->waves[i];
    if (wave->first_launch < context->firstLaunch)
      context->waveTimes += wave->launch_count;
    else if (wave->first_launch < end && !context->waves.count++)
      context->waves.first = i;
  }
  return NULL;
}

const struct tenon_wave_record *tenonWaveRecord(const tenon_context *context,
                                                uint32_t index) {
  return &context->model->waves[context->waves.first + index];
}

//===----------------------------------------------------------------------===//
// Who runs what
//===----------------------------------------------------------------------===//

static void shareOut(const tenon_context *context, struct tenonWave *wave,
                     const uint32_t *times) {
  wave->hasScratch = false;
  for (uint32_t i = 0; i < wave->count; ++i) {
    const struct tenonLaunch *launch = &wave->launches[i];
    wave->members[i] =
        (struct tenonMember){launch->tiles, times[i], launch->perThread == 1};
    wave->hasScratch |=
        tenonLaunchRecord(context, wave->first + i)->scratch_bytes != 0;
  }
  tenonShareOut(wave->members, wave->count, context->threads, wave->parts,
                wave->ends);
}

void tenonShareWaves(const tenon_context *context, struct tenonShape *shape) {
  const uint32_t *times = context->waveTimes;
  for (uint32_t i = 0; i < context->waves.count; ++i) {
    struct tenonWave *wave = &shape->waves[i];
    shareOut(context, wave, times);
    times += wave->count;
  }
}

//===----------------------------------------------------------------------===//
// Running
//===----------------------------------------------------------------------===//

static void runParts(const void *argument, int32_t thread, int64_t begin,
                     int64_t end) {
  const struct tenonWave *wave = argument;
  for (const struct tenonPart *part = wave->parts + begin;
       part < wave->parts + end; ++part)
    tenonRunRange(&wave->launches[part->member], thread, part->begin,
                  part->end);
}

/// The same, with clocks.
static void runTimedParts(const void *argument, int32_t thread, int64_t begin,
                          int64_t end) {
  const struct tenonWave *wave = argument;
  for (int64_t i = begin; i < end; ++i) {
    int64_t before = tenonNow();
    runParts(wave, thread, i, i + 1);
    wave->times[i] = (struct tenonPartTime){before - wave->context->runBegin,
                                            tenonNow() - before, thread};
  }
}

static tenonRangeFn partsFunction(const struct tenonWave *wave) {
  return wave->times ? runTimedParts : runParts;
}

/// Of an executor: part `index`.
static void runPart(void *argument, int64_t index) {
  runParts(argument, /*thread=*/0, index, index + 1);
}

/// Of an executor: all that is thread `index`'s, with its scratch.
static void runShare(void *argument, int64_t index) {
  const struct tenonWave *wave = argument;
  partsFunction(wave)(wave, (int32_t)index, wave->ends[index],
                      wave->ends[index + 1]);
}

static void runOnExecutor(const tenon_context *context,
                          struct tenonWave *wave) {
  const tenon_executor *executor = &context->options.executor;
  uint32_t parts = wave->ends[context->threads];
  if (wave->hasScratch || wave->times)
    executor->parallel_for(executor->user, context->threads, runShare, wave);
  else if (parts)
    executor->parallel_for(executor->user, parts, runPart, wave);
}

static void runOnce(const tenon_context *context, struct tenonWave *wave) {
  if (context->pool)
    tenonPoolRunShares(context->pool, wave->ends, partsFunction(wave), wave);
  else
    runOnExecutor(context, wave);
}

/// What threads were busy with each launch in the latest run goes to
/// `lastNanoseconds`; returns the sum, at least 1.
static int64_t addUp(tenon_context *context, const struct tenonWave *wave) {
  struct tenonLaunchTime *times = context->times + wave->first;
  for (uint32_t i = 0; i < wave->count; ++i)
    times[i].lastNanoseconds = 0;
  int64_t sum = 0;
  for (uint32_t i = 0; i < wave->ends[context->threads]; ++i) {
    times[wave->parts[i].member].lastNanoseconds += wave->times[i].nanoseconds;
    sum += wave->times[i].nanoseconds;
  }
  return sum ? sum : 1;
}

/// Each launch counts for its part of what the threads were busy with, as if
/// they had run one after the other.
static void noteTimes(tenon_context *context, const struct tenonWave *wave,
                      int64_t begin, int64_t nanoseconds) {
  int64_t sum = addUp(context, wave);
  for (uint32_t i = 0; i < wave->count; ++i) {
    struct tenonLaunchTime *time = &context->times[wave->first + i];
    time->lastNanoseconds = (int64_t)((double)time->lastNanoseconds /
                                      (double)sum * (double)nanoseconds);
    time->lastBegin = begin;
    time->nanoseconds += time->lastNanoseconds;
    ++time->calls;
    begin += time->lastNanoseconds;
  }
}

static void runTimed(tenon_context *context, struct tenonWave *wave) {
  int64_t before = tenonNow();
  runOnce(context, wave);
  noteTimes(context, wave, before - context->runBegin, tenonNow() - before);
}

tenon_status *tenonRunWave(tenon_context *context, struct tenonWave *wave) {
  for (uint32_t i = 0; i < wave->count; ++i)
    if (wave->launches[i].fault)
      *wave->launches[i].fault = 0;
  if (wave->times)
    runTimed(context, wave);
  else
    runOnce(context, wave);
  for (uint32_t i = 0; i < wave->count; ++i) {
    const int64_t *fault = wave->launches[i].fault;
    if (fault && *fault)
      return tenonIndexFault(
          context->model, context->firstLaunch + wave->first + i, *fault - 1);
  }
  return NULL;
}
