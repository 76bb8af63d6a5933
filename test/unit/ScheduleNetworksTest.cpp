//===- ScheduleNetworksTest.cpp - schedules of networks -------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file compares schedules of networks with times that an independent model
// has found: of a GPU that launches share like a fluid, and of many threads.
//===----------------------------------------------------------------------===//
// LINK: TenonScheduling MLIR LLVM
#include "lib/Schedule/Steps/Chains.h"
#include "lib/Schedule/Steps/Plan.h"
#include "lib/Schedule/Steps/Waits.h"
#include "lib/Schedule/Waves.h"
#include "test/unit/ScheduleTestProblems.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/MathExtras.h"
#include "llvm/Support/MemoryBuffer.h"
#include <cmath>
#include <gtest/gtest.h>

using namespace tenon;
using namespace tenon::sched;

static std::string textOf(llvm::StringRef name) {
  std::string path = std::string(TENON_UNIT_TESTS) +
                     "/../tools/Inputs/schedule/" + name.str() + ".txt";
  auto buffer = llvm::MemoryBuffer::getFile(path);
  EXPECT_TRUE(bool(buffer)) << path;
  return buffer ? (*buffer)->getBuffer().str() : "";
}

static Problem gpu(llvm::StringRef name, int64_t hop) {
  Problem problem = problemOf(textOf(("gpu-" + name).str()));
  problem.hop = hop;
  return problem;
}

/// Any launches may share a wave, as in the model that was compared with.
static Problem withEqualBlocks(Problem problem) {
  for (Launch &launch : problem.launches)
    launch.blocks = {128, 0, 1};
  return problem;
}

static double ratio(const Problem &problem, int64_t time) {
  return double(time) / double(programOrder(problem).time);
}

static void expectNear(double found, double known) {
  EXPECT_NEAR(found / known, 1, 0.02) << found << " instead of " << known;
}

namespace {
/// What the model says, over one stream.
struct Known {
  const char *name;
  double chains[3]; ///< at hops of 0, 0.8 and 1.2 us
  double early, late;
};
constexpr Known known[] = {
    {"squeezenet1_1", {0.800, 1.008, 1.112}, 0.800, 0.800},
    {"inception_v3", {0.516, 0.551, 0.568}, 0.529, 0.522},
    {"randwire", {0.476, 0.524, 0.549}, 0.511, 0.517},
    {"nasnetalarge", {0.513, 0.528, 0.535}, 0.517, 0.512},
};
} // namespace

TEST(ScheduleNetworksTest, HasTheTimesOfChainsAndWaves) {
  for (const Known &network : known) {
    SCOPED_TRACE(network.name);
    for (auto [hop, time] :
         llvm::zip_equal(std::array{0, 800, 1200}, network.chains)) {
      Problem problem = gpu(network.name, hop);
      Steps steps = stepsByLevel(problem, /*late=*/false);
      spreadOverChains(problem, steps);
      placeWaits(problem, steps);
      expectNear(ratio(problem, simulate(problem, steps).time), time);
    }
    Problem problem = withEqualBlocks(gpu(network.name, 800));
    expectNear(ratio(problem, wavesByLevel(problem, false).time),
               network.early);
    expectNear(ratio(problem, wavesByLevel(problem, true).time), network.late);
  }
}

/// Streams of an older list schedule.
static Steps landed(llvm::StringRef name) {
  std::string text = textOf("gpu-streams");
  Steps steps;
  bool mine = false;
  for (llvm::StringRef line : llvm::split(text, '\n')) {
    if (line.empty() || line.front() == '#')
      continue;
    if (llvm::isAlpha(line.front())) {
      mine = line == name;
      continue;
    }
    llvm::SmallVector<unsigned> numbers;
    for (llvm::StringRef word : llvm::split(line, ' '))
      numbers.push_back(unsigned(std::stoul(word.str())));
    if (mine)
      steps.push_back({{numbers[0]},
                       {},
                       numbers[1],
                       1,
                       {numbers.begin() + 2, numbers.end()}});
  }
  return steps;
}

TEST(ScheduleNetworksTest, HasTheTimesOfStreams) {
  auto expect = [](llvm::StringRef name, std::array<double, 3> times) {
    Steps steps = landed(name);
    for (auto [hop, time] : llvm::zip_equal(std::array{0, 800, 1200}, times)) {
      Problem problem = gpu(name, hop);
      ASSERT_EQ(steps.size(), problem.launches.size());
      expectNear(ratio(problem, simulate(problem, steps).time), time);
    }
  };
  expect("squeezenet1_1", {0.800, 0.918, 0.998});
  expect("inception_v3", {0.516, 0.548, 0.565});
}

