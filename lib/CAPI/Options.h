//===- Options.h - options of the C API -------------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TENON_LIB_CAPI_OPTIONS_H
#define TENON_LIB_CAPI_OPTIONS_H

#include "lib/Compiler/Compiler.h"
#include "tenon-c/Compiler.h"

namespace tenon::capi {

/// Reads options into `options`; callbacks are left to Session. Returns what is
/// wrong with them, or nothing.
std::string readOptions(const tenon_compile_options &given,
                        CompileOptions &options);

/// The same options as words, but for numbers; what is missing goes to `wrong`.
std::vector<std::string> optionWords(const tenon_compile_options &given,
                                     std::string &wrong);

} // namespace tenon::capi

#endif // TENON_LIB_CAPI_OPTIONS_H
