//===- Marks.cpp - what is computed again ---------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "lib/Checkpoint/Marks.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/STLExtras.h"

using namespace tenon;
using namespace tenon::ckpt;
using llvm::createStringError;

//===-- Which marks are allowed -------------------------------------------===//

static llvm::Error checkMark(const Problem &problem,
                             const std::vector<unsigned> &births,
                             const Mark &mark) {
  if (mark.step >= problem.steps.size() || mark.value >= problem.values.size())
    return createStringError("a mark names no node or value");
  const Step &step = problem.steps[mark.step];
  const Value &value = problem.values[mark.value];
  auto refuse = [&](const char *why) {
    return createStringError("node '%s' computes '%s' again, which %s",
                             step.name.c_str(), value.name.c_str(), why);
  };
  if (!value.recipe)
    return refuse("has no recipe");
  if (births[mark.value] >= mark.step)
    return refuse("is not made before it");
  if (!mayCompute(value, mark.step))
    return refuse("reads a state that has been updated");
  if (mark.how == How::Again && value.pinned)
    return refuse("has one place throughout");
  if (mark.how == How::Inside && !absorbOf(step, mark.value))
    return refuse("its kernel cannot do");
  return llvm::Error::success();
}

llvm::Error Marks::check(const Problem &problem) const {
  std::vector<unsigned> births = birthsOf(problem);
  for (auto [index, mark] : llvm::enumerate(marks)) {
    if (llvm::Error error = checkMark(problem, births, mark))
      return error;
    if (index > 0 &&
        std::pair(mark.step, mark.value) <=
            std::pair(marks[index - 1].step, marks[index - 1].value))
      return createStringError("marks do not ascend");
  }
  for (auto [index, choice] : llvm::enumerate(choices)) {
    if (choice.step >= problem.steps.size() ||
        choice.variant >= problem.steps[choice.step].variants.size())
      return createStringError("a choice names no node or variant");
    if (index > 0 && choice.step <= choices[index - 1].step)
      return createStringError("choices do not ascend");
  }
  return llvm::Error::success();
}

//===-- What marks mean ---------------------------------------------------===//

namespace {
/// A value in memory, from the event that makes it to its last use.
struct Instance {
  unsigned value = 0;
  size_t first = 0;
  std::optional<size_t> last = {}; ///< none: it has no use, and no place
};

class Evaluating {
public:
  Evaluating(const Problem &problem, const Marks &marks)
      : problem(problem), marks(marks),
        current(problem.values.size(), unsigned(-1)) {}

  Evaluation run();

private:
  using Needs = std::vector<unsigned>;

  void takeMarks(unsigned step);
  std::optional<How> markOf(unsigned value) const;
  void addStep(unsigned index);
  void addClones(unsigned index, const Needs &reads);
  void addEvent(Event event, const Needs &writes);
  const Variant &variantOf(unsigned step) const;
  void store();
  void addLives();
  void shareInPlace(size_t number);
  void price(Event &event) const;
  bool diesAt(unsigned instance, size_t event) const {
    return instances[instance].last == event &&
           !problem.values[instances[instance].value].pinned;
  }

  const Problem &problem;
  const Marks &marks;
  size_t nextMark = 0;
  llvm::SmallDenseMap<unsigned, How> here; ///< marks of one step
  std::vector<unsigned> current;           ///< instance of each value
  std::vector<Instance> instances;
  /// Of each event: the instances that it reads and writes.
  std::vector<std::vector<unsigned>> reads, writes;
  Evaluation result;
};
} // namespace

void Evaluating::takeMarks(unsigned step) {
  here.clear();
  for (; nextMark < marks.marks.size() && marks.marks[nextMark].step == step;
       ++nextMark)
    here[marks.marks[nextMark].value] = marks.marks[nextMark].how;
}

std::optional<How> Evaluating::markOf(unsigned value) const {
  auto found = here.find(value);
  return found == here.end() ? std::nullopt : std::optional(found->second);
}

const Variant &Evaluating::variantOf(unsigned step) const {
  const Choice *choice =
      llvm::find_if(llvm::ArrayRef(marks.choices),
                    [&](const Choice &choice) { return choice.step == step; });
  bool isFirst = choice == llvm::ArrayRef(marks.choices).end();
  return problem.steps[step].variants[isFirst ? 0 : choice->variant];
}

void Evaluating::addEvent(Event event, const Needs &made) {
  size_t number = result.events.size();
  reads.emplace_back();
  writes.emplace_back();
  for (unsigned value : event.reads) {
    reads.back().push_back(current[value]);
    instances[current[value]].last = number;
  }
  for (unsigned value : made) {
    current[value] = unsigned(instances.size());
    writes.back().push_back(current[value]);
    instances.push_back({value, number});
  }
  result.events.push_back(std::move(event));
}

