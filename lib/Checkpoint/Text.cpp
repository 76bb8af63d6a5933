//===- Text.cpp - a problem of checkpointing as text ----------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file reads in rounds, so that statements may come in any order: values,
// then nodes, then what refers to both.
//===----------------------------------------------------------------------===//
#include "lib/Checkpoint/Text.h"
#include "lib/Memory/Text/Rounds.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringSwitch.h"

using namespace tenon;
using namespace tenon::ckpt;
using llvm::StringRef;
using mem::Statement;

static constexpr int64_t perMicrosecond = 1'000'000;

namespace {
class Reader {
public:
  llvm::Expected<Problem> read(StringRef text);

private:
  using Form = mem::Form<Reader>;

  static Form formOf(StringRef keyword);
  void readMachine(Statement &s);
  void readValue(Statement &s);
  void readNode(Statement &s);
  void readLoss(Statement &s);
  void readRecipe(Statement &s);
  void readAbsorb(Statement &s);
  void readOverwrite(Statement &s);
  void readVariant(Statement &s);
  void readBorder(Statement &s);

  int64_t time(Statement &s) {
    return s.microseconds(perMicrosecond, mostTime);
  }
  int64_t bytes(Statement &s) { return s.number(0, mostBytes); }
  unsigned value(Statement &s) { return s.reference(values, "value"); }
  unsigned node(Statement &s) { return s.reference(nodes, "node"); }
  /// The step that the next word names; any if that fails.
  Step &step(Statement &s);
  /// Values up to a mark, or to the end.
  std::vector<unsigned> listUntil(Statement &s, StringRef mark);
  std::vector<unsigned> list(Statement &s);

  Problem problem;
  Step noStep; ///< takes what statements with a wrong name say
  mem::Lines lines;
  llvm::StringMap<unsigned> values, nodes;
};
} // namespace

static constexpr int lastRound = 2;

Reader::Form Reader::formOf(StringRef keyword) {
  return llvm::StringSwitch<Form>(keyword)
      .Case("machine", {0, &Reader::readMachine})
      .Case("value", {0, &Reader::readValue})
      .Case("node", {1, &Reader::readNode})
      .Case("loss", {2, &Reader::readLoss})
      .Case("recipe", {2, &Reader::readRecipe})
      .Case("absorb", {2, &Reader::readAbsorb})
      .Case("overwrite", {2, &Reader::readOverwrite})
      .Case("variant", {2, &Reader::readVariant})
      .Case("border", {2, &Reader::readBorder})
      .Default({0, nullptr});
}

llvm::Expected<Problem> Reader::read(StringRef text) {
  llvm::Expected<std::vector<Statement>> statements = mem::statementsOf(text);
  if (!statements)
    return statements.takeError();
  for (int round = 0; round <= lastRound; ++round)
    if (llvm::Error error = mem::readRound(*this, *statements, round, formOf))
      return error;
  for (Step &step : problem.steps)
    llvm::sort(step.absorbs, [](const Absorb &one, const Absorb &other) {
      return one.value < other.value;
    });
  if (llvm::Error error = lines.locate(problem.check()))
    return error;
  return std::move(problem);
}

Step &Reader::step(Statement &s) {
  unsigned index = node(s);
  return s.hasFailed() ? noStep : problem.steps[index];
}

std::vector<unsigned> Reader::listUntil(Statement &s, StringRef mark) {
  std::vector<unsigned> found;
  while (!s.hasFailed() && !s.accept(mark))
    found.push_back(value(s));
  return found;
}

std::vector<unsigned> Reader::list(Statement &s) {
  std::vector<unsigned> found;
  while (!s.hasFailed() && !s.atEnd())
    found.push_back(value(s));
  return found;
}

void Reader::readMachine(Statement &s) {
  problem.machine.bandwidth = bytes(s);
  problem.machine.launch = time(s);
}

void Reader::readValue(Statement &s) {
  Value value;
  value.name = mem::readName(s.word());
  value.bytes = bytes(s);
  value.pinned = s.accept("pinned");
  if (!values.try_emplace(value.name, unsigned(values.size())).second)
    s.fail("value '" + value.name + "' appears twice");
  lines.define(value.name, /*node=*/false, s.lineNumber());
  problem.values.push_back(std::move(value));
}

void Reader::readNode(Statement &s) {
  Step step;
  step.name = mem::readName(s.word());
  step.variants.front().time = time(s);
  while (!s.hasFailed() && !s.accept(":"))
    if (s.accept("state"))
      step.stateBytes = bytes(s);
    else if (s.accept("scratch"))
      step.variants.front().scratch = bytes(s);
    else
      s.fail(s.word(), "is not expected here");
  step.reads = listUntil(s, "->");
  step.writes = list(s);
  if (!nodes.try_emplace(step.name, unsigned(nodes.size())).second)
    s.fail("node '" + step.name + "' appears twice");
  lines.define(step.name, /*node=*/true, s.lineNumber());
  problem.steps.push_back(std::move(step));
}

void Reader::readLoss(Statement &s) { problem.loss = node(s); }

