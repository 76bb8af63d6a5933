//===- SymbolicPlan.cpp - one plan for a whole box ------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "lib/Memory/Solve.h"
#include "lib/Memory/Symbolic/Symbolic.h"

#include "llvm/ADT/STLExtras.h"
#include <algorithm>
#include <numeric>

using namespace tenon::mem;

namespace {
/// Buffers at affine distances from each other, planned as one.
struct Bundle {
  std::vector<unsigned> members;
  Affine size; ///< nowhere below the end of a member or guard
  Affine base; ///< its place in the plan, before rounding
  Affine end;  ///< nowhere below where it ends
  int64_t alignment = 1;
};

class Bundler {
public:
  Bundler(const Problem &problem, const Symbolic &symbolic)
      : problem(problem), symbolic(symbolic), box(symbolic.symbols),
        ties(problem.buffers.size()), deltas(problem.buffers.size()),
        bundleOf(problem.buffers.size(), -1) {}

  /// The problem of bundles at their largest.
  Problem hull;
  std::vector<Bundle> bundles;

  llvm::Error run() {
    addTies();
    for (unsigned i = 0; i < problem.buffers.size(); ++i)
      if (bundleOf[i] < 0)
        if (llvm::Error error = collect(i))
          return error;
    for (Bundle &bundle : bundles)
      if (llvm::Error error = measure(bundle))
        return error;
    return hull.check();
  }

  /// A buffer's distance from the start of its bundle.
  const Affine &delta(unsigned buffer) const { return deltas[buffer]; }
  int64_t bundle(unsigned buffer) const { return bundleOf[buffer]; }

private:
  struct Tie {
    unsigned other;
    Affine distance;
  };
  const Problem &problem;
  const Symbolic &symbolic;
  const Box &box;
  std::vector<std::vector<Tie>> ties;
  std::vector<Affine> deltas;
  std::vector<int64_t> bundleOf;

  llvm::Error wrong(unsigned buffer, const char *why) const {
    return llvm::createStringError("buffer '%s' %s",
                                   problem.buffers[buffer].id.c_str(), why);
  }

  void tie(unsigned a, unsigned b, const Affine &distance) {
    ties[a].push_back({b, distance});
    ties[b].push_back({a, Affine(0) - distance});
  }

  void addTies() {
    for (const Contiguous &list : problem.lists)
      for (size_t k = 1; k < list.buffers.size(); ++k)
        tie(list.buffers[k - 1], list.buffers[k],
            symbolic.sizes[list.buffers[k - 1]]);
    for (size_t i = 0; i < problem.overlays.size(); ++i)
      tie(problem.overlays[i].whole, problem.overlays[i].part,
          symbolic.deltas[i]);
  }

  llvm::Error collect(unsigned root) {
    Bundle bundle;
    bundle.members = {root};
    bundleOf[root] = int64_t(bundles.size());
    for (size_t at = 0; at < bundle.members.size(); ++at) {
      unsigned member = bundle.members[at];
      for (const Tie &tie : ties[member]) {
        Affine delta = deltas[member] + tie.distance;
        if (bundleOf[tie.other] < 0) {
          bundleOf[tie.other] = bundleOf[root];
          deltas[tie.other] = delta;
          bundle.members.push_back(tie.other);
        } else if (!(deltas[tie.other] == delta)) {
          return wrong(tie.other,
                       "would need two different distances for some symbols");
        }
      }
    }
    bundles.push_back(std::move(bundle));
    return llvm::Error::success();
  }

  /// The guard bytes before, or after, a buffer.
  int64_t guard(unsigned buffer, bool before) const {
    int64_t bytes = 0;
    for (const Contiguous &list : problem.lists)
      if ((before ? list.buffers.front() : list.buffers.back()) == buffer)
        bytes = std::max(bytes, list.guardBytes);
    return bytes;
  }

  /// Moves members so that none, nor a guard, begins below zero, and all are
  /// aligned where the bundle is.
  llvm::Error moveMembers(Bundle &bundle) {
    Affine lift = Affine(guard(bundle.members.front(), true));
    unsigned strictest = bundle.members.front();
    for (unsigned member : bundle.members) {
      lift = join(lift, Affine(guard(member, true)) - deltas[member], box);
      if (problem.buffers[member].alignment >
          problem.buffers[strictest].alignment)
        strictest = member;
    }
    bundle.alignment = problem.buffers[strictest].alignment;
    int64_t phase = (deltas[strictest] + lift).constant;
    lift.constant += -phase & (bundle.alignment - 1);
    for (unsigned member : bundle.members) {
      deltas[member] = deltas[member] + lift;
      if (!deltas[member].isMultipleOf(problem.buffers[member].alignment))
        return wrong(member,
                     "cannot be aligned for every value of the symbols");
    }
    return llvm::Error::success();
  }

