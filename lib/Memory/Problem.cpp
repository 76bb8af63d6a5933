//===- Problem.cpp - the problem's own rules ------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "lib/Memory/Blocks.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Support/MathExtras.h"
#include <algorithm>
#include <numeric>

using namespace tenon::mem;

bool Clock::operator<=(const Clock &other) const {
  for (size_t s = 0; s < ticks.size(); ++s)
    if (ticks[s] > other.ticks[s])
      return false;
  return true;
}

int64_t Clock::total() const {
  return std::accumulate(ticks.begin(), ticks.end(), int64_t(0));
}

unsigned Problem::scopes() const {
  unsigned count = 1;
  for (const Buffer &buffer : buffers)
    count = std::max(count, buffer.scope + 1);
  return count;
}

unsigned Problem::streams() const {
  return buffers.empty() ? 1 : unsigned(buffers.front().lower.streams());
}

int64_t Solution::arenaBytes() const {
  return std::accumulate(arenas.begin(), arenas.end(), int64_t(0));
}

static llvm::Error wrong(const Buffer &buffer, const char *why) {
  return llvm::createStringError("buffer '%s' %s", buffer.id.c_str(), why);
}

static llvm::Error checkBuffer(const Buffer &buffer, unsigned streams) {
  if (buffer.lower.streams() != streams || buffer.upper.streams() != streams ||
      buffer.stream >= streams)
    return wrong(buffer, "has a clock of another number of streams");
  if (buffer.size < 0)
    return wrong(buffer, "has a negative size");
  if (buffer.upper <= buffer.lower)
    return wrong(buffer, "never lives");
  if (buffer.alignment < 1 || !llvm::isPowerOf2_64(buffer.alignment))
    return wrong(buffer, "has an alignment that is not a power of two");
  if (buffer.size > mostBytes || buffer.alignment > mostBytes ||
      buffer.fixed.value_or(0) > mostBytes)
    return wrong(buffer, "is too large");
  if (buffer.fixed && *buffer.fixed < 0)
    return wrong(buffer, "has a negative offset");
  if (buffer.fixed && *buffer.fixed % buffer.alignment)
    return wrong(buffer, "has a fixed offset that is not aligned");
  if (buffer.scope > 255)
    return wrong(buffer, "has a scope above 255");
  return llvm::Error::success();
}

static llvm::Error checkBuffers(const Problem &problem) {
  llvm::StringSet<> ids;
  int64_t total = 0;
  for (const Buffer &buffer : problem.buffers) {
    if (!ids.insert(buffer.id).second)
      return wrong(buffer, "appears twice");
    if (llvm::Error error = checkBuffer(buffer, problem.streams()))
      return error;
    total += buffer.size;
    if (total > mostBytes)
      return wrong(buffer, "makes the sum of all sizes too large");
  }
  return llvm::Error::success();
}

/// Everything after this may index.
static llvm::Error checkIndices(const Problem &problem) {
  bool lists = true, overlays = true;
  for (const Contiguous &list : problem.lists)
    for (unsigned buffer : list.buffers)
      lists &= buffer < problem.buffers.size();
  for (const Overlay &overlay : problem.overlays)
    overlays &= overlay.whole < problem.buffers.size() &&
                overlay.part < problem.buffers.size();
  if (!lists)
    return llvm::createStringError(
        "a contiguous list names a buffer out of range");
  if (!overlays)
    return llvm::createStringError("an overlay names a buffer out of range");
  return llvm::Error::success();
}

static llvm::Error checkLists(const Problem &problem) {
  for (const Contiguous &list : problem.lists) {
    if (list.buffers.empty())
      return llvm::createStringError("a contiguous list is empty");
    const Buffer &first = problem.buffers[list.buffers.front()];
    if (list.guardBytes < 0 || list.guardBytes > mostBytes)
      return wrong(first, "begins a list whose guard has a wrong size");
    std::vector<unsigned> sorted = list.buffers;
    llvm::sort(sorted);
    auto twice = std::adjacent_find(sorted.begin(), sorted.end());
    if (twice != sorted.end())
      return wrong(problem.buffers[*twice], "is twice in one list");
  }
  return llvm::Error::success();
}

/// Whether the node that writes `part` is the last that uses `whole`.
static bool isLastUse(const Buffer &whole, const Buffer &part) {
  Clock after = part.lower;
  ++after[part.stream];
  return whole.upper <= after;
}

static llvm::Error checkOverlays(const Problem &problem) {
  for (const Overlay &overlay : problem.overlays) {
    const Buffer &whole = problem.buffers[overlay.whole];
    const Buffer &part = problem.buffers[overlay.part];
    if (overlay.whole == overlay.part)
      return wrong(whole, "overlays itself");
    if (overlay.kind == Overlay::InPlace && overlay.delta)
      return wrong(part, "is in place at another address");
    if (overlay.kind == Overlay::InPlace && !isLastUse(whole, part))
      return wrong(whole, "is overwritten in place but used later");
    if (overlay.kind == Overlay::View &&
        (overlay.delta < 0 || overlay.delta > whole.size - part.size))
      return wrong(part, "is a view that leaves its buffer");
  }
  return llvm::Error::success();
}

/// Blocks at given offsets must not be in each other's way.
static llvm::Error checkFixed(const Problem &problem, const Blocks &blocks) {
  std::vector<std::pair<int64_t, const Piece *>> placed;
  for (const Block &block : blocks.blocks) {
    if (!block.fixed)
      continue;
    size_t others = placed.size();
    for (const Piece &piece : block.pieces) {
      int64_t begin = *block.fixed + piece.delta;
      for (auto [start, other] : llvm::ArrayRef(placed).take_front(others))
        if (problem.buffers[other->buffer].scope == block.scope &&
            begin < start + other->size && start < begin + piece.size &&
            problem.meet(piece.buffer, other->buffer))
          return wrong(problem.buffers[piece.buffer],
                       "is fixed where another fixed buffer lies");
      placed.emplace_back(begin, &piece);
    }
  }
  return llvm::Error::success();
}

llvm::Error Problem::check() const {
  if (llvm::Error error = checkBuffers(*this))
    return error;
  if (llvm::Error error = checkIndices(*this))
    return error;
  if (llvm::Error error = checkLists(*this))
    return error;
  if (llvm::Error error = checkOverlays(*this))
    return error;
  llvm::Expected<Blocks> blocks = buildBlocks(*this);
  if (!blocks)
    return blocks.takeError();
  return checkFixed(*this, *blocks);
}