void Reader::readRecipe(Statement &s) {
  unsigned index = value(s);
  Recipe recipe;
  recipe.time = time(s);
  while (!s.hasFailed() && !s.accept(":"))
    if (s.accept("state"))
      recipe.stateBytes = bytes(s);
    else if (s.accept("until"))
      recipe.until = node(s);
    else if (s.accept("pointwise"))
      recipe.pointwise = true;
    else
      s.fail(s.word(), "is not expected here");
  recipe.operands = list(s);
  if (s.hasFailed())
    return;
  if (problem.values[index].recipe)
    s.fail("value '" + problem.values[index].name + "' has two recipes");
  problem.values[index].recipe = std::move(recipe);
}

void Reader::readAbsorb(Statement &s) {
  Step &by = step(s);
  Absorb absorb;
  absorb.value = value(s);
  absorb.time = time(s);
  if (s.accept("state"))
    absorb.stateBytes = bytes(s);
  by.absorbs.push_back(absorb);
}

void Reader::readOverwrite(Statement &s) {
  Step &by = step(s);
  llvm::append_range(by.overwrites, list(s));
}

void Reader::readVariant(Statement &s) {
  Step &of = step(s);
  Variant variant;
  variant.time = time(s);
  variant.scratch = bytes(s);
  of.variants.push_back(variant);
}

void Reader::readBorder(Statement &s) {
  llvm::append_range(problem.borders, list(s));
}

llvm::Expected<Problem> ckpt::readProblem(StringRef text) {
  return Reader().read(text);
}

std::string ckpt::microseconds(int64_t picoseconds) {
  return mem::decimalText(picoseconds, 6);
}

namespace {
class Writer {
public:
  Writer(const Problem &problem, llvm::raw_ostream &stream)
      : problem(problem), stream(stream) {}

  void write();

private:
  void writeValue(const Value &value);
  void writeNode(const Step &step);
  void writeRecipe(const Value &value);
  void writeChoices(const Step &step);
  void writeList(const std::vector<unsigned> &values);

  const Problem &problem;
  llvm::raw_ostream &stream;
};
} // namespace

/// A name as a word that is no mark of the form.
static std::string word(StringRef name) {
  if (name == ":")
    return "%3A";
  if (name == "->")
    return "%2D>";
  return mem::nameText(name);
}

void Writer::writeList(const std::vector<unsigned> &values) {
  for (unsigned value : values)
    stream << ' ' << word(problem.values[value].name);
}

void Writer::writeValue(const Value &value) {
  stream << "value " << word(value.name) << ' ' << value.bytes
         << (value.pinned ? " pinned\n" : "\n");
}

void Writer::writeNode(const Step &step) {
  const Variant &variant = step.variants.front();
  stream << "node " << word(step.name) << ' ' << microseconds(variant.time);
  if (step.stateBytes)
    stream << " state " << step.stateBytes;
  if (variant.scratch)
    stream << " scratch " << variant.scratch;
  stream << " :";
  writeList(step.reads);
  stream << " ->";
  writeList(step.writes);
  stream << '\n';
}

void Writer::writeRecipe(const Value &value) {
  const Recipe &recipe = *value.recipe;
  stream << "recipe " << word(value.name) << ' ' << microseconds(recipe.time);
  if (recipe.stateBytes)
    stream << " state " << recipe.stateBytes;
  if (recipe.until)
    stream << " until " << word(problem.steps[*recipe.until].name);
  stream << (recipe.pointwise ? " pointwise :" : " :");
  writeList(recipe.operands);
  stream << '\n';
}

void Writer::writeChoices(const Step &step) {
  for (const Absorb &absorb : step.absorbs) {
    stream << "absorb " << word(step.name) << ' '
           << word(problem.values[absorb.value].name) << ' '
           << microseconds(absorb.time);
    if (absorb.stateBytes)
      stream << " state " << absorb.stateBytes;
    stream << '\n';
  }
  if (!step.overwrites.empty()) {
    stream << "overwrite " << word(step.name);
    writeList(step.overwrites);
    stream << '\n';
  }
  for (const Variant &variant : llvm::drop_begin(step.variants))
    stream << "variant " << word(step.name) << ' ' << microseconds(variant.time)
           << ' ' << variant.scratch << '\n';
}

void Writer::write() {
  stream << "machine " << problem.machine.bandwidth << ' '
         << microseconds(problem.machine.launch) << '\n';
  llvm::for_each(problem.values, [&](auto &value) { writeValue(value); });
  llvm::for_each(problem.steps, [&](auto &step) { writeNode(step); });
  if (problem.loss < problem.steps.size())
    stream << "loss " << word(problem.steps[problem.loss].name) << '\n';
  for (const Value &value : problem.values)
    if (value.recipe)
      writeRecipe(value);
  llvm::for_each(problem.steps, [&](auto &step) { writeChoices(step); });
  if (problem.borders.empty())
    return;
  stream << "border";
  writeList(problem.borders);
  stream << '\n';
}

void ckpt::writeProblem(const Problem &problem, llvm::raw_ostream &stream) {
  Writer(problem, stream).write();
}
