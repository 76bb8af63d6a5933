//===- Machine.h - the state of the emulated driver -------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file is what stands behind the handles that the driver's functions give
// out. Work in streams is queued and runs when someone waits for it, as late as
// a GPU could: who reads results too early or changes arguments too early gets
// wrong numbers here, too. All functions take one lock.
//===----------------------------------------------------------------------===//
#ifndef TENON_LIB_EMULATE_DRIVER_MACHINE_H
#define TENON_LIB_EMULATE_DRIVER_MACHINE_H

#include "lib/Emulate/Emulator.h"
#include "tenon/cuda_driver.h"

#include <deque>
#include <functional>
#include <mutex>
#include <set>
#include <vector>

struct CUctx_st {
  int gpu = 0;
  int retained = 0;
};

struct CUmod_st {
  explicit CUmod_st(tenon::emulate::Module module)
      : module(std::move(module)) {}
  tenon::emulate::Module module;
  std::vector<CUfunction> functions;
};

struct CUfunc_st {
  const tenon::emulate::Kernel *kernel = nullptr;
  uint32_t dynamicShared = 0; ///< that launches may have
  bool bigClusters = false;
};

struct CUstream_st {};

struct CUevent_st {
  double milliseconds = 0; ///< when it was reached
  bool isTimed = true;
  bool wasRecorded = false;
};

namespace tenon::emulate::driver {

/// A launch with its arguments, as they were when it was asked for.
struct KernelCall {
  CUfunction function = nullptr;
  Launch launch;
  std::vector<uint8_t> arguments;
};

enum class NodeKind { Empty, Kernel, Copy, Fill };

/// An edge from a node of that number.
struct Edge {
  size_t from = 0;
  bool isEarly = false; ///< programmatic
};

} // namespace tenon::emulate::driver

struct CUgraphNode_st {
  CUgraph graph = nullptr;
  size_t number = 0;
  tenon::emulate::driver::NodeKind kind =
      tenon::emulate::driver::NodeKind::Empty;
  tenon::emulate::driver::KernelCall call;
  CUDA_MEMCPY3D copy = {};
  CUDA_MEMSET_NODE_PARAMS fill = {};
  std::vector<tenon::emulate::driver::Edge> edges;
};

struct CUgraph_st {
  std::vector<std::unique_ptr<CUgraphNode_st>> nodes;
};

struct CUgraphExec_st {
  CUgraph graph = nullptr;
  std::vector<CUgraphNode_st> nodes; ///< of the graph, as they were
  std::vector<size_t> order;
};

namespace tenon::emulate::driver {

/// What the environment says; see docs/gpu.md.
struct Settings {
  int gpus = 1;
  int architecture = 90;
  uint64_t memory = uint64_t(8) << 30;
  bool isReversed = false; ///< independent nodes run last to first
  bool isChecked = false;  ///< what static checks find is an error
  unsigned threads = 1;
};

struct Machine {
  Machine();

  std::recursive_mutex lock;
  Settings settings;
  Memory memory;
  bool isInitialised = false;
  /// The error that all functions give once a kernel failed.
  CUresult sticky = CUDA_SUCCESS;
  std::string text; ///< of the latest error that has words of its own
  std::vector<CUctx_st> primary;
  std::set<void *> handles; ///< that were given out and not given back
  std::deque<std::function<CUresult()>> queue;

  bool isHandle(const void *handle) const {
    return handles.count(const_cast<void *>(handle)) != 0;
  }

  /// Gives out a new handle.
  template <typename T, typename... Arguments>
  T *make(Arguments &&...arguments) {
    T *made = new T(std::forward<Arguments>(arguments)...);
    handles.insert(made);
    return made;
  }

  /// Takes one back.
  template <typename T> void drop(T *handle) {
    handles.erase(handle);
    delete handle;
  }

  /// Notes the words of an error.
  CUresult fail(CUresult result, const std::string &message);
  /// An error that all that follows meets, too.
  CUresult fault(CUresult result, const std::string &message);
  /// Runs all that is queued.
  CUresult finish();

  CUresult run(const KernelCall &call);
  CUresult run(const CUDA_MEMCPY3D &copy);
  CUresult run(const CUDA_MEMSET_NODE_PARAMS &fill);
  CUresult run(const CUgraphNode_st &node);
};

/// The only one.
Machine &machine();

/// The contexts that are current in this thread, the last one on top.
std::vector<CUcontext> &currentContexts();

/// Checks a launch as the driver does, and copies its arguments.
CUresult makeCall(CUfunction function, Launch launch, void **arguments,
                  KernelCall &call);

/// The lock of a function, and whether it may do anything: the driver must be
/// initialised and nothing may have failed for good. With `context`, one must
/// be current.
class Entry {
public:
  explicit Entry(bool context = true)
      : guard(machine().lock), result(check(context)) {}
  CUresult result;

private:
  static CUresult check(bool context);
  std::lock_guard<std::recursive_mutex> guard;
};

} // namespace tenon::emulate::driver

/// Begins a function: takes the lock, and returns what is wrong already.
#define TENON_ENTER(...)                                                       \
  tenon::emulate::driver::Entry entry{__VA_ARGS__};                            \
  if (entry.result)                                                            \
  return entry.result
#define TENON_EXPECT(condition, error)                                         \
  if (!(condition))                                                            \
  return error

extern "C" {
#define X(name, parameters)                                                    \
  __attribute__((visibility("default"))) CUresult name parameters;
#include "tenon/cuda_functions.def"
}

#endif // TENON_LIB_EMULATE_DRIVER_MACHINE_H
