//===- Protect.c - who may touch what, and when ---------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file opens and closes regions around launches, and looks at their pads.
//===----------------------------------------------------------------------===//
#include "src/guard/Guard.h"

#include <string.h>
#include <sys/mman.h>

/// What unwritten bytes hold: no float is a number, integers are -1.
#define POISON 0xff

/// What a region's pads hold: not what its neighbours' hold, so that a copy
/// that goes too far at both ends is seen.
static uint8_t padOf(const struct tenonGuard *guard,
                     const struct tenonRegion *region) {
  return (uint8_t)(0xa5 + 61 * (region - guard->regions));
}

static size_t pagesBytes(const struct tenonGuard *guard,
                         const struct tenonRegion *region) {
  return (size_t)(tenonRegionEnd(guard, region) -
                  tenonRegionBegin(guard, region));
}

static tenon_status *setAccess(const struct tenonGuard *guard,
                               struct tenonRegion *region, int access) {
  size_t bytes = pagesBytes(guard, region);
  if (bytes && region->access != access &&
      mprotect(tenonRegionBegin(guard, region), bytes, access) != 0)
    return tenonNoMemory(bytes);
  region->access = access;
  return NULL;
}

/// Opens a region and fills it for the first time in a run.
static tenon_status *awaken(const struct tenonGuard *guard,
                            struct tenonRegion *region) {
  TENON_TRY(setAccess(guard, region, PROT_READ | PROT_WRITE));
  if (pagesBytes(guard, region)) {
    uint8_t *begin = tenonRegionBegin(guard, region);
    uint8_t *end = region->base + region->size;
    int pad = padOf(guard, region);
    memset(begin, pad, (size_t)(region->base - begin));
    memset(region->base, POISON, region->size);
    memset(end, pad, (size_t)(tenonRegionEnd(guard, region) - end));
  }
  region->isAwake = true;
  return NULL;
}

/// Closes a region for good and gives its pages back. Errors only mean that
/// the system keeps them longer.
static void bury(const struct tenonGuard *guard, struct tenonRegion *region) {
  if (pagesBytes(guard, region))
    madvise(tenonRegionBegin(guard, region), pagesBytes(guard, region),
            MADV_DONTNEED);
  region->isAwake = false;
}

static struct tenonRegion *operand(const struct tenonGuard *guard,
                                   const struct tenon_launch_record *launch,
                                   uint32_t number) {
  return &guard->regions[guard->regionOf[launch->first_ref + number]];
}

static bool isAlive(const struct tenonRegion *region, uint32_t launch) {
  return region->first <= launch && launch <= region->last;
}

//===----------------------------------------------------------------------===//
// Pads
//===----------------------------------------------------------------------===//

static const uint8_t *firstDamage(const uint8_t *begin, const uint8_t *end,
                                  uint8_t pad) {
  for (; begin < end; ++begin)
    if (*begin != pad)
      return begin;
  return NULL;
}

static const uint8_t *lastDamage(const uint8_t *begin, const uint8_t *end,
                                 uint8_t pad) {
  while (end > begin)
    if (*--end != pad)
      return end;
  return NULL;
}

static void checkPads(struct tenonGuard *guard,
                      const struct tenonRegion *region) {
  // What is nearest to the region says most about what went wrong.
  uint8_t pad = padOf(guard, region);
  const uint8_t *damage =
      lastDamage(tenonRegionBegin(guard, region), region->base, pad);
  if (!damage)
    damage = firstDamage(region->base + region->size,
                         tenonRegionEnd(guard, region), pad);
  if (!damage || atomic_exchange(&guard->fault.isClaimed, true))
    return;
  guard->fault.isLate = true;
  guard->fault.touch = TENON_WROTE;
  guard->fault.address = damage;
}

//===----------------------------------------------------------------------===//
// Around runs and launches
//===----------------------------------------------------------------------===//

static tenon_status *copyInputs(struct tenonGuard *guard,
                                const tenon_tensor *inputs) {
  for (uint32_t i = 0; i < guard->regionCount; ++i) {
    struct tenonRegion *region = &guard->regions[i];
    if (region->space != TENON_SPACE_INPUT || !region->size)
      continue;
    const tenon_tensor *tensor = &inputs[region->index];
    TENON_TRY(awaken(guard, region));
    memcpy(region->base, (const uint8_t *)tensor->data + tensor->byte_offset,
           region->size);
    TENON_TRY(setAccess(guard, region, PROT_NONE));
  }
  return NULL;
}

