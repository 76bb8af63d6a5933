//===- Device.h - models that run on a GPU ------------------------*- C -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file is a part of Runtime.h, which includes it.
//
// An artifact may hold a model for the processor and for NVIDIA's GPUs. Where
// the driver (libcuda.so.1; nothing else of CUDA) and a GPU are that can run
// it, loading takes the variant for the GPU; all functions are the same then.
//
//   tenon_load_options options = TENON_INIT(tenon_load_options);
//   options.device = (tenon_device){TENON_DEVICE_CUDA, 0};  // or an error
//   status = tenon_model_load_file("m.tenon", &options, &model);
//
// Tensors may be in the host's memory, from where they are copied, or on the
// GPU (device type TENON_DEVICE_CUDA, as in DLPack), where kernels take them;
// there they need an alignment of 16 bytes. A run on tensors that lie elsewhere
// than in the run before changes some kernels' arguments, which takes about a
// microsecond each; one in which others of them are on the GPU makes the
// context's graph of kernels again.
//
// The library works in the CUDA context that is current in the thread that
// creates the first context of a model on a GPU, if it is of that GPU; it
// must outlive the model. Else it takes the GPU's primary context, which is
// the one of the CUDA run time and of what builds on it. What was current is
// current again after each call.
//===----------------------------------------------------------------------===//
#ifndef TENON_C_DEVICE_H
#define TENON_C_DEVICE_H

#include "tenon-c/Runtime.h"

#ifdef __cplusplus
extern "C" {
#endif

/// As tenon_run, but returns when the run is on its way in the context's
/// stream. Tensors in the host's memory and all outputs must stay until
/// tenon_wait: outputs in the host's memory are there then, and only then it is
/// known whether an index was out of range. Until then every other function of
/// the context gives TENON_BUSY. What runs on the processor has run when this
/// returns.
TENON_API tenon_status *tenon_run_async(tenon_context *context,
                                        const tenon_tensor *inputs,
                                        size_t input_count,
                                        const tenon_tensor *outputs,
                                        size_t output_count);

/// Waits for what tenon_run_async started, if anything, and says how it went.
/// In the thread that started it, or one that comes after it.
TENON_API tenon_status *tenon_wait(tenon_context *context);

/// What the latest run took on the GPU, with the copies of tensors that are in
/// the host's memory. 0 unless the context was made with `device_clock`.
TENON_API int64_t tenon_device_nanoseconds(const tenon_context *context);

#ifdef __cplusplus
}
#endif

#endif // TENON_C_DEVICE_H
