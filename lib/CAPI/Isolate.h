//===- Isolate.h - compiling in a process of its own ------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TENON_LIB_CAPI_ISOLATE_H
#define TENON_LIB_CAPI_ISOLATE_H

#include "tenon-c/Compiler.h"

namespace tenon::capi {

/// As tenon_compile with `isolate`. The structs are read, and have all fields;
/// `sink` and `report` are filled on success.
tenon_status *compileInChild(const tenon_source &source, tenon_sink &sink,
                             const tenon_compile_options &options,
                             tenon_compile_report &report);

/// The word that makes the program tenon-compile such a child.
inline constexpr const char *isolatedWord = "--isolated";

/// Compiles what the descriptors of Wire.h say; an exit status.
int serveCompilation();

} // namespace tenon::capi

#endif // TENON_LIB_CAPI_ISOLATE_H
