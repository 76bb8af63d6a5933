//===- Problem.cpp - what a training step keeps and computes again --------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "lib/Checkpoint/Problem.h"
#include "lib/Support/Indices.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringSet.h"

using namespace tenon;
using namespace tenon::ckpt;
using llvm::createStringError;

std::vector<unsigned> ckpt::birthsOf(const Problem &problem) {
  std::vector<unsigned> births(problem.values.size(), 0);
  for (auto [index, step] : llvm::enumerate(problem.steps))
    for (unsigned value : step.writes)
      births[value] = unsigned(index);
  return births;
}

const Absorb *ckpt::absorbOf(const Step &step, unsigned value) {
  auto found = llvm::lower_bound(step.absorbs, value,
                                 [](const Absorb &absorb, unsigned value) {
                                   return absorb.value < value;
                                 });
  return found != step.absorbs.end() && found->value == value ? &*found
                                                              : nullptr;
}

bool ckpt::mayCompute(const Value &value, unsigned step) {
  return value.recipe && step <= value.recipe->until.value_or(step);
}

namespace {
class Check {
public:
  explicit Check(const Problem &problem) : problem(problem) {}

  llvm::Error run();

private:
  using Values = std::vector<unsigned>;

  llvm::Error checkSize() const;
  llvm::Error checkValues() const;
  llvm::Error checkSteps() const;
  llvm::Error checkNumbers(const Step &step) const;
  llvm::Error checkList(const Step &step, Values values,
                        const char *verb) const;
  llvm::Error checkWriters();
  llvm::Error checkReads(unsigned index) const;
  llvm::Error checkAbsorbs(unsigned index) const;
  llvm::Error checkRecipe(unsigned value) const;
  llvm::Error checkOperand(unsigned value, unsigned operand) const;
  llvm::Error checkBorders() const;
  llvm::Error checkSums() const;
  std::string circleThrough(unsigned value) const;
  const char *name(unsigned value) const {
    return problem.values[value].name.c_str();
  }

  const Problem &problem;
  std::vector<unsigned> births;
};
} // namespace

static bool isTime(int64_t time) { return time >= 0 && time <= mostTime; }
static bool isBytes(int64_t bytes) { return bytes >= 0 && bytes <= mostBytes; }

llvm::Error Check::checkSize() const {
  if (problem.steps.size() > mostSteps || problem.values.size() > mostValues)
    return createStringError("a problem has at most %zu nodes, %zu values",
                             mostSteps, mostValues);
  if (problem.machine.bandwidth < 0 || problem.machine.bandwidth > mostBytes ||
      !isTime(problem.machine.launch))
    return createStringError("the machine's constants are out of range");
  if (problem.loss >= problem.steps.size())
    return createStringError("the loss is no node of the problem");
  return llvm::Error::success();
}

llvm::Error Check::checkValues() const {
  llvm::StringSet<> names;
  int64_t sum = 0;
  for (const Value &value : problem.values) {
    if (!names.insert(value.name).second)
      return createStringError("value '%s' appears twice", value.name.c_str());
    if (!isBytes(value.bytes) || (sum += value.bytes) > mostBytes)
      return createStringError("value '%s' and those before it have too many "
                               "bytes, or fewer than none",
                               value.name.c_str());
    if (!value.recipe)
      continue;
    const Recipe &recipe = *value.recipe;
    if (!isTime(recipe.time) || !isBytes(recipe.stateBytes))
      return createStringError("value '%s' has a recipe with a number out of "
                               "range",
                               value.name.c_str());
    if (!areIndices(recipe.operands, problem.values.size()))
      return createStringError("value '%s' is made from a value that does not "
                               "exist, or from one twice",
                               value.name.c_str());
  }
  return llvm::Error::success();
}

llvm::Error Check::checkNumbers(const Step &step) const {
  bool inRange = isBytes(step.stateBytes) && !step.variants.empty();
  for (const Variant &variant : step.variants)
    inRange &= isTime(variant.time) && isBytes(variant.scratch);
  int64_t absorbed = 0;
  for (const Absorb &absorb : step.absorbs) {
    inRange &= isTime(absorb.time) && isBytes(absorb.stateBytes);
    absorbed = std::min(absorbed, mostBytes) + absorb.stateBytes;
  }
  if (inRange && isBytes(absorbed))
    return llvm::Error::success();
  return createStringError("node '%s' has a number out of range",
                           step.name.c_str());
}

llvm::Error Check::checkList(const Step &step, Values values,
                             const char *verb) const {
  if (areIndices(std::move(values), problem.values.size()))
    return llvm::Error::success();
  return createStringError("node '%s' %s a value that does not exist, or one "
                           "twice",
                           step.name.c_str(), verb);
}

llvm::Error Check::checkSteps() const {
  llvm::StringSet<> names;
  for (const Step &step : problem.steps) {
    if (!names.insert(step.name).second)
      return createStringError("node '%s' appears twice", step.name.c_str());
    if (llvm::Error error = checkNumbers(step))
      return error;
    Values absorbed;
    for (const Absorb &absorb : step.absorbs)
      absorbed.push_back(absorb.value);
    if (!llvm::is_sorted(absorbed))
      return createStringError("node '%s' lists what it absorbs in no order",
                               step.name.c_str());
    const std::pair<const Values &, const char *> lists[] = {
        {step.reads, "reads"},
        {step.writes, "writes"},
        {absorbed, "absorbs"},
        {step.overwrites, "overwrites"}};
    for (auto &[values, verb] : lists)
      if (llvm::Error error = checkList(step, values, verb))
        return error;
  }
  return llvm::Error::success();
}

