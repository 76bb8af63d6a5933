//===- States.h - outputs that are inputs of the next run ---------*- C -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file is a part of Runtime.h, which includes it.
//
// `tenon-compile --state past=present` says that an output of one run is an
// input of the next. A tenon_state keeps such tensors between runs:
//
//   tenon_state *state;
//   status = tenon_state_create(model, NULL, &state);
//   while (!status && ...) // without the states' inputs and outputs
//     status = tenon_run_state(context, state, &token, 1, &logits, 1);
//
// Where the model appends to the input and returns the whole, both are one
// buffer with room behind, and a run writes only what is new. tenon_run takes
// such tensors, too: the output's strides say how many elements there is room
// for along the dimension that grows, as those of a part of a larger tensor.
// Where the input has the same data and strides, nothing is copied; what else
// the input is, it is copied to the output first.
//===----------------------------------------------------------------------===//
#ifndef TENON_C_STATES_H
#define TENON_C_STATES_H

#include "tenon-c/Runtime.h"

#ifdef __cplusplus
extern "C" {
#endif

/// Of a state that an entry only reads.
#define TENON_NO_OUTPUT SIZE_MAX

/// One state of an entry.
typedef struct tenon_state_info {
  size_t struct_size;
  /// The numbers in the signature.
  size_t input;
  size_t output; ///< or TENON_NO_OUTPUT: the entry only reads it
  /// The dimension along which the input grows in place; -1: the output is
  /// computed into another buffer than the input's.
  int32_t axis;
  /// It does not grow, and the output is computed into the input's buffer.
  bool is_updated;
} tenon_state_info;

/// 0 where there are none.
TENON_API size_t tenon_model_state_count(const tenon_model *model,
                                         size_t entry);

/// Describes state `index` of an entry. `info->struct_size` must be set.
TENON_API tenon_status *tenon_model_state(const tenon_model *model,
                                          size_t entry, size_t index,
                                          tenon_state_info *info);

/// What one sequence of runs keeps: the tensors of all states of an entry. Any
/// number of them may exist for a context, and be used in turns; one is used by
/// one thread at a time, and a run in a second one fails with TENON_BUSY.
/// Contexts of other entries run on it, too, if it has all of their states:
/// `eval` on what `step` trains.
typedef struct tenon_state tenon_state;

typedef struct tenon_state_options {
  size_t struct_size;
  /// The elements along the dimension that grows that there is room for at
  /// first; 0: 128. When they are used up, the buffers are replaced by ones of
  /// at least twice the capacity, so that each element is copied about once.
  int64_t capacity;
  /// The most; 0: as many as memory holds. A run that needs more fails with
  /// TENON_CAPACITY_EXCEEDED, and what there is stays.
  int64_t max_capacity;
  /// Used when `allocate` is set.
  tenon_allocator allocator;
  /// The entry, by its name; NULL is the first. Borrowed for the call.
  const char *entry;
} tenon_state_options;

/// Makes a state: tensors that grow are empty, others what the model says,
/// parameters their values before training, or else zero. Those with
/// dimensions that no number is known for have no value yet (tenon_state_set).
/// `options` may be NULL. The model must outlive the state.
TENON_API tenon_status *tenon_state_create(const tenon_model *model,
                                           const tenon_state_options *options,
                                           tenon_state **state);

/// Frees a state; NULL is allowed.
TENON_API void tenon_state_destroy(tenon_state *state);

/// Makes it what it was when it was created; the memory stays.
TENON_API void tenon_state_reset(tenon_state *state);

/// Copies a tensor to where the input of state `index` is kept.
TENON_API tenon_status *tenon_state_set(tenon_state *state, size_t index,
                                        const tenon_tensor *value);

/// What is the input of state `index` in the next run, as a view: valid until
/// the state changes. Where it grows in place it has strides.
TENON_API tenon_status *tenon_state_get(const tenon_state *state, size_t index,
                                        tenon_tensor *value);

/// Keeps the first `length` elements of all that grows in place, and forgets
/// those behind them. Fails where there are fewer.
TENON_API tenon_status *tenon_state_truncate(tenon_state *state,
                                             int64_t length);

/// What a state is for.
typedef enum tenon_state_role {
  TENON_STATE_OTHER = 0,
  TENON_STATE_PARAMETER = 1,
  /// What an optimiser keeps of a parameter.
  TENON_STATE_MOMENT = 2,
  /// What follows the data by itself.
  TENON_STATE_STATISTIC = 3,
  /// The number of steps.
  TENON_STATE_COUNTER = 4,
  /// What the loss is multiplied by before gradients are made, and what decides
  /// how that changes.
  TENON_STATE_SCALE = 5,
  /// The number of steps whose gradients were no finite numbers, and which
  /// changed nothing.
  TENON_STATE_SKIPPED = 6
} tenon_state_role;

/// One tensor that a state keeps. The name lives as long as the model, the
/// shape until the state changes.
typedef struct tenon_state_tensor {
  size_t struct_size;
  const char *name;
  tenon_state_role role;
  tenon_dtype dtype;
  int32_t rank;
  const int64_t *shape;
  /// False: an extent is not known yet, and is 0 here.
  bool has_value;
} tenon_state_tensor;

/// How many tensors a state keeps: the entry's states, in their order.
TENON_API size_t tenon_state_count(const tenon_state *state);

/// Describes tensor `index`. `info->struct_size` must be set.
TENON_API tenon_status *tenon_state_describe(const tenon_state *state,
                                             size_t index,
                                             tenon_state_tensor *info);

/// A state of its own with the same contents.
TENON_API tenon_status *tenon_state_clone(const tenon_state *state,
                                          tenon_state **clone);

/// What a file says beside its tensors.
typedef struct tenon_state_file {
  size_t struct_size;
  /// The caller's: what it draws its random numbers from.
  uint64_t seed;
  /// The counter's value; written by the library.
  int64_t step;
} tenon_state_file;

/// Writes all tensors as a safetensors file, which replaces one of that name
/// when it is whole. `about` may be NULL.
TENON_API tenon_status *tenon_state_save(const tenon_state *state,
                                         const char *path,
                                         const tenon_state_file *about);

/// Reads what tenon_state_save wrote, or any safetensors file that has exactly
/// these tensors by name, type and shape. A file that cannot be read is
/// TENON_IO_ERROR, one that is damaged TENON_BAD_ARTIFACT, one of another model
/// TENON_TENSOR_MISMATCH; the state is what it was then. `about` may be NULL.
TENON_API tenon_status *tenon_state_load(tenon_state *state, const char *path,
                                         tenon_state_file *about);

/// Runs the model on the state's tensors and the caller's, which are all others
/// in the signature's order; the state then has what came out. When the run
/// fails the state is what it was: indices are looked at before anything is
/// overwritten. Should it fail later, the state is torn, and refused until it
/// is loaded or reset.
TENON_API tenon_status *
tenon_run_state(tenon_context *context, tenon_state *state,
                const tenon_tensor *inputs, size_t input_count,
                const tenon_tensor *outputs, size_t output_count);

#ifdef __cplusplus
}
#endif

#endif // TENON_C_STATES_H
