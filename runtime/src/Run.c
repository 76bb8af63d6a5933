//===- Run.c - running a model --------------------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file checks the caller's tensors and walks the launch table.
//===----------------------------------------------------------------------===//
#include "src/Context.h"

#include <stdio.h>
#include <string.h>
#include <time.h>

//===----------------------------------------------------------------------===//
// Checking tensors
//===----------------------------------------------------------------------===//

static void printShape(char *text, size_t size, int32_t rank,
                       const int64_t *shape) {
  size_t used = (size_t)snprintf(text, size, "[");
  for (int32_t i = 0; i < rank && used < size; ++i)
    used += (size_t)snprintf(text + used, size - used, "%s%lld", i ? "x" : "",
                             (long long)shape[i]);
  if (used < size)
    snprintf(text + used, size - used, "]");
}

/// "float32", "float8_e5m2".
static void printType(char *text, size_t size, tenon_dtype type) {
  static const char *const names[] = {"int",    "uint",    "float", "handle",
                                      "bfloat", "complex", "bool"};
  static const char *const layouts[] = {"e4m3fn", "e4m3fnuz", "e5m2",
                                        "e5m2fnuz", "e8m0fnu"};
  const unsigned first = TENON_FLOAT8_E4M3FN;
  const char *name = "type", *separator = "", *layout = "";
  if (type.code < sizeof names / sizeof *names)
    name = names[type.code];
  if (type.code >= first && type.code - first < 5u)
    layout = layouts[type.code - first];
  if (type.code == TENON_FLOAT4_E2M1FN)
    layout = "e2m1fn";
  if (*layout) {
    name = "float";
    separator = "_";
  }
  snprintf(text, size, "%s%u%s%s", name, type.bits, separator, layout);
}

static tenon_status *shapeMismatch(const char *name,
                                   const tenon_tensor_info *info,
                                   const tenon_tensor *tensor) {
  char expected[160], given[160];
  printShape(expected, sizeof expected, info->rank, info->shape);
  printShape(given, sizeof given, tensor->ndim, tensor->shape);
  return tenonFail(TENON_TENSOR_MISMATCH, name,
                   "'%s' has shape %s; the model takes %s", name, given,
                   expected);
}

static bool isContiguous(const tenon_tensor *tensor) {
  if (!tensor->strides)
    return true;
  int64_t stride = 1;
  for (int32_t i = tensor->ndim - 1; i >= 0; --i) {
    if (tensor->shape[i] != 1 && tensor->strides[i] != stride)
      return false;
    stride *= tensor->shape[i];
  }
  return true;
}

static tenon_status *checkType(const tenon_tensor_info *info,
                               const tenon_tensor *tensor) {
  tenon_dtype given = tensor->dtype, expected = info->dtype;
  if (given.code != expected.code || given.bits != expected.bits ||
      given.lanes != expected.lanes) {
    char has[32], takes[32];
    printType(has, sizeof has, given);
    printType(takes, sizeof takes, expected);
    return tenonFail(TENON_TENSOR_MISMATCH, info->name,
                     "'%s' has element type %s; the model takes %s", info->name,
                     has, takes);
  }
  return NULL;
}

static tenon_status *checkShape(const tenon_tensor_info *info,
                                const tenon_tensor *tensor) {
  if (tensor->ndim < 0 || (tensor->ndim && !tensor->shape))
    return tenonFail(TENON_TENSOR_MISMATCH, info->name, "'%s' has no shape",
                     info->name);
  bool same = tensor->ndim == info->rank;
  for (int32_t i = 0; same && i < info->rank; ++i)
    same = tensor->shape[i] == info->shape[i];
  return same ? NULL : shapeMismatch(info->name, info, tensor);
}

static tenon_status *checkTensor(const tenon_tensor_info *info,
                                 const tenon_tensor *tensor) {
  TENON_TRY(checkType(info, tensor));
  TENON_TRY(checkShape(info, tensor));
  if (tensor->device.device_type != TENON_DEVICE_CPU)
    return tenonFail(TENON_TENSOR_MISMATCH, info->name,
                     "'%s' is not in CPU memory", info->name);
  if (!isContiguous(tensor))
    return tenonFail(TENON_TENSOR_MISMATCH, info->name,
                     "'%s' is not contiguous in row-major order", info->name);
  if (!tensor->data && info->byte_size)
    return tenonFail(TENON_TENSOR_MISMATCH, info->name, "'%s' has no data",
                     info->name);
  return NULL;
}

static tenon_status *checkCount(const char *what, size_t given, size_t expected,
                                const tenon_tensor *tensors) {
  if (given != expected)
    return tenonFail(TENON_INVALID_ARGUMENT, "",
                     "%zu %s were given; the model has %zu", given, what,
                     expected);
  if (given && !tensors)
    return tenonFail(TENON_INVALID_ARGUMENT, "", "the %s are null", what);
  return NULL;
}

