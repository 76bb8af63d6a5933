//===- Validate.cpp - whether stages are a solution -----------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file measures and proves stages. A tensor's life within a stage is
// either all of it, or a range of one track: its own if all of its uses there
// are in that track. Tracks are at any of their launches at any time, so a
// stage needs what lives throughout and the most of each track.
//===----------------------------------------------------------------------===//
#include "lib/Schedule/Solution.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"

using namespace tenon;
using namespace tenon::sched;
using llvm::createStringError;

std::vector<TrackItem> sched::itemsOf(const Problem &problem,
                                      const Track &track) {
  llvm::SmallDenseMap<unsigned, unsigned> unitOf;
  for (unsigned unit : track.units)
    for (unsigned launch : problem.units[unit].launches)
      unitOf[launch] = unit;
  std::vector<TrackItem> items;
  for (unsigned launch : track.launches) {
    auto found = unitOf.find(launch);
    if (found == unitOf.end())
      items.push_back({{launch}});
    else if (!items.empty() && items.back().unit == found->second)
      items.back().launches.push_back(launch);
    else
      items.push_back({{launch}, found->second});
  }
  return items;
}

/// A part of a time.
static int64_t partOf(int64_t time, int64_t millionths) {
  return int64_t(
      llvm::divideCeil(uint64_t(time) * uint64_t(millionths), wholeDevice));
}

namespace {
/// `index` is that of an item: all launches of a unit have the same.
struct Place {
  size_t stage = 0, track = 0, index = 0;
  bool operator==(const Place &) const = default;
};

class Measuring {
public:
  Measuring(const Problem &problem, const std::vector<Stage> &stages)
      : problem(problem), stages(stages), places(problem.launches.size()) {
    for (auto [s, stage] : llvm::enumerate(stages))
      for (auto [t, track] : llvm::enumerate(stage.tracks))
        for (auto [i, item] : llvm::enumerate(itemsOf(problem, track)))
          for (unsigned launch : item.launches) {
            places[launch] = {s, t, i};
            if (item.unit)
              fused.insert(launch);
          }
  }

  Measures run();

private:
  /// Bytes of each item of a track, while it runs.
  using Bytes = std::vector<int64_t>;

  bool vanishes(const Tensor &tensor, const std::vector<Place> &uses) const;
  void addLife(const Tensor &tensor);
  void addPart(size_t stage, int64_t bytes, const std::vector<Place> &uses,
               bool born, bool dies);
  bool isLastUse(const InPlace &inPlace) const;
  const Tensor *firstResult(unsigned launch) const;
  void saveInPlace();

  const Problem &problem;
  const std::vector<Stage> &stages;
  std::vector<Place> places;
  llvm::DenseSet<unsigned> fused;        ///< launches of units
  std::vector<int64_t> throughout;       ///< per stage
  std::vector<std::vector<Bytes>> bytes; ///< per stage and track
};
} // namespace

static int64_t timeOf(const Problem &problem, const Track &track) {
  int64_t time = 0;
  for (const TrackItem &item : itemsOf(problem, track))
    time += item.unit ? problem.timeOfUnit(*item.unit, track.threads)
                      : problem.timeOf(item.launches.front(), track.threads);
  return time;
}

static int64_t timeOfWave(const Problem &problem, const Stage &stage) {
  int64_t longest = 0, work = 0, area = 0;
  for (const Track &track : stage.tracks) {
    const Launch &launch = problem.launches[track.launches.front()];
    int64_t alone = launch.times.front();
    work += alone;
    area += partOf(alone, launch.part);
    longest = std::max<int64_t>(
        longest,
        problem.isGpu() ? alone : llvm::divideCeil(alone, launch.tiles));
  }
  if (problem.isGpu())
    return std::max(longest, area);
  longest = std::max<int64_t>(longest, llvm::divideCeil(work, problem.threads));
  return problem.withImbalance(longest) + problem.join;
}