  llvm::Error measure(Bundle &bundle) {
    if (bundle.members.size() > 1 || guard(bundle.members.front(), true))
      if (llvm::Error error = moveMembers(bundle))
        return error;
    Buffer whole = problem.buffers[bundle.members.front()];
    bundle.alignment = std::max(bundle.alignment, whole.alignment);
    whole.fixed.reset();
    for (unsigned member : bundle.members) {
      const Buffer &buffer = problem.buffers[member];
      bundle.size = join(
          bundle.size,
          deltas[member] + symbolic.sizes[member] + guard(member, false), box);
      for (size_t s = 0; s < whole.lower.streams(); ++s) {
        whole.lower[s] = std::min(whole.lower[s], buffer.lower[s]);
        whole.upper[s] = std::max(whole.upper[s], buffer.upper[s]);
      }
      if (!buffer.fixed)
        continue;
      int64_t start = *buffer.fixed - deltas[member].constant;
      if (!deltas[member].isConstant() || start < 0 ||
          whole.fixed.value_or(start) != start)
        return wrong(member, "cannot lie at its fixed offset for every value "
                             "of the symbols");
      whole.fixed = start;
    }
    whole.size = bundle.size.most(box);
    whole.alignment = bundle.alignment;
    hull.buffers.push_back(std::move(whole));
    return llvm::Error::success();
  }
};

/// Turns a solution of the hull into affine places.
class Lifter {
public:
  Lifter(Bundler &bundler, const Solution &solution, const Box &box)
      : bundler(bundler), solution(solution), box(box) {}

  void run() {
    std::vector<unsigned> order(bundler.bundles.size());
    std::iota(order.begin(), order.end(), 0);
    llvm::stable_sort(order, [&](unsigned a, unsigned b) {
      return solution.offsets[a] < solution.offsets[b];
    });
    for (unsigned i : order) {
      place(i);
      placed.push_back(i);
    }
  }

private:
  Bundler &bundler;
  const Solution &solution;
  const Box &box;
  std::vector<unsigned> placed;

  bool isBelow(unsigned a, unsigned b) const {
    const std::vector<Buffer> &buffers = bundler.hull.buffers;
    return buffers[a].scope == buffers[b].scope && buffers[a].size &&
           buffers[b].size && bundler.hull.meet(a, b);
  }

  void place(unsigned i) {
    Bundle &bundle = bundler.bundles[i];
    bundle.base = 0;
    for (unsigned other : placed)
      if (isBelow(other, i))
        bundle.base = join(bundle.base, bundler.bundles[other].end, box);
    if (bundler.hull.buffers[i].fixed ||
        bundle.base.most(box) > solution.offsets[i])
      bundle.base = solution.offsets[i];
    bool exact = bundle.base.isMultipleOf(bundle.alignment);
    bundle.end = bundle.base + (exact ? 0 : bundle.alignment - 1) + bundle.size;
  }
};
} // namespace

/// The forms that are the largest somewhere; few, or an upper bound of them.
static std::vector<Affine> largest(std::vector<Affine> ends, const Box &box) {
  constexpr size_t few = 8;
  std::vector<Affine> kept;
  auto covers = [&](const Affine &a, const Affine &b) {
    return (a - b).least(box) >= 0;
  };
  for (const Affine &end : ends) {
    if (llvm::any_of(kept, [&](const Affine &a) { return covers(a, end); }))
      continue;
    llvm::erase_if(kept, [&](const Affine &a) { return covers(end, a); });
    kept.push_back(end);
  }
  while (kept.size() > few) {
    Affine last = kept.back();
    kept.pop_back();
    kept.back() = join(kept.back(), last, box);
  }
  return kept;
}

static SymbolicPlan planOf(const Problem &problem, const Bundler &bundler,
                           const Solution &solution, const Box &box) {
  SymbolicPlan plan;
  plan.box = box;
  plan.caps = solution.arenas;
  std::vector<std::vector<Affine>> ends(problem.scopes());
  for (unsigned i = 0; i < problem.buffers.size(); ++i) {
    const Bundle &bundle = bundler.bundles[bundler.bundle(i)];
    plan.places.push_back({bundle.base, bundle.alignment, bundler.delta(i)});
  }
  for (size_t i = 0; i < bundler.bundles.size(); ++i)
    ends[bundler.hull.buffers[i].scope].push_back(bundler.bundles[i].end);
  for (std::vector<Affine> &scope : ends)
    plan.arenas.push_back(largest(std::move(scope), box));
  return plan;
}

llvm::Expected<SymbolicPlan> tenon::mem::planSymbolic(const Problem &problem,
                                                      const Symbolic &symbolic,
                                                      const Planner &planner) {
  if (llvm::Error error = symbolic.check(problem))
    return error;
  Bundler bundler(problem, symbolic);
  if (llvm::Error error = bundler.run())
    return error;
  Solution solution =
      planner ? planner(bundler.hull) : solvePortfolio(bundler.hull);
  // What follows rests on it.
  if (llvm::Error error = validate(bundler.hull, solution))
    return error;
  Lifter(bundler, solution, symbolic.symbols).run();
  SymbolicPlan plan = planOf(problem, bundler, solution, symbolic.symbols);
  if (llvm::Error error = validateSymbolic(problem, symbolic, plan))
    return error;
  return plan;
}
