//===- Seeds.cpp - plans by minimum cuts ----------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "lib/Checkpoint/Seeds.h"
#include "lib/Checkpoint/Dropped.h"
#include "lib/Checkpoint/Others.h"
#include "llvm/ADT/STLExtras.h"

#include <set>

using namespace tenon;
using namespace tenon::ckpt;

/// Of each value: whether all steps behind the loss that read it could compute
/// it themselves.
static std::vector<bool> insideOfAll(const Problem &problem) {
  std::vector<bool> isInside = readBehindLoss(problem);
  for (unsigned step = problem.loss + 1; step < problem.steps.size(); ++step)
    for (unsigned value : problem.steps[step].reads)
      if (!absorbOf(problem.steps[step], value))
        isInside[value] = false;
  return isInside;
}

/// The time to compute a value again, as a clone, or inside of what reads it.
static int64_t againTime(const Problem &problem, unsigned value,
                         bool isInside) {
  const Value &of = problem.values[value];
  if (!of.recipe)
    return neverAgain;
  if (isInside)
    return std::max<int64_t>(of.recipe->time / 2, 1'000'000);
  int64_t bytes = of.recipe->stateBytes + 2 * of.bytes;
  for (unsigned operand : of.recipe->operands)
    bytes += problem.values[operand].bytes;
  return problem.machine.timeOf(of.recipe->time, bytes);
}

/// A price of so many femtoseconds a byte, in picoseconds, below what is
/// infinite.
static int64_t priceOf(int64_t bytes, int64_t bytePrice) {
  __int128 price = __int128(bytes) * bytePrice / 1000;
  return int64_t(std::clamp<__int128>(price, 1, int64_t(1) << 50));
}

/// From 0.1 ps to 3 us a byte.
static constexpr int64_t leastPrice = 100, mostPrice = 3'000'000'000;

std::vector<Marks> ckpt::seedsOf(const Problem &problem) {
  std::set<Dropped> known;
  std::vector<Marks> seeds;
  auto add = [&](Dropped dropped) {
    if (!known.insert(dropped).second)
      return;
    for (bool once : {false, true})
      seeds.push_back(marksOf(problem, dropped, once));
  };
  CutPrices prices;
  for (auto [value, isInside] : llvm::enumerate(insideOfAll(problem)))
    prices.again.push_back(againTime(problem, unsigned(value), isInside));
  for (int64_t price = leastPrice; price < mostPrice; price += price * 3 / 5) {
    prices.keep.clear();
    for (const Value &value : problem.values)
      prices.keep.push_back(priceOf(value.bytes, price));
    add(cutForward(problem, prices).dropped);
  }
  add(droppedBetween(problem, narrowBorders(problem)));
  for (OtherSet &other : setsOfOthers(problem))
    add(std::move(other.dropped));
  return seeds;
}
