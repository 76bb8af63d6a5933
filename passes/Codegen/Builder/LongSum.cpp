//===- LongSum.cpp - sums of many terms -----------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "passes/Codegen/Builder/LongSum.h"

using namespace mlir;
using namespace tenon;
using namespace tenon::codegen;

/// Blocks of a larger block.
static constexpr int64_t blocksOfBlock = 16;
/// Iterations of a loop of unknown length that blocks are made for. Of more,
/// the largest blocks are summed in order.
static constexpr int64_t manyIterations = int64_t(1) << 20;

namespace {
class BlockedLoop {
public:
  BlockedLoop(KernelBuilder &b, const SumRange &range,
              function_ref<bool(size_t)> isSum,
              function_ref<Values(Value, ValueRange)> body)
      : b(b), range(range), isSum(isSum), body(body) {
    // A sum of unknown length is a block of its own.
    int64_t block = 1;
    if (range.terms.isFixed())
      block = std::max<int64_t>(1, longestInOrder / range.terms.fixed());
    int64_t most = range.most.isFixed() ? range.most.fixed() : manyIterations;
    for (; block < most; block *= blocksOfBlock)
      sizes.push_back(block * range.step);
  }

  /// Blocks of a known size are faster loops. What is left is one block more.
  Values run(ValueRange carried) {
    auto low = b.constant(range.low), high = b.constant(range.high);
    if (!range.most.isFixed())
      return b.select(
          b.less(b.index(sizes.front()), b.sub(range.high, range.low)),
          [&] { return blocks(range.low, range.high, sizes.size(), carried); },
          [&] { return inOrder(range.low, range.high, carried); });
    if (sizes.empty() || !low || !high)
      return blocks(range.low, range.high, sizes.size(), carried);
    int64_t whole = (*high - *low) / sizes.front() * sizes.front();
    isWhole = true;
    Value end = b.index(*low + whole);
    Values sums = blocks(range.low, end, sizes.size(), carried);
    if (*low + whole == *high)
      return sums;
    return join(sums, inOrder(end, range.high, fresh(sums)));
  }

private:
  Values inOrder(Value low, Value high, ValueRange carried) {
    return b.loop(low, high, range.step, carried, body);
  }

  /// What [low, high) adds to the carried sums, in blocks of `depth` sizes.
  Values blocks(Value low, Value high, size_t depth, ValueRange carried) {
    if (depth == 0)
      return inOrder(low, high, carried);
    int64_t size = sizes[depth - 1];
    return b.loop(low, high, size, carried, [&](Value i, ValueRange sums) {
      if (depth == 1 && isWhole)
        return join(sums, wholeBlock(i, fresh(sums)));
      Value end = b.min(b.add(i, size), high);
      return join(sums, blocks(i, end, depth - 1, fresh(sums)));
    });
  }

  Values wholeBlock(Value start, ValueRange carried) {
    return b.loop(
        b.index(0), b.index(sizes.front()), range.step, carried,
        [&](Value i, ValueRange sums) { return body(b.add(start, i), sums); });
  }

  Values fresh(ValueRange sums) {
    Values result(sums);
    for (auto [number, value] : llvm::enumerate(result))
      if (isSum(number))
        value = b.constantOf(value.getType(), 0);
    return result;
  }

  Values join(ValueRange sums, Values parts) {
    for (auto [number, part] : llvm::enumerate(parts))
      if (isSum(number))
        part = b.plus(sums[number], part);
    return parts;
  }

  KernelBuilder &b;
  const SumRange &range;
  function_ref<bool(size_t)> isSum;
  function_ref<Values(Value, ValueRange)> body;
  SmallVector<int64_t> sizes; ///< of blocks, from the smallest on
  bool isWhole = false;       ///< all smallest blocks are
};
} // namespace

Values codegen::sumLoop(KernelBuilder &b, const SumRange &range,
                        ValueRange carried, function_ref<bool(size_t)> isSum,
                        function_ref<Values(Value, ValueRange)> body) {
  return BlockedLoop(b, range, isSum, body).run(carried);
}
