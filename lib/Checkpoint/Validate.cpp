//===- Validate.cpp - whether events are the program ----------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "lib/Checkpoint/Marks.h"
#include "llvm/ADT/Hashing.h"
#include "llvm/ADT/STLExtras.h"

#include <map>

using namespace tenon;
using namespace tenon::ckpt;
using llvm::createStringError;

namespace {
/// What a place in memory holds.
using Contents = uint64_t;

/// A stored value: from its event to the last one that reads it.
struct Life {
  unsigned value;
  size_t first, last;
  bool isRead = false;
};

class Replay {
public:
  Replay(const Problem &problem, const Marks &marks,
         const Evaluation &evaluation)
      : problem(problem), marks(marks), evaluation(evaluation),
        births(birthsOf(problem)) {}

  llvm::Error run();

private:
  Contents computed(unsigned value, unsigned step,
                    llvm::ArrayRef<Contents> operands) const;
  void findOriginals();
  bool isMarked(const Event &event, unsigned value, How how) const;
  llvm::Error checkPlace(size_t number);
  llvm::Error checkMarked(const Event &event) const;
  llvm::Error read(size_t number);
  llvm::Error compute(const Event &event, unsigned value);
  llvm::Error computeInside(const Event &event);
  llvm::Error checkNeeds(const Event &event) const;
  llvm::Error store(size_t number);
  llvm::Error replay(size_t number);
  llvm::Error checkLives() const;
  llvm::Error checkInPlace(size_t number) const;
  int64_t liveAt(size_t number) const;
  int64_t timeOf(const Event &event) const;
  unsigned variantOf(unsigned step) const;
  llvm::Error checkMeasures() const;
  bool mayOverwrite(const Event &event, size_t number, unsigned result,
                    unsigned operand) const;

  std::vector<unsigned> writesOf(const Event &event) const {
    return event.clone ? std::vector<unsigned>{*event.clone}
                       : problem.steps[event.step].writes;
  }
  const char *name(unsigned value) const {
    return problem.values[value].name.c_str();
  }
  const char *nameOf(const Event &event) const {
    return problem.steps[event.step].name.c_str();
  }

  const Problem &problem;
  const Marks &marks;
  const Evaluation &evaluation;
  std::vector<unsigned> births;
  std::vector<Contents> originals; ///< of each value in the program
  unsigned nextStep = 0;
  std::map<unsigned, Contents> memory; ///< by value
  std::map<unsigned, Contents> local;  ///< what the event has at hand
  std::vector<Life> lives;
  std::map<unsigned, size_t> current; ///< the life of each value in memory
};
} // namespace

/// What a recipe computes at a step: its states are those of the program up to
/// `until`, others behind it.
Contents Replay::computed(unsigned value, unsigned step,
                          llvm::ArrayRef<Contents> operands) const {
  const std::optional<Recipe> &recipe = problem.values[value].recipe;
  bool isUpdated = recipe && recipe->until && step > *recipe->until;
  return llvm::hash_combine(
      value, isUpdated,
      llvm::hash_combine_range(operands.begin(), operands.end()));
}

void Replay::findOriginals() {
  for (unsigned value = 0; value < problem.values.size(); ++value) {
    std::vector<Contents> operands;
    if (const std::optional<Recipe> &recipe = problem.values[value].recipe)
      for (unsigned operand : recipe->operands)
        operands.push_back(originals[operand]);
    originals.push_back(computed(value, births[value], operands));
  }
}

bool Replay::isMarked(const Event &event, unsigned value, How how) const {
  return llvm::is_contained(marks.marks, Mark{event.step, value, how});
}

/// Steps run once and in order; a clone comes right before its step.
llvm::Error Replay::checkPlace(size_t number) {
  const Event &event = evaluation.events[number];
  if (event.step >= problem.steps.size())
    return createStringError("event %zu is of no node", number);
  if (event.step != nextStep)
    return createStringError("node '%s' runs, or computes again, where '%s' "
                             "is next",
                             nameOf(event),
                             nextStep < problem.steps.size()
                                 ? problem.steps[nextStep].name.c_str()
                                 : "the end");
  if (!event.clone)
    ++nextStep;
  return llvm::Error::success();
}

