//===- PlaceWaits.cpp - what steps wait for -------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "lib/Schedule/Steps/Waits.h"
#include "llvm/ADT/BitVector.h"
#include "llvm/ADT/STLExtras.h"

using namespace tenon;
using namespace tenon::sched;

namespace {
/// Goes through steps in order with what is surely over before each.
class Placer {
public:
  Placer(const Problem &problem, Steps &steps, llvm::ArrayRef<int64_t> offsets)
      : problem(problem), steps(steps), offsets(offsets),
        stepOf(stepsOfLaunches(problem, steps)),
        must(steps.size(), llvm::BitVector(steps.size())) {
    for (auto [before, after] : edgesOf(problem))
      addPair(before, after);
    if (!offsets.empty())
      addBytes();
  }

  void run() {
    for (unsigned number = 0; number < steps.size(); ++number)
      place(number);
  }

private:
  void addPair(unsigned one, unsigned other) {
    auto [first, second] = std::minmax(stepOf[one], stepOf[other]);
    if (first != second)
      must[second].set(first);
  }

  /// A tensor that only the launches of a unit use is not there.
  bool isThere(const Tensor &tensor) const {
    if (tensor.writers.empty() || tensor.output)
      return tensor.bytes > 0;
    unsigned step = stepOf[tensor.writers.front()];
    auto isElsewhere = [&](unsigned launch) { return stepOf[launch] != step; };
    return tensor.bytes > 0 &&
           (!steps[step].unit || llvm::any_of(tensor.writers, isElsewhere) ||
            llvm::any_of(tensor.readers, isElsewhere));
  }

  void addBytes() {
    std::vector<unsigned> byOffset;
    for (unsigned number = 0; number < problem.tensors.size(); ++number)
      if (isThere(problem.tensors[number]))
        byOffset.push_back(number);
    llvm::stable_sort(byOffset, [&](unsigned a, unsigned b) {
      return offsets[a] < offsets[b];
    });
    for (auto [at, one] : llvm::enumerate(byOffset)) {
      int64_t end = offsets[one] + problem.tensors[one].bytes;
      for (unsigned other : llvm::ArrayRef(byOffset).drop_front(at + 1)) {
        if (offsets[other] >= end)
          break;
        addOverlap(problem.tensors[one], problem.tensors[other]);
      }
    }
  }

  void addOverlap(const Tensor &one, const Tensor &other) {
    for (unsigned writer : one.writers) {
      for (const auto *list : {&other.writers, &other.readers})
        for (unsigned use : *list)
          addPair(writer, use);
    }
    for (unsigned reader : one.readers)
      for (unsigned writer : other.writers)
        addPair(reader, writer);
  }

  /// Later steps imply earlier ones, never the other way round.
  void place(unsigned number) {
    Step &step = steps[number];
    llvm::BitVector over = overOn(step);
    step.waits.clear();
    for (int wait = must[number].find_last(); wait >= 0;
         wait = must[number].find_prev(wait)) {
      if (over.test(wait))
        continue;
      over |= known[wait];
      over.set(wait);
      step.waits.push_back(unsigned(wait));
    }
    std::reverse(step.waits.begin(), step.waits.end());
    finish(number, over);
  }

  /// What all threads of the step know.
  llvm::BitVector overOn(const Step &step) {
    if (threads.size() < step.first + step.threads)
      threads.resize(step.first + step.threads, llvm::BitVector(steps.size()));
    llvm::BitVector over = threads[step.first];
    for (unsigned thread = 1; thread < step.threads; ++thread)
      over &= threads[step.first + thread];
    return over;
  }

  /// Of a step of several threads, each knows of its own share only.
  void finish(unsigned number, const llvm::BitVector &over) {
    const Step &step = steps[number];
    known.push_back(over);
    for (unsigned thread = 0; thread < step.threads; ++thread)
      threads[step.first + thread] |= over;
    if (step.threads == 1)
      threads[step.first].set(number);
  }

  const Problem &problem;
  Steps &steps;
  llvm::ArrayRef<int64_t> offsets;
  std::vector<unsigned> stepOf;
  std::vector<llvm::BitVector> must;    ///< per step: earlier ones
  std::vector<llvm::BitVector> known;   ///< per step: what is over before it
  std::vector<llvm::BitVector> threads; ///< what is over once each is free
};
} // namespace

void sched::placeWaits(const Problem &problem, Steps &steps,
                       llvm::ArrayRef<int64_t> offsets) {
  Placer(problem, steps, offsets).run();
}
