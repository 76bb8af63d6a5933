//===- Context.c - making contexts ----------------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file takes all memory and threads that runs will need, and resolves the
// launch table's references to pointers once.
//===----------------------------------------------------------------------===//
#include "src/Context.h"

#include "src/base/Cpu.h"
#include "src/base/File.h"

#include <stdlib.h>
#include <string.h>

#define MAX_THREADS 1024

static tenon_status *allocate(tenon_context *context, size_t count, size_t size,
                              void **result) {
  size_t bytes = (count ? count : 1) * size;
  void *memory =
      tenonAllocate(&context->options.allocator, bytes, TENON_LINE_BYTES);
  if (!memory)
    return tenonNoMemory(bytes);
  memset(memory, 0, bytes);
  *result = memory;
  return NULL;
}

static tenon_status *borrowArena(tenon_context *context) {
  const tenon_context_options *options = &context->options;
  const struct tenon_plan_header *plan = context->model->plan;
  if (options->arena_size < plan->arena_bytes)
    return tenonFail(TENON_INVALID_ARGUMENT, "",
                     "the arena has %zu bytes; the model needs %llu",
                     options->arena_size,
                     (unsigned long long)plan->arena_bytes);
  if ((uintptr_t)options->arena % plan->arena_alignment)
    return tenonFail(TENON_INVALID_ARGUMENT, "",
                     "the arena is not aligned to %llu bytes",
                     (unsigned long long)plan->arena_alignment);
  context->arena = options->arena;
  return NULL;
}

static tenon_status *makeArena(tenon_context *context) {
  if (tenonIsGuarded(context->model))
    return context->options.arena
               ? tenonFail(TENON_INVALID_ARGUMENT, "",
                           "a guarded model maps its own arena")
               : NULL;
  if (context->options.arena)
    return borrowArena(context);
  const struct tenon_plan_header *plan = context->model->plan;
  size_t size = plan->arena_bytes, alignment = plan->arena_alignment;
  bool isOwn = !context->options.allocator.allocate;
  if (isOwn && size >= TENON_HUGE_PAGE_BYTES &&
      alignment < TENON_HUGE_PAGE_BYTES)
    alignment = TENON_HUGE_PAGE_BYTES;
  context->ownArena =
      tenonAllocate(&context->options.allocator, size ? size : 1, alignment);
  if (!context->ownArena)
    return tenonNoMemory(size);
  if (isOwn)
    tenonAskForHugePages(context->ownArena,
                         size / TENON_HUGE_PAGE_BYTES * TENON_HUGE_PAGE_BYTES);
  context->arena = context->ownArena;
  return NULL;
}

static bool isPatched(const struct tenon_ref_record *ref) {
  return ref->space == TENON_SPACE_INPUT || ref->space == TENON_SPACE_OUTPUT;
}

static size_t countPatches(const tenon_model *model) {
  size_t count = 0;
  for (uint32_t i = 0; i < model->counts->ref_count; ++i)
    count += isPatched(&model->refs[i]);
  return count;
}

static void resolveRef(tenon_context *context, uint32_t index) {
  const tenon_model *model = context->model;
  const struct tenon_ref_record *ref = &model->refs[index];
  if (isPatched(ref)) {
    uint32_t tensor =
        ref->index +
        (ref->space == TENON_SPACE_OUTPUT ? model->signature->input_count : 0);
    context->patches[context->patchCount++] =
        (struct tenonPatch){index, tensor, ref->offset};
    return;
  }
  // Kernels get one kind of pointer; the loader has checked that no launch
  // writes to weights.
  uint8_t *base = ref->space == TENON_SPACE_ARENA
                      ? context->arena
                      : (uint8_t *)model->sections[TENON_SECTION_WEIGHTS].data;
  context->pointers[index] = base ? base + ref->offset : NULL;
}

static tenon_status *resolveRefs(tenon_context *context) {
  const tenon_model *model = context->model;
  TENON_TRY(allocate(context, model->counts->ref_count,
                     sizeof *context->pointers, (void **)&context->pointers));
  TENON_TRY(allocate(context, countPatches(model), sizeof *context->patches,
                     (void **)&context->patches));
  for (uint32_t i = 0; i < model->counts->ref_count; ++i)
    resolveRef(context, i);
  return NULL;
}

