//===- GpuWindow.cpp - who computes a window on a GPU ---------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "lib/Tile/GpuWindow.h"

#include "lib/Tile/Rows.h"
#include <algorithm>
#include <cmath>
#include <limits>
#include <set>

using namespace tenon::tile;

static constexpr int64_t accessBytes = 16;

int64_t GpuWindowDim::inputs(int64_t outputs, int64_t taps) const {
  std::set<int64_t> used;
  for (int64_t p = 0; p < outputs; ++p)
    for (int64_t k = 0; k < taps; ++k)
      used.insert(p * stride + k * dilation);
  return int64_t(used.size());
}

int64_t GpuWindow::mostLanes() const {
  int64_t lanes = std::max<int64_t>(1, accessBytes / elementBytes);
  return std::max<int64_t>(1, std::min(lanes, channels & -channels));
}

int64_t GpuWindowPlan::units(const GpuWindow &problem) const {
  return problem.images * problem.dims[0].output *
         ceilDiv(problem.dims[1].output, rows) *
         ceilDiv(problem.dims[2].output, pixels) *
         ceilDiv(problem.channels, lanes);
}

int64_t GpuWindowPlan::blocks(const GpuWindow &problem) const {
  return ceilDiv(units(problem), threads);
}

//===-- What a thread does ------------------------------------------------===//

namespace {
/// Vectors that a thread reads in one of `turns`, and in what.
struct Reads {
  int64_t turns, inputs, weights;
};
} // namespace

static Reads readsOf(const GpuWindow &problem, const GpuWindowPlan &plan) {
  const GpuWindowDim &height = problem.dims[1], &width = problem.dims[2];
  Reads reads{1, width.inputs(plan.pixels, plan.taps), plan.taps};
  if (plan.whole) {
    reads.inputs *=
        problem.dims[0].kernel * height.inputs(plan.rows, height.kernel);
    reads.weights *= problem.tapRows();
  } else {
    reads.turns = problem.tapRows() * ceilDiv(width.kernel, plan.taps);
  }
  if (!problem.hasWeights)
    reads.weights = 0;
  return reads;
}

int64_t tenon::tile::registersOf(const GpuWindow &problem,
                                 const GpuWindowPlan &plan) {
  constexpr int64_t addresses = 32;
  Reads reads = readsOf(problem, plan);
  int64_t words = ceilDiv(plan.lanes * problem.elementBytes, 4);
  int64_t results = plan.rows * plan.pixels * plan.lanes;
  // Narrow numbers lie beside those of a row of taps that are widened.
  int64_t widened = problem.elementBytes >= 4 ? 0
                    : problem.hasWeights      ? (plan.taps + 1) * plan.lanes
                                              : plan.lanes;
  return addresses + (reads.inputs + reads.weights) * words + widened +
         results * (1 + problem.epilogueLoads);
}

/// Instructions of a thread.
static double instructionsOf(const GpuWindow &problem,
                             const GpuWindowPlan &plan) {
  // What is outside of the input is tested, and zero instead.
  constexpr double start = 40, ofInput = 4, ofTurn = 6, ofResult = 4;
  Reads reads = readsOf(problem, plan);
  auto lanes = double(plan.lanes);
  auto results = double(plan.rows * plan.pixels);
  double widened = problem.elementBytes >= 4 ? 0 : lanes;
  double turn = double(reads.inputs) * (ofInput + widened) +
                double(reads.weights) * (1 + widened) + ofTurn;
  double taps = double(problem.tapRows() * problem.dims[2].kernel);
  return start + double(reads.turns) * turn + results * lanes * taps +
         results * (ofResult + lanes * double(2 + problem.epilogueLoads));
}

//===-- Rules -------------------------------------------------------------===//

static llvm::Error invalid(const char *why) {
  return llvm::createStringError(std::string("the plan of the window ") + why);
}

