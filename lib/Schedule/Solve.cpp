//===- Solve.cpp - the fastest stages below a cap -------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "lib/Schedule/Solve.h"
#include "lib/Schedule/LeastPeak.h"
#include "lib/Schedule/Waves.h"
#include "llvm/ADT/STLExtras.h"

#include <numeric>

using namespace tenon;
using namespace tenon::sched;

namespace {
/// A problem cut into parts, solved one after the other.
class Solver {
public:
  Solver(const Problem &problem, Items items, const Options &options)
      : problem(problem), options(options), items(std::move(items)),
        cuts(cutsOf(this->items.before,
                    std::clamp(options.mostInPart, 1u, Part::mostItems), exact,
                    rangesOf(problem, this->items))) {
    exact &= this->items.launches.size() == problem.launches.size();
  }

  /// The parts' solutions behind each other; none if one has none.
  std::optional<Solution>
  run(llvm::function_ref<std::optional<PartSolution>(const Part &)> solvePart);

  std::optional<PartSolution> searchPart(const Part &part);

private:
  SearchResult attempt(const Part &part, SearchOptions search);

  const Problem &problem;
  const Options &options;
  Items items;
  bool exact = true;
  std::vector<unsigned> cuts;
  Solution::Statistics statistics;
};
} // namespace

std::optional<Solution> Solver::run(
    llvm::function_ref<std::optional<PartSolution>(const Part &)> solvePart) {
  Solution solution;
  statistics = {};
  statistics.exact = exact;
  size_t units = 0; // others are cut in pieces
  for (size_t part = 0; part + 1 < cuts.size(); ++part) {
    if (cuts[part] == cuts[part + 1])
      continue;
    ++statistics.parts;
    Part piece(problem, items, cuts[part], cuts[part + 1]);
    units += piece.units.size();
    auto found = solvePart(piece);
    if (!found)
      return std::nullopt;
    solution.time += found->time;
    solution.peak = std::max(solution.peak, found->peak);
    llvm::append_range(solution.stages, found->stages);
  }
  statistics.exact &= units == problem.units.size();
  solution.statistics = statistics;
  return solution;
}

SearchResult Solver::attempt(const Part &part, SearchOptions search) {
  // One wide part leaves something for the others.
  int64_t left = search.transitions - statistics.transitions;
  search.transitions = std::max<int64_t>(std::min(left, left / 4 + 1000), 0);
  SearchResult result = sched::search(part, search);
  statistics.states += result.states;
  statistics.transitions += result.transitions;
  statistics.exact &= result.complete;
  return result;
}

std::optional<PartSolution> Solver::searchPart(const Part &part) {
  SearchOptions search = options.search;
  SearchResult whole = attempt(part, search);
  if (whole.solution || whole.complete)
    return std::move(whole.solution);
  search.limits.inComponent = std::min(search.limits.inComponent, 2u);
  search.limits.inStage = std::min(search.limits.inStage, 4u);
  for (SearchOptions::Kind kind : {search.kind, SearchOptions::Beam}) {
    search.kind = kind;
    SearchResult smaller = attempt(part, search);
    if (smaller.solution)
      return std::move(smaller.solution);
  }
  return listSchedule(part);
}

/// As in the program, or none if that is above the cap.
static std::optional<PartSolution> orderPart(const Part &part) {
  std::vector<unsigned> order(part.size());
  std::iota(order.begin(), order.end(), 0);
  return inOrder(part, order);
}

static Problem withoutCap(Problem problem) {
  problem.cap = std::nullopt;
  return problem;
}

Solution sched::programOrder(const Problem &problem) {
  Problem any = withoutCap(problem);
  Options options;
  Solver solver(any, singleItems(predecessorsOf(any)), options);
  Solution solution = *solver.run(orderPart);
  solution.statistics.exact = false;
  return solution;
}

/// One launch after the other on all threads.
static Solution inTurn(const Problem &problem, const LaunchOrder &order) {
  Solution solution;
  solution.peak = order.peak;
  solution.statistics.exact = problem.units.empty();
  for (unsigned launch : order.launches) {
    solution.stages.push_back({false, {{problem.threads, {launch}}}});
    solution.time += problem.timeOf(launch, problem.threads);
  }
  return solution;
}

Solution sched::leastPeak(const Problem &problem, const Options &options) {
  auto order =
      leastPeakOrder(problem, predecessorsOf(problem), options.search.states);
  return order ? inTurn(problem, *order) : programOrder(problem);
}

