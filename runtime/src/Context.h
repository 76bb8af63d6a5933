//===- Context.h - a context's insides --------------------------*- C -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file is the struct behind tenon_context.
//===----------------------------------------------------------------------===//
#ifndef TENON_RUNTIME_CONTEXT_H
#define TENON_RUNTIME_CONTEXT_H

#include "src/Model.h"
#include "src/base/Pool.h"
#include "src/guard/Guard.h"

#include <stdatomic.h>

/// A reference that each run points at the caller's tensor.
struct tenonPatch {
  uint32_t ref;
  /// The number in the signature: inputs, then outputs.
  uint32_t tensor;
  uint64_t offset;
};

/// A launch as the threads that run it see it. In runs nobody writes to it, so
/// that each thread keeps it in its own cache.
struct tenonLaunch {
  _Alignas(TENON_LINE_BYTES) tenon_kernel_fn kernel;
  struct tenonGuard *guard;
  void *const *buffers;
  /// Of the first thread; NULL: it wants none.
  uint8_t *scratch;
  uint64_t scratchPitch;
  int64_t first; ///< tile of the step
  int64_t tiles; ///< of a step
  int64_t steps;
  int32_t perThread; ///< chunks
  int32_t chunks;    ///< for an executor
  int64_t *fault;    ///< its fault word; NULL unless it checks indices
};

struct tenonLaunchTime {
  int64_t calls;
  int64_t nanoseconds;
  /// Of the latest run: since its begin, and how long.
  int64_t lastBegin;
  int64_t lastNanoseconds;
};

struct tenon_context {
  const tenon_model *model;
  const struct tenon_entry_record *entry;
  tenon_context_options options;
  int32_t threads;
  struct tenonPool *pool;
  uint8_t *arena;
  void *ownArena;
  /// By reference number; a launch's buffers are a slice of it.
  void **pointers;
  struct tenonPatch *patches;
  size_t patchCount;
  /// One for each launch of the entry's program.
  struct tenonLaunch *launches;
  uint32_t launchCount;
  /// The first one's number in the model.
  uint32_t firstLaunch;
  /// NULL unless the model is guarded.
  struct tenonGuard *guard;
  /// NULL unless profiling.
  struct tenonLaunchTime *times;
  /// When the run began, on the clock of `times`.
  int64_t runBegin;
  atomic_flag isRunning;
};

#endif // TENON_RUNTIME_CONTEXT_H
