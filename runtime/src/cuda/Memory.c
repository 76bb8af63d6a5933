//===- Memory.c - what a context has on a GPU -----------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file makes the part of a context that is on a GPU: stream, clocks, the
// arena, and room for tensors of the host with the pinned memory to copy them
// by.
//===----------------------------------------------------------------------===//
#include "src/cuda/Cuda.h"
#include "src/cuda/Graph.h"

#include <stdlib.h>

//===----------------------------------------------------------------------===//
// Arena and tensors
//===----------------------------------------------------------------------===//

static int64_t roundUp(int64_t bytes) {
  const int64_t unit = TENON_DEVICE_ALIGNMENT;
  return (bytes + unit - 1) / unit * unit;
}

#define MAX_BYTES ((int64_t)1 << 48)

/// Tensors, then the fault words.
static tenon_status *layTensors(const tenon_context *context,
                                const struct tenonShape *shape) {
  struct tenonDeviceContext *on = context->device;
  int64_t end = 0;
  for (uint32_t i = 0; i < tenonTensorCount(context); ++i) {
    on->offsets[i] = end;
    if (shape->tensorBytes[i] > MAX_BYTES - end)
      return tenonNoMemory((uint64_t)shape->tensorBytes[i]);
    end = roundUp(end + shape->tensorBytes[i]);
  }
  on->faultOffset = end;
  on->usedBytes = end + on->faultCount * (int64_t)sizeof(int64_t);
  return NULL;
}

static tenon_status *growTensors(tenon_context *context) {
  struct tenonDeviceContext *on = context->device;
  const struct tenonDriver *driver = on->device->driver;
  int64_t bytes = on->tensorBytes + on->tensorBytes / 2;
  if (bytes < on->usedBytes)
    bytes = on->usedBytes;
  if (on->tensors)
    driver->cuMemFree_v2(on->tensors);
  if (on->staging)
    driver->cuMemFreeHost(on->staging);
  on->tensors = 0;
  on->staging = NULL;
  on->tensorBytes = 0;
  ++context->arenaVersion;
  TENON_TRY(tenonDeviceAllocate(on->device, "inputs and outputs take",
                                (uint64_t)bytes, &on->tensors));
  CUresult result =
      driver->cuMemHostAlloc((void **)&on->staging, (size_t)bytes, /*flags=*/0);
  if (result == CUDA_ERROR_OUT_OF_MEMORY)
    return tenonFail(TENON_OUT_OF_MEMORY, "",
                     "there are no %lld bytes of pinned memory to copy inputs "
                     "and outputs by",
                     (long long)bytes);
  if (result)
    return tenonDeviceError(on->device, result, "cuMemHostAlloc");
  on->tensorBytes = bytes;
  return NULL;
}

static tenon_status *growArena(tenon_context *context, int64_t needed) {
  struct tenonDeviceContext *on = context->device;
  int64_t bytes = context->arenaBytes + context->arenaBytes / 2;
  if (bytes < needed)
    bytes = needed;
  if (on->arena)
    on->device->driver->cuMemFree_v2(on->arena);
  on->arena = 0;
  context->arenaBytes = -1;
  ++context->arenaVersion;
  TENON_TRY(tenonDeviceAllocate(on->device, "intermediate results take",
                                (uint64_t)bytes, &on->arena));
  context->arenaBytes = bytes;
  return NULL;
}

tenon_status *tenonReserveDevice(tenon_context *context,
                                 const struct tenonShape *shape) {
  struct tenonDeviceContext *on = context->device;
  TENON_TRY(layTensors(context, shape));
  if (on->usedBytes > on->tensorBytes)
    TENON_TRY(growTensors(context));
  if (shape->arenaBytes > context->arenaBytes)
    TENON_TRY(growArena(context, shape->arenaBytes));
  for (uint32_t i = 0; i < tenonTensorCount(context); ++i)
    on->addresses[i] = on->tensors + (uint64_t)on->offsets[i];
  return NULL;
}

//===----------------------------------------------------------------------===//
// Contexts
//===----------------------------------------------------------------------===//

/// The most arguments that one of its launches has.
static size_t countArguments(const tenon_context *context) {
  size_t most = 0;
  for (uint32_t i = 0; i < context->launchCount; ++i) {
    const struct tenon_launch_record *launch = tenonLaunchRecord(context, i);
    size_t count = (size_t)tenonDeviceRecord(context, i)->map_count +
                   launch->ref_count + launch->size_count + 1;
    most = count > most ? count : most;
  }
  return most;
}

