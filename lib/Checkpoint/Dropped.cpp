//===- Dropped.cpp - from sets of values to marks -------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "lib/Checkpoint/Dropped.h"
#include "llvm/ADT/STLExtras.h"

#include <set>

using namespace tenon;
using namespace tenon::ckpt;

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
