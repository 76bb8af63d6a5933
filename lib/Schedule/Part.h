//===- Part.h - some launches in a row, as bits -----------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file declares what the search works on: items, launches that are taken
// as one, that follow each other in the program, after all before them and
// before all behind. An ideal is a
// set of them that waits for nothing outside of it; how many bytes are in use
// once it is done depends on nothing else.
//===----------------------------------------------------------------------===//
#ifndef TENON_LIB_SCHEDULE_PART_H
#define TENON_LIB_SCHEDULE_PART_H

#include "lib/Schedule/Problem.h"
#include "lib/Support/Mask.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallVector.h"

#include <array>

namespace tenon::sched {

/// Direct predecessors of each launch that no others imply, ascending.
using Predecessors = std::vector<llvm::SmallVector<unsigned, 4>>;
Predecessors predecessorsOf(const Problem &problem);

/// Launches that the search takes as one, each directly after the one before
/// it, and what they wait for.
struct Items {
  std::vector<llvm::SmallVector<unsigned, 4>> launches;
  Predecessors before; ///< items, which stand before it
};
/// Each launch alone.
Items singleItems(Predecessors before);
/// What waits for nothing and has one user, which waits for others too, goes
/// directly before that, if to delay it never raises the peak of an order. With
/// `chains`, a launch that is all that another waits for, and has no other to
/// wait for it, is one with that: it makes the search shorter by far, and loses
/// what is within chains.
Items joinedItems(const Problem &problem, const Predecessors &before,
                  bool chains);

/// Where the program is cut: begins of parts of at most so many items, and the
/// end. Where all that follows waits for all before, nothing is lost; `exact`
/// says whether there were such places enough. Others are where the fewest
/// values cross. No exact place is inside of the ranges in `together`: first
/// and last items.
using Range = std::pair<unsigned, unsigned>;
std::vector<unsigned> cutsOf(const Predecessors &before, unsigned most,
                             bool &exact, llvm::ArrayRef<Range> together = {});

/// From the first to the last item of each unit.
std::vector<Range> rangesOf(const Problem &problem, const Items &items);

class Part {
public:
  /// Hash tables keep two words for themselves: those with all high bits set.
  static constexpr unsigned mostItems = 60;

  /// The items from `first` up to `end`.
  Part(const Problem &problem, const Items &items, unsigned first,
       unsigned end);

  unsigned size() const { return members.size(); }
  Mask all() const { return bit(size()) - 1; }
  /// The launches of an item.
  llvm::ArrayRef<unsigned> launches(unsigned index) const {
    return members[index];
  }
  const Problem &problem() const { return whole; }

  /// Launches of the part that may run as one; none among items of several.
  struct PartUnit {
    unsigned number; ///< of the problem
    Mask items;
  };
  std::vector<PartUnit> units;
  /// What a track does at a time: an item, or those of a unit.
  struct Step {
    Mask items;
    std::optional<unsigned> unit = {}; ///< of this part
  };
  using Steps = llvm::SmallVector<Step, 8>;
  /// Items in an order in which they may run, with some units as one: of those
  /// that are ready, the one with the first item. Less than all if units wait
  /// for each other.
  Steps stepsOf(Mask items, llvm::ArrayRef<unsigned> chosen) const;

  /// What waits for what, inside of the part.
  std::vector<Mask> needs;

  int64_t timeOf(unsigned index, unsigned threads) const {
    return times[index * whole.threads + threads - 1];
  }
  int64_t timeOf(const Step &step, unsigned threads) const {
    return step.unit ? whole.timeOfUnit(units[*step.unit].number, threads)
                     : timeOf(unsigned(llvm::countr_zero(step.items)), threads);
  }
  /// Several launches share no wave.
  bool mayShareWave(unsigned one, unsigned other) const {
    return members[one].size() == 1 && members[other].size() == 1 &&
           whole.mayShareWave(members[one].front(), members[other].front());
  }
  /// The only launch of an item.
  const Launch &launch(unsigned index) const {
    return whole.launches[members[index].front()];
  }
  /// What an item takes at least, whatever runs beside it and as one with it.
  int64_t leastTime(unsigned index) const { return leastTimes[index]; }
  /// The same, multiplied by the threads or the part of a GPU that it takes.
  /// Of all of these together.
  int64_t leastArea(Mask items) const {
    int64_t area = 0;
    for (size_t group = 0; items; items >>= 8, ++group)
      area += areasOf[group][items & 255];
    return area;
  }
  /// Bytes in use once an ideal is done.
  int64_t live(Mask ideal) const;
  /// The most bytes in use during a stage of tracks, behind an ideal. Launches
  /// of a track ascend. A wave is a stage of tracks of one launch.
  int64_t peak(Mask ideal, llvm::ArrayRef<Mask> tracks,
               llvm::ArrayRef<unsigned> chosen = {}) const;

private:
  struct Value {
    int64_t bytes;
    Mask uses;          ///< items in this part
    bool before, after; ///< whether it begins or ends outside of it
    bool isBegun(Mask ideal) const { return before || (uses & ideal); }
    bool isNeeded(Mask ideal) const { return after || (uses & ~ideal); }
  };
  /// An item's use of a value: by which of its launches first and last.
  struct Use {
    unsigned value, first, last;
  };
  struct Overwrite {
    unsigned launch; ///< of the item
    unsigned use;    ///< of the item
  };
  /// One launch in a stage.
  struct Moment {
    Mask ideal, stage, track;
    unsigned item = 0, launch = 0;
  };

  void setTimes();
  void addUnit(unsigned number, const Unit &unit);
  void setLeast();
  void lowerLeast(const PartUnit &unit);
  void sumAreas();
  void addValue(const Tensor &tensor);
  void addUse(unsigned launch);
  void addInPlace(const InPlace &inPlace);
  bool isMine(const Moment &moment, const Value &value) const {
    return !(value.uses & moment.stage & ~moment.track);
  }
  bool begins(const Moment &moment, const Use &use) const;
  bool ends(const Moment &moment, const Use &use) const;
  int64_t trackPeak(Moment moment) const;
  int64_t begun(const Moment &moment) const;
  int64_t saved(const Moment &moment, int64_t bytes) const;
  int64_t change(const Moment &moment) const;
  /// A track with units, and how far it is.
  struct Walk {
    Mask ideal, stage, track, done;
    int64_t now = 0, most = 0;
  };
  void walk(Walk &walk, const Step &step) const;
  int64_t savedBy(const Walk &walk, const Step &step, int64_t bytes) const;
  bool isLastStep(const Walk &walk, const Value &value, Mask items) const;
  int64_t trackPeak(const Moment &moment,
                    llvm::ArrayRef<unsigned> chosen) const;

  const Problem &whole;
  std::vector<llvm::SmallVector<unsigned, 4>> members;
  /// Per launch of the problem: its item here and its place in it, or whether
  /// it lies before or behind the part.
  struct Place {
    enum { Before, Inside, Behind } where = Behind;
    unsigned item = 0, launch = 0;
  };
  std::vector<Place> places;
  int64_t throughout = 0; ///< bytes in use all the time
  std::vector<int64_t> times, leastTimes, leastAreas;
  /// Of each set of eight items in a row.
  std::vector<std::array<int64_t, 256>> areasOf;
  std::vector<Value> values;
  std::vector<int> valueOf; ///< per tensor; -1: not used here
  std::vector<llvm::SmallVector<Use, 4>> uses;
  std::vector<llvm::SmallVector<Overwrite, 1>> overwrites;
};

} // namespace tenon::sched

#endif // TENON_LIB_SCHEDULE_PART_H
