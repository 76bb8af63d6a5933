//===- Isolate.cpp - compiling in a process of its own --------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file is the caller's side of `isolate`. The child writes into a folder
// of its own, so that nothing is left of one that is killed.
//===----------------------------------------------------------------------===//
#include "lib/CAPI/Isolate.h"
#include "lib/CAPI/Child.h"
#include "lib/CAPI/Options.h"
#include "lib/CAPI/Session.h"
#include "lib/CAPI/Wire.h"
#include "lib/Support/ScratchFolder.h"
#include "llvm/Support/Path.h"

using namespace tenon;
using namespace tenon::capi;
using llvm::StringRef;

namespace {
/// One call.
class Isolated {
public:
  Isolated(const tenon_source &source, const tenon_compile_options &options)
      : source(source), options(options) {}

  tenon_status *run(tenon_sink &sink, tenon_compile_report &report);

private:
  tenon_status *start();
  tenon_status *wait(tenon_compile_report &report);
  tenon_status *obey(Message &message, tenon_compile_report &report);
  tenon_status *fail(Message &message);
  tenon_status *died();
  tenon_status *keep(tenon_sink &sink);
  llvm::Error prepareFolder(const tenon_sink &sink);
  bool request();
  bool isCancelled() const;
  bool isStopped();
  bool tellPhase() { return options.progress(options.user, phase.c_str()); }
  void tellSaid(Message &message);
  void give(const std::string &location);

  const tenon_source &source;
  const tenon_compile_options &options;
  Child child;
  ScratchFolder folder;
  std::string path; ///< where the child writes
  std::string target;
  std::string phase = "start";
  bool isDone = false;
};
} // namespace

static tenon_status *ended(const std::string &message) {
  return tenon_status_create(TENON_CHILD_ENDED, "", message.c_str());
}

static tenon_status *cancelled() {
  return tenon_status_create(TENON_CANCELLED, "", "cancelled by the caller");
}

static tenon_status *failedTo(llvm::Error error) {
  std::string message = llvm::toString(std::move(error));
  return tenon_status_create_numbered(TENON_IO_ERROR, 108, "", message.c_str());
}

/// A folder beside the file that is wanted, from where a rename brings it.
llvm::Error Isolated::prepareFolder(const tenon_sink &sink) {
  target = sink.path ? sink.path : "model";
  llvm::SmallString<128> beside;
  if (sink.path) {
    beside = target;
    if (std::error_code code = llvm::sys::fs::make_absolute(beside))
      return llvm::errorCodeToError(code);
  }
  if (llvm::Error error = folder.create(beside))
    return sink.path ? llvm::createStringError(
                           "cannot write '%s': %s", sink.path,
                           llvm::toString(std::move(error)).c_str())
                     : std::move(error);
  path = folder.file(llvm::sys::path::filename(target));
  return llvm::Error::success();
}

tenon_status *Isolated::start() {
  std::string program = options.program ? options.program : findProgram();
  if (program.empty())
    return ended("the program tenon-compile is not beside the library: "
                 "`program` says where it is");
  if (std::string wrong = child.start(
          program,
          source.path
              ? StringRef()
              : StringRef(static_cast<const char *>(source.data), source.size));
      !wrong.empty())
    return ended("'" + program + "' cannot be started: " + wrong);
  return nullptr;
}

bool Isolated::request() {
  std::string wrong;
  std::vector<std::string> words = optionWords(options, wrong);
  Message message(MessageKind::Request);
  message.put(StringRef(source.path ? source.path : ""))
      .put(StringRef(source.name ? source.name : "model.onnx"))
      .put(uint64_t(source.size))
      .put(uint64_t(source.external != nullptr))
      .put(StringRef(path))
      .put(uint64_t(options.jobs))
      .put(options.kernel_cache_bytes)
      .put(uint64_t(words.size()));
  for (const std::string &word : words)
    message.put(StringRef(word));
  return message.send(child.socket());
}

bool Isolated::isCancelled() const {
  return options.cancel &&
         __atomic_load_n(options.cancel, __ATOMIC_RELAXED) != 0;
}

bool Isolated::isStopped() {
  if (isCancelled())
    return true;
  return options.progress && phase != "start" && !tellPhase();
}

