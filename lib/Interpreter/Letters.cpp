//===- Letters.cpp - upper and lower case of UTF-8 ------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "lib/Interpreter/Letters.h"

#include "llvm/Support/ConvertUTF.h"

#include <cstdint>

using namespace tenon::interp;

namespace {
/// Upper-case letters `first`, `first + step`, ... `last`, whose lower-case
/// ones lie `distance` above them.
struct Range {
  uint32_t first, last, step;
  int32_t distance;
};
} // namespace

static constexpr Range kRanges[] = {
    {0x41, 0x5a, 1, 32}, // Latin
    {0xc0, 0xd6, 1, 32},     {0xd8, 0xde, 1, 32},
    {0x100, 0x12e, 2, 1},    {0x132, 0x136, 2, 1},
    {0x139, 0x147, 2, 1},    {0x14a, 0x176, 2, 1},
    {0x178, 0x178, 1, -121}, {0x179, 0x17d, 2, 1},
    {0x1cd, 0x1db, 2, 1},    {0x1de, 0x1ee, 2, 1},
    {0x1f8, 0x21e, 2, 1},    {0x222, 0x232, 2, 1},
    {0x1e00, 0x1e94, 2, 1},  {0x1ea0, 0x1efe, 2, 1},
    {0x386, 0x386, 1, 38}, // Greek
    {0x388, 0x38a, 1, 37},   {0x38c, 0x38c, 1, 64},
    {0x38e, 0x38f, 1, 63},   {0x391, 0x3a1, 1, 32},
    {0x3a3, 0x3ab, 1, 32},   {0x400, 0x40f, 1, 80}, // Cyrillic
    {0x410, 0x42f, 1, 32},   {0x460, 0x480, 2, 1},
    {0x48a, 0x4be, 2, 1},    {0x4c0, 0x4c0, 1, 15},
    {0x4c1, 0x4cd, 2, 1},    {0x4d0, 0x52e, 2, 1},
    {0x531, 0x556, 1, 48}, // Armenian
};

static uint32_t lowerOf(uint32_t letter) {
  for (const Range &range : kRanges)
    if (letter >= range.first && letter <= range.last)
      return (letter - range.first) % range.step ? letter
                                                 : letter + range.distance;
  return letter;
}

static uint32_t upperOf(uint32_t letter) {
  for (const Range &range : kRanges) {
    uint32_t upper = letter - range.distance;
    if (upper >= range.first && upper <= range.last &&
        (upper - range.first) % range.step == 0)
      return upper;
  }
  return letter;
}

/// Calls `change` on each code point.
template <typename F>
static std::string map(const std::string &text, F change) {
  std::string changed;
  auto *at = reinterpret_cast<const llvm::UTF8 *>(text.data());
  auto *end = at + text.size();
  while (at != end) {
    llvm::UTF32 letter;
    const llvm::UTF8 *begin = at;
    if (llvm::convertUTF8Sequence(&at, end, &letter, llvm::strictConversion) !=
        llvm::conversionOK) {
      at = begin + 1;
      changed += char(*begin);
      continue;
    }
    char bytes[UNI_MAX_UTF8_BYTES_PER_CODE_POINT], *to = bytes;
    llvm::ConvertCodePointToUTF8(change(letter), to);
    changed.append(bytes, to);
  }
  return changed;
}

std::string tenon::interp::toLower(const std::string &text) {
  return map(text, lowerOf);
}

std::string tenon::interp::toUpper(const std::string &text) {
  return map(text, upperOf);
}
