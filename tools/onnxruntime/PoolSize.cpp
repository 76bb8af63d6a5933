//===- PoolSize.cpp - how many threads a session's pool has ---------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The interface has no function that says it. So threads of the pool meet: each
// waits for the others, until as many have come as there are processors or some
// milliseconds are over.
//===----------------------------------------------------------------------===//
#include "tools/onnxruntime/Kernel.h"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <sched.h>
#include <thread>

using namespace tenon::ort;

static int32_t processors() {
  cpu_set_t set;
  if (sched_getaffinity(0, sizeof set, &set) == 0)
    return std::max(CPU_COUNT(&set), 1);
  return int32_t(std::max(std::thread::hardware_concurrency(), 1u));
}

namespace {
struct Meeting {
  std::atomic<int32_t> arrived = 0;
  int32_t expected = processors();
  std::chrono::steady_clock::time_point end =
      std::chrono::steady_clock::now() + std::chrono::milliseconds(20);

  void wait() {
    ++arrived;
    while (arrived < expected && std::chrono::steady_clock::now() < end)
      std::this_thread::yield();
  }
};
} // namespace

int32_t PoolSize::get(const Api &api, const OrtKernelContext *run) {
  std::lock_guard lock(mutex);
  if (threads > 0)
    return threads;
  Meeting meeting;
  if (meeting.expected == 1)
    return threads = 1;
  // A thread that comes again, after the end, does not count.
  auto step = [](void *user, size_t) {
    auto *meeting = static_cast<Meeting *>(user);
    if (std::chrono::steady_clock::now() < meeting->end)
      meeting->wait();
  };
  api.ReleaseStatus(api.KernelContext_ParallelFor(
      run, step, size_t(meeting.expected), 0, &meeting));
  return threads = std::max<int32_t>(meeting.arrived, 1);
}
