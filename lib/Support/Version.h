//===- Version.h - what --version prints ------------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TENON_LIB_SUPPORT_VERSION_H
#define TENON_LIB_SUPPORT_VERSION_H

#include "llvm/ADT/StringRef.h"

#include <string>

namespace tenon {

/// Lets `--version` print `program`, the project's version (the one of
/// tenon-c/Version.h), LLVM's and, where there is one, the build's id, bytes.
/// Call before options are parsed; `program` is a literal.
void setVersionOf(llvm::StringRef program, std::string buildId = "");

} // namespace tenon

#endif // TENON_LIB_SUPPORT_VERSION_H
