//===- replaced-states.c - states that do not grow in place ---------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file runs a model one of whose states is of any batch, one of known
// size, and one a vector that grows, and checks what is refused.
//===----------------------------------------------------------------------===//
#include "test/capi/Check.h"

struct run {
  tenon_model *model;
  tenon_context *context;
  tenon_state *state;
};

static tenon_status *step(const struct run *run, float *x, float *y,
                          int64_t batch) {
  int64_t shape[2] = {batch, 4};
  tenon_tensor in = tensorOf(x, 2, shape, NULL);
  tenon_tensor out = tensorOf(y, 2, shape, NULL);
  return tenon_run_state(run->context, run->state, &in, 1, &out, 1);
}

static tenon_status *setBatch(const struct run *run, float *h, int64_t batch) {
  int64_t shape[2] = {batch, 4};
  tenon_tensor value = tensorOf(h, 2, shape, NULL);
  return tenon_state_set(run->state, 0, &value);
}

static int isDescribed(const struct run *run) {
  static const int32_t axes[3] = {-1, -1, 0};
  EXPECT(tenon_model_state_count(run->model, 0) == 3);
  EXPECT(tenon_model_state_count(run->model, 1) == 0);
  for (size_t i = 0; i < 3; ++i) {
    tenon_state_info info = TENON_INIT(tenon_state_info);
    EXPECT(ok(tenon_model_state(run->model, 0, i, &info)));
    EXPECT(info.input == i + 1 && info.output == i + 1);
    EXPECT(info.axis == axes[i]);
  }
  tenon_state_info info = TENON_INIT(tenon_state_info);
  return fails(tenon_model_state(run->model, 0, 3, &info),
               TENON_INVALID_ARGUMENT, "there is no state 3");
}

/* h = h / 2 + x from {1, ...}, and three more counts in each step. */
static int goesOn(const struct run *run) {
  float x[8] = {1, 1, 1, 1, -3, -3, -3, -3}, y[8], h[8], last = 1;
  tenon_tensor view;
  EXPECT(fails(step(run, x, y, 2), TENON_INVALID_ARGUMENT,
               "'h' has no value yet, and its shape is not known: "
               "tenon_state_set gives it one"));
  EXPECT(fails(tenon_state_get(run->state, 0, &view), TENON_INVALID_ARGUMENT,
               "'h' has no value yet"));
  for (int i = 0; i < 8; ++i)
    h[i] = 1;
  EXPECT(ok(setBatch(run, h, 2)));
  for (int i = 1; i <= 200; ++i) {
    EXPECT(ok(step(run, x, y, 2)));
    last = last / 2 + 1;
    EXPECT(y[0] == last && y[7] == 0);
  }
  EXPECT(ok(tenon_state_get(run->state, 1, &view)));
  EXPECT(((float *)view.data)[2] == 200);
  EXPECT(ok(tenon_state_get(run->state, 2, &view)) && view.shape[0] == 600);
  for (int i = 0; i < 600; ++i)
    EXPECT(((float *)view.data)[i] == (float)(i / 3 + 1));
  return 1;
}

/* A run that fails leaves all as it was; a reset does not. */
static int keepsOrForgets(const struct run *run) {
  float x[12] = {0}, y[12];
  tenon_tensor view;
  EXPECT(fails(step(run, x, y, 3), TENON_TENSOR_MISMATCH, "'h': dimension 0"));
  EXPECT(ok(tenon_state_get(run->state, 1, &view)));
  EXPECT(((float *)view.data)[0] == 200);
  EXPECT(ok(setBatch(run, x, 0)));
  EXPECT(ok(step(run, x, y, 0)));
  tenon_state_reset(run->state);
  EXPECT(ok(tenon_state_get(run->state, 1, &view)));
  EXPECT(((float *)view.data)[1] == 0);
  EXPECT(ok(tenon_state_get(run->state, 2, &view)) && view.shape[0] == 0);
  return fails(tenon_state_get(run->state, 0, &view), TENON_INVALID_ARGUMENT,
               "'h' has no value yet");
}

/* One buffer for what does not grow in place. */
static int refusesOneBuffer(const struct run *run) {
  float x[4] = {0}, h[4], count[3] = {0}, other[3], seen[6], y[4];
  int64_t shape[2] = {1, 4}, three = 3, six = 6;
  tenon_tensor in[4] = {
      tensorOf(x, 2, shape, NULL), tensorOf(h, 2, shape, NULL),
      tensorOf(count, 1, &three, NULL), tensorOf(seen, 1, &three, NULL)};
  tenon_tensor out[4] = {
      tensorOf(y, 2, shape, NULL), tensorOf(h, 2, shape, NULL),
      tensorOf(other, 1, &three, NULL), tensorOf(seen, 1, &six, NULL)};
  return fails(tenon_run(run->context, in, 4, out, 4), TENON_TENSOR_MISMATCH,
               "'h' lies where its output does, but does not grow in place");
}

static int refusesOptions(const struct run *run) {
  const tenon_model *model = run->model;
  tenon_state *state = NULL;
  tenon_state_options options = TENON_INIT(tenon_state_options);
  options.capacity = 3;
  options.max_capacity = 2;
  EXPECT(fails(tenon_state_create(model, &options, &state),
               TENON_INVALID_ARGUMENT,
               "a capacity of 3, at most 2, is impossible"));
  options.max_capacity = 0;
  options.entry = "other";
  EXPECT(fails(tenon_state_create(model, &options, &state),
               TENON_INVALID_ARGUMENT, "the model has no entry 'other'"));
  EXPECT(fails(tenon_state_create(NULL, NULL, &state), TENON_INVALID_ARGUMENT,
               "a null argument"));
  EXPECT(fails(tenon_run_values(run->context, NULL, 0, NULL, 0),
               TENON_UNSUPPORTED,
               "a model with states is run with tenon_run_state"));
  EXPECT(fails(tenon_state_truncate(NULL, 1), TENON_INVALID_ARGUMENT,
               "a state has no such length"));
  return 1;
}

int main(int argc, char **argv) {
  static const char *const states[] = {"h=next_h", "count=next_count",
                                       "seen=next_seen"};
  if (argc != 3) {
    fprintf(stderr, "usage: replaced-states MODEL ARTIFACT\n");
    return 2;
  }
  tenon_compile_options options = TENON_INIT(tenon_compile_options);
  options.states = states;
  options.state_count = 3;
  struct run run = {0};
  if (!ok(tenon_compile_file(argv[1], argv[2], &options, NULL)) ||
      !load(argv[2], &run.model, &run.context) ||
      !ok(tenon_state_create(run.model, NULL, &run.state)))
    return 1;
  int good = isDescribed(&run) && goesOn(&run) && keepsOrForgets(&run) &&
             refusesOneBuffer(&run) && refusesOptions(&run);
  tenon_state_destroy(run.state);
  tenon_context_destroy(run.context);
  tenon_model_destroy(run.model);
  return !good;
}
