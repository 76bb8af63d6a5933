//===- GpuRecurrence.cpp - loops over time on GPUs ------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "lib/Tile/GpuRecurrence.h"

#include "llvm/Support/MathExtras.h"
#include <algorithm>
#include <limits>

using namespace tenon::tile;

static constexpr int64_t floatBytes = 4;
/// Of a state and the step that it is of.
static constexpr int64_t messageBytes = 8;

static int64_t ceilDiv(int64_t x, int64_t y) { return (x + y - 1) / y; }

int64_t GpuRecurrence::padded() const {
  return int64_t(
      llvm::alignTo(uint64_t(hidden), uint64_t(width() * warpLanes)));
}

int64_t GpuRecurrencePlan::groups(const GpuRecurrence &problem) const {
  return ceilDiv(problem.batch, rows);
}

int64_t GpuRecurrencePlan::blocksOfChain(const GpuRecurrence &problem) const {
  return ceilDiv(problem.hidden, units);
}

int64_t GpuRecurrencePlan::blocks(const GpuRecurrence &problem) const {
  return problem.directions * groups(problem) * blocksOfChain(problem);
}

int64_t GpuRecurrencePlan::sharedBytes(const GpuRecurrence &problem) const {
  return 2 * rows * problem.padded() * floatBytes;
}

int64_t GpuRecurrencePlan::exchangeBytes(const GpuRecurrence &problem) const {
  return problem.directions * groups(problem) * 2 * rows * problem.hidden *
         messageBytes;
}

/// The lane's part of the matrix, sums, and what indices and functions take.
static int64_t registersOf(const GpuRecurrence &problem,
                           const GpuRecurrencePlan &plan) {
  constexpr int64_t others = 40;
  return problem.gates * problem.padded() / warpLanes +
         plan.rows * problem.gates + others;
}

llvm::Error tenon::tile::validate(const GpuRecurrence &problem,
                                  const GpuRecurrencePlan &plan,
                                  const GpuTarget &target) {
  constexpr int64_t mostRows = 8, mostUnits = 32, mostRegisters = 255;
  if (plan.rows < 1 || plan.rows > mostRows || plan.units < 1 ||
      plan.units > mostUnits)
    return llvm::createStringError("a recurrence has bad rows or units");
  // Two blocks on one multiprocessor would wait for each other's turns.
  if (plan.blocks(problem) > target.processors)
    return llvm::createStringError("a recurrence has too many blocks");
  int64_t registers = registersOf(problem, plan);
  if (registers > mostRegisters ||
      registers * plan.threads() > target.registers)
    return llvm::createStringError("a recurrence has too few registers");
  if (plan.sharedBytes(problem) > target.sharedBytes)
    return llvm::createStringError("a recurrence has too little shared memory");
  return llvm::Error::success();
}

/// Measured on an H200: states between 32, 64, 128 blocks take 0.63, 0.73, 1.07
/// us. A step of one sequence with 512 units on 64 blocks takes 0.92.
double tenon::tile::estimateTime(const GpuRecurrence &problem,
                                 const GpuRecurrencePlan &plan,
                                 const GpuTarget &target) {
  constexpr double schedulers = 4;
  const GpuFit &fit = target.fit;
  double perLane = double(problem.padded()) / warpLanes;
  double states = perLane * double(plan.rows);
  double warps = double(plan.units);
  // All warps read all states, by one port.
  double reads = states * warps;
  double products =
      states * double(problem.gates) * std::max(1.0, warps / schedulers);
  double shuffles = 30 * double(problem.gates) * double(plan.rows + 4) / 5;
  double polls = 4 * states * warpLanes / double(plan.threads());
  double cycles = reads + products + shuffles + polls;
  double step = fit.exchange +
                fit.exchangePerBlock * double(plan.blocksOfChain(problem)) +
                fit.functions + cycles / fit.cyclesPerTime;
  return fit.recurrenceStart + target.launchTime +
         double(problem.steps * problem.phases) * step;
}

GpuRecurrencePlan tenon::tile::plan(const GpuRecurrence &problem,
                                    const GpuTarget &target) {
  GpuRecurrencePlan best;
  double time = std::numeric_limits<double>::infinity();
  for (int64_t rows = 1; rows <= 8; ++rows)
    for (int64_t units : {8, 4, 16}) {
      GpuRecurrencePlan candidate{rows, units};
      double own = estimateTime(problem, candidate, target);
      if (own >= time ||
          llvm::errorToBool(validate(problem, candidate, target)))
        continue;
      time = own;
      best = candidate;
    }
  return best;
}
