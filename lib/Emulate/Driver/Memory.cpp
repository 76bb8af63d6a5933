//===- Memory.cpp - memory of the emulated GPU and of the host ------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file defines the driver's functions on it. What takes no stream waits
// for all that is queued.
//===----------------------------------------------------------------------===//
#include "lib/Emulate/Driver/Machine.h"

#include <cstdlib>
#include <cstring>

using namespace tenon;
using namespace tenon::emulate;
using namespace tenon::emulate::driver;

CUresult cuMemGetInfo_v2(size_t *free, size_t *total) {
  TENON_ENTER();
  *total = machine().settings.memory;
  *free = *total - machine().memory.used();
  return CUDA_SUCCESS;
}

CUresult cuMemAlloc_v2(CUdeviceptr *pointer, size_t size) {
  TENON_ENTER();
  TENON_EXPECT(size, CUDA_ERROR_INVALID_VALUE);
  Memory &memory = machine().memory;
  if (size > machine().settings.memory - memory.used())
    return CUDA_ERROR_OUT_OF_MEMORY;
  Result<uint64_t> address = memory.allocate(size);
  TENON_EXPECT(address, CUDA_ERROR_OUT_OF_MEMORY);
  *pointer = *address;
  return CUDA_SUCCESS;
}

CUresult cuMemFree_v2(CUdeviceptr pointer) {
  TENON_ENTER();
  CUresult result = machine().finish();
  TENON_EXPECT(!result, result);
  Status done = machine().memory.free(pointer);
  return done ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
}

CUresult cuMemHostAlloc(void **pointer, size_t size, unsigned flags) {
  TENON_ENTER();
  TENON_EXPECT(size && !flags, CUDA_ERROR_INVALID_VALUE);
  void *memory = nullptr;
  if (posix_memalign(&memory, 4096, size))
    return CUDA_ERROR_OUT_OF_MEMORY;
  memset(memory, 0xff, size);
  machine().handles.insert(memory);
  *pointer = memory;
  return CUDA_SUCCESS;
}

CUresult cuMemFreeHost(void *pointer) {
  TENON_ENTER();
  TENON_EXPECT(machine().isHandle(pointer), CUDA_ERROR_INVALID_VALUE);
  CUresult result = machine().finish();
  TENON_EXPECT(!result, result);
  machine().handles.erase(pointer);
  free(pointer);
  return CUDA_SUCCESS;
}

/// A copy between host and GPU.
static CUDA_MEMCPY3D makeCopy(CUdeviceptr gpu, void *host, size_t size,
                              bool isToHost) {
  CUDA_MEMCPY3D copy = {};
  copy.srcMemoryType = isToHost ? CU_MEMORYTYPE_DEVICE : CU_MEMORYTYPE_HOST;
  copy.dstMemoryType = isToHost ? CU_MEMORYTYPE_HOST : CU_MEMORYTYPE_DEVICE;
  copy.srcDevice = copy.dstDevice = gpu;
  copy.srcHost = copy.dstHost = host;
  copy.WidthInBytes = size;
  copy.Height = copy.Depth = 1;
  return copy;
}

CUresult cuMemcpyHtoD_v2(CUdeviceptr to, const void *from, size_t size) {
  TENON_ENTER();
  CUresult result = machine().finish();
  TENON_EXPECT(!result, result);
  return machine().run(makeCopy(to, const_cast<void *>(from), size, false));
}

/// Queues something for a stream.
static CUresult queue(CUstream stream, std::function<CUresult()> work) {
  TENON_EXPECT(!stream || machine().isHandle(stream),
               CUDA_ERROR_INVALID_HANDLE);
  machine().queue.push_back(std::move(work));
  return CUDA_SUCCESS;
}

CUresult cuMemcpyHtoDAsync_v2(CUdeviceptr to, const void *from, size_t size,
                              CUstream stream) {
  TENON_ENTER();
  CUDA_MEMCPY3D copy = makeCopy(to, const_cast<void *>(from), size, false);
  return queue(stream, [copy] { return machine().run(copy); });
}

CUresult cuMemcpyDtoHAsync_v2(void *to, CUdeviceptr from, size_t size,
                              CUstream stream) {
  TENON_ENTER();
  CUDA_MEMCPY3D copy = makeCopy(from, to, size, true);
  return queue(stream, [copy] { return machine().run(copy); });
}

CUresult cuMemsetD8Async(CUdeviceptr to, unsigned char value, size_t size,
                         CUstream stream) {
  TENON_ENTER();
  CUDA_MEMSET_NODE_PARAMS fill = {};
  fill.dst = to;
  fill.value = value;
  fill.elementSize = 1;
  fill.width = size;
  fill.height = 1;
  return queue(stream, [fill] { return machine().run(fill); });
}

CUresult cuTensorMapEncodeTiled(CUtensorMap *map, int type, uint32_t rank,
                                void *address, const uint64_t *dims,
                                const uint64_t *strides, const uint32_t *box,
                                const uint32_t *steps, int interleave,
                                int swizzle, int promotion, int fill) {
  TENON_EXPECT(rank >= 1 && rank <= 5 && !interleave && !fill &&
                   promotion >= 0 && promotion <= 3,
               CUDA_ERROR_INVALID_VALUE);
  TENON_EXPECT(reinterpret_cast<uintptr_t>(map) % 64 == 0,
               CUDA_ERROR_INVALID_VALUE);
  TensorMapInfo info;
  info.type = uint32_t(type);
  info.rank = rank;
  info.address = reinterpret_cast<uintptr_t>(address);
  info.swizzle = uint32_t(swizzle);
  for (uint32_t i = 0; i < rank; ++i) {
    info.dims[i] = dims[i];
    info.box[i] = box[i];
    info.elementStrides[i] = steps[i];
    if (i)
      info.strides[i - 1] = strides[i - 1];
  }
  Result<TensorMap> encoded = encode(info);
  TENON_EXPECT(encoded, CUDA_ERROR_INVALID_VALUE);
  memcpy(map, encoded->data(), sizeof *map);
  return CUDA_SUCCESS;
}
