//===- Waves.cpp - launches level by level --------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "lib/Schedule/Waves.h"
#include "llvm/ADT/STLExtras.h"

using namespace tenon;
using namespace tenon::sched;

std::vector<unsigned> sched::levelsOf(const Problem &problem, bool late) {
  size_t size = problem.launches.size();
  std::vector<std::vector<unsigned>> near(size);
  for (auto [before, after] : edgesOf(problem))
    near[late ? before : after].push_back(late ? after : before);
  std::vector<unsigned> level(size, 0);
  unsigned most = 0;
  for (size_t at = 0; at < size; ++at) {
    size_t launch = late ? size - 1 - at : at;
    for (unsigned one : near[launch])
      level[launch] = std::max(level[launch], level[one] + 1);
    most = std::max(most, level[launch]);
  }
  if (late)
    for (unsigned &one : level)
      one = most - one;
  return level;
}

/// One launch after the other.
static std::vector<Stage> inTurn(const Problem &problem,
                                 llvm::ArrayRef<unsigned> launches) {
  std::vector<Stage> stages;
  for (unsigned launch : launches)
    stages.push_back({false, {{problem.threads, {launch}}}});
  return stages;
}

/// Bytes that a launch of all passes.
static int64_t parametersOf(const Problem &problem,
                            llvm::ArrayRef<unsigned> launches) {
  int64_t bytes = 0;
  for (unsigned launch : launches)
    bytes += problem.launches[launch].blocks.parameters;
  return bytes;
}

static void addGroup(const Problem &problem, llvm::ArrayRef<unsigned> launches,
                     std::vector<Stage> &stages) {
  std::vector<Stage> apart = inTurn(problem, launches);
  bool pays = false;
  if (launches.size() > 1) {
    Stage wave{true, {}};
    int64_t time = 0;
    for (unsigned launch : launches) {
      wave.tracks.push_back({problem.threads, {launch}});
      time += problem.timeOf(launch, problem.threads);
    }
    pays = timeOf(problem, wave) < time;
    if (pays)
      apart = {std::move(wave)};
  }
  llvm::append_range(stages, apart);
}

Solution sched::wavesByLevel(const Problem &problem, bool late) {
  std::vector<unsigned> level = levelsOf(problem, late);
  unsigned levels = level.empty() ? 0 : *llvm::max_element(level) + 1;
  std::vector<std::vector<std::vector<unsigned>>> groups(levels);
  for (unsigned launch = 0; launch < level.size(); ++launch) {
    auto &here = groups[level[launch]];
    auto found = llvm::find_if(here, [&](const std::vector<unsigned> &group) {
      return group.size() < mostInWave &&
             problem.mayShareWave(group.front(), launch) &&
             parametersOf(problem, group) + parametersOf(problem, launch) <=
                 mostParameters;
    });
    if (found != here.end())
      found->push_back(launch);
    else
      here.push_back({launch});
  }
  Solution solution;
  for (const auto &here : groups)
    for (const std::vector<unsigned> &group : here)
      addGroup(problem, group, solution.stages);
  Measures is = measure(problem, solution.stages);
  solution.time = is.time;
  solution.peak = is.peak;
  return solution;
}
