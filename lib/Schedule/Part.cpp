//===- Part.cpp - some launches in a row, as bits -------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "lib/Schedule/Part.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"

using namespace tenon;
using namespace tenon::sched;

Part::Part(const Problem &problem, const Items &items, unsigned first,
           unsigned end)
    : needs(end - first), whole(problem),
      members(items.launches.begin() + first, items.launches.begin() + end),
      places(problem.launches.size()), uses(end - first),
      overwrites(end - first) {
  for (unsigned item = 0; item < first; ++item)
    for (unsigned launch : items.launches[item])
      places[launch].where = Place::Before;
  for (unsigned index = 0; index < size(); ++index) {
    for (auto [at, launch] : llvm::enumerate(members[index]))
      places[launch] = {Place::Inside, index, unsigned(at)};
    for (unsigned item : items.before[first + index])
      if (item >= first)
        needs[index] |= bit(item - first);
  }
  for (const Tensor &tensor : problem.tensors)
    addValue(tensor);
  for (const InPlace &inPlace : problem.inPlace)
    addInPlace(inPlace);
  setTimes();
  for (auto [number, unit] : llvm::enumerate(problem.units))
    addUnit(unsigned(number), unit);
  setLeast();
  sumAreas();
}

void Part::addUnit(unsigned number, const Unit &unit) {
  Mask items = 0;
  for (unsigned launch : unit.launches) {
    const Place &place = places[launch];
    if (place.where != Place::Inside || members[place.item].size() > 1)
      return;
    items |= bit(place.item);
  }
  units.push_back({number, items});
}

void Part::setLeast() {
  for (unsigned index = 0; index < size(); ++index) {
    int64_t alone = timeOf(index, 1), time = timeOf(index, whole.threads);
    const Launch &only = launch(index);
    bool isOne = members[index].size() == 1;
    if (isOne && only.tiles && !whole.isGpu())
      time = std::min<int64_t>(
          time, llvm::divideCeil(alone,
                                 std::min<int64_t>(only.tiles, whole.threads)));
    leastTimes.push_back(time);
    int64_t area = alone;
    for (unsigned threads = 2; threads <= whole.threads; ++threads)
      area = std::min(area, timeOf(index, threads) * threads);
    if (whole.isGpu())
      area = isOne ? time * only.part / wholeDevice : 0;
    leastAreas.push_back(area);
  }
  for (const PartUnit &unit : units)
    lowerLeast(unit);
}

/// An item has an equal part of what its unit takes.
void Part::lowerLeast(const PartUnit &unit) {
  int64_t time = whole.timeOfUnit(unit.number, whole.threads), area = time;
  for (unsigned threads = 1; threads <= whole.threads; ++threads) {
    int64_t taken = whole.timeOfUnit(unit.number, threads) * threads;
    area = threads == 1 ? taken : std::min(area, taken);
  }
  int64_t count = llvm::popcount(unit.items);
  forEach(unit.items, [&](unsigned index) {
    leastTimes[index] = std::min(leastTimes[index], time / count);
    leastAreas[index] =
        whole.isGpu() ? 0 : std::min(leastAreas[index], area / count);
  });
}

/// The search asks for the sums of sets at each of its steps.
void Part::sumAreas() {
  areasOf.resize(llvm::divideCeil(size(), 8));
  for (unsigned index = 0; index < size(); ++index) {
    std::array<int64_t, 256> &sums = areasOf[index / 8];
    unsigned last = unsigned(bit(index % 8));
    for (unsigned others = 0; others < last; ++others)
      sums[last + others] = sums[others] + leastAreas[index];
  }
}