static llvm::Error nothingFits(const Problem &problem, const Solution &least) {
  Measures measures = measure(problem, least.stages);
  unsigned node =
      least.stages[measures.peakStage].tracks.front().launches.front();
  return llvm::createStringError(
      "nothing fits into %lld bytes: %s %lld, at node '%s'",
      (long long)*problem.cap,
      least.statistics.exact ? "the least peak is" : "the least peak found is",
      (long long)least.peak, problem.launches[node].name.c_str());
}

/// Faster, or smaller and no slower.
static bool isBetter(const Solution &one, const Solution &other) {
  return std::pair(one.time, one.peak) < std::pair(other.time, other.peak);
}

/// The better one that fits.
static void offer(const Problem &problem, std::optional<Solution> &best,
                  std::optional<Solution> other) {
  if (other && other->peak <= problem.cap.value_or(INT64_MAX) &&
      (!best || isBetter(*other, *best)))
    best = std::move(other);
}

/// The fastest that fits, along the order of the program.
static std::optional<Solution> searchAlong(const Problem &problem,
                                           const Options &options) {
  Predecessors before = predecessorsOf(problem);
  auto searchAll = [&](Items items) {
    Solver solver(problem, std::move(items), options);
    return solver.run(
        [&](const Part &part) { return solver.searchPart(part); });
  };
  std::optional<Solution> best;
  offer(problem, best, searchAll(singleItems(before)));
  if (best && best->statistics.exact)
    return best;
  // Cuts and budgets may lose what these have.
  offer(problem, best,
        searchAll(joinedItems(problem, before, /*chains=*/true)));
  offer(problem, best, programOrder(problem));
  return best;
}

/// The problem with its launches in another order, which all edges allow.
static Problem reordered(Problem problem, llvm::ArrayRef<unsigned> order) {
  std::vector<Launch> launches;
  std::vector<unsigned> place(order.size());
  for (auto [index, launch] : llvm::enumerate(order)) {
    launches.push_back(std::move(problem.launches[launch]));
    place[launch] = unsigned(index);
  }
  problem.launches = std::move(launches);
  for (Tensor &tensor : problem.tensors)
    for (std::vector<unsigned> *list : {&tensor.writers, &tensor.readers})
      for (unsigned &launch : *list)
        launch = place[launch];
  for (InPlace &inPlace : problem.inPlace)
    inPlace.launch = place[inPlace.launch];
  for (Unit &unit : problem.units) {
    for (unsigned &launch : unit.launches)
      launch = place[launch];
    llvm::sort(unit.launches);
  }
  for (Order &edge : problem.orders)
    edge = {place[edge.before], place[edge.after]};
  return problem;
}

/// The fastest that fits along the order with the least peak: cuts along it
/// keep what a low cap needs, and are often better without one.
static std::optional<Solution> searchAlongLeast(const Problem &problem,
                                                llvm::ArrayRef<unsigned> order,
                                                const Options &options) {
  auto solution = searchAlong(reordered(problem, order), options);
  if (!solution)
    return std::nullopt;
  solution->statistics.exact = false;
  for (Stage &stage : solution->stages)
    for (Track &track : stage.tracks)
      for (unsigned &launch : track.launches)
        launch = order[launch];
  return solution;
}

llvm::Expected<Solution> sched::solve(const Problem &problem,
                                      const Options &options) {
  if (llvm::Error error = problem.check())
    return error;
  std::optional<Solution> best = searchAlong(problem, options);
  if (best && best->statistics.exact)
    return std::move(*best);
  Solution least = leastPeak(problem, options);
  if (!best && least.peak > *problem.cap)
    return nothingFits(problem, least);
  std::vector<unsigned> order;
  for (const Stage &stage : least.stages)
    llvm::append_range(order, stage.tracks.front().launches);
  offer(problem, best, searchAlongLeast(problem, order, options));
  for (bool late : {false, true})
    offer(problem, best, wavesByLevel(problem, late));
  least.statistics.exact = false;
  offer(problem, best, least);
  return std::move(*best);
}

llvm::Expected<std::vector<Solution>> sched::front(Problem problem,
                                                   const Options &options) {
  std::vector<Solution> points;
  while (true) {
    llvm::Expected<Solution> next = solve(problem, options);
    if (!next && points.empty())
      return next.takeError();
    if (!next) {
      llvm::consumeError(next.takeError());
      return points;
    }
    // What was found with less freedom may be faster after all.
    llvm::erase_if(points, [&](const Solution &point) {
      return point.time >= next->time;
    });
    points.push_back(std::move(*next));
    if (points.back().peak == 0)
      return points;
    problem.cap = points.back().peak - 1;
  }
}
