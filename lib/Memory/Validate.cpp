//===- Validate.cpp - prove a solution by brute force ---------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file must stay independent of solvers and of their normal form: it
// looks at buffers, pair by pair.
//===----------------------------------------------------------------------===//
#include "lib/Memory/Sharing.h"

#include <algorithm>

using namespace tenon::mem;

namespace {
class Validator {
public:
  Validator(const Problem &problem, const Solution &solution)
      : problem(problem), solution(solution), sharing(problem) {
    for (size_t i = 0; i < problem.buffers.size(); ++i)
      ends.push_back(solution.offsets[i] + problem.buffers[i].size);
  }

  llvm::Error run() const {
    for (unsigned i = 0; i < problem.buffers.size(); ++i)
      if (llvm::Error error = checkAlone(i))
        return error;
    for (const Contiguous &list : problem.lists)
      if (llvm::Error error = checkList(list))
        return error;
    if (llvm::Error error = checkGuards())
      return error;
    for (const Overlay &overlay : problem.overlays)
      if (llvm::Error error = checkOverlay(overlay))
        return error;
    return checkPairs();
  }

private:
  const Problem &problem;
  const Solution &solution;
  Sharing sharing;
  std::vector<int64_t> ends;

  const char *id(unsigned i) const { return problem.buffers[i].id.c_str(); }
  int64_t begin(unsigned i) const { return solution.offsets[i]; }
  int64_t end(unsigned i) const { return ends[i]; }

  llvm::Error checkAlone(unsigned i) const {
    const Buffer &buffer = problem.buffers[i];
    if (begin(i) < 0 || end(i) > solution.arenas[buffer.scope])
      return llvm::createStringError("buffer '%s' is outside the arena", id(i));
    if (begin(i) % buffer.alignment)
      return llvm::createStringError("buffer '%s' is misaligned", id(i));
    if (buffer.fixed && *buffer.fixed != begin(i))
      return llvm::createStringError("buffer '%s' is not at its fixed offset",
                                     id(i));
    return llvm::Error::success();
  }

  llvm::Error checkList(const Contiguous &list) const {
    for (size_t k = 1; k < list.buffers.size(); ++k)
      if (end(list.buffers[k - 1]) != begin(list.buffers[k]))
        return llvm::createStringError("buffer '%s' is not directly after '%s'",
                                       id(list.buffers[k]),
                                       id(list.buffers[k - 1]));
    unsigned first = list.buffers.front(), last = list.buffers.back();
    if (llvm::Error error =
            checkGuard(first, begin(first) - list.guardBytes, begin(first)))
      return error;
    return checkGuard(last, end(last), end(last) + list.guardBytes);
  }

  /// Nothing else may lie in [from, to) while `owner` lives.
  llvm::Error checkGuard(unsigned owner, int64_t from, int64_t to) const {
    unsigned scope = problem.buffers[owner].scope;
    if (from == to)
      return llvm::Error::success();
    if (from < 0 || to > solution.arenas[scope])
      return llvm::createStringError(
          "the guard of buffer '%s' is outside the arena", id(owner));
    for (unsigned i = 0; i < problem.buffers.size(); ++i)
      if (i != owner && problem.buffers[i].scope == scope &&
          problem.buffers[i].size && begin(i) < to && from < end(i) &&
          problem.meet(i, owner))
        return llvm::createStringError("buffer '%s' lies in the guard of '%s'",
                                       id(i), id(owner));
    return llvm::Error::success();
  }

  /// Guards of lists that meet are apart as well.
  llvm::Error checkGuards() const {
    struct Guard {
      unsigned owner;
      int64_t from, to;
    };
    std::vector<Guard> guards;
    for (const Contiguous &list : problem.lists) {
      unsigned first = list.buffers.front(), last = list.buffers.back();
      guards.push_back({first, begin(first) - list.guardBytes, begin(first)});
      guards.push_back({last, end(last), end(last) + list.guardBytes});
    }
    for (const Guard &a : guards)
      for (const Guard &b : guards)
        if (a.owner < b.owner && a.from < b.to && b.from < a.to &&
            a.from != a.to && b.from != b.to &&
            problem.buffers[a.owner].scope == problem.buffers[b.owner].scope &&
            problem.meet(a.owner, b.owner))
          return llvm::createStringError("the guards of '%s' and '%s' overlap",
                                         id(a.owner), id(b.owner));
    return llvm::Error::success();
  }

  llvm::Error checkOverlay(const Overlay &overlay) const {
    if (begin(overlay.part) != begin(overlay.whole) + overlay.delta)
      return llvm::createStringError("buffer '%s' is not at its place in '%s'",
                                     id(overlay.part), id(overlay.whole));
    return llvm::Error::success();
  }

  /// Sorted by offset, a buffer can share bytes only with those that begin
  /// before it ends.
  llvm::Error checkPairs() const {
    std::vector<unsigned> order;
    for (unsigned i = 0; i < problem.buffers.size(); ++i)
      if (problem.buffers[i].size)
        order.push_back(i);
    std::sort(order.begin(), order.end(), [&](unsigned a, unsigned b) {
      return std::pair(begin(a), a) < std::pair(begin(b), b);
    });
    for (size_t i = 0; i < order.size(); ++i)
      for (size_t j = i + 1;
           j < order.size() && begin(order[j]) < end(order[i]); ++j)
        if (llvm::Error error = checkPair(order[i], order[j]))
          return error;
    return llvm::Error::success();
  }

  llvm::Error checkPair(unsigned a, unsigned b) const {
    if (problem.buffers[a].scope != problem.buffers[b].scope ||
        !problem.meet(a, b) || sharing.allowed(a, b))
      return llvm::Error::success();
    return llvm::createStringError("buffers '%s' and '%s' overlap",
                                   id(std::min(a, b)), id(std::max(a, b)));
  }
};
} // namespace

llvm::Error tenon::mem::validate(const Problem &problem,
                                 const Solution &solution) {
  if (solution.offsets.size() != problem.buffers.size())
    return llvm::createStringError(
        "the solution has another number of buffers");
  if (solution.arenas.size() != problem.scopes())
    return llvm::createStringError("the solution has another number of arenas");
  return Validator(problem, solution).run();
}
