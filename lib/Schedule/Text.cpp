//===- Text.cpp - a problem of scheduling as text -------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file reads in rounds, so that statements may come in any order: numbers
// of threads, then nodes, then what refers to nodes, then what refers to
// tensors.
//===----------------------------------------------------------------------===//
#include "lib/Schedule/Text.h"
#include "lib/Memory/Text/Rounds.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringSwitch.h"

#include <cmath>

using namespace tenon;
using namespace tenon::sched;
using llvm::StringRef;
using mem::Statement;

namespace {
class Reader {
public:
  llvm::Expected<Problem> read(StringRef text);

private:
  using Form = mem::Form<Reader>;

  static Form formOf(StringRef keyword);
  void readThreads(Statement &s);
  void readDevice(Statement &s);
  void readCap(Statement &s);
  void readNoTracks(Statement &) { problem.tracks = false; }
  void readNode(Statement &s);
  void readTensor(Statement &s);
  void readInPlace(Statement &s);
  void readOrder(Statement &s);
  void readUnit(Statement &s);
  void readUnitOfSum(Statement &s, StringRef factor);
  void readMembers(Statement &s, Unit &unit);
  double readRatio(Statement &s, StringRef text, double most);
  int64_t timeOf(Statement &s, StringRef text) {
    return s.microseconds(text, 1000, mostTime);
  }
  int64_t readTime(Statement &s) { return timeOf(s, s.word()); }

  Problem problem;
  mem::Lines lines;
  llvm::StringMap<unsigned> nodes; ///< by name, then also by number
};
} // namespace

static constexpr int lastRound = 3;

Reader::Form Reader::formOf(StringRef keyword) {
  return llvm::StringSwitch<Form>(keyword)
      .Case("threads", {0, &Reader::readThreads})
      .Case("device", {1, &Reader::readDevice})
      .Case("cap", {1, &Reader::readCap})
      .Case("notracks", {1, &Reader::readNoTracks})
      .Case("node", {1, &Reader::readNode})
      .Case("tensor", {2, &Reader::readTensor})
      .Case("order", {2, &Reader::readOrder})
      .Case("unit", {2, &Reader::readUnit})
      .Case("inplace", {3, &Reader::readInPlace})
      .Default({0, nullptr});
}

llvm::Expected<Problem> Reader::read(StringRef text) {
  llvm::Expected<std::vector<Statement>> statements = mem::statementsOf(text);
  if (!statements)
    return statements.takeError();
  for (int round = 0; round <= lastRound; ++round) {
    if (llvm::Error error = mem::readRound(*this, *statements, round, formOf))
      return error;
    // A name that is a number means what it names.
    for (unsigned node = 0; round == 1 && node < problem.launches.size();
         ++node)
      nodes.try_emplace(std::to_string(node), node);
  }
  if (llvm::Error error = lines.locate(problem.check()))
    return error;
  return std::move(problem);
}

void Reader::readThreads(Statement &s) {
  problem.threadCounts.clear();
  do
    problem.threadCounts.push_back(unsigned(s.number(1, mostThreads)));
  while (!s.atEnd() && !s.hasFailed());
  if (!llvm::is_sorted(problem.threadCounts, std::less_equal<unsigned>()) ||
      problem.threadCounts.front() != 1)
    s.fail("numbers of threads begin with 1 and ascend");
  problem.threads = problem.threadCounts.back();
}

double Reader::readRatio(Statement &s, StringRef text, double most) {
  double value = 0;
  if (!text.getAsDouble(value) && value >= 0 && value <= most)
    return value;
  s.fail(text, "is not a ratio from 0 to " + std::to_string(int(most)));
  return 0;
}

void Reader::readDevice(Statement &s) {
  unsigned size = unsigned(s.number(1, mostThreads));
  if (s.accept("hop")) {
    problem.processors = size;
    problem.hop = readTime(s);
    return;
  }
  problem.threads = size;
  if (s.accept("join"))
    problem.join = readTime(s);
  if (s.accept("imbalance"))
    problem.imbalance = std::llround(readRatio(s, s.word(), 10) * 1000);
}

void Reader::readCap(Statement &s) { problem.cap = s.number(0, mostBytes); }

void Reader::readNode(Statement &s) {
  Launch launch;
  launch.name = mem::readName(s.word());
  launch.kernel = mem::readName(s.word());
  while (!s.atEnd() && !s.hasFailed())
    if (s.accept("tiles"))
      launch.tiles = s.number(1, mostTime);
    else if (s.accept("part"))
      launch.part = std::llround(readRatio(s, s.word(), 1) * wholeDevice);
    else if (s.accept("kernel"))
      launch.blocks = {unsigned(s.number(1, mostThreads)),
                       s.number(0, mostBytes),
                       unsigned(s.number(1, mostThreads))};
    else if (s.accept("passes"))
      launch.blocks.parameters = s.number(0, mostBytes);
    else
      launch.times.push_back(readTime(s));
  if (!nodes.try_emplace(launch.name, unsigned(nodes.size())).second)
    s.fail("node '" + launch.name + "' appears twice");
  lines.define(launch.name, /*node=*/true, s.lineNumber());
  problem.launches.push_back(std::move(launch));
}

