//===- Modules.c - kernels on a GPU ---------------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file loads the modules of a variant and finds its kernels in them.
//===----------------------------------------------------------------------===//
#include "src/cuda/Device.h"

#include <stdlib.h>

/// What a block may have without asking.
#define PLAIN_SHARED_BYTES (48u << 10)
/// What a cluster may have without asking.
#define PLAIN_CLUSTER 8u

static bool isForGpu(const struct tenonDevice *device,
                     const struct tenon_device_module_record *record) {
  return record->kind == TENON_MODULE_PTX ||
         (int)(record->architecture & TENON_CUDA_ARCHITECTURE) ==
             device->architecture;
}

/// Whether the driver only wants the module in another form.
static bool isOtherForm(CUresult result) {
  return result == CUDA_ERROR_INVALID_IMAGE ||
         result == CUDA_ERROR_NO_BINARY_FOR_GPU;
}

static tenon_status *badModule(struct tenonDevice *device, CUresult result,
                               uint32_t unit, const char *log) {
  if (tenonIsSticky(result))
    return tenonDeviceError(device, result, "cuModuleLoadDataEx");
  bool isOld = result == CUDA_ERROR_UNSUPPORTED_PTX_VERSION;
  return tenonFail(TENON_UNSUPPORTED, "",
                   "the CUDA driver does not take module %u: %s (%s)%s%s%s",
                   unit, tenonCudaText(device->driver, result),
                   tenonCudaName(device->driver, result),
                   isOld ? "; a newer driver is needed" : "", *log ? ": " : "",
                   log);
}

/// Loads the first form of a unit that the driver takes.
static tenon_status *loadUnit(const tenon_model *model,
                              struct tenonDevice *device, uint32_t unit) {
  const uint8_t *code = model->sections[TENON_SECTION_CODE].data;
  CUresult result = CUDA_ERROR_NO_BINARY_FOR_GPU;
  char log[512] = "";
  for (uint32_t i = 0; i < model->deviceCounts->module_count; ++i) {
    const struct tenon_device_module_record *record = &model->modules[i];
    if (record->unit != unit || !isForGpu(device, record))
      continue;
    int options[] = {CU_JIT_ERROR_LOG_BUFFER,
                     CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES};
    void *values[] = {log, (void *)(uintptr_t)sizeof log};
    *log = 0;
    result = device->driver->cuModuleLoadDataEx(
        &device->modules[unit], code + record->offset, 2, options, values);
    if (!isOtherForm(result))
      break;
  }
  log[sizeof log - 1] = 0;
  return result ? badModule(device, result, unit, log) : NULL;
}

static tenon_status *findFunction(const tenon_model *model,
                                  struct tenonDevice *device, uint32_t kernel) {
  const struct tenon_kernel_record *record = &model->kernelRecords[kernel];
  const char *name = tenonName(model, record->name);
  CUresult result = device->driver->cuModuleGetFunction(
      &device->functions[kernel], device->modules[record->entry], name);
  if (result == CUDA_ERROR_NOT_FOUND)
    return TENON_BAD("module %u has no kernel '%s'", (unsigned)record->entry,
                     name);
  return result ? tenonDeviceError(device, result, "cuModuleGetFunction")
                : NULL;
}

/// Asks for what the launch needs beyond what every kernel may have.
static tenon_status *prepareLaunch(const tenon_model *model,
                                   struct tenonDevice *device, uint32_t index) {
  const struct tenon_device_launch_record *launch =
      &model->deviceLaunches[index];
  uint32_t kernel = model->launches[index].kernel;
  CUfunction function = device->functions[kernel];
  const char *name = tenonName(model, model->kernelRecords[kernel].name);
  int threads = 0, shared = 0;
  TENON_ON(device, cuFuncGetAttribute, &threads,
           CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK, function);
  if (launch->threads > (uint32_t)threads)
    return tenonFail(TENON_UNSUPPORTED, "",
                     "kernel '%s' runs with %u threads in a block; GPU %d "
                     "('%s') has room for %d",
                     name, launch->threads, device->ordinal, device->name,
                     threads);
  if (launch->shared_bytes > (uint32_t)device->sharedBytes)
    return tenonFail(TENON_UNSUPPORTED, "",
                     "kernel '%s' needs %u bytes of shared memory; GPU %d "
                     "('%s') has %d for a block",
                     name, launch->shared_bytes, device->ordinal, device->name,
                     device->sharedBytes);
  TENON_ON(device, cuFuncGetAttribute, &shared,
           CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES, function);
  if (launch->shared_bytes > PLAIN_SHARED_BYTES &&
      launch->shared_bytes > (uint32_t)shared)
    TENON_ON(device, cuFuncSetAttribute, function,
             CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES,
             (int)launch->shared_bytes);
  if (launch->cluster > PLAIN_CLUSTER)
    TENON_ON(device, cuFuncSetAttribute, function,
             CU_FUNC_ATTRIBUTE_NON_PORTABLE_CLUSTER_SIZE_ALLOWED, 1);
  return NULL;
}

tenon_status *tenonLoadModules(const tenon_model *model,
                               struct tenonDevice *device) {
  uint32_t kernels = model->counts->kernel_count;
  device->modules = calloc(model->unitCount + 1, sizeof *device->modules);
  device->functions = calloc(kernels + 1, sizeof *device->functions);
  if (!device->modules || !device->functions)
    return tenonNoMemory(kernels * sizeof *device->functions);
  for (uint32_t i = 0; i < model->unitCount; ++i)
    TENON_TRY(loadUnit(model, device, i));
  for (uint32_t i = 0; i < kernels; ++i)
    TENON_TRY(findFunction(model, device, i));
  for (uint32_t i = 0; i < model->counts->launch_count; ++i)
    TENON_TRY(prepareLaunch(model, device, i));
  return NULL;
}
