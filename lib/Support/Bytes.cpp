//===- Bytes.cpp - sizes for people ---------------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "lib/Support/Bytes.h"

#include <cstdio>

std::string tenon::shortNumber(double value) {
  char text[64];
  snprintf(text, sizeof text, "%.2f", value);
  std::string number = text;
  number.erase(number.find_last_not_of('0') + 1);
  if (number.back() == '.')
    number.pop_back();
  return number == "-0" ? "0" : number;
}

std::string tenon::humanBytes(int64_t bytes) {
  static constexpr const char *units[] = {"B",   "KiB", "MiB", "GiB",
                                          "TiB", "PiB", "EiB"};
  double value = double(bytes);
  unsigned unit = 0;
  for (; value >= 1024 && unit < 6; ++unit)
    value /= 1024;
  return shortNumber(value) + " " + units[unit];
}
