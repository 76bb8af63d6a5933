//===- Machine.cpp - the state of the emulated driver ---------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file keeps the one machine, and runs what was queued on it.
//===----------------------------------------------------------------------===//
#include "lib/Emulate/Driver/Machine.h"

#include <cstdlib>
#include <cstring>

using namespace tenon;
using namespace tenon::emulate;
using namespace tenon::emulate::driver;

static uint64_t numberOf(const char *name, uint64_t otherwise) {
  const char *text = getenv(name);
  return text && *text ? strtoull(text, nullptr, 10) : otherwise;
}

Machine::Machine() {
  settings.gpus = int(numberOf("TENON_EMULATE_GPUS", 1));
  settings.architecture = int(numberOf("TENON_EMULATE_ARCH", 90));
  settings.memory = numberOf("TENON_EMULATE_MEMORY", settings.memory);
  settings.isReversed = numberOf("TENON_EMULATE_REVERSE", 0);
  settings.isChecked = numberOf("TENON_EMULATE_CHECK", 0);
  settings.threads = unsigned(numberOf("TENON_EMULATE_THREADS", 1));
  primary.resize(settings.gpus);
  for (int i = 0; i < settings.gpus; ++i)
    primary[i].gpu = i;
}

Machine &tenon::emulate::driver::machine() {
  // Threads may use it until the very end.
  static Machine *only = new Machine;
  return *only;
}

std::vector<CUcontext> &tenon::emulate::driver::currentContexts() {
  static thread_local std::vector<CUcontext> contexts;
  return contexts;
}

CUresult Entry::check(bool context) {
  if (!machine().isInitialised)
    return CUDA_ERROR_NOT_INITIALIZED;
  if (context && currentContexts().empty())
    return CUDA_ERROR_INVALID_CONTEXT;
  return context ? machine().sticky : CUDA_SUCCESS;
}

CUresult Machine::fail(CUresult result, const std::string &message) {
  text = message;
  return result;
}

CUresult Machine::fault(CUresult result, const std::string &message) {
  queue.clear();
  sticky = result;
  return fail(result, message);
}

CUresult Machine::finish() {
  while (!queue.empty() && !sticky) {
    std::function<CUresult()> work = std::move(queue.front());
    queue.pop_front();
    work();
  }
  return sticky;
}

//===----------------------------------------------------------------------===//
// Work
//===----------------------------------------------------------------------===//

CUresult Machine::run(const KernelCall &call) {
  Launch launch = call.launch;
  launch.cpuThreads = settings.threads;
  Status done = tenon::emulate::run(*call.function->kernel, launch,
                                    call.arguments, memory);
  return done ? CUDA_SUCCESS
              : fault(CUDA_ERROR_LAUNCH_FAILED, done.error().message);
}

CUresult Machine::run(const CUDA_MEMCPY3D &copy) {
  bool fromHost = copy.srcMemoryType == CU_MEMORYTYPE_HOST;
  bool toHost = copy.dstMemoryType == CU_MEMORYTYPE_HOST;
  size_t bytes = copy.WidthInBytes;
  Status done = Done{};
  if (fromHost && toHost)
    memcpy(copy.dstHost, copy.srcHost, bytes);
  else if (fromHost)
    done = memory.write(copy.dstDevice, copy.srcHost, bytes);
  else if (toHost)
    done = memory.read(copy.srcDevice, copy.dstHost, bytes);
  else
    done = memory.copy(copy.dstDevice, copy.srcDevice, bytes);
  return done ? CUDA_SUCCESS
              : fault(CUDA_ERROR_ILLEGAL_ADDRESS,
                      "a copy: " + done.error().message);
}

CUresult Machine::run(const CUDA_MEMSET_NODE_PARAMS &fill) {
  Status done = memory.fill(fill.dst, fill.value, fill.elementSize, fill.width);
  return done ? CUDA_SUCCESS
              : fault(CUDA_ERROR_ILLEGAL_ADDRESS,
                      "a memset: " + done.error().message);
}

CUresult Machine::run(const CUgraphNode_st &node) {
  switch (node.kind) {
  case NodeKind::Kernel:
    return run(node.call);
  case NodeKind::Copy:
    return run(node.copy);
  case NodeKind::Fill:
    return run(node.fill);
  case NodeKind::Empty:
    return CUDA_SUCCESS;
  }
  return CUDA_ERROR_INVALID_VALUE;
}
