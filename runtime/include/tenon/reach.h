//===- reach.h - whether two accesses can share a byte ------------*- C -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file is the arithmetic by which writer and reader of an artifact prove
// that launches which run at once touch different bytes. Columns of one matrix
// overlap in their ends and share nothing:
//
//   begin                        end
//   |a a a|b b|a a a|b b|a a a|b b|
//    run   <-- pitch -->
//===----------------------------------------------------------------------===//
#ifndef TENON_REACH_H
#define TENON_REACH_H

#include <stdint.h>

/// Rows of `run` bytes, `pitch` apart (0: one row), the last of which ends at
/// `end`. Nothing here is negative.
struct tenon_reach {
  int64_t begin;
  int64_t end;
  int64_t run;
  int64_t pitch;
};

static inline int64_t tenon_common_divisor(int64_t a, int64_t b) {
  while (b) {
    int64_t rest = a % b;
    a = b;
    b = rest;
  }
  return a;
}

/// Whether these numbers describe rows.
static inline int tenon_is_reach(const struct tenon_reach *reach) {
  if (reach->begin < 0 || reach->begin >= reach->end || reach->run <= 0 ||
      reach->run > reach->end - reach->begin || reach->pitch < 0)
    return 0;
  int64_t rest = reach->end - reach->begin - reach->run;
  return reach->pitch ? rest % reach->pitch == 0 : rest == 0;
}

/// Whether some byte may be in both. Rows of both lie at fixed places of a
/// circle as long as the common part of their pitches.
static inline int tenon_reaches_meet(const struct tenon_reach *a,
                                     const struct tenon_reach *b) {
  if (a->begin >= a->end || b->begin >= b->end || a->end <= b->begin ||
      b->end <= a->begin)
    return 0;
  int64_t pitch = tenon_common_divisor(a->pitch, b->pitch);
  if (!pitch)
    return 1;
  int64_t apart = b->begin % pitch - a->begin % pitch;
  if (apart < 0)
    apart += pitch;
  return a->run > apart || b->run > pitch - apart;
}

#endif // TENON_REACH_H
