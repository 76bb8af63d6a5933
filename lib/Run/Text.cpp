//===- Text.cpp - making text and JSON ------------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "lib/Run/Text.h"

#include <cmath>
#include <cstdarg>
#include <cstdio>

using namespace tenon::run;

std::string tenon::run::format(const char *pattern, ...) {
  char line[1024];
  va_list arguments;
  va_start(arguments, pattern);
  vsnprintf(line, sizeof line, pattern, arguments);
  va_end(arguments);
  return line;
}

std::string tenon::run::quote(const std::string &text) {
  std::string quoted = "\"";
  for (unsigned char c : text) {
    if (c == '"' || c == '\\')
      quoted += std::string("\\") + char(c);
    else if (c < 32)
      quoted += format("\\u%04x", c);
    else
      quoted += char(c);
  }
  return quoted + "\"";
}

std::string tenon::run::number(double value) {
  return std::isfinite(value) ? format("%.9g", value) : "null";
}

Object &Object::add(const char *key, const std::string &value) {
  text += (text.empty() ? "" : ", ") + quote(key) + ": " + value;
  return *this;
}
