//===- Profile.c - what launches cost -------------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file hands out the times that runs of a profiling context left.
//===----------------------------------------------------------------------===//
#include "src/Context.h"
#include "src/vm/Machine.h"

#include <string.h>

/// A context and those of the programs that its bytecode calls, one after the
/// other; NULL at the end.
static const tenon_context *partOf(const tenon_context *context,
                                   uint32_t index) {
  return context->machine ? tenonProgramAt(context->machine, index)
         : index          ? NULL
                          : context;
}

/// For the latest shapes; 0 where there are none yet that it depends on.
static int64_t countOf(const struct tenonShape *shape, tenon_size_value value) {
  if (value < 0)
    value = shape ? tenonSize(shape, value) : 0;
  return value < 0 ? 0 : value;
}

size_t tenon_profile_count(const tenon_context *context) {
  size_t count = 0;
  const tenon_context *part;
  for (uint32_t i = 0; (part = partOf(context, i)); ++i)
    count += part->times ? part->launchCount : 0;
  return count;
}

/// The context that has launch `*index` of all, which becomes its own number;
/// NULL where there is none.
static const tenon_context *ownerOf(const tenon_context *whole, size_t *index) {
  if (!whole || *index >= tenon_profile_count(whole))
    return NULL;
  uint32_t part = 0;
  const tenon_context *context = partOf(whole, 0);
  for (; *index >= context->launchCount; context = partOf(whole, ++part))
    *index -= context->launchCount;
  return context;
}

static tenon_status *noLaunch(size_t index) {
  return tenonFail(TENON_INVALID_ARGUMENT, "",
                   "there is no profile of launch %zu", index);
}

/// The wave of a launch, of the latest shape; NULL where it ran alone.
static const struct tenonWave *waveOf(const tenon_context *context,
                                      size_t launch) {
  for (uint32_t i = 0; context->shape && i < context->waves.count; ++i)
    if (launch - context->shape->waves[i].first <
        context->shape->waves[i].count)
      return &context->shape->waves[i];
  return NULL;
}

/// Among all of the model, from 1 on.
static uint32_t numberOf(const tenon_context *context,
                         const struct tenonWave *wave) {
  if (!wave)
    return 0;
  return context->waves.first + (uint32_t)(wave - context->shape->waves) + 1;
}

tenon_status *tenon_profile_get(const tenon_context *context, size_t index,
                                tenon_profile_entry *entry) {
  size_t number = index;
  context = ownerOf(context, &index);
  if (!context)
    return noLaunch(number);
  const tenon_model *model = context->model;
  const struct tenonLaunchTime *time = &context->times[index];
  const struct tenonLaunch *latest =
      context->shape ? &context->shape->launches[index] : NULL;
  const struct tenon_launch_record *launch =
      &model->launches[context->firstLaunch + index];
  tenon_profile_entry full = {
      .kernel = tenonName(model, model->kernelRecords[launch->kernel].name),
      .nodes = model->nodeNames + launch->first_node,
      .node_count = launch->node_count,
      .tiles = latest ? latest->tiles * latest->steps : 0,
      .flops = countOf(context->shape, launch->flops),
      .bytes = countOf(context->shape, launch->bytes),
      .calls = time->calls,
      .nanoseconds = time->nanoseconds,
      .last_begin = time->lastBegin,
      .last_nanoseconds = time->lastNanoseconds,
      .wave = numberOf(context, waveOf(context, index))};
  return tenonFillStruct(entry, &full, sizeof full);
}

tenon_status *tenon_profile_get_part(const tenon_context *context, size_t index,
                                     size_t part, tenon_profile_part *result) {
  size_t number = index;
  context = ownerOf(context, &index);
  if (!context)
    return noLaunch(number);
  const struct tenonWave *wave = waveOf(context, index);
  uint32_t at = 0, count = wave ? wave->ends[context->threads] : 0;
  for (size_t before = part; at < count; ++at)
    if (wave->parts[at].member == index - wave->first && !before--)
      break;
  if (at == count)
    return tenonFail(TENON_INVALID_ARGUMENT, "", "launch %zu has no part %zu",
                     number, part);
  const struct tenonPartTime *time = &wave->times[at];
  tenon_profile_part full = {.thread = time->thread,
                             .tiles =
                                 wave->parts[at].end - wave->parts[at].begin,
                             .begin = time->begin,
                             .nanoseconds = time->nanoseconds};
  return tenonFillStruct(result, &full, sizeof full);
}

/// Of the waves of all shapes.
static void clearParts(const tenon_context *context) {
  for (uint32_t i = 0; i < context->shapeCount; ++i)
    for (uint32_t k = 0; k < context->waves.count; ++k) {
      struct tenonWave *wave = &context->shapes[i]->waves[k];
      memset(wave->times, 0,
             tenonMostParts(wave->count, (size_t)context->threads) *
                 sizeof *wave->times);
    }
}

void tenon_profile_reset(tenon_context *context) {
  const tenon_context *part;
  for (uint32_t i = 0; (part = partOf(context, i)); ++i)
    if (part->times) {
      memset(part->times, 0, part->launchCount * sizeof *part->times);
      clearParts(part);
    }
}
