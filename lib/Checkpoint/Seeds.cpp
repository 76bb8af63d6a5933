//===- Seeds.cpp - plans by minimum cuts ----------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "lib/Checkpoint/Seeds.h"
#include "lib/Flow/MinCut.h"
#include "llvm/ADT/STLExtras.h"

#include <set>

using namespace tenon;
using namespace tenon::ckpt;
using flow::MinCutProblem;

//===-- From sets to marks ------------------------------------------------===//

namespace {
class Marking {
public:
  Marking(const Problem &problem, const Dropped &dropped, bool once)
      : problem(problem), dropped(dropped), once(once),
        births(birthsOf(problem)), done(problem.values.size(), false) {}

  Marks run();

private:
  bool isAgain(unsigned value, unsigned step) const;
  void markStep(unsigned step);

  const Problem &problem;
  const Dropped &dropped;
  bool once;
  std::vector<unsigned> births;
  std::vector<bool> done;
  Marks marks;
};
} // namespace

bool Marking::isAgain(unsigned value, unsigned step) const {
  const Value &of = problem.values[value];
  return dropped[value] && !of.pinned && mayCompute(of, step) &&
         births[value] <= problem.loss && births[value] < step &&
         !(once && done[value]);
}

void Marking::markStep(unsigned step) {
  std::vector<unsigned> work = problem.steps[step].reads;
  std::set<unsigned> seen;
  while (!work.empty()) {
    unsigned value = work.back();
    work.pop_back();
    if (!isAgain(value, step) || !seen.insert(value).second)
      continue;
    bool inside = absorbOf(problem.steps[step], value);
    done[value] = !inside;
    marks.marks.push_back({step, value, inside ? How::Inside : How::Again});
    llvm::append_range(work, problem.values[value].recipe->operands);
  }
}

Marks Marking::run() {
  for (unsigned step = problem.loss + 1; step < problem.steps.size(); ++step)
    markStep(step);
  llvm::sort(marks.marks);
  return std::move(marks);
}

Marks ckpt::marksOf(const Problem &problem, const Dropped &dropped, bool once) {
  return Marking(problem, dropped, once).run();
}

//===-- Borders -----------------------------------------------------------===//

Dropped ckpt::droppedBetween(const Problem &problem,
                             llvm::ArrayRef<unsigned> borders) {
  Dropped dropped;
  for (const Value &value : problem.values)
    dropped.push_back(value.recipe.has_value());
  for (unsigned value : borders)
    dropped[value] = false;
  return dropped;
}

std::vector<unsigned> ckpt::narrowBorders(const Problem &problem) {
  std::vector<unsigned> births = birthsOf(problem);
  std::vector<unsigned> lastUse = births;
  for (unsigned step = 0; step <= problem.loss; ++step)
    for (unsigned value : problem.steps[step].reads)
      lastUse[value] = step;
  std::vector<unsigned> borders;
  std::set<unsigned> alive;
  for (unsigned step = 0; step < problem.loss; ++step) {
    for (unsigned value : problem.steps[step].writes)
      alive.insert(value);
    for (auto it = alive.begin(); it != alive.end();)
      it = lastUse[*it] <= step ? alive.erase(it) : std::next(it);
    if (alive.size() == 1 &&
        (borders.empty() || borders.back() != *alive.begin()))
      borders.push_back(*alive.begin());
  }
  return borders;
}

//===-- Cuts --------------------------------------------------------------===//

/// The time to compute a value again, as a clone, or inside of all that read
/// it.
static int64_t againTime(const Problem &problem, unsigned value) {
  const Value &of = problem.values[value];
  bool isRead = false, isInside = true;
  for (unsigned step = problem.loss + 1; step < problem.steps.size(); ++step)
    if (llvm::is_contained(problem.steps[step].reads, value)) {
      isRead = true;
      isInside &= absorbOf(problem.steps[step], value) != nullptr;
    }
  if (isRead && isInside)
    return std::max<int64_t>(of.recipe->time / 2, 1'000'000);
  int64_t bytes = of.recipe->stateBytes + 2 * of.bytes;
  for (unsigned operand : of.recipe->operands)
    bytes += problem.values[operand].bytes;
  return problem.machine.timeOf(of.recipe->time, bytes);
}

namespace {
class Cut {
public:
  explicit Cut(const Problem &problem)
      : problem(problem), births(birthsOf(problem)),
        readBehind(problem.values.size(), false) {
    for (unsigned value = 0; value < problem.values.size(); ++value)
      times.push_back(problem.values[value].recipe ? againTime(problem, value)
                                                   : 0);
    for (unsigned step = problem.loss + 1; step < problem.steps.size(); ++step)
      for (unsigned value : problem.steps[step].reads)
        readBehind[value] = true;
  }

  Dropped at(int64_t bytePrice) const;

private:
  bool isForward(unsigned value) const { return births[value] <= problem.loss; }
  int64_t priceOf(int64_t bytes, int64_t bytePrice) const;

  const Problem &problem;
  std::vector<unsigned> births;
  std::vector<bool> readBehind;
  std::vector<int64_t> times;
};
} // namespace

/// In picoseconds, below what is infinite.
int64_t Cut::priceOf(int64_t bytes, int64_t bytePrice) const {
  __int128 price = __int128(bytes) * bytePrice / 1000;
  return int64_t(std::clamp<__int128>(price, 1, int64_t(1) << 50));
}

Dropped Cut::at(int64_t bytePrice) const {
  MinCutProblem network;
  std::vector<unsigned> in(problem.values.size(), 0), out(in);
  for (auto [index, value] : llvm::enumerate(problem.values)) {
    if (!isForward(unsigned(index)))
      continue;
    in[index] = network.addNode();
    out[index] = network.addNode();
    network.addEdge(in[index], out[index], priceOf(value.bytes, bytePrice));
    bool again = value.recipe && !value.pinned;
    network.addEdge(MinCutProblem::source, in[index],
                    again ? std::max<int64_t>(times[index], 1)
                          : MinCutProblem::infinite);
    if (again)
      for (unsigned operand : value.recipe->operands)
        network.addEdge(out[operand], in[index], MinCutProblem::infinite);
    if (readBehind[index])
      network.addEdge(out[index], MinCutProblem::sink, MinCutProblem::infinite);
  }
  flow::MinCutSolution solution = flow::solve(network);
  Dropped dropped(problem.values.size(), false);
  for (unsigned value = 0; value < dropped.size(); ++value)
    dropped[value] = isForward(value) && !solution.side[in[value]];
  return dropped;
}

Dropped ckpt::droppedByCut(const Problem &problem, int64_t bytePrice) {
  return Cut(problem).at(bytePrice);
}

/// From 0.1 ps to 3 us a byte.
static constexpr int64_t leastPrice = 100, mostPrice = 3'000'000'000;

std::vector<Marks> ckpt::seedsOf(const Problem &problem) {
  std::set<Dropped> known;
  std::vector<Marks> seeds;
  auto add = [&](Dropped dropped) {
    if (!known.insert(dropped).second)
      return;
    for (bool once : {false, true})
      seeds.push_back(marksOf(problem, dropped, once));
  };
  Cut cut(problem);
  for (int64_t price = leastPrice; price < mostPrice; price += price * 3 / 5)
    add(cut.at(price));
  add(droppedBetween(problem, narrowBorders(problem)));
  if (!problem.borders.empty())
    add(droppedBetween(problem, problem.borders));
  return seeds;
}
