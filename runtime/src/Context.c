//===- Context.c - making contexts ----------------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file takes all memory and threads that runs will need, as far as it does
// not depend on the shapes of inputs.
//===----------------------------------------------------------------------===//
#include "src/Context.h"

#include "src/base/Cpu.h"
#include "src/cuda/Cuda.h"
#include "src/vm/Machine.h"

#include <stdlib.h>
#include <string.h>

tenon_status *tenonContextAllocate(const tenon_context *context, size_t bytes,
                                   void **result) {
  void *memory = tenonAllocate(&context->options.allocator, bytes ? bytes : 1,
                               TENON_LINE_BYTES);
  if (!memory)
    return tenonNoMemory(bytes);
  memset(memory, 0, bytes);
  *result = memory;
  return NULL;
}

static uint32_t countDims(const struct tenon_tensor_record *tensors,
                          uint32_t count) {
  uint32_t dims = 0;
  for (uint32_t i = 0; i < count; ++i)
    dims += tenonExtentCount(&tensors[i]);
  return dims;
}

/// Where it is known how large the arena may become, it is taken once, if there
/// is as much memory; pages that no shape needs are never touched.
static tenon_status *reserveBound(tenon_context *context) {
  uint64_t bound = context->model->plan->arena_bound_bytes;
  if (bound)
    tenon_status_destroy(tenonReserveArena(context, (int64_t)bound));
  return NULL;
}

/// The arena of a model without symbols is taken here, and one with a bound;
/// others wait for the first shape, but for a caller's, which has to do for the
/// scratch at least.
static tenon_status *makeArena(tenon_context *context) {
  context->arenaBytes = -1;
  context->arenaVersion = 1;
  if (tenonIsCuda(context->model))
    return NULL;
  if (tenonIsGuarded(context->model))
    return context->options.arena
               ? tenonFail(TENON_INVALID_ARGUMENT, "",
                           "a guarded model maps its own arena")
               : NULL;
  if (context->parent)
    return NULL;
  const struct tenon_plan_header *plan = context->model->plan;
  if (context->entry->function)
    return plan->arena_bound_bytes && !context->options.arena
               ? reserveBound(context)
               : tenonReserveArena(context, (int64_t)plan->arena_bytes);
  if (!context->isSymbolic)
    return tenonReserveArena(
        context,
        tenonEntryProgram(context->model, context->entry)->arena_bytes);
  return context->options.arena ? tenonReserveArena(context, 0)
                                : reserveBound(context);
}

/// The one shape of an entry without symbols.
static tenon_status *makeOnlyShape(tenon_context *context) {
  const tenon_model *model = context->model;
  const struct tenon_tensor_record *inputs =
      tenonEntryTensors(model, context->entry);
  int64_t *next = context->extents;
  for (uint32_t i = 0; i < context->entry->input_count; ++i)
    for (uint32_t k = 0; k < tenonExtentCount(&inputs[i]); ++k)
      *next++ = model->dims[inputs[i].first_dim + k];
  TENON_TRY(tenonFindShape(context));
  // In a guarded model all references are to memory of the context's own.
  if (tenonIsGuarded(model))
    TENON_TRY(tenonGuardCreate(model, context->entry, context->threads,
                               context->refs.first, context->shape->pointers,
                               &context->guard));
  for (uint32_t i = 0; i < context->launchCount; ++i)
    context->shape->launches[i].guard = context->guard;
  if (context->device)
    return tenonPrepareDevice(context);
  return tenonPlaceShape(context, context->shape);
}

static tenon_status *startClocks(tenon_context *context) {
  if (!context->options.profile)
    return NULL;
  return tenonContextAllocate(context,
                              context->launchCount * sizeof *context->times,
                              (void **)&context->times);
}

static int32_t countThreads(const tenon_context_options *options) {
  if (options->executor.parallel_for)
    return options->executor.concurrency > 0 ? options->executor.concurrency
                                             : 1;
  return options->threads ? options->threads : tenonCpuCount();
}

