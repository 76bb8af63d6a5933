//===- Driver.c - CUDA's driver, found when it is needed ------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file opens the driver's library and turns its errors into statuses.
//===----------------------------------------------------------------------===//
#include "src/cuda/Driver.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static struct tenonDriver functions;
/// Why there is none; "" when there is one.
static char failure[256];
static pthread_once_t once = PTHREAD_ONCE_INIT;

struct symbol {
  const char *name;
  void *place;
  bool isOptional;
};

static const struct symbol symbols[] = {
#define X(name, parameters) {#name, &functions.name, false},
#define OPTIONAL(name, parameters) {#name, &functions.name, true},
#include "tenon/cuda_functions.def"
};

static void fail(const char *text, const char *detail) {
  snprintf(failure, sizeof failure, text, detail);
}

/// The first function that is missing, or NULL.
static const char *findFunctions(void *library) {
  for (size_t i = 0; i < sizeof symbols / sizeof *symbols; ++i) {
    void *found = dlsym(library, symbols[i].name);
    if (!found && !symbols[i].isOptional)
      return symbols[i].name;
    // A function's address, in a place of that type.
    memcpy(symbols[i].place, &found, sizeof found);
  }
  return NULL;
}

static void openOnce(void) {
  const char *name = getenv("TENON_CUDA_LIBRARY");
  void *library =
      dlopen(name && *name ? name : "libcuda.so.1", RTLD_NOW | RTLD_LOCAL);
  if (!library) {
    fail("there is no CUDA driver (%s)", dlerror());
    return;
  }
  const char *missing = findFunctions(library);
  if (missing) {
    fail("the CUDA driver is too old: it lacks %s", missing);
    return;
  }
  CUresult result = functions.cuInit(0);
  if (result)
    fail("the CUDA driver does not start (%s)",
         tenonCudaText(&functions, result));
}

tenon_status *tenonOpenDriver(const struct tenonDriver **driver) {
  pthread_once(&once, openOnce);
  if (*failure)
    return tenonFail(TENON_UNSUPPORTED, "", "%s", failure);
  *driver = &functions;
  return NULL;
}

const char *tenonCudaName(const struct tenonDriver *driver, CUresult result) {
  const char *name = NULL;
  return driver->cuGetErrorName(result, &name) || !name ? "unknown error"
                                                        : name;
}

const char *tenonCudaText(const struct tenonDriver *driver, CUresult result) {
  const char *text = NULL;
  return driver->cuGetErrorString(result, &text) || !text ? "unknown error"
                                                          : text;
}

bool tenonIsSticky(CUresult result) {
  switch (result) {
  case CUDA_ERROR_ECC_UNCORRECTABLE:
  case CUDA_ERROR_CONTAINED:
  case CUDA_ERROR_ILLEGAL_ADDRESS:
  case CUDA_ERROR_LAUNCH_TIMEOUT:
  case CUDA_ERROR_CONTEXT_IS_DESTROYED:
  case CUDA_ERROR_ASSERT:
    return true;
  default:
    return result >= CUDA_ERROR_HARDWARE_STACK_ERROR &&
           result <= CUDA_ERROR_LAUNCH_FAILED;
  }
}

tenon_status *tenonCudaError(const struct tenonDriver *driver, CUresult result,
                             const char *function) {
  return tenonFail(TENON_DEVICE_ERROR, "", "%s failed: %s (%s)", function,
                   tenonCudaText(driver, result),
                   tenonCudaName(driver, result));
}
