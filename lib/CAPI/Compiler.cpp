//===- Compiler.cpp - compile models from C -------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tenon-c/Compiler.h"

#include "lib/CAPI/Isolate.h"
#include "lib/CAPI/Session.h"
#include "lib/CAPI/Structs.h"
#include "lib/Support/ScratchFolder.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

using namespace tenon;
using namespace tenon::capi;

static tenon_compile_report summarize(const Report &report) {
  tenon_compile_report result = TENON_INIT(tenon_compile_report);
  result.arena_bytes = report.arenaBytes;
  result.arena_lower_bound_bytes = report.arenaLowerBoundBytes;
  result.weights_bytes = report.weightsBytes;
  result.artifact_bytes = report.artifactBytes;
  result.kernel_count = report.kernels.size();
  result.compile_seconds = report.compileSeconds();
  result.cached_kernel_count = report.cachedKernels;
  result.scratch_bytes = report.scratchBytes;
  return result;
}

llvm::Error capi::mapFile(const std::string &path, tenon_sink &sink) {
  int file = open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (file < 0)
    return llvm::errorCodeToError(llvm::errnoAsErrorCode());
  off_t size = lseek(file, 0, SEEK_END);
  void *data =
      mmap(nullptr, size, PROT_READ | PROT_WRITE, MAP_PRIVATE, file, 0);
  std::error_code code = llvm::errnoAsErrorCode();
  close(file);
  if (data == MAP_FAILED)
    return llvm::errorCodeToError(code);
  sink.data = data;
  sink.size = size;
  return llvm::Error::success();
}

static llvm::Expected<Report> compileTo(tenon_sink &sink, Session &session) {
  auto compile = [&](const std::string &path) {
    return compileModel(*session.context, session.source, path,
                        session.options);
  };
  if (sink.path)
    return compile(sink.path);
  ScratchFolder folder;
  if (llvm::Error error = folder.create())
    return error;
  std::string path = folder.file("model");
  auto report = compile(path);
  if (report)
    if (llvm::Error error = mapFile(path, sink))
      return error;
  return report;
}

void tenon_sink_release(tenon_sink *sink) {
  if (!sink || !sink->data)
    return;
  munmap(sink->data, sink->size);
  sink->data = nullptr;
  sink->size = 0;
}

static tenon_status *isolate(const tenon_source &source, tenon_sink &sink,
                             const tenon_compile_options &options,
                             tenon_compile_report *report) {
  if (!hasSize(source))
    return invalid("struct_size is not set (use TENON_INIT)");
  tenon_sink to = readStruct(&sink);
  tenon_compile_report made = TENON_INIT(tenon_compile_report);
  if (tenon_status *status =
          compileInChild(readStruct(&source), to, readStruct(&options), made))
    return status;
  fillStruct(sink, to);
  if (report)
    fillStruct(*report, made);
  return nullptr;
}

tenon_status *tenon_compile(const tenon_source *source, tenon_sink *sink,
                            const tenon_compile_options *options,
                            tenon_compile_report *report) {
  if (!source || !sink)
    return invalid("the source or the sink is NULL");
  if (!hasSize(*sink) || (report && !hasSize(*report)))
    return invalid("struct_size is not set (use TENON_INIT)");
  if (options && readStruct(options).isolate)
    return isolate(*source, *sink, *options, report);
  Session session(options);
  if (tenon_status *status = session.prepare(*source))
    return status;
  tenon_sink to = readStruct(sink);
  if (!to.path && session.options.emit == EmitKind::Object)
    return invalid("an object needs a path: a header lies beside it");
  auto result = compileTo(to, session);
  if (!result)
    return session.fail(result.takeError());
  fillStruct(*sink, to);
  if (report)
    fillStruct(*report, summarize(*result));
  return nullptr;
}

tenon_status *tenon_compile_file(const char *model_path,
                                 const char *output_path,
                                 const tenon_compile_options *options,
                                 tenon_compile_report *report) {
  if (!model_path || !output_path)
    return invalid("a path is NULL");
  tenon_source source = TENON_INIT(tenon_source);
  source.path = model_path;
  tenon_sink sink = TENON_INIT(tenon_sink);
  sink.path = output_path;
  return tenon_compile(&source, &sink, options, report);
}
