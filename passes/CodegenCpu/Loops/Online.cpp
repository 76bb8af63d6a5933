//===- Online.cpp - maximum and sum of a softmax in one pass --------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "passes/CodegenCpu/Loops/Online.h"

#include "dialects/Graph/Graph.h"
#include "passes/Codegen/Builder/Alternate.h"
#include "passes/Codegen/Builder/VectorMath.h"
#include "passes/CodegenCpu/Loops/Kernel.h"
#include "passes/CodegenCpu/Loops/Users.h"

#include <cfloat>

using namespace mlir;
using namespace tenon;
using namespace tenon::codegen;

/// A block, of 16 KiB: half of a small first-level cache.
static constexpr int64_t blockElements = 4096;

//===-- Recognition -------------------------------------------------------===//

static Type elementOf(const LoopNest &nest, unsigned node) {
  return getElementTypeOrSelf(nest.program.nodes[node].value.getType());
}

static std::optional<OnlineSoftmax> matchSum(const LoopNest &nest,
                                             unsigned sum) {
  Users users(nest);
  if (!users.is<graph::ReduceSumOp>(sum))
    return std::nullopt;
  unsigned power = users.operand(sum, 0);
  if (!isSoftmaxPower(nest, power))
    return std::nullopt;
  unsigned shift = users.operand(users.operand(power, 0), 1);
  unsigned element = users.operand(shift, 0);
  if (!elementOf(nest, element).isF32())
    return std::nullopt;
  return OnlineSoftmax{element, shift, sum};
}

static std::optional<OnlineSoftmax> matchSoftmax(const LoopNest &nest) {
  for (unsigned node = 0; node < nest.program.nodes.size(); ++node)
    if (std::optional<OnlineSoftmax> found = matchSum(nest, node))
      return found;
  return std::nullopt;
}

bool codegen::mayRunOnline(const LoopNest &nest, unsigned vector) {
  return nest.reduced(vector) && nest.reducedSize().isFixed() &&
         nest.extent(vector).isFixed() && matchSoftmax(nest);
}

std::optional<OnlineSoftmax>
codegen::findOnlineSoftmax(const LoopNest &nest, const LoopSchedule &schedule) {
  if (!schedule.online || schedule.jam != 1 ||
      !mayRunOnline(nest, schedule.vector))
    return std::nullopt;
  return matchSoftmax(nest);
}

//===-- In kernels --------------------------------------------------------===//

/// Calls `body` with each point of `length` elements from `low` on and one of
/// the accumulators, which vectors beside each other take by turns.
Values LoopsKernel::blockLoop(int64_t stage, LoopScope &row, Value low,
                              int64_t length, ValueRange initial,
                              function_ref<Value(LoopScope &, Value)> body) {
  int64_t lanes = schedule.lanes;
  auto visit = [&](Value i, int64_t count, LiveLanes live, ValueRange carried) {
    std::vector<LoopScope> points(count, LoopScope(&row));
    Values next(carried);
    alternate(b, count, [&](int64_t u) {
      points[u].index[schedule.vector] = i;
      points[u].shift = u * lanes;
      points[u].live = live;
      loadKept(stage, points[u]);
      next[u] = body(points[u], next[u]);
    });
    return next;
  };
  auto loop = [&](int64_t begin, int64_t end, int64_t count, Values carried) {
    if (begin == end)
      return carried;
    return b.loop(b.add(low, begin), b.add(low, end), count * lanes, carried,
                  [&](Value i, ValueRange inner) {
                    return visit(i, count, lanes, inner);
                  });
  };
  int64_t together = initial.size();
  int64_t middle = length / (together * lanes) * (together * lanes);
  int64_t end = length / lanes * lanes;
  Values values = loop(0, middle, together, Values(initial));
  values = loop(middle, end, 1, values);
  if (end == length)
    return values;
  return visit(b.add(low, end), 1, length - end, values);
}

/// The state: maxima, sums, and what these are off by.
Values LoopsKernel::onlineBlock(int64_t stage, LoopScope &row, Value low,
                                int64_t length, ValueRange state) {
  Num largest(b, state[0]), sum(b, state[1]), rest(b, state[2]);
  Reduction max = reductionOf(online->shift), add = reductionOf(online->sum);
  auto elementAt = [&](LoopScope &point) {
    return body.getVector(online->element, point);
  };
  auto together = [&](Value neutral, function_ref<Value(LoopScope &, Value)> at,
                      const Reduction &reduce) {
    Values parts =
        blockLoop(stage, row, low, length, Values(chainsTogether, neutral), at);
    for (size_t part = 1; part < parts.size(); ++part)
      parts[0] = accumulate(b, reduce, parts[0], parts[part]);
    return Num(b, parts[0]);
  };
  Num next = together(
      state[0],
      [&](LoopScope &point, Value so) {
        return accumulate(b, max, so, maskTail(max, elementAt(point), point));
      },
      max);
  Num block = together(
      b.constantOf(state[1].getType(), 0),
      [&](LoopScope &point, Value so) {
        Num power = expOfNegative(Num(b, elementAt(point)) - next);
        return accumulate(b, add, so, maskTail(add, power.get(), point));
      },
      add);
  Num scale = expOfNegative(largest - next);
  Num before = sum * scale, after = before + block;
  Num back = after - before;
  Num lost = (before - (after - back)) + (block - back);
  return {next.get(), after.get(), (rest * scale + lost).get()};
}

Values LoopsKernel::onlineRows(size_t level, int64_t stage, LoopScope &row,
                               ValueRange state) {
  if (level < reducedLoops.size()) {
    unsigned loop = reducedLoops[level];
    return b.loop(b.index(0), b.index(nest.extent(loop)), 1, state,
                  [&](Value i, ValueRange inner) {
                    LoopScope deeper(&row);
                    deeper.index[loop] = i;
                    return onlineRows(level + 1, stage, deeper, inner);
                  });
  }
  int64_t extent = nest.extent(schedule.vector).fixed();
  int64_t middle = extent / blockElements * blockElements;
  Values values =
      b.loop(b.index(0), b.index(middle), blockElements, state,
             [&](Value low, ValueRange inner) {
               return onlineBlock(stage, row, low, blockElements, inner);
             });
  if (middle == extent)
    return values;
  return onlineBlock(stage, row, b.index(middle), extent - middle, values);
}

void LoopsKernel::runOnline(int64_t stage, LoopScope &row) {
  Type type = body.registerTypeOf(online->element);
  Value zero = b.constantOf(type, 0);
  Values state = {b.constantOf(type, -FLT_MAX), zero, zero};
  finishOnline(row, onlineRows(0, stage, row, state));
}

void LoopsKernel::finishOnline(LoopScope &row, ValueRange state) {
  Reduction max = reductionOf(online->shift), add = reductionOf(online->sum);
  Num largest(b, state[0]);
  Value all = combineLanes(b, max, state[0]);
  Num scale = expOfNegative(largest - Num(b, b.splat(all, largest.type())));
  Num sum = (Num(b, state[1]) + Num(b, state[2])) * scale;
  row.values[online->shift] = all;
  row.values[online->sum] = finishReduction(
      b, add, combineLanes(b, add, sum.get()), nest.reducedSize());
}
