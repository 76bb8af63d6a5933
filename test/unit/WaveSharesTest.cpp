//===- WaveSharesTest.cpp - who runs what of a wave -----------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file shares random launches out to threads, and runs shares on the pool.
//===----------------------------------------------------------------------===//
// LINK: tenon_runtime NO_PCH
#include "gtest/gtest.h"
#include <atomic>
#include <random>
#include <set>
#include <thread>
#include <vector>

extern "C" {
#include "runtime/src/base/Pool.h"
#include "runtime/src/base/Shares.h"
}

namespace {

/// All parts of a wave.
struct Shares {
  Shares(const std::vector<tenonMember> &members, int threads)
      : ends(threads + 1), parts(tenonMostParts(members.size(), threads)) {
    tenonShareOut(members.data(), uint32_t(members.size()), threads,
                  parts.data(), ends.data());
    EXPECT_LE(ends.back(), parts.size());
  }

  std::vector<uint32_t> ends;
  std::vector<tenonPart> parts;
};

std::vector<tenonMember> draw(std::mt19937 &random, int64_t leastTiles) {
  std::vector<tenonMember> members(1 + random() % 12);
  for (tenonMember &member : members)
    member = {leastTiles + int64_t(random() % 40),
              1 + uint32_t(random() % 5000), random() % 4 == 0};
  return members;
}

/// The time that a thread's parts take.
double loadOf(const std::vector<tenonMember> &members, const Shares &shares,
              int thread) {
  double load = 0;
  for (uint32_t i = shares.ends[thread]; i < shares.ends[thread + 1]; ++i) {
    const tenonPart &part = shares.parts[i];
    const tenonMember &member = members[part.member];
    load +=
        double(part.end - part.begin) / double(member.tiles) * member.weight;
  }
  return load;
}

} // namespace

TEST(WaveShares, HoldEachTileOnce) {
  std::mt19937 random(1);
  for (int round = 0; round < 2000; ++round) {
    auto members = draw(random, 0);
    int threads = round % 3 ? 1 + int(random() % 8) : 1 + int(random() % 100);
    Shares shares(members, threads);
    std::vector<std::vector<int>> seen;
    for (const tenonMember &member : members)
      seen.emplace_back(member.tiles);
    ASSERT_EQ(shares.ends.front(), 0u);
    for (uint32_t i = 0; i < shares.ends.back(); ++i) {
      const tenonPart &part = shares.parts[i];
      ASSERT_LT(part.begin, part.end);
      for (int64_t tile = part.begin; tile < part.end; ++tile)
        ++seen.at(part.member).at(tile);
    }
    for (const auto &tiles : seen)
      for (int count : tiles)
        ASSERT_EQ(count, 1);
  }
}

TEST(WaveShares, AreOneCallOfAThreadWhereThatIsWanted) {
  std::mt19937 random(2);
  for (int round = 0; round < 500; ++round) {
    auto members = draw(random, 1);
    int threads = 1 + int(random() % 20);
    Shares shares(members, threads);
    for (int thread = 0; thread < threads; ++thread) {
      std::multiset<uint32_t> calls;
      for (uint32_t i = shares.ends[thread]; i < shares.ends[thread + 1]; ++i)
        calls.insert(shares.parts[i].member);
      for (uint32_t i = 0; i < members.size(); ++i)
        ASSERT_LE(calls.count(i), members[i].isOneCall ? 1u : 4u);
    }
  }
}

/// No thread has more than its share by much more than one tile.
TEST(WaveShares, AreEven) {
  std::mt19937 random(3);
  for (int round = 0; round < 1000; ++round) {
    auto members = draw(random, 1);
    int threads = 2 + int(random() % 30);
    Shares shares(members, threads);
    double sum = 0, longest = 0;
    for (const tenonMember &member : members) {
      sum += member.weight;
      longest = std::max(longest, double(member.weight) / double(member.tiles));
    }
    for (int thread = 0; thread < threads; ++thread)
      ASSERT_LE(loadOf(members, shares, thread),
                sum / threads + 1.5 * longest + 1e-6)
          << "round " << round;
  }
}

/// So that what a launch wrote is in the cache of who reads it.
TEST(WaveShares, OfFewThreadsAreTheSameRowsOfEachLaunch) {
  for (int threads : {2, 3, 4}) {
    std::vector<tenonMember> members = {
        {60, 10, false}, {120, 500, true}, {60, 70, false}};
    Shares shares(members, threads);
    for (int thread = 0; thread < threads; ++thread)
      for (uint32_t i = shares.ends[thread]; i < shares.ends[thread + 1]; ++i) {
        const tenonPart &part = shares.parts[i];
        int64_t tiles = members[part.member].tiles;
        ASSERT_GE(part.begin, tiles * thread / threads - 1);
        ASSERT_LE(part.end, tiles * (thread + 1) / threads + 1);
      }
  }
}

