//===- Moments.cpp - mean and variance in one pass ------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "passes/CodegenCpu/Loops/Moments.h"
#include "dialects/Graph/Graph.h"
#include "passes/Codegen/Builder/ElementwiseOps.h"
#include "passes/Codegen/Builder/VectorMath.h"
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

static std::optional<Moments> matchMoments(const LoopNest &nest) {
  for (unsigned node = 0; node < nest.program.nodes.size(); ++node)
    if (std::optional<Moments> found = matchVariance(nest, node))
      return found;
  return std::nullopt;
}

bool codegen::hasMoments(const LoopNest &nest) {
  return matchMoments(nest).has_value();
}

/// The loop that samples are taken of: the vector loop, or the last of those
/// that are reduced.
static unsigned innermostReduced(const LoopNest &nest,
                                 const LoopSchedule &schedule) {
  if (nest.reduced(schedule.vector))
    return schedule.vector;
  unsigned last = schedule.vector;
  for (unsigned loop = 0; loop < nest.program.loops.size(); ++loop)
    if (nest.reduced(loop))
      last = loop;
  return last;
}

int64_t codegen::samplesOf(const LoopNest &nest, const LoopSchedule &schedule) {
  int64_t extent = nest.extent(innermostReduced(nest, schedule)).fixed();
  int64_t step = nest.reduced(schedule.vector) ? schedule.lanes : 1;
  if (extent < step)
    return 0;
  return std::max<int64_t>(1, llvm::divideCeil(extent, step * maxElements));
}

std::optional<Moments> codegen::findMoments(const LoopNest &nest,
                                            const LoopSchedule &schedule) {
  Size length = nest.reducedSize();
  bool alongRows = nest.reduced(schedule.vector);
  const Size &vector = nest.extent(schedule.vector);
  if (!length.isFixed() || (alongRows && !vector.isFixed()))
    return std::nullopt;
  int64_t centre = alongRows ? std::min(schedule.lanes, vector.fixed()) : 1;
  bool isLong = length.fixed() > maxElements * centre;
  if (isLong && schedule.samples == 0)
    return std::nullopt;
  std::optional<Moments> found = matchMoments(nest);
  if (found && isLong)
    found->samples = schedule.samples;
  return found;
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

/// Adds samples of the rows to `sums`, in loops over what is reduced.
Values LoopsKernel::addSamples(size_t level, int64_t stage,
                               ArrayRef<LoopScope *> rows, ValueRange sums) {
  size_t levels = reducedLoops.size() + (vectorReduced() ? 1 : 0);
  if (level == levels) {
    Values next;
    for (auto [row, sum] : llvm::zip_equal(rows, sums)) {
      loadKept(stage, *row);
      Num element(b, widenFloat(b, body.getVector(moments->element, *row)));
      next.push_back((Num(b, sum) + element).get());
    }
    return next;
  }
  bool isVector = level == reducedLoops.size();
  unsigned loop = isVector ? schedule.vector : reducedLoops[level];
  int64_t step = isVector ? schedule.lanes : 1;
  int64_t end =
      level + 1 == levels ? moments->samples * step : nest.extent(loop).fixed();
  return b.loop(b.index(0), b.index(end), step, sums,
                [&](Value i, ValueRange inner) {
                  std::vector<LoopScope> points(rows.size(), rows[0]);
                  Scopes pointers;
                  for (auto [row, point] : llvm::zip_equal(rows, points)) {
                    point = LoopScope(row);
                    point.index[loop] = i;
                    if (isVector)
                      point.live = schedule.lanes;
                    pointers.push_back(&point);
                  }
                  return addSamples(level + 1, stage, pointers, inner);
                });
}

/// How many elements of a row are in its sum of samples.
int64_t LoopsKernel::sampleCount() const {
  int64_t count =
      moments->samples * (vectorReduced() ? schedule.lanes : int64_t(1));
  ArrayRef<unsigned> outer(reducedLoops);
  for (unsigned loop : vectorReduced() ? outer : outer.drop_back())
    count *= nest.extent(loop).fixed();
  return count;
}

/// Of each row, elements whose mean is near its own, and their number.
Values LoopsKernel::samplesOf(int64_t stage, ArrayRef<LoopScope *> rows,
                              int64_t &count) {
  if (moments->samples > 0) {
    count = sampleCount();
    Type type =
        accumulatorType(b, body.elementOf(moments->element), schedule.lanes);
    Values zeros(rows.size(), b.constantOf(type, 0));
    return addSamples(0, stage, rows, zeros);
  }
  Values firsts;
  for (LoopScope *row : rows)
    firsts.push_back(firstOf(stage, *row));
  count = vectorReduced()
              ? std::min(schedule.lanes, nest.extent(schedule.vector).fixed())
              : 1;
  return firsts;
}

void LoopsKernel::guessMeans(int64_t stage, ArrayRef<LoopScope *> rows) {
  int64_t count = 1;
  Values samples = samplesOf(stage, rows, count);
  guesses = pack(moments->mean, samples);
  if (vectorReduced() || count > 1)
    for (Value &guess : guesses)
      guess = (Num(b, guess) * (1.0 / double(count))).get();
  for (auto [r, row] : llvm::enumerate(rows))
    row->center =
        vectorReduced() ? b.splat(b.lane(guesses[0], r), samples[r].getType())
        : count > 1     ? (Num(b, samples[r]) * (1.0 / double(count))).get()
                        : samples[r];
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
