//===- Levels.cpp - keeping what is small low -----------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "lib/Memory/Levels.h"
#include "lib/Memory/Blocks.h"

#include "llvm/ADT/STLExtras.h"
#include <map>

using namespace tenon::mem;

/// Units of work for each quiet time, and for the rest around them.
static constexpr int64_t levelWork = 20'000'000;
/// Parts of an arena that may be alive in its quiet times.
static constexpr int64_t quietParts = 3, allParts = 4;

/// Births and ends after which more than `limit` bytes are alive.
static std::vector<int64_t> loudMoments(const Problem &problem, int64_t limit) {
  std::map<int64_t, int64_t> changes;
  for (const Buffer &buffer : problem.buffers) {
    changes[buffer.lower.total()] += buffer.size;
    changes[buffer.upper.total()] -= buffer.size;
  }
  std::vector<int64_t> moments;
  int64_t alive = 0;
  for (auto [moment, change] : changes)
    if ((alive += change) > limit)
      moments.push_back(moment);
  return moments;
}

/// The buffers of blocks that are never alive while more than `limit` bytes
/// are.
static std::vector<unsigned> quietBuffers(const Problem &problem,
                                          int64_t limit) {
  Blocks blocks = llvm::cantFail(buildBlocks(problem));
  std::vector<int64_t> loud = loudMoments(problem, limit);
  std::vector<bool> isLoud(blocks.blocks.size(), false);
  for (auto [i, buffer] : llvm::enumerate(problem.buffers)) {
    auto first = llvm::lower_bound(loud, buffer.lower.total());
    if (first != loud.end() && *first < buffer.upper.total())
      isLoud[blocks.blockOf[i]] = true;
  }
  std::vector<unsigned> quiet;
  for (unsigned i = 0; i < problem.buffers.size(); ++i)
    if (!isLoud[blocks.blockOf[i]])
      quiet.push_back(i);
  return quiet;
}

/// Some buffers, of whole blocks, and the distances between them.
static Problem extract(const Problem &problem,
                       llvm::ArrayRef<unsigned> buffers) {
  Problem part;
  std::vector<std::optional<unsigned>> number(problem.buffers.size());
  for (unsigned buffer : buffers) {
    number[buffer] = part.buffers.size();
    part.buffers.push_back(problem.buffers[buffer]);
  }
  for (Contiguous list : problem.lists) {
    if (list.buffers.empty() || !number[list.buffers.front()])
      continue;
    for (unsigned &buffer : list.buffers)
      buffer = *number[buffer];
    part.lists.push_back(std::move(list));
  }
  for (Overlay overlay : problem.overlays) {
    if (!number[overlay.whole])
      continue;
    overlay.whole = *number[overlay.whole];
    overlay.part = *number[overlay.part];
    part.overlays.push_back(overlay);
  }
  return part;
}

static bool hasLevels(const Problem &problem) {
  return problem.streams() == 1 && problem.scopes() == 1 &&
         llvm::none_of(problem.buffers,
                       [](const Buffer &buffer) { return buffer.fixed; });
}

void tenon::mem::lowerQuietTimes(const Problem &problem, Outcome &outcome) {
  if (!hasLevels(problem))
    return;
  int64_t bytes = outcome.solution.arenaBytes();
  std::vector<unsigned> quiet =
      quietBuffers(problem, bytes / allParts * quietParts);
  if (quiet.empty() || quiet.size() == problem.buffers.size())
    return;
  Options each;
  each.work = levelWork;
  Outcome low = solveInLevels(extract(problem, quiet), each);
  Problem around = problem;
  for (auto [buffer, offset] : llvm::zip(quiet, low.solution.offsets))
    around.buffers[buffer].fixed = offset;
  each.capacity = bytes;
  Outcome whole = solve(around, each);
  outcome.work += low.work + whole.work;
  if (whole.solution.arenaBytes() <= bytes)
    outcome.solution = std::move(whole.solution);
}

Outcome tenon::mem::solveInLevels(const Problem &problem,
                                  const Options &options) {
  Outcome outcome = solve(problem, options);
  lowerQuietTimes(problem, outcome);
  return outcome;
}
