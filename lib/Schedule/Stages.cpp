//===- Stages.cpp - what may run side by side behind an ideal -------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "lib/Schedule/Stages.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"

using namespace tenon;
using namespace tenon::sched;

namespace {
/// Grows a set by launches in ascending order, so that each comes once.
class Enumeration {
public:
  Enumeration(const Part &part, Mask ideal, const Limits &limits,
              int64_t &count, int64_t most, StageFunction function)
      : part(part), ideal(ideal), limits(limits), count(count), most(most),
        function(function), inComponent(limits.inComponent) {
    for (const Part::PartUnit &unit : part.units)
      inComponent = std::max<unsigned>(
          inComponent, limits.inComponent * llvm::popcount(unit.items));
  }

  bool grow(unsigned from, Mask stage, const Components &components) {
    Mask done = ideal | stage;
    Mask left = part.all() & ~done & ~(bit(from) - 1);
    for (; left; left &= left - 1) {
      unsigned index = llvm::countr_zero(left);
      if ((part.needs[index] & ~done) || !mayJoin(stage, index))
        continue;
      if (++count > most)
        return false;
      Components next = join(components, part.needs[index], bit(index));
      if (unsigned(llvm::popcount(next.back())) > inComponent)
        continue;
      choose(0, stage | bit(index), next);
      if (unsigned(llvm::popcount(stage)) + 1 < limits.inStage &&
          !grow(index + 1, stage | bit(index), next))
        return false;
    }
    return true;
  }

private:
  /// A GPU has waves only, and those only of some kernels.
  bool mayJoin(Mask stage, unsigned index) const {
    return !stage || !part.problem().isGpu() || !part.units.empty() ||
           (!(part.needs[index] & stage) &&
            part.mayShareWave(llvm::countr_zero(stage), index));
  }

  /// Components that something touches become one.
  static Components join(const Components &components, Mask touched,
                         Mask joined) {
    Components result;
    for (Mask component : components)
      if (component & touched)
        joined |= component;
      else
        result.push_back(component);
    result.push_back(joined);
    return result;
  }

  /// Each way to take some units of a stage as one launch each.
  void choose(size_t unit, Mask stage, const Components &components) {
    if (unit == part.units.size())
      return visit(stage, components);
    choose(unit + 1, stage, components);
    Mask items = part.units[unit].items;
    if ((items & ~stage) || (items & taken))
      return;
    taken |= items;
    chosen.push_back(unsigned(unit));
    choose(unit + 1, stage, join(components, items, items));
    chosen.pop_back();
    taken &= ~items;
  }

  unsigned sizeOf(Mask component) const {
    unsigned size = llvm::popcount(component);
    for (unsigned unit : chosen)
      if (part.units[unit].items & component)
        size -= llvm::popcount(part.units[unit].items) - 1;
    return size;
  }

  /// One component of several launches is no faster than stages of one each.
  void visit(Mask stage, const Components &components) {
    if (components.size() > limits.components ||
        (components.size() == 1 && sizeOf(components.front()) > 1))
      return;
    if (!part.units.empty() && !isPossible(stage, components))
      return;
    function(components, chosen);
  }

  bool isPossible(Mask stage, const Components &components) {
    ++count;
    Mask done = 0;
    for (const Part::Step &step : part.stepsOf(stage, chosen))
      done |= step.items;
    return done == stage && llvm::all_of(components, [&](Mask component) {
             return sizeOf(component) <= limits.inComponent;
           });
  }

  const Part &part;
  Mask ideal;
  const Limits &limits;
  int64_t &count;
  int64_t most;
  StageFunction function;
  unsigned inComponent; ///< launches, where units may make them fewer
  Mask taken = 0;
  llvm::SmallVector<unsigned, 4> chosen;
};

class Arrangement {
public:
  Arrangement(const Part &part, Mask ideal, llvm::ArrayRef<Mask> components,
              int64_t slowest, llvm::ArrayRef<unsigned> units)
      : part(part), problem(part.problem()), ideal(ideal),
        components(components), slowest(slowest), units(units) {}

  Choice run() {
    if (components.size() == 1)
      tryAlone();
    else if (problem.isGpu())
      tryWave();
    else if (problem.threads > 1)
      tryTogether();
    return std::move(best);
  }

private:
  using Tracks = llvm::SmallVector<Mask, 8>;

  void tryAlone();
  /// One after the other takes no more bytes, so nothing slower is of use.
  void tryTogether() {
    int64_t inTurn = 0;
    for (Mask launches : components)
      inTurn += timeOf({launches, problem.threads});
    slowest = std::min(slowest, inTurn);
    tryWave();
    if (problem.tracks && leastByAll() <= limit())
      fill(0);
  }
  /// What tracks may take without their join.
  int64_t limit() const { return std::min(slowest, best.time) - problem.join; }
  /// The work of all components by all threads.
  int64_t leastByAll() const {
    Mask all = 0;
    for (Mask launches : components)
      all |= launches;
    return part.leastArea(all) / problem.threads;
  }
  /// What a component takes with all threads but one.
  int64_t longestOf(Mask component) const {
    return timeOf({component, problem.threads - 1});
  }
  void tryWave();
  void fill(size_t component);
  void tryTracks();
  unsigned fewestThreads(Mask launches, int64_t time) const;
  int64_t timeOf(const Choice::Bin &track) const;
  int64_t timeOfWave() const;
  bool mayBeWave() const;
  /// Whether a choice of that time would be taken; its peak decides.
  void offer(Choice choice, llvm::ArrayRef<Mask> tracks);

  const Part &part;
  const Problem &problem;
  Mask ideal;
  llvm::ArrayRef<Mask> components;
  int64_t slowest;
  llvm::ArrayRef<unsigned> units;
  Tracks tracks;
  llvm::SmallVector<int64_t, 8> longest; ///< of the tracks
  Choice best;
};
} // namespace