int64_t sched::timeOf(const Problem &problem, const Stage &stage) {
  if (stage.wave)
    return timeOfWave(problem, stage);
  int64_t slowest = 0;
  for (const Track &track : stage.tracks)
    slowest = std::max(slowest, ::timeOf(problem, track));
  return slowest + (stage.tracks.size() > 1 ? problem.join : 0);
}

/// The part of a life in one stage, which has those uses of it.
void Measuring::addPart(size_t stage, int64_t size,
                        const std::vector<Place> &uses, bool born, bool dies) {
  auto elsewhere = [&](const Place &use) {
    return use.track != uses.front().track;
  };
  if (uses.empty() || (!born && !dies) || llvm::any_of(uses, elsewhere)) {
    throughout[stage] += size;
    return;
  }
  Bytes &track = bytes[stage][uses.front().track];
  auto byIndex = [](const Place &a, const Place &b) {
    return a.index < b.index;
  };
  auto [first, last] = std::minmax_element(uses.begin(), uses.end(), byIndex);
  size_t begin = born ? first->index : 0;
  size_t end = dies ? last->index + 1 : track.size();
  for (size_t index = begin; index < end; ++index)
    track[index] += size;
}

/// Whether only the launches of one unit use it.
bool Measuring::vanishes(const Tensor &tensor,
                         const std::vector<Place> &uses) const {
  return !tensor.writers.empty() && !tensor.output &&
         fused.contains(tensor.writers.front()) && llvm::all_equal(uses);
}

void Measuring::addLife(const Tensor &tensor) {
  std::vector<Place> uses;
  for (const std::vector<unsigned> *list : {&tensor.writers, &tensor.readers})
    for (unsigned launch : *list)
      uses.push_back(places[launch]);
  if (vanishes(tensor, uses))
    return;
  bool given = tensor.writers.empty();
  size_t first = stages.size(), last = 0;
  for (const Place &use : uses) {
    first = std::min(first, use.stage);
    last = std::max(last, use.stage);
  }
  size_t begin = given ? 0 : first;
  size_t end = tensor.output ? stages.size() - 1 : last;
  for (size_t stage = begin; stage <= end && stage < stages.size(); ++stage) {
    std::vector<Place> here;
    for (const Place &use : uses)
      if (use.stage == stage)
        here.push_back(use);
    addPart(stage, tensor.bytes, here, !given && stage == first,
            !tensor.output && stage == last);
  }
}

/// Whether all other uses of the operand are surely over.
bool Measuring::isLastUse(const InPlace &inPlace) const {
  const Tensor &operand = problem.tensors[inPlace.tensor];
  const Place &here = places[inPlace.launch];
  auto isDone = [&](unsigned launch) {
    const Place &place = places[launch];
    return place.stage < here.stage ||
           (place.stage == here.stage && place.track == here.track &&
            place.index <= here.index);
  };
  return !operand.output && !fused.contains(inPlace.launch) &&
         llvm::all_of(operand.readers, isDone) &&
         llvm::all_of(operand.writers, isDone);
}

/// The first tensor that a launch begins, in its track alone.
const Tensor *Measuring::firstResult(unsigned launch) const {
  const Place &here = places[launch];
  auto isFromHere = [&](unsigned use) {
    const Place &place = places[use];
    return place.stage > here.stage ||
           (place.stage == here.stage && place.track == here.track &&
            place.index >= here.index);
  };
  for (const Tensor &result : problem.tensors)
    if (llvm::is_contained(result.writers, launch) &&
        llvm::all_of(result.writers, isFromHere) &&
        llvm::all_of(result.readers, isFromHere))
      return &result;
  return nullptr;
}

