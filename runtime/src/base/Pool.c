//===- Pool.c - the fork-join pool ----------------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file implements the pool; the idea is in Pool.h.
//===----------------------------------------------------------------------===//
#include "src/base/Pool.h"

#include "src/base/Cpu.h"
#include "src/base/Status.h"

#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

/// What processors hand to each other: a cache line, or a pair of them where
/// they fetch pairs.
#define LINE 128
#define SPIN_NANOSECONDS 100000
#define YIELD_NANOSECONDS 20000
/// As long as a thread may take to see a launch, others leave it its chunks:
/// its data lie in its cache, and who takes them over fetches each line.
#define PATIENCE_NANOSECONDS 1000
/// Far more than a store takes to be seen by other processors.
#define SETTLE_ROUNDS 100
/// Threads that tell each other of launches and count their chunks together,
/// where there are several times as many.
#define CLUSTER 8
#define FEWEST_IN_CLUSTERS 32

/// What all threads are to do.
struct launch {
  tenonRangeFn body;
  const void *argument;
  int64_t tiles;
  uint32_t chunks;
  bool isBackward;
  /// Chunks of thread i go from ends[i] to ends[i + 1]; NULL: equal parts.
  const uint32_t *ends;
};

/// One line takes a launch to its thread: the slot has a copy of all of it.
struct slot {
  /// (epoch << 32 | chunks left).
  _Alignas(LINE) _Atomic uint64_t state;
  /// The chunks of this slot are [first, first + count).
  uint32_t first;
  uint32_t count;
  struct launch launch;
};

/// Some threads in a row. The first leads: the caller tells it, it tells them.
struct cluster {
  /// The latest launch that somebody has begun to tell them of, and has.
  _Alignas(LINE) _Atomic uint32_t claimed;
  _Atomic uint32_t told;
  /// Chunks that the workers among them have done since the pool exists.
  _Atomic uint64_t done;
};

struct worker {
  struct tenonPool *pool;
  pthread_t thread;
  int32_t number;
};

struct tenonPool {
  tenon_allocator allocator;
  int32_t threads;
  int32_t started;
  int64_t spinNanoseconds;
  int64_t patienceNanoseconds;
  struct worker *workers;
  struct slot *slots;
  int32_t clusterSize;
  int32_t clusterCount;
  struct cluster *clusters;

  /// The caller's own.
  _Alignas(LINE) uint32_t epoch;
  /// What `done` adds up to when the workers have done all that they took.
  uint64_t expected;

  _Alignas(LINE) _Atomic int32_t sleepers;
  _Atomic uint32_t wakeups;
  _Atomic int32_t stop;
  pthread_mutex_t mutex;
  pthread_cond_t wake;
};

void *tenonAllocate(const tenon_allocator *allocator, size_t size,
                    size_t alignment) {
  if (alignment < sizeof(void *))
    alignment = sizeof(void *);
  if (allocator->allocate)
    return allocator->allocate(allocator->user, size, alignment);
  void *pointer;
  return posix_memalign(&pointer, alignment, size ? size : 1) == 0 ? pointer
                                                                   : NULL;
}

void tenonRelease(const tenon_allocator *allocator, void *pointer) {
  if (!pointer)
    return;
  if (allocator->allocate)
    allocator->release(allocator->user, pointer);
  else
    free(pointer);
}

int64_t tenonNow(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return (int64_t)time.tv_sec * 1000000000 + time.tv_nsec;
}

static inline void relax(void) {
#if defined(__x86_64__)
  __builtin_ia32_pause();
#elif defined(__aarch64__)
  __asm__ volatile("yield");
#endif
}

/// index * tiles / chunks, of which the product might be too large.
static int64_t firstOf(int64_t tiles, int64_t chunks, int64_t index) {
  return tiles / chunks * index + tiles % chunks * index / chunks;
}

void tenonChunk(int64_t tiles, int64_t chunks, int64_t index, int64_t *begin,
                int64_t *end) {
  *begin = firstOf(tiles, chunks, index);
  *end = firstOf(tiles, chunks, index + 1);
}

int32_t tenonChunksPerThread(bool isOneCall) { return isOneCall ? 1 : 4; }

/// Runs the chunk that is claimed by taking one off `left`.
static void runChunk(const struct slot *slot, uint32_t left, int32_t thread) {
  const struct launch *launch = &slot->launch;
  uint32_t chunk =
      slot->first + (launch->isBackward ? left - 1 : slot->count - left);
  int64_t begin, end;
  tenonChunk(launch->tiles, launch->chunks, chunk, &begin, &end);
  launch->body(launch->argument, thread, begin, end);
}

