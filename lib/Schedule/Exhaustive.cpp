//===- Exhaustive.cpp - all stages of a few launches ----------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "lib/Schedule/Exhaustive.h"
#include "llvm/ADT/STLExtras.h"

using namespace tenon;
using namespace tenon::sched;

namespace {
class Exhaustive {
public:
  explicit Exhaustive(const Problem &problem)
      : problem(problem), edges(edgesOf(problem)),
        isDone(problem.launches.size()) {}

  std::vector<Solution> run() {
    addStage();
    return std::move(front);
  }

private:
  /// All continuations of the stages that are there.
  void addStage() {
    if (!llvm::is_contained(isDone, false))
      return keep();
    stages.emplace_back();
    addLaunch(0);
    stages.pop_back();
  }

  /// Puts a launch into each track, into a new one, or leaves it for later.
  void addLaunch(unsigned launch) {
    if (launch == isDone.size())
      return closeStage();
    addLaunch(launch + 1);
    if (isDone[launch])
      return;
    // References do not survive: stages are added and removed on the way.
    size_t stage = stages.size() - 1;
    for (size_t track = 0; track < stages[stage].tracks.size(); ++track) {
      stages[stage].tracks[track].launches.push_back(launch);
      addLaunch(launch + 1);
      stages[stage].tracks[track].launches.pop_back();
    }
    stages[stage].tracks.push_back({1, {launch}});
    addLaunch(launch + 1);
    stages[stage].tracks.pop_back();
  }

  void closeStage() {
    Stage stage = stages.back();
    if (stage.tracks.empty() || !isReady())
      return;
    setDone(stage, true);
    // Units and threads are no matter of what is ready.
    addUnits(0, stage);
    stages.back() = stage;
    if (mayBeWave(stage)) {
      stages.back().wave = true;
      for (Track &track : stages.back().tracks)
        track.threads = problem.threads;
      addStage();
    }
    stages.back() = stage;
    setDone(stage, false);
  }

  /// Takes each unit that one track has all launches of, or not.
  void addUnits(unsigned unit, Stage stage) {
    if (unit == problem.units.size()) {
      stages.back() = stage;
      if (llvm::all_of(stages.back().tracks,
                       [&](Track &track) { return arrange(track); }))
        addThreads(0, problem.threads);
      return;
    }
    addUnits(unit + 1, stage);
    for (Track &track : stage.tracks)
      if (isFree(track, problem.units[unit])) {
        track.units.push_back(unit);
        addUnits(unit + 1, stage);
        track.units.pop_back();
      }
  }

  bool isFree(const Track &track, const Unit &unit) const {
    auto isTaken = [&](unsigned launch) {
      return llvm::any_of(track.units, [&](unsigned other) {
        return llvm::is_contained(problem.units[other].launches, launch);
      });
    };
    return llvm::all_of(unit.launches, [&](unsigned launch) {
      return llvm::is_contained(track.launches, launch) && !isTaken(launch);
    });
  }

  /// Puts a unit's launches into a row, each as soon as it may run, those of
  /// the program first. False if that cannot be.
  bool arrange(Track &track) const {
    std::vector<std::vector<unsigned>> left;
    for (unsigned launch : track.launches)
      if (llvm::none_of(track.units, [&](unsigned unit) {
            return llvm::is_contained(problem.units[unit].launches, launch);
          }))
        left.push_back({launch});
    for (unsigned unit : track.units)
      left.push_back(problem.units[unit].launches);
    llvm::sort(left);
    track.launches.clear();
    while (!left.empty()) {
      auto next = llvm::find_if(left, [&](const std::vector<unsigned> &item) {
        return isFirst(item, left);
      });
      if (next == left.end())
        return false;
      llvm::append_range(track.launches, *next);
      left.erase(next);
    }
    return true;
  }

  bool isFirst(const std::vector<unsigned> &item,
               const std::vector<std::vector<unsigned>> &left) const {
    for (const std::vector<unsigned> &other : left)
      for (auto [before, after] : edges)
        if (&other != &item && llvm::is_contained(other, before) &&
            llvm::is_contained(item, after))
          return false;
    return true;
  }

  void addThreads(size_t track, unsigned left) {
    if (track == stages.back().tracks.size())
      return addStage();
    // More threads harm nobody, so the last track takes all that are left.
    bool isLast = track + 1 == stages.back().tracks.size();
    for (unsigned threads = isLast ? left : 1; threads <= left && threads > 0;
         ++threads) {
      stages.back().tracks[track].threads = threads;
      addThreads(track + 1, left - threads);
    }
  }

  void setDone(const Stage &stage, bool done) {
    for (const Track &track : stage.tracks)
      for (unsigned launch : track.launches)
        isDone[launch] = done;
  }

  /// Whether what each launch waits for is done or in its track.
  bool isReady() const {
    for (const Track &track : stages.back().tracks)
      for (auto [before, after] : edges)
        if (llvm::is_contained(track.launches, after) && !isDone[before] &&
            !llvm::is_contained(track.launches, before))
          return false;
    return true;
  }

  bool mayBeWave(const Stage &stage) const {
    if (stage.tracks.size() < 2 || (problem.threads < 2 && !problem.isGpu()))
      return false;
    unsigned first = stage.tracks.front().launches.front();
    int64_t parameters = 0;
    return llvm::all_of(stage.tracks, [&](const Track &track) {
      parameters += problem.launches[track.launches.front()].blocks.parameters;
      return track.launches.size() == 1 && parameters <= mostParameters &&
             problem.mayShareWave(first, track.launches.front());
    });
  }

  void keep() {
    Measures is = measure(problem, stages);
    auto isNoBetter = [&](const Solution &other) {
      return other.time <= is.time && other.peak <= is.peak;
    };
    if (llvm::any_of(front, isNoBetter))
      return;
    llvm::erase_if(front, [&](const Solution &other) {
      return other.time >= is.time && other.peak >= is.peak;
    });
    front.push_back({stages, is.time, is.peak, {}});
    llvm::sort(front, [](const Solution &a, const Solution &b) {
      return a.time < b.time;
    });
  }

  const Problem &problem;
  std::vector<Order> edges;
  std::vector<bool> isDone;
  std::vector<Stage> stages;
  std::vector<Solution> front;
};
} // namespace

std::vector<Solution> sched::solveExhaustively(const Problem &problem) {
  return Exhaustive(problem).run();
}