bool sched::forStages(const Part &part, Mask ideal, const Limits &limits,
                      int64_t &count, int64_t most, StageFunction function) {
  return Enumeration(part, ideal, limits, count, most, function).grow(0, 0, {});
}

int64_t Arrangement::timeOf(const Choice::Bin &track) const {
  int64_t time = 0;
  Mask single = track.launches;
  for (unsigned unit : units)
    if (part.units[unit].items & track.launches) {
      time += part.timeOf({part.units[unit].items, unit}, track.threads);
      single &= ~part.units[unit].items;
    }
  forEach(single,
          [&](unsigned index) { time += part.timeOf(index, track.threads); });
  return time;
}

void Arrangement::offer(Choice choice, llvm::ArrayRef<Mask> masks) {
  if (choice.time > slowest || choice.time > best.time)
    return;
  choice.peak = part.peak(ideal, masks, units);
  if (choice.peak > problem.cap.value_or(INT64_MAX) ||
      (choice.time == best.time && choice.peak >= best.peak))
    return;
  best = std::move(choice);
  best.units.assign(units.begin(), units.end());
}

void Arrangement::tryAlone() {
  Choice choice;
  choice.tracks.push_back({components.front(), problem.threads});
  choice.time = timeOf(choice.tracks.front());
  offer(std::move(choice), components);
}

bool Arrangement::mayBeWave() const {
  unsigned first = llvm::countr_zero(components.front());
  int64_t parameters = 0;
  return units.empty() && llvm::all_of(components, [&](Mask launches) {
           unsigned index = llvm::countr_zero(launches);
           if (launches != bit(index) || !part.mayShareWave(first, index))
             return false;
           parameters += part.launch(index).blocks.parameters;
           return parameters <= mostParameters;
         });
}

int64_t Arrangement::timeOfWave() const {
  int64_t work = 0, area = 0, longest = 0;
  for (Mask launches : components) {
    const Launch &launch = part.launch(llvm::countr_zero(launches));
    int64_t time = launch.times.front();
    work += time;
    area += llvm::divideCeil(time * launch.part, wholeDevice);
    longest = std::max<int64_t>(
        longest, problem.isGpu() ? time : llvm::divideCeil(time, launch.tiles));
  }
  if (problem.isGpu())
    return std::max(longest, area);
  longest = std::max<int64_t>(longest, llvm::divideCeil(work, problem.threads));
  return problem.withImbalance(longest) + problem.join;
}

void Arrangement::tryWave() {
  if (!mayBeWave())
    return;
  Choice choice;
  choice.wave = true;
  for (Mask launches : components)
    choice.tracks.push_back({launches, problem.threads});
  choice.time = timeOfWave();
  offer(std::move(choice), components);
}

/// Puts each component into a track that is there and stays fast enough with
/// all threads but one, or begins one. No unit lies in two components.
void Arrangement::fill(size_t component) {
  if (component == components.size())
    return tryTracks();
  int64_t time = longestOf(components[component]);
  for (size_t track = 0; track < tracks.size(); ++track) {
    tracks[track] |= components[component];
    longest[track] += time;
    if (longest[track] <= limit())
      fill(component + 1);
    longest[track] -= time;
    tracks[track] &= ~components[component];
  }
  if (tracks.size() == problem.threads || time > limit())
    return;
  tracks.push_back(components[component]);
  longest.push_back(time);
  fill(component + 1);
  longest.pop_back();
  tracks.pop_back();
}

/// The fewest threads for at most that time; more than there are, if none are
/// enough. No launch is slower with more.
unsigned Arrangement::fewestThreads(Mask launches, int64_t time) const {
  unsigned least = 1, most = problem.threads + 1;
  while (least < most) {
    unsigned middle = (least + most) / 2;
    if (timeOf({launches, middle}) <= time)
      most = middle;
    else
      least = middle + 1;
  }
  return least;
}

/// Each track has the threads without which the stage is too slow; of those
/// that are left the slowest one always gets the next.
void Arrangement::tryTracks() {
  if (tracks.size() < 2)
    return;
  Choice choice;
  llvm::SmallVector<int64_t, 8> times;
  unsigned taken = 0;
  for (Mask launches : tracks) {
    choice.tracks.push_back({launches, fewestThreads(launches, limit())});
    taken += choice.tracks.back().threads;
    if (taken > problem.threads)
      return;
    times.push_back(timeOf(choice.tracks.back()));
  }
  for (; taken < problem.threads; ++taken) {
    size_t worst = llvm::max_element(times) - times.begin();
    ++choice.tracks[worst].threads;
    times[worst] = timeOf(choice.tracks[worst]);
  }
  choice.time = *llvm::max_element(times) + problem.join;
  offer(std::move(choice), tracks);
}

Choice sched::cheapest(const Part &part, Mask ideal,
                       llvm::ArrayRef<Mask> components, int64_t slowest,
                       llvm::ArrayRef<unsigned> units) {
  return Arrangement(part, ideal, components, slowest, units).run();
}

Stage sched::stageOf(const Part &part, const Choice &choice) {
  Stage stage;
  stage.wave = choice.wave;
  for (const Choice::Bin &bin : choice.tracks) {
    Track track{bin.threads, {}};
    for (const Part::Step &step : part.stepsOf(bin.launches, choice.units)) {
      forEach(step.items, [&](unsigned index) {
        llvm::append_range(track.launches, part.launches(index));
      });
      if (step.unit)
        track.units.push_back(part.units[*step.unit].number);
    }
    stage.tracks.push_back(std::move(track));
  }
  return stage;
}
