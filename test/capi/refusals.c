//===- refusals.c - sizes that do not fit, through the C API --------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file gives models of open sizes what does not fit, in each way that
// there is: one sentence with the node and the numbers comes back, the output
// is as it was, and the context then runs what does fit.
//===----------------------------------------------------------------------===//
#include "test/capi/Check.h"

enum { mostInputs = 2, mostElements = 4096, untouched = 0x5a };

/* An input: floats, or integers that are all `value`. */
struct given {
  int32_t rank;
  int64_t shape[2];
  int isInteger;
  int64_t value;
};

struct refusal {
  const char *what;
  const char *graph; ///< behind the header
  const char *message;
  struct given bad[mostInputs], good[mostInputs];
  tenon_status_code code;
  int isComputed; ///< found out while the output is written
};

static const struct refusal refusals[] = {
    {"sizes that contradict each other",
     "(float[n, k] x, float[l, m] z) => (float[a, b] y) { [op] y = MatMul(x, "
     "z) }",
     "'x': dimension 1 (k) is 3, but must be equal to 4 (dimension 0 of 'z') "
     "(node 'op')",
     {{2, {2, 3}}, {2, {4, 5}}},
     {{2, {2, 4}}, {2, {4, 5}}},
     TENON_TENSOR_MISMATCH},
    {"sizes that do not broadcast",
     "(float[n] x, float[m] z) => (float[k] y) { [op] y = Add(x, z) }",
     "'x': dimension 0 (n) is 2, but must broadcast with 3 (dimension 0 of "
     "'z') (node 'op')",
     {{1, {2}}, {1, {3}}},
     {{1, {1}}, {1, {3}}},
     TENON_TENSOR_MISMATCH},
    {"a guard",
     "(float[2, 3] x, int64[2] s) => (float[2, 3] y) { [op] y = Expand(x, s) }",
     "'op': dimension 0 (op_size_0) is 5, but must be equal to 2 (node 'op')",
     {{2, {2, 3}}, {1, {2}, 1, 5}},
     {{2, {2, 3}}, {1, {2}, 1, 1}},
     TENON_TENSOR_MISMATCH},
    {"a negative extent",
     "(int64[1] n) => (float[m] y) <int64[1] two = {2}> { s = Sub(n, two) "
     "[op] y = ConstantOfShape(s) }",
     "node 'op': a size would be -2",
     {{1, {1}, 1, 0}},
     {{1, {1}, 1, 5}},
     TENON_TENSOR_MISMATCH},
    {"a product of data beyond the address space",
     "(int64[2] n) => (float[m, k] y) { [op] y = ConstantOfShape(n) }",
     "node 'op': a tensor [4294967296x4294967296] has more bytes than can be "
     "counted",
     {{1, {2}, 1, 1ll << 32}},
     {{1, {2}, 1, 3}},
     TENON_OUT_OF_MEMORY},
    {"a product of sizes beyond the address space",
     "(float[n] x, float[m] z) => (float[a, b] y) <int64[1] much = {1048576}> "
     "{ s = Shape(x) t = Shape(z) a = Mul(s, much) b = Mul(t, much) c = "
     "Concat<axis = 0>(a, b) [op] y = ConstantOfShape(c) }",
     ", a size that is too large (node 'op')",
     {{1, {2048}}, {1, {2048}}},
     {{1, {0}}, {1, {2048}}},
     TENON_TENSOR_MISMATCH},
    {"a k of data beyond the axis",
     "(float[4] x, int64[1] k) => (float[a] y) { [op] y, i = TopK(x, k) }",
     "node 'op': sizes [9] are beyond a limit by 5",
     {{1, {4}}, {1, {1}, 1, 9}},
     {{1, {4}}, {1, {1}, 1, 4}},
     TENON_TENSOR_MISMATCH},
    {"a k beyond an open axis",
     "(float[n] x) => (float[a] y) <int64[1] k = {3}> { [op] y, i = TopK(x, "
     "k) }",
     "'x': dimension 0 (n) is 2, but must be at least 3 (node 'op')",
     {{1, {2}}},
     {{1, {3}}},
     TENON_TENSOR_MISMATCH},
    {"an index outside",
     "(float[l] x, int64[n] i) => (float[n] y) { [op] y = Gather(x, i) }",
     "node 'op': an index is out of range: it selects from 3 rows",
     {{1, {3}}, {1, {2}, 1, 7}},
     {{1, {3}}, {1, {2}, 1, 2}},
     TENON_INDEX_OUT_OF_RANGE,
     1},
    {"more rows than declared",
     "(float[n] x, int64[2] z) => (int64[1, 2] y) { [count] i = NonZero(x) "
     "[op] y = Add(i, z) }",
     "'count': dimension 1 (count_0_1) is 3, but must broadcast with 2 (node "
     "'op')",
     {{1, {3}}, {1, {2}, 1, 1}},
     {{1, {2}}, {1, {2}, 1, 1}},
     TENON_TENSOR_MISMATCH},
};

