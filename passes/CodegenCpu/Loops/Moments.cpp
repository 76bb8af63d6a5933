//===- Moments.cpp - mean and variance in one pass ------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "passes/CodegenCpu/Loops/Moments.h"
#include "dialects/Graph/Graph.h"
#include "passes/CodegenCpu/Builder/ElementwiseOps.h"
#include "passes/CodegenCpu/Builder/VectorMath.h"
#include "passes/CodegenCpu/Loops/Kernel.h"
#include "passes/CodegenCpu/Loops/Users.h"

using namespace mlir;
using namespace tenon;
using namespace tenon::codegen;

/// For each element of a centre: a variance loses at worst eight of 24 bits.
static constexpr int64_t maxElements = 256;

//===-- Recognition -------------------------------------------------------===//

static std::optional<Moments> matchVariance(const LoopNest &nest,
                                            unsigned variance) {
  Users users(nest);
  if (!users.is<graph::ReduceMeanOp>(variance))
    return std::nullopt;
  unsigned square = users.operand(variance, 0);
  if (!users.is<graph::MulOp>(square) ||
      users.operand(square, 0) != users.operand(square, 1))
    return std::nullopt;
  unsigned difference = users.operand(square, 0);
  if (!users.is<graph::SubOp>(difference))
    return std::nullopt;
  unsigned element = users.operand(difference, 0);
  unsigned mean = users.operand(difference, 1);
  if (!users.is<graph::ReduceMeanOp>(mean) || users.operand(mean, 0) != element)
    return std::nullopt;
  Value tensor = nest.program.nodes[element].value;
  if (!isa<FloatType>(getElementTypeOrSelf(tensor.getType())))
    return std::nullopt;
  return Moments{element, mean, variance};
}

std::optional<Moments> codegen::findMoments(const LoopNest &nest,
                                            const LoopSchedule &schedule) {
  Size length = nest.reducedSize();
  bool alongRows = nest.reduced(schedule.vector);
  const Size &vector = nest.extent(schedule.vector);
  if (!length.isFixed() || (alongRows && !vector.isFixed()))
    return std::nullopt;
  int64_t centre = alongRows ? std::min(schedule.lanes, vector.fixed()) : 1;
  if (length.fixed() > maxElements * centre)
    return std::nullopt;
  for (unsigned node = 0; node < nest.program.nodes.size(); ++node)
    if (std::optional<Moments> found = matchVariance(nest, node))
      return found;
  return std::nullopt;
}

//===-- In kernels --------------------------------------------------------===//

/// The first vector of a row, zero beyond its end.
Value LoopsKernel::firstOf(int64_t stage, LoopScope &row) {
  LoopScope point(&row);
  for (unsigned loop : reducedLoops)
    point.index[loop] = b.index(0);
  if (vectorReduced()) {
    point.index[schedule.vector] = b.index(0);
    point.live = std::min(schedule.lanes, nest.extent(schedule.vector).fixed());
  }
  loadKept(stage, point);
  return maskTail(reductionOf(moments->mean),
                  widenFloat(b, body.getVector(moments->element, point)),
                  point);
}

void LoopsKernel::guessMeans(int64_t stage, ArrayRef<LoopScope *> rows) {
  Values firsts;
  for (LoopScope *row : rows)
    firsts.push_back(firstOf(stage, *row));
  guesses = pack(moments->mean, firsts);
  if (vectorReduced()) {
    int64_t live =
        std::min(schedule.lanes, nest.extent(schedule.vector).fixed());
    guesses[0] = (Num(b, guesses[0]) * (1.0 / double(live))).get();
  }
  for (auto [r, row] : llvm::enumerate(rows))
    row->center = vectorReduced()
                      ? b.splat(b.lane(guesses[0], r), firsts[r].getType())
                      : firsts[r];
}

Value LoopsKernel::accumulateMomentAt(unsigned node, LoopScope &point,
                                      Value accumulator) {
  Num element(b, widenFloat(b, body.getVector(moments->element, point)));
  Num difference = element - Num(b, point.center);
  difference =
      difference.with(maskTail(reductionOf(node), difference.get(), point));
  Num sum(b, accumulator);
  return node == moments->mean ? (sum + difference).get()
                               : fma(difference, difference, sum).get();
}

/// What rounding made negative is zero; NaN stays.
static Num positive(Num x) { return select(less(x, x.of(0)), x.of(0), x); }

void LoopsKernel::finishMoments(ArrayRef<LoopScope *> rows, ValueRange sums,
                                ValueRange squares) {
  double share = 1.0 / double(nest.reducedSize().fixed());
  Type element = body.elementOf(moments->element);
  Values means, variances;
  for (auto [guess, s, q] : llvm::zip(guesses, sums, squares)) {
    Num sum(b, s), offset = sum * share;
    Num variance = positive(Num(b, q) - sum * offset) * share;
    means.push_back(narrowFloat(b, (Num(b, guess) + offset).get(), element));
    variances.push_back(narrowFloat(b, variance.get(), element));
  }
  spread(moments->mean, rows, means);
  spread(moments->variance, rows, variances);
}
