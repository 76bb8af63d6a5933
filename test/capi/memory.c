//===- memory.c - from and to memory, checked, watched, cancelled ---------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file compiles y = relu(x) + x, given as a file, in other ways.
//===----------------------------------------------------------------------===//
#include "test/capi/Check.h"

#include <stdlib.h>

struct bytes {
  unsigned char data[4096];
  size_t size;
};

static struct bytes readFile(const char *path) {
  struct bytes bytes = {{0}, 0};
  FILE *file = fopen(path, "rb");
  if (!file)
    return bytes;
  bytes.size = fread(bytes.data, 1, sizeof bytes.data, file);
  fclose(file);
  return bytes;
}

static tenon_source sourceOf(const struct bytes *bytes, const char *name) {
  tenon_source source = TENON_INIT(tenon_source);
  source.data = bytes->data;
  source.size = bytes->size;
  source.name = name;
  return source;
}

static int sameAsFile(const tenon_sink *sink, const char *path) {
  FILE *file = fopen(path, "rb");
  EXPECT(file);
  char *content = malloc(sink->size + 1);
  size_t size = fread(content, 1, sink->size + 1, file);
  int same = size == sink->size && !memcmp(content, sink->data, size);
  free(content);
  fclose(file);
  return same;
}

/* y[i] = f(x[i]) for 6 elements. */
static int computes(const tenon_sink *sink, float (*f)(float x)) {
  tenon_model *model = NULL;
  tenon_context *context = NULL;
  float x[6] = {-3, -2, -1, 1, 2, 3}, y[6];
  int64_t shape[2] = {2, 3};
  tenon_tensor input = tensorOf(x, 2, shape, NULL);
  tenon_tensor output = tensorOf(y, 2, shape, NULL);
  EXPECT(ok(tenon_model_load_memory(sink->data, sink->size, NULL, &model)));
  EXPECT(ok(tenon_context_create(model, NULL, &context)));
  EXPECT(ok(tenon_run(context, &input, 1, &output, 1)));
  for (int i = 0; i < 6; ++i)
    EXPECT(y[i] == f(x[i]));
  tenon_context_destroy(context);
  tenon_model_destroy(model);
  return 1;
}

static float reluPlus(float x) { return x > 0 ? 2 * x : x; }
static float plusHalf(float x) { return x + 0.5f; }

/* The same bytes as by way of files. */
static int compilesInMemory(const char *path, const char *artifact) {
  struct bytes model = readFile(path);
  tenon_source source = sourceOf(&model, "relu-add.onnxtxt");
  tenon_sink sink = TENON_INIT(tenon_sink);
  tenon_compile_report report = TENON_INIT(tenon_compile_report);
  EXPECT(ok(tenon_compile_file(path, artifact, NULL, NULL)));
  EXPECT(ok(tenon_compile(&source, &sink, NULL, &report)));
  EXPECT(sink.size == report.artifact_bytes);
  EXPECT(sameAsFile(&sink, artifact) && computes(&sink, reluPlus));
  tenon_sink_release(&sink);
  EXPECT(!sink.data && !sink.size);
  tenon_sink_release(&sink);
  tenon_sink_release(NULL);
  return 1;
}

static int refuses(const char *path) {
  struct bytes model = readFile(path);
  tenon_source source = sourceOf(&model, NULL),
               empty = TENON_INIT(tenon_source);
  tenon_sink sink = TENON_INIT(tenon_sink), unsized = {0};
  tenon_compile_options options = TENON_INIT(tenon_compile_options);
  EXPECT(fails(tenon_compile(NULL, &sink, NULL, NULL), TENON_INVALID_ARGUMENT,
               "the source or the sink is NULL"));
  EXPECT(fails(tenon_compile(&empty, &sink, NULL, NULL), TENON_INVALID_ARGUMENT,
               "neither a path nor bytes"));
  EXPECT(fails(tenon_compile(&source, &unsized, NULL, NULL),
               TENON_INVALID_ARGUMENT, "struct_size is not set"));
  EXPECT(fails(tenon_compile(&source, &sink, NULL, NULL), TENON_UNSUPPORTED,
               "'model.onnx' cannot be read: not an ONNX model"));
  source.name = "m.onnxtxt";
  options.emit = TENON_EMIT_OBJECT;
  EXPECT(fails(tenon_compile(&source, &sink, &options, NULL),
               TENON_INVALID_ARGUMENT, "an object needs a path"));
  static const char *const words[] = {"--apply-state=s.safetensors"};
  options.emit = TENON_EMIT_ARTIFACT;
  options.arguments = words;
  options.argument_count = 1;
  EXPECT(fails(tenon_compile(&source, &sink, &options, NULL), TENON_UNSUPPORTED,
               "--apply-state takes models in files"));
  EXPECT(!sink.data);
  return 1;
}

