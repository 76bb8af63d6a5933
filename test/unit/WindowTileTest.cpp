//===- WindowTileTest.cpp - walks of windows ------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// LINK: TenonTile MLIR LLVM
#include "lib/Tile/Rows.h"
#include "lib/Tile/Window.h"

#include "gtest/gtest.h"
#include <list>

using namespace tenon::tile;

namespace {

/// A cache of lines that forgets what was used least recently in each set.
class Cache {
public:
  explicit Cache(int64_t bytes) : ways(bytes / 4096), lines(64) {}

  /// Whether the line was there.
  bool touch(int64_t number) {
    std::list<int64_t> &set = lines[number % 64];
    auto found = std::find(set.begin(), set.end(), number);
    bool hit = found != set.end();
    if (hit)
      set.erase(found);
    else if (int64_t(set.size()) == ways)
      set.pop_back();
    set.push_front(number);
    return hit;
  }

private:
  int64_t ways;
  std::vector<std::list<int64_t>> lines;
};

/// A map with `channels` floats for each pixel, with a halo.
WindowProblem depthwise(int64_t channels, int64_t outputs, int64_t kernel,
                        int64_t stride, const char *target = "zen4") {
  WindowProblem problem;
  int64_t lanes = findTarget(target)->lanes(4);
  problem.width = {kernel, stride, 1, channels * 4};
  problem.height = {kernel, stride, 1,
                    problem.width.span(outputs) * channels * 4};
  problem.outputs = outputs;
  problem.channels = ceilDiv(channels, lanes);
  problem.vectorBytes = lanes * 4;
  problem.pixels = 14;
  problem.accumulators = findTarget(target)->registers - 1 - kernel;
  return problem;
}

/// Lines that the second row of a walk finds no more, of those that it shares
/// with the first one.
int64_t lostLines(const WindowProblem &problem, const WindowTiling &tiling,
                  const Target &target) {
  Cache cache(target.l1Bytes);
  int64_t pixels = std::min(problem.outputs, tiling.pixels * tiling.across);
  int64_t bytes = std::min(tiling.block * problem.vectorBytes,
                           problem.channels * problem.vectorBytes);
  int64_t lost = 0;
  auto read = [&](int64_t row, int64_t column, bool isShared) {
    int64_t first = row * problem.height.pitch + column * problem.width.pitch;
    for (int64_t line = first / 64; line <= (first + bytes - 1) / 64; ++line)
      lost += !cache.touch(line) && isShared;
  };
  for (int64_t y = 0; y < 2; ++y)
    for (int64_t row = 0; row < problem.height.span(1); ++row)
      for (int64_t column = 0; column < problem.width.span(pixels); ++column)
        read(y * problem.height.stride + row, column,
             y > 0 && row + problem.height.stride < problem.height.span(1));
  return lost;
}

TEST(WindowTiling, PressureTellsWhetherRowsStay) {
  const Target &target = *findTarget("zen4");
  int64_t ways = target.l1Bytes / 4096, staying = 0;
  for (int64_t channels : {16, 64, 72, 96, 128, 144, 256})
    for (int64_t stride : {1, 2})
      for (int64_t block : {1, 2, 4, 8})
        for (int64_t across : {1, 2, 4}) {
          WindowProblem problem = depthwise(channels, 56, 3, stride);
          if (block > problem.channels)
            continue;
          WindowTiling tiling{7, 1, across, block};
          if (setPressure(problem, tiling, target) > ways * 3 / 4)
            continue;
          ++staying;
          EXPECT_EQ(lostLines(problem, tiling, target), 0)
              << channels << " channels, stride " << stride << ", " << block
              << " vectors, " << across << " tiles";
        }
  EXPECT_GT(staying, 50);
}

/// 512 bytes a pixel: every eighth column meets the same sets.
TEST(WindowTiling, PressureSeesPowersOfTwo) {
  const Target &target = *findTarget("zen4");
  WindowTiling tiling{14, 1, 1, 2};
  EXPECT_GT(setPressure(depthwise(128, 80, 3, 2), tiling, target), 8);
  EXPECT_LE(setPressure(depthwise(144, 80, 3, 2), tiling, target), 6);
}

TEST(WindowTiling, SmallMapsAreWalkedWhole) {
  WindowProblem problem = depthwise(32, 14, 3, 1);
  WindowTiling tiling = tileWindow(problem, *findTarget("zen4"));
  EXPECT_EQ(tiling.pixels, 14);
  EXPECT_EQ(tiling.across, 1);
  EXPECT_EQ(tiling.block, problem.channels);
}

/// 25 multiply-adds hide the reading of five rows from the second-level cache,
/// unless two of them are done in a cycle, or vectors are half lines.
TEST(WindowTiling, WindowsThatHideReadingAreWalkedWhole) {
  WindowProblem problem = depthwise(168, 42, 5, 1);
  WindowTiling tiling = tileWindow(problem, *findTarget("zen4"));
  EXPECT_EQ(tiling.across, 3);
  EXPECT_EQ(tiling.block, problem.channels);
  const Target &wide = *findTarget("avx512");
  tiling = tileWindow(problem, wide);
  EXPECT_LT(tiling.block, problem.channels);
  EXPECT_EQ(lostLines(problem, tiling, wide), 0);
  const Target &half = *findTarget("avx2");
  problem = depthwise(168, 42, 5, 1, "avx2");
  tiling = tileWindow(problem, half);
  EXPECT_LT(tiling.block, problem.channels);
  EXPECT_EQ(lostLines(problem, tiling, half), 0);
}

/// A larger cache holds seven rows; a smaller one only of so few pixels that
/// rows are walked whole.
TEST(WindowTiling, LargerCachesHoldMore) {
  WindowProblem problem = depthwise(96, 56, 7, 1);
  const Target &large = *findTarget("zen5"), &small = *findTarget("avx512");
  EXPECT_EQ(lostLines(problem, tileWindow(problem, large), large), 0);
  EXPECT_GT(lostLines(problem, tileWindow(problem, small), small), 0);
}

/// Rows of all channels fit, but not beside weights and results.
TEST(WindowTiling, WeightsAndResultsNeedRoom) {
  WindowProblem problem = depthwise(176, 42, 3, 1);
  const Target &target = *findTarget("zen5");
  WindowTiling whole{14, 1, 1, problem.channels};
  EXPECT_LE(setPressure(problem, whole, target), 9);
  EXPECT_LT(tileWindow(problem, target).block, problem.channels);
}

TEST(WindowTiling, VectorsHideLatencyWhereTheyFit) {
  EXPECT_EQ(tileVectors(24, 14, 8), 1);
  EXPECT_EQ(tileVectors(24, 7, 8), 2);
  EXPECT_EQ(tileVectors(10, 7, 8), 1);
  EXPECT_EQ(tileVectors(24, 2, 8), 4);
  EXPECT_EQ(tileVectors(24, 2, 3), 3);
  EXPECT_EQ(tileVectors(4, 6, 8), 1);
}

TEST(WindowTiling, LargeMapsStayInTheFirstCache) {
  for (const char *name : {"zen5", "zen4", "avx512", "avx2"})
    for (int64_t channels : {96, 144, 168, 336, 672})
      for (int64_t stride : {1, 2}) {
        const Target &target = *findTarget(name);
        WindowProblem problem = depthwise(channels, 42, 3, stride, name);
        WindowTiling tiling = tileWindow(problem, target);
        EXPECT_LE(setPressure(problem, tiling, target),
                  target.l1Bytes / 4096 * 3 / 4);
        EXPECT_EQ(lostLines(problem, tiling, target), 0);
        EXPECT_GE(tiling.block * problem.vectorBytes, 64);
      }
}

TEST(WindowTiling, IsCompleteForAllProblems) {
  for (const Target &target : targets())
    for (int64_t channels : {1, 3, 16, 33, 50, 2048})
      for (int64_t outputs : {1, 2, 5, 13, 57, 1000})
        for (int64_t kernel : {1, 2, 3, 7, 11})
          for (int64_t stride : {1, 2, 5}) {
            WindowProblem problem = depthwise(channels, outputs, kernel, stride,
                                              target.name.data());
            WindowTiling tiling = tileWindow(problem, target);
            EXPECT_GE(tiling.pixels, 1);
            EXPECT_LE(tiling.pixels, problem.pixels);
            EXPECT_GE(tiling.vectors, 1);
            EXPECT_LE(tiling.vectors, 4);
            EXPECT_EQ(tiling.block % tiling.vectors, 0);
            EXPECT_GE(tiling.across, 1);
            EXPECT_LT((tiling.across - 1) * (tiling.pixels - 1), outputs);
          }
}

} // namespace