/// The geometric mean over one stream, within 1.3 of its bytes.
TEST(ScheduleNetworksTest, SharesAGpuWell) {
  double equal = 0, own = 0;
  for (const Known &network : known) {
    SCOPED_TRACE(network.name);
    for (bool same : {false, true}) {
      Problem problem = gpu(network.name, 800);
      if (same)
        problem = withEqualBlocks(problem);
      Plan program = programPlan(problem);
      Plan best = llvm::cantFail(plan(problem));
      EXPECT_EQ(llvm::toString(validate(problem, best)), "");
      EXPECT_LE(double(best.arena), 1.3 * double(program.arena));
      (same ? equal : own) +=
          std::log(double(best.time) / double(program.time)) / 4;
    }
  }
  EXPECT_LE(std::exp(equal), 0.59);
  EXPECT_LE(std::exp(own), 0.60);
}

/// 0.15 us for each of the levels at which threads meet.
static int64_t joinOf(double threads) {
  return threads > 1 ? std::llround(150 * std::log2(threads)) : 0;
}

/// A network on many threads, by its times on one: equal tiles, 3 % for
/// imbalance, a tree of joins. At least so many tiles, of at least 3 us.
static Problem onThreads(llvm::StringRef name, unsigned threads,
                         int64_t leastTiles) {
  Problem problem = problemOf(textOf(name));
  problem.threads = threads;
  problem.join = joinOf(threads);
  problem.imbalance = 30;
  problem.threadCounts.clear();
  for (unsigned count = 1; count <= threads; ++count)
    problem.threadCounts.push_back(count);
  std::string tiles = textOf("tiles");
  llvm::StringRef numbers =
      llvm::StringRef(tiles).split(("\n" + name + " ").str()).second;
  for (Launch &launch : problem.launches) {
    auto [number, rest] = numbers.split(' ');
    numbers = rest;
    int64_t alone = launch.times.front();
    launch.tiles =
        std::max<int64_t>({int64_t(std::stoul(number.str())), 1,
                           std::min<int64_t>(leastTiles, alone / 3000)});
    launch.times = {alone};
    for (unsigned count = 2; count <= threads; ++count) {
      double share =
          double(llvm::divideCeil(launch.tiles, count)) / double(launch.tiles);
      int64_t time = std::llround(double(alone) * share * 1.03) +
                     joinOf(double(std::min<int64_t>(count, launch.tiles)));
      launch.times.push_back(std::min(alone, time));
    }
  }
  return problem;
}

namespace {
struct ManyThreads {
  const char *name;
  int64_t leastTiles;
  unsigned threads;
  double program, waves, search, list; ///< us
};
constexpr ManyThreads many[] = {
    {"squeezenet1_1", 0, 8, 699, 687, 696, 697},
    {"squeezenet1_1", 0, 16, 499, 441, 450, 446},
    {"squeezenet1_1", 0, 64, 395, 352, 354, 348},
    {"squeezenet1_1", 64, 16, 391, 354, 372, 389},
    {"squeezenet1_1", 64, 64, 154, 128, 131, 144},
    {"inception_v3", 0, 16, 8489, 6909, 6307, 6424},
    {"inception_v3", 64, 64, 1438, 1326, 1359, 1397},
    {"randwire", 64, 16, 1469, 1124, 1188, 1208},
    {"randwire", 64, 64, 844, 504, 522, 475},
};
} // namespace

/// Each level as a wave, also of one launch.
static int64_t wavesOfAll(const Problem &problem) {
  std::vector<unsigned> level = levelsOf(problem, /*late=*/false);
  std::vector<Stage> stages(*llvm::max_element(level) + 1);
  for (unsigned launch = 0; launch < level.size(); ++launch) {
    stages[level[launch]].wave = true;
    stages[level[launch]].tracks.push_back({problem.threads, {launch}});
  }
  return measure(problem, stages).time;
}

/// The order of the program and waves take what the model says, the search and
/// lists no more.
TEST(ScheduleNetworksTest, HasTheTimesOfManyThreads) {
  for (const ManyThreads &row : many) {
    SCOPED_TRACE(std::string(row.name) + " on " + std::to_string(row.threads));
    Problem problem = onThreads(row.name, row.threads, row.leastTiles);
    auto micro = [](int64_t time) { return double(time) / 1000; };
    expectNear(micro(programOrder(problem).time), row.program);
    expectNear(micro(wavesOfAll(problem)), row.waves);
    // A launch alone has whole tiles.
    int64_t waves = wavesByLevel(problem, false).time;
    EXPECT_LE(micro(waves), 1.035 * row.waves);
    Solution solution = llvm::cantFail(solve(problem));
    EXPECT_EQ(llvm::toString(validate(problem, solution)), "");
    EXPECT_LE(micro(solution.time), 1.02 * row.search);
    EXPECT_LE(solution.time, waves);
    int64_t list = INT64_MAX;
    for (int64_t price : {0, 500, 1000, 2000, 4000}) {
      Steps steps = listOfThreads(problem, price);
      placeWaits(problem, steps);
      list = std::min(list, simulate(problem, steps).time);
    }
    EXPECT_LE(micro(list), 1.02 * row.list);
  }
}
