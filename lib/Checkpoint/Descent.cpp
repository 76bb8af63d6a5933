//===- Descent.cpp - from marks to better marks ---------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "lib/Checkpoint/Descent.h"
#include "llvm/ADT/STLExtras.h"

using namespace tenon::ckpt;

/// How many trials are tried together, where none alone helps.
static constexpr size_t inPairs = 16, inTriples = 8;
/// How many clones one move makes at most.
static constexpr size_t mostTogether = 48;
/// How many steps may do otherwise than their marks say.
static constexpr size_t atSteps = 8;

void Descent::note() {
  ++count;
  if (front.wants(evaluator.peak(), evaluator.time()))
    front.offer({evaluator.marks(), evaluator.time(), evaluator.peak()});
}

void Descent::load(const Marks &marks) {
  evaluator.load(marks);
  note();
}

/// Inside in place of again, or the reverse, if that is allowed.
std::optional<How> Descent::otherWay(const Mark &mark) const {
  if (mark.how == How::Inside)
    return problem.values[mark.value].pinned ? std::nullopt
                                             : std::optional(How::Again);
  return absorbOf(problem.steps[mark.step], mark.value)
             ? std::optional(How::Inside)
             : std::nullopt;
}

//===-- Down --------------------------------------------------------------===//

/// Evaluates a move, and takes it back.
void Descent::tryMove(const Move &move, bool keep) {
  Move undo = evaluator.apply(move);
  note();
  Worth worth{overload - evaluator.overload(budget), evaluator.time() - time};
  evaluator.apply(undo);
  if (keep)
    trials.push_back({worth.gain, trials.size(), move});
  if (worth.gain > 0 && (best.empty() || worth > bestWorth)) {
    best = move;
    bestWorth = worth;
  }
}

/// Whether a value is in memory when a step begins, or its clone is there.
bool Descent::isThere(unsigned value, unsigned step) const {
  llvm::ArrayRef<unsigned> steps = evaluator.stepsOf(value);
  const unsigned *at = llvm::lower_bound(steps, step);
  if (at != steps.end() && *at == step)
    return true;
  return at != steps.begin() && evaluator.touchOf(at[-1], value)->out;
}

/// Adds clones of operands that are not there, and of their operands, so deep.
void Descent::addOperands(const Gap &gap, unsigned depth, Move &move) const {
  How how = *move.front().how;
  std::vector<std::pair<unsigned, unsigned>> work = {{gap.value, depth}};
  llvm::SmallVector<unsigned, 8> done = {gap.value};
  while (!work.empty()) {
    auto [value, left] = work.back();
    work.pop_back();
    if (left == 0)
      continue;
    for (unsigned operand : problem.values[value].recipe->operands) {
      const Value &of = problem.values[operand];
      if (llvm::is_contained(done, operand) || of.pinned ||
          !mayCompute(of, gap.step) || isThere(operand, gap.step))
        continue;
      done.push_back(operand);
      bool inside = how == How::Inside && value == gap.value &&
                    absorbOf(problem.steps[gap.step], operand);
      move.push_back({gap.step, operand, inside ? How::Inside : How::Again});
      work.push_back({operand, left - 1});
    }
  }
}

void Descent::tryDepths(const Gap &gap, How how) {
  size_t last = 0;
  for (unsigned depth : {0u, 1u, 3u, 100u}) {
    Move move = {{gap.step, gap.value, how}};
    addOperands(gap, depth, move);
    if (move.size() == last || move.size() > mostTogether)
      return;
    last = move.size();
    tryMove(move, /*keep=*/true);
  }
}

/// Computes a value inside of a step, and all that it needs, as far as that
/// can.
static Move insideChain(const Problem &problem, unsigned step, unsigned value) {
  Move move = {{step, value, How::Inside}};
  for (size_t at = 0; at < move.size(); ++at)
    for (unsigned operand : problem.values[move[at].value].recipe->operands)
      if (absorbOf(problem.steps[step], operand) &&
          llvm::none_of(move, [&](const Change &change) {
            return change.value == operand;
          }))
        move.push_back({step, operand, How::Inside});
  return move;
}

void Descent::tryGap(const Gap &gap) {
  tryDepths(gap, How::Again);
  if (!absorbOf(problem.steps[gap.step], gap.value))
    return;
  tryDepths(gap, How::Inside);
  Move chain = insideChain(problem, gap.step, gap.value);
  if (chain.size() > 1)
    tryMove(chain, /*keep=*/true);
}

/// Less scratch at steps above the budget.
void Descent::tryVariants() {
  for (auto [index, step] : llvm::enumerate(problem.steps)) {
    if (step.variants.size() < 2 ||
        evaluator.loadsOf(unsigned(index)).back() <= budget)
      continue;
    for (unsigned variant = 0; variant < step.variants.size(); ++variant)
      if (variant != evaluator.at(unsigned(index)).variant)
        tryMove({{unsigned(index), 0, {}, variant}}, /*keep=*/true);
  }
}

