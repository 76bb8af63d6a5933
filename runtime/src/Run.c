//===- Run.c - running a model --------------------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file walks the launch table.
//===----------------------------------------------------------------------===//
#include "src/Context.h"
#include "src/cuda/Cuda.h"
#include "src/cuda/Device.h"
#include "src/vm/Machine.h"

#include <stdio.h>
#include <string.h>

/// Kernels come from files: they carry no type hash for UBSan to look at.
#if defined(__clang__)
#define CALLS_KERNEL __attribute__((no_sanitize("function")))
#else
#define CALLS_KERNEL
#endif

CALLS_KERNEL
void tenonRunRange(const void *argument, int32_t thread, int64_t begin,
                   int64_t end) {
  const struct tenonLaunch *launch = argument;
  tenon_call call = {.buffers = launch->buffers,
                     .sizes = launch->sizes,
                     .begin = launch->first + begin,
                     .end = launch->first + end};
  if (launch->scratch)
    call.scratch = launch->scratch + (uint64_t)thread * launch->scratchPitch;
  launch->kernel(&call);
}

static void runGuardedRange(const void *argument, int32_t thread, int64_t begin,
                            int64_t end) {
  const struct tenonLaunch *launch = argument;
  tenon_call call = {.buffers = launch->buffers,
                     .scratch = tenonGuardScratch(launch->guard, thread),
                     .begin = launch->first + begin,
                     .end = launch->first + end};
  tenonGuardCall(launch->guard, launch->kernel, &call);
}

static tenonRangeFn rangeFunction(const struct tenonLaunch *launch) {
  return launch->guard ? runGuardedRange : tenonRunRange;
}

/// Where there is scratch, there are no more chunks than threads.
static void runChunk(void *argument, int64_t index) {
  const struct tenonLaunch *launch = argument;
  int64_t begin, end;
  tenonChunk(launch->tiles, launch->chunks, index, &begin, &end);
  rangeFunction(launch)(launch, (int32_t)index, begin, end);
}

static void runOnExecutor(const tenon_context *context,
                          struct tenonLaunch *launch) {
  const tenon_executor *executor = &context->options.executor;
  if (launch->chunks == 1)
    runChunk(launch, 0);
  else if (launch->chunks)
    executor->parallel_for(executor->user, launch->chunks, runChunk, launch);
}

static void runStep(const tenon_context *context, struct tenonLaunch *launch,
                    bool isBackward) {
  if (context->pool)
    tenonPoolRun(context->pool, launch->tiles, launch->perThread, isBackward,
                 rangeFunction(launch), launch);
  else
    runOnExecutor(context, launch);
}

static void runLaunch(const tenon_context *context,
                      struct tenonLaunch *launch) {
  if (launch->steps == 1) {
    runStep(context, launch, /*isBackward=*/false);
    return;
  }
  struct tenonLaunch ofStep = *launch;
  for (int64_t step = 0; launch->tiles && step < launch->steps; ++step) {
    ofStep.first = step * launch->tiles;
    runStep(context, &ofStep, /*isBackward=*/step % 2);
  }
}

static void runTimed(tenon_context *context, struct tenonLaunch *launch,
                     uint32_t index) {
  struct tenonLaunchTime *time = &context->times[index];
  int64_t before = tenonNow();
  runLaunch(context, launch);
  time->lastBegin = before - context->runBegin;
  time->lastNanoseconds = tenonNow() - before;
  time->nanoseconds += time->lastNanoseconds;
  ++time->calls;
}

tenon_status *tenonIndexFault(const tenon_model *model, uint32_t index,
                              int64_t rows) {
  const struct tenon_launch_record *launch = &model->launches[index];
  const char *node =
      launch->node_count ? model->nodeNames[launch->first_node] : "";
  return tenonFail(
      TENON_INDEX_OUT_OF_RANGE, node,
      "node '%s': an index is out of range: it selects from %lld rows", node,
      (long long)rows);
}

static tenon_status *runMeasured(tenon_context *context,
                                 struct tenonLaunch *launch, uint32_t index) {
  int64_t *fault = launch->fault;
  if (fault)
    *fault = 0;
  if (context->times)
    runTimed(context, launch, index);
  else
    runLaunch(context, launch);
  return fault && *fault
             ? tenonIndexFault(context->model, context->firstLaunch + index,
                               *fault - 1)
             : NULL;
}

static tenon_status *runGuardedLaunches(tenon_context *context,
                                        const tenon_tensor *inputs,
                                        const tenon_tensor *outputs) {
  struct tenonGuard *guard = context->guard;
  TENON_TRY(tenonGuardBegin(guard, inputs));
  for (uint32_t i = 0; i < context->launchCount; ++i) {
    TENON_TRY(tenonGuardEnter(guard, context->firstLaunch + i));
    TENON_TRY(runMeasured(context, &context->shape->launches[i], i));
    TENON_TRY(tenonGuardLeave(guard, context->firstLaunch + i));
  }
  return tenonGuardFinish(guard, outputs);
}

static tenon_status *runGuarded(tenon_context *context,
                                const tenon_tensor *inputs,
                                const tenon_tensor *outputs) {
  tenon_status *status = runGuardedLaunches(context, inputs, outputs);
  tenonGuardEnd(context->guard);
  return status;
}

