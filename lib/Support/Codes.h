//===- Codes.h - kinds of errors by number ----------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file tells of what kind an error is. Kinds have numbers that never
// change, and a section each in docs/errors.md, which is compiled in.
//===----------------------------------------------------------------------===//
#ifndef TENON_LIB_SUPPORT_CODES_H
#define TENON_LIB_SUPPORT_CODES_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"

#include <string>

namespace tenon {

/// What no other kind is: a fault of the compiler, or of a program as text.
inline constexpr unsigned internalError = 900;

/// The kind of error that `message` tells of, as its sentences say: that of the
/// first line which has one, else `internalError`.
unsigned numberOf(llvm::StringRef message);

/// Whether an error is of a kind that other sizes would not have.
bool isAboutSizes(llvm::StringRef message);

/// "TN0206".
std::string codeText(unsigned number);

/// The message with its code behind the first line.
std::string withCode(llvm::StringRef message);

/// Cause, example and remedy: the section of "TN0206", "tn0206" or "0206", the
/// page of "all", and of any other text the section of the kind of error that
/// it tells of. Empty: there is no such code.
std::string explain(llvm::StringRef codeOrMessage);

/// A part of a sentence, outside of quotes, and what it tells.
struct CodePhrase {
  unsigned number;
  llvm::StringLiteral phrase;
};

/// All, those that are asked for first in front.
llvm::ArrayRef<CodePhrase> codePhrases();

} // namespace tenon

#endif // TENON_LIB_SUPPORT_CODES_H