/// Takes off what results share with operands while their launches run.
void Measuring::saveInPlace() {
  std::vector<int64_t> saved(problem.launches.size(), 0);
  for (const InPlace &inPlace : problem.inPlace) {
    const Tensor *result = firstResult(inPlace.launch);
    int64_t &most = saved[inPlace.launch];
    if (result && isLastUse(inPlace))
      most = std::max(
          most, std::min(problem.tensors[inPlace.tensor].bytes, result->bytes));
  }
  for (auto [launch, most] : llvm::enumerate(saved)) {
    const Place &place = places[launch];
    bytes[place.stage][place.track][place.index] -= most;
  }
}

Measures Measuring::run() {
  throughout.assign(stages.size(), 0);
  for (const Stage &stage : stages) {
    bytes.emplace_back();
    for (const Track &track : stage.tracks)
      bytes.back().emplace_back(itemsOf(problem, track).size(), 0);
  }
  for (const Tensor &tensor : problem.tensors)
    addLife(tensor);
  if (!problem.inPlace.empty())
    saveInPlace();
  Measures result;
  for (auto [index, stage] : llvm::enumerate(stages)) {
    result.time += timeOf(problem, stage);
    int64_t peak = throughout[index];
    for (const Bytes &track : bytes[index])
      peak += *llvm::max_element(track);
    if (peak > result.peak) {
      result.peak = peak;
      result.peakStage = index;
    }
  }
  return result;
}

Measures sched::measure(const Problem &problem,
                        const std::vector<Stage> &stages) {
  return Measuring(problem, stages).run();
}

namespace {
class Validation {
public:
  Validation(const Problem &problem, const Solution &solution)
      : problem(problem), solution(solution), places(problem.launches.size()) {}

  llvm::Error run();

private:
  llvm::Error placeAll();
  llvm::Error placeTrack(size_t stage, size_t track);
  llvm::Error checkUnits(const Track &track) const;
  llvm::Error checkThreads(size_t number) const;
  llvm::Error checkWave(size_t number) const;
  llvm::Error checkOrder(unsigned before, unsigned after) const;
  llvm::Error checkOrders() const;
  llvm::Error checkMeasures() const;
  const char *name(unsigned launch) const {
    return problem.launches[launch].name.c_str();
  }

  const Problem &problem;
  const Solution &solution;
  std::vector<std::optional<Place>> places;
};
} // namespace

llvm::Error Validation::placeTrack(size_t stage, size_t track) {
  const std::vector<unsigned> &launches =
      solution.stages[stage].tracks[track].launches;
  if (launches.empty())
    return createStringError("stage %zu has an empty track", stage);
  for (unsigned launch : launches) {
    if (launch >= places.size())
      return createStringError("stage %zu has a node that does not exist",
                               stage);
    if (places[launch])
      return createStringError("node '%s' is in stages %zu and %zu",
                               name(launch), places[launch]->stage, stage);
    places[launch] = {stage, track, 0};
  }
  const Track &whole = solution.stages[stage].tracks[track];
  if (llvm::Error error = checkUnits(whole))
    return error;
  for (auto [index, item] : llvm::enumerate(itemsOf(problem, whole)))
    for (unsigned launch : item.launches)
      places[launch]->index = index;
  return llvm::Error::success();
}

llvm::Error Validation::checkUnits(const Track &track) const {
  std::vector<unsigned> missing = track.units;
  for (unsigned unit : missing)
    if (unit >= problem.units.size())
      return createStringError("node '%s' is in a unit that does not exist",
                               name(track.launches.front()));
  for (const TrackItem &item : itemsOf(problem, track)) {
    std::vector<unsigned> launches = item.launches;
    llvm::sort(launches);
    if (item.unit && launches == problem.units[*item.unit].launches)
      llvm::erase(missing, *item.unit);
  }
  if (missing.empty())
    return llvm::Error::success();
  return createStringError(
      "the unit of node '%s' is not whole, or not in a row",
      name(problem.units[missing.front()].launches.front()));
}

