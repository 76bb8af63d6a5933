//===- Part.cpp - some launches in a row, as bits -------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "lib/Schedule/Part.h"
#include "llvm/ADT/STLExtras.h"

using namespace tenon;
using namespace tenon::sched;

Part::Part(const Problem &problem, const Predecessors &before, unsigned first,
           unsigned end)
    : needs(end - first), whole(problem), first(first), end(end),
      uses(end - first), overwrites(end - first) {
  for (unsigned index = 0; index < size(); ++index)
    for (unsigned launch : before[first + index])
      if (launch >= first)
        needs[index] |= bit(launch - first);
  std::vector<int> valueOf(problem.tensors.size(), -1);
  for (auto [number, tensor] : llvm::enumerate(problem.tensors)) {
    size_t count = values.size();
    addValue(tensor);
    if (values.size() > count)
      valueOf[number] = int(count);
  }
  for (auto [launch, tensor] : problem.inPlace)
    if (launch >= first && launch < end)
      overwrites[launch - first].push_back(unsigned(valueOf[tensor]));
  setTimes();
}

void Part::setTimes() {
  for (unsigned launch = first; launch < end; ++launch)
    for (unsigned threads = 1; threads <= whole.threads; ++threads)
      times.push_back(whole.timeOf(launch, threads));
}

void Part::addValue(const Tensor &tensor) {
  Value value{tensor.bytes, 0, tensor.writers.empty(), tensor.output};
  for (const std::vector<unsigned> *list : {&tensor.writers, &tensor.readers})
    for (unsigned launch : *list) {
      value.before |= launch < first;
      value.after |= launch >= end;
      if (launch >= first && launch < end)
        value.uses |= bit(launch - first);
    }
  if (!value.uses) {
    throughout += value.before && value.after ? value.bytes : 0;
    return;
  }
  forEach(value.uses, [&](unsigned index) {
    uses[index].push_back(unsigned(values.size()));
  });
  values.push_back(value);
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

/// What the result of a launch shares with the operand that it overwrites.
int64_t Part::saved(const Moment &moment, unsigned index, int64_t bytes) const {
  int64_t most = 0;
  for (unsigned number : overwrites[index]) {
    const Value &operand = values[number];
    Mask mine = operand.uses & moment.stage;
    if (!(mine & ~moment.track) && highest(mine) == index &&
        !operand.isNeeded(moment.ideal | moment.stage) &&
        (operand.isBegun(moment.ideal) || lowest(mine) != index))
      most = std::max(most, std::min(bytes, operand.bytes));
  }
  return most;
}

/// Bytes that a launch begins, while it runs.
int64_t Part::begin(const Moment &moment, unsigned index) const {
  int64_t bytes = 0, shared = 0;
  bool isFirst = true;
  for (unsigned number : uses[index]) {
    const Value &value = values[number];
    Mask mine = value.uses & moment.stage;
    if (value.isBegun(moment.ideal) || (mine & ~moment.track) ||
        lowest(mine) != index)
      continue;
    bytes += value.bytes;
    if (isFirst)
      shared = saved(moment, index, value.bytes);
    isFirst = false;
  }
  return bytes - shared;
}

/// The most bytes of what begins or ends in a track alone.
int64_t Part::trackPeak(const Moment &moment) const {
  int64_t now = 0;
  auto isMine = [&](const Value &value) {
    return !(value.uses & moment.stage & ~moment.track);
  };
  Mask done = moment.ideal | moment.stage;
  forEach(moment.track, [&](unsigned index) {
    for (unsigned number : uses[index]) {
      const Value &value = values[number];
      if (isMine(value) && value.isBegun(moment.ideal) &&
          !value.isNeeded(done) && lowest(value.uses & moment.stage) == index)
        now += value.bytes;
    }
  });
  int64_t most = now;
  forEach(moment.track, [&](unsigned index) {
    int64_t begun = begin(moment, index);
    most = std::max(most, now + begun);
    for (unsigned number : uses[index]) {
      const Value &value = values[number];
      Mask mine = value.uses & moment.stage;
      if (!isMine(value))
        continue;
      if (!value.isBegun(moment.ideal) && lowest(mine) == index)
        now += value.bytes;
      if (!value.isNeeded(done) && highest(mine) == index)
        now -= value.bytes;
    }
  });
  return most;
}

int64_t Part::peak(Mask ideal, llvm::ArrayRef<Mask> tracks) const {
  Mask stage = 0;
  for (Mask track : tracks)
    stage |= track;
  int64_t bytes = live(ideal);
  for (Mask track : tracks) {
    bytes += trackPeak({ideal, stage, track});
    forEach(track, [&](unsigned index) {
      for (unsigned number : uses[index]) {
        const Value &value = values[number];
        Mask mine = value.uses & stage;
        if (lowest(mine) != index)
          continue;
        bool isShared = mine & ~track, isBegun = value.isBegun(ideal);
        // What several tracks write is there from the begin of the stage; what
        // ends in one track has been counted there.
        if (isShared && !isBegun)
          bytes += value.bytes;
        if (!isShared && isBegun && !value.isNeeded(ideal | stage))
          bytes -= value.bytes;
      }
    });
  }
  return bytes;
}
