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
  size_t size = tenon_model_arena_bytes(context->model, context->threads);
  if (options->arena_size < size)
    return tenonFail(TENON_INVALID_ARGUMENT, "",
                     "the arena has %zu bytes; the model needs %zu for %d "
                     "thread%s",
                     options->arena_size, size, context->threads,
                     context->threads == 1 ? "" : "s");
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
  size_t size = tenon_model_arena_bytes(context->model, context->threads);
  size_t alignment = plan->arena_alignment;
  if (context->model->scratchBytes && alignment < TENON_SCRATCH_ALIGNMENT)
    alignment = TENON_SCRATCH_ALIGNMENT;
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

static const struct tenon_launch_record *
launchRecord(const tenon_context *context, uint32_t index) {
  return &context->model->launches[context->firstLaunch + index];
}

static size_t countPatches(const tenon_context *context) {
  size_t count = 0;
  for (uint32_t i = 0; i < context->launchCount; ++i) {
    const struct tenon_launch_record *launch = launchRecord(context, i);
    for (uint32_t k = 0; k < launch->ref_count; ++k)
      count += isPatched(&context->model->refs[launch->first_ref + k]);
  }
  return count;
}

static void resolveRef(tenon_context *context, uint32_t index) {
  const tenon_model *model = context->model;
  const struct tenon_ref_record *ref = &model->refs[index];
  if (isPatched(ref)) {
    uint32_t tensor = ref->index;
    if (ref->space == TENON_SPACE_OUTPUT)
      tensor += context->entry->input_count;
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
  TENON_TRY(allocate(context, countPatches(context), sizeof *context->patches,
                     (void **)&context->patches));
  for (uint32_t i = 0; i < context->launchCount; ++i) {
    const struct tenon_launch_record *launch = launchRecord(context, i);
    for (uint32_t k = 0; k < launch->ref_count; ++k)
      resolveRef(context, launch->first_ref + k);
  }
  return NULL;
}

/// In a guarded model all references are to memory of the context's own.
static tenon_status *guardRefs(tenon_context *context) {
  TENON_TRY(allocate(context, context->model->counts->ref_count,
                     sizeof *context->pointers, (void **)&context->pointers));
  return tenonGuardCreate(context->model, context->entry, context->threads,
                          context->pointers, &context->guard);
}

static tenon_status *startClocks(tenon_context *context) {
  if (!context->options.profile)
    return NULL;
  return allocate(context, context->launchCount, sizeof *context->times,
                  (void **)&context->times);
}

static int32_t countThreads(const tenon_context_options *options) {
  if (options->executor.parallel_for)
    return options->executor.concurrency > 0 ? options->executor.concurrency
                                             : 1;
  return options->threads ? options->threads : tenonCpuCount();
}

static tenon_status *startThreads(tenon_context *context) {
  if (context->options.executor.parallel_for)
    return NULL;
  return tenonPoolCreate(context->threads, &context->options.allocator,
                         &context->pool);
}

/// Scratch lies behind the arena.
static uint8_t *firstScratch(const tenon_context *context) {
  const uint64_t unit = TENON_SCRATCH_ALIGNMENT;
  uintptr_t end = (uintptr_t)context->arena + context->model->plan->arena_bytes;
  return (uint8_t *)((end + unit - 1) / unit * unit);
}

static struct tenonLaunch makeLaunch(const tenon_context *context,
                                     uint32_t index) {
  const tenon_model *model = context->model;
  const struct tenon_launch_record *launch = launchRecord(context, index);
  uint32_t flags = model->kernelRecords[launch->kernel].flags;
  bool hasScratch = launch->scratch_bytes != 0;
  // An executor does not say which thread runs a chunk: with one for each
  // thread, chunks have the scratch.
  bool isOneCall =
      flags & TENON_KERNEL_ONE_CALL || (hasScratch && !context->pool);
  int32_t perThread = tenonChunksPerThread(isOneCall);
  int64_t most = (int64_t)context->threads * perThread;
  int64_t chunks = launch->tiles < most ? launch->tiles : most;
  void **buffers = context->pointers + launch->first_ref;
  bool isChecked = flags & TENON_KERNEL_CHECKED;
  return (struct tenonLaunch){
      .kernel = model->kernels[launch->kernel],
      .guard = context->guard,
      .buffers = buffers,
      .scratch = hasScratch && !context->guard ? firstScratch(context) : NULL,
      .scratchPitch = tenonScratchPitch(model),
      .tiles = launch->tiles,
      .steps = launch->steps,
      .perThread = perThread,
      .chunks = (int32_t)chunks,
      .fault = isChecked ? buffers[launch->ref_count - 1] : NULL};
}

static tenon_status *makeLaunches(tenon_context *context) {
  TENON_TRY(allocate(context, context->launchCount, sizeof *context->launches,
                     (void **)&context->launches));
  for (uint32_t i = 0; i < context->launchCount; ++i)
    context->launches[i] = makeLaunch(context, i);
  return NULL;
}

static tenon_status *checkOptions(const tenon_context_options *options) {
  int32_t threads = options->executor.parallel_for
                        ? options->executor.concurrency
                        : options->threads;
  if (threads < 0 || threads > TENON_MAX_THREADS)
    return tenonFail(TENON_INVALID_ARGUMENT, "",
                     "%d threads; from 0 to %d are possible", threads,
                     TENON_MAX_THREADS);
  if (!options->allocator.allocate != !options->allocator.release)
    return tenonFail(TENON_INVALID_ARGUMENT, "",
                     "an allocator needs both of its functions");
  return NULL;
}

static tenon_status *findEntry(tenon_context *context) {
  const tenon_model *model = context->model;
  const char *name = context->options.entry;
  context->options.entry = NULL; // borrowed
  uint32_t i = 0;
  while (name && i < model->entryCount &&
         strcmp(tenonName(model, model->entries[i].name), name) != 0)
    ++i;
  if (i == model->entryCount)
    return tenonFail(TENON_INVALID_ARGUMENT, "", "the model has no entry '%s'",
                     name);
  context->entry = &model->entries[i];
  const struct tenon_program_record *program =
      tenonEntryProgram(model, context->entry);
  context->firstLaunch = program->first_launch;
  context->launchCount = program->launch_count;
  return NULL;
}

static tenon_status *fillContext(tenon_context *context) {
  TENON_TRY(findEntry(context));
  context->threads = countThreads(&context->options);
  TENON_TRY(makeArena(context));
  TENON_TRY(tenonIsGuarded(context->model) ? guardRefs(context)
                                           : resolveRefs(context));
  TENON_TRY(startClocks(context));
  TENON_TRY(startThreads(context));
  return makeLaunches(context);
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
  tenonRelease(&allocator, context->launches);
  tenonRelease(&allocator, context->times);
  tenonRelease(&allocator, context->patches);
  tenonRelease(&allocator, context->pointers);
  tenonRelease(&allocator, context->ownArena);
  tenonRelease(&allocator, context);
}

int32_t tenon_context_threads(const tenon_context *context) {
  return context->threads;
}
