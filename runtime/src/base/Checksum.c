//===- Checksum.c - the checksum of artifact sections ---------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file implements tenon/checksum.h; docs/spec/artifact.md has the
// definition in words.
//===----------------------------------------------------------------------===//
#include "tenon/checksum.h"

#include <string.h>

#define BLOCK 64

static const uint64_t prime1 = 0x9e3779b97f4a7c15u;
static const uint64_t prime2 = 0xc2b2ae3d27d4eb4fu;

static inline uint64_t rotate(uint64_t value, int bits) {
  return value << bits | value >> (64 - bits);
}

static inline uint64_t step(uint64_t lane, uint64_t word) {
  lane = rotate(lane ^ word, 29);
  // Keeps the lanes in scalar registers: a compiler that makes vectors of them
  // emulates the 64-bit multiplication, four times slower.
  __asm__("" : "+r"(lane));
  return lane * prime1;
}

static inline uint64_t loadWord(const uint8_t *bytes) {
  uint64_t word;
  memcpy(&word, bytes, sizeof word);
  return word;
}

/// The loop that runs at memory speed: eight chains hide the latency of the
/// multiplication.
static void absorb(uint64_t lanes[8], const uint8_t *bytes, size_t blocks) {
  uint64_t local[8];
  memcpy(local, lanes, sizeof local);
  for (size_t block = 0; block < blocks; ++block, bytes += BLOCK)
    for (int lane = 0; lane < 8; ++lane)
      local[lane] = step(local[lane], loadWord(bytes + 8 * lane));
  memcpy(lanes, local, sizeof local);
}

void tenon_checksum_begin(struct tenon_checksum *state) {
  memset(state, 0, sizeof *state);
  for (uint64_t lane = 0; lane < 8; ++lane)
    state->lanes[lane] = prime2 * (lane + 1);
}

void tenon_checksum_update(struct tenon_checksum *state, const void *data,
                           size_t size) {
  const uint8_t *bytes = data;
  size_t pending = state->length % BLOCK;
  state->length += size;
  if (pending) {
    size_t take = size < BLOCK - pending ? size : BLOCK - pending;
    if (take)
      memcpy(state->pending + pending, bytes, take);
    if (pending + take < BLOCK)
      return;
    absorb(state->lanes, state->pending, 1);
    bytes += take;
    size -= take;
  }
  absorb(state->lanes, bytes, size / BLOCK);
  if (size % BLOCK)
    memcpy(state->pending, bytes + size / BLOCK * BLOCK, size % BLOCK);
}

uint64_t tenon_checksum_end(struct tenon_checksum *state) {
  size_t pending = state->length % BLOCK;
  if (pending) {
    memset(state->pending + pending, 0, BLOCK - pending);
    absorb(state->lanes, state->pending, 1);
  }
  uint64_t sum = state->length * prime2;
  for (int lane = 0; lane < 8; ++lane)
    sum = rotate(sum ^ state->lanes[lane], 31) * prime2;
  return sum ^ sum >> 32;
}

uint64_t tenon_checksum_bytes(const void *data, size_t size) {
  struct tenon_checksum state;
  tenon_checksum_begin(&state);
  tenon_checksum_update(&state, data, size);
  return tenon_checksum_end(&state);
}
