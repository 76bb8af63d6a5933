//===- states.c - states between runs, through the C API ------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file compiles an attention over what came before, with states and
// without, and runs both step by step: outputs are the same bits, however the
// state is kept.
//===----------------------------------------------------------------------===//
#include "test/capi/Check.h"

enum { heads = 6, width = 8, most = 40, pieces = heads * most * width };

/* One step: its inputs, and what must come out. */
struct step {
  int64_t shape[4], past[4], present[4];
  float given[3][heads * 4 * width];
  float y[heads * 4 * width];
};

static void makeStep(struct step *step, int64_t length, int64_t past,
                     unsigned seed) {
  int64_t shape[4] = {2, 3, length, width};
  memcpy(step->shape, shape, sizeof shape);
  memcpy(step->past, shape, sizeof shape);
  memcpy(step->present, shape, sizeof shape);
  step->past[2] = past;
  step->present[2] = past + length;
  for (int k = 0; k < 3; ++k)
    for (int i = 0; i < heads * length * width; ++i) {
      seed = seed * 1664525u + 1013904223u;
      step->given[k][i] = (float)(seed >> 8) / (1 << 23) - 1;
    }
}

/* Runs a step as any model: all tensors are the caller's. */
static tenon_status *runDense(tenon_context *context, struct step *step,
                              float *past[2], float *present[2], float *y) {
  tenon_tensor in[5], out[3];
  for (int k = 0; k < 3; ++k)
    in[k] = tensorOf(step->given[k], 4, step->shape, NULL);
  out[0] = tensorOf(y, 4, step->shape, NULL);
  for (int k = 0; k < 2; ++k) {
    in[3 + k] = tensorOf(past[k], 4, step->past, NULL);
    out[1 + k] = tensorOf(present[k], 4, step->present, NULL);
  }
  return tenon_run(context, in, 5, out, 3);
}

/* Runs a step in buffers that grow in place. */
static tenon_status *runInPlace(tenon_context *context, struct step *step,
                                float *kept[2], int64_t capacity, float *y) {
  int64_t strides[4] = {3 * capacity * width, capacity * width, width, 1};
  tenon_tensor in[5], out[3];
  for (int k = 0; k < 3; ++k)
    in[k] = tensorOf(step->given[k], 4, step->shape, NULL);
  out[0] = tensorOf(y, 4, step->shape, NULL);
  for (int k = 0; k < 2; ++k) {
    in[3 + k] = tensorOf(kept[k], 4, step->past, strides);
    out[1 + k] = tensorOf(kept[k], 4, step->present, strides);
  }
  return tenon_run(context, in, 5, out, 3);
}

static tenon_status *runState(tenon_context *context, tenon_state *state,
                              struct step *step, float *y) {
  tenon_tensor in[3], out = tensorOf(y, 4, step->shape, NULL);
  for (int k = 0; k < 3; ++k)
    in[k] = tensorOf(step->given[k], 4, step->shape, NULL);
  return tenon_run_state(context, state, in, 3, &out, 1);
}

/* Whether a view of a state has the elements of a dense tensor. */
static int sameElements(const tenon_tensor *view, const float *dense,
                        int64_t length) {
  const float *data = view->data;
  if (view->shape[2] != length)
    return 0;
  for (int64_t row = 0; row < heads; ++row)
    if (memcmp(data + row * view->strides[1], dense + row * length * width,
               (size_t)length * width * sizeof *dense))
      return 0;
  return 1;
}

struct models {
  tenon_context *plain, *stateful;
  tenon_model *model;
};

/* Many steps, of 1 to 4 elements, in each way. */
static int runsAlike(const struct models *models) {
  static float dense[2][2][pieces], copied[2][2][pieces], kept[2][pieces];
  static struct step step;
  tenon_state_options options = TENON_INIT(tenon_state_options);
  options.capacity = 3;
  tenon_state *state = NULL;
  EXPECT(ok(tenon_state_create(models->model, &options, &state)));
  int64_t past = 0;
  for (int i = 0; past < most - 4; ++i) {
    int now = i % 2, next = 1 - now;
    float y[heads * 4 * width];
    size_t bytes = sizeof(float) * heads * width * (size_t)(1 + i % 4);
    makeStep(&step, 1 + i % 4, past, (unsigned)i);
    float *before[2] = {dense[now][0], dense[now][1]};
    float *after[2] = {dense[next][0], dense[next][1]};
    EXPECT(ok(runDense(models->plain, &step, before, after, step.y)));
    float *from[2] = {copied[now][0], copied[now][1]};
    float *to[2] = {copied[next][0], copied[next][1]};
    EXPECT(ok(runDense(models->stateful, &step, from, to, y)));
    EXPECT(memcmp(y, step.y, bytes) == 0);
    float *in[2] = {kept[0], kept[1]};
    EXPECT(ok(runInPlace(models->stateful, &step, in, most, y)));
    EXPECT(memcmp(y, step.y, bytes) == 0);
    EXPECT(ok(runState(models->stateful, state, &step, y)));
    EXPECT(memcmp(y, step.y, bytes) == 0);
    past = step.present[2];
    for (int k = 0; k < 2; ++k) {
      tenon_tensor view;
      EXPECT(ok(tenon_state_get(state, (size_t)k, &view)));
      EXPECT(sameElements(&view, dense[next][k], past));
      EXPECT(!memcmp(copied[next][k], dense[next][k],
                     sizeof(float) * heads * width * (size_t)past));
    }
  }
  tenon_state_destroy(state);
  return 1;
}

