//===- LaunchScheduleTest.cpp - launches as a problem of scheduling -------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file tests what is asked of the solver for launches, and what waves are
// expected to take.
//===----------------------------------------------------------------------===//
// LINK: TenonSchedule TenonMemoryPasses TenonScheduling TenonKernel
#include "passes/Schedule/LaunchProblem.h"
#include "passes/Schedule/Moments.h"

#include "lib/Schedule/Solve.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Parser/Parser.h"
#include "passes/Memory/PlanArena.h"

#include "gtest/gtest.h"
#include <random>

using namespace mlir;
using namespace tenon;

namespace {
/// A program of launches on buffers of whole lines.
class Text {
public:
  Text() { line("func.func @main() {"); }

  void line(const std::string &text) { all += text + "\n"; }

  /// Of so many lines.
  static std::string type(int64_t lines) {
    return "!memory.buffer<tensor<" + std::to_string(lines * 16) +
           "xf32>, [1], 0, " + std::to_string(lines * 64) + ">";
  }

  struct Operand {
    std::string name;
    int64_t lines;
  };
  static std::string list(ArrayRef<Operand> operands) {
    std::string names, types;
    for (const Operand &operand : operands) {
      names += (names.empty() ? "" : ", ") + operand.name;
      types += (types.empty() ? "" : ", ") + type(operand.lines);
    }
    return names + (names.empty() ? "" : " : ") + types;
  }

  void launch(ArrayRef<Operand> reads, ArrayRef<Operand> writes,
              const std::string &attributes, int64_t tiles = 1) {
    line("  kernel.launch @k tiles(" + std::to_string(tiles) + ") reads(" +
         list(reads) + ") writes(" + list(writes) +
         ") {bytes = 0 : i64, flops = 0 : i64, nodes = \"\", " + attributes +
         "}");
  }

  void alloc(const Operand &operand) {
    line("  " + operand.name + " = memory.alloc : " + type(operand.lines));
  }

  std::string end() const { return all + "  return\n}\n"; }

private:
  std::string all;
};

class LaunchSchedule : public testing::Test {
protected:
  LaunchSchedule() {
    context.loadDialect<kernel::KernelDialect, memory::MemoryDialect,
                        func::FuncDialect, LLVM::LLVMDialect>();
  }

  func::FuncOp parse(const Text &text) {
    module = parseSourceString<ModuleOp>(
        text.end() + "func.func private @k(!llvm.ptr)\n", &context);
    EXPECT_TRUE(module);
    return *module->getOps<func::FuncOp>().begin();
  }

  static sched::Problem problemOf(func::FuncOp main, unsigned threads) {
    auto problem = schedule::launchProblem(main, threads);
    EXPECT_TRUE(bool(problem)) << llvm::toString(problem.takeError());
    return problem ? std::move(*problem) : sched::Problem();
  }

  MLIRContext context;
  OwningOpRef<ModuleOp> module;
};
} // namespace

TEST_F(LaunchSchedule, StatesTimesAndTensors) {
  Text text;
  text.line("  %x = memory.input 0 : " + Text::type(1));
  text.alloc({"%a", 2});
  text.launch({{"%x", 1}}, {{"%a", 2}}, "time = 100000 : i64", 8);
  text.alloc({"%b", 2});
  text.launch({{"%a", 2}}, {{"%b", 2}},
              "time = 1000 : i64, in_place = array<i64: 0, 0>");
  text.line("  %y = memory.output 0 : " + Text::type(2));
  text.launch({{"%b", 2}}, {{"%y", 2}}, "time = 100000 : i64, steps = 3 : i64",
              2);
  sched::Problem problem = problemOf(parse(text), 16);
  ASSERT_EQ(problem.launches.size(), 3u);
  EXPECT_EQ(problem.join, 850);
  EXPECT_EQ(problem.imbalance, 30);
  // A tile on each of 8 threads; one tile waits for nobody; three steps meet.
  EXPECT_EQ(problem.launches[0].times,
            (std::vector<int64_t>{100000, 103000 / 8 + 850}));
  EXPECT_EQ(problem.launches[1].times, (std::vector<int64_t>{1000, 1000}));
  EXPECT_EQ(problem.launches[2].times,
            (std::vector<int64_t>{100000, 103000 / 2 + 3 * 850}));
  EXPECT_EQ(problem.launches[0].tiles, 8);
  EXPECT_EQ(problem.launches[2].tiles, 0);
  // The result over the operand comes first; what is no allocation has no
  // bytes.
  EXPECT_EQ(problem.tensors,
            (std::vector<sched::Tensor>{{128, {1}, {2}}, {128, {0}, {1}}}));
  EXPECT_EQ(problem.inPlace, (std::vector<sched::InPlace>{{1, 1}}));
}

