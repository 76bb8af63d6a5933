//===- Shares.h - who runs what of a wave -------------------------*- C -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file declares how the tiles of several launches that run at once are
// shared out to threads. Up to four threads each has a share of every launch,
// so that it meets the same rows in successive launches:
//
//   thread 0  a a | b b | c      thread 1  a a | b | c c
//
// More threads lie along the launches one after the other, so that each reads
// weights of few:
//
//   thread 0  a a     1  a a     2  b b     3  b c     4  c c
//
// A launch counts by the time that it is expected to take. What a thread has
// left undone others take over, so a wrong number costs little.
//===----------------------------------------------------------------------===//
#ifndef TENON_RUNTIME_BASE_SHARES_H
#define TENON_RUNTIME_BASE_SHARES_H

#include <stdbool.h>
#include <stdint.h>

/// A launch of a wave.
struct tenonMember {
  int64_t tiles;
  /// What it takes beside the others, in any unit.
  uint32_t weight;
  /// No thread should have its tiles in two parts.
  bool isOneCall;
};

/// Tiles [begin, end) of a launch of the wave.
struct tenonPart {
  int64_t begin;
  int64_t end;
  uint32_t member;
};

/// The most parts that so many launches have on so many threads.
uint64_t tenonMostParts(uint64_t members, uint64_t threads);

/// Shares all tiles out, each once: thread i has the parts from ends[i] to
/// ends[i + 1]. None is empty.
void tenonShareOut(const struct tenonMember *members, uint32_t count,
                   int32_t threads, struct tenonPart *parts, uint32_t *ends);

#endif // TENON_RUNTIME_BASE_SHARES_H
