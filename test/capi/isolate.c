//===- isolate.c - compiling in a process of its own ----------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file compiles y = relu(x) + x, given as a file, in a child, and ends the
// child in all the ways there are.
//===----------------------------------------------------------------------===//
#include "test/capi/Check.h"

#include <dirent.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

enum { most = 1 << 20 };

struct file {
  char *data;
  size_t size;
};

static struct file readFile(const char *path) {
  struct file file = {malloc(most), 0};
  FILE *from = fopen(path, "rb");
  if (!from)
    return file;
  file.size = fread(file.data, 1, most, from);
  fclose(from);
  return file;
}

static int sameFiles(const char *one, const char *other) {
  struct file a = readFile(one), b = readFile(other);
  int same = a.size && a.size == b.size && !memcmp(a.data, b.data, a.size);
  free(a.data);
  free(b.data);
  return same;
}

static int countEntries(const char *folder) {
  int count = 0;
  DIR *all = opendir(folder);
  for (struct dirent *entry; all && (entry = readdir(all));)
    count += entry->d_name[0] != '.';
  if (all)
    closedir(all);
  return count;
}

/* What the callbacks are to do, and what they were told. */
struct told {
  char phases[4096];
  const char *at; /* the phase in which to do it */
  enum { nothing, stop, setCancel } what;
  int cancel, errors, number;
};

/* The children of this thread, which it has one of. */
static pid_t childOf(void) {
  char path[64];
  long process = 0;
  snprintf(path, sizeof path, "/proc/self/task/%d/children", (int)gettid());
  FILE *file = fopen(path, "r");
  if (file && fscanf(file, "%ld", &process) != 1)
    process = 0;
  if (file)
    fclose(file);
  return (pid_t)process;
}

static bool notePhase(void *user, const char *phase) {
  struct told *told = user;
  if (strlen(told->phases) + strlen(phase) + 2 < sizeof told->phases) {
    strcat(told->phases, phase);
    strcat(told->phases, " ");
  }
  if (!told->at || strcmp(told->at, phase))
    return true;
  if (told->what == setCancel)
    told->cancel = 1;
  return told->what != stop;
}

static void noteError(void *user, const tenon_diagnostic *diagnostic) {
  struct told *told = user;
  if (diagnostic->severity != TENON_ERROR)
    return;
  ++told->errors;
  told->number = diagnostic->number;
}

static tenon_compile_options watched(struct told *told) {
  tenon_compile_options options = TENON_INIT(tenon_compile_options);
  options.isolate = true;
  options.progress = notePhase;
  options.diagnostic = noteError;
  options.user = told;
  options.cancel = &told->cancel;
  return options;
}

/* Files, their headers and memory are those of a call that stays here. */
static int compilesAlike(const char *model, const char *folder) {
  struct told told = {0};
  tenon_compile_options options = watched(&told),
                        here = TENON_INIT(tenon_compile_options);
  tenon_compile_report report = TENON_INIT(tenon_compile_report);
  char a[512], b[512], header[512], otherHeader[512];
  mkdir(folder, 0777);
  snprintf(a, sizeof a, "%s/a", folder);
  mkdir(a, 0777);
  const tenon_emit_kind kinds[] = {TENON_EMIT_ARTIFACT, TENON_EMIT_OBJECT};
  for (int i = 0; i < 2; ++i) {
    options.emit = here.emit = kinds[i];
    snprintf(a, sizeof a, "%s/a/net.o", folder);
    snprintf(b, sizeof b, "%s/net.o", folder);
    EXPECT(ok(tenon_compile_file(model, a, &options, &report)));
    EXPECT(ok(tenon_compile_file(model, b, &here, NULL)));
    EXPECT(sameFiles(a, b) && report.kernel_count == 1);
  }
  snprintf(header, sizeof header, "%s/a/net.h", folder);
  snprintf(otherHeader, sizeof otherHeader, "%s/net.h", folder);
  EXPECT(sameFiles(header, otherHeader));
  snprintf(a, sizeof a, "%s/a", folder);
  EXPECT(countEntries(a) == 2);
  EXPECT(strstr(told.phases, "import ") && strstr(told.phases, "emit "));
  return 1;
}

