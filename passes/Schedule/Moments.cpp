//===- Moments.cpp - launches that run at one time ------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "passes/Schedule/Moments.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"
#include <queue>

using namespace tenon;
using namespace tenon::schedule;

/// Of what the launches of a wave take one by one: less is within the error of
/// what is predicted.
static bool isWorthIt(int64_t wave, int64_t inTurn) {
  return wave * 100 <= inTurn * 97;
}

static std::vector<unsigned> launchesOf(const sched::Stage &stage) {
  std::vector<unsigned> launches;
  for (const sched::Track &track : stage.tracks)
    llvm::append_range(launches, track.launches);
  llvm::sort(launches);
  return launches;
}

Moments schedule::inTurn(llvm::ArrayRef<sched::Stage> stages) {
  Moments moments;
  for (const sched::Stage &stage : stages)
    for (unsigned launch : launchesOf(stage))
      moments.push_back({launch});
  return moments;
}

/// When the last of the threads is done with tiles of several launches.
static int64_t lastTile(const sched::Problem &problem,
                        llvm::ArrayRef<unsigned> wave) {
  /// As many rounds are looked at tile by tile; those before are equal shares.
  constexpr int64_t looked = 8;
  struct Tiles {
    int64_t each, count;
  };
  std::vector<Tiles> all;
  for (unsigned launch : wave) {
    int64_t count = std::max<int64_t>(problem.launches[launch].tiles, 1);
    all.push_back(
        {int64_t(llvm::divideCeil(problem.timeOf(launch, 1), count)), count});
  }
  llvm::stable_sort(
      all, [](const Tiles &a, const Tiles &b) { return a.each > b.each; });
  int64_t threads = problem.threads, common = 0, last = 0;
  std::priority_queue<int64_t, std::vector<int64_t>, std::greater<int64_t>>
      free(std::greater<int64_t>(), std::vector<int64_t>(threads, 0));
  for (Tiles tiles : all) {
    int64_t rounds = std::max<int64_t>(tiles.count / threads - looked, 0);
    common += rounds * tiles.each;
    for (int64_t left = tiles.count - rounds * threads; left > 0; --left) {
      int64_t end = free.top() + tiles.each;
      free.pop();
      free.push(end);
      last = std::max(last, end);
    }
  }
  return common + last;
}

static int64_t timeOf(const sched::Problem &problem,
                      llvm::ArrayRef<unsigned> moment) {
  if (moment.size() == 1)
    return problem.timeOf(moment.front(), problem.threads);
  return lastTile(problem, moment) + problem.join;
}

static int64_t timeInTurn(const sched::Problem &problem,
                          llvm::ArrayRef<unsigned> launches) {
  int64_t time = 0;
  for (unsigned launch : launches)
    time += problem.timeOf(launch, problem.threads);
  return time;
}

Moments schedule::withWaves(const sched::Problem &problem,
                            llvm::ArrayRef<sched::Stage> stages) {
  Moments moments;
  for (const sched::Stage &stage : stages) {
    std::vector<unsigned> launches = launchesOf(stage);
    if (stage.wave && launches.size() > 1 &&
        isWorthIt(::timeOf(problem, launches), timeInTurn(problem, launches)))
      moments.push_back(std::move(launches));
    else
      for (unsigned launch : launches)
        moments.push_back({launch});
  }
  return moments;
}

int64_t schedule::timeOf(const sched::Problem &problem,
                         const Moments &moments) {
  int64_t time = 0;
  for (const std::vector<unsigned> &moment : moments)
    time += ::timeOf(problem, moment);
  return time;
}

std::vector<sched::Stage> schedule::stagesOf(const sched::Problem &problem,
                                             const Moments &moments) {
  std::vector<sched::Stage> stages;
  for (const std::vector<unsigned> &moment : moments) {
    sched::Stage stage;
    stage.wave = moment.size() > 1;
    for (unsigned launch : moment)
      stage.tracks.push_back({problem.threads, {launch}});
    stages.push_back(std::move(stage));
  }
  return stages;
}
