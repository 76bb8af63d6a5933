//===- Window.cpp - how a window walks over a map -------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "lib/Tile/Window.h"

#include "lib/Tile/CacheSets.h"
#include "lib/Tile/Rows.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include <algorithm>

using namespace tenon::tile;

//===-- The first-level cache ---------------------------------------------===//

/// Pixels of a walk.
static int64_t walkPixels(const WindowProblem &problem,
                          const WindowTiling &tiling) {
  return std::min(problem.outputs, tiling.pixels * tiling.across);
}

/// Lines that a run of the block's channels touches. It starts anywhere in a
/// line unless lines and pixels agree.
static double runLines(const WindowProblem &problem,
                       const WindowTiling &tiling) {
  int64_t bytes = tiling.block * problem.vectorBytes;
  bool isWhole = tiling.block >= problem.channels;
  bool isAligned =
      problem.width.pitch % lineBytes == 0 && bytes % lineBytes == 0;
  return double(bytes) / lineBytes + (isWhole || isAligned ? 0 : 1);
}

int64_t tenon::tile::setPressure(const WindowProblem &problem,
                                 const WindowTiling &tiling,
                                 const Target &target) {
  const WindowExtent &height = problem.height, &width = problem.width;
  int64_t rows = height.span(1);
  int64_t columns = width.span(walkPixels(problem, tiling));
  auto run = int64_t(runLines(problem, tiling) + 0.99);
  // More than what could be told apart is too much in any case.
  int64_t most = target.l1Bytes / lineBytes;
  if (rows * columns * std::max<int64_t>(1, run / 2) > 2 * most)
    return 2 * most / cacheSets;
  CacheSets sets;
  for (int64_t row = 0; row < rows; ++row)
    for (int64_t column = 0; column < columns; ++column)
      sets.add((row * height.pitch + column * width.pitch) / lineBytes, run);
  return sets.most();
}

/// Lines that a row of results touches: of kernel rows, weights and results.
static double touchedLines(const WindowProblem &problem,
                           const WindowTiling &tiling) {
  const WindowExtent &height = problem.height, &width = problem.width;
  int64_t pixels = walkPixels(problem, tiling);
  int64_t read = height.span(1) * width.span(pixels);
  int64_t once = height.kernel * width.kernel + pixels;
  return double(read) * runLines(problem, tiling) +
         double(once * tiling.block * problem.vectorBytes) / lineBytes;
}

/// A quarter of each set is left for weights and results. A core that waits for
/// every line needs room for all of them, and so do short vectors: few of their
/// multiply-adds fit in what a core looks ahead.
static bool staysInCache(const WindowProblem &problem,
                         const WindowTiling &tiling, const Target &target) {
  if (setPressure(problem, tiling, target) > target.l1Ways() * 3 / 4)
    return false;
  if (!target.readsTwoLines() && target.vectorsAreLines())
    return true;
  return touchedLines(problem, tiling) * lineBytes <=
         0.7 * double(target.l1Bytes);
}

int64_t tenon::tile::tileVectors(int64_t accumulators, int64_t pixels,
                                 int64_t channels) {
  // Two multiply-adds begin in each of the four cycles that one takes.
  constexpr int64_t latency = 8;
  int64_t vectors = std::min(ceilDiv(latency, pixels), accumulators / pixels);
  return std::clamp<int64_t>(vectors, 1, std::min<int64_t>(4, channels));
}

//===-- Choosing ----------------------------------------------------------===//

/// Cycles for a line of results on a core that loads in each as many lines as
/// it multiplies: a tile's multiply-adds or loads, what starting it costs, and
/// the lines that come from further away, two cycles each, as far as the rest
/// does not hide them: half of it, or a quarter where it is twice as many
/// instructions. Beside two lines in a cycle none is hidden quite.
static double estimate(const WindowProblem &problem, const WindowTiling &tiling,
                       const Target &target) {
  const WindowExtent &height = problem.height, &width = problem.width;
  int64_t pixels = walkPixels(problem, tiling);
  auto tile = double(tiling.pixels);
  int64_t taps = height.kernel * width.kernel;
  int64_t inputs =
      std::min(width.span(tiling.pixels), tiling.pixels * width.kernel);
  int64_t loads = height.kernel * (inputs + width.kernel);
  double issue =
      std::max(double(taps), double(loads) / tile) / target.linesPerCycle();
  bool stays = staysInCache(problem, tiling, target);
  int64_t rows = stays ? std::min(height.stride, height.kernel) : height.kernel;
  double fetched = double(rows * width.span(pixels)) / double(pixels) *
                   runLines(problem, tiling) * lineBytes /
                   double(tiling.block * problem.vectorBytes);
  double shown = target.readsTwoLines() ? 0.3 * fetched : 0;
  double hidden = issue / (target.vectorsAreLines() ? 2 : 4);
  return issue + 4 / tile + shown + std::max(0.0, 2 * fetched - hidden);
}

/// Calls `visit` with the sizes of an even split of `extent` in units of
/// `step`, the largest first.
static void forSizes(int64_t extent, int64_t step,
                     llvm::function_ref<void(int64_t)> visit) {
  int64_t units = ceilDiv(extent, step), last = 0;
  for (int64_t parts = 1; parts <= units; ++parts) {
    int64_t size = ceilDiv(units, parts) * step;
    if (size != last)
      visit(size);
    last = size;
  }
}

WindowTiling tenon::tile::tileWindow(const WindowProblem &problem,
                                     const Target &target) {
  // Fewer pixels than half of a tile's share too little.
  int64_t most = problem.pixels, least = std::max<int64_t>(1, most / 2);
  WindowTiling best, trial;
  double bestTime = 0;
  auto consider = [&](int64_t across) {
    trial.across = across;
    double time = estimate(problem, trial, target);
    // One in a hundred is not worth shorter runs.
    if (bestTime != 0 && time >= 0.99 * bestTime)
      return;
    best = trial;
    bestTime = time;
  };
  for (int64_t pixels = most; pixels >= least; --pixels) {
    auto split = EvenSplit::of(problem.outputs, pixels);
    if (split.height == trial.pixels && pixels != most)
      continue;
    trial.pixels = split.height;
    trial.vectors =
        tileVectors(problem.accumulators, split.height, problem.channels);
    forSizes(problem.channels, trial.vectors, [&](int64_t block) {
      trial.block = block;
      forSizes(split.count, 1, consider);
    });
  }
  return best;
}
