//===- training.c - parameters as states, through the C API ---------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file trains y = x w + b, and reads, copies, saves and loads what it
// learns. No file that is damaged or of another model changes a state.
//===----------------------------------------------------------------------===//
#include "test/capi/Check.h"

#include <pthread.h>
#include <stdlib.h>

struct run {
  tenon_model *model;
  tenon_context *step, *eval;
};

static float x[6] = {1, 2, 3, 4, 5, 6}, t[4] = {1, 0, 0, 1};
static int64_t xShape[2] = {2, 3}, yShape[2] = {2, 2};

static int trains(const struct run *run, tenon_state *state, float *loss) {
  float y[4], rate = 0.01f;
  tenon_tensor in[3] = {tensorOf(x, 2, xShape, NULL),
                        tensorOf(&rate, 0, NULL, NULL),
                        tensorOf(t, 2, yShape, NULL)};
  tenon_tensor out[2] = {tensorOf(y, 2, yShape, NULL),
                         tensorOf(loss, 0, NULL, NULL)};
  return ok(tenon_run_state(run->step, state, in, 3, out, 2));
}

static tenon_status *evaluate(const struct run *run, tenon_state *state,
                              float *y, float *loss) {
  tenon_tensor in[2] = {tensorOf(x, 2, xShape, NULL),
                        tensorOf(t, 2, yShape, NULL)};
  tenon_tensor out[2] = {tensorOf(y, 2, yShape, NULL),
                         tensorOf(loss, 0, NULL, NULL)};
  return tenon_run_state(run->eval, state, in, 2, out, 2);
}

/* The number of the state of that name; its value in `view`. */
static size_t find(const tenon_state *state, const char *name,
                   tenon_tensor *view) {
  size_t i = 0;
  tenon_state_tensor info = TENON_INIT(tenon_state_tensor);
  for (; i < tenon_state_count(state); ++i)
    if (ok(tenon_state_describe(state, i, &info)) &&
        strcmp(info.name, name) == 0)
      break;
  return ok(tenon_state_get(state, i, view)) ? i : SIZE_MAX;
}

static int isDescribed(const tenon_state *state) {
  static const struct {
    const char *name;
    tenon_state_role role;
    int32_t rank;
  } wanted[] = {{"w.momentum", TENON_STATE_MOMENT, 2},
                {"w", TENON_STATE_PARAMETER, 2},
                {"b", TENON_STATE_PARAMETER, 1},
                {"step", TENON_STATE_COUNTER, 0}};
  for (size_t i = 0; i < sizeof wanted / sizeof *wanted; ++i) {
    tenon_tensor view;
    size_t index = find(state, wanted[i].name, &view);
    tenon_state_tensor info = TENON_INIT(tenon_state_tensor);
    EXPECT(ok(tenon_state_describe(state, index, &info)));
    EXPECT(info.role == wanted[i].role && info.rank == wanted[i].rank);
    EXPECT(info.has_value);
  }
  tenon_state_tensor info = TENON_INIT(tenon_state_tensor);
  EXPECT(tenon_state_count(state) == 5);
  return fails(tenon_state_describe(state, 5, &info), TENON_INVALID_ARGUMENT,
               "there is no state 5");
}

/* A step overwrites w where it lies. */
static int updatesInPlace(const struct run *run, tenon_state *state) {
  tenon_tensor before, after;
  tenon_state_info info = TENON_INIT(tenon_state_info);
  float loss;
  size_t index = find(state, "w", &before);
  float first = *(float *)before.data;
  EXPECT(ok(tenon_model_state(run->model, 0, index, &info)));
  EXPECT(info.is_updated && info.axis == -1);
  EXPECT(trains(run, state, &loss) && find(state, "w", &after) == index);
  EXPECT(after.data == before.data && *(float *)after.data != first);
  tenon_state_reset(state);
  return 1;
}

/* What is trained can be read before the first step, and after a reset. */
static int beginsAsTheModel(const struct run *run, tenon_state *state) {
  tenon_tensor w;
  float y[4], first, loss;
  find(state, "w", &w);
  for (int i = 0; i < 6; ++i)
    EXPECT(((float *)w.data)[i] == (float)(i + 1));
  EXPECT(ok(evaluate(run, state, y, &first)));
  EXPECT(y[0] == 22.5f && y[1] == 27.5f && y[2] == 49.5f && y[3] == 63.5f);
  EXPECT(trains(run, state, &loss) && loss == first);
  EXPECT(ok(evaluate(run, state, y, &loss)) && loss < first);
  tenon_state_reset(state);
  EXPECT(ok(evaluate(run, state, y, &loss)) && loss == first);
  return 1;
}

static int areEqual(const tenon_state *a, const tenon_state *b) {
  for (size_t i = 0; i < tenon_state_count(a); ++i) {
    tenon_tensor x, y;
    EXPECT(ok(tenon_state_get(a, i, &x)) && ok(tenon_state_get(b, i, &y)));
    size_t bytes = x.dtype.bits / 8;
    for (int32_t k = 0; k < x.ndim; ++k)
      bytes *= (size_t)x.shape[k];
    if (memcmp(x.data, y.data, bytes))
      return 0;
  }
  return 1;
}

