//===- Evaluator.cpp - what a change of marks costs -----------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file rebuilds the step that changed. A value whose uses there come, go
// or turn into a clone is unlinked from the uses before and behind, and linked
// again; its last use before is measured again, too, as the value may die
// there now.
//===----------------------------------------------------------------------===//
#include "lib/Checkpoint/Evaluator.h"
#include "lib/Support/SortUnique.h"
#include "llvm/ADT/STLExtras.h"

using namespace tenon;
using namespace tenon::ckpt;

/// Stands for "no step" on either side.
static constexpr unsigned none = unsigned(-1);

static bool isBefore(const Evaluator::Touch &touch, unsigned value) {
  return touch.value < value;
}

template <typename Touches>
static auto findTouch(Touches &touches, unsigned value) {
  auto found =
      std::lower_bound(touches.begin(), touches.end(), value, isBefore);
  return found != touches.end() && found->value == value ? found : nullptr;
}

Evaluator::Evaluator(const Problem &problem)
    : asked(problem), births(birthsOf(problem)), leaves(problem.steps.size()),
      touched(problem.values.size()), tree(unsigned(problem.steps.size())),
      seen(problem.values.size(), 0), needed(seen),
      slot(problem.values.size(), 0) {
  for (const Value &value : problem.values) {
    int64_t bytes = value.bytes;
    const Recipe &recipe = value.recipe ? *value.recipe : Recipe();
    for (unsigned operand : recipe.operands)
      bytes += problem.values[operand].bytes;
    cloneTimes.push_back(
        problem.machine.timeOf(recipe.time, recipe.stateBytes + bytes));
  }
  for (unsigned step = 0; step < leaves.size(); ++step)
    rebuild(step);
}

std::optional<How> Evaluator::markOf(unsigned step, unsigned value) const {
  for (auto [marked, how] : leaves[step].marks)
    if (marked == value)
      return how;
  return std::nullopt;
}

Marks Evaluator::marks() const {
  Marks found;
  for (unsigned step = 0; step < leaves.size(); ++step) {
    const Leaf &leaf = leaves[step];
    const unsigned *clone = leaf.clones.begin(), *inside = leaf.inside.begin();
    while (clone != leaf.clones.end() || inside != leaf.inside.end()) {
      bool isClone = inside == leaf.inside.end() ||
                     (clone != leaf.clones.end() && *clone < *inside);
      found.marks.push_back({step, isClone ? *clone++ : *inside++,
                             isClone ? How::Again : How::Inside});
    }
    if (leaf.variant != 0)
      found.choices.push_back({step, leaf.variant});
  }
  return found;
}

const Evaluator::Touch *Evaluator::touchOf(unsigned step,
                                           unsigned value) const {
  return findTouch(leaves[step].touches, value);
}

Evaluator::Touch *Evaluator::touchAt(unsigned step, unsigned value) {
  return findTouch(leaves[step].touches, value);
}

//===-- Changes -----------------------------------------------------------===//

/// Writes a change down. Returns what was there.
Change Evaluator::write(const Change &change) {
  Leaf &leaf = leaves[change.step];
  if (change.variant) {
    Change old = change;
    old.variant = std::exchange(leaf.variant, *change.variant);
    return old;
  }
  Change old{change.step, change.value};
  auto at = llvm::lower_bound(
      leaf.marks, change.value,
      [](auto &mark, unsigned value) { return mark.first < value; });
  bool isThere = at != leaf.marks.end() && at->first == change.value;
  if (isThere)
    old.how = at->second;
  if (isThere && !change.how)
    leaf.marks.erase(at);
  else if (isThere)
    at->second = *change.how;
  else if (change.how)
    leaf.marks.insert(at, {change.value, *change.how});
  return old;
}

Move Evaluator::apply(llvm::ArrayRef<Change> move) {
  Move undo;
  llvm::SmallVector<unsigned, 4> steps;
  for (const Change &change : move) {
    undo.push_back(write(change));
    steps.push_back(change.step);
  }
  std::reverse(undo.begin(), undo.end());
  llvm::sort(steps);
  steps.erase(llvm::unique(steps), steps.end());
  for (unsigned step : steps)
    rebuild(step);
  return undo;
}

