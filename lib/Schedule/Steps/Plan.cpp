//===- Plan.cpp - the best steps of many ----------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "lib/Schedule/Steps/Plan.h"
#include "lib/Schedule/Steps/Arena.h"
#include "lib/Schedule/Steps/Chains.h"
#include "lib/Schedule/Steps/Moves.h"
#include "lib/Schedule/Steps/Waits.h"
#include "lib/Schedule/Waves.h"
#include "llvm/ADT/STLExtras.h"

using namespace tenon;
using namespace tenon::sched;
using llvm::createStringError;

namespace {
/// Steps before their memory is planned.
struct Candidate {
  std::string name;
  Steps steps;
  std::vector<unsigned> stageOf = {}; ///< as which lives count, if known
  int64_t time = 0;                   ///< if they waited for data alone
};

class Planner {
public:
  Planner(const Problem &problem, const PlanOptions &options)
      : problem(problem), options(options) {}

  Plan programOrder();
  llvm::Expected<Plan> run();

private:
  void add(std::string name, Steps steps, std::vector<unsigned> stageOf = {});
  void addStages(const std::string &name, const std::vector<Stage> &stages);
  void addChains(const std::string &name, Steps steps);
  llvm::Error addSearch();
  void addLists();
  void addMoves();
  void sortCandidates() {
    llvm::stable_sort(candidates, [](const Candidate &a, const Candidate &b) {
      return a.time < b.time;
    });
  }
  std::optional<Plan> finish(const Candidate &candidate) const;
  std::optional<Plan> finish(const Candidate &candidate,
                             llvm::ArrayRef<unsigned> stages,
                             int64_t room) const;
  std::optional<Plan> finish(const Candidate &candidate,
                             llvm::ArrayRef<unsigned> stages) const;

  const Problem &problem;
  const PlanOptions &options;
  int64_t most = INT64_MAX; ///< bytes
  std::vector<Candidate> candidates;
};
} // namespace

void Planner::add(std::string name, Steps steps,
                  std::vector<unsigned> stageOf) {
  placeWaits(problem, steps);
  int64_t time = simulate(problem, steps).time;
  candidates.push_back(
      {std::move(name), std::move(steps), std::move(stageOf), time});
}

/// Stages as they are, and on a GPU the same launches and waves on streams.
void Planner::addStages(const std::string &name,
                        const std::vector<Stage> &stages) {
  LaidOut laid = layOut(problem, stages);
  if (problem.isGpu())
    addChains(name + " on chains", laid.steps);
  add(name, std::move(laid.steps), std::move(laid.stageOf));
}

/// The same steps on the fewest chains, if these are not too many.
void Planner::addChains(const std::string &name, Steps steps) {
  if (spreadOverChains(problem, steps) <= options.mostStreams)
    add(name, std::move(steps));
}

llvm::Error Planner::addSearch() {
  Problem capped = problem;
  if (most != INT64_MAX)
    capped.cap = most;
  Options search = options.search;
  if (problem.isGpu())
    search.search.limits = {1, 8, 8};
  auto solution = solve(capped, search);
  if (!solution)
    return solution.takeError();
  addStages("search", solution->stages);
  return llvm::Error::success();
}

void Planner::addLists() {
  if (!problem.isGpu() && !problem.tracks)
    return;
  if (!problem.isGpu()) {
    for (int64_t price : {0, 500, 1000, 2000, 4000})
      add("list", listOfThreads(problem, price));
    return;
  }
  constexpr unsigned few = 4;
  for (bool glued : {false, true})
    add("list",
        listOfStreams(problem, std::min(few, options.mostStreams), glued));
  for (bool late : {false, true})
    addChains("chains", stepsByLevel(problem, late));
}

/// What the fastest three may become.
void Planner::addMoves() {
  constexpr size_t few = 200; // steps; of more, each change takes longer
  sortCandidates();
  bool mayMove = problem.isGpu() || problem.tracks;
  size_t count = mayMove ? std::min<size_t>(candidates.size(), 3) : 0;
  for (size_t number = 0; number < count; ++number) {
    std::string name = candidates[number].name + ", moved";
    size_t steps = std::max<size_t>(candidates[number].steps.size(), few);
    add(name,
        improve(problem, candidates[number].steps,
                {unsigned(options.moves * few / steps), uint32_t(number + 1),
                 most / 100 * 95, options.mostStreams}));
  }
  sortCandidates();
}

std::optional<Plan> Planner::finish(const Candidate &candidate,
                                    llvm::ArrayRef<unsigned> stages,
                                    int64_t room) const {
  auto placement = placeBytes(problem, candidate.steps, stages,
                              {room, most, options.placementWork});
  if (!placement)
    return std::nullopt;
  Plan plan{candidate.name, candidate.steps, std::move(placement->offsets),
            placement->bytes, 0};
  placeWaits(problem, plan.steps, plan.offsets);
  plan.time = simulate(problem, plan.steps).time;
  return plan;
}

