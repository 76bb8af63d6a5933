//===- Streams.cpp - streams and events of the emulated driver ------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file defines the driver's functions on them. All streams share one
// queue.
//===----------------------------------------------------------------------===//
#include "lib/Emulate/Driver/Machine.h"

#include <chrono>

using namespace tenon::emulate;
using namespace tenon::emulate::driver;

CUresult cuStreamCreate(CUstream *stream, unsigned flags) {
  TENON_ENTER();
  TENON_EXPECT(flags <= CU_STREAM_NON_BLOCKING, CUDA_ERROR_INVALID_VALUE);
  *stream = machine().make<CUstream_st>();
  return CUDA_SUCCESS;
}

static bool isStream(CUstream stream) {
  return !stream || machine().isHandle(stream);
}

CUresult cuStreamDestroy_v2(CUstream stream) {
  TENON_ENTER();
  TENON_EXPECT(machine().isHandle(stream), CUDA_ERROR_INVALID_HANDLE);
  machine().drop(stream);
  return CUDA_SUCCESS;
}

CUresult cuStreamSynchronize(CUstream stream) {
  TENON_ENTER();
  TENON_EXPECT(isStream(stream), CUDA_ERROR_INVALID_HANDLE);
  return machine().finish();
}

//===----------------------------------------------------------------------===//
// Events
//===----------------------------------------------------------------------===//

CUresult cuEventCreate(CUevent *event, unsigned flags) {
  TENON_ENTER();
  *event = machine().make<CUevent_st>();
  (*event)->isTimed = !(flags & CU_EVENT_DISABLE_TIMING);
  return CUDA_SUCCESS;
}

CUresult cuEventDestroy_v2(CUevent event) {
  TENON_ENTER();
  TENON_EXPECT(machine().isHandle(event), CUDA_ERROR_INVALID_HANDLE);
  CUresult result = machine().finish();
  TENON_EXPECT(!result, result);
  machine().drop(event);
  return CUDA_SUCCESS;
}

static double now() {
  auto time = std::chrono::steady_clock::now().time_since_epoch();
  return std::chrono::duration<double, std::milli>(time).count();
}

CUresult cuEventRecord(CUevent event, CUstream stream) {
  TENON_ENTER();
  TENON_EXPECT(machine().isHandle(event) && isStream(stream),
               CUDA_ERROR_INVALID_HANDLE);
  event->wasRecorded = true;
  machine().queue.push_back([event] {
    event->milliseconds = now();
    return CUDA_SUCCESS;
  });
  return CUDA_SUCCESS;
}

CUresult cuEventSynchronize(CUevent event) {
  TENON_ENTER();
  TENON_EXPECT(machine().isHandle(event), CUDA_ERROR_INVALID_HANDLE);
  return machine().finish();
}

CUresult cuEventElapsedTime(float *milliseconds, CUevent begin, CUevent end) {
  TENON_ENTER();
  TENON_EXPECT(machine().isHandle(begin) && machine().isHandle(end) &&
                   begin->wasRecorded && end->wasRecorded && begin->isTimed &&
                   end->isTimed,
               CUDA_ERROR_INVALID_HANDLE);
  TENON_EXPECT(machine().queue.empty(), CUDA_ERROR_NOT_READY);
  *milliseconds = float(end->milliseconds - begin->milliseconds);
  return CUDA_SUCCESS;
}

//===----------------------------------------------------------------------===//
// Launches
//===----------------------------------------------------------------------===//

CUresult cuLaunchKernelEx(const CUlaunchConfig *config, CUfunction function,
                          void **parameters, void **extra) {
  TENON_ENTER();
  TENON_EXPECT(config && !extra && isStream(config->hStream),
               CUDA_ERROR_INVALID_VALUE);
  Launch launch;
  launch.grid = {config->gridDimX, config->gridDimY, config->gridDimZ};
  launch.block = {config->blockDimX, config->blockDimY, config->blockDimZ};
  launch.dynamicShared = config->sharedMemBytes;
  for (unsigned i = 0; i < config->numAttrs; ++i) {
    const CUlaunchAttribute &attribute = config->attrs[i];
    const auto &cluster = attribute.value.clusterDim;
    if (attribute.id == CU_LAUNCH_ATTRIBUTE_COOPERATIVE)
      launch.cooperative = attribute.value.cooperative;
    if (attribute.id == CU_LAUNCH_ATTRIBUTE_CLUSTER_DIMENSION)
      launch.cluster = {cluster.x, cluster.y, cluster.z};
  }
  KernelCall call;
  CUresult result = makeCall(function, launch, parameters, call);
  TENON_EXPECT(!result, result);
  machine().queue.push_back([call] { return machine().run(call); });
  return CUDA_SUCCESS;
}
