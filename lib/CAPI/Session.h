//===- Session.h - one call of the compiler ---------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TENON_LIB_CAPI_SESSION_H
#define TENON_LIB_CAPI_SESSION_H

#include "dialects/Onnx/Refused.h"
#include "lib/Compiler/Compiler.h"
#include "mlir/IR/Diagnostics.h"
#include "tenon-c/Compiler.h"
#include <atomic>

namespace tenon::capi {

/// What a call shares: its options, the context, and what it says.
class Session {
public:
  /// Reads the options. Until prepare() returns, nothing else may be asked.
  explicit Session(const tenon_compile_options *given);

  /// Makes the context. Returns what is wrong with options or source, or NULL.
  tenon_status *prepare(const tenon_source &source);

  CompileOptions options;
  ModelSource source;
  std::unique_ptr<mlir::MLIRContext> context;

  /// What errors refuse, in their order.
  std::vector<onnx::RefusedNode> refused;

  bool isCancelled() const;

  /// How a call ends that fails: `error` and the errors before it.
  tenon_status *fail(llvm::Error error) const;

private:
  void observe();
  void add(mlir::Diagnostic &diagnostic);
  void tell(mlir::Diagnostic &diagnostic) const;
  void setSource(const tenon_source &given);

  tenon_compile_options given;
  bool hasSize;
  std::atomic<bool> stopped = false;
  std::string text, node;
};

/// Makes the bytes of a file those of `sink`, mapped: they live on when it is
/// gone.
llvm::Error mapFile(const std::string &path, tenon_sink &sink);

tenon_status *invalid(const std::string &message);

} // namespace tenon::capi

#endif // TENON_LIB_CAPI_SESSION_H