/* A field of a message: its number, its length, its bytes. */
static void put(struct bytes *to, int field, const void *data, size_t size) {
  to->data[to->size++] = (unsigned char)(field << 3 | 2);
  to->data[to->size++] = (unsigned char)size;
  memcpy(to->data + to->size, data, size);
  to->size += size;
}

static void putText(struct bytes *to, int field, const char *text) {
  put(to, field, text, strlen(text));
}

static void putNumber(struct bytes *to, int field, unsigned char number) {
  to->data[to->size++] = (unsigned char)(field << 3);
  to->data[to->size++] = number;
}

static void putMessage(struct bytes *to, int field, const struct bytes *from) {
  put(to, field, from->data, from->size);
}

static void putValue(struct bytes *graph, int field, const char *name) {
  struct bytes shape = {{0}, 0}, tensor = {{0}, 0}, type = {{0}, 0},
               value = {{0}, 0};
  for (unsigned char extent = 2; extent <= 3; ++extent) {
    struct bytes dim = {{0}, 0};
    putNumber(&dim, 1, extent);
    putMessage(&shape, 1, &dim);
  }
  putNumber(&tensor, 1, 1);
  putMessage(&tensor, 2, &shape);
  putMessage(&type, 1, &tensor);
  putText(&value, 1, name);
  putMessage(&value, 2, &type);
  putMessage(graph, field, &value);
}

/* y = x + w, where w is a number in a file. */
static struct bytes modelWithFile(void) {
  struct bytes node = {{0}, 0}, tensor = {{0}, 0}, entry = {{0}, 0},
               graph = {{0}, 0}, opset = {{0}, 0}, model = {{0}, 0};
  putText(&node, 1, "x");
  putText(&node, 1, "w");
  putText(&node, 2, "y");
  putText(&node, 4, "Add");
  putMessage(&graph, 1, &node);
  putText(&graph, 2, "g");
  putNumber(&tensor, 2, 1);
  putText(&tensor, 8, "w");
  putText(&entry, 1, "location");
  putText(&entry, 2, "w.bin");
  putMessage(&tensor, 13, &entry);
  putNumber(&tensor, 14, 1);
  putMessage(&graph, 5, &tensor);
  putValue(&graph, 11, "x");
  putValue(&graph, 12, "y");
  putNumber(&model, 1, 8);
  putMessage(&model, 7, &graph);
  putNumber(&opset, 2, 17);
  putMessage(&model, 8, &opset);
  return model;
}

static const void *weights(void *user, const char *location, size_t *size) {
  *size = sizeof(float);
  return strcmp(location, "w.bin") ? NULL : user;
}

static const void *nothing(void *user, const char *location, size_t *size) {
  (void)user, (void)location, (void)size;
  return NULL;
}

static int readsExternal(void) {
  struct bytes model = modelWithFile();
  float half = 0.5f;
  tenon_source source = sourceOf(&model, NULL);
  tenon_sink sink = TENON_INIT(tenon_sink);
  EXPECT(fails(tenon_compile(&source, &sink, NULL, NULL), TENON_UNSUPPORTED,
               "external data 'w.bin' cannot be read: the model is not a "
               "file"));
  source.external = nothing;
  EXPECT(fails(tenon_compile(&source, &sink, NULL, NULL), TENON_UNSUPPORTED,
               "external data 'w.bin' was not given"));
  source.external = weights;
  source.user = &half;
  EXPECT(ok(tenon_compile(&source, &sink, NULL, NULL)));
  EXPECT(computes(&sink, plusHalf));
  tenon_sink_release(&sink);
  return 1;
}

static tenon_status *withWords(const char *path, tenon_sink *sink,
                               const char *const *words, size_t count) {
  tenon_source source = TENON_INIT(tenon_source);
  tenon_compile_options options = TENON_INIT(tenon_compile_options);
  source.path = path;
  options.arguments = words;
  options.argument_count = count;
  return tenon_compile(&source, sink, &options, NULL);
}

/* Options as on the command line mean what the fields mean. */
static int readsWords(const char *path, const char *artifact) {
  static const char *const words[] = {"--mcpu",         "x86-64",
                                      "--winograd=off", "-j1",
                                      "--strict",       "--guard-memory=below"};
  static const struct {
    const char *word, *text;
  } wrong[] = {
      {"--colour", "there is no option '--colour'"},
      {"-o", "there is no option '-o'"},
      {"model.onnx", "'model.onnx' is not an option"},
      {"--dim", "'--dim' needs a value"},
      {"--dim=batch", "dim: "},
      {"--strict=yes", "strict: takes no value"},
      {"--streams=0", "streams is not a number from 1 to 1024"},
      {"--emit=wasm",
       "emit is not \"artifact\", \"object\", \"asm\" or \"onnx\""},
      {"--clip-norm=no", "clip-norm is not a number"},
  };
  tenon_compile_options options = TENON_INIT(tenon_compile_options);
  tenon_sink sink = TENON_INIT(tenon_sink);
  options.cpu = "x86-64";
  options.winograd = "off";
  options.strict = true;
  EXPECT(ok(tenon_compile_file(path, artifact, &options, NULL)));
  EXPECT(ok(withWords(path, &sink, words, 5)));
  EXPECT(sameAsFile(&sink, artifact));
  tenon_sink_release(&sink);
  EXPECT(ok(withWords(path, &sink, words, 6)));
  EXPECT(!sameAsFile(&sink, artifact) && computes(&sink, reluPlus));
  tenon_sink_release(&sink);
  for (size_t i = 0; i < sizeof wrong / sizeof *wrong; ++i)
    EXPECT(fails(withWords(path, &sink, &wrong[i].word, 1),
                 TENON_INVALID_ARGUMENT, wrong[i].text));
  return 1;
}

