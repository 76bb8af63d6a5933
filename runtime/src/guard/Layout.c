//===- Layout.c - where guarded memory lies -------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file lists the regions of a guarded model and reserves their addresses.
//===----------------------------------------------------------------------===//
#include "src/guard/Guard.h"

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

static uint64_t roundUp(uint64_t bytes, uint64_t unit) {
  return (bytes + unit - 1) / unit * unit;
}

uint8_t *tenonRegionBegin(const struct tenonGuard *guard,
                          const struct tenonRegion *region) {
  return region->base - (uintptr_t)region->base % guard->pageBytes;
}

uint8_t *tenonRegionEnd(const struct tenonGuard *guard,
                        const struct tenonRegion *region) {
  uint8_t *end = region->base + region->size;
  return end + (-(uintptr_t)end & (guard->pageBytes - 1));
}

//===----------------------------------------------------------------------===//
// Listing regions
//===----------------------------------------------------------------------===//

static void addRegion(struct tenonGuard *guard, struct tenonRegion region) {
  guard->regions[guard->regionCount++] = region;
}

static void addArena(struct tenonGuard *guard) {
  const struct tenon_buffer_record *buffers = tenonPlanBuffers(guard->model);
  for (uint32_t i = 0; i < guard->model->plan->buffer_count; ++i)
    addRegion(guard, (struct tenonRegion){.space = TENON_SPACE_ARENA,
                                          .index = i,
                                          .offset = buffers[i].offset,
                                          .size = buffers[i].size,
                                          .first = buffers[i].first_launch,
                                          .last = buffers[i].last_launch});
}

static void addTensors(struct tenonGuard *guard) {
  const struct tenon_entry_record *entry = guard->entry;
  const struct tenon_tensor_record *tensors =
      tenonEntryTensors(guard->model, entry);
  for (uint32_t i = 0; i < entry->input_count; ++i)
    addRegion(guard, (struct tenonRegion){.space = TENON_SPACE_INPUT,
                                          .index = i,
                                          .size = tensors[i].byte_size,
                                          .last = UINT32_MAX});
  tensors += entry->input_count;
  for (uint32_t i = 0; i < entry->output_count; ++i)
    addRegion(guard, (struct tenonRegion){.space = TENON_SPACE_OUTPUT,
                                          .index = i,
                                          .size = tensors[i].byte_size,
                                          .first = UINT32_MAX,
                                          .last = UINT32_MAX});
}

static int byOffset(const void *left, const void *right) {
  const struct tenonRegion *a = left, *b = right;
  return (a->offset > b->offset) - (a->offset < b->offset);
}

/// One region for each piece of weights: references that overlap see the same
/// constant.
static void addWeights(struct tenonGuard *guard) {
  const tenon_model *model = guard->model;
  struct tenonRegion *first = guard->regions + guard->regionCount;
  for (uint32_t i = 0; i < model->counts->ref_count; ++i)
    if (model->refs[i].space == TENON_SPACE_WEIGHTS)
      addRegion(guard, (struct tenonRegion){.space = TENON_SPACE_WEIGHTS,
                                            .offset = model->refs[i].offset,
                                            .size = model->refs[i].size,
                                            .last = UINT32_MAX});
  struct tenonRegion *end = guard->regions + guard->regionCount, *kept = first;
  if (first == end)
    return;
  qsort(first, (size_t)(end - first), sizeof *first, byOffset);
  for (struct tenonRegion *next = first + 1; next < end; ++next) {
    uint64_t keptEnd = kept->offset + kept->size;
    uint64_t nextEnd = next->offset + next->size;
    if (next->offset >= keptEnd && next->offset != kept->offset)
      *++kept = *next;
    else if (nextEnd > keptEnd)
      kept->size = nextEnd - kept->offset;
  }
  guard->regionCount = (uint32_t)(kept + 1 - guard->regions);
}

static void addScratch(struct tenonGuard *guard) {
  guard->firstScratch = guard->regionCount;
  for (int32_t i = 0; guard->model->scratchBytes && i < guard->threads; ++i)
    addRegion(guard, (struct tenonRegion){.space = TENON_SPACE_SCRATCH,
                                          .index = (uint32_t)i,
                                          .size = guard->model->scratchBytes,
                                          .last = UINT32_MAX});
}

