//===- Unfold.cpp - joins neighbouring lanes ------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Each round puts the even neighbours of two vectors side by side, and the odd
// ones, and adds both: within 128 bits, where that is one instruction for each,
// then by whole 128 bits. So sums end out of order, and are sorted at last. A
// vector without another is its own: then each sum is there twice.
//===----------------------------------------------------------------------===//
#include "passes/Codegen/Builder/Unfold.h"

#include <numeric>

using namespace mlir;
using namespace tenon;
using namespace tenon::codegen;

namespace {
/// A vector, and which sum each lane is a part of.
struct Partial {
  Value lanes;
  SmallVector<int64_t> sums;
};
} // namespace

/// The even units of x, then those of y, within each block of lanes; lanes of
/// y are numbered behind those of x.
static SmallVector<int64_t> evenUnits(int64_t lanes, int64_t block,
                                      int64_t unit) {
  SmallVector<int64_t> from;
  for (int64_t first = 0; first < lanes; first += block)
    for (int64_t source : {first, lanes + first})
      for (int64_t at = 0; at < block; at += 2 * unit)
        for (int64_t i = 0; i < unit; ++i)
          from.push_back(source + at + i);
  return from;
}

static Partial joinNeighbours(KernelBuilder &b, const Partial &x,
                              const Partial &y, int64_t block, int64_t unit,
                              Join join) {
  auto lanes = int64_t(x.sums.size());
  SmallVector<int64_t> even = evenUnits(lanes, block, unit), odd;
  Partial result;
  for (int64_t from : even) {
    odd.push_back(from + unit);
    result.sums.push_back(from < lanes ? x.sums[from] : y.sums[from - lanes]);
  }
  result.lanes =
      join(b.permute(x.lanes, y.lanes, even), b.permute(x.lanes, y.lanes, odd));
  return result;
}

/// Lane i becomes the sum of the lowest number but i; what is there again comes
/// behind all of them.
static Value sorted(KernelBuilder &b, const Partial &partial) {
  SmallVector<std::pair<bool, int64_t>> places;
  llvm::SmallDenseSet<int64_t> seen;
  for (int64_t sum : partial.sums)
    places.push_back({!seen.insert(sum).second, sum});
  SmallVector<int64_t> from(places.size());
  std::iota(from.begin(), from.end(), 0);
  llvm::stable_sort(
      from, [&](int64_t x, int64_t y) { return places[x] < places[y]; });
  return b.permute(partial.lanes, partial.lanes, from);
}

Values codegen::unfold(KernelBuilder &b, ValueRange vectors, int64_t fold) {
  return unfold(b, vectors, fold,
                [&](Value x, Value y) { return b.plus(x, y); });
}

Values codegen::unfold(KernelBuilder &b, ValueRange vectors, int64_t fold,
                       Join join) {
  if (fold == 1)
    return Values(vectors);
  auto type = cast<VectorType>(vectors.front().getType());
  int64_t lanes = type.getNumElements();
  int64_t group = std::min<int64_t>(lanes, 128 / type.getElementTypeBitWidth());
  SmallVector<Partial> partials;
  auto add = [&](Value value) {
    Partial partial{value, {}};
    for (int64_t lane = 0; lane < lanes; ++lane)
      partial.sums.push_back((partials.size() * lanes + lane) / fold);
    partials.push_back(std::move(partial));
  };
  llvm::for_each(vectors, add);
  for (int64_t done = 1; done < fold; done *= 2) {
    bool isWithin = done < group;
    SmallVector<Partial> next;
    for (size_t i = 0; i < partials.size(); i += 2)
      next.push_back(joinNeighbours(
          b, partials[i], partials[std::min(i + 1, partials.size() - 1)],
          isWithin ? group : lanes, isWithin ? 1 : group, join));
    partials = std::move(next);
  }
  Values sums;
  for (const Partial &partial : partials)
    sums.push_back(sorted(b, partial));
  return sums;
}
