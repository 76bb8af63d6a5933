//===- Kernel.h - runs what a set of nodes was compiled to --------*- C++
//-*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TENON_TOOLS_ONNXRUNTIME_KERNEL_H
#define TENON_TOOLS_ONNXRUNTIME_KERNEL_H

#include "tools/onnxruntime/Api.h"

#include "tenon-c/Compiler.h"

#include <memory>
#include <mutex>
#include <string>
#include <vector>

namespace tenon::ort {

/// How many threads a session's pool has: found in the first run.
struct PoolSize {
  std::mutex mutex;
  int32_t threads = 0;

  int32_t get(const Api &api, const OrtKernelContext *run);
};

/// An artifact in memory, loaded.
struct Artifact {
  Artifact() = default;
  Artifact(const Artifact &) = delete;
  ~Artifact();

  /// Of `sink`, or where that is empty of `bytes`.
  const void *data() const { return sink.data ? sink.data : bytes.data(); }
  size_t size() const { return sink.data ? sink.size : bytes.size(); }
  tenon_status *load();

  std::string bytes;
  tenon_sink sink = TENON_INIT(tenon_sink);
  tenon_model *model = nullptr;
};

/// The node that stands for a set. Any number of runs go on at once, each in a
/// context of its own, which is kept for the next.
class Kernel : public OrtNodeComputeInfo {
public:
  /// `threads` is that of contexts with threads of their own; 0: they run in
  /// the session's pool.
  Kernel(const Api &api, std::shared_ptr<Artifact> artifact, int32_t threads,
         PoolSize &pool);
  ~Kernel();

  /// Finds inputs and outputs of the model among those of the node.
  OrtStatus *bind(const OrtNode *node);

private:
  struct Slot;
  struct Run;

  std::unique_ptr<Slot> takeSlot(Calls &calls, const OrtKernelContext *run);
  OrtStatus *run(OrtKernelContext *context);
  void readInputs(Run &run);
  void shapeOutputs(Run &run);
  void runValues(Run &run);
  bool takeValues(Run &run, tenon_value *const *made);
  void *makeOutput(Run &run, size_t output, const int64_t *shape, int32_t rank);
  static OrtStatus *compute(OrtNodeComputeInfo *self, void *state,
                            OrtKernelContext *context);

  const Api &api;
  std::shared_ptr<Artifact> artifact;
  const int32_t threads;
  PoolSize &pool;
  /// Where the node has the model's inputs and outputs.
  std::vector<size_t> inputs, outputs;
  std::mutex mutex;
  std::vector<std::unique_ptr<Slot>> idle;
};

} // namespace tenon::ort

#endif // TENON_TOOLS_ONNXRUNTIME_KERNEL_H
