//===- Validate.cpp - proof of a placement by brute force -----------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "lib/Memory/Problem.h"

using namespace tenon::mem;

static llvm::Error checkAlone(const Buffer &buffer, int64_t offset,
                              int64_t arenaBytes) {
  const char *id = buffer.id.c_str();
  if (offset < 0 || offset > arenaBytes - buffer.size)
    return llvm::createStringError("buffer '%s' lies outside of the arena", id);
  if (offset % buffer.alignment)
    return llvm::createStringError("buffer '%s' is misaligned", id);
  return llvm::Error::success();
}

llvm::Error tenon::mem::validate(const Problem &problem,
                                 const Solution &solution) {
  size_t count = problem.buffers.size();
  if (solution.offsets.size() != count)
    return llvm::createStringError(
        "the solution has another number of buffers");
  for (size_t i = 0; i < count; ++i) {
    const Buffer &a = problem.buffers[i];
    int64_t aOffset = solution.offsets[i];
    if (llvm::Error error = checkAlone(a, aOffset, solution.arenaBytes))
      return error;
    for (size_t j = 0; j < i; ++j) {
      const Buffer &b = problem.buffers[j];
      int64_t bOffset = solution.offsets[j];
      bool together = a.lower < b.upper && b.lower < a.upper;
      bool overlap = a.size && b.size && aOffset < bOffset + b.size &&
                     bOffset < aOffset + a.size;
      if (together && overlap)
        return llvm::createStringError("buffers '%s' and '%s' overlap",
                                       b.id.c_str(), a.id.c_str());
    }
  }
  return llvm::Error::success();
}
