//===- Session.cpp - one call of the compiler -----------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "lib/CAPI/Session.h"

#include "lib/CAPI/Options.h"
#include "lib/CAPI/Structs.h"
#include "lib/Support/Codes.h"
#include "mlir/IR/Action.h"
#include "mlir/IR/Location.h"

using namespace mlir;
using namespace tenon;
using namespace tenon::capi;

tenon_status *capi::invalid(const std::string &message) {
  return tenon_status_create_numbered(TENON_INVALID_ARGUMENT, numberOf(message),
                                      "", message.c_str());
}

Session::Session(const tenon_compile_options *options)
    : given(readStruct(options)), hasSize(!options || capi::hasSize(*options)) {
}

void Session::setSource(const tenon_source &from) {
  if (from.path) {
    source.path = from.path;
    return;
  }
  source.path = from.name ? from.name : "model.onnx";
  source.bytes = StringRef(static_cast<const char *>(from.data), from.size);
  options.import.borrowBytes = true;
  if (!from.external)
    return;
  options.import.external =
      [read = from.external,
       user = from.user](StringRef location) -> std::optional<StringRef> {
    size_t size = 0;
    const void *data = read(user, location.str().c_str(), &size);
    if (!data)
      return std::nullopt;
    return StringRef(static_cast<const char *>(data), size);
  };
}

tenon_status *Session::prepare(const tenon_source &from) {
  if (!hasSize || !capi::hasSize(from))
    return invalid("struct_size is not set (use TENON_INIT)");
  std::string wrong = readOptions(given, options);
  if (!wrong.empty())
    return invalid(wrong);
  if (!from.path && !from.data)
    return invalid("the source has neither a path nor bytes");
  setSource(from);
  observe();
  return nullptr;
}

bool Session::isCancelled() const {
  return stopped ||
         (given.cancel && __atomic_load_n(given.cancel, __ATOMIC_RELAXED) != 0);
}

/// Connects the caller's functions.
void Session::observe() {
  context = createContext(options.jobs);
  context->getDiagEngine().registerHandler([this](Diagnostic &diagnostic) {
    add(diagnostic);
    return success();
  });
  if (given.progress)
    options.progress = [this](StringRef phase) {
      if (!given.progress(given.user, phase.str().c_str()))
        stopped = true;
    };
  if (!given.progress && !given.cancel)
    return;
  options.isCancelled = [this] { return isCancelled(); };
  context->registerActionHandler(
      [this](llvm::function_ref<void()> run, const tracing::Action &) {
        if (!isCancelled())
          run();
      });
}

/// The first node that a location names.
static std::string nodeOf(Location location) {
  std::string node;
  location->walk([&](Location part) {
    auto name = dyn_cast<NameLoc>(part);
    if (name && node.empty())
      node = name.getName().str();
    return WalkResult::advance();
  });
  return node;
}

static tenon_severity severityOf(const Diagnostic &diagnostic) {
  switch (diagnostic.getSeverity()) {
  case DiagnosticSeverity::Error:
    return TENON_ERROR;
  case DiagnosticSeverity::Warning:
    return TENON_WARNING;
  default:
    return TENON_NOTE;
  }
}

void Session::tell(Diagnostic &diagnostic) const {
  std::string about = nodeOf(diagnostic.getLocation());
  std::string what = diagnostic.str();
  tenon_diagnostic said = TENON_INIT(tenon_diagnostic);
  said.severity = severityOf(diagnostic);
  said.node = about.c_str();
  said.text = what.c_str();
  if (said.severity == TENON_ERROR)
    said.number = numberOf(what);
  given.diagnostic(given.user, &said);
  for (Diagnostic &note : diagnostic.getNotes())
    tell(note);
}

void Session::add(Diagnostic &diagnostic) {
  // What a cancelled call says of what it left is nobody's concern.
  if (isCancelled())
    return;
  if (given.diagnostic)
    tell(diagnostic);
  llvm::append_range(refused, onnx::refusedNodes(diagnostic));
  if (diagnostic.getSeverity() != DiagnosticSeverity::Error)
    return;
  if (!text.empty())
    text += "\n";
  text += diagnostic.str();
  if (node.empty())
    node = nodeOf(diagnostic.getLocation());
}

tenon_status *Session::fail(llvm::Error error) const {
  std::string message = llvm::toString(std::move(error));
  if (isCancelled())
    return tenon_status_create(TENON_CANCELLED, "", "cancelled by the caller");
  if (!text.empty())
    message += ": " + text;
  unsigned number = numberOf(text.empty() ? message : text);
  return tenon_status_create_numbered(TENON_UNSUPPORTED, number, node.c_str(),
                                      message.c_str());
}
