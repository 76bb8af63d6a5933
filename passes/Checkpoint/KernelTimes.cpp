//===- KernelTimes.cpp - what groups and clones take ----------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "passes/Checkpoint/KernelTimes.h"

#include "dialects/Kernel/Facts.h"
#include "lib/Cost/StageCost.h"
#include "passes/Codegen/Groups/Work.h"
#include "passes/Fuse/Candidate.h"

using namespace mlir;
using namespace tenon;
using namespace tenon::checkpoint;

static int64_t picoseconds(Time time) {
  return std::llround(time.nanoseconds * 1000);
}

int64_t KernelTimes::of(kernel::GroupOp group) {
  if (auto facts = kernel::factsOf(group))
    if (facts->time.nanoseconds > 0)
      return picoseconds(facts->time);
  const tile::Target &target = device.thread();
  double cycles = cost::estimate(codegen::workOf(group), target).cycles;
  return picoseconds(target.timeOf(cycles));
}

/// A part of a kernel of stages is one of its own, whose best tile is another.
bool KernelTimes::chooseTile(kernel::GroupOp clone) {
  std::optional<fuse::Price> price = pricer.staged(clone);
  if (!price)
    return false;
  clone.setTileAttr(price->tile);
  fuse::setLevels(clone, price->level);
  kernel::FusionFacts facts = kernel::measure(clone);
  facts.work = price->again;
  facts.scratchBytes = price->scratch;
  facts.time = price->time;
  kernel::setFacts(clone, facts);
  std::optional<int64_t> scratch = device.scratchOf(clone);
  return checker.accepts(clone) && scratch && pricer.fits(*scratch);
}

std::optional<int64_t> KernelTimes::finish(kernel::GroupOp clone) {
  if (clone.isStaged() && !clone.getTileAttr() && !chooseTile(clone))
    return std::nullopt;
  if (!kernel::factsOf(clone)) {
    kernel::FusionFacts facts = kernel::measure(clone);
    if (std::optional<fuse::Price> price = pricer.alone(clone))
      facts.time = price->time;
    kernel::setFacts(clone, facts);
  }
  return of(clone);
}
