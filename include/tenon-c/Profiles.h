//===- Profiles.h - what launches cost ----------------------------*- C -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file is a part of Runtime.h, which includes it.
//===----------------------------------------------------------------------===//
#ifndef TENON_C_PROFILES_H
#define TENON_C_PROFILES_H

#include "tenon-c/Runtime.h"

#ifdef __cplusplus
extern "C" {
#endif

/// What one launch cost, summed over the runs since the context was made or
/// last reset. Pointers live as long as the model.
typedef struct tenon_profile_entry {
  size_t struct_size;
  const char *kernel;
  /// The ONNX nodes that this launch computes.
  const char *const *nodes;
  size_t node_count;
  /// Over all steps of the launch.
  int64_t tiles;
  /// Of one launch for the shapes of the latest run; 0 when unknown.
  int64_t flops;
  int64_t bytes;
  /// Over all runs.
  int64_t calls;
  int64_t nanoseconds;
  /// Of the latest run alone: when the launch began, in nanoseconds from the
  /// run's begin, and what it took. Zero before the first run.
  int64_t last_begin;
  int64_t last_nanoseconds;
  /// Launches with one number, from 1 on, ran at once; 0: it ran alone. What
  /// they took together is divided among them by what threads were busy with
  /// each, as if they had run one after the other.
  uint32_t wave;
} tenon_profile_entry;

/// Some tiles of a launch that ran beside others, in the latest run.
typedef struct tenon_profile_part {
  size_t struct_size;
  /// Of the context's, the caller's being 0; on an executor the call.
  int32_t thread;
  int64_t tiles;
  /// From the run's begin, in nanoseconds.
  int64_t begin;
  int64_t nanoseconds;
} tenon_profile_part;

/// The number of launches; 0 unless the context was made with `profile`.
TENON_API size_t tenon_profile_count(const tenon_context *context);

/// Describes launch `index`, in the order of execution. Not during a run.
TENON_API tenon_status *tenon_profile_get(const tenon_context *context,
                                          size_t index,
                                          tenon_profile_entry *entry);

/// Describes part `part` of launch `index`; a launch that ran alone has none.
/// Fails behind the last. Not during a run.
TENON_API tenon_status *tenon_profile_get_part(const tenon_context *context,
                                               size_t index, size_t part,
                                               tenon_profile_part *result);

/// Sets calls and all times to zero. Not during a run.
TENON_API void tenon_profile_reset(tenon_context *context);

#ifdef __cplusplus
}
#endif

#endif // TENON_C_PROFILES_H
