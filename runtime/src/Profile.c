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

tenon_status *tenon_profile_get(const tenon_context *context, size_t index,
                                tenon_profile_entry *entry) {
  if (!context || index >= tenon_profile_count(context))
    return tenonFail(TENON_INVALID_ARGUMENT, "",
                     "there is no profile of launch %zu", index);
  uint32_t part = 0;
  const tenon_context *whole = context;
  for (context = partOf(whole, 0); index >= context->launchCount;
       context = partOf(whole, ++part))
    index -= context->launchCount;
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
      .last_nanoseconds = time->lastNanoseconds};
  return tenonFillStruct(entry, &full, sizeof full);
}

void tenon_profile_reset(tenon_context *context) {
  const tenon_context *part;
  for (uint32_t i = 0; (part = partOf(context, i)); ++i)
    if (part->times)
      memset(part->times, 0, part->launchCount * sizeof *part->times);
}
