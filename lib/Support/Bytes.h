//===- Bytes.h - sizes for people -------------------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TENON_LIB_SUPPORT_BYTES_H
#define TENON_LIB_SUPPORT_BYTES_H

#include <cstdint>
#include <string>

namespace tenon {

/// A number with at most two decimals: `1`, `1.5`, `-0.25`.
std::string shortNumber(double value);

/// Bytes in the largest unit that leaves a number of at least 1, with at most
/// two decimals: `640 B`, `1.5 KiB`, `96 MiB`.
std::string humanBytes(int64_t bytes);

} // namespace tenon

#endif // TENON_LIB_SUPPORT_BYTES_H
