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

bool GpuWindowPlan::isWhole(const GpuWindow &problem) const {
  return tapRows == problem.tapRows() && taps == problem.dims[2].kernel;
}

int64_t GpuWindowPlan::parts(const GpuWindow &problem) const {
  return problem.tapRows() * ceilDiv(problem.dims[2].kernel, taps);
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
  Reads reads{1, width.inputs(plan.pixels, plan.taps),
              plan.taps * plan.tapRows};
  if (plan.isWhole(problem))
    reads.inputs *=
        problem.dims[0].kernel * height.inputs(plan.rows, height.kernel);
  else
    reads.inputs *= plan.tapRows;
  reads.turns = ceilDiv(plan.parts(problem), plan.tapRows);
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

int64_t tenon::tile::blocksTogether(const GpuWindow &problem,
                                    const GpuWindowPlan &plan,
                                    const GpuTarget &target) {
  // Assemblers take half as many again, so as not to wait.
  int64_t needed = registersOf(problem, plan) * plan.threads * 3 / 2;
  int64_t room = std::max<int64_t>(1, target.registers / needed);
  return std::min(room, ceilDiv(plan.blocks(problem), target.processors));
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
  return start + double(reads.turns) * turn +
         results * lanes * double(problem.taps()) +
         results * (ofResult + lanes * double(2 + problem.epilogueLoads));
}

//===-- Rules -------------------------------------------------------------===//

static llvm::Error invalid(const char *why) {
  return llvm::createStringError(std::string("the plan of the window ") + why);
}

static llvm::Error checkShape(const GpuWindow &problem,
                              const GpuWindowPlan &plan) {
  for (int64_t number :
       {plan.lanes, plan.rows, plan.pixels, plan.tapRows, plan.taps})
    if (number < 1)
      return invalid("has a number below one");
  if (problem.channels % plan.lanes != 0 ||
      problem.mostLanes() % plan.lanes != 0)
    return invalid("has vectors that channels do not fill");
  if (plan.threads < warpLanes || plan.threads > 1024 ||
      plan.threads % warpLanes != 0)
    return invalid("has threads that are no warps");
  if (plan.taps > problem.dims[2].kernel || plan.tapRows > plan.parts(problem))
    return invalid("has more taps than there are");
  if ((plan.taps < problem.dims[2].kernel && plan.pixels > 1) ||
      (!plan.isWhole(problem) && plan.rows > 1))
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

/// A warp waits for each turn of its reads, and for the way of its results.
/// Schedulers, four to a processor, issue one instruction in a cycle, to a warp
/// alone every other one; the first-level cache hands out 128 bytes.
double tenon::tile::estimateTime(const GpuWindow &problem,
                                 const GpuWindowPlan &plan,
                                 const GpuTarget &target) {
  constexpr double schedulers = 4, line = 128;
  double latency = target.fit.windowLatency;
  Reads reads = readsOf(problem, plan);
  auto warps = double(ceilDiv(plan.units(problem), warpLanes));
  double each = std::ceil(warps / (schedulers * double(target.processors)));
  double issued = std::max(2.0, each) * instructionsOf(problem, plan);
  double near = double(reads.turns * (reads.inputs + reads.weights)) *
                double(plan.lanes * problem.elementBytes * warpLanes) / line;
  double busy =
      std::max(issued, each * schedulers * near) / target.fit.cyclesPerTime;
  double waits = latency * double(reads.turns + 1);
  double far = double(problem.bytes) / target.memoryBytes;
  return target.launchTime + std::max(waits + busy, 2 * latency + far);
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

/// As many registers as leave room for all warps, or for enough that wait for
/// each other.
static int64_t wantedRegisters(const GpuWindow &problem,
                               const GpuWindowPlan &plan,
                               const GpuTarget &target) {
  constexpr int64_t least = 128, most = 144;
  int64_t each = ceilDiv(plan.units(problem), target.processors);
  return std::clamp(target.registers / std::max<int64_t>(1, each), least, most);
}

void BestWindow::consider(GpuWindowPlan candidate) {
  candidate.threads = blockThreads(candidate.units(problem), target);
  if (llvm::errorToBool(validate(problem, candidate, target)) ||
      registersOf(problem, candidate) >
          wantedRegisters(problem, candidate, target))
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
  int64_t taps = kernel > longestRow ? someTaps : kernel;
  // What any target has room for.
  BestWindow best{problem, target, {1, 1, 1, 1, std::min(kernel, someTaps)}};
  best.plan.threads = blockThreads(best.plan.units(problem), target);
  for (int64_t lanes = problem.mostLanes(); lanes >= 1; lanes /= 2)
    for (int64_t tapRows :
         {problem.tapRows(), int64_t(4), int64_t(3), int64_t(2), int64_t(1)})
      for (int64_t rows : {1, 2, 4})
        for (int64_t pixels : {1, 2, 4})
          best.consider({lanes, rows, pixels, tapRows, taps});
  return best.plan;
}
