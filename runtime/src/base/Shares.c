//===- Shares.c - who runs what of a wave ---------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "src/base/Shares.h"

#include "src/base/Pool.h"

/// Up to so many threads keep their rows.
#define MOST_OF_EACH 4

/// Of a thread, so that who is done early finds something to take over.
#define PARTS_OF_THREAD 4u

uint64_t tenonMostParts(uint64_t members, uint64_t threads) {
  return PARTS_OF_THREAD * (members + threads + PARTS_OF_THREAD);
}

/// The nearest number of tiles, none or all at most.
static int64_t nearest(double tiles, int64_t least, int64_t most) {
  if (tiles >= (double)most)
    return most;
  int64_t rounded = tiles > 0 ? (int64_t)(tiles + 0.5) : 0;
  return rounded < least ? least : rounded > most ? most : rounded;
}

/// Cuts tiles into nearly equal parts that are not empty.
static uint32_t cut(struct tenonPart whole, uint32_t count,
                    struct tenonPart *parts) {
  uint32_t used = 0;
  for (uint32_t i = 0; i < count; ++i) {
    struct tenonPart part = whole;
    tenonChunk(whole.end - whole.begin, count, i, &part.begin, &part.end);
    part.begin += whole.begin;
    part.end += whole.begin;
    if (part.begin < part.end)
      parts[used++] = part;
  }
  return used;
}

//===----------------------------------------------------------------------===//
// A share of each launch
//===----------------------------------------------------------------------===//

/// How far the threads up to each are ahead of their share of all launches so
/// far, in units of weight.
struct lead {
  double of[MOST_OF_EACH];
};

/// The tiles of `member` that go to threads up to number `thread`, those before
/// which have `least`: makes up for what launches before gave too much or too
/// little.
static int64_t takeShare(const struct tenonMember *member, int32_t thread,
                         int32_t threads, int64_t least, struct lead *lead) {
  double weight = (double)member->weight / (double)member->tiles;
  double due = (double)member->weight * (thread + 1) / threads;
  int64_t tiles =
      thread + 1 == threads
          ? member->tiles
          : nearest((due - lead->of[thread]) / weight, least, member->tiles);
  lead->of[thread] += (double)tiles * weight - due;
  return tiles;
}

/// The share of one thread.
static uint32_t shareOfEach(const struct tenonMember *members, uint32_t count,
                            int32_t thread, int32_t threads,
                            struct tenonPart *parts) {
  struct lead lead = {{0}};
  uint32_t used = 0;
  uint32_t most = (PARTS_OF_THREAD + count - 1) / count;
  for (uint32_t i = 0; i < count; ++i) {
    struct tenonPart part = {0, 0, i};
    for (int32_t k = 0; members[i].tiles && k <= thread; ++k) {
      part.begin = part.end;
      part.end = takeShare(&members[i], k, threads, part.begin, &lead);
    }
    used += cut(part, members[i].isOneCall ? 1 : most, parts + used);
  }
  return used;
}

//===----------------------------------------------------------------------===//
// Launches one after the other
//===----------------------------------------------------------------------===//

/// The tiles of a launch that come before a time, where the launch begins at
/// `begin`.
static int64_t tileAt(const struct tenonMember *member, double begin,
                      double at) {
  return nearest((at - begin) / member->weight * (double)member->tiles, 0,
                 member->tiles);
}

/// Into how many parts to cut tiles of a thread whose share is so much time.
static uint32_t partsOf(const struct tenonMember *member, int64_t tiles,
                        double share) {
  double parts = (double)tiles / (double)member->tiles * member->weight /
                 share * PARTS_OF_THREAD;
  return member->isOneCall ? 1 : (uint32_t)nearest(parts, 1, PARTS_OF_THREAD);
}

/// What lies between two times.
static uint32_t shareAlong(const struct tenonMember *members, uint32_t count,
                           double from, double to, struct tenonPart *parts) {
  double begin = 0;
  uint32_t used = 0;
  for (uint32_t i = 0; i < count && begin < to; ++i) {
    const struct tenonMember *member = &members[i];
    struct tenonPart part = {tileAt(member, begin, from),
                             tileAt(member, begin, to), i};
    if (part.begin < part.end)
      used += cut(part, partsOf(member, part.end - part.begin, to - from),
                  parts + used);
    begin += member->weight;
  }
  return used;
}

/// Where the share of a thread begins, or that of the one before ends.
static double timeOf(double sum, int32_t thread, int32_t threads) {
  return thread == threads ? sum : sum / threads * thread;
}

static double sumOf(const struct tenonMember *members, uint32_t count) {
  double sum = 0;
  for (uint32_t i = 0; i < count; ++i)
    sum += members[i].weight;
  return sum;
}

void tenonShareOut(const struct tenonMember *members, uint32_t count,
                   int32_t threads, struct tenonPart *parts, uint32_t *ends) {
  double sum = sumOf(members, count);
  ends[0] = 0;
  for (int32_t i = 0; i < threads; ++i) {
    struct tenonPart *next = parts + ends[i];
    ends[i + 1] =
        ends[i] + (threads <= MOST_OF_EACH
                       ? shareOfEach(members, count, i, threads, next)
                       : shareAlong(members, count, timeOf(sum, i, threads),
                                    timeOf(sum, i + 1, threads), next));
  }
}
