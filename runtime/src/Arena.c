//===- Arena.c - the arena of a context -----------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file takes and grows the memory for intermediate results. The scratch
// of the threads lies behind it.
//===----------------------------------------------------------------------===//
#include "src/Context.h"
#include "src/base/File.h"

/// The arena may end, and a caller's begin, anywhere in a unit of scratch.
static size_t scratchBytes(const tenon_context *context) {
  if (!context->model->scratchBytes)
    return 0;
  return TENON_SCRATCH_ALIGNMENT +
         (size_t)context->threads * tenonScratchPitch(context->model);
}

uint8_t *tenonFirstScratch(const tenon_context *context) {
  const uint64_t unit = TENON_SCRATCH_ALIGNMENT;
  uintptr_t end = (uintptr_t)context->arena + (uint64_t)context->arenaBytes;
  return (uint8_t *)((end + unit - 1) / unit * unit);
}

static tenon_status *borrow(tenon_context *context, int64_t bytes) {
  const tenon_context_options *options = &context->options;
  size_t size = (size_t)bytes + scratchBytes(context);
  uint64_t alignment = context->model->plan->arena_alignment;
  if (options->arena_size < size)
    return tenonFail(
        TENON_INVALID_ARGUMENT, "",
        "the arena has %zu bytes; %s %zu for %d thread%s", options->arena_size,
        context->isSymbolic || context->machine ? "inputs of these shapes need"
                                                : "the model needs",
        size, context->threads, context->threads == 1 ? "" : "s");
  if ((uintptr_t)options->arena % alignment)
    return tenonFail(TENON_INVALID_ARGUMENT, "",
                     "the arena is not aligned to %llu bytes",
                     (unsigned long long)alignment);
  context->arena = options->arena;
  context->arenaBytes = (int64_t)(options->arena_size - scratchBytes(context));
  return NULL;
}

static tenon_status *takeArena(tenon_context *context, int64_t bytes) {
  const tenon_allocator *allocator = &context->options.allocator;
  size_t size = (size_t)bytes + scratchBytes(context);
  size_t alignment = context->model->plan->arena_alignment;
  if (context->model->scratchBytes && alignment < TENON_SCRATCH_ALIGNMENT)
    alignment = TENON_SCRATCH_ALIGNMENT;
  bool isOwn = !allocator->allocate;
  if (isOwn && size >= TENON_HUGE_PAGE_BYTES &&
      alignment < TENON_HUGE_PAGE_BYTES)
    alignment = TENON_HUGE_PAGE_BYTES;
  context->ownArena = tenonAllocate(allocator, size ? size : 1, alignment);
  if (!context->ownArena)
    return tenonNoMemory(size);
  if (isOwn)
    tenonAskForHugePages(context->ownArena,
                         size / TENON_HUGE_PAGE_BYTES * TENON_HUGE_PAGE_BYTES);
  context->arena = context->ownArena;
  context->arenaBytes = bytes;
  return NULL;
}

/// Of the bytecode that calls the program.
static tenon_status *shareArena(tenon_context *context, int64_t bytes) {
  const tenon_context *parent = context->parent;
  TENON_TRY(tenonReserveArena(context->parent, bytes));
  context->arena = parent->arena;
  context->arenaBytes = parent->arenaBytes;
  context->arenaVersion = parent->arenaVersion;
  return NULL;
}

tenon_status *tenonReserveArena(tenon_context *context, int64_t bytes) {
  if (context->parent)
    return shareArena(context, bytes);
  if (bytes <= context->arenaBytes)
    return NULL;
  if (context->options.arena)
    return borrow(context, bytes);
  // Half as much again: shapes that grow step by step move it a few times.
  int64_t grown = context->arenaBytes + context->arenaBytes / 2;
  tenonRelease(&context->options.allocator, context->ownArena);
  context->ownArena = NULL;
  context->arena = NULL;
  context->arenaBytes = -1;
  ++context->arenaVersion;
  return takeArena(context, grown > bytes ? grown : bytes);
}

size_t tenon_context_arena_bytes(const tenon_context *context) {
  if (context->arenaBytes < 0)
    return 0;
  return (size_t)context->arenaBytes + scratchBytes(context);
}
