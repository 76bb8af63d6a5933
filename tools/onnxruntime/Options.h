//===- Options.h - what a session asks of its provider ------------*- C++
//-*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TENON_TOOLS_ONNXRUNTIME_OPTIONS_H
#define TENON_TOOLS_ONNXRUNTIME_OPTIONS_H

#include "tools/onnxruntime/Api.h"

#include "tenon-c/Compiler.h"

#include <vector>

namespace tenon::ort {

constexpr const char *providerName = "TenonExecutionProvider";

struct Options {
  int32_t threads = 0; ///< of Tenon's own; 0: those of the session
  std::string cpu;     ///< as --mcpu; empty: this processor
  bool isolate = true;
  bool writesContext =
      false;         ///< the session makes a model that holds artifacts
  std::string cache; ///< the folder of the kernel cache, or empty
  std::vector<std::string> words;
  std::vector<const char *> pointers; ///< to `words`

  /// Reads the options of the session that are the provider's, or says which is
  /// wrong.
  OrtStatus *read(const Api &api, const OrtSessionOptions *session);

  /// Borrows from this.
  tenon_compile_options compileOptions() const;

private:
  bool set(const std::string &key, const std::string &value);
};

} // namespace tenon::ort

#endif // TENON_TOOLS_ONNXRUNTIME_OPTIONS_H