//===----------------------------------------------------------------------===//
// From references to regions
//===----------------------------------------------------------------------===//

/// The last region of weights that begins at `offset` or before it.
static uint32_t findWeights(const struct tenonGuard *guard, uint32_t first,
                            uint64_t offset) {
  uint32_t end = guard->firstScratch;
  while (end - first > 1) {
    uint32_t middle = first + (end - first) / 2;
    if (guard->regions[middle].offset <= offset)
      first = middle;
    else
      end = middle;
  }
  return first;
}

static uint32_t findRegion(const struct tenonGuard *guard,
                           const struct tenon_ref_record *ref) {
  const tenon_model *model = guard->model;
  uint32_t inputs = model->plan->buffer_count;
  uint32_t outputs = inputs + guard->entry->input_count;
  switch (ref->space) {
  case TENON_SPACE_ARENA:
    return tenonGuardedBuffer(model, ref->offset, ref->size);
  case TENON_SPACE_INPUT:
    return inputs + ref->index;
  case TENON_SPACE_OUTPUT:
    return outputs + ref->index;
  default:
    return findWeights(guard, outputs + guard->entry->output_count,
                       ref->offset);
  }
}

/// Calls `visit` for each reference of the entry's program.
static void forRefs(struct tenonGuard *guard, void **pointers,
                    void (*visit)(struct tenonGuard *guard, void **pointers,
                                  uint32_t ref)) {
  const struct tenon_program_record *program =
      tenonEntryProgram(guard->model, guard->entry);
  for (uint32_t i = 0; i < program->launch_count; ++i) {
    const struct tenon_launch_record *launch =
        &guard->model->launches[program->first_launch + i];
    for (uint32_t k = 0; k < launch->ref_count; ++k)
      visit(guard, pointers, launch->first_ref + k);
  }
}

static void noteRegion(struct tenonGuard *guard, void **pointers,
                       uint32_t ref) {
  (void)pointers;
  guard->regionOf[ref] = findRegion(guard, &guard->model->refs[ref]);
}

static void point(struct tenonGuard *guard, void **pointers, uint32_t ref) {
  const struct tenonRegion *region = &guard->regions[guard->regionOf[ref]];
  pointers[ref - guard->firstRef] =
      region->base + (guard->model->refs[ref].offset - region->offset);
}

/// An output lives from the first launch that writes it.
static void findFirstWrites(struct tenonGuard *guard) {
  const tenon_model *model = guard->model;
  const struct tenon_program_record *program =
      tenonEntryProgram(model, guard->entry);
  for (uint32_t k = 0; k < program->launch_count; ++k) {
    uint32_t i = program->first_launch + k;
    const struct tenon_launch_record *launch = &model->launches[i];
    for (uint32_t k = launch->read_count; k < launch->ref_count; ++k) {
      struct tenonRegion *region =
          &guard->regions[guard->regionOf[launch->first_ref + k]];
      if (region->space == TENON_SPACE_OUTPUT && region->first == UINT32_MAX)
        region->first = i;
    }
  }
}

static tenon_status *listRegions(struct tenonGuard *guard) {
  const tenon_model *model = guard->model;
  uint64_t refs = model->counts->ref_count;
  uint64_t most = model->plan->buffer_count + refs + guard->entry->input_count +
                  guard->entry->output_count + (uint64_t)guard->threads;
  if (most >= UINT32_MAX)
    return tenonNoMemory(most * sizeof *guard->regions);
  guard->regions = calloc(most ? most : 1, sizeof *guard->regions);
  guard->regionOf = calloc(refs ? refs : 1, sizeof *guard->regionOf);
  if (!guard->regions || !guard->regionOf)
    return tenonNoMemory(most * sizeof *guard->regions);
  addArena(guard);
  addTensors(guard);
  addWeights(guard);
  addScratch(guard);
  forRefs(guard, NULL, noteRegion);
  findFirstWrites(guard);
  return NULL;
}

