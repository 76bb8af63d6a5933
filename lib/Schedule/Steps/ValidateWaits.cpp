//===- ValidateWaits.cpp - whether waits are enough -----------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file has a clock for each share of a step: of each thread, how many of
// its shares are over when the share begins. A step is over before another
// begins if each share of the other counts each share of the one.
//===----------------------------------------------------------------------===//
#include "lib/Schedule/Steps/Waits.h"
#include "llvm/ADT/STLExtras.h"

using namespace tenon;
using namespace tenon::sched;
using llvm::createStringError;

namespace {
class WaitProof {
public:
  WaitProof(const Problem &problem, llvm::ArrayRef<Step> steps,
            llvm::ArrayRef<int64_t> offsets)
      : problem(problem), steps(steps), offsets(offsets),
        stepOf(problem.launches.size()), places(steps.size()),
        clocks(steps.size()) {}

  llvm::Error run() {
    if (llvm::Error error = checkSteps())
      return error;
    setClocks();
    auto isInside = [&](unsigned one, unsigned other) {
      return stepOf[one] == stepOf[other] && steps[stepOf[one]].unit;
    };
    for (auto [before, after] : edgesOf(problem))
      if (!isInside(before, after) && !isOver(before, after))
        return createStringError("node '%s' does not wait for '%s'",
                                 name(after), name(before));
    return checkBytes();
  }

private:
  using Clock = std::vector<unsigned>;

  const char *name(unsigned launch) const {
    return problem.launches[launch].name.c_str();
  }

  llvm::Error checkBytes() const {
    std::vector<size_t> byOffset;
    for (size_t tensor = 0; tensor < offsets.size(); ++tensor)
      if (!vanishes(problem.tensors[tensor]))
        byOffset.push_back(tensor);
    llvm::stable_sort(
        byOffset, [&](size_t a, size_t b) { return offsets[a] < offsets[b]; });
    for (size_t at = 0; at < byOffset.size(); ++at) {
      size_t one = byOffset[at];
      int64_t end = offsets[one] + problem.tensors[one].bytes;
      for (size_t other : llvm::ArrayRef(byOffset).drop_front(at + 1)) {
        if (offsets[other] >= end)
          break;
        if (!isDone(one, other) && !isDone(other, one))
          return createStringError("tensors %zu and %zu share bytes, and no "
                                   "wait orders their uses",
                                   std::min(one, other), std::max(one, other));
      }
    }
    return llvm::Error::success();
  }

  llvm::Error checkSteps() {
    constexpr size_t mostClocks = size_t(1) << 28; // numbers in all of them
    size_t shares = 0;
    std::vector<bool> seen(problem.launches.size(), false);
    for (auto [number, step] : llvm::enumerate(steps)) {
      if (step.threads < 1 || step.threads > mostThreads ||
          step.first > mostThreads - step.threads)
        return createStringError("step %zu is on no thread", number);
      width = std::max(width, step.first + step.threads);
      shares += step.threads;
      for (unsigned wait : step.waits)
        if (wait >= number)
          return createStringError("step %zu waits for a later one", number);
      for (unsigned launch : step.launches) {
        if (launch >= seen.size() || seen[launch])
          return createStringError("step %zu has a wrong node", number);
        seen[launch] = true;
        stepOf[launch] = unsigned(number);
      }
    }
    if (shares * width > mostClocks)
      return createStringError("%zu shares on %u threads are too many to prove",
                               shares, width);
    if (llvm::is_contained(seen, false))
      return createStringError("node '%s' is in no step",
                               name(llvm::find(seen, false) - seen.begin()));
    if (offsets.size() != problem.tensors.size())
      return createStringError("not every tensor has an offset");
    return llvm::Error::success();
  }

  static void join(Clock &clock, const Clock &other) {
    for (auto [mine, theirs] : llvm::zip_equal(clock, other))
      mine = std::max(mine, theirs);
  }

  void setClocks() {
    // Per thread, the clock once it is free.
    std::vector<Clock> free(width, Clock(width, 0));
    for (auto [number, step] : llvm::enumerate(steps)) {
      Clock waited(width, 0);
      for (unsigned wait : step.waits)
        for (unsigned share = 0; share < steps[wait].threads; ++share) {
          join(waited, clocks[wait][share]);
          unsigned &count = waited[steps[wait].first + share];
          count = std::max(count, places[wait][share] + 1);
        }
      for (unsigned share = 0; share < step.threads; ++share) {
        Clock &clock = free[step.first + share];
        join(clock, waited);
        clocks[number].push_back(clock);
        places[number].push_back(clock[step.first + share]++);
      }
    }
  }

  bool isStepOver(unsigned one, unsigned other) const {
    for (const Clock &clock : clocks[other])
      for (unsigned share = 0; share < steps[one].threads; ++share)
        if (clock[steps[one].first + share] <= places[one][share])
          return false;
    return true;
  }
  bool isOver(unsigned before, unsigned after) const {
    return isStepOver(stepOf[before], stepOf[after]);
  }

  bool vanishes(const Tensor &tensor) const {
    if (tensor.bytes == 0)
      return true;
    if (tensor.writers.empty() || tensor.output)
      return false;
    std::vector<unsigned> uses;
    for (const auto *list : {&tensor.writers, &tensor.readers})
      for (unsigned launch : *list)
        uses.push_back(stepOf[launch]);
    return llvm::all_equal(uses) && steps[uses.front()].unit;
  }

  /// Whether all uses of one are over before the other begins, but for those
  /// that write it in place.
  bool isDone(size_t number, size_t next) const {
    const Tensor &one = problem.tensors[number], &other = problem.tensors[next];
    if (one.output || other.writers.empty())
      return false;
    for (const auto *list : {&one.writers, &one.readers})
      for (unsigned use : *list)
        for (unsigned writer : other.writers)
          if (!isOver(use, writer) &&
              !(use == writer && isInPlace(writer, number, next)))
            return false;
    return true;
  }

  bool isInPlace(unsigned launch, size_t operand, size_t result) const {
    return offsets[operand] == offsets[result] &&
           llvm::is_contained(problem.inPlace,
                              InPlace{launch, unsigned(operand)});
  }

  const Problem &problem;
  llvm::ArrayRef<Step> steps;
  llvm::ArrayRef<int64_t> offsets;
  std::vector<unsigned> stepOf;
  unsigned width = 0;
  std::vector<std::vector<unsigned>> places; ///< per step and share
  std::vector<std::vector<Clock>> clocks;    ///< per step and share
};
} // namespace

llvm::Error sched::validateWaits(const Problem &problem,
                                 llvm::ArrayRef<Step> steps,
                                 llvm::ArrayRef<int64_t> offsets) {
  return WaitProof(problem, steps, offsets).run();
}