TEST(WaveShares, OfManyThreadsAreOfFewLaunches) {
  std::vector<tenonMember> members(8, tenonMember{64, 100, false});
  Shares shares(members, 16);
  for (int thread = 0; thread < 16; ++thread) {
    ASSERT_EQ(shares.ends[thread + 1] - shares.ends[thread], 4u);
    for (uint32_t i = shares.ends[thread]; i < shares.ends[thread + 1]; ++i)
      ASSERT_EQ(shares.parts[i].member, uint32_t(thread / 2));
  }
}

TEST(WaveShares, OfHugeLaunchesAreExact) {
  std::vector<tenonMember> members(3,
                                   tenonMember{INT64_MAX, UINT32_MAX, false});
  for (int threads : {1, 3, 4, 7, 1000}) {
    Shares shares(members, threads);
    std::vector<int64_t> next(3);
    for (uint32_t i = 0; i < shares.ends.back(); ++i) {
      const tenonPart &part = shares.parts[i];
      ASSERT_EQ(part.begin, next[part.member]);
      next[part.member] = part.end;
    }
    for (int64_t end : next)
      ASSERT_EQ(end, INT64_MAX);
  }
}

//===----------------------------------------------------------------------===//
// On the pool
//===----------------------------------------------------------------------===//

namespace {

struct Counts {
  std::vector<std::atomic<int>> of;
  std::atomic<int> outside = 0;
  int threads;
};

void count(const void *argument, int32_t thread, int64_t begin, int64_t end) {
  auto *counts = static_cast<Counts *>(const_cast<void *>(argument));
  counts->outside += thread < 0 || thread >= counts->threads;
  if (begin % 3 == 0)
    std::this_thread::sleep_for(std::chrono::microseconds(begin % 50));
  for (int64_t i = begin; i < end; ++i)
    ++counts->of.at(i);
}

} // namespace

TEST(WaveSharesOnThePool, RunEachChunkOnce) {
  std::mt19937 random(4);
  const tenon_allocator allocator = {};
  for (int threads = 1; threads <= 16; ++threads) {
    tenonPool *pool = nullptr;
    ASSERT_EQ(tenonPoolCreate(threads, &allocator, &pool), nullptr);
    for (int round = 0; round < 60; ++round) {
      std::vector<uint32_t> ends = {0};
      for (int i = 0; i < threads; ++i)
        ends.push_back(ends.back() + random() % (round % 3 ? 6 : 2));
      Counts counts{std::vector<std::atomic<int>>(ends.back()), 0, threads};
      tenonPoolRunShares(pool, ends.data(), count, &counts);
      for (const std::atomic<int> &times : counts.of)
        ASSERT_EQ(times, 1);
      ASSERT_EQ(counts.outside, 0);
      // Launches of both kinds take turns.
      Counts after{std::vector<std::atomic<int>>(50), 0, threads};
      tenonPoolRun(pool, 50, 4, false, count, &after);
      for (const std::atomic<int> &times : after.of)
        ASSERT_EQ(times, 1);
    }
    tenonPoolDestroy(pool);
  }
}

/// In clusters, some of which have nothing to do, or are not whole.
TEST(WaveSharesOnThePool, ManyThreadsRunEachChunkOnce) {
  std::mt19937 random(5);
  const tenon_allocator allocator = {};
  for (int threads : {31, 32, 33, 40, 63, 64, 71}) {
    tenonPool *pool = nullptr;
    ASSERT_EQ(tenonPoolCreate(threads, &allocator, &pool), nullptr);
    for (int round = 0; round < 100; ++round) {
      int64_t tiles = 2 + int64_t(random() % (round % 2 ? 300 : 9));
      Counts counts{std::vector<std::atomic<int>>(tiles), 0, threads};
      tenonPoolRun(pool, tiles, 4, round % 3 == 0, count, &counts);
      for (const std::atomic<int> &times : counts.of)
        ASSERT_EQ(times, 1);
      std::vector<uint32_t> ends = {0};
      for (int i = 0; i < threads; ++i)
        ends.push_back(ends.back() + (random() % 8 == 0));
      Counts shared{std::vector<std::atomic<int>>(ends.back()), 0, threads};
      tenonPoolRunShares(pool, ends.data(), count, &shared);
      for (const std::atomic<int> &times : shared.of)
        ASSERT_EQ(times, 1);
      ASSERT_EQ(counts.outside + shared.outside, 0);
    }
    tenonPoolDestroy(pool);
  }
}