void Reader::readTensor(Statement &s) {
  Tensor tensor;
  tensor.bytes = s.number(0, mostBytes);
  while (!s.hasFailed() && !s.accept(":"))
    tensor.writers.push_back(s.reference(nodes, "node"));
  while (!s.hasFailed() && !s.atEnd())
    if (s.accept("out"))
      tensor.output = true;
    else
      tensor.readers.push_back(s.reference(nodes, "node"));
  lines.define(std::to_string(problem.tensors.size()), /*node=*/false,
               s.lineNumber());
  problem.tensors.push_back(std::move(tensor));
}

void Reader::readInPlace(Statement &s) {
  InPlace inPlace;
  inPlace.launch = s.reference(nodes, "node");
  inPlace.tensor = unsigned(s.number(0, int64_t(problem.tensors.size()) - 1));
  problem.inPlace.push_back(inPlace);
}

void Reader::readOrder(Statement &s) {
  Order order;
  order.before = s.reference(nodes, "node");
  order.after = s.reference(nodes, "node");
  problem.orders.push_back(order);
}

void Reader::readMembers(Statement &s, Unit &unit) {
  while (!s.hasFailed() && !s.atEnd())
    unit.launches.push_back(s.reference(nodes, "node"));
  llvm::sort(unit.launches);
}

/// `0.7*sum`: that part of what the members take one after the other.
void Reader::readUnitOfSum(Statement &s, StringRef factor) {
  constexpr double most = 100;
  Unit unit;
  double ratio = readRatio(s, factor, most);
  readMembers(s, unit);
  for (size_t count = 0; count < problem.threadCounts.size(); ++count) {
    int64_t sum = 0;
    for (unsigned launch : unit.launches) {
      const std::vector<int64_t> &times = problem.launches[launch].times;
      sum += count < times.size() ? times[count] : 0;
    }
    unit.times.push_back(std::llround(double(sum) * ratio));
  }
  problem.units.push_back(std::move(unit));
}

void Reader::readUnit(Statement &s) {
  Unit unit;
  for (size_t count = 0; count < problem.threadCounts.size(); ++count) {
    StringRef text = s.word();
    if (count == 0 && text.consume_back("*sum"))
      return readUnitOfSum(s, text);
    unit.times.push_back(timeOf(s, text));
  }
  readMembers(s, unit);
  problem.units.push_back(std::move(unit));
}

llvm::Expected<Problem> sched::readProblem(StringRef text) {
  return Reader().read(text);
}

std::string sched::microseconds(int64_t nanoseconds) {
  return mem::decimalText(nanoseconds, 3);
}

/// A name as a word that is no mark of the form.
static std::string word(StringRef name) {
  if (name == ":")
    return "%3A";
  if (name == "out")
    return "%6Fut";
  return mem::nameText(name);
}

static void writeTensor(const Problem &problem, const Tensor &tensor,
                        llvm::raw_ostream &stream) {
  stream << "tensor " << tensor.bytes;
  for (unsigned writer : tensor.writers)
    stream << ' ' << word(problem.launches[writer].name);
  stream << " :";
  for (unsigned reader : tensor.readers)
    stream << ' ' << word(problem.launches[reader].name);
  stream << (tensor.output ? " out\n" : "\n");
}

static void writeNode(const Launch &launch, llvm::raw_ostream &stream) {
  stream << "node " << word(launch.name) << ' ' << word(launch.kernel);
  for (int64_t time : launch.times)
    stream << ' ' << microseconds(time);
  if (launch.tiles)
    stream << " tiles " << launch.tiles;
  if (launch.part != wholeDevice)
    stream << " part " << mem::decimalText(launch.part, 6);
  if (launch.blocks.threads)
    stream << " kernel " << launch.blocks.threads << ' ' << launch.blocks.shared
           << ' ' << launch.blocks.cluster;
  if (launch.blocks.parameters)
    stream << " passes " << launch.blocks.parameters;
  stream << '\n';
}

static void writeDevice(const Problem &problem, llvm::raw_ostream &stream) {
  if (problem.isGpu()) {
    stream << "device " << std::max(problem.processors, 1u) << " hop "
           << microseconds(*problem.hop) << '\n';
    return;
  }
  stream << "device " << problem.threads << " join "
         << microseconds(problem.join);
  if (problem.imbalance)
    stream << " imbalance " << mem::decimalText(problem.imbalance, 3);
  stream << '\n';
}

static void writeUnit(const Problem &problem, const Unit &unit,
                      llvm::raw_ostream &stream) {
  stream << "unit";
  for (int64_t time : unit.times)
    stream << ' ' << microseconds(time);
  for (unsigned launch : unit.launches)
    stream << ' ' << word(problem.launches[launch].name);
  stream << '\n';
}

void sched::writeProblem(const Problem &problem, llvm::raw_ostream &stream) {
  stream << "threads";
  for (unsigned count : problem.threadCounts)
    stream << ' ' << count;
  stream << '\n';
  writeDevice(problem, stream);
  if (problem.cap)
    stream << "cap " << *problem.cap << '\n';
  if (!problem.tracks)
    stream << "notracks\n";
  for (const Launch &launch : problem.launches)
    writeNode(launch, stream);
  for (const Tensor &tensor : problem.tensors)
    writeTensor(problem, tensor, stream);
  for (auto [launch, tensor] : problem.inPlace)
    stream << "inplace " << word(problem.launches[launch].name) << ' ' << tensor
           << '\n';
  for (auto [before, after] : problem.orders)
    stream << "order " << word(problem.launches[before].name) << ' '
           << word(problem.launches[after].name) << '\n';
  for (const Unit &unit : problem.units)
    writeUnit(problem, unit, stream);
}
