//===- Device.c - a model on a GPU ----------------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file finds the CUDA context to work in and keeps what the model has
// there.
//===----------------------------------------------------------------------===//
#include "src/cuda/Device.h"

#include "src/cuda/Cuda.h"

#include <stdlib.h>

tenon_status *tenonDeviceError(struct tenonDevice *device, CUresult result,
                               const char *function) {
  if (tenonIsSticky(result))
    atomic_store(&device->lost, result);
  return tenonCudaError(device->driver, result, function);
}

tenon_status *tenonEnterDevice(const struct tenonDevice *device) {
  int lost = atomic_load(&device->lost);
  if (lost)
    return tenonFail(TENON_DEVICE_LOST, "",
                     "nothing runs on GPU %d ('%s') since an earlier error of "
                     "this process: %s (%s)",
                     device->ordinal, device->name,
                     tenonCudaText(device->driver, lost),
                     tenonCudaName(device->driver, lost));
  TENON_CUDA(device->driver, cuCtxPushCurrent_v2, device->context);
  return NULL;
}

void tenonLeaveDevice(const struct tenonDevice *device) {
  CUcontext popped;
  device->driver->cuCtxPopCurrent_v2(&popped);
}

tenon_status *tenonDeviceAllocate(struct tenonDevice *device, const char *what,
                                  uint64_t bytes, CUdeviceptr *result) {
  uint64_t size = bytes ? (bytes + TENON_VECTOR_BYTES - 1) /
                              TENON_VECTOR_BYTES * TENON_VECTOR_BYTES
                        : TENON_DEVICE_ALIGNMENT;
  CUresult status = device->driver->cuMemAlloc_v2(result, size);
  if (status != CUDA_ERROR_OUT_OF_MEMORY)
    return status ? tenonDeviceError(device, status, "cuMemAlloc") : NULL;
  size_t free = 0, total = 0;
  TENON_ON(device, cuMemGetInfo_v2, &free, &total);
  return tenonFail(TENON_OUT_OF_MEMORY, "",
                   "the %s %llu bytes on GPU %d ('%s'), which has %zu free of "
                   "%zu",
                   what, (unsigned long long)bytes, device->ordinal,
                   device->name, free, total);
}

//===----------------------------------------------------------------------===//
// Making
//===----------------------------------------------------------------------===//

/// The caller's context is taken where it is on the GPU.
static tenon_status *findContext(struct tenonDevice *device) {
  const struct tenonDriver *driver = device->driver;
  CUcontext current = NULL;
  CUdevice gpu = -1;
  TENON_CUDA(driver, cuDeviceGet, &device->gpu, device->ordinal);
  TENON_CUDA(driver, cuCtxGetCurrent, &current);
  if (current)
    TENON_CUDA(driver, cuCtxGetDevice, &gpu);
  if (current && gpu == device->gpu) {
    device->context = current;
    return NULL;
  }
  TENON_CUDA(driver, cuDevicePrimaryCtxRetain, &device->context, device->gpu);
  device->isPrimary = true;
  return NULL;
}

static tenon_status *measure(struct tenonDevice *device) {
  const struct tenonDriver *driver = device->driver;
  TENON_CUDA(driver, cuDeviceGetName, device->name, sizeof device->name,
             device->gpu);
  TENON_CUDA(driver, cuDeviceGetAttribute, &device->sharedBytes,
             CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK_OPTIN,
             device->gpu);
  return tenonGpuArchitecture(driver, device->gpu, &device->architecture);
}

static void freeParts(const tenon_model *model, struct tenonDevice *device) {
  const struct tenonDriver *driver = device->driver;
  if (device->weights)
    driver->cuMemFree_v2(device->weights);
  for (uint32_t i = 0; device->modules && i < model->unitCount; ++i)
    if (device->modules[i])
      driver->cuModuleUnload(device->modules[i]);
  free(device->modules);
  free(device->functions);
  free(device->ranges);
}

static void destroyDevice(const tenon_model *model,
                          struct tenonDevice *device) {
  const struct tenonDriver *driver = device->driver;
  if (device->context) {
    // What fails here is gone already.
    CUcontext popped;
    CUresult entered = driver->cuCtxPushCurrent_v2(device->context);
    freeParts(model, device);
    if (!entered)
      driver->cuCtxPopCurrent_v2(&popped);
  }
  if (device->isPrimary)
    driver->cuDevicePrimaryCtxRelease_v2(device->gpu);
  free(device);
}

void tenonDestroyDevices(tenon_model *model) {
  while (model->devices) {
    struct tenonDevice *next = model->devices->next;
    destroyDevice(model, model->devices);
    model->devices = next;
  }
}

static tenon_status *fillDevice(const tenon_model *model,
                                struct tenonDevice *device) {
  TENON_TRY(measure(device));
  TENON_TRY(tenonEnterDevice(device));
  tenon_status *status = tenonLoadModules(model, device);
  if (!status)
    status = tenonUploadWeights(model, device);
  tenonLeaveDevice(device);
  return status;
}

/// The one that the model has in that context already, or NULL.
static struct tenonDevice *findDevice(const tenon_model *model,
                                      CUcontext context) {
  struct tenonDevice *device = model->devices;
  while (device && device->context != context)
    device = device->next;
  return device;
}

static tenon_status *openDevice(tenon_model *model, int32_t ordinal,
                                struct tenonDevice **result) {
  struct tenonDevice *device = calloc(1, sizeof *device);
  if (!device)
    return tenonNoMemory(sizeof *device);
  device->ordinal = ordinal;
  tenon_status *status = tenonOpenDriver(&device->driver);
  if (!status)
    status = findContext(device);
  struct tenonDevice *known =
      status ? NULL : findDevice(model, device->context);
  if (!status && !known)
    status = fillDevice(model, device);
  if (status || known) {
    destroyDevice(model, device);
    *result = known;
    return status;
  }
  device->next = model->devices;
  model->devices = *result = device;
  return NULL;
}

tenon_status *tenonOpenDevice(tenon_model *model, tenon_device wanted,
                              struct tenonDevice **result) {
  int32_t ordinal = model->device.device_id;
  if (wanted.device_type && wanted.device_id != ordinal) {
    char name[128];
    TENON_TRY(tenonFindGpu(model->variants[model->variant].features,
                           wanted.device_id, &ordinal, name, sizeof name));
  }
  pthread_mutex_lock(&model->devicesLock);
  tenon_status *status = openDevice(model, ordinal, result);
  pthread_mutex_unlock(&model->devicesLock);
  return status;
}