/// Claims chunks of `slot` and runs them in `thread` until none is left;
/// returns how many.
static uint32_t drain(struct slot *slot, int32_t thread) {
  uint32_t ran = 0;
  uint64_t state = atomic_load_explicit(&slot->state, memory_order_acquire);
  while ((uint32_t)state) {
    if (!atomic_compare_exchange_weak_explicit(&slot->state, &state, state - 1,
                                               memory_order_acquire,
                                               memory_order_acquire))
      continue;
    runChunk(slot, (uint32_t)state, thread);
    ++ran;
    state = atomic_load_explicit(&slot->state, memory_order_acquire);
  }
  return ran;
}

/// Of a worker, which tells the caller once for each slot.
static void drainAndTell(struct tenonPool *pool, int32_t number,
                         int32_t thread) {
  uint32_t ran = drain(&pool->slots[number], thread);
  if (ran)
    atomic_fetch_add_explicit(&pool->clusters[thread / pool->clusterSize].done,
                              ran, memory_order_release);
}

static uint32_t slotEpoch(struct slot *slot) {
  return (uint32_t)(atomic_load(&slot->state) >> 32);
}

static int hasNews(struct tenonPool *pool, struct slot *slot, uint32_t epoch) {
  return slotEpoch(slot) != epoch || atomic_load(&pool->stop);
}

/// Returns nonzero when a launch came within so many nanoseconds, or a few
/// more.
static int spin(struct tenonPool *pool, struct slot *slot, uint32_t epoch,
                int64_t nanoseconds) {
  int64_t deadline = 0;
  for (uint32_t round = 1;; ++round) {
    if (hasNews(pool, slot, epoch))
      return 1;
    relax();
    if (round % 64)
      continue;
    int64_t time = tenonNow();
    if (!deadline)
      deadline = time + nanoseconds;
    if (time >= deadline)
      return 0;
  }
}

static void park(struct tenonPool *pool, struct slot *slot, uint32_t epoch) {
  pthread_mutex_lock(&pool->mutex);
  // The caller publishes, then looks for sleepers; this thread does the
  // opposite. It waits for stores that are on their way, so that one of the two
  // sees the other: a fence would cost the caller more at each launch. Were a
  // launch missed all the same, the caller would do all of its chunks.
  atomic_fetch_add(&pool->sleepers, 1);
  for (int32_t round = 0; round < SETTLE_ROUNDS; ++round)
    relax();
  uint32_t wakeups = atomic_load(&pool->wakeups);
  while (!hasNews(pool, slot, epoch) && atomic_load(&pool->wakeups) == wakeups)
    pthread_cond_wait(&pool->wake, &pool->mutex);
  atomic_fetch_sub(&pool->sleepers, 1);
  pthread_mutex_unlock(&pool->mutex);
}

static void wakeSleepers(struct tenonPool *pool) {
  if (!atomic_load(&pool->sleepers))
    return;
  pthread_mutex_lock(&pool->mutex);
  pthread_cond_broadcast(&pool->wake);
  pthread_mutex_unlock(&pool->mutex);
}

/// Gives a thread its chunks.
static inline void offer(struct tenonPool *pool, int32_t thread, uint32_t epoch,
                         const struct launch *launch) {
  struct slot *slot = &pool->slots[thread];
  int64_t begin, end;
  if (launch->ends) {
    begin = launch->ends[thread];
    end = launch->ends[thread + 1];
  } else {
    tenonChunk(launch->chunks, pool->threads, thread, &begin, &end);
  }
  slot->first = (uint32_t)begin;
  slot->count = (uint32_t)(end - begin);
  slot->launch = *launch;
  atomic_store_explicit(&slot->state, (uint64_t)epoch << 32 | slot->count,
                        memory_order_release);
}

/// All but the one that leads.
static void tellCluster(struct tenonPool *pool, int32_t number, uint32_t epoch,
                        const struct launch *launch) {
  int32_t first = number * pool->clusterSize, end = first + pool->clusterSize;
  for (int32_t i = (end < pool->threads ? end : pool->threads) - 1; i > first;
       --i)
    offer(pool, i, epoch, launch);
  atomic_store_explicit(&pool->clusters[number].told, epoch,
                        memory_order_release);
}

/// Whether it is for the caller of this function to tell them. Nobody does for
/// a launch that is over.
static bool claimCluster(struct cluster *cluster, uint32_t epoch) {
  uint32_t before = atomic_load(&cluster->claimed);
  return (int32_t)(epoch - before) > 0 &&
         atomic_compare_exchange_strong(&cluster->claimed, &before, epoch);
}

