//===- Bound.cpp - bytes that no plan does without ------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "lib/Checkpoint/Solve.h"
#include "llvm/ADT/STLExtras.h"

using namespace tenon::ckpt;

namespace {
class Bound {
public:
  explicit Bound(const Problem &problem)
      : problem(problem), births(birthsOf(problem)), lastRead(births) {
    for (auto [index, step] : llvm::enumerate(problem.steps))
      for (unsigned value : step.reads)
        lastRead[value] = unsigned(index);
  }

  int64_t at(unsigned step) const;

private:
  bool isThere(unsigned value, unsigned step) const;
  bool isStored(unsigned value, unsigned step) const;
  bool mayTakePlace(const Step &step, unsigned result) const;

  const Problem &problem;
  std::vector<unsigned> births, lastRead;
};
} // namespace

/// Whether a value from before is in memory at a step, whatever the plan.
bool Bound::isThere(unsigned value, unsigned step) const {
  const Value &of = problem.values[value];
  if (births[value] >= step)
    return false;
  if (of.pinned || (!mayCompute(of, step) && lastRead[value] >= step))
    return true;
  return llvm::is_contained(problem.steps[step].reads, value) &&
         !absorbOf(problem.steps[step], value);
}

/// Whether the step must store what it writes.
bool Bound::isStored(unsigned value, unsigned step) const {
  const Value &of = problem.values[value];
  return of.pinned || (lastRead[value] > step && !mayCompute(of, step + 1));
}

bool Bound::mayTakePlace(const Step &step, unsigned result) const {
  return llvm::any_of(step.overwrites, [&](unsigned operand) {
    return problem.values[operand].bytes == problem.values[result].bytes;
  });
}

int64_t Bound::at(unsigned index) const {
  const Step &step = problem.steps[index];
  int64_t bytes = step.variants.front().scratch;
  for (const Variant &variant : step.variants)
    bytes = std::min(bytes, variant.scratch);
  for (unsigned value = 0; value < problem.values.size(); ++value)
    if (isThere(value, index))
      bytes += problem.values[value].bytes;
  for (unsigned value : step.writes)
    if (isStored(value, index) && !mayTakePlace(step, value))
      bytes += problem.values[value].bytes;
  return bytes;
}

LeastBytes tenon::ckpt::leastBytes(const Problem &problem) {
  Bound bound(problem);
  LeastBytes most;
  for (unsigned step = 0; step < problem.steps.size(); ++step)
    if (int64_t bytes = bound.at(step); bytes > most.bytes)
      most = {bytes, step};
  return most;
}