//===----------------------------------------------------------------------===//
// Addresses
//===----------------------------------------------------------------------===//

/// Gives each region its place, counted from the start of the reservation, and
/// returns the reservation's size; 0 when there are not so many addresses.
static uint64_t placeRegions(struct tenonGuard *guard) {
  const struct tenon_plan_header *plan = guard->model->plan;
  uint64_t end = roundUp(plan->arena_bytes, TENON_GUARD_BYTES);
  for (uint32_t i = 0; i < guard->regionCount; ++i) {
    struct tenonRegion *region = &guard->regions[i];
    uint64_t at = region->offset;
    if (region->space != TENON_SPACE_ARENA) {
      uint64_t begin = end + TENON_GUARD_BYTES;
      end = begin + roundUp(region->size, TENON_GUARD_BYTES);
      at = plan->guard == TENON_GUARD_ABOVE ? end - region->size : begin;
    }
    if (end > PTRDIFF_MAX / 2)
      return 0;
    region->base = (uint8_t *)(uintptr_t)at;
  }
  return end + TENON_GUARD_BYTES;
}

static tenon_status *reserve(struct tenonGuard *guard) {
  uint64_t bytes = placeRegions(guard);
  // The slack aligns the arena.
  guard->reservedBytes = bytes + TENON_GUARD_BYTES;
  void *memory = bytes
                     ? mmap(NULL, guard->reservedBytes, PROT_NONE,
                            MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0)
                     : MAP_FAILED;
  if (memory == MAP_FAILED)
    return tenonNoMemory(guard->reservedBytes);
  guard->reservation = memory;
  uint8_t *arena = guard->reservation +
                   (-(uintptr_t)memory & (uintptr_t)(TENON_GUARD_BYTES - 1));
  for (uint32_t i = 0; i < guard->regionCount; ++i)
    guard->regions[i].base = arena + (uintptr_t)guard->regions[i].base;
  return NULL;
}

static tenon_status *copyWeights(struct tenonGuard *guard) {
  const uint8_t *weights = guard->model->sections[TENON_SECTION_WEIGHTS].data;
  for (uint32_t i = 0; i < guard->regionCount; ++i) {
    struct tenonRegion *region = &guard->regions[i];
    if (region->space != TENON_SPACE_WEIGHTS || !region->size)
      continue;
    uint8_t *begin = tenonRegionBegin(guard, region);
    size_t bytes = (size_t)(tenonRegionEnd(guard, region) - begin);
    if (mprotect(begin, bytes, PROT_READ | PROT_WRITE) != 0)
      return tenonNoMemory(bytes);
    memcpy(region->base, weights + region->offset, region->size);
    if (mprotect(begin, bytes, PROT_NONE) != 0)
      return tenonNoMemory(bytes);
    region->isAwake = true;
  }
  return NULL;
}

static tenon_status *fillGuard(struct tenonGuard *guard, void **pointers) {
  // The two architectures have pages of at most TENON_GUARD_BYTES.
  guard->pageBytes = (size_t)sysconf(_SC_PAGESIZE);
  TENON_TRY(listRegions(guard));
  TENON_TRY(reserve(guard));
  TENON_TRY(copyWeights(guard));
  forRefs(guard, pointers, point);
  return NULL;
}

tenon_status *tenonGuardCreate(const tenon_model *model,
                               const struct tenon_entry_record *entry,
                               int32_t threads, uint32_t firstRef,
                               void **pointers, struct tenonGuard **result) {
  struct tenonGuard *guard = calloc(1, sizeof *guard);
  if (!guard)
    return tenonNoMemory(sizeof *guard);
  guard->model = model;
  guard->entry = entry;
  guard->threads = threads;
  guard->firstRef = firstRef;
  tenon_status *status = fillGuard(guard, pointers);
  if (status)
    tenonGuardDestroy(guard);
  else
    *result = guard;
  return status;
}

void tenonGuardDestroy(struct tenonGuard *guard) {
  if (!guard)
    return;
  if (guard->reservation)
    munmap(guard->reservation, guard->reservedBytes);
  free(guard->regionOf);
  free(guard->regions);
  free(guard);
}