static llvm::Error checkShape(const GpuWindow &problem,
                              const GpuWindowPlan &plan) {
  for (int64_t number : {plan.lanes, plan.rows, plan.pixels, plan.taps})
    if (number < 1)
      return invalid("has a number below one");
  if (problem.channels % plan.lanes != 0 ||
      problem.mostLanes() % plan.lanes != 0)
    return invalid("has vectors that channels do not fill");
  if (plan.threads < warpLanes || plan.threads > 1024 ||
      plan.threads % warpLanes != 0)
    return invalid("has threads that are no warps");
  if (plan.taps > problem.dims[2].kernel)
    return invalid("has more taps than its rows");
  bool hasRows = plan.taps == problem.dims[2].kernel;
  if ((!hasRows && (plan.whole || plan.pixels > 1)) ||
      (!plan.whole && plan.rows > 1))
    return invalid("has results that share no taps");
  return llvm::Error::success();
}

llvm::Error tenon::tile::validate(const GpuWindow &problem,
                                  const GpuWindowPlan &plan,
                                  const GpuTarget &target) {
  if (llvm::Error error = checkShape(problem, plan))
    return error;
  constexpr int64_t mostRegisters = 200;
  int64_t registers = registersOf(problem, plan);
  if (registers > mostRegisters || registers * plan.threads > target.registers)
    return invalid("needs more registers than there are");
  return llvm::Error::success();
}

//===-- Time --------------------------------------------------------------===//

/// A warp waits for each turn of its reads; schedulers, four to a processor,
/// issue one instruction in a cycle, and the first-level cache hands out 128
/// bytes.
double tenon::tile::estimateTime(const GpuWindow &problem,
                                 const GpuWindowPlan &plan,
                                 const GpuTarget &target) {
  constexpr double cycles = 1700, latency = 0.3, schedulers = 4, line = 128;
  Reads reads = readsOf(problem, plan);
  double instructions = instructionsOf(problem, plan);
  // A first result is there after the way to memory and back.
  double alone = latency * double(reads.turns + 1) + 2 * instructions / cycles;
  auto warps = double(ceilDiv(plan.units(problem), warpLanes));
  double perScheduler =
      std::ceil(warps / (schedulers * double(target.processors)));
  double near = double(reads.turns * (reads.inputs + reads.weights)) *
                double(plan.lanes * problem.elementBytes * warpLanes) / line;
  double busy =
      perScheduler * std::max(instructions, schedulers * near) / cycles;
  double far = double(problem.bytes) / target.memoryBytes;
  return target.launchTime + std::max({alone, busy, far});
}

//===-- Choice ------------------------------------------------------------===//

namespace {
struct BestWindow {
  const GpuWindow &problem;
  const GpuTarget &target;
  GpuWindowPlan plan;
  double time = std::numeric_limits<double>::infinity();

  void consider(GpuWindowPlan candidate);
};
} // namespace

/// Small blocks where there are few threads, so that all processors have some.
static int64_t blockThreads(int64_t units, const GpuTarget &target) {
  int64_t threads = 128;
  while (threads > warpLanes && units < threads * target.processors)
    threads /= 2;
  return threads;
}

void BestWindow::consider(GpuWindowPlan candidate) {
  // More would leave a processor too few warps that wait for each other.
  constexpr int64_t mostRegisters = 128;
  candidate.threads = blockThreads(candidate.units(problem), target);
  if (llvm::errorToBool(validate(problem, candidate, target)) ||
      registersOf(problem, candidate) > mostRegisters)
    return;
  double own = estimateTime(problem, candidate, target);
  if (own >= time)
    return;
  time = own;
  plan = candidate;
}

GpuWindowPlan tenon::tile::plan(const GpuWindow &problem,
                                const GpuTarget &target) {
  constexpr int64_t longestRow = 11, someTaps = 8;
  int64_t kernel = problem.dims[2].kernel;
  // What any target has room for.
  BestWindow best{problem, target,
                  {1, 1, 1, false, std::min<int64_t>(kernel, someTaps)}};
  best.plan.threads = blockThreads(best.plan.units(problem), target);
  for (int64_t lanes = problem.mostLanes(); lanes >= 1; lanes /= 2) {
    if (kernel > longestRow) {
      best.consider({lanes, 1, 1, false, someTaps});
      continue;
    }
    for (bool whole : {true, false})
      for (int64_t rows : {1, 2, 4})
        for (int64_t pixels : {1, 2, 4})
          best.consider({lanes, rows, pixels, whole, kernel});
  }
  return best.plan;
}