/// The launch in the slot of one that leads stays as it is until it is told.
static void passOn(struct tenonPool *pool, int32_t own, uint32_t epoch) {
  int32_t number = own / pool->clusterSize;
  if (own % pool->clusterSize || !claimCluster(&pool->clusters[number], epoch))
    return;
  tellCluster(pool, number, epoch, &pool->slots[own].launch);
  wakeSleepers(pool);
}

/// A worker's part of a launch: its own chunks, then those that others have not
/// taken for long.
static void takePart(struct tenonPool *pool, int32_t own, uint32_t epoch) {
  drainAndTell(pool, own, own);
  if (spin(pool, &pool->slots[own], epoch, pool->patienceNanoseconds))
    return;
  for (int32_t i = 1; i < pool->threads; ++i)
    drainAndTell(pool, (own + i) % pool->threads, own);
}

static void *workerMain(void *opaque) {
  struct worker *worker = opaque;
  struct tenonPool *pool = worker->pool;
  struct slot *slot = &pool->slots[worker->number];
  uint32_t epoch = 0;
  while (!atomic_load(&pool->stop)) {
    if (!spin(pool, slot, epoch, pool->spinNanoseconds))
      park(pool, slot, epoch);
    uint32_t newest = slotEpoch(slot);
    if (newest != epoch) {
      passOn(pool, worker->number, newest);
      takePart(pool, worker->number, newest);
    }
    epoch = newest;
  }
  return NULL;
}

void tenonPoolWake(struct tenonPool *pool) {
  if (pool->threads == 1)
    return;
  atomic_fetch_add(&pool->wakeups, 1);
  wakeSleepers(pool);
}

static uint64_t countDone(struct tenonPool *pool) {
  uint64_t done = 0;
  for (int32_t i = 0; i < pool->clusterCount; ++i)
    done += atomic_load_explicit(&pool->clusters[i].done, memory_order_acquire);
  return done;
}

/// Whether the workers have done `chunks` more than before this launch, within
/// so many nanoseconds or a few more. Gives way after a while to those that may
/// be waiting for this processor.
static int awaitDone(struct tenonPool *pool, uint32_t chunks,
                     int64_t nanoseconds) {
  int64_t begin = 0;
  for (uint32_t round = 1;; ++round) {
    if (countDone(pool) == pool->expected + chunks)
      return 1;
    relax();
    if (round % 16)
      continue;
    int64_t time = tenonNow();
    if (!begin)
      begin = time;
    if (time - begin >= nanoseconds)
      return 0;
    if (time - begin >= YIELD_NANOSECONDS)
      sched_yield();
  }
}

static void publish(struct tenonPool *pool, const struct launch *launch) {
  uint32_t epoch = ++pool->epoch;
  for (int32_t i = pool->clusterCount - 1; i > 0; --i)
    offer(pool, i * pool->clusterSize, epoch, launch);
  tellCluster(pool, 0, epoch, launch);
  offer(pool, 0, epoch, launch);
  wakeSleepers(pool);
}

/// In place of those that lead and have not come.
static void tellAll(struct tenonPool *pool) {
  for (int32_t i = 1; i < pool->clusterCount; ++i)
    if (claimCluster(&pool->clusters[i], pool->epoch))
      tellCluster(pool, i, pool->epoch, &pool->slots[0].launch);
}

/// Nobody may be about to tell threads of this launch when the next one comes:
/// who has not begun does not, who has ends soon.
static void closeClusters(struct tenonPool *pool) {
  for (int32_t i = 1; i < pool->clusterCount; ++i) {
    struct cluster *cluster = &pool->clusters[i];
    if (claimCluster(cluster, pool->epoch))
      atomic_store(&cluster->told, pool->epoch);
    for (uint32_t round = 1;
         atomic_load_explicit(&cluster->told, memory_order_acquire) !=
         pool->epoch;
         ++round)
      round % 64 ? relax() : (void)sched_yield();
  }
}

/// The caller's part of a launch that is published, until all is done. Each of
/// the two callers has its own: a call costs a launch 4 ns.
static inline __attribute__((always_inline)) void
takeOwnPart(struct tenonPool *pool, uint32_t chunks) {
  chunks -= drain(&pool->slots[0], /*thread=*/0);
  if (!awaitDone(pool, chunks, pool->patienceNanoseconds)) {
    tellAll(pool);
    for (int32_t i = 1; i < pool->threads; ++i)
      chunks -= drain(&pool->slots[i], /*thread=*/0);
    awaitDone(pool, chunks, INT64_MAX);
  }
  pool->expected += chunks;
  closeClusters(pool);
}

