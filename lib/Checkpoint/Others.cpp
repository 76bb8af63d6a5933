//===- Others.cpp - what others would compute again -----------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "lib/Checkpoint/Others.h"
#include "lib/Checkpoint/Dropped.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FormatVariadic.h"

#include <cmath>
#include <set>

using namespace tenon;
using namespace tenon::ckpt;

namespace {
/// torch's partitioner on values of kernels, where all are materialized.
class Partitioner {
public:
  explicit Partitioner(const Problem &problem);

  Dropped atBudget(double budget) const;

private:
  ForwardCut cut(llvm::function_ref<bool(unsigned)> isBanned) const;
  bool isListed(unsigned value) const;
  std::vector<bool> knapsack(int64_t mostBytes) const;

  const Problem &problem;
  std::vector<bool>
      materialized;          ///< a kernel behind the loss cannot compute it
  std::vector<int64_t> keep; ///< bytes, weighted by distance
};
} // namespace

/// Hops from each value to what the backward part reads.
static std::vector<unsigned> distancesOf(const Problem &problem) {
  constexpr unsigned far = 100;
  std::vector<bool> isRead = readBehindLoss(problem);
  std::vector<unsigned> distances(problem.values.size(), far);
  for (unsigned value = unsigned(distances.size()); value-- > 0;) {
    if (isRead[value])
      distances[value] = 0;
    const std::optional<Recipe> &recipe = problem.values[value].recipe;
    for (unsigned operand : recipe ? recipe->operands : std::vector<unsigned>())
      distances[operand] = std::min(distances[operand], distances[value] + 1);
  }
  return distances;
}

Partitioner::Partitioner(const Problem &problem)
    : problem(problem), materialized(problem.values.size(), false) {
  for (unsigned step = problem.loss + 1; step < problem.steps.size(); ++step)
    for (unsigned value : problem.steps[step].reads)
      if (!absorbOf(problem.steps[step], value))
        materialized[value] = true;
  std::vector<unsigned> distances = distancesOf(problem);
  for (auto [value, distance] : llvm::zip_equal(problem.values, distances)) {
    double weight = std::pow(1.1, std::clamp(distance, 1u, 100u));
    keep.push_back(
        std::max<int64_t>(std::llround(double(value.bytes) * weight), 1));
  }
}

/// What may be computed again by torch's list: element-wise and cheap.
bool Partitioner::isListed(unsigned value) const {
  return problem.values[value].recipe &&
         problem.values[value].recipe->pointwise;
}

ForwardCut Partitioner::cut(llvm::function_ref<bool(unsigned)> isBanned) const {
  CutPrices prices{keep, {}};
  for (unsigned value = 0; value < keep.size(); ++value)
    prices.again.push_back(isBanned(value) ? neverAgain : 0);
  return cutForward(problem, prices);
}

static constexpr int64_t parts = 10'000;

/// Bytes in parts of all that a knapsack holds.
static int64_t partOf(int64_t bytes, int64_t mostBytes) {
  double part = double(bytes) / double(mostBytes) * double(parts);
  return std::max<int64_t>(std::llround(part), 1);
}

/// Of the values that are not on the list, those that save most time within so
/// many bytes.
std::vector<bool> Partitioner::knapsack(int64_t mostBytes) const {
  std::vector<int64_t> best(parts + 1, 0);
  std::vector<unsigned> items;
  std::vector<std::vector<bool>> taken;
  for (unsigned value = 0; value < problem.values.size(); ++value) {
    const Value &of = problem.values[value];
    if (!of.recipe || isListed(value) || mostBytes == 0 || of.bytes > mostBytes)
      continue;
    int64_t part = partOf(of.bytes, mostBytes);
    items.push_back(value);
    taken.emplace_back(parts + 1, false);
    for (int64_t size = parts; size >= part; --size) {
      int64_t with = best[size - part] + of.recipe->time;
      if (with <= best[size])
        continue;
      best[size] = with;
      taken.back()[size] = true;
    }
  }
  std::vector<bool> kept(problem.values.size(), false);
  int64_t size = parts;
  for (size_t item = items.size(); item-- > 0;) {
    if (!taken[item][size])
      continue;
    kept[items[item]] = true;
    size -= partOf(problem.values[items[item]].bytes, mostBytes);
  }
  return kept;
}

/// Bans fall one after the other, as the budget does.
Dropped Partitioner::atBudget(double budget) const {
  ForwardCut all = cut(
      [&](unsigned value) { return !isListed(value) || materialized[value]; });
  int64_t most = int64_t(budget * double(all.bytes));
  if (budget >= 1)
    return all.dropped;
  ForwardCut more = cut([&](unsigned value) { return !isListed(value); });
  if (more.bytes <= most)
    return more.dropped;
  ForwardCut none = cut([](unsigned) { return false; });
  if (none.bytes >= most)
    return none.dropped;
  std::vector<bool> kept = knapsack(most);
  return cut([&](unsigned value) { return kept[value]; }).dropped;
}

/// How many borders are one block: 1, 2, 4 and so on, and the root of all.
static std::set<size_t> blockSizes(size_t borders) {
  std::set<size_t> sizes;
  for (size_t size = 1; size <= borders; size *= 2)
    sizes.insert(size);
  if (borders)
    sizes.insert(size_t(std::lround(std::sqrt(double(borders)))));
  return sizes;
}

static OtherSet blocksOf(const Problem &problem, size_t size) {
  std::vector<unsigned> kept;
  for (size_t i = size - 1; i < problem.borders.size(); i += size)
    kept.push_back(problem.borders[i]);
  return {size == 1 ? "blocks" : "blocks of " + std::to_string(size),
          droppedBetween(problem, kept)};
}

std::vector<OtherSet> ckpt::setsOfOthers(const Problem &problem) {
  std::vector<OtherSet> others;
  Partitioner partitioner(problem);
  for (int tenths = 10; tenths >= 0; --tenths)
    others.push_back({"min-cut " + llvm::formatv("{0:F1}", tenths / 10.).str(),
                      partitioner.atBudget(tenths / 10.)});
  for (size_t size : blockSizes(problem.borders.size()))
    others.push_back(blocksOf(problem, size));
  return others;
}

std::vector<OtherPlan> ckpt::othersOf(const Problem &problem) {
  std::vector<OtherPlan> others;
  for (OtherSet &other : setsOfOthers(problem)) {
    Marks marks = marksOf(problem, other.dropped, /*once=*/true);
    Evaluation is = evaluate(problem, marks);
    others.push_back(
        {std::move(other.name), {std::move(marks), is.time, is.peak}});
  }
  return others;
}
