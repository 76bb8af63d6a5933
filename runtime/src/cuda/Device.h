//===- Device.h - a model on a GPU --------------------------------*- C -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file is what the contexts of a model share on a GPU (tenonDevice), and
// what one of them has there (tenonDeviceContext).
//===----------------------------------------------------------------------===//
#ifndef TENON_RUNTIME_CUDA_DEVICE_H
#define TENON_RUNTIME_CUDA_DEVICE_H

#include "src/Context.h"
#include "src/cuda/Driver.h"

/// What addresses that kernels get are aligned to.
#define TENON_DEVICE_ALIGNMENT 256u
/// Kernels load whole vectors that begin inside of a buffer, so that an
/// allocation ends with one.
#define TENON_VECTOR_BYTES 16u
/// What the caller's device tensors are: kernels read so many bytes at once.
#define TENON_DEVICE_TENSOR_ALIGNMENT 16u

/// Bytes [begin, end) of WEIGHTS, which lie at `place` of the device's copy.
struct tenonWeightRange {
  uint64_t begin;
  uint64_t end;
  uint64_t place;
};

/// A model in a CUDA context: made by the first of its contexts that runs
/// there, freed with the model. Constant once it is made.
struct tenonDevice {
  struct tenonDevice *next;
  const struct tenonDriver *driver;
  CUcontext context;
  CUdevice gpu;
  int ordinal;
  /// Whether it retains the GPU's primary context; else it is the caller's.
  bool isPrimary;
  int architecture; ///< 90 for sm_90
  int sharedBytes;  ///< that a block may have
  char name[128];
  CUmodule *modules;     ///< of each unit
  CUfunction *functions; ///< of each kernel
  CUdeviceptr weights;
  /// What the variant's launches read of the weights, in order.
  struct tenonWeightRange *ranges;
  uint32_t rangeCount;
  /// The first error after which nothing works there; 0: none.
  atomic_int lost;
};

/// What a context has on a device.
struct tenonDeviceContext {
  struct tenonDevice *device;
  CUstream stream;
  bool ownsStream;
  /// Launches run one by one: to be timed, or because of what follows.
  bool isStepwise;
  /// And each is waited for, which says which one fails.
  bool isDiagnosing;
  bool isPending; ///< started, not waited for
  CUdeviceptr arena;
  /// Room for tensors that are in the host's memory, and fault words; and as
  /// many bytes there to copy them by.
  CUdeviceptr tensors;
  uint8_t *staging;
  int64_t tensorBytes;
  /// Of each input and output: where it begins in that; of the latest shape.
  int64_t *offsets;
  int64_t faultOffset;
  int64_t faultCount; ///< checked launches
  int64_t usedBytes;
  /// Of each input and output of a run: where kernels find it, and whether it
  /// is the host's.
  CUdeviceptr *addresses;
  bool *isHost;
  /// Where the pending run copies outputs to the host; NULL: it does not.
  void **results;
  /// Room for the arguments of a launch.
  void **arguments;
  /// The begin and end of a run; when profiling also of what is timed.
  CUevent *events;
  uint32_t eventCount;
  int64_t nanoseconds; ///< of the latest run, when it was timed
};

static inline bool tenonIsChecked(const tenon_model *model,
                                  const struct tenon_launch_record *launch) {
  return model->kernelRecords[launch->kernel].flags & TENON_KERNEL_CHECKED;
}

/// Makes the context's CUDA context the current one until tenonLeaveDevice;
/// fails when the GPU was lost.
tenon_status *tenonEnterDevice(const struct tenonDevice *device);
void tenonLeaveDevice(const struct tenonDevice *device);

/// What a failed function says; marks the device as lost where it is.
tenon_status *tenonDeviceError(struct tenonDevice *device, CUresult result,
                               const char *function);

/// TENON_CUDA on a device that is entered.
#define TENON_ON(device, function, ...)                                        \
  do {                                                                         \
    CUresult result_ = (device)->driver->function(__VA_ARGS__);                \
    if (result_)                                                               \
      return tenonDeviceError(device, result_, #function);                     \
  } while (0)

/// Memory on the GPU, of `what`. The device is entered.
tenon_status *tenonDeviceAllocate(struct tenonDevice *device, const char *what,
                                  uint64_t bytes, CUdeviceptr *result);

/// The model on a GPU: `wanted` of type 0 is the one it was loaded for.
tenon_status *tenonOpenDevice(tenon_model *model, tenon_device wanted,
                              struct tenonDevice **result);

/// The parts of it: modules and their kernels, weights.
tenon_status *tenonLoadModules(const tenon_model *model,
                               struct tenonDevice *device);
tenon_status *tenonUploadWeights(const tenon_model *model,
                                 struct tenonDevice *device);

/// Where an offset into WEIGHTS lies on the GPU.
CUdeviceptr tenonDeviceWeight(const struct tenonDevice *device,
                              uint64_t offset);

/// Makes sure that arena and tensors of the shape are there, and says where
/// tensors are that lie in the host's memory.
tenon_status *tenonReserveDevice(tenon_context *context,
                                 const struct tenonShape *shape);

tenon_status *tenonGpuArchitecture(const struct tenonDriver *driver,
                                   CUdevice gpu, int *architecture);

/// A failure of a launch, with its node and kernel.
tenon_status *tenonLaunchError(const tenon_context *context, uint32_t launch,
                               CUresult result, const char *function);

static inline uint32_t tenonTensorCount(const tenon_context *context) {
  return context->entry->input_count + context->entry->output_count;
}

#endif // TENON_RUNTIME_CUDA_DEVICE_H