void Evaluator::load(const Marks &marks) {
  std::vector<Leaf> wanted(leaves.size());
  for (const Mark &mark : marks.marks)
    wanted[mark.step].marks.push_back({mark.value, mark.how});
  for (const Choice &choice : marks.choices)
    wanted[choice.step].variant = choice.variant;
  for (auto [step, leaf] : llvm::enumerate(leaves)) {
    if (leaf.marks == wanted[step].marks &&
        leaf.variant == wanted[step].variant)
      continue;
    leaf.marks = wanted[step].marks;
    leaf.variant = wanted[step].variant;
    rebuild(unsigned(step));
  }
}

//===-- One step ----------------------------------------------------------===//

/// What the step's kernel reads and computes itself.
void Evaluator::expand(unsigned step) {
  ++stamp;
  const std::vector<unsigned> &reads = asked.steps[step].reads;
  work.assign(reads.begin(), reads.end());
  while (!work.empty()) {
    unsigned value = work.back();
    work.pop_back();
    if (std::exchange(seen[value], stamp) == stamp)
      continue;
    if (markOf(step, value) != How::Inside) {
      fresh.reads.push_back(value);
      needed[value] = stamp;
      continue;
    }
    fresh.inside.push_back(value);
    llvm::append_range(work, asked.values[value].recipe->operands);
  }
  llvm::sort(fresh.reads);
  llvm::sort(fresh.inside);
}

void Evaluator::findClones(unsigned step) {
  for (auto [value, how] : llvm::reverse(leaves[step].marks)) {
    if (how != How::Again || needed[value] != stamp)
      continue;
    fresh.clones.push_back(value);
    for (unsigned operand : asked.values[value].recipe->operands)
      needed[operand] = stamp;
  }
  std::reverse(fresh.clones.begin(), fresh.clones.end());
}

void Evaluator::note(unsigned value, int event, bool made) {
  if (slot[value] >= fresh.touches.size() ||
      fresh.touches[slot[value]].value != value) {
    slot[value] = unsigned(fresh.touches.size());
    fresh.touches.push_back({value});
  }
  Touch &touch = fresh.touches[slot[value]];
  if (made) {
    touch.made = event;
    return;
  }
  touch.last = event;
  if (touch.first < 0)
    touch.first = event;
}

void Evaluator::findTouches(unsigned step) {
  int event = 0;
  for (unsigned value : fresh.clones) {
    for (unsigned operand : asked.values[value].recipe->operands)
      note(operand, event, false);
    note(value, event++, true);
  }
  for (unsigned value : fresh.reads)
    note(value, event, false);
  for (unsigned value : asked.steps[step].writes)
    note(value, event, true);
  llvm::sort(fresh.touches, [](const Touch &one, const Touch &other) {
    return one.value < other.value;
  });
}

/// Puts the new touches in the place of the old ones. A value that comes to the
/// step, or is made there, as before, stays linked.
void Evaluator::splice(unsigned step) {
  llvm::SmallVector<Touch, 6> &touches = leaves[step].touches;
  changed.clear();
  const Touch *old = touches.begin();
  for (Touch &touch : fresh.touches) {
    for (; old != touches.end() && old->value < touch.value; ++old)
      changed.push_back({old->value, true});
    bool wasThere = old != touches.end() && old->value == touch.value;
    if (wasThere && (old->made < 0) == (touch.made < 0))
      touch.out = old->out;
    else
      changed.push_back({touch.value, wasThere});
    old += wasThere;
  }
  for (; old != touches.end(); ++old)
    changed.push_back({old->value, true});
  for (auto [value, wasThere] : changed)
    unlinkAround(value, step, wasThere);
  std::swap(touches, fresh.touches);
  for (auto [value, wasThere] : changed)
    linkAround(value, step, touchOf(step, value));
}

void Evaluator::rebuild(unsigned step) {
  fresh.clones.clear();
  fresh.inside.clear();
  fresh.reads.clear();
  fresh.touches.clear();
  expand(step);
  findClones(step);
  findTouches(step);
  dirty.assign({step});
  splice(step);
  Leaf &leaf = leaves[step];
  std::swap(leaf.clones, fresh.clones);
  std::swap(leaf.inside, fresh.inside);
  std::swap(leaf.reads, fresh.reads);
  sortUnique(dirty);
  for (unsigned at : dirty)
    measure(at);
}