static tenon_status *checkTensors(const tenon_context *context,
                                  const tenon_tensor *inputs, size_t inputCount,
                                  const tenon_tensor *outputs,
                                  size_t outputCount) {
  const struct tenon_entry_record *entry = context->entry;
  TENON_TRY(checkCount("inputs", inputCount, entry->input_count, inputs));
  TENON_TRY(checkCount("outputs", outputCount, entry->output_count, outputs));
  const struct tenon_tensor_record *records =
      tenonEntryTensors(context->model, entry);
  tenon_tensor_info info = TENON_INIT(tenon_tensor_info);
  for (size_t i = 0; i < inputCount + outputCount; ++i) {
    TENON_TRY(tenonDescribe(context->model, &records[i], &info));
    TENON_TRY(checkTensor(&info, i < inputCount ? &inputs[i]
                                                : &outputs[i - inputCount]));
  }
  return NULL;
}

//===----------------------------------------------------------------------===//
// Running
//===----------------------------------------------------------------------===//

/// Kernels come from files: they carry no type hash for UBSan to look at.
#if defined(__clang__)
#define CALLS_KERNEL __attribute__((no_sanitize("function")))
#else
#define CALLS_KERNEL
#endif

CALLS_KERNEL
static void runRange(const void *argument, int32_t thread, int64_t begin,
                     int64_t end) {
  const struct tenonLaunch *launch = argument;
  tenon_call call = {.buffers = launch->buffers,
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
  return launch->guard ? runGuardedRange : runRange;
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

static void runLaunch(const tenon_context *context, uint32_t index) {
  struct tenonLaunch *launch = &context->launches[index];
  if (launch->steps == 1) {
    runStep(context, launch, /*isBackward=*/false);
    return;
  }
  struct tenonLaunch ofStep = *launch;
  for (int64_t step = 0; step < launch->steps; ++step) {
    ofStep.first = step * launch->tiles;
    runStep(context, &ofStep, /*isBackward=*/step % 2);
  }
}

static int64_t now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return (int64_t)time.tv_sec * 1000000000 + time.tv_nsec;
}

static void runTimed(tenon_context *context, uint32_t index) {
  struct tenonLaunchTime *time = &context->times[index];
  int64_t before = now();
  runLaunch(context, index);
  time->lastBegin = before - context->runBegin;
  time->lastNanoseconds = now() - before;
  time->nanoseconds += time->lastNanoseconds;
  ++time->calls;
}

static tenon_status *indexFault(const tenon_model *model, uint32_t index,
                                int64_t rows) {
  const struct tenon_launch_record *launch = &model->launches[index];
  const char *node =
      launch->node_count ? model->nodeNames[launch->first_node] : "";
  return tenonFail(
      TENON_INDEX_OUT_OF_RANGE, node,
      "node '%s': an index is out of range: it selects from %lld rows", node,
      (long long)rows);
}

static tenon_status *runMeasured(tenon_context *context, uint32_t index) {
  int64_t *fault = context->launches[index].fault;
  if (fault)
    *fault = 0;
  if (context->times)
    runTimed(context, index);
  else
    runLaunch(context, index);
  return fault && *fault ? indexFault(context->model,
                                      context->firstLaunch + index, *fault - 1)
                         : NULL;
}

static tenon_status *runGuardedLaunches(tenon_context *context,
                                        const tenon_tensor *inputs,
                                        const tenon_tensor *outputs) {
  struct tenonGuard *guard = context->guard;
  TENON_TRY(tenonGuardBegin(guard, inputs));
  for (uint32_t i = 0; i < context->launchCount; ++i) {
    TENON_TRY(tenonGuardEnter(guard, context->firstLaunch + i));
    TENON_TRY(runMeasured(context, i));
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

static void patchPointers(tenon_context *context, const tenon_tensor *inputs,
                          size_t inputCount, const tenon_tensor *outputs) {
  for (size_t i = 0; i < context->patchCount; ++i) {
    const struct tenonPatch *patch = &context->patches[i];
    const tenon_tensor *tensor = patch->tensor < inputCount
                                     ? &inputs[patch->tensor]
                                     : &outputs[patch->tensor - inputCount];
    uint8_t *data = tensor->data;
    context->pointers[patch->ref] =
        data ? data + tensor->byte_offset + patch->offset : NULL;
  }
}

tenon_status *tenon_run(tenon_context *context, const tenon_tensor *inputs,
                        size_t inputCount, const tenon_tensor *outputs,
                        size_t outputCount) {
  if (!context)
    return tenonFail(TENON_INVALID_ARGUMENT, "", "a null context");
  TENON_TRY(checkTensors(context, inputs, inputCount, outputs, outputCount));
  if (atomic_flag_test_and_set_explicit(&context->isRunning,
                                        memory_order_acquire))
    return tenonFail(TENON_BUSY, "",
                     "the context is running in another thread; use one "
                     "context per thread");
  tenon_status *status = NULL;
  if (context->times)
    context->runBegin = now();
  patchPointers(context, inputs, inputCount, outputs);
  if (context->pool)
    tenonPoolWake(context->pool);
  if (context->guard)
    status = runGuarded(context, inputs, outputs);
  else
    for (uint32_t i = 0; !status && i < context->launchCount; ++i)
      status = runMeasured(context, i);
  atomic_flag_clear_explicit(&context->isRunning, memory_order_release);
  return status;
}
