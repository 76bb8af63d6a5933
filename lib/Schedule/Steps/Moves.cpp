//===- Moves.cpp - small changes to steps ---------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "lib/Schedule/Steps/Moves.h"
#include "lib/Schedule/Steps/Arena.h"
#include "lib/Schedule/Steps/Simulate.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"
#include <random>

using namespace tenon;
using namespace tenon::sched;

namespace {
class Mover {
public:
  Mover(const Problem &problem, Steps given, const MoveOptions &options)
      : problem(problem), steps(std::move(given)),
        before(stepEdges(problem, steps)), after(steps.size()),
        order(steps.size()), random(options.seed) {
    for (unsigned step = 0; step < steps.size(); ++step) {
      order[step] = step;
      costs.push_back(costOf(problem, steps[step]));
      streams = std::max(streams, steps[step].first + 1);
      for (unsigned one : before[step])
        after[one].push_back(step);
    }
    streams = problem.isGpu() ? std::min(streams + 1, options.mostStreams)
                              : problem.threads;
    time = timeInOrder();
    bytes = std::max(options.most, peakInTurn(problem, inOrder()));
  }

  void tryMove() {
    unsigned step = random() % steps.size();
    if (random() % 2)
      tryThreads(step);
    else
      tryPlace(step);
  }

  /// Steps in their order, with what they read from as waits.
  Steps inOrder() const {
    std::vector<unsigned> place(steps.size());
    Steps result;
    for (unsigned step : order) {
      place[step] = unsigned(result.size());
      result.push_back(steps[step]);
      result.back().waits.clear();
      for (unsigned one : before[step])
        result.back().waits.push_back(place[one]);
      llvm::sort(result.back().waits);
    }
    return result;
  }

private:
  int64_t timeInOrder() const {
    return simulate(problem, {steps, order, before, costs}).time;
  }

  bool isFaster() {
    int64_t now = timeInOrder();
    if (now >= time ||
        (bytes != INT64_MAX && peakInTurn(problem, inOrder()) > bytes))
      return false;
    time = now;
    return true;
  }

  void tryThreads(unsigned number) {
    Step &step = steps[number], old = step;
    bool isWave = step.launches.size() > 1 && !step.unit;
    if (isWave && !problem.isGpu())
      return;
    if (!problem.isGpu())
      step.threads =
          std::min(1u << random() % (llvm::Log2_32(streams) + 1), streams);
    step.first = random() % (streams - step.threads + 1);
    costs[number] = costOf(problem, step);
    if (isFaster())
      return;
    step = std::move(old);
    costs[number] = costOf(problem, step);
  }

  void tryPlace(unsigned number) {
    auto from = llvm::find(order, number);
    unsigned target = random() % order.size(), at = from - order.begin();
    auto isInTheWay = [&](const std::vector<unsigned> &near, auto begin,
                          auto end) {
      return std::any_of(begin, end, [&](unsigned step) {
        return llvm::is_contained(near, step);
      });
    };
    auto begin = order.begin();
    if (target > at ? isInTheWay(after[number], from, begin + target + 1)
                    : isInTheWay(before[number], begin + target, from))
      return;
    std::vector<unsigned> old = order;
    order.erase(from);
    order.insert(order.begin() + target, number);
    if (!isFaster())
      order = std::move(old);
  }

  const Problem &problem;
  Steps steps;
  std::vector<std::vector<unsigned>> before, after;
  std::vector<unsigned> order;
  std::vector<StepCost> costs;
  std::mt19937 random;
  unsigned streams = 1;
  int64_t time = 0, bytes = 0;
};
} // namespace

Steps sched::improve(const Problem &problem, Steps steps,
                     const MoveOptions &options) {
  if (steps.empty())
    return steps;
  Mover mover(problem, std::move(steps), options);
  for (unsigned move = 0; move < options.moves; ++move)
    mover.tryMove();
  return mover.inOrder();
}
