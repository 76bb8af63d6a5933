//===- SlicesTest.cpp - how much of a batch runs at once ------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file holds the front of slices of random problems against all plans that
// there are, added up from the definition.
//===----------------------------------------------------------------------===//
// LINK: TenonScheduling MLIR LLVM
#include "lib/Schedule/Slices.h"

#include <gtest/gtest.h>
#include <map>
#include <random>

using namespace tenon::sched;

/// Kernels of one or two items each, with what they leave for some item.
static SliceWay randomWay(std::mt19937 &random, unsigned items,
                          int64_t images) {
  SliceWay way{images, {}, {}};
  for (unsigned at = 0; at < items;) {
    unsigned last = std::min(at + unsigned(random() % 2), items - 1);
    way.kernels.push_back({at, last, int64_t(random() % 50)});
    unsigned read = last + unsigned(random() % (items - last));
    way.values.push_back({last, read, int64_t(random() % 20) * images});
    at = last + 1;
  }
  return way;
}

static SliceProblem randomProblem(std::mt19937 &random) {
  SliceProblem problem{4, {}, {}, {}};
  unsigned items = 1 + random() % 6;
  for (unsigned at = 0; at < items; ++at) {
    problem.isSplit.push_back(random() % 5 != 0);
    problem.cuts.push_back(
        SliceCut{int64_t(random() % 40), int64_t(random() % 5)});
    if (random() % 5 == 0)
      problem.cuts.back() = std::nullopt;
  }
  problem.cuts.front() = SliceCut{0, 0};
  problem.cuts.push_back(SliceCut{0, 0});
  for (int64_t images : {4, 2, 1})
    problem.ways.push_back(randomWay(random, items, images));
  return problem;
}

namespace {
struct Priced {
  int64_t time, peak;
};
} // namespace

/// What a range takes; none where it is not allowed.
static std::optional<Priced> priceOf(const SliceProblem &problem,
                                     const SliceWay &way, unsigned begin,
                                     unsigned end) {
  bool isWhole = way.images == problem.images;
  Priced price{0, 0};
  if (!problem.cuts[begin] || !problem.cuts[end])
    return std::nullopt;
  for (unsigned at = begin; at < end; ++at)
    if (!isWhole && !problem.isSplit[at])
      return std::nullopt;
  for (const SliceKernel &kernel : way.kernels) {
    bool isIn = kernel.first >= begin && kernel.last < end;
    if (!isIn && kernel.last >= begin && kernel.first < end)
      return std::nullopt;
    price.time += isIn ? kernel.time * (problem.images / way.images) : 0;
  }
  for (unsigned at = begin; at < end; ++at) {
    int64_t live = 0;
    for (const SliceValue &value : way.values)
      if ((isWhole || value.written >= begin) && value.written <= at &&
          value.lastRead >= at)
        live += value.bytes;
    price.peak = std::max(price.peak, live);
  }
  if (!isWhole)
    for (unsigned cut : {begin, end}) {
      price.time += problem.cuts[cut]->time;
      price.peak += problem.cuts[cut]->bytes;
    }
  return price;
}

/// The least time of plans for the items from `begin` on, by peak.
static void addPlans(const SliceProblem &problem, unsigned begin, Priced before,
                     std::map<int64_t, int64_t> &best) {
  if (begin == problem.items()) {
    auto [known, isNew] = best.try_emplace(before.peak, before.time);
    known->second = std::min(known->second, before.time);
    return;
  }
  for (const SliceWay &way : problem.ways)
    for (unsigned end = begin + 1; end <= problem.items(); ++end)
      if (auto price = priceOf(problem, way, begin, end))
        addPlans(
            problem, end,
            {before.time + price->time, std::max(before.peak, price->peak)},
            best);
}

TEST(SlicesTest, FrontIsThatOfAllPlans) {
  std::mt19937 random(7);
  for (int round = 0; round < 300; ++round) {
    SliceProblem problem = randomProblem(random);
    std::map<int64_t, int64_t> all;
    addPlans(problem, 0, {0, 0}, all);
    std::vector<SlicePlan> front = sliceFront(problem);
    std::map<int64_t, int64_t> least; // without what is slower and larger
    for (auto [peak, time] : all)
      if (least.empty() || time < least.rbegin()->second)
        least[peak] = time;
    // Equal times need not come with the lowest peak, but the last does.
    ASSERT_EQ(front.empty(), least.empty());
    for (const SlicePlan &plan : front) {
      auto upTo = least.upper_bound(plan.peak);
      ASSERT_NE(upTo, least.begin());
      EXPECT_EQ(plan.time, std::prev(upTo)->second) << round;
    }
    if (!front.empty())
      EXPECT_EQ(front.back().peak, least.begin()->first) << round;
  }
}

TEST(SlicesTest, RangesAddUpToThePlan) {
  std::mt19937 random(11);
  for (int round = 0; round < 300; ++round) {
    SliceProblem problem = randomProblem(random);
    for (const SlicePlan &plan : sliceFront(problem)) {
      unsigned at = 0;
      Priced sum{0, 0};
      for (const SliceRange &range : plan.ranges) {
        ASSERT_EQ(range.begin, at);
        at = range.end;
        unsigned way = range.images == 4 ? 0 : range.images == 2 ? 1 : 2;
        auto price =
            priceOf(problem, problem.ways[way], range.begin, range.end);
        ASSERT_TRUE(price);
        sum = {sum.time + price->time, std::max(sum.peak, price->peak)};
      }
      EXPECT_EQ(at, problem.items());
      EXPECT_EQ(sum.time, plan.time);
      EXPECT_EQ(sum.peak, plan.peak);
    }
  }
}

/// Without slices nothing that lies between ranges is counted twice.
TEST(SlicesTest, WholeIsOneRange) {
  std::mt19937 random(13);
  for (int round = 0; round < 100; ++round) {
    SliceProblem problem = randomProblem(random);
    SlicePlan whole = wholePlan(problem);
    auto price = priceOf(problem, problem.ways[0], 0, problem.items());
    ASSERT_TRUE(price);
    EXPECT_EQ(whole.time, price->time);
    EXPECT_EQ(whole.peak, price->peak);
    ASSERT_EQ(whole.ranges.size(), 1u);
    EXPECT_GE(whole.time, sliceFront(problem).front().time);
  }
}

TEST(SlicesTest, TakesLessMemoryForLittleTime) {
  std::vector<SlicePlan> front = {
      {{}, 1000, 90}, {{}, 1010, 50}, {{}, 1020, 40}, {{}, 1021, 10}};
  EXPECT_EQ(chooseSlices(front, 100).peak, 90);
  EXPECT_EQ(chooseSlices(front, 102).peak, 40);
  EXPECT_EQ(chooseSlices(front, 200).peak, 10);
}
