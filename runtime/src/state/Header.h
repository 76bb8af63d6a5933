//===- Header.h - the header of a file of tensors -----------------*- C -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file declares how safetensors files are read: eight bytes with the size
// of a header, the header as JSON, and the elements.
//
//   {"__metadata__": {"step": "12"},
//    "w": {"dtype": "F32", "shape": [3, 2], "data_offsets": [0, 24]}}
//===----------------------------------------------------------------------===//
#ifndef TENON_RUNTIME_STATE_HEADER_H
#define TENON_RUNTIME_STATE_HEADER_H

#include "src/base/Status.h"
#include "tenon/artifact_format.h"

#include <stdbool.h>

/// The longest name; texts are cut there, and then equal no state's.
#define TENON_TEXT_BYTES 1024

/// One tensor of the header; valid in a call.
struct tenonFileTensor {
  char name[TENON_TEXT_BYTES];
  char type[16];
  int64_t shape[TENON_MAX_RANK];
  uint32_t rank;
  uint64_t begin; ///< of its elements, behind the header
  uint64_t end;
};

/// What becomes of what a header says. A status ends the reading.
struct tenonHeaderUser {
  tenon_status *(*tensor)(void *user, const struct tenonFileTensor *tensor);
  tenon_status *(*note)(void *user, const char *key, const char *text);
  void *user;
};

/// Reads a header. A text that is none is TENON_BAD_ARTIFACT.
tenon_status *tenonReadHeader(const char *text, size_t size,
                              const struct tenonHeaderUser *user);

/// The name of an element type in such files; NULL: they have none for it.
const char *tenonFileType(uint8_t code, uint8_t bits);

#endif // TENON_RUNTIME_STATE_HEADER_H