llvm::Error Replay::checkMarked(const Event &event) const {
  if (event.clone && *event.clone >= problem.values.size())
    return createStringError("a clone of no value runs before '%s'",
                             nameOf(event));
  if (event.clone && !isMarked(event, *event.clone, How::Again))
    return createStringError("'%s' is computed again before '%s' without a "
                             "mark",
                             name(*event.clone), nameOf(event));
  for (unsigned value : event.inside)
    if (event.clone || !isMarked(event, value, How::Inside) ||
        !absorbOf(problem.steps[event.step], value))
      return createStringError("a kernel of '%s' computes a value without a "
                               "mark",
                               nameOf(event));
  return llvm::Error::success();
}

llvm::Error Replay::read(size_t number) {
  const Event &event = evaluation.events[number];
  local.clear();
  for (unsigned value : event.reads) {
    auto found = memory.find(value);
    if (found == memory.end())
      return createStringError("a kernel of '%s' reads a value that is not in "
                               "memory",
                               nameOf(event));
    local[value] = found->second;
    Life &life = lives[current[value]];
    life.last = number;
    life.isRead = true;
  }
  return llvm::Error::success();
}

/// Computes a value from what the event has at hand.
llvm::Error Replay::compute(const Event &event, unsigned value) {
  if (!problem.values[value].recipe)
    return createStringError("'%s' is computed again for '%s', but has no "
                             "recipe",
                             name(value), nameOf(event));
  std::vector<Contents> operands;
  for (unsigned operand : problem.values[value].recipe->operands) {
    auto found = local.find(operand);
    if (found == local.end())
      return createStringError("'%s' is computed again for '%s' without its "
                               "operand '%s'",
                               name(value), nameOf(event), name(operand));
    operands.push_back(found->second);
  }
  local[value] = computed(value, event.step, operands);
  if (local[value] == originals[value])
    return llvm::Error::success();
  return createStringError("'%s' is computed again for '%s' from a state that "
                           "has been updated",
                           name(value), nameOf(event));
}

/// Operands have smaller numbers than what is made from them.
llvm::Error Replay::computeInside(const Event &event) {
  std::vector<unsigned> inside = event.inside;
  llvm::sort(inside);
  for (unsigned value : inside)
    if (llvm::Error error = compute(event, value))
      return error;
  return llvm::Error::success();
}

/// A step has what it reads in the program.
llvm::Error Replay::checkNeeds(const Event &event) const {
  for (unsigned value : problem.steps[event.step].reads) {
    auto found = local.find(value);
    if (found == local.end() || found->second != originals[value])
      return createStringError("node '%s' does not get its '%s'", nameOf(event),
                               name(value));
  }
  return llvm::Error::success();
}

llvm::Error Replay::store(size_t number) {
  const Event &event = evaluation.events[number];
  std::vector<unsigned> writes = writesOf(event);
  for (unsigned value : event.stores) {
    if (!llvm::is_contained(writes, value))
      return createStringError("a kernel of '%s' stores a value that it does "
                               "not write",
                               nameOf(event));
    if (event.clone && problem.values[value].pinned)
      return createStringError("'%s' is stored twice", name(value));
  }
  for (unsigned value : writes) {
    memory.erase(value);
    if (!llvm::is_contained(event.stores, value) &&
        problem.values[value].pinned)
      return createStringError("'%s' is not stored", name(value));
  }
  for (unsigned value : event.stores) {
    memory[value] = event.clone ? local[value] : originals[value];
    current[value] = lives.size();
    lives.push_back({value, number, number});
  }
  return llvm::Error::success();
}

llvm::Error Replay::replay(size_t number) {
  const Event &event = evaluation.events[number];
  if (llvm::Error error = checkPlace(number))
    return error;
  if (llvm::Error error = checkMarked(event))
    return error;
  if (llvm::Error error = read(number))
    return error;
  if (llvm::Error error = computeInside(event))
    return error;
  if (llvm::Error error =
          event.clone ? compute(event, *event.clone) : checkNeeds(event))
    return error;
  return store(number);
}

llvm::Error Replay::checkLives() const {
  for (const Life &life : lives)
    if (!life.isRead && !problem.values[life.value].pinned)
      return createStringError("'%s' is stored and never read",
                               name(life.value));
  return llvm::Error::success();
}