/* A copy, and one by way of a file, go on as the first does. */
static int goesOn(const struct run *run, tenon_state *state, const char *path) {
  tenon_state *copy = NULL, *read = NULL;
  float loss, same;
  tenon_state_file about = TENON_INIT(tenon_state_file);
  about.seed = 7;
  for (int i = 0; i < 3; ++i)
    EXPECT(trains(run, state, &loss));
  EXPECT(ok(tenon_state_clone(state, &copy)) && areEqual(state, copy));
  EXPECT(ok(tenon_state_save(state, path, &about)));
  EXPECT(ok(tenon_state_create(run->model, NULL, &read)));
  EXPECT(!areEqual(state, read));
  about.seed = 0;
  EXPECT(ok(tenon_state_load(read, path, &about)));
  EXPECT(about.seed == 7 && about.step == 3 && areEqual(state, read));
  EXPECT(trains(run, state, &loss));
  EXPECT(!areEqual(state, copy));
  EXPECT(trains(run, copy, &same) && same == loss && areEqual(state, copy));
  EXPECT(trains(run, read, &same) && same == loss && areEqual(state, read));
  tenon_state_destroy(copy);
  tenon_state_destroy(read);
  return 1;
}

/* Writes the file with `from` (as long as `to`) replaced, cut to `size` bytes
   where that is not 0. */
static int writeChanged(const char *path, const char *changed, const char *from,
                        const char *to, size_t size) {
  static char bytes[4096];
  FILE *file = fopen(path, "rb");
  EXPECT(file);
  size_t count = fread(bytes, 1, sizeof bytes, file);
  fclose(file);
  size_t length = strlen(from), at = 8;
  while (length && at + length < count && memcmp(bytes + at, from, length))
    ++at;
  EXPECT(at + length < count);
  memcpy(bytes + at, to, length);
  file = fopen(changed, "wb");
  EXPECT(file);
  fwrite(bytes, 1, size ? size : count, file);
  return fclose(file) == 0;
}

static const char anotherShape[] =
    "has another type or shape than the state of this model";
static const char anotherModel[] =
    "is of another model: names, types or shapes of states differ";

static int refusesFiles(const struct run *run, const char *path,
                        const char *changed) {
  static const struct {
    const char *from, *to;
    size_t size;
    tenon_status_code code;
    const char *text;
  } cases[] = {
      {"", "", 4, TENON_BAD_ARTIFACT, "is cut off"},
      {"", "", 200, TENON_BAD_ARTIFACT, "is cut off, or no file of tensors"},
      {"\"w\"", "\"v\"", 0, TENON_TENSOR_MISMATCH,
       "is none of this one's states"},
      {"[3,2]", "[2,3]", 0, TENON_TENSOR_MISMATCH, anotherShape},
      {"F32", "I32", 0, TENON_TENSOR_MISMATCH, anotherShape},
      {"\"w\"", "\"b\"", 0, TENON_TENSOR_MISMATCH, anotherShape},
      {"\"b\"", "\"w\"", 0, TENON_BAD_ARTIFACT, "is damaged: it has 'w'"},
      {"[0,24]", "[0,28]", 0, TENON_BAD_ARTIFACT,
       "is cut off or damaged: it lacks elements of"},
      {"\"seed\"", "\"hash\"", 0, TENON_TENSOR_MISMATCH, anotherModel},
      {"\"dtype\"", "\"dType\"", 0, TENON_BAD_ARTIFACT,
       "the header of the file is damaged"},
      {"{\"__", "[\"__", 0, TENON_BAD_ARTIFACT,
       "the header of the file is damaged"},
      /* Another program's file, which has no hash, is read by names. */
      {"\"hash\"", "\"hasH\"", 0, TENON_OK, ""}};
  tenon_state *state = NULL, *fresh = NULL;
  EXPECT(ok(tenon_state_create(run->model, NULL, &state)));
  EXPECT(ok(tenon_state_create(run->model, NULL, &fresh)));
  tenon_state_file unset = {0};
  EXPECT(fails(tenon_state_load(state, path, &unset), TENON_INVALID_ARGUMENT,
               "struct_size"));
  EXPECT(areEqual(state, fresh));
  for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
    EXPECT(
        writeChanged(path, changed, cases[i].from, cases[i].to, cases[i].size));
    EXPECT(fails(tenon_state_load(state, changed, NULL), cases[i].code,
                 cases[i].text));
    EXPECT(areEqual(state, fresh) == (cases[i].code != TENON_OK));
  }
  EXPECT(fails(tenon_state_load(state, "/nowhere/s", NULL), TENON_IO_ERROR,
               "/nowhere/s"));
  EXPECT(fails(tenon_state_save(state, "/nowhere/s", NULL), TENON_IO_ERROR,
               "cannot write '/nowhere/s'"));
  tenon_state_destroy(state);
  tenon_state_destroy(fresh);
  return 1;
}

struct writer {
  const tenon_state *state;
  const char *path;
  int isGood;
};