static tenon_status *startThreads(tenon_context *context) {
  if (context->parent) {
    context->pool = context->parent->pool;
    return NULL;
  }
  if (context->options.executor.parallel_for || tenonIsCuda(context->model))
    return NULL;
  return tenonPoolCreate(context->threads, &context->options.allocator,
                         &context->pool);
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

/// That what is asked of a device is what the model was loaded for.
static tenon_status *checkDevice(const tenon_model *model,
                                 const tenon_context_options *options) {
  bool isCuda = tenonIsCuda(model);
  int32_t type = options->device.device_type;
  if (type && type != model->device.device_type)
    return tenonFail(TENON_INVALID_ARGUMENT, "",
                     "the model was loaded for %s (variant '%s'): see "
                     "tenon_load_options",
                     isCuda ? "a GPU" : "the processor",
                     tenonVariantName(model, model->variant));
  if (options->device.device_id < 0 ||
      (!isCuda && options->device.device_id > 0))
    return tenonFail(TENON_INVALID_ARGUMENT, "", "there is no device %d",
                     options->device.device_id);
  if (!isCuda && options->device_stream)
    return tenonFail(TENON_INVALID_ARGUMENT, "",
                     "a model that runs on the processor takes no stream");
  if (isCuda && options->arena)
    return tenonFail(TENON_INVALID_ARGUMENT, "",
                     "a model that runs on a GPU takes no arena");
  return NULL;
}

static tenon_status *findEntry(const tenon_model *model, const char *name,
                               const struct tenon_entry_record **entry) {
  uint32_t i = 0;
  while (name && i < model->publicEntryCount &&
         strcmp(tenonName(model, model->entries[i].name), name) != 0)
    ++i;
  if (i == model->publicEntryCount)
    return tenonFail(TENON_INVALID_ARGUMENT, "", "the model has no entry '%s'",
                     name);
  *entry = &model->entries[i];
  return NULL;
}

/// Makes `slice` hold [first, first + count), too.
static void widen(struct tenonSlice *slice, uint32_t first, uint32_t count) {
  if (!count)
    return;
  uint32_t end = slice->first + slice->count;
  if (!slice->count || first < slice->first)
    slice->first = first;
  if (first + count > end)
    end = first + count;
  slice->count = end - slice->first;
}

/// Counts what shapes of the entry have.
static void measureEntry(tenon_context *context) {
  const tenon_model *model = context->model;
  const struct tenon_program_record *program =
      tenonEntryProgram(model, context->entry);
  context->firstLaunch = program->first_launch;
  context->launchCount = program->launch_count;
  const struct tenon_tensor_record *tensors =
      tenonEntryTensors(model, context->entry);
  uint32_t inputs = context->entry->input_count;
  context->isSymbolic = model->registers[context->entry - model->entries] != 0;
  context->inputDims = countDims(tensors, inputs);
  context->outputDims =
      countDims(tensors + inputs, context->entry->output_count);
  context->givenSizes =
      context->inputDims + model->capacities[context->entry - model->entries];
  context->states = tenonEntryStates(model, context->entry);
  context->firstUpdate = tenonFirstUpdate(model, context->entry);
  for (uint32_t i = 0; i < context->launchCount; ++i) {
    const struct tenon_launch_record *launch = tenonLaunchRecord(context, i);
    widen(&context->refs, launch->first_ref, launch->ref_count);
    widen(&context->sizes, launch->first_size, launch->size_count);
  }
}

/// Notes along which dimensions tensors grow.
static tenon_status *findAxes(tenon_context *context) {
  uint32_t inputs = context->entry->input_count;
  uint32_t count = inputs + context->entry->output_count;
  if (context->givenSizes == context->inputDims)
    return NULL;
  TENON_TRY(tenonContextAllocate(context, count * sizeof *context->axes,
                                 (void **)&context->axes));
  for (uint32_t i = 0; i < count; ++i)
    context->axes[i] = -1;
  for (uint32_t i = 0; i < context->states.count; ++i) {
    const struct tenon_state_record *state = &context->states.first[i];
    if (!tenonGrows(state))
      continue;
    context->axes[state->input] = (int32_t)state->axis;
    context->axes[inputs + state->output] = (int32_t)state->axis;
  }
  return NULL;
}

static tenon_status *fillContext(tenon_context *context) {
  measureEntry(context);
  bool isCuda = tenonIsCuda(context->model);
  context->threads = isCuda ? 1 : countThreads(&context->options);
  TENON_TRY(tenonFindWaves(context));
  TENON_TRY(makeArena(context));
  TENON_TRY(tenonContextAllocate(context,
                                 context->givenSizes * sizeof *context->extents,
                                 (void **)&context->extents));
  TENON_TRY(findAxes(context));
  TENON_TRY(tenonContextAllocate(
      context, context->entry->output_count * sizeof *context->outputViews,
      (void **)&context->outputViews));
  TENON_TRY(startClocks(context));
  TENON_TRY(startThreads(context));
  if (isCuda)
    TENON_TRY(tenonCreateDeviceContext(context));
  if (!context->isSymbolic)
    TENON_TRY(makeOnlyShape(context));
  return context->entry->function ? tenonCreateMachine(context) : NULL;
}

/// `parent`: NULL, or whose threads and arena it uses.
static tenon_status *makeContext(const tenon_model *model,
                                 const struct tenon_entry_record *entry,
                                 const tenon_context_options *options,
                                 tenon_context *parent,
                                 tenon_context **result) {
  tenon_context *context =
      tenonAllocate(&options->allocator, sizeof *context, TENON_LINE_BYTES);
  if (!context)
    return tenonNoMemory(sizeof *context);
  memset(context, 0, sizeof *context);
  context->model = model;
  context->entry = entry;
  context->options = *options;
  context->options.entry = NULL; // borrowed
  context->parent = parent;
  atomic_flag_clear(&context->isRunning);
  tenon_status *status = fillContext(context);
  if (status)
    tenon_context_destroy(context);
  else
    *result = context;
  return status;
}

tenon_status *tenonCreateProgram(tenon_context *parent, uint32_t entry,
                                 tenon_context **result) {
  return makeContext(parent->model, &parent->model->entries[entry],
                     &parent->options, parent, result);
}

tenon_status *tenon_context_create(tenon_model *model,
                                   const tenon_context_options *options,
                                   tenon_context **result) {
  if (!model || !result)
    return tenonFail(TENON_INVALID_ARGUMENT, "", "a null argument");
  tenon_context_options local;
  TENON_TRY(tenonReadStruct(&local, sizeof local, options));
  TENON_TRY(checkOptions(&local));
  TENON_TRY(checkDevice(model, &local));
  const struct tenon_entry_record *entry;
  TENON_TRY(findEntry(model, local.entry, &entry));
  return makeContext(model, entry, &local, NULL, result);
}

void tenon_context_destroy(tenon_context *context) {
  if (!context)
    return;
  tenon_allocator allocator = context->options.allocator;
  tenonDestroyMachine(context->machine);
  if (!context->parent)
    tenonPoolDestroy(context->pool);
  tenonGuardDestroy(context->guard);
  tenonDestroyDeviceContext(context);
  for (uint32_t i = 0; i < context->shapeCount; ++i)
    tenonRelease(&allocator, context->shapes[i]);
  tenonRelease(&allocator, context->extents);
  tenonRelease(&allocator, context->axes);
  tenonRelease(&allocator, context->outputViews);
  tenonRelease(&allocator, context->times);
  tenonRelease(&allocator, context->ownArena);
  tenonRelease(&allocator, context);
}

int32_t tenon_context_threads(const tenon_context *context) {
  return context->threads;
}
