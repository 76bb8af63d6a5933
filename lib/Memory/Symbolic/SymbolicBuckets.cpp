//===- SymbolicBuckets.cpp - a plan per range of a symbol -----------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "lib/Memory/Symbolic/Symbolic.h"

#include "llvm/ADT/STLExtras.h"

using namespace tenon::mem;

static llvm::Error checkBuckets(const Symbolic &symbolic,
                                const Buckets &buckets) {
  bool right = buckets.symbol < symbolic.symbols.size();
  for (size_t i = 0; right && i < buckets.bounds.size(); ++i) {
    const Symbol &symbol = symbolic.symbols[buckets.symbol];
    right = buckets.bounds[i] >= symbol.low && buckets.bounds[i] <= symbol.high;
    right &= i == 0 || buckets.bounds[i - 1] < buckets.bounds[i];
  }
  if (right)
    return llvm::Error::success();
  return llvm::createStringError(
      "buckets must ascend within the range of their symbol");
}

/// The same problem with one symbol held to low..high.
static Symbolic narrowed(const Symbolic &symbolic, size_t symbol, int64_t low,
                         int64_t high) {
  Symbolic result = symbolic;
  result.symbols[symbol].low = low;
  result.symbols[symbol].high = high;
  return result;
}

llvm::Expected<std::vector<SymbolicPlan>>
tenon::mem::planBuckets(const Problem &problem, const Symbolic &symbolic,
                        const Buckets &buckets, const Planner &planner) {
  if (llvm::Error error = checkBuckets(symbolic, buckets))
    return error;
  const Symbol &symbol = symbolic.symbols[buckets.symbol];
  std::vector<int64_t> bounds = buckets.bounds;
  if (bounds.empty() || bounds.back() < symbol.high)
    bounds.push_back(symbol.high);
  std::vector<SymbolicPlan> plans;
  int64_t low = symbol.low;
  for (int64_t high : bounds) {
    llvm::Expected<SymbolicPlan> plan = planSymbolic(
        problem, narrowed(symbolic, buckets.symbol, low, high), planner);
    if (!plan)
      return plan.takeError();
    plans.push_back(std::move(*plan));
    low = high + 1;
  }
  return plans;
}

namespace {
/// Values low..high of the symbol, and what their plan costs.
struct Range {
  int64_t low, high;
  double cost;
};

class Bisection {
public:
  Bisection(const Problem &problem, const Symbolic &symbolic, size_t symbol,
            const Planner &planner)
      : problem(problem), symbolic(symbolic), symbol(symbol), planner(planner) {
  }

  llvm::Expected<Range> plan(int64_t low, int64_t high) const {
    llvm::Expected<SymbolicPlan> plan =
        planSymbolic(problem, narrowed(symbolic, symbol, low, high), planner);
    if (!plan)
      return plan.takeError();
    // The arena, summed over the symbol's values: from a few of them, evenly
    // spread, while the other symbols are at their largest.
    int64_t samples = std::min<int64_t>(high - low + 1, 65);
    std::vector<int64_t> point = symbolic.top();
    double sum = 0;
    for (int64_t i = 0; i < samples; ++i) {
      point[symbol] =
          low + (samples > 1 ? (high - low) * i / (samples - 1) : 0);
      for (unsigned scope = 0; scope < plan->caps.size(); ++scope)
        sum += double(plan->arenaAt(scope, point));
    }
    return Range{low, high, sum / double(samples) * double(high - low + 1)};
  }

  /// The two halves of a range, or nothing where it is a single value.
  llvm::Expected<std::vector<Range>> halves(const Range &range) const {
    if (range.low == range.high)
      return std::vector<Range>{};
    int64_t middle = range.low + (range.high - range.low) / 2;
    llvm::Expected<Range> first = plan(range.low, middle);
    if (!first)
      return first.takeError();
    llvm::Expected<Range> second = plan(middle + 1, range.high);
    if (!second)
      return second.takeError();
    return std::vector<Range>{*first, *second};
  }

private:
  const Problem &problem;
  const Symbolic &symbolic;
  size_t symbol;
  const Planner &planner;
};
} // namespace

llvm::Expected<Buckets> tenon::mem::chooseBuckets(const Problem &problem,
                                                  const Symbolic &symbolic,
                                                  size_t symbol, unsigned most,
                                                  const Planner &planner) {
  Buckets buckets{symbol, {}};
  if (llvm::Error error = checkBuckets(symbolic, buckets))
    return error;
  Bisection bisection(problem, symbolic, symbol, planner);
  const Symbol &range = symbolic.symbols[symbol];
  llvm::Expected<Range> all = bisection.plan(range.low, range.high);
  if (!all)
    return all.takeError();
  // Each range with its halves, which are planned once.
  std::vector<std::pair<Range, std::vector<Range>>> ranges;
  auto add = [&](const Range &next) -> llvm::Error {
    llvm::Expected<std::vector<Range>> halves = bisection.halves(next);
    if (!halves)
      return halves.takeError();
    ranges.emplace_back(next, std::move(*halves));
    return llvm::Error::success();
  };
  if (llvm::Error error = add(*all))
    return error;
  auto saved = [](const std::pair<Range, std::vector<Range>> &entry) {
    const auto &[whole, halves] = entry;
    return halves.empty() ? 0 : whole.cost - halves[0].cost - halves[1].cost;
  };
  while (ranges.size() < most) {
    auto best = llvm::max_element(ranges, [&](const auto &a, const auto &b) {
      return saved(a) < saved(b);
    });
    if (saved(*best) <= 0)
      break;
    std::vector<Range> halves = std::move(best->second);
    ranges.erase(best);
    for (const Range &half : halves)
      if (llvm::Error error = add(half))
        return error;
  }
  for (const auto &entry : ranges)
    if (entry.first.high < range.high)
      buckets.bounds.push_back(entry.first.high);
  llvm::sort(buckets.bounds);
  return buckets;
}
