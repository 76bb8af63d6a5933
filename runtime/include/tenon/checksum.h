//===- checksum.h - the checksum of artifact sections -------------*- C -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file declares a 64-bit checksum made for speed (eight independent
// multiply lanes, tens of GB/s): it finds damage, not forgery. Each step is a
// bijection of lane and word, so damage within one word is always found.
//===----------------------------------------------------------------------===//
#ifndef TENON_CHECKSUM_H
#define TENON_CHECKSUM_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/// A checksum in the making. Feeding bytes in pieces or at once is the same.
struct tenon_checksum {
  uint64_t lanes[8];
  uint64_t length;
  uint8_t pending[64];
};

void tenon_checksum_begin(struct tenon_checksum *state);
void tenon_checksum_update(struct tenon_checksum *state, const void *data,
                           size_t size);
uint64_t tenon_checksum_end(struct tenon_checksum *state);

/// The three steps in one.
uint64_t tenon_checksum_bytes(const void *data, size_t size);

#ifdef __cplusplus
}
#endif

#endif // TENON_CHECKSUM_H
