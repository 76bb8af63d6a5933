//===- Minimize.cpp - the fewest that still fail --------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "lib/Reduce/Minimize.h"

#include "llvm/ADT/SmallVector.h"

#include <algorithm>

using namespace tenon::reduce;
using llvm::BitVector;

static BitVector range(unsigned count, unsigned begin, unsigned end) {
  BitVector set(count);
  set.set(begin, end);
  return set;
}

/// The first number up to `most`, which holds, for which `holds` does and does
/// not for the one before, if it ever changes once only.
static unsigned bisect(unsigned least, unsigned most,
                       llvm::function_ref<bool(unsigned)> holds) {
  while (least < most) {
    unsigned middle = least + (most - least) / 2;
    if (holds(middle))
      most = middle;
    else
      least = middle + 1;
  }
  return most;
}

/// Leaves out parts of `size` where the rest fails; whether there was one.
static bool leaveOut(BitVector &set, unsigned size, Fails fails) {
  llvm::SmallVector<unsigned> members(set.set_bits());
  bool changed = false;
  // What comes last depends on the others.
  for (size_t end = members.size(); end > 0;) {
    size_t begin = end > size ? end - size : 0;
    BitVector rest = set;
    for (size_t i = begin; i < end; ++i)
      rest.reset(members[i]);
    if (rest.any() && fails(rest)) {
      set = rest;
      changed = true;
    }
    end = begin;
  }
  return changed;
}

BitVector tenon::reduce::minimize(unsigned count, Fails fails) {
  if (count < 2)
    return range(count, 0, count);
  unsigned end = bisect(
      1, count, [&](unsigned end) { return fails(range(count, 0, end)); });
  // Counted from the end: how many are kept.
  unsigned kept = bisect(1, end, [&](unsigned kept) {
    return fails(range(count, end - kept, end));
  });
  BitVector set = range(count, end - kept, end);
  for (unsigned size = std::max(1u, kept / 2); size >= 1;) {
    bool changed = set.count() > 1 && leaveOut(set, size, fails);
    if (size == 1 && !changed)
      break;
    size = std::max<unsigned>(1, std::min<unsigned>(size / 2, set.count() / 2));
  }
  return set;
}
