//===- Serve.cpp - the process that compiles for another ------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file is the child's side of `isolate`: one call of the C API, whose
// callbacks become messages.
//===----------------------------------------------------------------------===//
#include "lib/CAPI/Isolate.h"
#include "lib/CAPI/Wire.h"
#include "llvm/Support/Path.h"

#include <cstdlib>
#include <map>
#include <mutex>
#include <signal.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <unistd.h>
#include <vector>

using namespace tenon::capi;

namespace {
/// What the callbacks of the one call share.
struct Served {
  std::mutex sending; ///< diagnostics come from any thread
  std::map<std::string, std::string> given;

  bool send(const Message &message) {
    std::lock_guard lock(sending);
    return message.send(childSocket);
  }
};
} // namespace

static bool tellPhase(void *user, const char *phase) {
  return static_cast<Served *>(user)->send(
      Message(MessageKind::Phase).put(llvm::StringRef(phase)));
}

static void tellSaid(void *user, const tenon_diagnostic *said) {
  static_cast<Served *>(user)->send(Message(MessageKind::Said)
                                        .put(said->severity)
                                        .put(said->number)
                                        .put(llvm::StringRef(said->node))
                                        .put(llvm::StringRef(said->text)));
}

/// Bytes of a file, which are kept to the end.
static const void *askExternal(void *user, const char *location, size_t *size) {
  auto &served = *static_cast<Served *>(user);
  if (!served.send(Message(MessageKind::Wanted).put(llvm::StringRef(location))))
    return nullptr;
  auto answer = Message::receive(childSocket);
  if (!answer || !answer->number())
    return nullptr;
  std::string &bytes = served.given[location];
  bytes = answer->text();
  *size = bytes.size();
  return bytes.data();
}

/// The model in memory that the caller handed over; NULL where there is none.
static const void *mapModel(size_t size) {
  void *data =
      mmap(nullptr, size, PROT_READ | PROT_WRITE, MAP_PRIVATE, childModel, 0);
  return data == MAP_FAILED ? nullptr : data;
}

static tenon_status *compile(Message &request, Served &served,
                             tenon_compile_report &report) {
  tenon_source source = TENON_INIT(tenon_source);
  tenon_sink sink = TENON_INIT(tenon_sink);
  tenon_compile_options options = TENON_INIT(tenon_compile_options);
  std::string path = request.text(), name = request.text();
  source.size = request.number();
  bool hasExternal = request.number(), isFile = !path.empty();
  std::string output = request.text();
  // The caller clears that folder, whatever ends this process.
  setenv("TMPDIR", llvm::sys::path::parent_path(output).str().c_str(), 1);
  options.jobs = uint32_t(request.number());
  options.kernel_cache_bytes = request.number();
  std::vector<std::string> words(request.number());
  std::vector<const char *> arguments;
  for (std::string &word : words)
    arguments.push_back((word = request.text()).c_str());
  source.path = isFile ? path.c_str() : nullptr;
  source.name = name.c_str();
  source.data = isFile ? nullptr : mapModel(source.size);
  source.external = hasExternal ? askExternal : nullptr;
  sink.path = output.c_str();
  options.arguments = arguments.data();
  options.argument_count = arguments.size();
  options.progress = tellPhase;
  options.diagnostic = tellSaid;
  source.user = options.user = &served;
  return tenon_compile(&source, &sink, &options, &report);
}

int tenon::capi::serveCompilation() {
  // Whoever asked may end before.
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  // Files that become too large are an error.
  signal(SIGXFSZ, SIG_IGN);
  Served served;
  if (!served.send(Message(MessageKind::Hello).put(wireVersion())))
    return 1;
  auto request = Message::receive(childSocket);
  if (!request)
    return 1;
  tenon_compile_report report = TENON_INIT(tenon_compile_report);
  tenon_status *status = compile(*request, served, report);
  Message answer(status ? MessageKind::Failed : MessageKind::Compiled);
  if (status)
    answer.put(tenon_status_code_of(status))
        .put(tenon_status_number(status))
        .put(llvm::StringRef(tenon_status_node(status)))
        .put(llvm::StringRef(tenon_status_message(status)));
  else
    answer.put(llvm::StringRef(reinterpret_cast<const char *>(&report),
                               sizeof report));
  bool isHeard = served.send(answer);
  // Nothing is to be taken apart: the process ends.
  _exit(isHeard ? 0 : 1);
}