static int64_t countFaults(const tenon_context *context) {
  int64_t count = 0;
  for (uint32_t i = 0; i < context->launchCount; ++i)
    count += tenonIsChecked(context->model, tenonLaunchRecord(context, i));
  return count;
}

static tenon_status *takeLists(tenon_context *context) {
  struct tenonDeviceContext *on = context->device;
  uint32_t tensors = tenonTensorCount(context);
  on->faultCount = countFaults(context);
  // Begin and end of a run, and of launches that are timed.
  on->eventCount = context->options.profile ? 4 : 2;
  struct {
    size_t bytes;
    void **list;
  } lists[] = {
      {tensors * sizeof *on->offsets, (void **)&on->offsets},
      {tensors * sizeof *on->addresses, (void **)&on->addresses},
      {tensors * sizeof *on->isHost, (void **)&on->isHost},
      {tensors * sizeof *on->results, (void **)&on->results},
      {countArguments(context) * sizeof *on->arguments,
       (void **)&on->arguments},
      {on->eventCount * sizeof *on->events, (void **)&on->events},
  };
  for (size_t i = 0; i < sizeof lists / sizeof *lists; ++i)
    TENON_TRY(tenonContextAllocate(context, lists[i].bytes, lists[i].list));
  return NULL;
}

static tenon_status *makeStream(tenon_context *context) {
  struct tenonDeviceContext *on = context->device;
  // Noting the time is work of the GPU after each run.
  bool isTimed = context->options.device_clock || context->options.profile;
  unsigned flags = isTimed ? 0 : CU_EVENT_DISABLE_TIMING;
  for (uint32_t i = 0; i < on->eventCount; ++i)
    TENON_ON(on->device, cuEventCreate, &on->events[i], flags);
  if (context->options.device_stream) {
    on->stream = context->options.device_stream;
    return NULL;
  }
  TENON_ON(on->device, cuStreamCreate, &on->stream, CU_STREAM_NON_BLOCKING);
  on->ownsStream = true;
  return NULL;
}

tenon_status *tenonCreateDeviceContext(tenon_context *context) {
  TENON_TRY(tenonContextAllocate(context, sizeof *context->device,
                                 (void **)&context->device));
  struct tenonDeviceContext *on = context->device;
  const char *stepwise = getenv("TENON_CUDA_STEPWISE");
  on->isDiagnosing = stepwise && *stepwise && *stepwise != '0';
  on->isStepwise = on->isDiagnosing || context->options.profile;
  TENON_TRY(takeLists(context));
  // The model is const to contexts but for what they share.
  TENON_TRY(tenonOpenDevice((tenon_model *)context->model,
                            context->options.device, &on->device));
  TENON_TRY(tenonEnterDevice(on->device));
  tenon_status *status = makeStream(context);
  tenonLeaveDevice(on->device);
  return status;
}

static void freeOnDevice(tenon_context *context) {
  struct tenonDeviceContext *on = context->device;
  const struct tenonDriver *driver = on->device->driver;
  if (on->isPending)
    driver->cuStreamSynchronize(on->stream);
  for (uint32_t i = 0; i < context->shapeCount; ++i)
    tenonFreeGraph(context, context->shapes[i]);
  for (uint32_t i = 0; i < on->eventCount; ++i)
    if (on->events && on->events[i])
      driver->cuEventDestroy_v2(on->events[i]);
  if (on->ownsStream)
    driver->cuStreamDestroy_v2(on->stream);
  if (on->tensors)
    driver->cuMemFree_v2(on->tensors);
  if (on->staging)
    driver->cuMemFreeHost(on->staging);
  if (on->arena)
    driver->cuMemFree_v2(on->arena);
}

void tenonDestroyDeviceContext(tenon_context *context) {
  struct tenonDeviceContext *on = context->device;
  if (!on)
    return;
  if (on->device) {
    // Of a GPU that was lost nothing can be freed, but for what the host has.
    CUcontext popped;
    const struct tenonDriver *driver = on->device->driver;
    CUresult entered = driver->cuCtxPushCurrent_v2(on->device->context);
    freeOnDevice(context);
    if (!entered)
      driver->cuCtxPopCurrent_v2(&popped);
  }
  void *lists[] = {on->offsets,   on->addresses, on->isHost, on->results,
                   on->arguments, on->events,    on};
  for (size_t i = 0; i < sizeof lists / sizeof *lists; ++i)
    tenonRelease(&context->options.allocator, lists[i]);
}
