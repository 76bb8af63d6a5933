//===- Value.h - inputs and outputs that are no plain tensors -----*- C -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file is the part of Runtime.h, which includes it, about models with
// control flow: sequences, optionals, strings, and sizes that data decide.
//===----------------------------------------------------------------------===//
#ifndef TENON_C_VALUE_H
#define TENON_C_VALUE_H

#include "tenon-c/Runtime.h"

#ifdef __cplusplus
extern "C" {
#endif

//===----------------------------------------------------------------------===//
// Values
//===----------------------------------------------------------------------===//

/// A tensor, a sequence of tensors, or an optional: what inputs and outputs can
/// be when they are not tensors of numbers whose shapes are known before the
/// run. A value owns what it holds, never changes, and is counted: whoever gets
/// one from a call releases it. Any thread may read, retain and release it,
/// also when model and context are gone; but a context's `allocator` must still
/// work then, as its memory goes back when the last owner has released it.
typedef struct tenon_value tenon_value;

/// Copies a tensor of numbers.
TENON_API tenon_status *tenon_value_tensor(const tenon_tensor *tensor,
                                           tenon_value **value);

/// A tensor of strings, in row-major order. `sizes` has the bytes of each;
/// NULL: they end in a zero. Strings may hold zeroes, and are UTF-8 to
/// operators that care.
TENON_API tenon_status *tenon_value_strings(const char *const *texts,
                                            const size_t *sizes, int32_t rank,
                                            const int64_t *shape,
                                            tenon_value **value);

/// A sequence of tensors, all of type `dtype`, which get another owner.
TENON_API tenon_status *tenon_value_sequence(tenon_dtype dtype,
                                             tenon_value *const *elements,
                                             size_t count, tenon_value **value);

/// An optional that holds a tensor or a sequence (which is then that value
/// itself, with another owner), or with NULL none.
TENON_API tenon_status *tenon_value_optional(tenon_value *element,
                                             tenon_value **value);

/// Another owner; returns `value`.
TENON_API tenon_value *tenon_value_retain(tenon_value *value);

/// One owner less; NULL is allowed.
TENON_API void tenon_value_release(tenon_value *value);

/// What a value is. Pointers live as long as it.
typedef struct tenon_value_info {
  size_t struct_size;
  /// TENON_VALUE_OPTIONAL is one that is empty.
  tenon_value_kind kind;
  /// Of the elements.
  tenon_dtype dtype;
  /// Of a tensor, else 0.
  int32_t rank;
  const int64_t *shape;
  /// Elements of a tensor, or tensors of a sequence.
  size_t count;
  /// Of a tensor of numbers; NULL for other values.
  const void *data;
  size_t byte_size;
} tenon_value_info;

/// Fills `info`; `info->struct_size` must be set.
TENON_API tenon_status *tenon_value_query(const tenon_value *value,
                                          tenon_value_info *info);

/// String `index` of a tensor of strings, which ends in a zero; its bytes go to
/// `size` unless that is NULL. NULL where there is none. Lives as long as the
/// value.
TENON_API const char *tenon_value_string(const tenon_value *value, size_t index,
                                         size_t *size);

/// Tensor `index` of a sequence, with another owner.
TENON_API tenon_status *tenon_value_element(const tenon_value *value,
                                            size_t index,
                                            tenon_value **element);

/// As tenon_run, with outputs that it makes, of the right shapes: `outputs` has
/// room for all of them. Works for all entries. Where sizes depend on data, or
/// something is no tensor, it is the only way; elsewhere it costs an allocation
/// per output.
TENON_API tenon_status *tenon_run_values(tenon_context *context,
                                         tenon_value *const *inputs,
                                         size_t input_count,
                                         tenon_value **outputs,
                                         size_t output_count);

//===----------------------------------------------------------------------===//
// Bytecode
//===----------------------------------------------------------------------===//

/// Calls `line` with each line of the bytecode in words, without its end. A
/// model without bytecode has none.
TENON_API tenon_status *
tenon_model_disassemble(const tenon_model *model,
                        void (*line)(void *user, const char *text), void *user);

#ifdef __cplusplus
}
#endif

#endif // TENON_C_VALUE_H
