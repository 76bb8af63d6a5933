//===- Unicode.h - strings as code points -----------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TENON_RUN_UNICODE_H
#define TENON_RUN_UNICODE_H

#include <string>

namespace tenon::run {

/// The code points of UTF-8. A byte that belongs to none becomes 0xdc00 and the
/// byte, as with Python's "surrogateescape".
std::u32string toCodePoints(const std::string &text);

/// The way back.
std::string toBytes(const std::u32string &points);

/// Bytes of the UTF-8 character at `at`; 0 if there is none. Surrogates and
/// the like pass: what matters is that the bytes belong together.
size_t characterSize(const std::string &text, size_t at);

} // namespace tenon::run

#endif // TENON_RUN_UNICODE_H
