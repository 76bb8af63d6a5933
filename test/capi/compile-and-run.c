//===- compile-and-run.c - both C APIs in one program ---------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file compiles the model given as argument, y = relu(x) + x on 2x3, and
// runs it; then it checks that a missing model is an error with a message.
//===----------------------------------------------------------------------===//
#include "tenon-c/Compiler.h"

#include <stdio.h>
#include <string.h>

static int failed(tenon_status *status) {
  if (!status)
    return 0;
  fprintf(stderr, "%s\n", tenon_status_message(status));
  tenon_status_destroy(status);
  return 1;
}

/* What the compiler says without a place to write to. */
static int refusesNull(const char *model) {
  tenon_status *status = tenon_compile_file(model, NULL, NULL, NULL);
  int wrong =
      !status || strcmp(tenon_status_message(status), "a path is NULL") != 0;
  if (wrong)
    fprintf(stderr, "a path that is NULL was accepted\n");
  tenon_status_destroy(status);
  return !wrong;
}

static int runModel(const char *path) {
  tenon_model *model = NULL;
  tenon_context *context = NULL;
  tenon_tensor_info info = TENON_INIT(tenon_tensor_info);
  if (failed(tenon_model_load_file(path, NULL, &model)) ||
      failed(tenon_model_input(model, 0, &info)) ||
      failed(tenon_context_create(model, NULL, &context)))
    return 1;
  float x[6] = {-3, -2, -1, 1, 2, 3}, y[6];
  tenon_tensor input = tenon_tensor_over(&info, x);
  tenon_tensor output = tenon_tensor_over(&info, y);
  int wrong = failed(tenon_run(context, &input, 1, &output, 1));
  for (int i = 0; i < 6 && !wrong; ++i)
    wrong = y[i] != (x[i] > 0 ? 2 * x[i] : x[i]);
  tenon_context_destroy(context);
  tenon_model_destroy(model);
  return wrong;
}

/* The same with guards. */
static int runsGuarded(const char *model, const char *artifact) {
  tenon_compile_options options = TENON_INIT(tenon_compile_options);
  options.guard_memory = true;
  return !failed(tenon_compile_file(model, artifact, &options, NULL)) &&
         !runModel(artifact);
}

/* A folder beside the artifact: the second time it has all kernels. */
static int caches(const char *model, const char *artifact) {
  char folder[4096];
  snprintf(folder, sizeof folder, "%s.kernels", artifact);
  tenon_compile_options options = TENON_INIT(tenon_compile_options);
  tenon_compile_report report = TENON_INIT(tenon_compile_report);
  options.kernel_cache = folder;
  options.kernel_cache_bytes = 1 << 20;
  for (int i = 0; i < 2; ++i)
    if (failed(tenon_compile_file(model, artifact, &options, &report)))
      return 0;
  return report.cached_kernel_count == report.kernel_count &&
         !runModel(artifact);
}

static int refuses(const char *model, const char *artifact,
                   const tenon_compile_options *options, const char *why) {
  tenon_status *status = tenon_compile_file(model, artifact, options, NULL);
  int right = status && strstr(tenon_status_message(status), why);
  tenon_status_destroy(status);
  return right;
}

/* Names of choices, known ones and others. */
static int readsChoices(const char *model, const char *artifact) {
  tenon_compile_options options = TENON_INIT(tenon_compile_options);
  options.winograd = "exact";
  options.no_bf16x6 = true;
  options.unchecked_indices = true;
  options.weights = "bf16";
  if (failed(tenon_compile_file(model, artifact, &options, NULL)) ||
      runModel(artifact))
    return 0;
  options.precision = "f8";
  if (!refuses(model, artifact, &options,
               "precision is not \"f32\", \"tf32\", \"f16\" or "
               "\"bf16\""))
    return 0;
  options.precision = NULL;
  options.device = "tpu";
  options.weights = NULL;
  if (!refuses(model, artifact, &options, "unknown device 'tpu'"))
    return 0;
  options.device = NULL;
  options.weights = "f8";
  if (!refuses(model, artifact, &options,
               "weights is not \"f32\", \"f16\" or \"bf16\""))
    return 0;
  options.winograd = "fast";
  return refuses(model, artifact, &options,
                 "winograd is not \"off\", \"exact\", \"safe\" or \"max\"");
}

