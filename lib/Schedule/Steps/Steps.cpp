//===- Steps.cpp - launches on threads or streams -------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "lib/Schedule/Steps/Steps.h"
#include "lib/Support/SortUnique.h"
#include "llvm/ADT/BitVector.h"
#include "llvm/ADT/STLExtras.h"

using namespace tenon;
using namespace tenon::sched;

/// What a wave takes on the whole is what its members do.
static StepCost costOfWave(const Problem &problem, const Step &step) {
  Stage stage{true, {}};
  int64_t area = 0, longest = 1;
  for (unsigned launch : step.launches) {
    stage.tracks.push_back({problem.threads, {launch}});
    int64_t time = problem.launches[launch].times.front();
    area += time * problem.launches[launch].part / wholeDevice;
    longest = std::max(longest, time);
  }
  double part = double(area) / double(longest);
  return {timeOf(problem, stage),
          std::min(int64_t(part * wholeDevice), wholeDevice)};
}

StepCost sched::costOf(const Problem &problem, const Step &step) {
  if (step.launches.size() > 1 && !step.unit)
    return costOfWave(problem, step);
  int64_t part = 0;
  for (unsigned launch : step.launches)
    part = std::max(part, problem.launches[launch].part);
  return {step.unit ? problem.timeOfUnit(*step.unit, step.threads)
                    : problem.timeOf(step.launches.front(), step.threads),
          part};
}

namespace {
class LayOut {
public:
  explicit LayOut(const Problem &problem)
      : problem(problem), before(problem.launches.size()),
        home(problem.launches.size(), 0) {
    for (auto [one, other] : edgesOf(problem))
      before[other].push_back(one);
  }

  void add(const Stage &stage, unsigned number) {
    if (stage.wave) {
      Step step{{}, {}, 0, problem.threads};
      for (const Track &track : stage.tracks)
        llvm::append_range(step.launches, track.launches);
      return put(std::move(step), number);
    }
    std::vector<const Track *> tracks;
    for (const Track &track : stage.tracks)
      tracks.push_back(&track);
    llvm::stable_sort(tracks, [&](const Track *a, const Track *b) {
      return placeOf(*a) < placeOf(*b);
    });
    unsigned first = 0;
    for (const Track *track : tracks) {
      for (TrackItem &item : itemsOf(problem, *track))
        put({std::move(item.launches), item.unit, first, track->threads},
            number);
      first += track->threads;
    }
  }

  LaidOut result;

private:
  /// Where operands lie on average; behind all, if there are none.
  double placeOf(const Track &track) const {
    double sum = 0, count = 0;
    for (unsigned launch : track.launches)
      for (unsigned one : before[launch]) {
        sum += home[one];
        ++count;
      }
    return count ? sum / count : mostThreads;
  }

  void put(Step step, unsigned stage) {
    for (unsigned launch : step.launches)
      home[launch] = step.first;
    result.steps.push_back(std::move(step));
    result.stageOf.push_back(stage);
  }

  const Problem &problem;
  std::vector<std::vector<unsigned>> before;
  std::vector<unsigned> home; ///< first threads
};
} // namespace

LaidOut sched::layOut(const Problem &problem,
                      const std::vector<Stage> &stages) {
  LayOut layOut(problem);
  for (auto [number, stage] : llvm::enumerate(stages))
    layOut.add(stage, unsigned(number));
  return std::move(layOut.result);
}

std::vector<unsigned> sched::stepsOfLaunches(const Problem &problem,
                                             llvm::ArrayRef<Step> steps) {
  std::vector<unsigned> stepOf(problem.launches.size());
  for (auto [number, step] : llvm::enumerate(steps))
    for (unsigned launch : step.launches)
      stepOf[launch] = unsigned(number);
  return stepOf;
}

std::vector<std::vector<unsigned>>
sched::stepEdges(const Problem &problem, llvm::ArrayRef<Step> steps) {
  std::vector<unsigned> stepOf = stepsOfLaunches(problem, steps);
  std::vector<std::vector<unsigned>> result(steps.size());
  for (auto [before, after] : edgesOf(problem))
    if (stepOf[before] != stepOf[after])
      result[stepOf[after]].push_back(stepOf[before]);
  std::vector<llvm::BitVector> all(steps.size(), llvm::BitVector(steps.size()));
  for (auto [step, direct] : llvm::enumerate(result)) {
    sortUnique(direct);
    std::vector<unsigned> kept;
    for (unsigned before : llvm::reverse(direct)) {
      if (all[step].test(before))
        continue;
      all[step] |= all[before];
      all[step].set(before);
      kept.push_back(before);
    }
    direct.assign(kept.rbegin(), kept.rend());
  }
  return result;
}
