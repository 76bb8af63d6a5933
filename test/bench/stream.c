//===- stream.c - speech through a detector, chunk by chunk ---------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file runs a compiled silero-vad over samples as a program would that
// gets them from a microphone: each chunk with the end of the one before and
// the state that it left. It writes a probability for each chunk, and prints
// the fastest of several passes, in microseconds for a chunk.
//
//   stream MODEL SAMPLES.f32 RATE OUT.f32
//===----------------------------------------------------------------------===//
#include "tenon-c/Runtime.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { PASSES = 5, STATE = 2 * 128 };

static void check(tenon_status *status) {
  if (!status)
    return;
  fprintf(stderr, "stream: %s\n", tenon_status_message(status));
  exit(1);
}

static double now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return (double)time.tv_sec * 1e6 + (double)time.tv_nsec / 1e3;
}

static float *readSamples(const char *path, size_t *count) {
  FILE *file = fopen(path, "rb");
  if (!file || fseek(file, 0, SEEK_END)) {
    fprintf(stderr, "stream: cannot read '%s'\n", path);
    exit(1);
  }
  *count = (size_t)ftell(file) / sizeof(float);
  float *samples = malloc(*count * sizeof(float) + 1);
  rewind(file);
  if (!samples || fread(samples, sizeof(float), *count, file) != *count) {
    fprintf(stderr, "stream: '%s' is cut off\n", path);
    exit(1);
  }
  fclose(file);
  return samples;
}

static tenon_tensor over(void *data, tenon_dtype type, int32_t rank,
                         int64_t *shape) {
  return (tenon_tensor){.data = data,
                        .device = {TENON_DEVICE_CPU, 0},
                        .ndim = rank,
                        .dtype = type,
                        .shape = shape};
}

/// What a pass needs; the context is from `samples` of the chunk before.
struct stream {
  tenon_context *context;
  const float *samples;
  /// Of the model's inputs: i the chunk, s the state, r the rate.
  char order[3];
  size_t inputs;
  int64_t rate;
  int64_t chunk;
  int64_t before;
  size_t chunks;
  float *input;
  float *probabilities;
};

static void runChunk(struct stream *stream, size_t index, float *state,
                     float *next) {
  int64_t all = stream->before + stream->chunk;
  memmove(stream->input, stream->input + stream->chunk,
          (size_t)stream->before * sizeof(float));
  memcpy(stream->input + stream->before,
         stream->samples + index * (size_t)stream->chunk,
         (size_t)stream->chunk * sizeof(float));
  const tenon_dtype f32 = {TENON_FLOAT, 32, 1}, i64 = {TENON_INT, 64, 1};
  int64_t inputShape[] = {1, all}, stateShape[] = {2, 1, 128}, one[] = {1, 1};
  tenon_tensor inputs[3];
  for (size_t i = 0; i < stream->inputs; ++i)
    inputs[i] = stream->order[i] == 'i'
                    ? over(stream->input, f32, 2, inputShape)
                : stream->order[i] == 's' ? over(state, f32, 3, stateShape)
                                          : over(&stream->rate, i64, 0, NULL);
  tenon_tensor outputs[] = {over(&stream->probabilities[index], f32, 2, one),
                            over(next, f32, 3, stateShape)};
  check(tenon_run(stream->context, inputs, stream->inputs, outputs, 2));
}

/// Variants of the model have the same inputs in another order.
static void findInputs(struct stream *stream, const tenon_model *model) {
  stream->inputs = tenon_model_input_count(model);
  for (size_t i = 0; i < stream->inputs && i < 3; ++i) {
    tenon_tensor_info info = TENON_INIT(tenon_tensor_info);
    check(tenon_model_input(model, i, &info));
    stream->order[i] = strcmp(info.name, "input") == 0   ? 'i'
                       : strcmp(info.name, "state") == 0 ? 's'
                                                         : 'r';
  }
}

static double runAll(struct stream *stream) {
  float states[2][STATE] = {{0}};
  memset(stream->input, 0,
         (size_t)(stream->before + stream->chunk) * sizeof(float));
  double begin = now();
  for (size_t i = 0; i < stream->chunks; ++i)
    runChunk(stream, i, states[i % 2], states[1 - i % 2]);
  return (now() - begin) / (double)stream->chunks;
}

int main(int count, char **words) {
  if (count != 5) {
    fprintf(stderr, "usage: stream MODEL SAMPLES.f32 RATE OUT.f32\n");
    return 2;
  }
  tenon_model *model;
  check(tenon_model_load_file(words[1], NULL, &model));
  tenon_context_options options = TENON_INIT(tenon_context_options);
  options.threads = 1;
  struct stream stream = {.rate = atol(words[3])};
  findInputs(&stream, model);
  check(tenon_context_create(model, &options, &stream.context));
  size_t samples;
  float *read = readSamples(words[2], &samples);
  stream.samples = read;
  stream.chunk = stream.rate / 125 * 4;
  stream.before = stream.chunk / 8;
  stream.chunks = samples / (size_t)stream.chunk;
  stream.input = malloc((size_t)(stream.before + stream.chunk) * sizeof(float));
  stream.probabilities = malloc((stream.chunks + 1) * sizeof(float));
  if (!stream.input || !stream.probabilities)
    return 1;
  double best = runAll(&stream);
  for (int i = 1; i < PASSES; ++i) {
    double time = runAll(&stream);
    best = time < best ? time : best;
  }
  FILE *out = fopen(words[4], "wb");
  size_t written =
      out ? fwrite(stream.probabilities, sizeof(float), stream.chunks, out) : 0;
  if (!out || fclose(out) || written != stream.chunks) {
    fprintf(stderr, "stream: cannot write '%s'\n", words[4]);
    return 1;
  }
  printf("%.2f\n", best);
  free(stream.input);
  free(stream.probabilities);
  free(read);
  tenon_context_destroy(stream.context);
  tenon_model_destroy(model);
  return 0;
}