/* A state that is full stays what it is, and can be cut. */
static int keepsWhenFull(const struct models *models) {
  static struct step step;
  tenon_state_options options = TENON_INIT(tenon_state_options);
  options.capacity = 2;
  options.max_capacity = 5;
  tenon_state *state = NULL;
  float y[heads * 4 * width], before[heads * 4 * width];
  tenon_tensor view;
  EXPECT(ok(tenon_state_create(models->model, &options, &state)));
  makeStep(&step, 4, 0, 1);
  EXPECT(ok(runState(models->stateful, state, &step, before)));
  makeStep(&step, 2, 4, 2);
  EXPECT(fails(runState(models->stateful, state, &step, y),
               TENON_CAPACITY_EXCEEDED,
               "'past_k' is full: it may have 5 elements along dimension 2, "
               "and would have 6"));
  EXPECT(ok(tenon_state_get(state, 0, &view)) && view.shape[2] == 4);
  EXPECT(fails(tenon_state_truncate(state, 5), TENON_INVALID_ARGUMENT,
               "'past_k' has 4 elements along dimension 2, not 5"));
  EXPECT(ok(tenon_state_truncate(state, 0)));
  makeStep(&step, 4, 0, 1);
  EXPECT(ok(runState(models->stateful, state, &step, y)));
  EXPECT(memcmp(y, before, sizeof y) == 0);
  tenon_state_reset(state);
  EXPECT(ok(tenon_state_get(state, 1, &view)) && view.shape[2] == 0);
  tenon_state_destroy(state);
  return 1;
}

/* A state may begin with something. */
static int takesValues(const struct models *models) {
  static struct step step;
  static float kept[2][heads * 4 * width], after[2][pieces];
  tenon_state *state = NULL;
  float y[heads * 4 * width], wanted[heads * 4 * width];
  EXPECT(ok(tenon_state_create(models->model, NULL, &state)));
  makeStep(&step, 4, 0, 3);
  memcpy(kept, step.given, sizeof kept);
  for (int k = 0; k < 2; ++k) {
    tenon_tensor value = tensorOf(kept[k], 4, step.shape, NULL);
    EXPECT(ok(tenon_state_set(state, (size_t)k, &value)));
  }
  makeStep(&step, 1, 4, 4);
  float *past[2] = {kept[0], kept[1]}, *present[2] = {after[0], after[1]};
  EXPECT(ok(runDense(models->plain, &step, past, present, wanted)));
  EXPECT(ok(runState(models->stateful, state, &step, y)));
  EXPECT(!memcmp(y, wanted, sizeof(float) * heads * width));
  int64_t wrong[4] = {2, 4, 1, width};
  tenon_tensor value = tensorOf(kept[0], 4, wrong, NULL);
  EXPECT(fails(tenon_state_set(state, 0, &value), TENON_TENSOR_MISMATCH,
               "'past_k' cannot be this tensor: its type, shape or layout is "
               "not the model's"));
  EXPECT(fails(tenon_state_set(state, 2, &value), TENON_INVALID_ARGUMENT,
               "there is no state 2"));
  tenon_state_destroy(state);
  return 1;
}

/* Outputs of one length whose capacities differ; 0: the second is dense. */
static int disagreeing(const struct models *models, struct step *step,
                       int64_t capacity, const char *text) {
  static float kept[2][pieces];
  int64_t strides[2][4] = {{3 * most * width, most * width, width, 1},
                           {3 * capacity * width, capacity * width, width, 1}};
  float y[heads * 4 * width];
  tenon_tensor in[5], out[3];
  for (int k = 0; k < 3; ++k)
    in[k] = tensorOf(step->given[k], 4, step->shape, NULL);
  out[0] = tensorOf(y, 4, step->shape, NULL);
  for (int k = 0; k < 2; ++k) {
    in[3 + k] = tensorOf(kept[k], 4, step->past, NULL);
    out[1 + k] =
        tensorOf(kept[k], 4, step->present, k && !capacity ? NULL : strides[k]);
  }
  return fails(tenon_run(models->stateful, in, 5, out, 3),
               TENON_TENSOR_MISMATCH, text);
}

