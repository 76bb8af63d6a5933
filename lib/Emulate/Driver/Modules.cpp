//===- Modules.cpp - modules and kernels of the emulated driver -----------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file defines the driver's functions on them. Modules are PTX: what a
// GPU's own code does nobody knows here.
//===----------------------------------------------------------------------===//
#include "lib/Emulate/Driver/Machine.h"

#include <cstdio>
#include <cstring>

using namespace tenon;
using namespace tenon::emulate;
using namespace tenon::emulate::driver;

/// Whether this GPU runs PTX of the target that the text names.
static bool isForGpu(std::string_view ptx) {
  size_t at = ptx.find(".target sm_");
  if (at == std::string_view::npos)
    return true; // the parser says what is wrong
  int target = 0;
  size_t next = at + strlen(".target sm_");
  for (; next < ptx.size() && isdigit(ptx[next]); ++next)
    target = 10 * target + (ptx[next] - '0');
  int gpu = machine().settings.architecture;
  bool isExact = next < ptx.size() && ptx[next] == 'a';
  return isExact ? gpu == target : gpu >= target;
}

static CUresult refusePtx(const std::string &message, unsigned count,
                          int *options, void **values) {
  char *log = nullptr;
  size_t size = 0;
  for (unsigned i = 0; i < count; ++i) {
    if (options[i] == CU_JIT_ERROR_LOG_BUFFER)
      log = static_cast<char *>(values[i]);
    if (options[i] == CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES)
      size = reinterpret_cast<uintptr_t>(values[i]);
  }
  if (log && size)
    snprintf(log, size, "%s", message.c_str());
  return CUDA_ERROR_INVALID_PTX;
}

static std::string join(const std::vector<std::string> &lines) {
  std::string text;
  for (const std::string &line : lines)
    text += (text.empty() ? "" : "; ") + line;
  return text;
}

CUresult cuModuleLoadDataEx(CUmodule *module, const void *image, unsigned count,
                            int *options, void **values) {
  TENON_ENTER();
  std::string_view text(static_cast<const char *>(image));
  if (text.starts_with("\x7f"
                       "ELF") ||
      !isForGpu(text))
    return CUDA_ERROR_NO_BINARY_FOR_GPU;
  Result<Module> parsed = Module::parse(text);
  if (!parsed)
    return refusePtx(parsed.error().message, count, options, values);
  if (machine().settings.isChecked)
    if (std::vector<std::string> found = parsed->check(); !found.empty())
      return refusePtx(join(found), count, options, values);
  Status loaded = parsed->load(machine().memory);
  TENON_EXPECT(loaded, CUDA_ERROR_OUT_OF_MEMORY);
  *module = machine().make<CUmod_st>(std::move(*parsed));
  return CUDA_SUCCESS;
}

CUresult cuModuleUnload(CUmodule module) {
  TENON_ENTER();
  TENON_EXPECT(machine().isHandle(module), CUDA_ERROR_INVALID_HANDLE);
  CUresult result = machine().finish();
  TENON_EXPECT(!result, result);
  for (CUfunction function : module->functions)
    machine().drop(function);
  Status done = module->module.unload(machine().memory);
  machine().drop(module);
  return done ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
}

CUresult cuModuleGetFunction(CUfunction *function, CUmodule module,
                             const char *name) {
  TENON_ENTER();
  TENON_EXPECT(machine().isHandle(module), CUDA_ERROR_INVALID_HANDLE);
  const Kernel *kernel = module->module.find(name);
  TENON_EXPECT(kernel, CUDA_ERROR_NOT_FOUND);
  for (CUfunction known : module->functions)
    if (known->kernel == kernel) {
      *function = known;
      return CUDA_SUCCESS;
    }
  *function = machine().make<CUfunc_st>();
  (*function)->kernel = kernel;
  (*function)->dynamicShared = (48 << 10) - kernel->sharedBytes;
  module->functions.push_back(*function);
  return CUDA_SUCCESS;
}

