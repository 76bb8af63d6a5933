//===- Reach.h - what a launch writes of a storage --------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file declares the bytes of a storage that an access may touch: rows of
// `run` bytes, `pitch` apart, between two ends. Columns of one matrix overlap
// in their ends and share nothing:
//
//   begin                        end
//   |a a a|b b|a a a|b b|a a a|b b|
//    run   <-- pitch -->
//===----------------------------------------------------------------------===//
#ifndef TENON_PASSES_MEMORY_REACH_H
#define TENON_PASSES_MEMORY_REACH_H

#include "dialects/Kernel/Kernel.h"

namespace tenon::memory {

/// By default: any bytes.
struct Reach {
  bool isAll = true;
  int64_t begin = 0, end = 0;
  int64_t run = 0, pitch = 0;

  /// Whether some byte may be in both.
  bool meets(const Reach &other) const;
  /// Whether all bytes of the other are in this one.
  bool covers(const Reach &other) const;
};

/// What a launch writes through a buffer among its results. A kernel stores the
/// elements of its tensor and nothing else (test/unit/KernelTest.cpp looks at
/// what lies between them); one that reads nothing clears what lies around
/// them.
Reach writtenBy(kernel::LaunchOp launch, mlir::Value buffer);

} // namespace tenon::memory

#endif // TENON_PASSES_MEMORY_REACH_H