static int compilesToMemory(const char *model) {
  struct told told = {0};
  tenon_compile_options options = watched(&told);
  struct file text = readFile(model);
  tenon_source source = TENON_INIT(tenon_source);
  tenon_sink here = TENON_INIT(tenon_sink), there = TENON_INIT(tenon_sink);
  source.data = text.data;
  source.size = text.size;
  source.name = "relu-add.onnxtxt";
  EXPECT(ok(tenon_compile(&source, &there, &options, NULL)));
  options.isolate = false;
  EXPECT(ok(tenon_compile(&source, &here, &options, NULL)));
  EXPECT(here.size == there.size && !memcmp(here.data, there.data, here.size));
  tenon_sink_release(&here);
  tenon_sink_release(&there);
  free(text.data);
  return 1;
}

static int says(tenon_status *status, tenon_status_code code, int number,
                const char *text) {
  int right = tenon_status_number(status) == number;
  if (!right)
    fprintf(stderr, "number %d: ", (int)tenon_status_number(status));
  return fails(status, code, text) && right;
}

/* What the compiler says comes through, with its number. */
static int refuses(const char *folder) {
  struct told told = {0};
  tenon_compile_options options = watched(&told);
  static const char text[] = "<ir_version: 8, opset_import: [\"\" : 17]>\n"
                             "g (float[2] x) => (float[2] y) "
                             "{ y = Relu<slope = 1>(x) }";
  tenon_source source = TENON_INIT(tenon_source);
  tenon_sink sink = TENON_INIT(tenon_sink);
  char path[512];
  source.data = text;
  source.size = sizeof text - 1;
  source.name = "g.onnxtxt";
  EXPECT(says(tenon_compile(&source, &sink, &options, NULL), TENON_UNSUPPORTED,
              209, "attribute 'slope' is unknown"));
  EXPECT(told.errors == 1 && told.number == 209 && !sink.data);
  const char *word = "--colour";
  options.arguments = &word;
  options.argument_count = 1;
  EXPECT(says(tenon_compile(&source, &sink, &options, NULL),
              TENON_INVALID_ARGUMENT, 101, "there is no option '--colour'"));
  options.argument_count = 0;
  snprintf(path, sizeof path, "%s/no-folder/m.tenon", folder);
  sink.path = path;
  return says(tenon_compile(&source, &sink, &options, NULL), TENON_IO_ERROR,
              108, "cannot write");
}

/* A child that waits for its weights can be killed. */
static const void *killChild(void *user, const char *location, size_t *size) {
  static const float weight = 1;
  pid_t child = childOf();
  (void)user, (void)location;
  if (child)
    kill(child, SIGKILL);
  *size = sizeof weight;
  return &weight;
}

static int survivesKill(const char *folder) {
  static const char text[] =
      "<ir_version: 8, opset_import: [\"\" : 17]>\n"
      "g (float[2] x) => (float[2] y) <float[1] w = [\"location\": \"w\"]> "
      "{ y = Add(x, w) }";
  struct told told = {0};
  tenon_compile_options options = watched(&told);
  tenon_source source = TENON_INIT(tenon_source);
  tenon_sink sink = TENON_INIT(tenon_sink);
  char path[512];
  snprintf(path, sizeof path, "%s/ended", folder);
  mkdir(path, 0777);
  snprintf(path, sizeof path, "%s/ended/net.tenon", folder);
  remove(path);
  sink.path = path;
  source.data = text;
  source.size = sizeof text - 1;
  source.name = "g.onnxtxt";
  source.external = killChild;
  return says(tenon_compile(&source, &sink, &options, NULL), TENON_CHILD_ENDED,
              16, "ended by signal 9 (Killed) in phase 'import'");
}

/* However the child ends, there is a status, and nothing is left. */
static int survives(const char *model, const char *folder) {
  static const struct {
    const char *at;
    int what;
  } ends[] = {{"fuse", stop}, {"import", setCancel}};
  char path[512];
  EXPECT(survivesKill(folder));
  snprintf(path, sizeof path, "%s/ended/net.tenon", folder);
  for (size_t i = 0; i < sizeof ends / sizeof *ends; ++i) {
    struct told told = {.at = ends[i].at};
    told.what = ends[i].what;
    tenon_compile_options options = watched(&told);
    EXPECT(says(tenon_compile_file(model, path, &options, NULL),
                TENON_CANCELLED, 15, "cancelled by the caller"));
    EXPECT(!childOf());
  }
  snprintf(path, sizeof path, "%s/ended", folder);
  return countEntries(path) == 0;
}

