//===- Pool.h - the fork-join pool --------------------------------*- C -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file declares the pool that runs the tiles of one launch after the
// other.
//
// A launch's tiles are cut into a few chunks per thread. Each thread owns a
// slot, one atomic word of (epoch, chunks left), on its own cache line:
//
//   slot 0 [e=7|4]   slot 1 [e=7|2]   slot 2 [e=7|0]     4+2+0 chunks to do
//
// A chunk is claimed by a compare-and-swap that takes one off a slot. A thread
// claims from its own slot first, so that it meets the same part of the data
// in successive launches. When it has had nothing to do for a microsecond it
// claims from the others: a thread that the system does not schedule delays
// nobody, but one that merely begins later keeps what is its. The launch's
// description lies in each slot, so that it comes with the claim. It is stable
// while any claimed chunk runs, and is read only while holding one, so a late
// thread cannot see half of the next launch: the epoch makes its claim fail.
//
// Many threads are in clusters of eight: the caller tells the first of each of
// a launch, which tells the others, and each cluster counts its chunks. The
// caller steps in for one that does not come, and no launch begins while
// somebody may still be telling of the one before.
//
// Between launches threads spin on their slot for some 100 us, then park.
//===----------------------------------------------------------------------===//
#ifndef TENON_RUNTIME_BASE_POOL_H
#define TENON_RUNTIME_BASE_POOL_H

#include "tenon-c/Runtime.h"

struct tenonPool;

/// Runs tiles [begin, end) in thread `thread` of the pool, which runs nothing
/// else meanwhile. The caller's is 0.
typedef void (*tenonRangeFn)(const void *argument, int32_t thread,
                             int64_t begin, int64_t end);

/// Nanoseconds on a clock that only goes forward.
int64_t tenonNow(void);

/// Memory by the caller's allocator, or the library's own.
void *tenonAllocate(const tenon_allocator *allocator, size_t size,
                    size_t alignment);
void tenonRelease(const tenon_allocator *allocator, void *pointer);

/// A pool of `threads` threads, the caller's among them: `threads - 1` are
/// started.
tenon_status *tenonPoolCreate(int32_t threads, const tenon_allocator *allocator,
                              struct tenonPool **pool);
void tenonPoolDestroy(struct tenonPool *pool);

/// Wakes parked threads, so that they spin when the first launch comes.
void tenonPoolWake(struct tenonPool *pool);

/// Calls `body` on sub-ranges that cover [0, tiles) once, and returns when all
/// calls have. One caller at a time. `isBackward`: each thread takes its own
/// chunks from the last to the first, so that of two runs over the same data
/// the second starts with what the first left in the thread's cache.
/// `perThread`: chunks of each thread, as tenonChunksPerThread says.
void tenonPoolRun(struct tenonPool *pool, int64_t tiles, int32_t perThread,
                  bool isBackward, tenonRangeFn body, const void *argument);

/// The same for chunks that are shared out already: those from ends[i] to
/// ends[i + 1] are thread i's. `body` gets their numbers.
void tenonPoolRunShares(struct tenonPool *pool, const uint32_t *ends,
                        tenonRangeFn body, const void *argument);

/// A few, so that who is done early takes some of the others', or one.
int32_t tenonChunksPerThread(bool isOneCall);

/// Chunk `index` of [0, tiles) cut into `chunks` nearly equal parts, of which
/// all neighbours of a number have nearly as many tiles, as threads should.
void tenonChunk(int64_t tiles, int64_t chunks, int64_t index, int64_t *begin,
                int64_t *end);

#endif // TENON_RUNTIME_BASE_POOL_H
