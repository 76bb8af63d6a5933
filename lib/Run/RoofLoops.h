//===- RoofLoops.h - loops that meet a limit of the machine -----*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file declares the inner loops of Roof, for each vector width.
//===----------------------------------------------------------------------===//
#ifndef TENON_RUN_ROOFLOOPS_H
#define TENON_RUN_ROOFLOOPS_H

#include <cstdint>

namespace tenon::run {

struct RoofLoops {
  /// `read` and `copy` take multiples of it, aligned to 64 bytes.
  static constexpr int64_t blockBytes = 1024;

  /// Computes in registers alone; returns its floating-point operations.
  double (*multiplyAdd)(int64_t steps);
  /// Loads every byte once, in order.
  void (*read)(const char *data, int64_t bytes);
  /// Copies every byte once, in order, by stores like those of kernels: what
  /// is overwritten is fetched first.
  void (*copy)(const char *from, char *to, int64_t bytes);
};

/// The loops of 128, 256 or 512 bits; null where this processor has no
/// vectors of that width. There always are those of 128.
const RoofLoops *findRoofLoops(int vectorBits);

} // namespace tenon::run

#endif // TENON_RUN_ROOFLOOPS_H
