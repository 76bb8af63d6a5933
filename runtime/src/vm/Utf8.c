//===- Utf8.c - upper and lower case --------------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file maps letters. Scripts have their cases at fixed distances, or in
// pairs of neighbours.
//===----------------------------------------------------------------------===//
#include "src/vm/Utf8.h"

#include <stdint.h>

/// Capital letters [first, last] whose small ones are `distance` further, or
/// where that is zero every other one, beginning with a capital.
struct range {
  uint32_t first, last;
  int32_t distance;
};

static const struct range ranges[] = {
    {'A', 'Z', 32},      {0xc0, 0xd6, 32},     {0xd8, 0xde, 32},
    {0x100, 0x12e, 0},   {0x132, 0x136, 0},    {0x139, 0x147, 0},
    {0x14a, 0x176, 0},   {0x178, 0x178, -121}, {0x179, 0x17d, 0},
    {0x386, 0x386, 38},  {0x388, 0x38a, 37},   {0x38c, 0x38c, 64},
    {0x38e, 0x38f, 63},  {0x391, 0x3a1, 32},   {0x3a3, 0x3ab, 32},
    {0x3d8, 0x3ee, 0},   {0x400, 0x40f, 80},   {0x410, 0x42f, 32},
    {0x460, 0x480, 0},   {0x48a, 0x4be, 0},    {0x4c0, 0x4c0, 15},
    {0x4c1, 0x4cd, 0},   {0x4d0, 0x52e, 0},    {0x531, 0x556, 48},
    {0x1e00, 0x1e94, 0}, {0x1ea0, 0x1efe, 0},  {0xff21, 0xff3a, 32}};

static uint32_t smallOf(const struct range *range, uint32_t letter) {
  return letter + (uint32_t)(range->distance ? range->distance : 1);
}

/// Whether a letter is one of the range's capitals.
static bool isCapital(const struct range *range, uint32_t letter) {
  return letter >= range->first && letter <= range->last &&
         (range->distance || (letter - range->first) % 2 == 0);
}

static uint32_t toLower(uint32_t letter) {
  for (size_t i = 0; i < sizeof ranges / sizeof *ranges; ++i)
    if (isCapital(&ranges[i], letter))
      return smallOf(&ranges[i], letter);
  return letter;
}

static uint32_t toUpper(uint32_t letter) {
  for (size_t i = 0; i < sizeof ranges / sizeof *ranges; ++i) {
    uint32_t capital = letter - (smallOf(&ranges[i], 0));
    if (isCapital(&ranges[i], capital))
      return capital;
  }
  return letter;
}

/// The bytes of the letter that begins here: 1 also for what is none.
static size_t lengthOf(const unsigned char *at, size_t size) {
  size_t length = *at < 0xc2   ? 1
                  : *at < 0xe0 ? 2
                  : *at < 0xf0 ? 3
                  : *at < 0xf5 ? 4
                               : 1;
  if (length > size || (*at == 0xe0 && at[1] < 0xa0))
    return 1;
  for (size_t i = 1; i < length; ++i)
    if (at[i] >> 6 != 2)
      return 1;
  return length;
}

/// Letters of up to three bytes, which are all that have a case here.
static uint32_t decode(const unsigned char *at, size_t length) {
  if (length == 1)
    return *at;
  if (length == 2)
    return (at[0] & 0x1fu) << 6 | (at[1] & 0x3fu);
  return (at[0] & 0xfu) << 12 | (at[1] & 0x3fu) << 6 | (at[2] & 0x3fu);
}

static size_t encode(uint32_t letter, char *to) {
  if (letter < 0x80) {
    to[0] = (char)letter;
    return 1;
  }
  if (letter < 0x800) {
    to[0] = (char)(0xc0 | letter >> 6);
    to[1] = (char)(0x80 | (letter & 0x3f));
    return 2;
  }
  to[0] = (char)(0xe0 | letter >> 12);
  to[1] = (char)(0x80 | (letter >> 6 & 0x3f));
  to[2] = (char)(0x80 | (letter & 0x3f));
  return 3;
}

/// Whether what begins here may have a case.
static bool isLetter(const unsigned char *at, size_t length) {
  return length == 1 ? *at < 0x80 : length < 4;
}

size_t tenonChangeCase(const char *text, size_t size, bool isUpper, char *to) {
  size_t end = 0;
  for (size_t i = 0, length; i < size; i += length) {
    const unsigned char *at = (const unsigned char *)text + i;
    length = lengthOf(at, size - i);
    if (isLetter(at, length)) {
      uint32_t letter = decode(at, length);
      end += encode(isUpper ? toUpper(letter) : toLower(letter), to + end);
      continue;
    }
    for (size_t k = 0; k < length; ++k)
      to[end++] = text[i + k];
  }
  return end;
}

bool tenonIsEqualFolded(const char *a, size_t aSize, const char *b,
                        size_t bSize) {
  const unsigned char *left = (const unsigned char *)a;
  const unsigned char *right = (const unsigned char *)b;
  while (aSize && bSize) {
    size_t leftLength = lengthOf(left, aSize);
    size_t rightLength = lengthOf(right, bSize);
    bool isPair = isLetter(left, leftLength) && isLetter(right, rightLength);
    if (isPair ? toLower(decode(left, leftLength)) !=
                     toLower(decode(right, rightLength))
               : *left != *right)
      return false;
    // What is no letter goes byte by byte.
    leftLength = isPair ? leftLength : 1;
    rightLength = isPair ? rightLength : 1;
    left += leftLength;
    right += rightLength;
    aSize -= leftLength;
    bSize -= rightLength;
  }
  return !aSize && !bSize;
}
