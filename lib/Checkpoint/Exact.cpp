//===- Exact.cpp - the least time of all schedules ------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file goes from step to step. Before each, values are dropped and clones
// run in any order: a shortest way through the sets of values in memory. A set
// has no values that nothing behind it can use.
//===----------------------------------------------------------------------===//
#include "lib/Checkpoint/Exact.h"
#include "llvm/ADT/STLExtras.h"

#include <limits>
#include <queue>

using namespace tenon;
using namespace tenon::ckpt;

static constexpr int64_t never = std::numeric_limits<int64_t>::max();

namespace {
using Set = uint32_t;

/// A way to get at what a step needs.
struct Way {
  Set reads = 0;
  int64_t compute = 0, stateBytes = 0;
};

/// What a step stores, and whose places it takes.
struct Outcome {
  Set stored = 0, gone = 0;
  int64_t peak = 0; ///< bytes beyond what was there
};

class Exact {
public:
  Exact(const Problem &problem, int64_t budget)
      : problem(problem), budget(budget), births(birthsOf(problem)),
        sets(size_t(1) << problem.values.size()), bytes(sets, 0) {
    for (size_t set = 1; set < sets; ++set)
      bytes[set] =
          bytes[set & (set - 1)] + problem.values[llvm::countr_zero(set)].bytes;
    for (auto [index, value] : llvm::enumerate(problem.values))
      pinned |= Set(value.pinned) << index;
  }

  std::optional<int64_t> run();

private:
  using Best = std::vector<int64_t>;
  using Queue =
      std::priority_queue<std::pair<int64_t, Set>,
                          std::vector<std::pair<int64_t, Set>>, std::greater<>>;

  Set operandsOf(unsigned value) const;
  void findUseful();
  std::vector<Way> waysOf(unsigned step) const;
  bool addWay(unsigned step, Set inside, std::vector<Way> &ways) const;
  std::vector<Outcome> outcomesOf(unsigned step) const;
  void addOutcomes(const Step &step, Outcome outcome, Set left,
                   std::vector<Outcome> &outcomes) const;
  void relax(Best &best, Queue &queue, Set set, int64_t time) const;
  void moveWithin(unsigned step);
  void runStep(unsigned step, Best &next) const;
  void runFrom(Set set, unsigned step, const Way &way, int64_t scratch,
               const std::vector<Outcome> &outcomes, Best &next) const;

  const Problem &problem;
  int64_t budget;
  std::vector<unsigned> births;
  size_t sets;
  std::vector<int64_t> bytes; ///< of each set
  Set pinned = 0;
  std::vector<Set> useful; ///< before each step
  Best best;               ///< of each set before a step
};
} // namespace

static Set setOf(const std::vector<unsigned> &values) {
  Set set = 0;
  for (unsigned value : values)
    set |= Set(1) << value;
  return set;
}

static bool has(Set set, unsigned value) { return set >> value & 1; }

Set Exact::operandsOf(unsigned value) const {
  return setOf(problem.values[value].recipe->operands);
}

void Exact::findUseful() {
  useful.assign(problem.steps.size() + 1, pinned);
  for (unsigned step = unsigned(problem.steps.size()); step-- > 0;) {
    Set set = useful[step + 1] | setOf(problem.steps[step].reads);
    // Operands have smaller numbers.
    for (unsigned value = unsigned(problem.values.size()); value-- > 0;)
      if (has(set, value) && mayCompute(problem.values[value], step))
        set |= operandsOf(value);
    useful[step] = set;
  }
}

/// Adds how the step runs if it computes exactly these values itself. Returns
/// whether it can.
bool Exact::addWay(unsigned step, Set inside, std::vector<Way> &ways) const {
  const Step &by = problem.steps[step];
  Way way{0, 0, by.stateBytes};
  Set seen = 0, work = setOf(by.reads);
  while (Set open = work & ~seen) {
    unsigned value = llvm::countr_zero(open);
    seen |= Set(1) << value;
    if (!has(inside, value)) {
      way.reads |= Set(1) << value;
      continue;
    }
    const Absorb &absorb = *absorbOf(by, value);
    way.compute += absorb.time;
    way.stateBytes += absorb.stateBytes;
    work |= operandsOf(value);
  }
  if (inside & ~seen)
    return false;
  ways.push_back(way);
  return true;
}