static void patchPointers(const tenon_context *context,
                          const tenon_tensor *inputs, size_t inputCount,
                          const tenon_tensor *outputs) {
  const struct tenonShape *shape = context->shape;
  for (size_t i = 0; i < shape->patchCount; ++i) {
    const struct tenonPatch *patch = &shape->patches[i];
    const tenon_tensor *tensor = patch->tensor < inputCount
                                     ? &inputs[patch->tensor]
                                     : &outputs[patch->tensor - inputCount];
    uint8_t *data = tensor->data;
    shape->pointers[patch->ref] =
        data ? data + tensor->byte_offset + patch->offset : NULL;
  }
}

tenon_status *tenonPrepareRun(tenon_context *context) {
  if (context->shape->arenaVersion != context->arenaVersion)
    TENON_TRY(tenonPlaceShape(context, context->shape));
  if (context->times)
    context->runBegin = tenonNow();
  if (context->pool && context->shape->isShared)
    tenonPoolWake(context->pool);
  return NULL;
}

tenon_status *tenonRunLaunches(tenon_context *context) {
  struct tenonLaunch *launches = context->shape->launches;
  struct tenonWave *wave = context->shape->waves;
  const struct tenonWave *end = wave + context->waves.count;
  uint32_t count = context->launchCount;
  for (uint32_t i = 0; i < count;) {
    bool isWave = wave != end && wave->first == i;
    tenon_status *status = isWave ? tenonRunWave(context, wave)
                                  : runMeasured(context, &launches[i], i);
    i += isWave ? wave++->count : 1;
    context->begun = i;
    if (status)
      return status;
  }
  return NULL;
}

/// Checks the tensors of a run, and finds its shape.
static tenon_status *takeTensors(tenon_context *context,
                                 const tenon_tensor *inputs, size_t inputCount,
                                 const tenon_tensor *outputs,
                                 size_t outputCount) {
  TENON_TRY(tenonCountOutputs(context, outputs, outputCount));
  TENON_TRY(tenonTakeInputs(context, inputs, inputCount, outputs,
                            /*withData=*/true));
  return tenonCheckOutputs(context, outputs, outputCount);
}

tenon_status *tenonRunLocked(tenon_context *context, const tenon_tensor *inputs,
                             size_t inputCount, const tenon_tensor *outputs,
                             size_t outputCount) {
  TENON_TRY(takeTensors(context, inputs, inputCount, outputs, outputCount));
  if (context->device) {
    TENON_TRY(tenonStartDevice(context, inputs, outputs));
    return tenonFinishDevice(context);
  }
  TENON_TRY(tenonPrepareRun(context));
  if (context->states.count)
    TENON_TRY(tenonFillStates(context, inputs, outputs));
  if (!context->guard)
    patchPointers(context, inputs, inputCount, outputs);
  if (context->guard)
    return runGuarded(context, inputs, outputs);
  return tenonRunLaunches(context);
}

tenon_status *tenonLock(tenon_context *context) {
  if (!atomic_flag_test_and_set_explicit(&context->isRunning,
                                         memory_order_acquire))
    return NULL;
  return tenonFail(TENON_BUSY, "",
                   "the context is running in another thread; use one context "
                   "per thread, and tenon_wait after tenon_run_async");
}

void tenonUnlock(tenon_context *context) {
  atomic_flag_clear_explicit(&context->isRunning, memory_order_release);
}

tenon_status *tenon_run(tenon_context *context, const tenon_tensor *inputs,
                        size_t inputCount, const tenon_tensor *outputs,
                        size_t outputCount) {
  if (!context)
    return tenonFail(TENON_INVALID_ARGUMENT, "", "a null context");
  TENON_TRY(tenonLock(context));
  tenon_status *status =
      context->machine
          ? tenonRunMachine(context, inputs, inputCount, outputs, outputCount)
          : tenonRunLocked(context, inputs, inputCount, outputs, outputCount);
  tenonUnlock(context);
  return status;
}

tenon_status *tenon_run_async(tenon_context *context,
                              const tenon_tensor *inputs, size_t inputCount,
                              const tenon_tensor *outputs, size_t outputCount) {
  if (!context || !context->device)
    return tenon_run(context, inputs, inputCount, outputs, outputCount);
  TENON_TRY(tenonLock(context));
  tenon_status *status =
      takeTensors(context, inputs, inputCount, outputs, outputCount);
  if (!status)
    status = tenonStartDevice(context, inputs, outputs);
  // What runs keeps the lock until it is waited for.
  if (status)
    tenonUnlock(context);
  return status;
}

tenon_status *tenon_wait(tenon_context *context) {
  if (!context)
    return tenonFail(TENON_INVALID_ARGUMENT, "", "a null context");
  if (!context->device || !context->device->isPending)
    return NULL;
  tenon_status *status = tenonFinishDevice(context);
  tenonUnlock(context);
  return status;
}

int64_t tenon_device_nanoseconds(const tenon_context *context) {
  return context->device ? context->device->nanoseconds : 0;
}
