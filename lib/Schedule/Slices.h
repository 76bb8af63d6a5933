//===- Slices.h - how much of a batch runs at once --------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file declares the choice of slices. A program works on a batch of images
// and is a sequence of items. Ranges of them, one behind the other, run either
// for the whole batch or for one slice after the other: then what lives inside
// of a range is that of one slice, and what lies between two ranges is whole.
//
//   time = sum over ranges of slices * time of the kernels for one
//          + what lies between two of them, where one of these has slices
//   peak = the most of any range
//
// Both are predictions. The fastest ranges below a peak are found exactly.
//===----------------------------------------------------------------------===//
#ifndef TENON_LIB_SCHEDULE_SLICES_H
#define TENON_LIB_SCHEDULE_SLICES_H

#include <cstdint>
#include <optional>
#include <vector>

namespace tenon::sched {

/// A kernel that computes items of [first, last], none outside.
struct SliceKernel {
  unsigned first, last;
  int64_t time; ///< nanoseconds, for one slice
};

/// What a kernel leaves at an item, until the last one that reads it.
struct SliceValue {
  unsigned written, lastRead;
  int64_t bytes; ///< of one slice
};

/// The program for slices of so many images.
struct SliceWay {
  int64_t images;
  std::vector<SliceKernel> kernels;
  std::vector<SliceValue> values;
};

/// The whole batch between an item and the one before.
struct SliceCut {
  int64_t bytes; ///< that live there
  int64_t time;  ///< nanoseconds to leave them there, or to find them
};

struct SliceProblem {
  int64_t images; ///< of the batch
  /// Whether an item works image by image.
  std::vector<bool> isSplit;
  /// In front of each item, and behind the last; none where ranges cannot meet.
  std::vector<std::optional<SliceCut>> cuts;
  /// The first one has all images, each other a divisor of them.
  std::vector<SliceWay> ways;

  unsigned items() const { return unsigned(isSplit.size()); }
};

/// Items [begin, end) in slices of so many images.
struct SliceRange {
  unsigned begin, end;
  int64_t images;
};

struct SlicePlan {
  std::vector<SliceRange> ranges; ///< all items, in order
  int64_t time, peak;             ///< nanoseconds, bytes
};

/// All items in one range, for all images.
SlicePlan wholePlan(const SliceProblem &problem);

/// The fastest ranges with each peak for which there are any: from the fastest
/// of all to the lowest peak. Of equally fast ones the larger slices.
std::vector<SlicePlan> sliceFront(const SliceProblem &problem);

/// The plan with the lowest peak of those that take at most so many per cent of
/// the time of the fastest.
const SlicePlan &chooseSlices(const std::vector<SlicePlan> &front,
                              int64_t percent);

} // namespace tenon::sched

#endif // TENON_LIB_SCHEDULE_SLICES_H