bool Replay::mayOverwrite(const Event &event, size_t number, unsigned result,
                          unsigned operand) const {
  if (event.clone || !llvm::is_contained(event.stores, result) ||
      !llvm::is_contained(event.reads, operand) ||
      !llvm::is_contained(problem.steps[event.step].overwrites, operand) ||
      problem.values[operand].pinned ||
      problem.values[operand].bytes != problem.values[result].bytes)
    return false;
  return llvm::any_of(lives, [&](const Life &life) {
    return life.value == operand && life.last == number;
  });
}

llvm::Error Replay::checkInPlace(size_t number) const {
  const Event &event = evaluation.events[number];
  for (auto [index, pair] : llvm::enumerate(event.inPlace)) {
    bool isFree = mayOverwrite(event, number, pair.first, pair.second);
    for (auto [result, operand] :
         llvm::ArrayRef(event.inPlace).take_front(index))
      isFree &= result != pair.first && operand != pair.second;
    if (!isFree)
      return createStringError("node '%s' puts a result where it may not",
                               nameOf(event));
  }
  return llvm::Error::success();
}

unsigned Replay::variantOf(unsigned step) const {
  for (const Choice &choice : marks.choices)
    if (choice.step == step)
      return choice.variant;
  return 0;
}

int64_t Replay::liveAt(size_t number) const {
  const Event &event = evaluation.events[number];
  int64_t bytes = 0;
  for (const Life &life : lives) {
    bool isPinned = problem.values[life.value].pinned;
    if (life.first <= number && (isPinned || number <= life.last))
      bytes += problem.values[life.value].bytes;
  }
  for (auto [result, operand] : event.inPlace)
    bytes -= problem.values[operand].bytes;
  if (!event.clone)
    bytes += problem.steps[event.step].variants[variantOf(event.step)].scratch;
  return bytes;
}

int64_t Replay::timeOf(const Event &event) const {
  const Step &step = problem.steps[event.step];
  int64_t compute = step.variants[variantOf(event.step)].time;
  int64_t bytes = step.stateBytes;
  if (event.clone) {
    compute = problem.values[*event.clone].recipe->time;
    bytes = problem.values[*event.clone].recipe->stateBytes;
  }
  for (unsigned value : event.inside) {
    compute += absorbOf(step, value)->time;
    bytes += absorbOf(step, value)->stateBytes;
  }
  for (unsigned value : event.reads)
    bytes += problem.values[value].bytes;
  for (unsigned value : event.stores)
    bytes += problem.values[value].bytes;
  return problem.machine.timeOf(compute, bytes);
}

llvm::Error Replay::checkMeasures() const {
  int64_t time = 0, peak = 0;
  for (auto [number, event] : llvm::enumerate(evaluation.events)) {
    int64_t takes = timeOf(event), live = liveAt(number);
    if (takes != event.time || live != event.live)
      return createStringError("a kernel of '%s' takes %lld ps and %lld bytes, "
                               "not %lld and %lld",
                               nameOf(event), (long long)takes, (long long)live,
                               (long long)event.time, (long long)event.live);
    time += takes;
    peak = std::max(peak, live);
  }
  if (time != evaluation.time || peak != evaluation.peak)
    return createStringError("the program takes %lld ps and %lld bytes, not "
                             "%lld and %lld",
                             (long long)time, (long long)peak,
                             (long long)evaluation.time,
                             (long long)evaluation.peak);
  return llvm::Error::success();
}

llvm::Error Replay::run() {
  findOriginals();
  for (size_t number = 0; number < evaluation.events.size(); ++number)
    if (llvm::Error error = replay(number))
      return error;
  if (nextStep != problem.steps.size())
    return createStringError("node '%s' does not run",
                             problem.steps[nextStep].name.c_str());
  if (llvm::Error error = marks.check(problem))
    return error;
  if (llvm::Error error = checkLives())
    return error;
  for (size_t number = 0; number < evaluation.events.size(); ++number)
    if (llvm::Error error = checkInPlace(number))
      return error;
  return checkMeasures();
}

llvm::Error ckpt::validate(const Problem &problem, const Marks &marks,
                           const Evaluation &evaluation) {
  return Replay(problem, marks, evaluation).run();
}
