//===- Device.c - what a variant for a GPU says ---------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file checks how launches run on a GPU, the tensor maps that they take,
// and the modules of the code.
//===----------------------------------------------------------------------===//
#include "src/Context.h"

#include <string.h>

/// What every GPU allows; how much memory and how many threads a kernel has
/// on one is known when it is loaded there.
#define MAX_THREADS 1024u
#define MAX_GRID 65535u
#define MAX_CLUSTER 16u
#define MAX_SHARED_BYTES ((uint32_t)1 << 20)
#define MAX_MAP_RANK 5u
#define MAX_BOX 256u
#define MAX_STEP 8u
#define MAX_MAP_DIM ((uint64_t)1 << 32)
#define MAX_MAP_STRIDE ((uint64_t)1 << 40)
#define MAP_ALIGNMENT 16u
#define MAP_BYTES 128u
#define MODULE_ALIGNMENT 64u
#define MAX_PARAMETER_BYTES 4096u
#define MAX_TILES INT32_MAX
#define MAX_ARENA_ALIGNMENT 256u

static tenon_status *sliceDevice(tenon_model *model) {
  struct tenonBytes bytes = model->sections[TENON_SECTION_DEVICE];
  const struct tenon_device_header *header = (const void *)bytes.data;
  if (bytes.size < sizeof *header)
    return TENON_BAD("the device section is too small");
  uint64_t size =
      sizeof *header +
      header->launch_count *
          (uint64_t)sizeof(struct tenon_device_launch_record) +
      header->map_count * (uint64_t)sizeof(struct tenon_device_map_record) +
      header->module_count *
          (uint64_t)sizeof(struct tenon_device_module_record);
  if (bytes.size != size)
    return TENON_BAD("the device section has the wrong size");
  if (header->launch_count != model->counts->launch_count)
    return TENON_BAD("the device section is not of as many launches");
  model->deviceCounts = header;
  model->deviceLaunches = (const void *)(header + 1);
  model->maps = (const void *)(model->deviceLaunches + header->launch_count);
  model->modules = (const void *)(model->maps + header->map_count);
  return NULL;
}

//===----------------------------------------------------------------------===//
// Modules
//===----------------------------------------------------------------------===//

/// Whether the last byte of a text is its only zero.
static bool isText(const uint8_t *bytes, uint64_t size) {
  return memchr(bytes, 0, size) == bytes + size - 1;
}

/// `end`: of the module before.
static bool isGoodModule(const tenon_model *model,
                         const struct tenon_device_module_record *module,
                         uint64_t end) {
  struct tenonBytes code = model->sections[TENON_SECTION_CODE];
  if (module->offset % MODULE_ALIGNMENT || module->offset < end ||
      !module->size || !tenonWithin(module->offset, module->size, code.size) ||
      !tenonIsArchitecture(module->architecture) || module->reserved)
    return false;
  return module->kind == TENON_MODULE_CUBIN ||
         (module->kind == TENON_MODULE_PTX &&
          isText(code.data + module->offset, module->size));
}

/// The forms of a unit follow each other, and end with PTX.
static tenon_status *checkModules(tenon_model *model) {
  uint32_t count = model->deviceCounts->module_count;
  uint64_t end = 0;
  for (uint32_t i = 0; i < count; ++i) {
    const struct tenon_device_module_record *module = &model->modules[i];
    if (module->unit != model->unitCount || !isGoodModule(model, module, end))
      return TENON_BAD("module %u is bad", i);
    end = module->offset + module->size;
    model->unitCount += module->kind == TENON_MODULE_PTX;
  }
  if (count && model->modules[count - 1].kind != TENON_MODULE_PTX)
    return TENON_BAD("the last module is no PTX");
  for (uint32_t i = 0; i < model->counts->kernel_count; ++i)
    if (model->kernelRecords[i].entry >= model->unitCount)
      return TENON_BAD("kernel %u is in a module that does not exist", i);
  return NULL;
}

//===----------------------------------------------------------------------===//
// Tensor maps
//===----------------------------------------------------------------------===//

/// 0: there is no such type.
static uint64_t elementBytes(uint32_t type) {
  switch (type) {
  case TENON_MAP_U8:
    return 1;
  case TENON_MAP_F16:
  case TENON_MAP_BF16:
    return 2;
  case TENON_MAP_I32:
  case TENON_MAP_F32:
    return 4;
  default:
    return 0;
  }
}

static bool isGoodDim(const struct tenon_device_map_record *map, uint32_t dim) {
  bool isUsed = dim < map->rank;
  uint64_t stride = dim ? map->strides[dim - 1] : 0;
  if (!isUsed)
    return !map->dims[dim] && !stride && !map->box[dim] && !map->steps[dim];
  return map->dims[dim] && map->dims[dim] <= MAX_MAP_DIM && map->box[dim] &&
         map->box[dim] <= MAX_BOX && map->steps[dim] &&
         map->steps[dim] <= MAX_STEP && stride % MAP_ALIGNMENT == 0 &&
         stride < MAX_MAP_STRIDE;
}

/// Whether a row of the box can be copied and swizzled.
static bool isGoodRow(const struct tenon_device_map_record *map) {
  uint64_t bytes = map->box[0] * elementBytes(map->type);
  bool isKnown = map->swizzle == 0 || map->swizzle == 32 ||
                 map->swizzle == 64 || map->swizzle == 128;
  return isKnown && map->steps[0] == 1 && bytes % MAP_ALIGNMENT == 0 &&
         (!map->swizzle || bytes <= map->swizzle);
}