/// The more bytes are left alone for a while, the fewer waits; but the fuller
/// an arena, the harder to pack.
std::optional<Plan> Planner::finish(const Candidate &candidate,
                                    llvm::ArrayRef<unsigned> stages) const {
  std::optional<Plan> best = finish(candidate, stages, /*room=*/0);
  if (!best || best->time == candidate.time)
    return best;
  for (int64_t percent : {100, 92, 84, 78, 72, 66}) {
    auto plan = finish(candidate, stages, most / 100 * percent);
    if (!plan)
      continue;
    if (plan->time < best->time)
      best = std::move(plan);
    break;
  }
  return best;
}

/// With as large stages as the cap allows, or with one for each step.
std::optional<Plan> Planner::finish(const Candidate &candidate) const {
  std::vector<unsigned> single(candidate.steps.size());
  for (unsigned step = 0; step < single.size(); ++step)
    single[step] = step;
  std::optional<Plan> best;
  for (const std::vector<unsigned> &stages :
       {candidate.stageOf, stagesAlong(problem, candidate.steps, most),
        single}) {
    if (stages.size() != candidate.steps.size())
      continue;
    std::optional<Plan> plan = finish(candidate, stages);
    if (plan && (!best || plan->time < best->time))
      best = std::move(plan);
    if (best && best->time == candidate.time)
      break;
  }
  return best;
}

Plan Planner::programOrder() {
  Candidate program{"program order", {}};
  for (unsigned launch = 0; launch < problem.launches.size(); ++launch) {
    program.steps.push_back({{launch}, {}, 0, problem.threads});
    program.stageOf.push_back(launch);
  }
  return *finish(program, program.stageOf, /*room=*/0);
}

llvm::Expected<Plan> Planner::run() {
  Plan program = programOrder();
  most = problem.cap.value_or(program.arena / 100 * options.mostArena +
                              program.arena % 100 * options.mostArena / 100);
  if (llvm::Error error = addSearch())
    return error;
  addStages("waves", wavesByLevel(problem, /*late=*/false).stages);
  addStages("late waves", wavesByLevel(problem, /*late=*/true).stages);
  addLists();
  for (const Steps &steps : options.given)
    add("given", steps);
  addMoves();
  std::optional<Plan> best;
  if (program.arena <= most)
    best = std::move(program);
  for (const Candidate &candidate : candidates) {
    // Waits for bytes may make a plan faster: streams are no optimum.
    if (best && candidate.time > best->time / 32 * 33)
      break;
    std::optional<Plan> next = finish(candidate);
    if (next && (!best || next->time < best->time))
      best = std::move(next);
  }
  if (!best)
    return createStringError("nothing fits into an arena of %lld bytes",
                             (long long)most);
  return std::move(*best);
}

Plan sched::programPlan(const Problem &problem, const PlanOptions &options) {
  return Planner(problem, options).programOrder();
}

llvm::Expected<Plan> sched::plan(const Problem &problem,
                                 const PlanOptions &options) {
  if (llvm::Error error = problem.check())
    return error;
  return Planner(problem, options).run();
}

/// Whether what is launched as one may be.
static llvm::Error checkWaves(const Problem &problem,
                              llvm::ArrayRef<Step> steps) {
  for (const Step &step : steps) {
    int64_t parameters = 0;
    for (unsigned launch : step.launches) {
      parameters += problem.launches[launch].blocks.parameters;
      if (step.launches.size() > 1 && !step.unit &&
          (!problem.mayShareWave(step.launches.front(), launch) ||
           parameters > mostParameters))
        return createStringError("node '%s' cannot be in its wave",
                                 problem.launches[launch].name.c_str());
    }
  }
  return llvm::Error::success();
}

llvm::Error sched::validate(const Problem &problem, const Plan &plan) {
  if (llvm::Error error = validateWaits(problem, plan.steps, plan.offsets))
    return error;
  for (const Step &step : plan.steps)
    if (!problem.isGpu() && !problem.tracks && step.threads != problem.threads)
      return createStringError(
          "node '%s' does not run on all threads",
          problem.launches[step.launches.front()].name.c_str());
  if (llvm::Error error = checkWaves(problem, plan.steps))
    return error;
  for (auto [number, offset] : llvm::enumerate(plan.offsets))
    if (offset < 0 || offset + problem.tensors[number].bytes > plan.arena)
      return createStringError("tensor %zu leaves the arena", number);
  if (problem.cap && plan.arena > *problem.cap)
    return createStringError("the arena of %lld bytes is above the cap",
                             (long long)plan.arena);
  if (int64_t time = simulate(problem, plan.steps).time; time != plan.time)
    return createStringError("the steps take %lld ns, not %lld",
                             (long long)time, (long long)plan.time);
  return llvm::Error::success();
}
