//===- Text.h - making text and JSON ----------------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file is the little that tenon-run needs to print with.
//===----------------------------------------------------------------------===//
#ifndef TENON_RUN_TEXT_H
#define TENON_RUN_TEXT_H

#include <cstdint>
#include <string>

namespace tenon::run {

/// What printf would print; cut off after 1023 characters.
__attribute__((format(printf, 1, 2))) std::string format(const char *pattern,
                                                         ...);

/// A JSON string.
std::string quote(const std::string &text);

/// A JSON number; null for infinities and NaN, which JSON lacks.
std::string number(double value);

/// Builds `{"key": value, ...}`.
class Object {
public:
  /// `value` is JSON.
  Object &add(const char *key, const std::string &value);
  Object &add(const char *key, uint64_t value) {
    return add(key, std::to_string(value));
  }
  std::string str() const { return "{" + text + "}"; }

private:
  std::string text;
};

/// Builds `[print(item), ...]`, with `between` in front of all but the first.
template <typename T, typename F>
std::string array(const T &items, F print, const char *between = ", ") {
  std::string text;
  for (const auto &item : items)
    text += (text.empty() ? "" : between) + print(item);
  return "[" + text + "]";
}

} // namespace tenon::run

#endif // TENON_RUN_TEXT_H