static float ones[mostElements];
static int64_t integers[mostInputs][8];

static tenon_tensor tensorFrom(const struct given *given, int64_t *room) {
  tenon_tensor tensor =
      tensorOf(ones, given->rank, (int64_t *)given->shape, NULL);
  if (!given->isInteger)
    return tensor;
  for (int i = 0; i < 8; ++i)
    room[i] = given->value;
  tensor.data = room;
  tensor.dtype.code = TENON_INT;
  tensor.dtype.bits = 64;
  return tensor;
}

static tenon_status *run(tenon_context *context, const struct given *given,
                         unsigned char *bytes) {
  tenon_tensor inputs[mostInputs];
  int count = 0;
  for (; count < mostInputs && given[count].rank; ++count)
    inputs[count] = tensorFrom(&given[count], integers[count]);
  int64_t shape[4];
  tenon_output_buffer output = {0};
  output.data = bytes;
  output.capacity = mostElements;
  output.shape = shape;
  return tenon_run_into(context, inputs, count, &output, 1);
}

static int isUntouched(const unsigned char *bytes) {
  for (int i = 0; i < mostElements; ++i)
    EXPECT(bytes[i] == untouched);
  return 1;
}

static int compile(const struct refusal *refusal, tenon_sink *sink) {
  char text[1024];
  int size = snprintf(text, sizeof text,
                      "<ir_version: 8, opset_import: [\"\" : 13]>\nnet %s\n",
                      refusal->graph);
  tenon_source source = TENON_INIT(tenon_source);
  source.data = text;
  source.size = (size_t)size;
  source.name = "refusal.onnxtxt";
  return ok(tenon_compile(&source, sink, NULL, NULL));
}

static int isRefused(const struct refusal *refusal) {
  tenon_sink sink = TENON_INIT(tenon_sink);
  tenon_model *model = NULL;
  tenon_context *context = NULL;
  _Alignas(64) unsigned char bytes[mostElements];
  EXPECT(compile(refusal, &sink));
  EXPECT(ok(tenon_model_load_memory(sink.data, sink.size, NULL, &model)));
  EXPECT(ok(tenon_context_create(model, NULL, &context)));
  for (int times = 0; times < 2; ++times) {
    memset(bytes, untouched, sizeof bytes);
    EXPECT(fails(run(context, refusal->bad, bytes), refusal->code,
                 refusal->message));
    EXPECT(refusal->isComputed || isUntouched(bytes));
    EXPECT(ok(run(context, refusal->good, bytes)));
  }
  tenon_context_destroy(context);
  tenon_model_destroy(model);
  tenon_sink_release(&sink);
  return 1;
}

int main(void) {
  int wrong = 0;
  for (int i = 0; i < mostElements; ++i)
    ones[i] = 1;
  for (size_t i = 0; i < sizeof refusals / sizeof *refusals; ++i)
    if (!isRefused(&refusals[i])) {
      fprintf(stderr, "wrong: %s\n", refusals[i].what);
      ++wrong;
    }
  return wrong;
}
