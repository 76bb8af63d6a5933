//===- Devices.cpp - GPUs, contexts and errors ----------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file defines the driver's functions on these.
//===----------------------------------------------------------------------===//
#include "lib/Emulate/Driver/Machine.h"

#include <cstdio>

using namespace tenon::emulate;
using namespace tenon::emulate::driver;

//===----------------------------------------------------------------------===//
// Errors
//===----------------------------------------------------------------------===//

namespace {
struct KnownError {
  CUresult result;
  const char *name;
  const char *text;
};
} // namespace

static const KnownError knownErrors[] = {
    {CUDA_SUCCESS, "CUDA_SUCCESS", "no error"},
    {CUDA_ERROR_INVALID_VALUE, "CUDA_ERROR_INVALID_VALUE", "invalid argument"},
    {CUDA_ERROR_OUT_OF_MEMORY, "CUDA_ERROR_OUT_OF_MEMORY", "out of memory"},
    {CUDA_ERROR_NOT_INITIALIZED, "CUDA_ERROR_NOT_INITIALIZED",
     "initialization error"},
    {CUDA_ERROR_NO_DEVICE, "CUDA_ERROR_NO_DEVICE",
     "no CUDA-capable device is detected"},
    {CUDA_ERROR_INVALID_DEVICE, "CUDA_ERROR_INVALID_DEVICE",
     "invalid device ordinal"},
    {CUDA_ERROR_INVALID_CONTEXT, "CUDA_ERROR_INVALID_CONTEXT",
     "invalid device context"},
    {CUDA_ERROR_NO_BINARY_FOR_GPU, "CUDA_ERROR_NO_BINARY_FOR_GPU",
     "no kernel image is available for execution on the device"},
    {CUDA_ERROR_INVALID_PTX, "CUDA_ERROR_INVALID_PTX",
     "a PTX JIT compilation failed"},
    {CUDA_ERROR_INVALID_HANDLE, "CUDA_ERROR_INVALID_HANDLE",
     "invalid resource handle"},
    {CUDA_ERROR_NOT_FOUND, "CUDA_ERROR_NOT_FOUND", "named symbol not found"},
    {CUDA_ERROR_NOT_READY, "CUDA_ERROR_NOT_READY", "device not ready"},
    {CUDA_ERROR_ILLEGAL_ADDRESS, "CUDA_ERROR_ILLEGAL_ADDRESS",
     "an illegal memory access was encountered"},
    {CUDA_ERROR_LAUNCH_OUT_OF_RESOURCES, "CUDA_ERROR_LAUNCH_OUT_OF_RESOURCES",
     "too many resources requested for launch"},
    {CUDA_ERROR_LAUNCH_FAILED, "CUDA_ERROR_LAUNCH_FAILED",
     "unspecified launch failure"},
    {CUDA_ERROR_COOPERATIVE_LAUNCH_TOO_LARGE,
     "CUDA_ERROR_COOPERATIVE_LAUNCH_TOO_LARGE",
     "too many blocks in cooperative launch"},
};

static const KnownError *find(CUresult result) {
  for (const KnownError &error : knownErrors)
    if (error.result == result)
      return &error;
  return nullptr;
}

CUresult cuGetErrorName(CUresult error, const char **name) {
  const KnownError *known = find(error);
  *name = known ? known->name : nullptr;
  return known ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
}

/// Of what has failed for good it says more than the real one.
CUresult cuGetErrorString(CUresult error, const char **text) {
  std::lock_guard guard(machine().lock);
  const KnownError *known = find(error);
  *text = known ? known->text : nullptr;
  if (error && error == machine().sticky)
    *text = machine().text.c_str();
  return *text ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
}

//===----------------------------------------------------------------------===//
// GPUs
//===----------------------------------------------------------------------===//

CUresult cuInit(unsigned flags) {
  std::lock_guard guard(machine().lock);
  TENON_EXPECT(!flags, CUDA_ERROR_INVALID_VALUE);
  TENON_EXPECT(machine().settings.gpus > 0, CUDA_ERROR_NO_DEVICE);
  machine().isInitialised = true;
  return CUDA_SUCCESS;
}

