//===- Gaps.cpp - where values wait for a late use ------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "lib/Checkpoint/Gaps.h"
#include "llvm/ADT/STLExtras.h"

using namespace tenon::ckpt;

bool Worth::operator>(const Worth &other) const {
  if (cost <= 0 || other.cost <= 0)
    return (cost <= 0) != (other.cost <= 0) ? cost <= 0 : gain > other.gain;
  return __int128(gain) * other.cost > __int128(other.gain) * cost;
}

namespace {
class Gaps {
public:
  Gaps(const Evaluator &evaluator, int64_t budget)
      : evaluator(evaluator), problem(evaluator.problem()), budget(budget) {}

  std::vector<Gap> find();

private:
  void findLoads();
  void addGap(unsigned value, unsigned from, unsigned to);
  int64_t costOf(unsigned value, unsigned step) const;

  const Evaluator &evaluator;
  const Problem &problem;
  int64_t budget;
  std::vector<size_t> firstEvent; ///< of each step
  std::vector<int64_t> loads;     ///< of each event
  /// Sums over the events before each: bytes above the budget, events above.
  std::vector<int64_t> bytesAbove = {0}, eventsAbove = {0};
  std::vector<Gap> gaps;
};
} // namespace

void Gaps::findLoads() {
  for (unsigned step = 0; step < problem.steps.size(); ++step) {
    firstEvent.push_back(loads.size());
    for (int64_t load : evaluator.loadsOf(step)) {
      loads.push_back(load);
      bytesAbove.push_back(bytesAbove.back() +
                           std::max<int64_t>(load - budget, 0));
      eventsAbove.push_back(eventsAbove.back() + (load > budget));
    }
  }
}

int64_t Gaps::costOf(unsigned value, unsigned step) const {
  const Value &of = problem.values[value];
  int64_t store = problem.machine.timeOf(0, of.bytes) - problem.machine.launch;
  const Absorb *absorb = absorbOf(problem.steps[step], value);
  if (!absorb)
    return evaluator.cloneTime(value) + store;
  int64_t bytes = of.recipe->stateBytes - of.bytes;
  for (unsigned operand : of.recipe->operands)
    bytes += problem.values[operand].bytes;
  int64_t traffic = problem.machine.timeOf(0, std::max<int64_t>(bytes, 0)) -
                    problem.machine.launch;
  return std::max<int64_t>(traffic + absorb->time / 2, 100'000);
}

/// The time between two uses of what is made once.
void Gaps::addGap(unsigned value, unsigned from, unsigned to) {
  const Evaluator::Touch &before = *evaluator.touchOf(from, value);
  const Evaluator::Touch &behind = *evaluator.touchOf(to, value);
  if (behind.made >= 0 || !mayCompute(problem.values[value], to))
    return;
  size_t low = firstEvent[from] + std::max(before.made, before.last);
  size_t high = firstEvent[to] + behind.first;
  bool isStep = low + 1 == (from + 1 < firstEvent.size() ? firstEvent[from + 1]
                                                         : loads.size());
  bool overwritten = loads[low] > budget && before.last >= 0 && isStep &&
                     !problem.steps[from].overwrites.empty();
  int64_t events = eventsAbove[high] - eventsAbove[low + 1];
  if (events == 0 && !overwritten)
    return;
  int64_t bytes = problem.values[value].bytes;
  int64_t gain =
      std::min(bytesAbove[high] - bytesAbove[low + 1], events * bytes);
  if (overwritten)
    gain += std::min(bytes, loads[low] - budget);
  gaps.push_back({value, to, {gain, costOf(value, to)}});
}

std::vector<Gap> Gaps::find() {
  findLoads();
  for (auto [value, of] : llvm::enumerate(problem.values)) {
    if (!of.recipe || of.pinned)
      continue;
    llvm::ArrayRef<unsigned> steps = evaluator.stepsOf(unsigned(value));
    for (size_t i = 1; i < steps.size(); ++i)
      addGap(unsigned(value), steps[i - 1], steps[i]);
  }
  return std::move(gaps);
}

std::vector<Gap> tenon::ckpt::gapsOf(const Evaluator &evaluator, int64_t budget,
                                     size_t most) {
  std::vector<Gap> gaps = Gaps(evaluator, budget).find();
  llvm::sort(gaps, [](const Gap &one, const Gap &other) {
    if (one.worth > other.worth || other.worth > one.worth)
      return one.worth > other.worth;
    return std::pair(one.value, one.step) < std::pair(other.value, other.step);
  });
  if (gaps.size() > most)
    gaps.resize(most);
  return gaps;
}
