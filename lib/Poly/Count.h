//===- Count.h - how much a group does ---------------------------*- C++
//-*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file declares the counts of a group: the instances that its tiles run,
// against those that the program has, and the elements that tiles read. Sides
// of a box follow one tile dimension each, so that a sum over all tiles is a
// product of sums:
//
//   sum over t, u of rows(t) * columns(u) = sum of rows * sum of columns
//===----------------------------------------------------------------------===//
#ifndef TENON_LIB_POLY_COUNT_H
#define TENON_LIB_POLY_COUNT_H

#include "lib/Poly/Footprint.h"

namespace tenon::poly {

struct Count {
  int64_t all = 0;     ///< summed over all tiles
  int64_t largest = 0; ///< an upper bound of what one tile has
  int64_t once = 0;    ///< what there is
  bool exact = true;   ///< else `all` is an upper bound
};

/// The elements of a box, or instances.
Count countOf(const Box &box, llvm::ArrayRef<TileDim> tiles);

struct GroupCount {
  /// Of each statement of the group, in its order: `once` are those of the
  /// program.
  std::vector<Count> instances;
  /// Bytes of each tensor that tiles read: `once` are those of the tensor.
  std::map<unsigned, Count> bytes;
  int64_t tiles = 0; ///< in each step of host dimensions

  Count total() const; ///< of the instances
};

GroupCount countOf(const Scop &scop, const Group &group,
                   const Footprint &footprint);

} // namespace tenon::poly

#endif // TENON_LIB_POLY_COUNT_H