CUresult cuDeviceGetCount(int *count) {
  TENON_ENTER(false);
  *count = machine().settings.gpus;
  return CUDA_SUCCESS;
}

static bool isGpu(CUdevice gpu) {
  return gpu >= 0 && gpu < machine().settings.gpus;
}

CUresult cuDeviceGet(CUdevice *device, int ordinal) {
  TENON_ENTER(false);
  TENON_EXPECT(isGpu(ordinal), CUDA_ERROR_INVALID_DEVICE);
  *device = ordinal;
  return CUDA_SUCCESS;
}

CUresult cuDeviceGetName(char *name, int size, CUdevice device) {
  TENON_ENTER(false);
  TENON_EXPECT(isGpu(device), CUDA_ERROR_INVALID_DEVICE);
  snprintf(name, size_t(size), "emulated sm_%d",
           machine().settings.architecture);
  return CUDA_SUCCESS;
}

CUresult cuDeviceGetAttribute(int *value, int attribute, CUdevice device) {
  TENON_ENTER(false);
  TENON_EXPECT(isGpu(device), CUDA_ERROR_INVALID_DEVICE);
  int architecture = machine().settings.architecture;
  switch (attribute) {
  case CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT:
    *value = 132;
    return CUDA_SUCCESS;
  case CU_DEVICE_ATTRIBUTE_MEMORY_CLOCK_RATE: // kHz
    *value = 2'600'000;
    return CUDA_SUCCESS;
  case CU_DEVICE_ATTRIBUTE_GLOBAL_MEMORY_BUS_WIDTH:
    *value = 5120;
    return CUDA_SUCCESS;
  case CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR:
    *value = architecture / 10;
    return CUDA_SUCCESS;
  case CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR:
    *value = architecture % 10;
    return CUDA_SUCCESS;
  case CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK_OPTIN:
    *value = (architecture >= 90 ? 227 : architecture == 80 ? 163 : 99) << 10;
    return CUDA_SUCCESS;
  default:
    return CUDA_ERROR_INVALID_VALUE;
  }
}

//===----------------------------------------------------------------------===//
// Contexts
//===----------------------------------------------------------------------===//

CUresult cuDevicePrimaryCtxRetain(CUcontext *context, CUdevice device) {
  TENON_ENTER(false);
  TENON_EXPECT(isGpu(device), CUDA_ERROR_INVALID_DEVICE);
  *context = &machine().primary[device];
  ++(*context)->retained;
  return CUDA_SUCCESS;
}

CUresult cuDevicePrimaryCtxRelease_v2(CUdevice device) {
  TENON_ENTER(false);
  TENON_EXPECT(isGpu(device), CUDA_ERROR_INVALID_DEVICE);
  TENON_EXPECT(machine().primary[device].retained, CUDA_ERROR_INVALID_CONTEXT);
  --machine().primary[device].retained;
  return CUDA_SUCCESS;
}

CUresult cuCtxGetCurrent(CUcontext *context) {
  TENON_ENTER(false);
  *context = currentContexts().empty() ? nullptr : currentContexts().back();
  return CUDA_SUCCESS;
}

CUresult cuCtxGetDevice(CUdevice *device) {
  TENON_ENTER();
  *device = currentContexts().back()->gpu;
  return CUDA_SUCCESS;
}

CUresult cuCtxPushCurrent_v2(CUcontext context) {
  TENON_ENTER(false);
  TENON_EXPECT(context && context->retained, CUDA_ERROR_INVALID_CONTEXT);
  currentContexts().push_back(context);
  return CUDA_SUCCESS;
}

CUresult cuCtxPopCurrent_v2(CUcontext *context) {
  TENON_ENTER(false);
  TENON_EXPECT(!currentContexts().empty(), CUDA_ERROR_INVALID_CONTEXT);
  *context = currentContexts().back();
  currentContexts().pop_back();
  return CUDA_SUCCESS;
}