/* What callers can do wrong with buffers of their own. */
static int refusesBuffers(const struct models *models) {
  static float kept[2][pieces];
  static struct step step;
  float y[heads * 4 * width];
  float *in[2] = {kept[0], kept[1]};
  makeStep(&step, 2, 7, 5);
  EXPECT(fails(runInPlace(models->stateful, &step, in, 8, y),
               TENON_CAPACITY_EXCEEDED,
               "'present_k' is full: it has room for 8 elements along "
               "dimension 2, and would have 9"));
  EXPECT(fails(runDense(models->stateful, &step, in, in, y),
               TENON_TENSOR_MISMATCH,
               "'past_k' lies where its output does, but with other strides"));
  EXPECT(fails(runInPlace(models->plain, &step, in, most, y),
               TENON_TENSOR_MISMATCH,
               "'past_k' is not contiguous in row-major order"));
  EXPECT(disagreeing(models, &step, 20,
                     "'present_v' has room for 20 elements along dimension 2, "
                     "but an output of the same length has room for 40"));
  EXPECT(disagreeing(models, &step, 0,
                     "'present_v' is dense, but an output of the same length "
                     "has room for 40 elements along dimension 2"));
  tenon_state *state = NULL;
  EXPECT(ok(tenon_state_create(models->model, NULL, &state)));
  EXPECT(fails(runState(models->plain, state, &step, y), TENON_INVALID_ARGUMENT,
               "the state is one of another model or entry"));
  EXPECT(fails(tenon_run_state(models->stateful, state, NULL, 0, NULL, 0),
               TENON_INVALID_ARGUMENT,
               "beside the state the model has 3 and 1"));
  tenon_state_destroy(state);
  return 1;
}

/* Buffers that are larger than what comes out, and one that is not. */
static int runsInto(const struct models *models) {
  static float past[2][pieces], data[3][pieces];
  static struct step step;
  int64_t shapes[3][4];
  tenon_tensor in[5];
  tenon_output_buffer out[3];
  makeStep(&step, 2, 3, 6);
  for (int k = 0; k < 3; ++k) {
    in[k] = tensorOf(step.given[k], 4, step.shape, NULL);
    out[k] = (tenon_output_buffer){data[k], sizeof data[k], shapes[k], 0};
  }
  for (int k = 0; k < 2; ++k)
    in[3 + k] = tensorOf(past[k], 4, step.past, NULL);
  EXPECT(ok(tenon_run_into(models->plain, in, 5, out, 3)));
  EXPECT(shapes[0][2] == 2 && shapes[1][2] == 5 && shapes[2][3] == width);
  EXPECT(out[1].byte_size == sizeof(float) * heads * 5 * width);
  out[2].capacity = out[2].byte_size - 1;
  EXPECT(fails(tenon_run_into(models->plain, in, 5, out, 3),
               TENON_CAPACITY_EXCEEDED,
               "'present_v' takes 960 bytes; its buffer has 959"));
  EXPECT(fails(tenon_run_into(models->plain, in, 5, out, 2),
               TENON_INVALID_ARGUMENT,
               "2 outputs were given; the model has 3"));
  return 1;
}

static int runAll(const char *plainPath, const char *statefulPath) {
  struct models models = {0};
  tenon_model *plain = NULL;
  int good = load(plainPath, &plain, &models.plain) &&
             load(statefulPath, &models.model, &models.stateful) &&
             runsAlike(&models) && keepsWhenFull(&models) &&
             takesValues(&models) && refusesBuffers(&models) &&
             runsInto(&models);
  tenon_context_destroy(models.plain);
  tenon_context_destroy(models.stateful);
  tenon_model_destroy(plain);
  tenon_model_destroy(models.model);
  return good;
}

int main(int argc, char **argv) {
  static const char *const states[] = {"past_*=present_*"};
  if (argc != 4) {
    fprintf(stderr, "usage: states MODEL PLAIN STATEFUL\n");
    return 2;
  }
  tenon_compile_options options = TENON_INIT(tenon_compile_options);
  if (!ok(tenon_compile_file(argv[1], argv[2], &options, NULL)))
    return 1;
  options.states = states;
  options.state_count = 1;
  if (!ok(tenon_compile_file(argv[1], argv[3], &options, NULL)))
    return 1;
  return !runAll(argv[2], argv[3]);
}