Part::Steps Part::stepsOf(Mask items, llvm::ArrayRef<unsigned> chosen) const {
  auto stepOf = [&](unsigned index) {
    for (unsigned unit : chosen)
      if (units[unit].items & bit(index))
        return Step{units[unit].items, unit};
    return Step{bit(index)};
  };
  auto isReady = [&](Mask step, Mask open) {
    Mask awaited = 0;
    forEach(step, [&](unsigned index) { awaited |= needs[index]; });
    return !(awaited & open & ~step);
  };
  Steps steps;
  for (Mask open = items, left = open; left;) {
    Step step = stepOf(llvm::countr_zero(left));
    left &= ~step.items;
    if (!isReady(step.items, open))
      continue;
    steps.push_back(step);
    open &= ~step.items;
    left = open;
  }
  return steps;
}

void Part::setTimes() {
  for (const auto &launches : members)
    for (unsigned threads = 1; threads <= whole.threads; ++threads) {
      int64_t time = 0;
      for (unsigned launch : launches)
        time += whole.timeOf(launch, threads);
      times.push_back(time);
    }
}

/// The launch uses the value that is added next.
void Part::addUse(unsigned launch) {
  const Place &place = places[launch];
  auto &list = uses[place.item];
  unsigned value = unsigned(values.size());
  if (list.empty() || list.back().value != value)
    list.push_back({value, place.launch, place.launch});
  list.back().first = std::min(list.back().first, place.launch);
  list.back().last = std::max(list.back().last, place.launch);
}

void Part::addValue(const Tensor &tensor) {
  Value value{tensor.bytes, 0, tensor.writers.empty(), tensor.output};
  for (const std::vector<unsigned> *list : {&tensor.writers, &tensor.readers})
    for (unsigned launch : *list) {
      const Place &place = places[launch];
      value.before |= place.where == Place::Before;
      value.after |= place.where == Place::Behind;
      if (place.where != Place::Inside)
        continue;
      value.uses |= bit(place.item);
      addUse(launch);
    }
  valueOf.push_back(value.uses ? int(values.size()) : -1);
  if (value.uses)
    values.push_back(value);
  else if (value.before && value.after)
    throughout += value.bytes;
}

void Part::addInPlace(const InPlace &inPlace) {
  const Place &place = places[inPlace.launch];
  if (place.where != Place::Inside)
    return;
  for (auto [number, use] : llvm::enumerate(uses[place.item]))
    if (int(use.value) == valueOf[inPlace.tensor])
      overwrites[place.item].push_back({place.launch, unsigned(number)});
}

int64_t Part::live(Mask ideal) const {
  int64_t bytes = throughout;
  for (const Value &value : values)
    if (value.isBegun(ideal) && value.isNeeded(ideal))
      bytes += value.bytes;
  return bytes;
}

static unsigned lowest(Mask mask) { return llvm::countr_zero(mask); }
static unsigned highest(Mask mask) { return 63 - llvm::countl_zero(mask); }

/// Whether a value of this track alone begins with the launch.
bool Part::begins(const Moment &moment, const Use &use) const {
  const Value &value = values[use.value];
  return use.first == moment.launch && isMine(moment, value) &&
         !value.isBegun(moment.ideal) &&
         lowest(value.uses & moment.stage) == moment.item;
}

/// Whether a value of this track alone ends with the launch.
bool Part::ends(const Moment &moment, const Use &use) const {
  const Value &value = values[use.value];
  return use.last == moment.launch && isMine(moment, value) &&
         !value.isNeeded(moment.ideal | moment.stage) &&
         highest(value.uses & moment.stage) == moment.item;
}

/// What the result of a launch shares with an operand that it overwrites.
int64_t Part::saved(const Moment &moment, int64_t bytes) const {
  int64_t most = 0;
  for (const Overwrite &overwrite : overwrites[moment.item]) {
    const Use &use = uses[moment.item][overwrite.use];
    if (overwrite.launch == moment.launch && ends(moment, use) &&
        !begins(moment, use))
      most = std::max(most, std::min(bytes, values[use.value].bytes));
  }
  return most;
}

