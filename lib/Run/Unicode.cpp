//===- Unicode.cpp - strings as code points -------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "lib/Run/Unicode.h"

#include <cstdint>

using namespace tenon::run;

size_t tenon::run::characterSize(const std::string &text, size_t at) {
  auto first = uint8_t(text[at]);
  size_t size = first < 0x80                     ? 1
                : first >= 0xc2 && first <= 0xdf ? 2
                : first >= 0xe0 && first <= 0xef ? 3
                : first >= 0xf0 && first <= 0xf4 ? 4
                                                 : 0;
  if (at + size > text.size())
    return 0;
  for (size_t i = 1; i < size; ++i)
    if ((uint8_t(text[at + i]) & 0xc0) != 0x80)
      return 0;
  return size;
}

std::u32string tenon::run::toCodePoints(const std::string &text) {
  std::u32string points;
  for (size_t at = 0; at < text.size();) {
    size_t size = characterSize(text, at);
    auto first = uint8_t(text[at]);
    char32_t point = size == 0   ? 0xdc00 + first
                     : size == 1 ? first
                                 : first & (0x7f >> size);
    for (size_t i = 1; i < size; ++i)
      point = point << 6 | (uint8_t(text[at + i]) & 0x3f);
    points.push_back(point);
    at += size ? size : 1;
  }
  return points;
}

/// The last `count` times six bits, each in a byte behind the first of a
/// character.
static void appendRest(std::string &text, char32_t point, int count) {
  while (count-- > 0)
    text += char(0x80 | (point >> (6 * count) & 0x3f));
}

std::string tenon::run::toBytes(const std::u32string &points) {
  std::string text;
  for (char32_t point : points) {
    if (point < 0x80) {
      text += char(point);
    } else if (point >= 0xdc80 && point <= 0xdcff) {
      text += char(point & 0xff);
    } else {
      int rest = point < 0x800 ? 1 : point < 0x10000 ? 2 : 3;
      text += char(0xff00 >> (rest + 1) | point >> (6 * rest));
      appendRest(text, point, rest);
    }
  }
  return text;
}