void tenonPoolRun(struct tenonPool *pool, int64_t tiles, int32_t perThread,
                  bool isBackward, tenonRangeFn body, const void *argument) {
  if (tiles <= 1 || pool->threads == 1) {
    if (tiles > 0)
      body(argument, /*thread=*/0, 0, tiles);
    return;
  }
  int64_t most = (int64_t)pool->threads * perThread;
  uint32_t chunks = (uint32_t)(tiles < most ? tiles : most);
  publish(pool,
          &(struct launch){body, argument, tiles, chunks, isBackward, NULL});
  takeOwnPart(pool, chunks);
}

void tenonPoolRunShares(struct tenonPool *pool, const uint32_t *ends,
                        tenonRangeFn body, const void *argument) {
  uint32_t chunks = ends[pool->threads];
  if (chunks <= 1 || pool->threads == 1) {
    if (chunks)
      body(argument, /*thread=*/0, 0, chunks);
    return;
  }
  publish(pool, &(struct launch){body, argument, chunks, chunks, false, ends});
  takeOwnPart(pool, chunks);
}

static int startThread(struct worker *worker) {
  // Signals are the program's; its handlers must not run in these threads.
  sigset_t all, before;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &before);
  int error = pthread_create(&worker->thread, NULL, workerMain, worker);
  pthread_sigmask(SIG_SETMASK, &before, NULL);
  return error;
}

static tenon_status *startThreads(struct tenonPool *pool) {
  for (int32_t i = 1; i < pool->threads; ++i) {
    pool->workers[i] = (struct worker){.pool = pool, .number = i};
    int error = startThread(&pool->workers[i]);
    if (error)
      return tenonFail(TENON_OUT_OF_MEMORY, "", "cannot start thread %d: %s", i,
                       strerror(error));
    pool->started = i;
  }
  return NULL;
}

static struct tenonPool *allocatePool(int32_t threads,
                                      const tenon_allocator *allocator) {
  struct tenonPool *pool = tenonAllocate(allocator, sizeof *pool, LINE);
  if (!pool)
    return NULL;
  memset(pool, 0, sizeof *pool);
  pool->allocator = *allocator;
  pool->threads = threads;
  pool->clusterSize = threads < FEWEST_IN_CLUSTERS ? threads : CLUSTER;
  pool->clusterCount = (threads + pool->clusterSize - 1) / pool->clusterSize;
  size_t slots = (size_t)threads * sizeof(struct slot);
  size_t clusters = (size_t)pool->clusterCount * sizeof(struct cluster);
  size_t workers = (size_t)threads * sizeof(struct worker);
  pool->slots = tenonAllocate(allocator, slots, LINE);
  pool->clusters = tenonAllocate(allocator, clusters, LINE);
  pool->workers = tenonAllocate(allocator, workers, LINE);
  if (!pool->slots || !pool->clusters || !pool->workers) {
    tenonRelease(allocator, pool->slots);
    tenonRelease(allocator, pool->clusters);
    tenonRelease(allocator, pool->workers);
    tenonRelease(allocator, pool);
    return NULL;
  }
  memset(pool->slots, 0, slots);
  memset(pool->clusters, 0, clusters);
  return pool;
}

tenon_status *tenonPoolCreate(int32_t threads, const tenon_allocator *allocator,
                              struct tenonPool **result) {
  struct tenonPool *pool = allocatePool(threads, allocator);
  if (!pool)
    return tenonNoMemory((uint64_t)threads * sizeof(struct slot));
  // Spinning only helps threads that have a processor of their own.
  bool haveProcessors = threads <= tenonCpuCount();
  pool->spinNanoseconds = haveProcessors ? SPIN_NANOSECONDS : 0;
  pool->patienceNanoseconds = haveProcessors ? PATIENCE_NANOSECONDS : 0;
  pthread_mutex_init(&pool->mutex, NULL);
  pthread_cond_init(&pool->wake, NULL);
  tenon_status *status = startThreads(pool);
  if (status) {
    tenonPoolDestroy(pool);
    return status;
  }
  *result = pool;
  return NULL;
}

void tenonPoolDestroy(struct tenonPool *pool) {
  if (!pool)
    return;
  atomic_store(&pool->stop, 1);
  wakeSleepers(pool);
  for (int32_t i = 1; i <= pool->started; ++i)
    pthread_join(pool->workers[i].thread, NULL);
  pthread_mutex_destroy(&pool->mutex);
  pthread_cond_destroy(&pool->wake);
  tenon_allocator allocator = pool->allocator;
  tenonRelease(&allocator, pool->workers);
  tenonRelease(&allocator, pool->clusters);
  tenonRelease(&allocator, pool->slots);
  tenonRelease(&allocator, pool);
}