std::vector<Way> Exact::waysOf(unsigned step) const {
  const std::vector<Absorb> &absorbs = problem.steps[step].absorbs;
  std::vector<Way> ways;
  for (size_t choice = 0; choice < size_t(1) << absorbs.size(); ++choice) {
    Set inside = 0;
    for (auto [index, absorb] : llvm::enumerate(absorbs))
      inside |= Set(choice >> index & 1) << absorb.value;
    addWay(step, inside, ways);
  }
  return ways;
}

/// Pairs what is left of the stored results with operands, in all ways.
void Exact::addOutcomes(const Step &step, Outcome outcome, Set left,
                        std::vector<Outcome> &outcomes) const {
  if (!left) {
    outcomes.push_back(outcome);
    return;
  }
  unsigned result = llvm::countr_zero(left);
  left &= left - 1;
  addOutcomes(step, outcome, left, outcomes);
  for (unsigned operand : step.overwrites) {
    int64_t size = problem.values[operand].bytes;
    if (has(outcome.gone | pinned, operand) ||
        size != problem.values[result].bytes)
      continue;
    Outcome shared = outcome;
    shared.gone |= Set(1) << operand;
    shared.peak -= size;
    addOutcomes(step, shared, left, outcomes);
  }
}

std::vector<Outcome> Exact::outcomesOf(unsigned step) const {
  const Step &by = problem.steps[step];
  Set writes = setOf(by.writes);
  std::vector<Outcome> outcomes;
  for (Set stored = writes;; stored = (stored - 1) & writes) {
    if ((stored & pinned) == (writes & pinned))
      addOutcomes(by, {stored, 0, bytes[stored]}, stored, outcomes);
    if (stored == 0)
      return outcomes;
  }
}

void Exact::relax(Best &best, Queue &queue, Set set, int64_t time) const {
  if (time >= best[set])
    return;
  best[set] = time;
  queue.push({time, set});
}

/// Drops and clones before a step.
void Exact::moveWithin(unsigned step) {
  Queue queue;
  for (Set set = 0; set < sets; ++set)
    if (best[set] != never)
      queue.push({best[set], set});
  while (!queue.empty()) {
    auto [time, set] = queue.top();
    queue.pop();
    if (time > best[set])
      continue;
    for (unsigned value = 0; value < problem.values.size(); ++value) {
      Set one = Set(1) << value;
      const Value &of = problem.values[value];
      if (of.pinned)
        continue;
      if (set & one) {
        relax(best, queue, set & ~one, time);
        continue;
      }
      if (!has(useful[step], value) || births[value] >= step ||
          !mayCompute(of, step) || (operandsOf(value) & ~set) ||
          bytes[set] + of.bytes > budget)
        continue;
      int64_t traffic =
          of.recipe->stateBytes + bytes[operandsOf(value)] + of.bytes;
      relax(best, queue, set | one,
            time + problem.machine.timeOf(of.recipe->time, traffic));
    }
  }
}

void Exact::runFrom(Set set, unsigned step, const Way &way, int64_t scratch,
                    const std::vector<Outcome> &outcomes, Best &next) const {
  for (const Outcome &outcome : outcomes) {
    if ((outcome.gone & ~way.reads) ||
        bytes[set] + outcome.peak + scratch > budget)
      continue;
    int64_t traffic = way.stateBytes + bytes[way.reads] + bytes[outcome.stored];
    int64_t time = best[set] + problem.machine.timeOf(way.compute, traffic);
    Set after = ((set & ~outcome.gone) | outcome.stored) & useful[step + 1];
    next[after] = std::min(next[after], time);
  }
}

void Exact::runStep(unsigned step, Best &next) const {
  std::vector<Outcome> outcomes = outcomesOf(step);
  for (const Way &way : waysOf(step))
    for (const Variant &variant : problem.steps[step].variants) {
      Way with = way;
      with.compute += variant.time;
      for (Set set = 0; set < sets; ++set)
        if (best[set] != never && !(way.reads & ~set))
          runFrom(set, step, with, variant.scratch, outcomes, next);
    }
}

std::optional<int64_t> Exact::run() {
  findUseful();
  best.assign(sets, never);
  best[0] = 0;
  for (unsigned step = 0; step < problem.steps.size(); ++step) {
    moveWithin(step);
    Best next(sets, never);
    runStep(step, next);
    best = std::move(next);
  }
  int64_t least = *llvm::min_element(best);
  return least == never ? std::nullopt : std::optional(least);
}

std::optional<int64_t> ckpt::exactTime(const Problem &problem, int64_t budget) {
  return Exact(problem, budget).run();
}
