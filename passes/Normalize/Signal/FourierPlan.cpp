//===- FourierPlan.cpp - how a transform is split -------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file weighs multiply-adds against passes over the data.
//===----------------------------------------------------------------------===//
#include "passes/Normalize/Signal/Fourier.h"
#include "llvm/Support/MathExtras.h"

#include <cmath>
#include <map>

using namespace tenon::normalize;

/// The longest row multiplied by one matrix, and the longest column of a split.
static constexpr int64_t kMaxDirect = 512, kMaxColumn = 128;
/// What one pass over a number costs beside a multiply-add in a product.
static constexpr double kPass = 16;

namespace {
class Planner {
public:
  TransformPlan plan(int64_t planes, int64_t length, int64_t count);

private:
  TransformPlan search(int64_t planes, int64_t length, int64_t count);

  std::map<std::tuple<int64_t, int64_t, int64_t>, TransformPlan> known;
};
} // namespace

TransformPlan Planner::plan(int64_t planes, int64_t length, int64_t count) {
  std::tuple key(planes, length, count);
  auto found = known.find(key);
  if (found != known.end())
    return found->second;
  return known[key] = search(planes, length, count);
}

TransformPlan Planner::search(int64_t planes, int64_t length, int64_t count) {
  TransformPlan best{TransformPlan::Direct};
  best.cost = 2.0 * planes * length * count;
  if (length > kMaxDirect)
    best.cost = INFINITY;
  for (int64_t column = 2; column <= kMaxColumn && column < length; ++column) {
    if (length % column)
      continue;
    TransformPlan inner =
        plan(2, length / column, llvm::divideCeil(count, column));
    double cost = 2.0 * planes * length * column + column * inner.cost +
                  kPass * 4 * length;
    if (cost < best.cost)
      best = {TransformPlan::Split, length / column, 0, cost};
  }
  if (best.cost != INFINITY || llvm::isPowerOf2_64(length))
    return best;
  int64_t padded = llvm::PowerOf2Ceil(length + count - 1);
  double cost = 2 * plan(2, padded, padded).cost + kPass * 6 * padded;
  return {TransformPlan::Chirp, 0, padded, cost};
}

TransformPlan tenon::normalize::planTransform(int64_t planes, int64_t length,
                                              int64_t count) {
  return Planner().plan(planes, length, count);
}
