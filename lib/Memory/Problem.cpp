//===- Problem.cpp - the problem's own rules and bound --------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "lib/Memory/Problem.h"

#include "llvm/ADT/StringSet.h"
#include "llvm/Support/MathExtras.h"
#include <algorithm>

using namespace tenon::mem;

llvm::Error Problem::check() const {
  llvm::StringSet<> ids;
  for (const Buffer &buffer : buffers) {
    const char *id = buffer.id.c_str();
    if (!ids.insert(buffer.id).second)
      return llvm::createStringError("buffer '%s' appears twice", id);
    if (buffer.size < 0)
      return llvm::createStringError("buffer '%s' has a negative size", id);
    if (buffer.lower >= buffer.upper)
      return llvm::createStringError("buffer '%s' never lives", id);
    if (buffer.alignment < 1 || !llvm::isPowerOf2_64(buffer.alignment))
      return llvm::createStringError(
          "buffer '%s' has an alignment that is not a power of two", id);
  }
  return llvm::Error::success();
}

int64_t Problem::lowerBound() const {
  // Sweep over the moments of birth and death; deaths come first.
  std::vector<std::pair<int64_t, int64_t>> events;
  for (const Buffer &buffer : buffers) {
    events.emplace_back(buffer.lower, buffer.size);
    events.emplace_back(buffer.upper, -buffer.size);
  }
  std::sort(events.begin(), events.end());
  int64_t live = 0, most = 0;
  for (auto [time, change] : events)
    most = std::max(most, live += change);
  return most;
}
