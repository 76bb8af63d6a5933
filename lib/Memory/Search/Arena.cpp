//===- Arena.cpp - lives as flat arrays -----------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "lib/Memory/Search/Arena.h"

#include <algorithm>
#include <numeric>

using namespace tenon::mem;

Lives::Lives(const Problem &problem) : streams(problem.streams()) {
  for (const Buffer &buffer : problem.buffers)
    for (unsigned s = 0; s < streams; ++s) {
      lower.push_back(buffer.lower[s]);
      upper.push_back(buffer.upper[s]);
    }
}

std::pair<int64_t, int64_t> Lives::horizon() const {
  if (streams != 1 || lower.empty())
    return {0, 1};
  return {*std::min_element(lower.begin(), lower.end()),
          *std::max_element(upper.begin(), upper.end())};
}

bool Arena::meet(unsigned a, unsigned b) const {
  for (const Piece &p : members[a].pieces)
    for (const Piece &q : members[b].pieces)
      if (lives.meet(p.buffer, q.buffer))
        return true;
  return false;
}

std::vector<unsigned> tenon::mem::numbersBelow(size_t count) {
  std::vector<unsigned> numbers(count);
  std::iota(numbers.begin(), numbers.end(), 0);
  return numbers;
}
