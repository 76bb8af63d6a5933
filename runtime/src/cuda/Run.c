//===- Run.c - runs on a GPU ----------------------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file starts runs and finishes them: tensors of the host go through the
// staging memory, which the graph copies from and to; those on the GPU are
// taken where they are.
//===----------------------------------------------------------------------===//
#include "src/cuda/Cuda.h"
#include "src/cuda/Graph.h"

#include <string.h>

tenon_status *tenonCheckPlace(const tenon_context *context, const char *name,
                              const tenon_tensor *tensor) {
  if (tensor->device.device_type == TENON_DEVICE_CPU)
    return NULL;
  if (!context || !context->device)
    return tenonFail(TENON_TENSOR_MISMATCH, name, "'%s' is not in CPU memory",
                     name);
  int ordinal = context->device->device->ordinal;
  if (tensor->device.device_type != TENON_DEVICE_CUDA ||
      tensor->device.device_id != ordinal)
    return tenonFail(TENON_TENSOR_MISMATCH, name,
                     "'%s' is neither in CPU memory nor on GPU %d, where the "
                     "model runs",
                     name, ordinal);
  uintptr_t address = (uintptr_t)tensor->data + tensor->byte_offset;
  if (tensor->data && address % TENON_DEVICE_TENSOR_ALIGNMENT)
    return tenonFail(TENON_TENSOR_MISMATCH, name,
                     "'%s' is not aligned to %u bytes, as what is on a GPU "
                     "must be",
                     name, TENON_DEVICE_TENSOR_ALIGNMENT);
  return NULL;
}

//===----------------------------------------------------------------------===//
// Starting
//===----------------------------------------------------------------------===//

static uint8_t *bytesOf(const tenon_tensor *tensor) {
  return (uint8_t *)tensor->data + tensor->byte_offset;
}

/// Notes where the tensor of that number is.
static void locate(tenon_context *context, uint32_t number,
                   const tenon_tensor *tensor) {
  struct tenonDeviceContext *on = context->device;
  on->isHost[number] = tensor->device.device_type == TENON_DEVICE_CPU;
  if (!on->isHost[number])
    on->addresses[number] =
        tensor->data ? (CUdeviceptr)(uintptr_t)bytesOf(tensor) : 0;
}

static tenon_status *makeReady(tenon_context *context) {
  struct tenonDeviceContext *on = context->device;
  const struct tenonDeviceGraph *graph = context->shape->graph;
  size_t bytes = tenonTensorCount(context) * sizeof *on->isHost;
  if (!graph || graph->version != context->arenaVersion ||
      memcmp(graph->isHost, on->isHost, bytes) != 0)
    return tenonBuildGraph(context, on->isHost);
  return tenonPatchGraph(context);
}

static tenon_status *launch(tenon_context *context) {
  struct tenonDeviceContext *on = context->device;
  bool isTimed = context->options.device_clock;
  if (context->times)
    TENON_TRY(tenonTimeLaunches(context));
  if (isTimed)
    TENON_ON(on->device, cuEventRecord, on->events[0], on->stream);
  if (on->isStepwise)
    TENON_TRY(tenonRunStepwise(context));
  else
    TENON_ON(on->device, cuGraphLaunch, context->shape->graph->exec,
             on->stream);
  TENON_ON(on->device, cuEventRecord, on->events[1], on->stream);
  return NULL;
}

static tenon_status *start(tenon_context *context, const tenon_tensor *inputs,
                           const tenon_tensor *outputs) {
  struct tenonDeviceContext *on = context->device;
  uint32_t inputCount = context->entry->input_count;
  TENON_TRY(tenonReserveDevice(context, context->shape));
  for (uint32_t i = 0; i < inputCount; ++i)
    locate(context, i, &inputs[i]);
  for (uint32_t i = 0; i < context->entry->output_count; ++i)
    locate(context, inputCount + i, &outputs[i]);
  TENON_TRY(makeReady(context));
  for (uint32_t i = 0; i < inputCount; ++i)
    if (on->isHost[i] && context->shape->tensorBytes[i])
      memcpy(on->staging + on->offsets[i], bytesOf(&inputs[i]),
             (size_t)context->shape->tensorBytes[i]);
  for (uint32_t i = 0; i < context->entry->output_count; ++i) {
    bool isHost = on->isHost[inputCount + i] &&
                  context->shape->tensorBytes[inputCount + i];
    on->results[i] = isHost ? bytesOf(&outputs[i]) : NULL;
  }
  return launch(context);
}

