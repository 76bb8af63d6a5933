//===- Cuda.h - what the run time asks of its CUDA part -----------*- C -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file is the interface between models, contexts and runs, and those of
// them that are on a GPU.
//===----------------------------------------------------------------------===//
#ifndef TENON_RUNTIME_CUDA_CUDA_H
#define TENON_RUNTIME_CUDA_CUDA_H

#include "src/Context.h"

/// The GPU that runs code of an architecture (the features of a variant):
/// GPU `ordinal`, or where that is below zero the first that can. Says of
/// what kind it is: its name is cut.
tenon_status *tenonFindGpu(uint64_t features, int32_t ordinal, int32_t *gpu,
                           char *name, size_t size);

/// The rate of a GPU's memory, in bytes per second; 0: nobody says.
double tenonGpuRate(int32_t ordinal);

/// Frees what the model has on GPUs.
void tenonDestroyDevices(tenon_model *model);

/// Makes `context->device`, and frees it.
tenon_status *tenonCreateDeviceContext(tenon_context *context);
void tenonDestroyDeviceContext(tenon_context *context);

/// Makes what a run of the context's shape needs, for host tensors.
tenon_status *tenonPrepareDevice(tenon_context *context);

/// Starts a run, whose tensors have been checked. They are needed until
/// tenonFinishDevice, which waits for it.
tenon_status *tenonStartDevice(tenon_context *context,
                               const tenon_tensor *inputs,
                               const tenon_tensor *outputs);
tenon_status *tenonFinishDevice(tenon_context *context);

/// Checks where a tensor of a context is: in the host's memory or, if it runs
/// on a GPU, there.
tenon_status *tenonCheckPlace(const tenon_context *context, const char *name,
                              const tenon_tensor *tensor);

#endif // TENON_RUNTIME_CUDA_CUDA_H