/// In a guarded model all references are to memory of the context's own.
static tenon_status *guardRefs(tenon_context *context) {
  TENON_TRY(allocate(context, context->model->counts->ref_count,
                     sizeof *context->pointers, (void **)&context->pointers));
  return tenonGuardCreate(context->model, context->pointers, &context->guard);
}

static tenon_status *startClocks(tenon_context *context) {
  if (!context->options.profile)
    return NULL;
  return allocate(context, context->model->counts->launch_count,
                  sizeof *context->times, (void **)&context->times);
}

static tenon_status *startThreads(tenon_context *context) {
  const tenon_context_options *options = &context->options;
  if (options->executor.parallel_for) {
    int32_t concurrency = options->executor.concurrency;
    context->threads = concurrency > 0 ? concurrency : 1;
    return NULL;
  }
  context->threads = options->threads ? options->threads : tenonCpuCount();
  return tenonPoolCreate(context->threads, &options->allocator, &context->pool);
}

static struct tenonCall makeCall(const tenon_context *context, uint32_t index) {
  const tenon_model *model = context->model;
  const struct tenon_launch_record *launch = &model->launches[index];
  uint32_t flags = model->kernelRecords[launch->kernel].flags;
  int32_t perThread = tenonChunksPerThread(flags & TENON_KERNEL_ONE_CALL);
  int64_t most = (int64_t)context->threads * perThread;
  int64_t chunks = launch->tiles < most ? launch->tiles : most;
  void **buffers = context->pointers + launch->first_ref;
  bool isChecked = flags & TENON_KERNEL_CHECKED;
  return (struct tenonCall){.kernel = model->kernels[launch->kernel],
                            .guard = context->guard,
                            .buffers = buffers,
                            .tiles = launch->tiles,
                            .steps = launch->steps,
                            .perThread = perThread,
                            .chunks = (int32_t)chunks,
                            .fault = isChecked ? buffers[launch->ref_count - 1]
                                               : NULL};
}

static tenon_status *makeCalls(tenon_context *context) {
  uint32_t count = context->model->counts->launch_count;
  TENON_TRY(allocate(context, count, sizeof *context->calls,
                     (void **)&context->calls));
  for (uint32_t i = 0; i < count; ++i)
    context->calls[i] = makeCall(context, i);
  return NULL;
}

static tenon_status *checkOptions(const tenon_context_options *options) {
  if (options->threads < 0 || options->threads > MAX_THREADS)
    return tenonFail(TENON_INVALID_ARGUMENT, "",
                     "%d threads; from 0 to %d are possible", options->threads,
                     MAX_THREADS);
  if (!options->allocator.allocate != !options->allocator.release)
    return tenonFail(TENON_INVALID_ARGUMENT, "",
                     "an allocator needs both of its functions");
  return NULL;
}

static tenon_status *fillContext(tenon_context *context) {
  TENON_TRY(makeArena(context));
  TENON_TRY(tenonIsGuarded(context->model) ? guardRefs(context)
                                           : resolveRefs(context));
  TENON_TRY(startClocks(context));
  TENON_TRY(startThreads(context));
  return makeCalls(context);
}

tenon_status *tenon_context_create(tenon_model *model,
                                   const tenon_context_options *options,
                                   tenon_context **result) {
  if (!model || !result)
    return tenonFail(TENON_INVALID_ARGUMENT, "", "a null argument");
  tenon_context_options local;
  TENON_TRY(tenonReadStruct(&local, sizeof local, options));
  TENON_TRY(checkOptions(&local));
  tenon_context *context =
      tenonAllocate(&local.allocator, sizeof *context, TENON_LINE_BYTES);
  if (!context)
    return tenonNoMemory(sizeof *context);
  memset(context, 0, sizeof *context);
  context->model = model;
  context->options = local;
  atomic_flag_clear(&context->isRunning);
  tenon_status *status = fillContext(context);
  if (status)
    tenon_context_destroy(context);
  else
    *result = context;
  return status;
}

void tenon_context_destroy(tenon_context *context) {
  if (!context)
    return;
  tenon_allocator allocator = context->options.allocator;
  tenonPoolDestroy(context->pool);
  tenonGuardDestroy(context->guard);
  tenonRelease(&allocator, context->calls);
  tenonRelease(&allocator, context->times);
  tenonRelease(&allocator, context->patches);
  tenonRelease(&allocator, context->pointers);
  tenonRelease(&allocator, context->ownArena);
  tenonRelease(&allocator, context);
}

int32_t tenon_context_threads(const tenon_context *context) {
  return context->threads;
}
