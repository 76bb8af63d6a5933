//===- Arguments.c - what launches give to their kernels ------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file resolves the addresses of launches, encodes tensor maps and lists
// arguments and attributes for the driver.
//===----------------------------------------------------------------------===//
#include "src/cuda/Graph.h"

/// The fault word of a launch, behind those of the launches before it.
static CUdeviceptr faultWord(const tenon_context *context, uint32_t index) {
  const struct tenonDeviceContext *on = context->device;
  CUdeviceptr word = on->tensors + (uint64_t)on->faultOffset;
  for (uint32_t i = 0; i < index; ++i)
    if (tenonIsChecked(context->model, tenonLaunchRecord(context, i)))
      word += sizeof(int64_t);
  return word;
}

static CUdeviceptr addressOf(const tenon_context *context,
                             const struct tenon_ref_record *ref) {
  const struct tenonDeviceContext *on = context->device;
  uint64_t offset = (uint64_t)tenonSize(context->shape, ref->offset);
  switch (ref->space) {
  case TENON_SPACE_ARENA:
    return on->arena + offset;
  case TENON_SPACE_WEIGHTS:
    return tenonDeviceWeight(on->device, offset);
  case TENON_SPACE_INPUT:
    return on->addresses[ref->index] + offset;
  default: // TENON_SPACE_OUTPUT; the loader knows no others
    return on->addresses[context->entry->input_count + ref->index] + offset;
  }
}

static void **pointersOf(const tenon_context *context,
                         const struct tenon_launch_record *launch) {
  return context->shape->pointers + (launch->first_ref - context->refs.first);
}

void tenonPlacePointers(const tenon_context *context, uint32_t index,
                        bool isPatch) {
  const struct tenon_launch_record *launch = tenonLaunchRecord(context, index);
  void **pointers = pointersOf(context, launch);
  for (uint32_t k = 0; k < launch->ref_count; ++k) {
    const struct tenon_ref_record *ref =
        &context->model->refs[launch->first_ref + k];
    if (!isPatch || ref->space == TENON_SPACE_INPUT ||
        ref->space == TENON_SPACE_OUTPUT)
      pointers[k] = (void *)(uintptr_t)addressOf(context, ref);
  }
  if (!isPatch && tenonIsChecked(context->model, launch))
    pointers[launch->ref_count - 1] =
        (void *)(uintptr_t)faultWord(context, index);
}

//===----------------------------------------------------------------------===//
// Tensor maps
//===----------------------------------------------------------------------===//

/// CUtensorMapSwizzle.
static int swizzleOf(uint32_t bytes) {
  return bytes == 128 ? 3 : bytes == 64 ? 2 : bytes == 32 ? 1 : 0;
}

static tenon_status *badMap(const tenon_context *context, uint32_t index,
                            uint32_t map, CUresult result) {
  return tenonLaunchError(context, index, result,
                          map ? "cuTensorMapEncodeTiled (not the first map)"
                              : "cuTensorMapEncodeTiled");
}

tenon_status *tenonEncodeMaps(const tenon_context *context, uint32_t index) {
  const tenon_model *model = context->model;
  struct tenonDevice *device = context->device->device;
  const struct tenonDeviceGraph *graph = context->shape->graph;
  const struct tenon_launch_record *launch = tenonLaunchRecord(context, index);
  const struct tenon_device_launch_record *record =
      tenonDeviceRecord(context, index);
  void **pointers = pointersOf(context, launch);
  for (uint32_t i = 0; i < record->map_count; ++i) {
    const struct tenon_device_map_record *map =
        &model->maps[record->first_map + i];
    CUresult result = device->driver->cuTensorMapEncodeTiled(
        &graph->maps[graph->launches[index].firstMap + i], (int)map->type,
        map->rank, (uint8_t *)pointers[map->ref] + map->offset, map->dims,
        map->strides, map->box, map->steps, /*interleave=*/0,
        swizzleOf(map->swizzle), CU_TENSOR_MAP_L2_PROMOTION_L2_128B,
        /*fill=*/0);
    if (result)
      return badMap(context, index, i, result);
  }
  return NULL;
}

//===----------------------------------------------------------------------===//
// Arguments
//===----------------------------------------------------------------------===//

void tenonListArguments(const tenon_context *context, uint32_t index,
                        const int64_t *first) {
  const struct tenonDeviceGraph *graph = context->shape->graph;
  const struct tenon_launch_record *launch = tenonLaunchRecord(context, index);
  uint32_t maps = tenonDeviceRecord(context, index)->map_count;
  const int64_t *sizes =
      context->shape->sizes + (launch->first_size - context->sizes.first);
  void **pointers = pointersOf(context, launch);
  void **next = context->device->arguments;
  for (uint32_t i = 0; i < maps; ++i)
    *next++ = &graph->maps[graph->launches[index].firstMap + i];
  for (uint32_t i = 0; i < launch->ref_count; ++i)
    *next++ = &pointers[i];
  // The driver reads arguments only.
  for (uint32_t i = 0; i < launch->size_count; ++i)
    *next++ = (void *)&sizes[i];
  if (tenonHasSteps(launch))
    *next++ = (void *)first;
}

CUDA_KERNEL_NODE_PARAMS tenonKernelParams(const tenon_context *context,
                                          uint32_t index) {
  const struct tenon_device_launch_record *record =
      tenonDeviceRecord(context, index);
  const struct tenonDeviceLaunch *launch =
      &context->shape->graph->launches[index];
  return (CUDA_KERNEL_NODE_PARAMS){.func = launch->function,
                                   .gridDimX = launch->tiles,
                                   .gridDimY = record->grid_y,
                                   .gridDimZ = record->grid_z,
                                   .blockDimX = record->threads,
                                   .blockDimY = 1,
                                   .blockDimZ = 1,
                                   .sharedMemBytes = record->shared_bytes,
                                   .kernelParams = context->device->arguments};
}

unsigned tenonListAttributes(const struct tenon_device_launch_record *launch,
                             CUlaunchAttribute *attributes) {
  unsigned count = 0;
  if (launch->flags & TENON_DEVICE_COOPERATIVE)
    attributes[count++] = (CUlaunchAttribute){
        .id = CU_LAUNCH_ATTRIBUTE_COOPERATIVE, .value.cooperative = 1};
  if (launch->cluster > 1)
    attributes[count++] =
        (CUlaunchAttribute){.id = CU_LAUNCH_ATTRIBUTE_CLUSTER_DIMENSION,
                            .value.clusterDim = {launch->cluster, 1, 1}};
  return count;
}
