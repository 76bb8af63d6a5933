//===- Status.h - making status objects ---------------------------*- C -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file is how the run time's own code reports failures.
//===----------------------------------------------------------------------===//
#ifndef TENON_RUNTIME_BASE_STATUS_H
#define TENON_RUNTIME_BASE_STATUS_H

#include "tenon-c/Runtime.h"

/// A new status; `node` names the input, output or ONNX node it is about, or
/// is "". The message is formatted as by printf. When memory is short, the one
/// static out-of-memory status comes instead: the result is never NULL.
tenon_status *tenonFail(tenon_status_code code, const char *node,
                        const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/// The failure to get `size` bytes.
tenon_status *tenonNoMemory(uint64_t size);

/// Returns from the enclosing function when `call` fails.
#define TENON_TRY(call)                                                        \
  do {                                                                         \
    tenon_status *failed = (call);                                             \
    if (failed)                                                                \
      return failed;                                                           \
  } while (0)

/// Writes "[2x3]" for a message, or as much of it as there is room for.
void tenonPrintShape(char *text, size_t size, int32_t rank,
                     const int64_t *shape);

/// Copies `from` to the caller's versioned struct `to`: no more bytes than
/// the caller's `struct_size` says, which it keeps.
tenon_status *tenonFillStruct(void *to, const void *from, size_t fromSize);

/// Copies the caller's versioned struct, absent fields as zero. NULL `from`
/// gives zeroes.
tenon_status *tenonReadStruct(void *to, size_t toSize, const void *from);

#endif // TENON_RUNTIME_BASE_STATUS_H