void Isolated::tellSaid(Message &message) {
  if (!options.diagnostic)
    return;
  tenon_diagnostic said = TENON_INIT(tenon_diagnostic);
  said.severity = tenon_severity(message.number());
  said.number = int32_t(message.number());
  std::string node = message.text(), text = message.text();
  said.node = node.c_str();
  said.text = text.c_str();
  options.diagnostic(options.user, &said);
}

void Isolated::give(const std::string &location) {
  size_t size = 0;
  const void *data = source.external(source.user, location.c_str(), &size);
  Message(MessageKind::Given)
      .put(uint64_t(data != nullptr))
      .put(StringRef(static_cast<const char *>(data), data ? size : 0))
      .send(child.socket());
}

/// The child's own words, about the file that the caller named.
tenon_status *Isolated::fail(Message &message) {
  auto code = tenon_status_code(message.number());
  auto number = int32_t(message.number());
  std::string node = message.text(), text = message.text();
  if (size_t at = text.find(path); at != std::string::npos)
    text.replace(at, path.size(), target);
  isDone = true;
  return tenon_status_create_numbered(code, number, node.c_str(), text.c_str());
}

/// Does what a message asks for; a status ends the call.
tenon_status *Isolated::obey(Message &message, tenon_compile_report &report) {
  switch (message.kind) {
  case MessageKind::Hello:
    if (message.text() != wireVersion())
      return ended("the program tenon-compile is of another version");
    return request() ? nullptr : died();
  case MessageKind::Phase:
    phase = message.text();
    return options.progress && !tellPhase() ? cancelled() : nullptr;
  case MessageKind::Said:
    tellSaid(message);
    return nullptr;
  case MessageKind::Wanted:
    give(message.text());
    return nullptr;
  case MessageKind::Failed:
    return fail(message);
  case MessageKind::Compiled: {
    std::string bytes = message.text();
    std::memcpy(&report, bytes.data(), std::min(bytes.size(), sizeof report));
    isDone = true;
    return nullptr;
  }
  default:
    return ended("the program that compiles speaks of what nobody knows");
  }
}

/// How the child ended without a last word.
tenon_status *Isolated::died() {
  std::string how = child.wait();
  // Ctrl-C may have reached both.
  if (isStopped())
    return cancelled();
  return ended("the compiler " + how + " in phase '" + phase + "'" +
               child.lastWords());
}

tenon_status *Isolated::wait(tenon_compile_report &report) {
  constexpr int pollMilliseconds = 50;
  while (!isDone) {
    if (!child.hasSpoken(pollMilliseconds)) {
      if (isStopped())
        return cancelled();
      continue;
    }
    auto message = Message::receive(child.socket());
    if (!message)
      return died();
    if (tenon_status *status = obey(*message, report))
      return status;
    if (isCancelled())
      return cancelled();
  }
  return nullptr;
}

/// Brings what the child wrote to where it was wanted: an object has a header.
tenon_status *Isolated::keep(tenon_sink &sink) {
  if (!sink.path) {
    llvm::Error error = mapFile(path, sink);
    return error ? failedTo(std::move(error)) : nullptr;
  }
  std::error_code code;
  llvm::sys::fs::directory_iterator file(folder.name(), code), end;
  for (; !code && file != end; file.increment(code)) {
    llvm::SmallString<128> to(llvm::sys::path::parent_path(target));
    llvm::sys::path::append(to, llvm::sys::path::filename(file->path()));
    if (std::error_code wrong = llvm::sys::fs::rename(file->path(), to))
      return failedTo(
          llvm::createStringError(wrong, "cannot write '%s'", to.c_str()));
  }
  return nullptr;
}

tenon_status *Isolated::run(tenon_sink &sink, tenon_compile_report &report) {
  std::string wrong;
  optionWords(options, wrong);
  if (!wrong.empty())
    return invalid(wrong);
  if (!source.path && !source.data)
    return invalid("the source has neither a path nor bytes");
  if (llvm::Error error = prepareFolder(sink))
    return failedTo(std::move(error));
  tenon_status *status = start();
  if (!status)
    status = wait(report);
  child.stop();
  return status ? status : keep(sink);
}

tenon_status *capi::compileInChild(const tenon_source &source, tenon_sink &sink,
                                   const tenon_compile_options &options,
                                   tenon_compile_report &report) {
  return Isolated(source, options).run(sink, report);
}
