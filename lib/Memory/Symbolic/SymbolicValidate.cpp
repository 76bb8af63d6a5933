//===- SymbolicValidate.cpp - prove a plan for a whole box ----------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file must stay independent of how plans are made. An inequality holds
// in the whole box if the affine difference of its sides does so at its worst
// corner, or if the extremes of its sides are apart.
//===----------------------------------------------------------------------===//
#include "lib/Memory/Sharing.h"
#include "lib/Memory/Symbolic/Symbolic.h"

using namespace tenon::mem;

namespace {
class SymbolicValidator {
public:
  SymbolicValidator(const Problem &problem, const Symbolic &symbolic,
                    const SymbolicPlan &plan)
      : problem(problem), symbolic(symbolic), plan(plan), box(plan.box),
        sharing(problem) {}

  llvm::Error run() const {
    for (unsigned i = 0; i < problem.buffers.size(); ++i)
      if (llvm::Error error = checkAlone(i))
        return error;
    for (const Contiguous &list : problem.lists)
      if (llvm::Error error = checkList(list))
        return error;
    for (size_t i = 0; i < problem.overlays.size(); ++i) {
      const Overlay &overlay = problem.overlays[i];
      if (!isAfter(overlay.part, overlay.whole, symbolic.deltas[i]))
        return wrong(overlay.part, "is not always at its place in",
                     overlay.whole);
    }
    return checkPairs();
  }

private:
  const Problem &problem;
  const Symbolic &symbolic;
  const SymbolicPlan &plan;
  const Box &box;
  Sharing sharing;

  const char *id(unsigned i) const { return problem.buffers[i].id.c_str(); }

  llvm::Error wrong(unsigned a, const char *why) const {
    return llvm::createStringError("buffer '%s' %s", id(a), why);
  }
  llvm::Error wrong(unsigned a, const char *why, unsigned b) const {
    return llvm::createStringError("buffer '%s' %s '%s'", id(a), why, id(b));
  }

  /// What rounding adds at most.
  int64_t slack(const Place &place) const {
    return place.base.isMultipleOf(place.alignment) ? 0 : place.alignment - 1;
  }
  int64_t rounded(const Place &place, int64_t value) const {
    return value + (-value & (place.alignment - 1));
  }

  /// Whether `past` bytes after a's start are never beyond `before` bytes in
  /// front of b's start.
  bool isBelow(unsigned a, const Affine &past, unsigned b,
               const Affine &before) const {
    const Place &p = plan.places[a], &q = plan.places[b];
    Affine from = p.delta + past, to = q.delta - before;
    bool together = p.base == q.base && p.alignment == q.alignment;
    Affine gap =
        together ? to - from : q.base + to - p.base - from - Affine(slack(p));
    if (gap.least(box) >= 0)
      return true;
    return rounded(p, p.base.most(box)) + from.most(box) <=
           rounded(q, q.base.least(box)) + to.least(box);
  }

  llvm::Error checkAlone(unsigned i) const {
    const Buffer &buffer = problem.buffers[i];
    const Place &place = plan.places[i];
    if (place.alignment < buffer.alignment ||
        !place.delta.isMultipleOf(buffer.alignment))
      return wrong(i, "is not always aligned");
    if (place.base.least(box) < 0 || place.delta.least(box) < 0)
      return wrong(i, "may be outside the arena");
    bool atFixed = place.base.isConstant() && place.delta.isConstant() &&
                   buffer.fixed == rounded(place, place.base.constant) +
                                       place.delta.constant;
    if (buffer.fixed && !atFixed)
      return wrong(i, "is not always at its fixed offset");
    return checkInside(i, symbolic.sizes[i]);
  }

  /// Whether `past` bytes after a buffer's start are inside of the arena.
  llvm::Error checkInside(unsigned i, const Affine &past) const {
    const Place &place = plan.places[i];
    unsigned scope = problem.buffers[i].scope;
    Affine end = place.base + Affine(slack(place)) + place.delta + past;
    int64_t highest =
        rounded(place, place.base.most(box)) + (place.delta + past).most(box);
    bool covered = false;
    for (const Affine &arena : plan.arenas[scope])
      covered |= (arena - end).least(box) >= 0 || arena.least(box) >= highest;
    if (!covered || highest > plan.caps[scope])
      return wrong(i, "may be outside the arena");
    return llvm::Error::success();
  }

  /// Whether b is always exactly `distance` after a.
  bool isAfter(unsigned b, unsigned a, const Affine &distance) const {
    const Place &p = plan.places[a], &q = plan.places[b];
    return p.base == q.base && p.alignment == q.alignment &&
           p.delta + distance == q.delta;
  }

  llvm::Error checkList(const Contiguous &list) const {
    for (size_t k = 1; k < list.buffers.size(); ++k)
      if (!isAfter(list.buffers[k], list.buffers[k - 1],
                   symbolic.sizes[list.buffers[k - 1]]))
        return wrong(list.buffers[k], "is not always directly after",
                     list.buffers[k - 1]);
    unsigned first = list.buffers.front(), last = list.buffers.back();
    if ((plan.places[first].delta - Affine(list.guardBytes)).least(box) < 0)
      return wrong(first, "may have its guard outside of the arena");
    return checkInside(last, symbolic.sizes[last] + list.guardBytes);
  }

  /// The guard bytes in front of, or behind, a buffer.
  int64_t guard(unsigned buffer, bool before) const {
    int64_t bytes = 0;
    for (const Contiguous &list : problem.lists)
      if ((before ? list.buffers.front() : list.buffers.back()) == buffer)
        bytes = std::max(bytes, list.guardBytes);
    return bytes;
  }

  /// Neighbours in one list keep no guard from each other.
  bool areListed(unsigned a, unsigned b) const {
    for (const Contiguous &list : problem.lists)
      for (size_t k = 1; k < list.buffers.size(); ++k)
        if (list.buffers[k - 1] == a && list.buffers[k] == b)
          return true;
    return false;
  }

  bool areApart(unsigned a, unsigned b) const {
    if (areListed(a, b) || areListed(b, a))
      return true;
    return isBelow(a, symbolic.sizes[a] + guard(a, false), b, guard(b, true)) ||
           isBelow(b, symbolic.sizes[b] + guard(b, false), a, guard(a, true));
  }

  llvm::Error checkPairs() const {
    for (unsigned i = 0; i < problem.buffers.size(); ++i)
      for (unsigned j = 0; j < i; ++j) {
        bool apart = problem.buffers[i].scope != problem.buffers[j].scope ||
                     symbolic.sizes[i].most(box) == 0 ||
                     symbolic.sizes[j].most(box) == 0 || !problem.meet(i, j) ||
                     areApart(i, j) || sharing.allowed(i, j);
        if (!apart)
          return llvm::createStringError(
              "buffers '%s' and '%s' may overlap for some symbols", id(j),
              id(i));
      }
    return llvm::Error::success();
  }
};
} // namespace

llvm::Error tenon::mem::validateSymbolic(const Problem &problem,
                                         const Symbolic &symbolic,
                                         const SymbolicPlan &plan) {
  size_t count = problem.buffers.size();
  if (plan.places.size() != count || symbolic.sizes.size() != count ||
      symbolic.deltas.size() != problem.overlays.size() ||
      plan.arenas.size() != problem.scopes() ||
      plan.caps.size() != problem.scopes())
    return llvm::createStringError("the plan is for another problem");
  return SymbolicValidator(problem, symbolic, plan).run();
}