/// Gives each thread the scratch of a launch, at the same end of its pages as
/// buffers lie.
static tenon_status *openScratch(struct tenonGuard *guard, uint64_t bytes) {
  const uint64_t unit = TENON_LINE_BYTES;
  for (uint32_t i = guard->firstScratch; i < guard->regionCount; ++i) {
    struct tenonRegion *region = &guard->regions[i];
    if (guard->model->plan->guard == TENON_GUARD_ABOVE) {
      region->base += (region->size + unit - 1) / unit * unit;
      region->base -= (bytes + unit - 1) / unit * unit;
    }
    region->size = bytes;
    if (bytes)
      TENON_TRY(awaken(guard, region));
  }
  return NULL;
}

static tenon_status *closeScratch(struct tenonGuard *guard) {
  for (uint32_t i = guard->firstScratch; i < guard->regionCount; ++i) {
    struct tenonRegion *region = &guard->regions[i];
    if (region->access & PROT_WRITE)
      checkPads(guard, region);
    TENON_TRY(setAccess(guard, region, PROT_NONE));
    bury(guard, region);
  }
  return NULL;
}

void *tenonGuardScratch(const struct tenonGuard *guard, int32_t thread) {
  uint32_t index = guard->firstScratch + (uint32_t)thread;
  return index < guard->regionCount && guard->regions[index].size
             ? guard->regions[index].base
             : NULL;
}

tenon_status *tenonGuardBegin(struct tenonGuard *guard,
                              const tenon_tensor *inputs) {
  guard->fault = (struct tenonFault){0};
  tenonInstallHandlers();
  return copyInputs(guard, inputs);
}

tenon_status *tenonGuardEnter(struct tenonGuard *guard, uint32_t index) {
  const struct tenon_launch_record *launch = &guard->model->launches[index];
  for (uint32_t i = 0; i < launch->ref_count; ++i) {
    struct tenonRegion *region = operand(guard, launch, i);
    if (!isAlive(region, index))
      continue;
    if (!region->isAwake)
      TENON_TRY(awaken(guard, region));
    // A region that is read and written comes twice, written last.
    int access = PROT_READ | (i < launch->read_count ? 0 : PROT_WRITE);
    TENON_TRY(setAccess(guard, region, access));
  }
  return openScratch(guard, launch->scratch_bytes);
}

tenon_status *tenonGuardLeave(struct tenonGuard *guard, uint32_t index) {
  const struct tenon_launch_record *launch = &guard->model->launches[index];
  for (uint32_t i = 0; i < launch->ref_count; ++i) {
    struct tenonRegion *region = operand(guard, launch, i);
    if (region->access & PROT_WRITE)
      checkPads(guard, region);
    TENON_TRY(setAccess(guard, region, PROT_NONE));
    if (region->last <= index)
      bury(guard, region);
  }
  TENON_TRY(closeScratch(guard));
  return atomic_load(&guard->fault.isClaimed) ? tenonReportFault(guard, index)
                                              : NULL;
}

tenon_status *tenonGuardFinish(struct tenonGuard *guard,
                               const tenon_tensor *outputs) {
  for (uint32_t i = 0; i < guard->regionCount; ++i) {
    struct tenonRegion *region = &guard->regions[i];
    if (region->space != TENON_SPACE_OUTPUT || !region->size ||
        !region->isAwake)
      continue;
    const tenon_tensor *tensor = &outputs[region->index];
    TENON_TRY(setAccess(guard, region, PROT_READ));
    memcpy((uint8_t *)tensor->data + tensor->byte_offset, region->base,
           region->size);
  }
  return NULL;
}

void tenonGuardEnd(struct tenonGuard *guard) {
  tenonRestoreHandlers();
  for (uint32_t i = 0; i < guard->regionCount; ++i) {
    struct tenonRegion *region = &guard->regions[i];
    tenon_status_destroy(setAccess(guard, region, PROT_NONE));
    if (region->space != TENON_SPACE_WEIGHTS)
      bury(guard, region);
  }
}
