//===- Gpus.c - which GPU runs a variant ----------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file asks the driver for GPUs and their generations.
//===----------------------------------------------------------------------===//
#include "src/cuda/Cuda.h"
#include "src/cuda/Device.h"

#include <stdio.h>

static bool runsOn(uint64_t features, int architecture) {
  int needed = (int)(features & TENON_CUDA_ARCHITECTURE);
  return features & TENON_CUDA_EXACT ? architecture == needed
                                     : architecture >= needed;
}

tenon_status *tenonGpuArchitecture(const struct tenonDriver *driver,
                                   CUdevice gpu, int *architecture) {
  int major = 0, minor = 0;
  TENON_CUDA(driver, cuDeviceGetAttribute, &major,
             CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR, gpu);
  TENON_CUDA(driver, cuDeviceGetAttribute, &minor,
             CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR, gpu);
  *architecture = 10 * major + minor;
  return NULL;
}

static tenon_status *countGpus(const struct tenonDriver *driver,
                               int32_t ordinal, int *count) {
  TENON_CUDA(driver, cuDeviceGetCount, count);
  int32_t least = ordinal < 0 ? 0 : ordinal;
  if (least >= *count)
    return tenonFail(TENON_UNSUPPORTED, "",
                     "there is no GPU %d: the CUDA driver finds %d", least,
                     *count);
  return NULL;
}

/// Fails with what the GPU is where it does not run the code.
static tenon_status *tryGpu(const struct tenonDriver *driver, uint64_t features,
                            int32_t ordinal, char *name, size_t size) {
  CUdevice gpu;
  int architecture;
  TENON_CUDA(driver, cuDeviceGet, &gpu, ordinal);
  TENON_CUDA(driver, cuDeviceGetName, name, (int)size, gpu);
  TENON_TRY(tenonGpuArchitecture(driver, gpu, &architecture));
  if (runsOn(features, architecture))
    return NULL;
  return tenonFail(TENON_UNSUPPORTED, "",
                   "it needs a GPU of sm_%u%s; GPU %d ('%s') is sm_%d",
                   (unsigned)(features & TENON_CUDA_ARCHITECTURE),
                   features & TENON_CUDA_EXACT ? " and no other" : " or later",
                   ordinal, name, architecture);
}

tenon_status *tenonFindGpu(uint64_t features, int32_t ordinal, int32_t *gpu,
                           char *name, size_t size) {
  const struct tenonDriver *driver;
  TENON_TRY(tenonOpenDriver(&driver));
  int count;
  TENON_TRY(countGpus(driver, ordinal, &count));
  if (ordinal >= 0) {
    *gpu = ordinal;
    return tryGpu(driver, features, ordinal, name, size);
  }
  tenon_status *status = NULL;
  for (int32_t i = 0; i < count; ++i) {
    tenon_status *failed = tryGpu(driver, features, i, name, size);
    if (!failed) {
      tenon_status_destroy(status);
      *gpu = i;
      return NULL;
    }
    // The first one's reason stands for all.
    tenon_status_destroy(status ? failed : NULL);
    status = status ? status : failed;
  }
  return status;
}

/// Memory sends twice in a period of its clock (kHz), as many bits as its bus
/// is wide.
static tenon_status *readRate(int32_t ordinal, double *rate) {
  const struct tenonDriver *driver;
  TENON_TRY(tenonOpenDriver(&driver));
  CUdevice gpu;
  int clock = 0, width = 0;
  TENON_CUDA(driver, cuDeviceGet, &gpu, ordinal);
  TENON_CUDA(driver, cuDeviceGetAttribute, &clock,
             CU_DEVICE_ATTRIBUTE_MEMORY_CLOCK_RATE, gpu);
  TENON_CUDA(driver, cuDeviceGetAttribute, &width,
             CU_DEVICE_ATTRIBUTE_GLOBAL_MEMORY_BUS_WIDTH, gpu);
  *rate = 2e3 * clock * width / 8;
  return NULL;
}

double tenonGpuRate(int32_t ordinal) {
  double rate = 0;
  tenon_status_destroy(readRate(ordinal, &rate));
  return rate;
}
