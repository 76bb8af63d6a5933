//===- Bound.h - bytes that must be there at once ---------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TENON_LIB_MEMORY_BOUND_H
#define TENON_LIB_MEMORY_BOUND_H

#include "lib/Memory/Blocks.h"

namespace tenon::mem {

/// Buffers of one scope that all meet, and the bytes they need together: no
/// arena is smaller.
struct Peak {
  int64_t bytes = 0;
  std::vector<unsigned> buffers;
};

/// The heaviest peak of each scope that was found.
std::vector<Peak> findPeaks(const Problem &problem, const Blocks &blocks);

} // namespace tenon::mem

#endif // TENON_LIB_MEMORY_BOUND_H
