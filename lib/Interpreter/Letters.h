//===- Letters.h - upper and lower case of UTF-8 ----------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file declares the change of case that ONNX asks for. It is the same in
// every locale: letters of the Latin, Greek, Cyrillic and Armenian scripts that
// have exactly one counterpart.
//===----------------------------------------------------------------------===//
#ifndef TENON_LIB_INTERPRETER_LETTERS_H
#define TENON_LIB_INTERPRETER_LETTERS_H

#include <string>

namespace tenon::interp {

/// Bytes that are no UTF-8 stay what they are.
std::string toLower(const std::string &text);
std::string toUpper(const std::string &text);

} // namespace tenon::interp

#endif // TENON_LIB_INTERPRETER_LETTERS_H
