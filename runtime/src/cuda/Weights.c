//===- Weights.c - weights on a GPU ---------------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file copies the weights that launches of the variant read: what other
// variants packed for themselves stays where it is.
//===----------------------------------------------------------------------===//
#include "src/cuda/Device.h"

#include <stdlib.h>

static int compareRanges(const void *a, const void *b) {
  const struct tenonWeightRange *left = a, *right = b;
  return (left->begin > right->begin) - (left->begin < right->begin);
}

/// The bytes of a reference; all where the shapes decide.
static struct tenonWeightRange rangeOf(const struct tenon_ref_record *ref,
                                       uint64_t all) {
  if (ref->offset < 0 || ref->size < 0)
    return (struct tenonWeightRange){0, all, 0};
  return (struct tenonWeightRange){(uint64_t)ref->offset,
                                   (uint64_t)(ref->offset + ref->size), 0};
}

static uint32_t collectRanges(const tenon_model *model,
                              struct tenonWeightRange *ranges) {
  uint64_t all = model->sections[TENON_SECTION_WEIGHTS].size;
  uint32_t count = 0;
  for (uint32_t i = 0; i < model->counts->ref_count; ++i) {
    const struct tenon_ref_record *ref = &model->refs[i];
    // Those that no launch has were not checked.
    if (ref->space == TENON_SPACE_WEIGHTS &&
        tenonMayBeWithin(ref->offset, ref->size, (int64_t)all))
      ranges[count++] = rangeOf(ref, all);
  }
  qsort(ranges, count, sizeof *ranges, compareRanges);
  return count;
}

/// Joins ranges that are no further apart than the alignment.
static uint32_t joinRanges(struct tenonWeightRange *ranges, uint32_t count) {
  uint32_t last = 0;
  for (uint32_t i = 1; i < count; ++i) {
    if (ranges[i].begin > ranges[last].end + TENON_DEVICE_ALIGNMENT)
      ranges[++last] = ranges[i];
    else if (ranges[i].end > ranges[last].end)
      ranges[last].end = ranges[i].end;
  }
  return count ? last + 1 : 0;
}

/// Gives them places, which keeps what they are aligned to; the bytes of all.
static uint64_t placeRanges(struct tenonWeightRange *ranges, uint32_t count) {
  const uint64_t unit = TENON_DEVICE_ALIGNMENT;
  uint64_t end = 0;
  for (uint32_t i = 0; i < count; ++i) {
    ranges[i].place = (end + unit - 1) / unit * unit + ranges[i].begin % unit;
    end = ranges[i].place + (ranges[i].end - ranges[i].begin);
  }
  return end;
}

CUdeviceptr tenonDeviceWeight(const struct tenonDevice *device,
                              uint64_t offset) {
  uint32_t first = 0, end = device->rangeCount;
  if (!end)
    return device->weights;
  // The last range that begins at the offset or before it.
  while (end - first > 1) {
    uint32_t middle = first + (end - first) / 2;
    if (device->ranges[middle].begin <= offset)
      first = middle;
    else
      end = middle;
  }
  const struct tenonWeightRange *range = &device->ranges[first];
  return device->weights + range->place + (offset - range->begin);
}

tenon_status *tenonUploadWeights(const tenon_model *model,
                                 struct tenonDevice *device) {
  uint32_t refs = model->counts->ref_count;
  device->ranges = calloc(refs + 1, sizeof *device->ranges);
  if (!device->ranges)
    return tenonNoMemory(refs * sizeof *device->ranges);
  uint32_t count = collectRanges(model, device->ranges);
  device->rangeCount = joinRanges(device->ranges, count);
  uint64_t bytes = placeRanges(device->ranges, device->rangeCount);
  TENON_TRY(
      tenonDeviceAllocate(device, "weights take", bytes, &device->weights));
  const uint8_t *weights = model->sections[TENON_SECTION_WEIGHTS].data;
  for (uint32_t i = 0; i < device->rangeCount; ++i) {
    const struct tenonWeightRange *range = &device->ranges[i];
    if (range->end > range->begin)
      TENON_ON(device, cuMemcpyHtoD_v2, device->weights + range->place,
               weights + range->begin, range->end - range->begin);
  }
  return NULL;
}