CUresult cuFuncGetAttribute(int *value, int attribute, CUfunction function) {
  TENON_ENTER();
  TENON_EXPECT(machine().isHandle(function), CUDA_ERROR_INVALID_HANDLE);
  switch (attribute) {
  case CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK:
    *value = int(function->kernel->maxThreads);
    return CUDA_SUCCESS;
  case CU_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES:
    *value = int(function->kernel->sharedBytes);
    return CUDA_SUCCESS;
  case CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES:
    *value = int(function->dynamicShared);
    return CUDA_SUCCESS;
  case CU_FUNC_ATTRIBUTE_NON_PORTABLE_CLUSTER_SIZE_ALLOWED:
    *value = function->bigClusters;
    return CUDA_SUCCESS;
  default:
    return CUDA_ERROR_INVALID_VALUE;
  }
}

CUresult cuFuncSetAttribute(CUfunction function, int attribute, int value) {
  TENON_ENTER();
  TENON_EXPECT(machine().isHandle(function), CUDA_ERROR_INVALID_HANDLE);
  int most = 0;
  cuDeviceGetAttribute(
      &most, CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK_OPTIN, 0);
  most -= int(function->kernel->sharedBytes);
  if (attribute == CU_FUNC_ATTRIBUTE_NON_PORTABLE_CLUSTER_SIZE_ALLOWED) {
    function->bigClusters = value;
    return CUDA_SUCCESS;
  }
  TENON_EXPECT(attribute == CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES &&
                   value >= 0 && value <= most,
               CUDA_ERROR_INVALID_VALUE);
  function->dynamicShared = uint32_t(value);
  return CUDA_SUCCESS;
}

//===----------------------------------------------------------------------===//
// Launches
//===----------------------------------------------------------------------===//

/// What the driver refuses of a launch.
static CUresult checkLaunch(const CUfunc_st &function, const Launch &launch) {
  const Kernel &kernel = *function.kernel;
  uint64_t threads =
      uint64_t(launch.block[0]) * launch.block[1] * launch.block[2];
  uint64_t blocks = uint64_t(launch.grid[0]) * launch.grid[1] * launch.grid[2];
  TENON_EXPECT(threads && blocks && launch.grid[1] <= 65535 &&
                   launch.grid[2] <= 65535,
               CUDA_ERROR_INVALID_VALUE);
  TENON_EXPECT(launch.dynamicShared <= function.dynamicShared,
               CUDA_ERROR_INVALID_VALUE);
  TENON_EXPECT(threads <= kernel.maxThreads,
               CUDA_ERROR_LAUNCH_OUT_OF_RESOURCES);
  uint32_t cluster = launch.cluster[0] * launch.cluster[1] * launch.cluster[2];
  TENON_EXPECT(cluster && cluster <= (function.bigClusters ? 16u : 8u) &&
                   launch.grid[0] % launch.cluster[0] == 0,
               CUDA_ERROR_INVALID_VALUE);
  TENON_EXPECT(!launch.cooperative || blocks <= 132 * 32,
               CUDA_ERROR_COOPERATIVE_LAUNCH_TOO_LARGE);
  return CUDA_SUCCESS;
}

CUresult tenon::emulate::driver::makeCall(CUfunction function, Launch launch,
                                          void **arguments, KernelCall &call) {
  TENON_EXPECT(machine().isHandle(function), CUDA_ERROR_INVALID_HANDLE);
  const Kernel &kernel = *function->kernel;
  if (kernel.clusterRequired)
    launch.cluster = kernel.cluster;
  CUresult result = checkLaunch(*function, launch);
  TENON_EXPECT(!result, result);
  call = {function, launch, std::vector<uint8_t>(kernel.parameterBytes)};
  for (size_t i = 0; i < kernel.parameters.size(); ++i) {
    const Parameter &parameter = kernel.parameters[i];
    TENON_EXPECT(arguments && arguments[i], CUDA_ERROR_INVALID_VALUE);
    memcpy(call.arguments.data() + parameter.offset, arguments[i],
           parameter.size);
  }
  return CUDA_SUCCESS;
}
