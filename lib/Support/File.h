//===- File.h - writing whole files -----------------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TENON_LIB_SUPPORT_FILE_H
#define TENON_LIB_SUPPORT_FILE_H

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"

namespace tenon {

/// Writes `content` to `path`, replacing what was there; "-" is the standard
/// output, which stays open. The error names the
/// path; a full disk is an error too, never a crash.
llvm::Error writeFile(llvm::StringRef path, llvm::StringRef content);

/// The same by way of a temporary file beside `path`: whoever reads meanwhile
/// finds the old content or the new one, whole.
llvm::Error replaceFile(llvm::StringRef path, llvm::StringRef content);

} // namespace tenon

#endif // TENON_LIB_SUPPORT_FILE_H