/// `at`: where its reference begins, or below zero.
static bool isGoodMap(const struct tenon_device_map_record *map, int64_t at) {
  if (!elementBytes(map->type) || !map->rank || map->rank > MAX_MAP_RANK ||
      map->offset < 0 ||
      (at >= 0 && (map->offset % MAP_ALIGNMENT + at) % MAP_ALIGNMENT))
    return false;
  for (uint32_t i = 0; i < MAX_MAP_RANK; ++i)
    if (!isGoodDim(map, i))
      return false;
  return isGoodRow(map);
}

/// The bytes from the first element to the end of the last one: below 2^75,
/// so that floating point is wrong by less than what it is compared with.
static double mapBytes(const struct tenon_device_map_record *map) {
  double bytes = (double)(map->dims[0] * elementBytes(map->type));
  for (uint32_t i = 1; i < map->rank; ++i)
    bytes += (double)(map->dims[i] - 1) * (double)map->strides[i - 1];
  return bytes;
}

/// Whether the map lies in a reference of `size` bytes; below zero any will do.
static bool mapFits(const struct tenon_device_map_record *map, int64_t size) {
  return size < 0 || mapBytes(map) <= (double)size - (double)map->offset;
}

bool tenonMapsFit(const tenon_model *model, uint32_t launch,
                  const struct tenonShape *shape) {
  const struct tenon_device_launch_record *record =
      &model->deviceLaunches[launch];
  uint32_t first = model->launches[launch].first_ref;
  for (uint32_t i = 0; i < record->map_count; ++i) {
    const struct tenon_device_map_record *map =
        &model->maps[record->first_map + i];
    tenon_size_value size = model->refs[first + map->ref].size;
    if (!mapFits(map, shape ? tenonSize(shape, size) : size))
      return false;
  }
  return true;
}

//===----------------------------------------------------------------------===//
// Launches
//===----------------------------------------------------------------------===//

static bool hasGoodGrid(const struct tenon_device_launch_record *record,
                        const struct tenon_launch_record *launch) {
  int64_t tiles = launch->tiles;
  return tiles && tiles <= MAX_TILES && record->grid_y &&
         record->grid_y <= MAX_GRID && record->grid_z &&
         record->grid_z <= MAX_GRID && record->threads &&
         record->threads <= MAX_THREADS &&
         record->shared_bytes <= MAX_SHARED_BYTES && record->cluster &&
         record->cluster <= MAX_CLUSTER &&
         (tiles < 0 || tiles % record->cluster == 0);
}

static uint64_t parameterBytes(const struct tenon_device_launch_record *record,
                               const struct tenon_launch_record *launch) {
  return (uint64_t)MAP_BYTES * record->map_count +
         8 * ((uint64_t)launch->ref_count + launch->size_count +
              (launch->steps != 1));
}

static tenon_status *checkMaps(const tenon_model *model, uint32_t index) {
  const struct tenon_device_launch_record *record =
      &model->deviceLaunches[index];
  const struct tenon_launch_record *launch = &model->launches[index];
  for (uint32_t i = 0; i < record->map_count; ++i) {
    const struct tenon_device_map_record *map =
        &model->maps[record->first_map + i];
    if (map->ref >= launch->ref_count ||
        !isGoodMap(map, model->refs[launch->first_ref + map->ref].offset))
      return TENON_BAD("tensor map %u of launch %u is bad", i, index);
  }
  if (!tenonMapsFit(model, index, NULL))
    return TENON_BAD("launch %u has a tensor map outside of its reference",
                     index);
  return NULL;
}

/// `*maps`: those of the launches before, which this one's follow.
static tenon_status *checkLaunch(const tenon_model *model, uint32_t index,
                                 uint32_t *maps) {
  const struct tenon_device_launch_record *record =
      &model->deviceLaunches[index];
  const struct tenon_launch_record *launch = &model->launches[index];
  uint32_t known = TENON_DEVICE_COOPERATIVE | TENON_DEVICE_PROGRAMMATIC;
  if (!hasGoodGrid(record, launch) || record->flags & ~known ||
      launch->scratch_bytes)
    return TENON_BAD("launch %u is bad for a GPU", index);
  if (record->first_map != *maps ||
      !tenonWithin(record->first_map, record->map_count,
                   model->deviceCounts->map_count))
    return TENON_BAD("launch %u has tensor maps that are not its own", index);
  if (parameterBytes(record, launch) > MAX_PARAMETER_BYTES)
    return TENON_BAD("launch %u has too many parameters", index);
  *maps += record->map_count;
  return checkMaps(model, index);
}

tenon_status *tenonParseDevice(tenon_model *model) {
  if (!tenonIsCuda(model))
    return NULL;
  TENON_TRY(sliceDevice(model));
  TENON_TRY(checkModules(model));
  if (model->plan->arena_alignment > MAX_ARENA_ALIGNMENT)
    return TENON_BAD("the arena of a GPU is aligned to more than %u bytes",
                     MAX_ARENA_ALIGNMENT);
  uint32_t maps = 0;
  for (uint32_t i = 0; i < model->counts->launch_count; ++i)
    TENON_TRY(checkLaunch(model, i, &maps));
  if (maps != model->deviceCounts->map_count)
    return TENON_BAD("some tensor maps are in no launch");
  return NULL;
}
