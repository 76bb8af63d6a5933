//===- use.h - what the programs do with a model ------------------*- C -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// C and C++: y = relu(x) + x on 2x3 floats.
//===----------------------------------------------------------------------===//
#ifndef TENON_TEST_PACKAGING_USE_H
#define TENON_TEST_PACKAGING_USE_H

#include "tenon-c/Runtime.h"

#include <stdio.h>

static inline int failed(tenon_status *status) {
  if (!status)
    return 0;
  printf("%s\n", tenon_status_message(status));
  tenon_status_destroy(status);
  return 1;
}

/* Runs a model, prints what comes out, and frees it. */
static inline int use(tenon_model *model) {
  tenon_context *context = NULL;
  tenon_tensor_info info = TENON_INIT(tenon_tensor_info);
  float x[6] = {-2, -1, 0, 1, 2, 3}, y[6] = {0};
  int64_t shape[2] = {2, 3};
  if (failed(tenon_context_create(model, NULL, &context)) ||
      failed(tenon_model_input(model, 0, &info)))
    return 1;
  tenon_tensor input = tenon_tensor_over(&info, x);
  input.shape = shape;
  tenon_tensor output = input;
  output.data = y;
  int wrong = failed(tenon_run(context, &input, 1, &output, 1));
  printf("y = %g %g %g %g %g %g\n", y[0], y[1], y[2], y[3], y[4], y[5]);
  tenon_context_destroy(context);
  tenon_model_destroy(model);
  return wrong;
}

#endif // TENON_TEST_PACKAGING_USE_H