tenon_status *tenonStartDevice(tenon_context *context,
                               const tenon_tensor *inputs,
                               const tenon_tensor *outputs) {
  const struct tenonDevice *device = context->device->device;
  TENON_TRY(tenonEnterDevice(device));
  tenon_status *status = start(context, inputs, outputs);
  tenonLeaveDevice(device);
  context->device->isPending = !status;
  return status;
}

tenon_status *tenonPrepareDevice(tenon_context *context) {
  struct tenonDeviceContext *on = context->device;
  TENON_TRY(tenonEnterDevice(on->device));
  for (uint32_t i = 0; i < tenonTensorCount(context); ++i)
    on->isHost[i] = true;
  tenon_status *status = tenonReserveDevice(context, context->shape);
  if (!status)
    status = tenonBuildGraph(context, on->isHost);
  tenonLeaveDevice(on->device);
  return status;
}

//===----------------------------------------------------------------------===//
// Finishing
//===----------------------------------------------------------------------===//

/// A kernel failed, but which is known to a stepwise run only.
static tenon_status *kernelError(struct tenonDevice *device, CUresult result) {
  if (!tenonIsSticky(result))
    return tenonDeviceError(device, result, "cuEventSynchronize");
  atomic_store(&device->lost, result);
  return tenonFail(TENON_DEVICE_ERROR, "",
                   "a kernel failed: %s (%s); with TENON_CUDA_STEPWISE=1 in "
                   "the environment a run says which",
                   tenonCudaText(device->driver, result),
                   tenonCudaName(device->driver, result));
}

/// That no checked launch met an index that is out of range.
static tenon_status *checkFaults(const tenon_context *context) {
  const struct tenonDeviceContext *on = context->device;
  const int64_t *word = (const int64_t *)(on->staging + on->faultOffset);
  for (uint32_t i = 0; on->faultCount && i < context->launchCount; ++i) {
    if (!tenonIsChecked(context->model, tenonLaunchRecord(context, i)))
      continue;
    if (*word)
      return tenonIndexFault(context->model, context->firstLaunch + i,
                             *word - 1);
    ++word;
  }
  return NULL;
}

static tenon_status *readClock(tenon_context *context) {
  struct tenonDeviceContext *on = context->device;
  float milliseconds = 0;
  if (!context->options.device_clock)
    return NULL;
  TENON_ON(on->device, cuEventElapsedTime, &milliseconds, on->events[0],
           on->events[1]);
  on->nanoseconds = (int64_t)((double)milliseconds * 1e6);
  return NULL;
}

static tenon_status *finish(tenon_context *context) {
  struct tenonDeviceContext *on = context->device;
  uint32_t inputCount = context->entry->input_count;
  CUresult result = on->device->driver->cuEventSynchronize(on->events[1]);
  if (result)
    return kernelError(on->device, result);
  TENON_TRY(checkFaults(context));
  for (uint32_t i = 0; i < context->entry->output_count; ++i)
    if (on->results[i])
      memcpy(on->results[i], on->staging + on->offsets[inputCount + i],
             (size_t)context->shape->tensorBytes[inputCount + i]);
  return readClock(context);
}

tenon_status *tenonFinishDevice(tenon_context *context) {
  const struct tenonDevice *device = context->device->device;
  context->device->isPending = false;
  TENON_TRY(tenonEnterDevice(device));
  tenon_status *status = finish(context);
  tenonLeaveDevice(device);
  return status;
}