llvm::Error Validation::placeAll() {
  for (auto [s, stage] : llvm::enumerate(solution.stages)) {
    if (stage.tracks.empty())
      return createStringError("stage %zu is empty", s);
    for (size_t t = 0; t < stage.tracks.size(); ++t)
      if (llvm::Error error = placeTrack(s, t))
        return error;
  }
  for (unsigned launch = 0; launch < places.size(); ++launch)
    if (!places[launch])
      return createStringError("node '%s' is in no stage", name(launch));
  return llvm::Error::success();
}

llvm::Error Validation::checkWave(size_t number) const {
  if (solution.stages[number].tracks.size() < 2)
    return createStringError("the wave of stage %zu has one node", number);
  unsigned first = solution.stages[number].tracks.front().launches.front();
  int64_t parameters = 0;
  for (const Track &track : solution.stages[number].tracks) {
    unsigned launch = track.launches.front();
    parameters += problem.launches[launch].blocks.parameters;
    if (parameters > mostParameters)
      return createStringError("the wave of stage %zu has too many parameters",
                               number);
    if (track.launches.size() > 1 || !problem.mayShareWave(first, launch))
      return createStringError("node '%s' cannot be in a wave (stage %zu)",
                               name(launch), number);
    if (track.threads != problem.threads)
      return createStringError("the wave of stage %zu is not for all threads",
                               number);
  }
  return llvm::Error::success();
}

llvm::Error Validation::checkThreads(size_t number) const {
  const Stage &stage = solution.stages[number];
  if (stage.wave)
    return checkWave(number);
  uint64_t sum = 0;
  for (const Track &track : stage.tracks) {
    if (track.threads == 0)
      return createStringError("node '%s' has no threads (stage %zu)",
                               name(track.launches.front()), number);
    sum += track.threads;
  }
  if (sum > problem.threads)
    return createStringError("stage %zu, with node '%s', needs %llu of %u "
                             "threads",
                             number,
                             name(stage.tracks.front().launches.front()),
                             (unsigned long long)sum, problem.threads);
  return llvm::Error::success();
}

llvm::Error Validation::checkOrder(unsigned before, unsigned after) const {
  const Place &one = *places[before], &other = *places[after];
  if (one.stage < other.stage)
    return llvm::Error::success();
  // Launches of a unit are at one place: it does what they wait for inside.
  if (one.stage == other.stage && one.track == other.track &&
      one.index <= other.index)
    return llvm::Error::success();
  return createStringError("node '%s' does not wait for '%s'", name(after),
                           name(before));
}

llvm::Error Validation::checkOrders() const {
  for (auto [before, after] : problem.orders)
    if (llvm::Error error = checkOrder(before, after))
      return error;
  for (const Tensor &tensor : problem.tensors)
    for (unsigned writer : tensor.writers)
      for (unsigned reader : tensor.readers)
        if (reader != writer)
          if (llvm::Error error = checkOrder(std::min(writer, reader),
                                             std::max(writer, reader)))
            return error;
  return llvm::Error::success();
}

llvm::Error Validation::checkMeasures() const {
  Measures is = measure(problem, solution.stages);
  if (is.time != solution.time)
    return createStringError("the stages take %lld ns, not %lld",
                             (long long)is.time, (long long)solution.time);
  if (is.peak != solution.peak)
    return createStringError("the peak is %lld bytes, not %lld",
                             (long long)is.peak, (long long)solution.peak);
  if (problem.cap && is.peak > *problem.cap)
    return createStringError(
        "the peak of %lld bytes, at node '%s', is above the cap of %lld",
        (long long)is.peak,
        name(solution.stages[is.peakStage].tracks.front().launches.front()),
        (long long)*problem.cap);
  return llvm::Error::success();
}

llvm::Error Validation::run() {
  if (llvm::Error error = placeAll())
    return error;
  for (size_t stage = 0; stage < solution.stages.size(); ++stage)
    if (llvm::Error error = checkThreads(stage))
      return error;
  if (llvm::Error error = checkOrders())
    return error;
  return checkMeasures();
}

llvm::Error sched::validate(const Problem &problem, const Solution &solution) {
  return Validation(problem, solution).run();
}