//===-- Lives -------------------------------------------------------------===//

/// Takes the life between two touches of a value off the tree.
void Evaluator::unlink(unsigned value, unsigned from, unsigned to) {
  if (from == none || !touchAt(from, value)->out)
    return;
  unsigned end = to == none ? unsigned(leaves.size()) : to;
  tree.add(from + 1, end, -asked.values[value].bytes);
}

/// What is there behind `from` lives if `to` uses it.
void Evaluator::link(unsigned value, unsigned from, unsigned to) {
  if (from == none)
    return;
  bool lives = asked.values[value].pinned ||
               (to != none && touchAt(to, value)->made < 0);
  Touch &touch = *touchAt(from, value);
  if (touch.out != lives)
    dirty.push_back(from);
  touch.out = lives;
  unsigned end = to == none ? unsigned(leaves.size()) : to;
  if (lives)
    tree.add(from + 1, end, asked.values[value].bytes);
}

void Evaluator::unlinkAround(unsigned value, unsigned step, bool present) {
  auto &steps = touched[value];
  auto at = llvm::lower_bound(steps, step);
  unsigned before = at == steps.begin() ? none : at[-1];
  auto behind = present ? at + 1 : at;
  unsigned after = behind == steps.end() ? none : *behind;
  unlink(value, before, present ? step : after);
  if (!present)
    return;
  unlink(value, step, after);
  steps.erase(at);
}

void Evaluator::linkAround(unsigned value, unsigned step, bool present) {
  auto &steps = touched[value];
  auto at = llvm::lower_bound(steps, step);
  unsigned before = at == steps.begin() ? none : at[-1];
  unsigned after = at == steps.end() ? none : *at;
  link(value, before, present ? step : after);
  if (!present)
    return;
  link(value, step, after);
  steps.insert(at, step);
}

/// Bytes of operands whose place results take.
int64_t Evaluator::sharedInPlace(unsigned step) const {
  const Step &of = asked.steps[step];
  llvm::SmallVector<unsigned, 4> places;
  for (unsigned value : leaves[step].reads)
    if (llvm::is_contained(of.overwrites, value) && !touchOf(step, value)->out)
      places.push_back(value);
  int64_t shared = 0;
  for (unsigned result : of.writes) {
    int64_t bytes = asked.values[result].bytes;
    auto place = llvm::find_if(places, [&](unsigned operand) {
      return asked.values[operand].bytes == bytes;
    });
    if (place == places.end() || !touchOf(step, result)->out)
      continue;
    shared += bytes;
    places.erase(place);
  }
  return shared;
}

/// The bytes and the time of a step's events.
void Evaluator::measure(unsigned step) {
  Leaf &leaf = leaves[step];
  const Step &of = asked.steps[step];
  int last = int(leaf.clones.size());
  llvm::SmallVector<int64_t, 4> loads(last + 1, 0);
  for (const Touch &touch : leaf.touches) {
    int end = touch.out ? last : touch.last;
    for (int event = std::max(touch.made, 0); event <= end; ++event)
      loads[event] += asked.values[touch.value].bytes;
  }
  if (!of.overwrites.empty())
    loads[last] -= sharedInPlace(step);
  loads[last] += of.variants[leaf.variant].scratch;
  tree.set(step, loads);

  int64_t compute = of.variants[leaf.variant].time, bytes = of.stateBytes;
  for (unsigned value : leaf.inside) {
    const Absorb &absorb = *absorbOf(of, value);
    compute += absorb.time;
    bytes += absorb.stateBytes;
  }
  for (unsigned value : leaf.reads)
    bytes += asked.values[value].bytes;
  for (unsigned value : of.writes)
    if (touchOf(step, value)->out)
      bytes += asked.values[value].bytes;
  int64_t time = asked.machine.timeOf(compute, bytes);
  for (unsigned value : leaf.clones)
    time += cloneTimes[value];
  total += time - std::exchange(leaf.time, time);
}
