//===- Times.c - what launches take on a GPU ------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file times each launch for profiles. Around a single one in a stream
// events would time the way to the GPU as well, which is longer than most
// kernels run. So a graph repeats it, with the edges that it has in the
// model's:
//
//   event -- launch -- launch -- ... -- launch -- event
//
// It reads what the launches before it have left. What computes in place goes
// on with its own results, which changes numbers but no time, and after all
// that the model runs once as it should.
//===----------------------------------------------------------------------===//
#include "src/cuda/Graph.h"

/// Kernels of a graph, as long as a launch has fewer steps.
#define KERNELS 20u

static tenon_status *addRepetitions(const tenon_context *context, CUgraph graph,
                                    uint32_t index, uint32_t count) {
  uint32_t steps = context->shape->graph->launches[index].nodeCount;
  CUgraphNode last = NULL;
  for (uint32_t i = 0; i < count * steps; ++i) {
    CUgraphNode node;
    TENON_TRY(tenonAddStep(context, graph, index, i % steps, last, &node));
    last = node;
  }
  return NULL;
}

/// Twice: the first time loads the code.
static tenon_status *timeGraph(const tenon_context *context, uint32_t index,
                               CUgraphExec exec, float *milliseconds) {
  const struct tenonDeviceContext *on = context->device;
  CUevent begin = on->events[2], end = on->events[3];
  TENON_ON(on->device, cuGraphLaunch, exec, on->stream);
  TENON_ON(on->device, cuEventRecord, begin, on->stream);
  TENON_ON(on->device, cuGraphLaunch, exec, on->stream);
  TENON_ON(on->device, cuEventRecord, end, on->stream);
  CUresult result = on->device->driver->cuStreamSynchronize(on->stream);
  if (result)
    return tenonLaunchError(context, index, result, "the kernel");
  TENON_ON(on->device, cuEventElapsedTime, milliseconds, begin, end);
  return NULL;
}

static tenon_status *timeIn(const tenon_context *context, uint32_t index,
                            CUgraph graph, int64_t *nanoseconds) {
  const struct tenonDeviceContext *on = context->device;
  uint32_t steps = context->shape->graph->launches[index].nodeCount;
  uint32_t count = steps < KERNELS ? KERNELS / steps : 1;
  TENON_TRY(addRepetitions(context, graph, index, count));
  CUgraphExec exec;
  TENON_ON(on->device, cuGraphInstantiateWithFlags, &exec, graph, 0);
  float milliseconds = 0;
  tenon_status *status = timeGraph(context, index, exec, &milliseconds);
  on->device->driver->cuGraphExecDestroy(exec);
  *nanoseconds = (int64_t)((double)milliseconds * 1e6 / count);
  return status;
}

static tenon_status *timeLaunch(const tenon_context *context, uint32_t index,
                                int64_t *nanoseconds) {
  const struct tenonDeviceContext *on = context->device;
  if (!context->shape->graph->launches[index].nodeCount)
    return NULL;
  CUgraph graph;
  TENON_ON(on->device, cuGraphCreate, &graph, 0);
  tenon_status *status = timeIn(context, index, graph, nanoseconds);
  on->device->driver->cuGraphDestroy(graph);
  return status;
}

tenon_status *tenonTimeLaunches(tenon_context *context) {
  TENON_TRY(tenonCopyIn(context));
  int64_t begin = 0;
  for (uint32_t i = 0; i < context->launchCount; ++i) {
    struct tenonLaunchTime *time = &context->times[i];
    int64_t nanoseconds = 0;
    TENON_TRY(timeLaunch(context, i, &nanoseconds));
    time->lastBegin = begin;
    time->lastNanoseconds = nanoseconds;
    time->nanoseconds += nanoseconds;
    ++time->calls;
    begin += nanoseconds;
  }
  return NULL;
}