llvm::Error Check::checkWriters() {
  std::vector<const Step *> writers(problem.values.size());
  for (const Step &step : problem.steps)
    for (unsigned value : step.writes)
      if (const Step *other = std::exchange(writers[value], &step))
        return createStringError("value '%s' is written by '%s' and '%s'",
                                 name(value), other->name.c_str(),
                                 step.name.c_str());
  for (unsigned value = 0; value < writers.size(); ++value)
    if (!writers[value])
      return createStringError("value '%s' is written by no node", name(value));
  births = birthsOf(problem);
  return llvm::Error::success();
}

llvm::Error Check::checkReads(unsigned index) const {
  const Step &step = problem.steps[index];
  const std::pair<const Values &, const char *> lists[] = {
      {step.reads, "reads"}, {step.overwrites, "overwrites"}};
  for (auto &[values, verb] : lists)
    for (unsigned value : values)
      if (births[value] >= index)
        return createStringError(
            "node '%s' %s '%s' before its writer '%s' has run",
            step.name.c_str(), verb, name(value),
            problem.steps[births[value]].name.c_str());
  return llvm::Error::success();
}

llvm::Error Check::checkAbsorbs(unsigned index) const {
  const Step &step = problem.steps[index];
  for (const Absorb &absorb : step.absorbs) {
    const Value &value = problem.values[absorb.value];
    if (!mayCompute(value, index) || births[absorb.value] >= index)
      return createStringError("node '%s' absorbs '%s', which cannot be "
                               "computed again there",
                               step.name.c_str(), value.name.c_str());
  }
  return llvm::Error::success();
}

/// A circle of recipes that leads back to `value`, as text; empty if there is
/// none.
std::string Check::circleThrough(unsigned value) const {
  std::vector<std::optional<unsigned>> from(problem.values.size());
  Values reached = {value};
  for (size_t i = 0; i < reached.size() && !from[value]; ++i) {
    const std::optional<Recipe> &recipe = problem.values[reached[i]].recipe;
    for (unsigned operand : recipe ? recipe->operands : Values())
      if (!from[operand]) {
        from[operand] = reached[i];
        reached.push_back(operand);
      }
  }
  if (!from[value])
    return "";
  Values circle = {value};
  for (unsigned at = *from[value]; at != value; at = *from[at])
    circle.push_back(at);
  std::string text = "'" + problem.values[value].name + "'";
  for (unsigned at : llvm::reverse(circle))
    text += " from '" + problem.values[at].name + "'";
  return text;
}

llvm::Error Check::checkOperand(unsigned value, unsigned operand) const {
  if (operand < value && births[operand] <= births[value])
    return llvm::Error::success();
  if (std::string circle = circleThrough(value); !circle.empty())
    return createStringError("value '%s' is made from itself: %s", name(value),
                             circle.c_str());
  return createStringError("value '%s' is made from '%s', which comes behind "
                           "it",
                           name(value), name(operand));
}

llvm::Error Check::checkRecipe(unsigned value) const {
  const std::optional<Recipe> &recipe = problem.values[value].recipe;
  if (!recipe)
    return llvm::Error::success();
  for (unsigned operand : recipe->operands)
    if (llvm::Error error = checkOperand(value, operand))
      return error;
  if (!recipe->until)
    return llvm::Error::success();
  if (*recipe->until >= problem.steps.size() || *recipe->until < births[value])
    return createStringError("value '%s' may be computed until a node that "
                             "does not exist, or comes before its writer",
                             name(value));
  return llvm::Error::success();
}

llvm::Error Check::checkBorders() const {
  if (!areIndices(problem.borders, problem.values.size()))
    return createStringError("a border is no value, or appears twice");
  for (unsigned value : problem.borders)
    if (births[value] > problem.loss)
      return createStringError("value '%s' is a border, but made behind the "
                               "loss",
                               name(value));
  return llvm::Error::success();
}

/// Whether all steps, each with all recipes before it, take a time that an
/// integer holds; and so the bytes of all their events.
llvm::Error Check::checkSums() const {
  const Machine &machine = problem.machine;
  double steps = 0, again = 0;
  auto add = [&](double &sum, double time, double bytes) {
    double traffic = machine.bandwidth ? bytes * 1e6 / machine.bandwidth : 0;
    sum += time + traffic + double(machine.launch);
  };
  double all = 0;
  for (const Value &value : problem.values)
    all += double(value.bytes);
  for (const Value &value : problem.values)
    if (value.recipe)
      add(again, double(value.recipe->time),
          double(value.recipe->stateBytes) + all);
  for (const Step &step : problem.steps) {
    for (const Variant &variant : step.variants)
      add(steps, double(variant.time), double(step.stateBytes) + all);
    for (const Absorb &absorb : step.absorbs)
      add(steps, double(absorb.time), double(absorb.stateBytes));
  }
  double count = double(problem.steps.size());
  if (steps + again * count < 0x1p61 &&
      all * count * double(problem.values.size() + 1) < 0x1p61)
    return llvm::Error::success();
  return createStringError("times or bytes are so large that sums overflow");
}

llvm::Error Check::run() {
  if (llvm::Error error = checkSize())
    return error;
  if (llvm::Error error = checkValues())
    return error;
  if (llvm::Error error = checkSteps())
    return error;
  if (llvm::Error error = checkWriters())
    return error;
  for (unsigned value = 0; value < problem.values.size(); ++value)
    if (llvm::Error error = checkRecipe(value))
      return error;
  for (unsigned step = 0; step < problem.steps.size(); ++step) {
    if (llvm::Error error = checkReads(step))
      return error;
    if (llvm::Error error = checkAbsorbs(step))
      return error;
  }
  if (llvm::Error error = checkBorders())
    return error;
  return checkSums();
}

llvm::Error Problem::check() const { return Check(*this).run(); }
