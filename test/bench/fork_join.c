//===- fork_join.c - what a parallel launch costs by itself ---------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file times launches that do nothing on the run time's pool:
//
//   alone    one tile: a call, no other thread
//   empty    a tile per thread; whoever comes first may take them all
//   meeting  a tile per thread, none ends before all have begun: the round trip
//            to every thread and back while they spin
//   parked   the same after a pause in which the threads went to sleep
//===----------------------------------------------------------------------===//
#include "src/base/Pool.h"

#include <sched.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

enum {
  PER_SAMPLE = 100,
  MAX_SAMPLES = 20000,
  WARM_UP = 20000,
  PATIENCE = 4096
};

static struct tenonPool *pool;
static _Alignas(128) _Atomic int64_t arrivals;
static _Alignas(128) int64_t expected;
static double samples[MAX_SAMPLES];

static int64_t now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return (int64_t)time.tv_sec * 1000000000 + time.tv_nsec;
}

static void nothing(const void *argument, int32_t thread, int64_t begin,
                    int64_t end) {
  (void)argument, (void)thread, (void)begin, (void)end;
}

/// Waits until as many tiles have begun as `expected` says. Gives way when that
/// takes long: a thread may be waiting for this processor.
static void meet(const void *argument, int32_t thread, int64_t begin,
                 int64_t end) {
  (void)argument, (void)thread;
  int64_t target = expected;
  atomic_fetch_add_explicit(&arrivals, end - begin, memory_order_acq_rel);
  for (int round = 1;
       atomic_load_explicit(&arrivals, memory_order_acquire) < target; ++round)
    if (round % PATIENCE == 0)
      sched_yield();
}

static void runAlone(int32_t threads) {
  (void)threads;
  tenonPoolRun(pool, 1, 1, false, nothing, NULL);
}

static void runEmpty(int32_t threads) {
  tenonPoolRun(pool, threads, 1, false, nothing, NULL);
}

static void runMeeting(int32_t threads) {
  expected += threads;
  tenonPoolRun(pool, threads, 1, false, meet, NULL);
}

static int compare(const void *a, const void *b) {
  double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

static void report(const char *name, int count) {
  qsort(samples, (size_t)count, sizeof *samples, compare);
  printf("%-8s %10.0f %10.0f\n", name, samples[0], samples[count / 2]);
}

static void measureSpinning(const char *name, void (*run)(int32_t),
                            int32_t threads, int count) {
  tenonPoolWake(pool);
  for (int i = 0; i < WARM_UP; ++i)
    run(threads);
  for (int i = 0; i < count; ++i) {
    int64_t begin = now();
    for (int j = 0; j < PER_SAMPLE; ++j)
      run(threads);
    samples[i] = (double)(now() - begin) / PER_SAMPLE;
  }
  report(name, count);
}

static void measureParked(int32_t threads, int count) {
  const struct timespec pause = {0, 1000000};
  for (int i = 0; i < count; ++i) {
    nanosleep(&pause, NULL);
    int64_t begin = now();
    runMeeting(threads);
    samples[i] = (double)(now() - begin);
  }
  report("parked", count);
}

int main(int argc, char **argv) {
  int threads = argc > 1 ? atoi(argv[1]) : 2;
  int count = argc > 2 ? atoi(argv[2]) : 2000;
  if (argc > 3 || threads < 2 || count < 1 || count > MAX_SAMPLES) {
    fprintf(stderr,
            "usage: fork-join [THREADS [SAMPLES]]: at least 2, and at "
            "most %d\n",
            MAX_SAMPLES);
    return 1;
  }
  const tenon_allocator allocator = {0};
  tenon_status *status = tenonPoolCreate(threads, &allocator, &pool);
  if (status) {
    fprintf(stderr, "fork-join: %s\n", tenon_status_message(status));
    return 1;
  }
  printf("%d threads  minimum ns  median ns\n", threads);
  measureSpinning("alone", runAlone, threads, count);
  measureSpinning("empty", runEmpty, threads, count);
  measureSpinning("meeting", runMeeting, threads, count);
  measureParked(threads, count / 10 + 1);
  tenonPoolDestroy(pool);
  return 0;
}
