//===- Report.c - naming a stray access -----------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file turns an address into words: which kernel, from which nodes, did
// what to which buffer.
//===----------------------------------------------------------------------===//
#include "src/guard/Guard.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>

#define MAX_NODES 4

/// A text that grows until it is full.
struct text {
  char bytes[720];
  size_t used;
};

__attribute__((format(printf, 2, 3))) static void add(struct text *text,
                                                      const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  size_t rest = sizeof text->bytes - text->used;
  int more = vsnprintf(text->bytes + text->used, rest, format, arguments);
  va_end(arguments);
  if (more > 0)
    text->used += (size_t)more < rest ? (size_t)more : rest - 1;
}

/// "kernel 'k' of launch 3 (nodes 'a', 'b' and 5 more)"
static void addLaunch(struct text *text, const tenon_model *model,
                      uint32_t index) {
  const struct tenon_launch_record *launch = &model->launches[index];
  add(text, "kernel '%.80s' of launch %u",
      tenonName(model, model->kernelRecords[launch->kernel].name), index);
  uint32_t shown =
      launch->node_count < MAX_NODES ? launch->node_count : MAX_NODES;
  for (uint32_t i = 0; i < shown; ++i)
    add(text, "%s'%.60s'", i ? ", " : " (nodes ",
        model->nodeNames[launch->first_node + i]);
  if (shown < launch->node_count)
    add(text, " and %u more", launch->node_count - shown);
  add(text, shown ? ")" : "");
}

/// "buffer 7 (64 bytes)", "input 'x'", "the weights at 128 (64 bytes)"
static void addRegion(struct text *text, const struct tenonGuard *guard,
                      const struct tenonRegion *region) {
  const tenon_model *model = guard->model;
  const struct tenon_tensor_record *tensors =
      tenonEntryTensors(model, guard->entry);
  unsigned long long size = region->size, offset = region->offset;
  switch (region->space) {
  case TENON_SPACE_ARENA:
    add(text, "buffer %u", tenonPlanBuffers(model)[region->index].id);
    break;
  case TENON_SPACE_INPUT:
    add(text, "input '%.60s'", tenonName(model, tensors[region->index].name));
    break;
  case TENON_SPACE_OUTPUT:
    tensors += guard->entry->input_count;
    add(text, "output '%.60s'", tenonName(model, tensors[region->index].name));
    break;
  case TENON_SPACE_SCRATCH:
    add(text, "the scratch of thread %u", region->index);
    break;
  default:
    add(text, "the weights at %llu", offset);
  }
  add(text, " (%llu bytes)", size);
}

//===----------------------------------------------------------------------===//
// Where an address lies
//===----------------------------------------------------------------------===//

/// 0 inside; else how many bytes before the first (negative) or after the last.
static int64_t distance(const struct tenonRegion *region,
                        const uint8_t *address) {
  if (address < region->base)
    return address - region->base;
  int64_t above = address - (region->base + region->size) + 1;
  return above > 0 ? above : 0;
}

static const struct tenonRegion *findInside(const struct tenonGuard *guard,
                                            const uint8_t *address) {
  for (uint32_t i = 0; i < guard->regionCount; ++i)
    if (!distance(&guard->regions[i], address))
      return &guard->regions[i];
  return NULL;
}

/// The operand that the kernel most likely started from.
static const struct tenonRegion *nearestOperand(const struct tenonGuard *guard,
                                                uint32_t index) {
  const struct tenon_launch_record *launch = &guard->model->launches[index];
  const struct tenonRegion *nearest = NULL;
  int64_t least = INT64_MAX;
  uint32_t scratch =
      launch->scratch_bytes ? guard->regionCount - guard->firstScratch : 0;
  for (uint32_t i = 0; i < launch->ref_count + scratch; ++i) {
    const struct tenonRegion *region =
        i < launch->ref_count
            ? &guard->regions[guard->regionOf[launch->first_ref + i]]
            : &guard->regions[guard->firstScratch + i - launch->ref_count];
    int64_t far = distance(region, guard->fault.address);
    far = far < 0 ? -far : far;
    if (far >= least)
      continue;
    least = far;
    nearest = region;
  }
  return nearest;
}

static bool isOperand(const struct tenonGuard *guard, uint32_t index,
                      const struct tenonRegion *region) {
  const struct tenon_launch_record *launch = &guard->model->launches[index];
  for (uint32_t i = 0; i < launch->ref_count; ++i)
    if (&guard->regions[guard->regionOf[launch->first_ref + i]] == region)
      return true;
  return false;
}

/// "12 bytes above the end of buffer 7 (64 bytes)"
static void addDistance(struct text *text, const struct tenonGuard *guard,
                        const struct tenonRegion *region) {
  long long far = distance(region, guard->fault.address);
  long long bytes = far < 0 ? -far : far;
  add(text, "%lld byte%s %s of ", bytes, bytes == 1 ? "" : "s",
      far < 0 ? "below the start" : "above the end");
  addRegion(text, guard, region);
}

/// Why the bytes of `region` are out of bounds for the launch.
static void addReason(struct text *text, const struct tenonGuard *guard,
                      const struct tenonRegion *region, uint32_t launch) {
  if (launch > region->last) {
    add(text, ", which is dead since ");
    addLaunch(text, guard->model, region->last);
  } else if (region->first == UINT32_MAX) {
    add(text, ", which nothing writes");
  } else if (launch < region->first) {
    add(text, ", which is not alive before ");
    addLaunch(text, guard->model, region->first);
  } else if (isOperand(guard, launch, region)) {
    add(text, ", which the launch only reads");
  } else {
    add(text, ", which is not an operand of the launch");
  }
}

static void addPlace(struct text *text, const struct tenonGuard *guard,
                     uint32_t launch) {
  const uint8_t *address = guard->fault.address;
  const struct tenonRegion *inside = findInside(guard, address);
  const struct tenonRegion *operand = nearestOperand(guard, launch);
  if (inside) {
    add(text, "byte %llu of ", (unsigned long long)(address - inside->base));
    addRegion(text, guard, inside);
    addReason(text, guard, inside, launch);
    if (operand && operand != inside) {
      add(text, "; that is ");
      addDistance(text, guard, operand);
    }
  } else if (operand) {
    addDistance(text, guard, operand);
  } else {
    add(text, "memory between buffers");
  }
}

static bool isReserved(const struct tenonGuard *guard) {
  const uint8_t *address = guard->fault.address;
  return address >= guard->reservation &&
         address < guard->reservation + guard->reservedBytes;
}

tenon_status *tenonReportFault(const struct tenonGuard *guard,
                               uint32_t launch) {
  static const char *const verbs[] = {"touched", "read", "wrote"};
  const struct tenonFault *fault = &guard->fault;
  const struct tenon_launch_record *record = &guard->model->launches[launch];
  struct text who = {.used = 0}, where = {.used = 0};
  addLaunch(&who, guard->model, launch);
  if (fault->hasNoAddress)
    add(&where, "an address that no memory can have");
  else if (!isReserved(guard))
    add(&where, "address 0x%llx, far from all buffers",
        (unsigned long long)(uintptr_t)fault->address);
  else
    addPlace(&where, guard, launch);
  if (fault->isLate)
    add(&where, " (seen after the launch)");
  const char *node =
      record->node_count ? guard->model->nodeNames[record->first_node] : "";
  return tenonFail(TENON_MEMORY_FAULT, node, "%s %s %s", who.bytes,
                   verbs[fault->touch], where.bytes);
}
