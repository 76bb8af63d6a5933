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

namespace {
/// The tiles of launches on threads, each of which takes the next one when it
/// is free.
class Sharing {
public:
  Sharing(const sched::Problem &problem, llvm::ArrayRef<unsigned> launches)
      : threads(problem.threads) {
    for (unsigned launch : launches) {
      int64_t count = std::max<int64_t>(problem.launches[launch].tiles, 1);
      int64_t alone = problem.timeOf(launch, 1);
      all.push_back({launch, int64_t(llvm::divideCeil(alone, count)), count});
    }
    llvm::stable_sort(
        all, [](const Tiles &a, const Tiles &b) { return a.each > b.each; });
  }

  /// Calls `note` with what runs when; returns when the last thread is done.
  int64_t run(llvm::function_ref<void(Run)> note) {
    int64_t begin = runRounds(note), last = begin;
    using Free = std::pair<int64_t, unsigned>; // when, and which thread
    std::priority_queue<Free, std::vector<Free>, std::greater<Free>> free;
    for (unsigned thread = 0; thread < threads; ++thread)
      free.push({begin, thread});
    for (const Tiles &tiles : all)
      for (int64_t left = tiles.count - roundsOf(tiles) * threads; left > 0;
           --left) {
        auto [time, thread] = free.top();
        free.pop();
        free.push({time + tiles.each, thread});
        note({tiles.launch, thread, time, time + tiles.each});
        last = std::max(last, time + tiles.each);
      }
    return last;
  }

private:
  struct Tiles {
    unsigned launch;
    int64_t each, count;
  };

  /// As many rounds are looked at tile by tile; those before are equal shares.
  int64_t roundsOf(const Tiles &tiles) const {
    constexpr int64_t looked = 8;
    return std::max<int64_t>(tiles.count / threads - looked, 0);
  }

  int64_t runRounds(llvm::function_ref<void(Run)> note) const {
    int64_t time = 0;
    for (const Tiles &tiles : all) {
      int64_t end = time + roundsOf(tiles) * tiles.each;
      for (unsigned thread = 0; thread < threads && end > time; ++thread)
        note({tiles.launch, thread, time, end});
      time = end;
    }
    return time;
  }

  int64_t threads;
  std::vector<Tiles> all; ///< those that take longest first
};
} // namespace

/// When the last of the threads is done with tiles of several launches.
static int64_t lastTile(const sched::Problem &problem,
                        llvm::ArrayRef<unsigned> wave) {
  return Sharing(problem, wave).run([](const Run &) {});
}

static int64_t timeOf(const sched::Problem &problem,
                      llvm::ArrayRef<unsigned> moment) {
  if (moment.size() == 1)
    return problem.timeOf(moment.front(), problem.threads);
  return problem.withImbalance(lastTile(problem, moment)) + problem.join;
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

/// A thread that goes on with a launch makes one run of it.
static void addRun(std::vector<Run> &runs, std::vector<size_t> &latest,
                   const Run &run) {
  size_t &last = latest[run.thread];
  if (last < runs.size() && runs[last].launch == run.launch &&
      runs[last].end == run.begin) {
    runs[last].end = run.end;
    return;
  }
  last = runs.size();
  runs.push_back(run);
}

Course schedule::courseOf(const sched::Problem &problem,
                          const Moments &moments) {
  Course course{{}, {0}};
  for (const std::vector<unsigned> &moment : moments) {
    int64_t begin = course.begins.back();
    int64_t end = begin + ::timeOf(problem, moment);
    course.begins.push_back(end);
    if (problem.launches[moment.front()].tiles == 0) { // step by step
      for (unsigned thread = 0; thread < problem.threads; ++thread)
        course.runs.push_back({moment.front(), thread, begin, end});
      continue;
    }
    std::vector<size_t> latest(problem.threads, SIZE_MAX);
    Sharing(problem, moment).run([&](Run run) {
      run.begin = begin + problem.withImbalance(run.begin);
      run.end = std::min(end, begin + problem.withImbalance(run.end));
      addRun(course.runs, latest, run);
    });
  }
  return course;
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