static int namesPrograms(const char *model, const char *folder) {
  static const struct {
    const char *program, *text;
  } wrong[] = {
      {"/does/not/exist", "'/does/not/exist' cannot be started: No such file"},
      {"/bin/true", "the compiler ended with status 0 in phase 'start'"},
      {"/bin/ls", "ended with status 2 in phase 'start': /bin/ls: "},
  };
  char path[512];
  snprintf(path, sizeof path, "%s/net.tenon", folder);
  for (size_t i = 0; i < sizeof wrong / sizeof *wrong; ++i) {
    struct told told = {0};
    tenon_compile_options options = watched(&told);
    options.program = wrong[i].program;
    EXPECT(fails(tenon_compile_file(model, path, &options, NULL),
                 TENON_CHILD_ENDED, wrong[i].text));
  }
  return 1;
}

/* One that speaks, but says nothing: a size that no memory has. */
static int survivesNoise(const char *model, const char *folder) {
  struct told told = {0};
  tenon_compile_options options = watched(&told);
  char program[512], path[512];
  snprintf(program, sizeof program, "%s/noise", folder);
  snprintf(path, sizeof path, "%s/net.tenon", folder);
  FILE *file = fopen(program, "w");
  EXPECT(file);
  fputs("#!/bin/sh\nprintf '"
        "\\377\\377\\377\\377\\377\\377\\377\\377"
        "\\377\\377\\377\\377\\377\\377\\377\\377' >&3\n",
        file);
  fclose(file);
  chmod(program, 0755);
  options.program = program;
  return fails(tenon_compile_file(model, path, &options, NULL),
               TENON_CHILD_ENDED,
               "the compiler ended with status 0 in phase 'start'");
}

/* What a child that is killed leaves is where its file would be. */
static int usesItsFolder(const char *model, const char *folder) {
  struct told told = {0};
  tenon_compile_options options = watched(&told);
  char path[512];
  snprintf(path, sizeof path, "%s/net.tenon", folder);
  setenv("TMPDIR", "/does/not/exist", 1);
  tenon_status *status = tenon_compile_file(model, path, &options, NULL);
  unsetenv("TMPDIR");
  return ok(status);
}

/* A disk without room, or what the system has like it. */
static int fillsDisk(const char *model, const char *folder) {
  struct rlimit before, none;
  struct told told = {0};
  tenon_compile_options options = watched(&told);
  char path[512];
  snprintf(path, sizeof path, "%s/full", folder);
  mkdir(path, 0777);
  snprintf(path, sizeof path, "%s/full/net.tenon", folder);
  remove(path);
  signal(SIGXFSZ, SIG_IGN);
  getrlimit(RLIMIT_FSIZE, &before);
  none = before;
  none.rlim_cur = 100;
  int right = 1;
  for (int i = 0; i < 2 && right; ++i) {
    options.isolate = i;
    setrlimit(RLIMIT_FSIZE, &none);
    tenon_status *status = tenon_compile_file(model, path, &options, NULL);
    setrlimit(RLIMIT_FSIZE, &before);
    right = says(status, TENON_UNSUPPORTED, 108, "cannot write '");
  }
  EXPECT(right);
  snprintf(path, sizeof path, "%s/full", folder);
  return countEntries(path) == 0;
}

int main(int argc, char **argv) {
  if (argc != 3) {
    fprintf(stderr, "usage: isolate MODEL FOLDER\n");
    return 2;
  }
  return !(compilesAlike(argv[1], argv[2]) && compilesToMemory(argv[1]) &&
           refuses(argv[2]) && survives(argv[1], argv[2]) &&
           namesPrograms(argv[1], argv[2]) && survivesNoise(argv[1], argv[2]) &&
           usesItsFolder(argv[1], argv[2]) && fillsDisk(argv[1], argv[2]));
}