static void *saveOften(void *user) {
  struct writer *writer = user;
  writer->isGood = 1;
  for (int i = 0; i < 50; ++i)
    writer->isGood &= ok(tenon_state_save(writer->state, writer->path, NULL));
  return NULL;
}

/* Of two that write one file at once, each writes all of it or nothing. */
static int takesTurns(const struct run *run, const char *path) {
  tenon_state *state = NULL, *read = NULL;
  pthread_t threads[2];
  struct writer writers[2];
  EXPECT(ok(tenon_state_create(run->model, NULL, &state)));
  EXPECT(ok(tenon_state_create(run->model, NULL, &read)));
  for (int i = 0; i < 2; ++i) {
    writers[i] = (struct writer){state, path, 0};
    EXPECT(pthread_create(&threads[i], NULL, saveOften, &writers[i]) == 0);
  }
  for (int i = 0; i < 2; ++i) {
    pthread_join(threads[i], NULL);
    EXPECT(writers[i].isGood);
  }
  EXPECT(ok(tenon_state_load(read, path, NULL)) && areEqual(state, read));
  tenon_state_destroy(state);
  tenon_state_destroy(read);
  return 1;
}

/* An entry that only reads has a state of its own, but none that trains. */
static int refusesStates(const struct run *run) {
  tenon_state *state = NULL;
  tenon_state_options options = TENON_INIT(tenon_state_options);
  tenon_state_info info = TENON_INIT(tenon_state_info);
  float y[4], loss, rate = 0;
  options.entry = "eval";
  EXPECT(ok(tenon_model_state(run->model, 1, 0, &info)));
  EXPECT(info.output == TENON_NO_OUTPUT);
  EXPECT(ok(tenon_state_create(run->model, &options, &state)));
  EXPECT(ok(evaluate(run, state, y, &loss)) && y[0] == 22.5f);
  tenon_tensor in[3] = {tensorOf(x, 2, xShape, NULL),
                        tensorOf(&rate, 0, NULL, NULL),
                        tensorOf(t, 2, yShape, NULL)};
  EXPECT(fails(tenon_run_state(run->step, state, in, 3, in, 2),
               TENON_INVALID_ARGUMENT,
               "the state is one of another model or entry"));
  tenon_state_destroy(state);
  return 1;
}

struct nested {
  const struct run *run;
  tenon_state *state;
  int isRefused;
};

static const char isInUse[] =
    "the state is in use in another thread: one context at a time runs on it";

/* Memory for a state, whose run it uses to run on the state a second time. */
static void *allocateNested(void *user, size_t size, size_t alignment) {
  struct nested *nested = user;
  float y[4], loss;
  if (nested->state && !nested->isRefused)
    nested->isRefused = fails(evaluate(nested->run, nested->state, y, &loss),
                              TENON_BUSY, isInUse);
  return aligned_alloc(alignment,
                       (size + alignment - 1) / alignment * alignment);
}

static void releaseNested(void *user, void *pointer) {
  (void)user;
  free(pointer);
}

static int runsOnce(const struct run *run) {
  struct nested nested = {run, NULL, 0};
  tenon_state_options options = TENON_INIT(tenon_state_options);
  float loss;
  options.allocator.allocate = allocateNested;
  options.allocator.release = releaseNested;
  options.allocator.user = &nested;
  tenon_state *state = NULL;
  EXPECT(ok(tenon_state_create(run->model, &options, &state)));
  nested.state = state;
  EXPECT(trains(run, state, &loss) && nested.isRefused);
  nested.state = NULL;
  tenon_state_destroy(state);
  return 1;
}

static int runAll(const char *path, const char *saved, const char *changed) {
  struct run run = {0};
  tenon_state *state = NULL;
  tenon_context_options options = TENON_INIT(tenon_context_options);
  options.threads = 1;
  options.entry = "eval";
  int good = load(path, &run.model, &run.step) &&
             ok(tenon_context_create(run.model, &options, &run.eval)) &&
             ok(tenon_state_create(run.model, NULL, &state)) &&
             isDescribed(state) && updatesInPlace(&run, state) &&
             beginsAsTheModel(&run, state) && goesOn(&run, state, saved) &&
             refusesFiles(&run, saved, changed) && takesTurns(&run, changed) &&
             refusesStates(&run) && runsOnce(&run);
  tenon_state_destroy(state);
  tenon_context_destroy(run.step);
  tenon_context_destroy(run.eval);
  tenon_model_destroy(run.model);
  return good;
}

int main(int argc, char **argv) {
  static const char *const words[] = {"--train", "--loss=mse(y, t)",
                                      "--optimizer=sgd(momentum=0.9)"};
  if (argc != 5) {
    fprintf(stderr, "usage: training MODEL ARTIFACT STATE CHANGED\n");
    return 2;
  }
  tenon_compile_options options = TENON_INIT(tenon_compile_options);
  options.arguments = words;
  options.argument_count = 3;
  if (!ok(tenon_compile_file(argv[1], argv[2], &options, NULL)))
    return 1;
  return !runAll(argv[2], argv[3], argv[4]);
}