/* What a call is told. */
struct told {
  char nodes[4096], phases[512];
  const char *stopAt;
  int errors;
};

static void noteNode(void *user, const tenon_node_support *node) {
  struct told *told = user;
  size_t size = strlen(told->nodes);
  snprintf(told->nodes + size, sizeof told->nodes - size, "%s %s%s%s\n",
           node->name, node->op, node->reason ? ": " : "",
           node->reason ? node->reason : "");
}

static bool notePhase(void *user, const char *phase) {
  struct told *told = user;
  size_t size = strlen(told->phases);
  snprintf(told->phases + size, sizeof told->phases - size, "%s ", phase);
  return !told->stopAt || strcmp(told->stopAt, phase);
}

static void noteError(void *user, const tenon_diagnostic *diagnostic) {
  struct told *told = user;
  told->errors += diagnostic->severity == TENON_ERROR && *diagnostic->text;
}

static tenon_status *check(const char *text, struct told *told) {
  tenon_source source = TENON_INIT(tenon_source);
  tenon_compile_options options = TENON_INIT(tenon_compile_options);
  source.data = text;
  source.size = strlen(text);
  source.name = "m.onnxtxt";
  options.diagnostic = noteError;
  options.user = told;
  return tenon_check(&source, &options, noteNode, told);
}

#define HEADER "<ir_version: 8, opset_import: [\"\" : 17, \"my\" : 1]>\n"

static int checksNodes(void) {
  struct told told = {{0}, {0}, NULL, 0};
  EXPECT(ok(check(HEADER "g (float[2] x) => (float[2] y) "
                         "{ a = Relu(x) b = my.Foo(a) y = Neg(b) }",
                  &told)));
  EXPECT(strstr(told.nodes, "a Relu\nb my::Foo: ONNX has no such operator\n"
                            "y Neg\n"));
  EXPECT(told.errors == 1);
  memset(&told, 0, sizeof told);
  EXPECT(ok(check(HEADER "g (float[1, 1, 2, 3] x, float[4, 5] r) "
                         "=> (float[4, 1, 1, 1] y, float[1, 1, 2, 3] w) "
                         "{ y = MaxRoiPool<pooled_shape = [1, 1]>(x, r) "
                         "w = Relu(x) }",
                  &told)));
  EXPECT(strstr(told.nodes, "y MaxRoiPool: this operator has no lowering"));
  EXPECT(strstr(told.nodes, "\nw Relu\n") && !strstr(told.nodes, "_0"));
  memset(&told, 0, sizeof told);
  EXPECT(fails(check("no model", &told), TENON_UNSUPPORTED,
               "'m.onnxtxt' cannot be read"));
  EXPECT(!*told.nodes && told.errors == 1);
  return 1;
}

static int watches(const char *path, const char *artifact) {
  static const char *const stops[] = {"import", "fuse", "emit"};
  tenon_compile_options options = TENON_INIT(tenon_compile_options);
  struct told told = {{0}, {0}, NULL, 0};
  options.progress = notePhase;
  options.user = &told;
  EXPECT(ok(tenon_compile_file(path, artifact, &options, NULL)));
  EXPECT(!strcmp(told.phases, "import normalize simplify fuse codegen "
                              "memory emit "));
  remove(artifact);
  for (int i = 0; i < 3; ++i) {
    told = (struct told){{0}, {0}, stops[i], 0};
    EXPECT(fails(tenon_compile_file(path, artifact, &options, NULL),
                 TENON_CANCELLED, "cancelled by the caller"));
    EXPECT(!readFile(artifact).size && strstr(told.phases, stops[i]));
  }
  int cancel = 1;
  options.progress = NULL;
  options.cancel = &cancel;
  EXPECT(fails(tenon_compile_file(path, artifact, &options, NULL),
               TENON_CANCELLED, "cancelled by the caller"));
  cancel = 0;
  return ok(tenon_compile_file(path, artifact, &options, NULL));
}

int main(int argc, char **argv) {
  if (argc != 3) {
    fprintf(stderr, "usage: memory MODEL ARTIFACT\n");
    return 2;
  }
  return !(compilesInMemory(argv[1], argv[2]) && refuses(argv[1]) &&
           readsExternal() && readsWords(argv[1], argv[2]) && checksNodes() &&
           watches(argv[1], argv[2]));
}
