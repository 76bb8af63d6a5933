//===- Part.h - some launches in a row, as bits -----------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file declares what the search works on: launches that follow each other
// in the program, after all before them and before all behind. An ideal is a
// set of them that waits for nothing outside of it; how many bytes are in use
// once it is done depends on nothing else.
//===----------------------------------------------------------------------===//
#ifndef TENON_LIB_SCHEDULE_PART_H
#define TENON_LIB_SCHEDULE_PART_H

#include "lib/Schedule/Problem.h"
#include "lib/Support/Mask.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallVector.h"

namespace tenon::sched {

/// Direct predecessors of each launch that no others imply, ascending.
using Predecessors = std::vector<llvm::SmallVector<unsigned, 4>>;
Predecessors predecessorsOf(const Problem &problem);

/// Where the program is cut: begins of parts of at most so many launches, and
/// the end. Where all that follows waits for all before, nothing is lost;
/// `exact` says whether there were such places enough. Others are where the
/// fewest values cross.
std::vector<unsigned> cutsOf(const Predecessors &before, unsigned most,
                             bool &exact);

class Part {
public:
  /// Hash tables keep two words for themselves: those with all high bits set.
  static constexpr unsigned mostLaunches = 60;

  /// The launches from `first` up to `end`.
  Part(const Problem &problem, const Predecessors &before, unsigned first,
       unsigned end);

  unsigned size() const { return end - first; }
  Mask all() const { return bit(size()) - 1; }
  unsigned launch(unsigned index) const { return first + index; }
  const Problem &problem() const { return whole; }

  /// What waits for what, inside of the part.
  std::vector<Mask> needs;

  int64_t timeOf(unsigned index, unsigned threads) const {
    return times[index * whole.threads + threads - 1];
  }
  int64_t tilesOf(unsigned index) const {
    return whole.launches[launch(index)].tiles;
  }
  /// Bytes in use once an ideal is done.
  int64_t live(Mask ideal) const;
  /// The most bytes in use during a stage of tracks, behind an ideal. Launches
  /// of a track ascend. A wave is a stage of tracks of one launch.
  int64_t peak(Mask ideal, llvm::ArrayRef<Mask> tracks) const;
  /// For one launch alone.
  int64_t peak(Mask ideal, unsigned index) const {
    return peak(ideal, llvm::ArrayRef(bit(index)));
  }

private:
  struct Value {
    int64_t bytes;
    Mask uses;          ///< in this part
    bool before, after; ///< whether it begins or ends outside of it
    bool isBegun(Mask ideal) const { return before || (uses & ideal); }
    bool isNeeded(Mask ideal) const { return after || (uses & ~ideal); }
  };
  /// One moment's view of a stage.
  struct Moment {
    Mask ideal, stage, track;
  };

  void setTimes();
  void addValue(const Tensor &tensor);
  int64_t trackPeak(const Moment &moment) const;
  int64_t begin(const Moment &moment, unsigned index) const;
  int64_t saved(const Moment &moment, unsigned index, int64_t bytes) const;

  const Problem &whole;
  unsigned first, end;
  int64_t throughout = 0; ///< bytes in use all the time
  std::vector<int64_t> times;
  std::vector<Value> values;
  /// Per launch, the values that it uses, and those that it may overwrite.
  std::vector<llvm::SmallVector<unsigned, 4>> uses, overwrites;
};

} // namespace tenon::sched

#endif // TENON_LIB_SCHEDULE_PART_H
