//===- calls.c - what a call costs in C -----------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file is the part of calls.py that is not Python's: calls ARTIFACT BLOCKS
// prints the nanoseconds of a run of a model of two inputs [2, 3] and one
// output like them, the least of so many blocks.
//===----------------------------------------------------------------------===//
#include "tenon-c/Runtime.h"

#include <stdio.h>
#include <stdlib.h>
#include <time.h>

enum { runsOfBlock = 2000 };

static double seconds(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

static tenon_status *measure(tenon_context *context, int blocks, double *best) {
  static float data[3][6];
  int64_t shape[2] = {2, 3};
  tenon_tensor tensors[3] = {{0}};
  for (int i = 0; i < 3; ++i) {
    tensors[i].data = data[i];
    tensors[i].device.device_type = TENON_DEVICE_CPU;
    tensors[i].ndim = 2;
    tensors[i].dtype = (tenon_dtype){TENON_FLOAT, 32, 1};
    tensors[i].shape = shape;
  }
  tenon_status *status = NULL;
  for (int block = 0; block < blocks && !status; ++block) {
    double begin = seconds();
    for (int i = 0; i < runsOfBlock && !status; ++i)
      status = tenon_run(context, tensors, 2, tensors + 2, 1);
    double taken = (seconds() - begin) / runsOfBlock;
    if (!block || taken < *best)
      *best = taken;
  }
  return status;
}

int main(int argc, char **argv) {
  tenon_model *model = NULL;
  tenon_context *context = NULL;
  tenon_context_options options = TENON_INIT(tenon_context_options);
  options.threads = 1;
  double best = 0;
  if (argc != 3)
    return 2;
  tenon_status *status = tenon_model_load_file(argv[1], NULL, &model);
  if (!status)
    status = tenon_context_create(model, &options, &context);
  if (!status)
    status = measure(context, atoi(argv[2]), &best);
  if (status)
    fprintf(stderr, "calls: %s\n", tenon_status_message(status));
  else
    printf("%.1f\n", best * 1e9);
  int failed = status != NULL;
  tenon_status_destroy(status);
  tenon_context_destroy(context);
  tenon_model_destroy(model);
  return failed;
}
