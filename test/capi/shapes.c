//===- shapes.c - many shapes, through the C API --------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file runs a model of two open sizes in 1,000 shapes, 10,000 times, in
// two threads with a context each: after the first 100 runs, which meet the
// largest shape, no memory is taken any more.
//===----------------------------------------------------------------------===//
#include "test/capi/Check.h"

#include <malloc.h>
#include <pthread.h>

enum { mostRows = 25, mostColumns = 40, runs = 5000, first = 50 };

/* What a thread does: runs [begin, end) of its own. */
struct work {
  tenon_context *context;
  int begin, end, failed;
};

static int runOnce(tenon_context *context, int number) {
  float x[mostRows * mostColumns], y[mostRows * mostColumns];
  int64_t shape[2] = {mostRows - number % mostRows,
                      mostColumns - number / mostRows % mostColumns};
  for (int i = 0; i < mostRows * mostColumns; ++i)
    x[i] = (float)(i % 7) + 1;
  tenon_tensor in = tensorOf(x, 2, shape, NULL);
  tenon_tensor out = tensorOf(y, 2, shape, NULL);
  EXPECT(ok(tenon_run(context, &in, 1, &out, 1)));
  // Means of numbers from 1 to 7, weighted.
  int64_t last = shape[0] * shape[1] - 1;
  EXPECT(y[0] > 0.999f && y[0] < 7.001f);
  EXPECT(y[last] > 0.999f && y[last] < 7.001f);
  return 1;
}

static void *runAll(void *argument) {
  struct work *work = argument;
  for (int i = work->begin; i < work->end && !work->failed; ++i)
    work->failed = !runOnce(work->context, i);
  return NULL;
}

static int runTogether(struct work works[2], int begin, int end) {
  pthread_t threads[2];
  for (int i = 0; i < 2; ++i) {
    works[i].begin = begin;
    works[i].end = end;
    EXPECT(pthread_create(&threads[i], NULL, runAll, &works[i]) == 0);
  }
  for (int i = 0; i < 2; ++i)
    pthread_join(threads[i], NULL);
  return !works[0].failed && !works[1].failed;
}

static size_t bytesTaken(void) {
  struct mallinfo2 info = mallinfo2();
  return info.uordblks + info.hblkhd;
}

static int staysFlat(const char *path) {
  tenon_model *model = NULL;
  struct work works[2] = {{0}};
  EXPECT(load(path, &model, &works[0].context));
  EXPECT(ok(tenon_context_create(model, NULL, &works[1].context)));
  EXPECT(runTogether(works, 0, first));
  size_t before = bytesTaken();
  EXPECT(runTogether(works, first, runs));
  size_t after = bytesTaken();
  printf("%zu bytes after %d runs, %zu after %d\n", before, 2 * first, after,
         2 * runs);
  EXPECT(after <= before + 4096);
  for (int i = 0; i < 2; ++i)
    tenon_context_destroy(works[i].context);
  tenon_model_destroy(model);
  return 1;
}

int main(int argc, char **argv) {
  if (argc != 3)
    return 2;
  return !(ok(tenon_compile_file(argv[1], argv[2], NULL, NULL)) &&
           staysFlat(argv[2]));
}