/// Clones that those later in the order, or the step itself, need.
void Evaluating::addClones(unsigned index, const Needs &reads) {
  std::vector<bool> needed(problem.values.size(), false);
  for (unsigned value : reads)
    needed[value] = true;
  Needs clones;
  for (unsigned value = unsigned(needed.size()); value-- > 0;) {
    if (!needed[value] || markOf(value) != How::Again)
      continue;
    clones.push_back(value);
    for (unsigned operand : problem.values[value].recipe->operands)
      needed[operand] = true;
  }
  for (unsigned value : llvm::reverse(clones)) {
    Needs operands = problem.values[value].recipe->operands;
    llvm::sort(operands);
    addEvent({index, value, std::move(operands)}, {value});
  }
}

void Evaluating::addStep(unsigned index) {
  takeMarks(index);
  Event event{index};
  std::vector<bool> seen(problem.values.size(), false);
  Needs work = problem.steps[index].reads;
  while (!work.empty()) {
    unsigned value = work.back();
    work.pop_back();
    if (seen[value])
      continue;
    seen[value] = true;
    bool isInside = markOf(value) == How::Inside;
    (isInside ? event.inside : event.reads).push_back(value);
    if (isInside)
      llvm::append_range(work, problem.values[value].recipe->operands);
  }
  llvm::sort(event.reads);
  llvm::sort(event.inside);
  addClones(index, event.reads);
  addEvent(std::move(event), problem.steps[index].writes);
}

/// Lives, and what each event stores.
void Evaluating::store() {
  for (Instance &instance : instances)
    if (problem.values[instance.value].pinned)
      instance.last = result.events.size() - 1;
  for (auto [event, made] : llvm::zip_equal(result.events, writes))
    for (unsigned instance : made)
      if (instances[instance].last)
        event.stores.push_back(instances[instance].value);
}

void Evaluating::addLives() {
  std::vector<int64_t> change(result.events.size() + 1, 0);
  for (const Instance &instance : instances) {
    if (!instance.last)
      continue;
    change[instance.first] += problem.values[instance.value].bytes;
    change[*instance.last + 1] -= problem.values[instance.value].bytes;
  }
  int64_t live = 0;
  for (auto [event, bytes] : llvm::zip(result.events, change)) {
    live += bytes;
    event.live = live;
  }
}

/// Each result takes the first place that is free and fits.
void Evaluating::shareInPlace(size_t number) {
  Event &event = result.events[number];
  if (event.clone)
    return;
  std::vector<unsigned> places;
  for (unsigned instance : reads[number])
    if (diesAt(instance, number) &&
        llvm::is_contained(problem.steps[event.step].overwrites,
                           instances[instance].value))
      places.push_back(instances[instance].value);
  for (unsigned stored : event.stores) {
    int64_t bytes = problem.values[stored].bytes;
    auto place = llvm::find_if(places, [&](unsigned operand) {
      return problem.values[operand].bytes == bytes;
    });
    if (place == places.end())
      continue;
    event.inPlace.push_back({stored, *place});
    event.live -= bytes;
    places.erase(place);
  }
}

void Evaluating::price(Event &event) const {
  const Step &step = problem.steps[event.step];
  int64_t bytes = 0, compute = 0;
  if (event.clone) {
    const Recipe &recipe = *problem.values[*event.clone].recipe;
    compute = recipe.time;
    bytes = recipe.stateBytes;
  } else {
    compute = variantOf(event.step).time;
    bytes = step.stateBytes;
  }
  for (unsigned value : event.inside) {
    compute += absorbOf(step, value)->time;
    bytes += absorbOf(step, value)->stateBytes;
  }
  for (const std::vector<unsigned> *values : {&event.reads, &event.stores})
    for (unsigned value : *values)
      bytes += problem.values[value].bytes;
  event.time = problem.machine.timeOf(compute, bytes);
}

Evaluation Evaluating::run() {
  for (unsigned step = 0; step < problem.steps.size(); ++step)
    addStep(step);
  store();
  addLives();
  for (auto [number, event] : llvm::enumerate(result.events)) {
    shareInPlace(number);
    price(event);
    if (!event.clone)
      event.live += variantOf(event.step).scratch;
    result.time += event.time;
    if (event.live > result.peak) {
      result.peak = event.live;
      result.peakEvent = number;
    }
  }
  return std::move(result);
}

Evaluation ckpt::evaluate(const Problem &problem, const Marks &marks) {
  return Evaluating(problem, marks).run();
}