/// Marks at the largest steps above the budget that may do harm there: what
/// they read instead may be larger.
void Descent::tryOtherwise() {
  std::vector<std::pair<int64_t, unsigned>> worst;
  for (unsigned step = 0; step < problem.steps.size(); ++step) {
    const Evaluator::Leaf &leaf = evaluator.at(step);
    if (leaf.clones.empty() && leaf.inside.empty())
      continue;
    int64_t most = *llvm::max_element(evaluator.loadsOf(step));
    if (most > budget)
      worst.push_back({-most, step});
  }
  llvm::sort(worst);
  if (worst.size() > atSteps)
    worst.resize(atSteps);
  for (auto [load, step] : worst) {
    auto marks = evaluator.at(step).marks; // moves change them
    for (auto [value, how] : marks) {
      tryMove({{step, value}}, /*keep=*/true);
      if (auto other = otherWay({step, value, how}))
        tryMove({{step, value, *other}}, /*keep=*/true);
    }
  }
}

/// The changes of both; where they differ, those of the first.
static Move joined(const Move &one, const Move &other) {
  Move move = one;
  for (const Change &change : other)
    if (llvm::none_of(one, [&](const Change &is) {
          return is.step == change.step && is.value == change.value &&
                 is.variant.has_value() == change.variant.has_value();
        }))
      move.push_back(change);
  return move;
}

/// Equal buffers keep each other's peak: pairs, then triples.
void Descent::tryTogether() {
  std::vector<Trial> all = std::move(trials);
  llvm::sort(all, [](const Trial &one, const Trial &other) {
    return std::pair(other.gain, one.number) <
           std::pair(one.gain, other.number);
  });
  size_t few = std::min(all.size(), inPairs);
  for (size_t i = 0; i < few; ++i)
    for (size_t j = i + 1; j < few; ++j)
      tryMove(joined(all[i].move, all[j].move), /*keep=*/false);
  if (!best.empty())
    return;
  few = std::min(all.size(), inTriples);
  for (size_t i = 0; i < few; ++i)
    for (size_t j = i + 1; j < few; ++j) {
      Move pair = joined(all[i].move, all[j].move);
      for (size_t k = j + 1; k < few; ++k)
        tryMove(joined(pair, all[k].move), /*keep=*/false);
    }
}

/// Makes the move that is most worth it.
bool Descent::step(int64_t within) {
  budget = within;
  overload = evaluator.overload(budget);
  time = evaluator.time();
  trials.clear();
  best.clear();
  for (const Gap &gap : gapsOf(evaluator, budget, candidates))
    tryGap(gap);
  tryVariants();
  tryOtherwise();
  if (best.empty() || alwaysTogether)
    tryTogether();
  if (best.empty())
    return false;
  evaluator.apply(best);
  return true;
}

bool Descent::reach(int64_t within, int64_t mostEvaluations) {
  int64_t end = count + mostEvaluations;
  while (evaluator.peak() > within)
    if (isOver() || count >= end || !step(within))
      return false;
  return true;
}

//===-- Better ------------------------------------------------------------===//

/// Keeps a change that is faster within so many bytes.
bool Descent::improve(llvm::ArrayRef<Change> move, int64_t mostBytes) {
  int64_t before = evaluator.time();
  Move undo = evaluator.apply(move);
  note();
  if (evaluator.time() < before && evaluator.peak() <= mostBytes)
    return true;
  evaluator.apply(undo);
  return false;
}

void Descent::takeFree(int64_t within) {
  bool again = true;
  while (std::exchange(again, false) && !isOver())
    for (auto [index, step] : llvm::enumerate(problem.steps))
      for (const Absorb &absorb : step.absorbs) {
        Move chain = insideChain(problem, unsigned(index), absorb.value);
        bool isMarked =
            evaluator.markOf(unsigned(index), absorb.value).has_value();
        again |= !isMarked && improve(chain.front(), within);
        again |= chain.size() > 1 && improve(chain, within);
      }
}

std::vector<Mark> Descent::dearestFirst() const {
  std::vector<Mark> marks = evaluator.marks().marks;
  llvm::sort(marks, [&](const Mark &one, const Mark &other) {
    return std::pair(evaluator.cloneTime(other.value), one) <
           std::pair(evaluator.cloneTime(one.value), other);
  });
  return marks;
}

void Descent::pruneMark(const Mark &mark, int64_t within) {
  Change change{mark.step, mark.value};
  if (improve(change, within))
    return;
  change.how = otherWay(mark);
  if (change.how)
    improve(change, within);
}

void Descent::prune(int64_t within) {
  for (const Mark &mark : dearestFirst())
    if (!isOver() && evaluator.markOf(mark.step, mark.value))
      pruneMark(mark, within);
  for (const Choice &choice : evaluator.marks().choices)
    for (unsigned variant = 0; variant < choice.variant; ++variant)
      if (improve(Change{choice.step, 0, {}, variant}, within))
        break;
}

void Descent::forget(std::mt19937_64 &random) {
  std::vector<Mark> marks = evaluator.marks().marks;
  if (marks.empty())
    return;
  size_t first = random() % marks.size();
  size_t last = std::min(marks.size(), first + 1 + random() % 12);
  Move move;
  for (size_t at = first; at < last; ++at)
    if (random() % 4)
      move.push_back({marks[at].step, marks[at].value});
  evaluator.apply(move);
  note();
}