/* Without fusion, each of the two operations is a kernel. */
static int fuses(const char *model, const char *artifact) {
  tenon_compile_options options = TENON_INIT(tenon_compile_options);
  static const char *const modes[] = {"off", "atoms", "greedy", "full"};
  for (int i = 0; i < 4; ++i) {
    tenon_compile_report report = TENON_INIT(tenon_compile_report);
    options.fusion = modes[i];
    if (failed(tenon_compile_file(model, artifact, &options, &report)) ||
        runModel(artifact) || report.kernel_count != (i == 0 ? 2 : 1))
      return 0;
  }
  options.fusion = "all";
  return refuses(model, artifact, &options,
                 "fusion is not \"off\", \"atoms\", \"greedy\" or \"full\"");
}

/* What contradicts itself, and values of inputs. */
static int readsValues(const char *model, const char *artifact) {
  static const char *const known[] = {"x=2"};
  static const char *const unknown[] = {"z=2"};
  tenon_compile_options options = TENON_INIT(tenon_compile_options);
  options.strict = true;
  options.winograd = "safe";
  if (!refuses(model, artifact, &options,
               "strict and winograd=safe contradict each other"))
    return 0;
  options.winograd = "off";
  options.constants = unknown;
  options.constant_count = 1;
  if (!refuses(model, artifact, &options, "no input 'z' to fix the value of"))
    return 0;
  options.constants = known;
  tenon_model *loaded = NULL;
  int right = !failed(tenon_compile_file(model, artifact, &options, NULL)) &&
              !failed(tenon_model_load_file(artifact, NULL, &loaded)) &&
              tenon_model_input_count(loaded) == 0;
  tenon_model_destroy(loaded);
  return right;
}

/* Code for two machines, one of which this is. */
static int compilesForOthers(const char *model, const char *artifact) {
  static const char *const triples[] = {"x86_64-linux-gnu",
                                        "aarch64-linux-gnu"};
  int loaded = 0;
  for (int i = 0; i < 2; ++i) {
    tenon_compile_options options = TENON_INIT(tenon_compile_options);
    options.triple = triples[i];
    if (failed(tenon_compile_file(model, artifact, &options, NULL)))
      return 0;
    tenon_model *other = NULL;
    tenon_status *status = tenon_model_load_file(artifact, NULL, &other);
    loaded += !status;
    tenon_status_destroy(status);
    tenon_model_destroy(other);
  }
  return loaded == 1;
}

int main(int argc, char **argv) {
  if (argc != 3) {
    fprintf(stderr, "usage: compile-and-run MODEL ARTIFACT\n");
    return 2;
  }
  tenon_compile_options options = TENON_INIT(tenon_compile_options);
  tenon_compile_report report = TENON_INIT(tenon_compile_report);
  if (failed(tenon_compile_file(argv[1], argv[2], &options, &report)))
    return 1;
  if (report.kernel_count == 0 || report.artifact_bytes == 0) {
    fprintf(stderr, "the report is empty\n");
    return 1;
  }
  tenon_status *missing =
      tenon_compile_file("does-not-exist.onnx", argv[2], NULL, NULL);
  if (!missing || !*tenon_status_message(missing)) {
    fprintf(stderr, "a missing model was accepted\n");
    return 1;
  }
  tenon_status_destroy(missing);
  return !refusesNull(argv[1]) || runModel(argv[2]) ||
         !runsGuarded(argv[1], argv[2]) || !caches(argv[1], argv[2]) ||
         !readsChoices(argv[1], argv[2]) || !fuses(argv[1], argv[2]) ||
         !readsValues(argv[1], argv[2]) || !compilesForOthers(argv[1], argv[2]);
}
