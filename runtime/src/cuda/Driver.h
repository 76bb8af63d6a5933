//===- Driver.h - CUDA's driver, found when it is needed ----------*- C -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file declares the table of the driver's functions.
//===----------------------------------------------------------------------===//
#ifndef TENON_RUNTIME_CUDA_DRIVER_H
#define TENON_RUNTIME_CUDA_DRIVER_H

#include "src/base/Status.h"
#include "tenon/cuda_driver.h"

/// Optional functions are NULL where the driver lacks them.
struct tenonDriver {
#define X(name, parameters) CUresult(*name) parameters;
#include "tenon/cuda_functions.def"
};

/// The driver: `libcuda.so.1`, or what TENON_CUDA_LIBRARY names. It is opened
/// and initialised by the first call, in any thread, and stays for good.
tenon_status *tenonOpenDriver(const struct tenonDriver **driver);

/// What a failed function says, with the driver's words.
tenon_status *tenonCudaError(const struct tenonDriver *driver, CUresult result,
                             const char *function);

/// "CUDA_ERROR_ILLEGAL_ADDRESS".
const char *tenonCudaName(const struct tenonDriver *driver, CUresult result);
const char *tenonCudaText(const struct tenonDriver *driver, CUresult result);

/// Whether nothing in the context can be used after that.
bool tenonIsSticky(CUresult result);

/// Calls a function of the driver, and returns when it fails.
#define TENON_CUDA(driver, function, ...)                                      \
  do {                                                                         \
    CUresult result_ = (driver)->function(__VA_ARGS__);                        \
    if (result_)                                                               \
      return tenonCudaError(driver, result_, #function);                       \
  } while (0)

#endif // TENON_RUNTIME_CUDA_DRIVER_H
