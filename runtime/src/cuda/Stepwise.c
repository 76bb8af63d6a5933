//===- Stepwise.c - launches on a GPU one by one --------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file runs launches in a stream instead of a graph, waiting for each to
// learn which one fails.
//===----------------------------------------------------------------------===//
#include "src/cuda/Graph.h"

static tenon_status *launchStep(const tenon_context *context, uint32_t index,
                                int64_t first) {
  const struct tenonDeviceContext *on = context->device;
  CUlaunchAttribute attributes[TENON_MAX_ATTRIBUTES];
  tenonListArguments(context, index, &first);
  CUDA_KERNEL_NODE_PARAMS params = tenonKernelParams(context, index);
  CUlaunchConfig config = {.gridDimX = params.gridDimX,
                           .gridDimY = params.gridDimY,
                           .gridDimZ = params.gridDimZ,
                           .blockDimX = params.blockDimX,
                           .blockDimY = params.blockDimY,
                           .blockDimZ = params.blockDimZ,
                           .sharedMemBytes = params.sharedMemBytes,
                           .hStream = on->stream,
                           .attrs = attributes,
                           .numAttrs = tenonListAttributes(
                               tenonDeviceRecord(context, index), attributes)};
  CUresult result = on->device->driver->cuLaunchKernelEx(
      &config, params.func, params.kernelParams, NULL);
  return result ? tenonLaunchError(context, index, result, "cuLaunchKernelEx")
                : NULL;
}

static tenon_status *runLaunch(const tenon_context *context, uint32_t index) {
  const struct tenonDeviceContext *on = context->device;
  const struct tenonDeviceLaunch *launch =
      &context->shape->graph->launches[index];
  for (uint32_t i = 0; i < launch->nodeCount; ++i)
    TENON_TRY(launchStep(context, index, (int64_t)i * launch->tiles));
  if (!on->isDiagnosing)
    return NULL;
  CUresult result = on->device->driver->cuStreamSynchronize(on->stream);
  return result ? tenonLaunchError(context, index, result, "the kernel") : NULL;
}

tenon_status *tenonCopyIn(const tenon_context *context) {
  const struct tenonDeviceContext *on = context->device;
  const struct tenonShape *shape = context->shape;
  for (uint32_t i = 0; i < context->entry->input_count; ++i)
    if (on->isHost[i] && shape->tensorBytes[i])
      TENON_ON(on->device, cuMemcpyHtoDAsync_v2,
               on->tensors + (uint64_t)on->offsets[i],
               on->staging + on->offsets[i], (size_t)shape->tensorBytes[i],
               on->stream);
  if (on->faultCount)
    TENON_ON(on->device, cuMemsetD8Async,
             on->tensors + (uint64_t)on->faultOffset, 0,
             (size_t)on->faultCount * sizeof(int64_t), on->stream);
  return NULL;
}

static tenon_status *copyBytes(const tenon_context *context, int64_t offset,
                               int64_t bytes) {
  const struct tenonDeviceContext *on = context->device;
  TENON_ON(on->device, cuMemcpyDtoHAsync_v2, on->staging + offset,
           on->tensors + (uint64_t)offset, (size_t)bytes, on->stream);
  return NULL;
}

static tenon_status *copyOut(const tenon_context *context) {
  const struct tenonDeviceContext *on = context->device;
  const struct tenonShape *shape = context->shape;
  for (uint32_t i = context->entry->input_count; i < tenonTensorCount(context);
       ++i)
    if (on->isHost[i] && shape->tensorBytes[i])
      TENON_TRY(copyBytes(context, on->offsets[i], shape->tensorBytes[i]));
  return on->faultCount ? copyBytes(context, on->faultOffset,
                                    on->faultCount * (int64_t)sizeof(int64_t))
                        : NULL;
}

tenon_status *tenonRunStepwise(tenon_context *context) {
  TENON_TRY(tenonCopyIn(context));
  for (uint32_t i = 0; i < context->launchCount; ++i)
    TENON_TRY(runLaunch(context, i));
  return copyOut(context);
}
