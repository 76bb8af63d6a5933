//===- Check.h - what tests of the C API share --------------------*- C -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TENON_TEST_CAPI_CHECK_H
#define TENON_TEST_CAPI_CHECK_H

#include "tenon-c/Compiler.h"

#include <stdio.h>
#include <string.h>

#define EXPECT(condition)                                                      \
  do {                                                                         \
    if (!(condition)) {                                                        \
      fprintf(stderr, "line %d: %s\n", __LINE__, #condition);                  \
      return 0;                                                                \
    }                                                                          \
  } while (0)

static inline int ok(tenon_status *status) {
  if (status)
    fprintf(stderr, "%s\n", tenon_status_message(status));
  tenon_status_destroy(status);
  return !status;
}

/* Whether it fails so. */
static inline int fails(tenon_status *status, tenon_status_code code,
                        const char *text) {
  int right = tenon_status_code_of(status) == code &&
              strstr(tenon_status_message(status), text);
  if (!right)
    fprintf(stderr, "got '%s'\n", tenon_status_message(status));
  tenon_status_destroy(status);
  return right;
}

/* Of floats. */
static inline tenon_tensor tensorOf(float *data, int32_t rank, int64_t *shape,
                                    int64_t *strides) {
  tenon_tensor tensor = {0};
  tensor.data = data;
  tensor.device.device_type = TENON_DEVICE_CPU;
  tensor.ndim = rank;
  tensor.dtype.code = TENON_FLOAT;
  tensor.dtype.bits = 32;
  tensor.dtype.lanes = 1;
  tensor.shape = shape;
  tensor.strides = strides;
  return tensor;
}

static inline int load(const char *path, tenon_model **model,
                       tenon_context **context) {
  tenon_context_options options = TENON_INIT(tenon_context_options);
  options.threads = 2;
  return ok(tenon_model_load_file(path, NULL, model)) &&
         ok(tenon_context_create(*model, &options, context));
}

#endif // TENON_TEST_CAPI_CHECK_H