/// Bytes that a launch begins, while it runs.
int64_t Part::begun(const Moment &moment) const {
  int64_t bytes = 0;
  std::optional<int64_t> first;
  for (const Use &use : uses[moment.item])
    if (begins(moment, use)) {
      bytes += values[use.value].bytes;
      first = first.value_or(values[use.value].bytes);
    }
  return first ? bytes - saved(moment, *first) : 0;
}

/// By how much bytes in use change with a launch.
int64_t Part::change(const Moment &moment) const {
  int64_t bytes = 0;
  for (const Use &use : uses[moment.item]) {
    if (begins(moment, use))
      bytes += values[use.value].bytes;
    if (ends(moment, use))
      bytes -= values[use.value].bytes;
  }
  return bytes;
}

/// The most bytes of what begins or ends in a track alone, above what it finds.
int64_t Part::trackPeak(Moment moment) const {
  int64_t now = 0, most = 0;
  forEach(moment.track, [&](unsigned item) {
    moment.item = item;
    for (moment.launch = 0; moment.launch < members[item].size();
         ++moment.launch) {
      most = std::max(most, now + begun(moment));
      now += change(moment);
    }
  });
  return most;
}

/// Whether the uses of a value end with a step of the only track that has any.
bool Part::isLastStep(const Walk &walk, const Value &value, Mask items) const {
  return !value.isNeeded(walk.ideal | walk.stage) &&
         !(value.uses & walk.stage & ~walk.track) &&
         !(value.uses & walk.stage & ~walk.done & ~items);
}

/// What the first result of a launch shares with an operand.
int64_t Part::savedBy(const Walk &walk, const Step &step, int64_t bytes) const {
  int64_t most = 0;
  if (step.unit)
    return most;
  unsigned item = llvm::countr_zero(step.items);
  for (const Overwrite &overwrite : overwrites[item]) {
    const Value &value = values[uses[item][overwrite.use].value];
    if (isLastStep(walk, value, step.items) &&
        (value.isBegun(walk.ideal) || (value.uses & walk.done)))
      most = std::max(most, std::min(bytes, value.bytes));
  }
  return most;
}

/// A step of a track: an item of one launch, or a unit.
void Part::walk(Walk &walk, const Step &step) const {
  int64_t begun = 0, ended = 0;
  std::optional<int64_t> first;
  for (const Value &value : values) {
    if (!(value.uses & step.items) || (value.uses & walk.stage & ~walk.track))
      continue;
    bool begins = !value.isBegun(walk.ideal) && !(value.uses & walk.done);
    bool ends = isLastStep(walk, value, step.items);
    if (begins && ends && step.unit)
      continue; // inside of the unit
    begun += begins ? value.bytes : 0;
    ended += ends ? value.bytes : 0;
    if (begins)
      first = first.value_or(value.bytes);
  }
  int64_t shared = first ? savedBy(walk, step, *first) : 0;
  walk.most = std::max(walk.most, walk.now + begun - shared);
  walk.now += begun - ended;
  walk.done |= step.items;
}

int64_t Part::trackPeak(const Moment &moment,
                        llvm::ArrayRef<unsigned> chosen) const {
  if (chosen.empty())
    return trackPeak(moment);
  Walk state{moment.ideal, moment.stage, moment.track, 0};
  for (const Step &step : stepsOf(moment.track, chosen))
    walk(state, step);
  return state.most;
}

int64_t Part::peak(Mask ideal, llvm::ArrayRef<Mask> tracks,
                   llvm::ArrayRef<unsigned> chosen) const {
  Mask stage = 0;
  for (Mask track : tracks)
    stage |= track;
  int64_t bytes = live(ideal);
  for (Mask track : tracks) {
    Moment moment{ideal, stage, track};
    bytes += trackPeak(moment, chosen);
    // What several tracks write is there from the begin of the stage.
    forEach(track, [&](unsigned item) {
      for (const Use &use : uses[item]) {
        const Value &value = values[use.value];
        if (!isMine(moment, value) && !value.isBegun(ideal) &&
            lowest(value.uses & stage) == item)
          bytes += value.bytes;
      }
    });
  }
  return bytes;
}
