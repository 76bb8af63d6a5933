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
              int64_t &count, int64_t most,
              llvm::function_ref<void(llvm::ArrayRef<Mask>)> function)
      : part(part), ideal(ideal), limits(limits), count(count), most(most),
        function(function) {}

  bool grow(unsigned from, Mask stage, const Components &components) {
    for (unsigned index = from; index < part.size(); ++index) {
      Mask done = ideal | stage;
      if ((done & bit(index)) || (part.needs[index] & ~done))
        continue;
      if (++count > most)
        return false;
      Components next = join(components, index);
      if (unsigned(llvm::popcount(next.back())) > limits.inComponent)
        continue;
      visit(next, llvm::popcount(stage) + 1);
      if (unsigned(llvm::popcount(stage)) + 1 < limits.inStage &&
          !grow(index + 1, stage | bit(index), next))
        return false;
    }
    return true;
  }

private:
  /// Several components are joined if the launch needs them all.
  Components join(const Components &components, unsigned index) const {
    Components result;
    Mask joined = bit(index);
    for (Mask component : components)
      if (component & part.needs[index])
        joined |= component;
      else
        result.push_back(component);
    result.push_back(joined);
    return result;
  }

  /// One component of several launches is no faster than stages of one each.
  void visit(const Components &components, unsigned size) {
    if (components.size() <= limits.components &&
        (components.size() > 1 || size == 1))
      function(components);
  }

  const Part &part;
  Mask ideal;
  const Limits &limits;
  int64_t &count;
  int64_t most;
  llvm::function_ref<void(llvm::ArrayRef<Mask>)> function;
};

class Arrangement {
public:
  Arrangement(const Part &part, Mask ideal, llvm::ArrayRef<Mask> components,
              int64_t slowest)
      : part(part), problem(part.problem()), ideal(ideal),
        components(components), slowest(slowest) {}

  Choice run() {
    if (components.size() == 1)
      tryAlone();
    else if (problem.threads > 1)
      tryTogether();
    return std::move(best);
  }

private:
  using Tracks = llvm::SmallVector<Mask, 8>;

  void tryAlone();
  void tryTogether() {
    if (problem.tracks)
      fill(0);
    tryWave();
  }
  void tryWave();
  void fill(size_t component);
  void tryTracks();
  int64_t timeOf(const Choice::Bin &track) const;
  /// Whether a choice of that time would be taken; its peak decides.
  void offer(Choice choice, llvm::ArrayRef<Mask> tracks);

  const Part &part;
  const Problem &problem;
  Mask ideal;
  llvm::ArrayRef<Mask> components;
  int64_t slowest;
  Tracks tracks;
  Choice best;
};
} // namespace

bool sched::forStages(const Part &part, Mask ideal, const Limits &limits,
                      int64_t &count, int64_t most,
                      llvm::function_ref<void(llvm::ArrayRef<Mask>)> function) {
  return Enumeration(part, ideal, limits, count, most, function).grow(0, 0, {});
}

int64_t Arrangement::timeOf(const Choice::Bin &track) const {
  int64_t time = 0;
  forEach(track.launches,
          [&](unsigned index) { time += part.timeOf(index, track.threads); });
  return time;
}

void Arrangement::offer(Choice choice, llvm::ArrayRef<Mask> masks) {
  if (choice.time > slowest || choice.time > best.time)
    return;
  choice.peak = part.peak(ideal, masks);
  if (choice.peak > problem.cap.value_or(INT64_MAX) ||
      (choice.time == best.time && choice.peak >= best.peak))
    return;
  best = std::move(choice);
}

void Arrangement::tryAlone() {
  Choice choice;
  choice.tracks.push_back({components.front(), problem.threads});
  choice.time = timeOf(choice.tracks.front());
  offer(std::move(choice), components);
}

void Arrangement::tryWave() {
  Choice choice;
  choice.wave = true;
  int64_t work = 0, longest = 0;
  for (Mask launches : components) {
    unsigned index = llvm::countr_zero(launches);
    int64_t tiles = part.tilesOf(index), time = part.timeOf(index, 1);
    if (launches != bit(index) || tiles == 0)
      return;
    work += time;
    longest = std::max<int64_t>(longest, llvm::divideCeil(time, tiles));
    choice.tracks.push_back({launches, problem.threads});
  }
  choice.time =
      std::max<int64_t>(longest, llvm::divideCeil(work, problem.threads)) +
      problem.join;
  offer(std::move(choice), components);
}

/// Puts each component into a track that is there, or begins one.
void Arrangement::fill(size_t component) {
  if (component == components.size())
    return tryTracks();
  for (size_t track = 0; track < tracks.size(); ++track) {
    tracks[track] |= components[component];
    fill(component + 1);
    tracks[track] &= ~components[component];
  }
  if (tracks.size() == problem.threads)
    return;
  tracks.push_back(components[component]);
  fill(component + 1);
  tracks.pop_back();
}

/// The slowest track gets the next thread, which is best as no launch is slower
/// with more.
void Arrangement::tryTracks() {
  if (tracks.size() < 2)
    return;
  Choice choice;
  llvm::SmallVector<int64_t, 8> times;
  for (Mask launches : tracks) {
    choice.tracks.push_back({launches, 1});
    times.push_back(timeOf(choice.tracks.back()));
  }
  for (size_t left = problem.threads - tracks.size(); left > 0; --left) {
    size_t worst = llvm::max_element(times) - times.begin();
    ++choice.tracks[worst].threads;
    times[worst] = timeOf(choice.tracks[worst]);
  }
  choice.time = *llvm::max_element(times) + problem.join;
  offer(std::move(choice), tracks);
}

Choice sched::cheapest(const Part &part, Mask ideal,
                       llvm::ArrayRef<Mask> components, int64_t slowest) {
  return Arrangement(part, ideal, components, slowest).run();
}

Stage sched::stageOf(const Part &part, const Choice &choice) {
  Stage stage;
  stage.wave = choice.wave;
  for (const Choice::Bin &bin : choice.tracks) {
    Track track{bin.threads, {}};
    forEach(bin.launches, [&](unsigned index) {
      llvm::append_range(track.launches, part.launches(index));
    });
    stage.tracks.push_back(std::move(track));
  }
  return stage;
}
