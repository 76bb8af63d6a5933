//===- SmallTypes.h - elements of eight bits and fewer ----------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file declares what the command line knows of elements that numpy lacks:
// floats of eight and four bits, integers of four and two. Each takes a byte.
//===----------------------------------------------------------------------===//
#ifndef TENON_RUN_SMALLTYPES_H
#define TENON_RUN_SMALLTYPES_H

#include "tenon-c/Runtime.h"

#include <cstddef>
#include <string>

namespace tenon::run {

/// Bytes of one element in memory.
inline size_t elementBytes(tenon_dtype type) { return (type.bits + 7) / 8; }

bool isSmallFloat(tenon_dtype type);
/// Whether the type is one of those above.
bool isSmall(tenon_dtype type);

/// "float8_e4m3fn", of small floats.
std::string smallFloatName(tenon_dtype type);

/// The number that a byte stands for.
double smallAt(tenon_dtype type, uint8_t byte);

/// A float in [-1, 1] but not 0 from 64 random bits: the sign of bit 63, and
/// 1 + (bits >> 32) % n of the n codes of numbers up to 1 (the last eight of
/// powers of two).
uint8_t randomSmallFloat(tenon_dtype type, uint64_t bits);

} // namespace tenon::run

#endif // TENON_RUN_SMALLTYPES_H
