//===- run-artifact.c - the run time from C -------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file loads the artifact of MakeArtifact.cpp and checks what it
// computes: y = (x + w) + x with w = 0, 0.5, 1, ... It uses Runtime.h alone.
//===----------------------------------------------------------------------===//
#include "tenon-c/Runtime.h"

#include <stdio.h>
#include <stdlib.h>

static int failed(tenon_status *status) {
  if (!status)
    return 0;
  fprintf(stderr, "%s\n", tenon_status_message(status));
  tenon_status_destroy(status);
  return 1;
}

static int check(const float *x, const float *y, size_t count) {
  for (size_t i = 0; i < count; ++i)
    if (y[i] != x[i] + 0.5f * (float)i + x[i]) {
      fprintf(stderr, "y[%zu] = %f\n", i, (double)y[i]);
      return 1;
    }
  return 0;
}

static int runOnce(tenon_model *model, int32_t threads) {
  tenon_tensor_info in = TENON_INIT(tenon_tensor_info);
  tenon_tensor_info out = TENON_INIT(tenon_tensor_info);
  tenon_context_options options = TENON_INIT(tenon_context_options);
  tenon_context *context = NULL;
  options.threads = threads;
  if (failed(tenon_model_input(model, 0, &in)) ||
      failed(tenon_model_output(model, 0, &out)) ||
      failed(tenon_context_create(model, &options, &context)))
    return 1;
  size_t count = in.byte_size / sizeof(float);
  float *x = malloc(in.byte_size), *y = malloc(out.byte_size);
  for (size_t i = 0; i < count; ++i)
    x[i] = (float)(3 * i);
  tenon_tensor input = tenon_tensor_over(&in, x);
  tenon_tensor output = tenon_tensor_over(&out, y);
  int result =
      failed(tenon_run(context, &input, 1, &output, 1)) || check(x, y, count);
  // A wrong call fails, and leaves the outputs as they are.
  input.ndim = 1;
  tenon_status *status = tenon_run(context, &input, 1, &output, 1);
  if (tenon_status_code_of(status) != TENON_TENSOR_MISMATCH ||
      check(x, y, count))
    result = 1;
  tenon_status_destroy(status);
  free(x);
  free(y);
  tenon_context_destroy(context);
  return result;
}

int main(int argc, char **argv) {
  tenon_model *model = NULL;
  if (argc != 2 || failed(tenon_model_load_file(argv[1], NULL, &model)))
    return 1;
  int result = runOnce(model, 1) || runOnce(model, 2);
  tenon_model_destroy(model);
  puts(result ? "failed" : "passed");
  return result;
}