/// Many threads meet in clusters of 8, so twice as many meet a little later.
TEST_F(LaunchSchedule, ManyThreadsMeetInClusters) {
  auto joinOf = [&](unsigned threads) {
    Text text;
    text.alloc({"%a", 1});
    text.launch({}, {{"%a", 1}}, "time = 1 : i64");
    return problemOf(parse(text), threads).join;
  };
  EXPECT_EQ(joinOf(1), 0);
  EXPECT_EQ(joinOf(31), 1600);
  EXPECT_EQ(joinOf(32), 450 + 250);
  EXPECT_EQ(joinOf(64), 450 + 450);
}

/// Peaks are what arenas cannot be smaller than: of random programs whose
/// launches read some of what others made, in place where they may.
TEST_F(LaunchSchedule, PeaksAreBoundsOfArenas) {
  unsigned inPlace = 0;
  for (unsigned seed = 0; seed < 100; ++seed) {
    std::mt19937 generator(seed);
    Text text;
    std::vector<Text::Operand> made;
    for (unsigned number = 0; number < 10; ++number) {
      Text::Operand result{"%b" + std::to_string(number),
                           1 + int64_t(generator() % 3)};
      std::vector<Text::Operand> reads;
      for (const Text::Operand &other : made)
        if (generator() % 3 == 0)
          reads.push_back(other);
      bool isOver = !reads.empty() && reads[0].lines == result.lines;
      text.alloc(result);
      text.launch(reads, {result},
                  isOver ? "in_place = array<i64: 0, 0>" : "time = 1 : i64");
      made.push_back(result);
    }
    func::FuncOp main = parse(text);
    auto plan = memory::planArena(main, memory::arenaWork);
    ASSERT_TRUE(succeeded(plan));
    sched::Problem problem = problemOf(main, 1);
    EXPECT_LE(sched::programOrder(problem).peak, plan->bytes()) << seed;
    EXPECT_EQ(sched::programOrder(problem).peak, mem::lowerBound(plan->problem))
        << seed;
    inPlace += !problem.inPlace.empty();
  }
  EXPECT_GT(inPlace, 30u);
}

static sched::Problem independent(std::vector<std::pair<int64_t, int64_t>> all,
                                  unsigned threads) {
  sched::Problem problem;
  problem.threads = threads;
  problem.threadCounts = {1, threads};
  for (auto [time, tiles] : all) {
    sched::Launch launch;
    launch.name = std::to_string(problem.launches.size());
    int64_t rounds = (tiles + threads - 1) / threads;
    launch.times = {time, tiles ? time / tiles * rounds : 0};
    launch.tiles = tiles;
    problem.launches.push_back(std::move(launch));
  }
  return problem;
}

TEST_F(LaunchSchedule, WavesTakeUntilTheLastTile) {
  // 4 tiles of 30 and 4 of 10 on 4 threads: a tile of each to each.
  EXPECT_EQ(schedule::timeOf(independent({{40, 4}, {120, 4}}, 4), {{0, 1}}),
            40);
  // 5 tiles of 10 on 4 threads, twice: 10 tiles are three rounds.
  sched::Problem odd = independent({{50, 5}, {50, 5}}, 4);
  EXPECT_EQ(schedule::timeOf(odd, {{0}, {1}}), 40);
  EXPECT_EQ(schedule::timeOf(odd, {{0, 1}}), 30);
  // Many tiles: equal shares.
  EXPECT_EQ(schedule::timeOf(independent({{4000, 400}, {40, 4}}, 4), {{0, 1}}),
            1010);
}

TEST_F(LaunchSchedule, RunsSayWhoIsAtWhat) {
  // Of 5 tiles of each the first thread has two of the first launch in a row.
  sched::Problem odd = independent({{50, 5}, {50, 5}, {30, 0}}, 4);
  schedule::Course course = schedule::courseOf(odd, {{0, 1}, {2}});
  EXPECT_EQ(course.begins, (std::vector<int64_t>{0, 30, 30}));
  std::string text;
  for (const schedule::Run &run : course.runs)
    if (run.launch < 2)
      text += std::to_string(run.thread) + ": " + std::to_string(run.launch) +
              " " + std::to_string(run.begin) + ".." + std::to_string(run.end) +
              "\n";
  EXPECT_EQ(text, "0: 0 0..20\n1: 0 0..10\n2: 0 0..10\n3: 0 0..10\n"
                  "1: 1 10..30\n2: 1 10..20\n3: 1 10..20\n0: 1 20..30\n");
}

TEST_F(LaunchSchedule, WavesThatDoNotPayAreLaunchesInTurn) {
  auto momentsFor = [](sched::Problem problem) {
    sched::Stage wave{true, {{4, {1}}, {4, {0}}}};
    return schedule::withWaves(problem, {wave});
  };
  schedule::Moments together{{0, 1}}, inTurn{{0}, {1}};
  EXPECT_EQ(momentsFor(independent({{50, 5}, {50, 5}}, 4)), together);
  EXPECT_EQ(momentsFor(independent({{80, 8}, {80, 8}}, 4)), inTurn);
}
