//===- RowPlan.cpp - who reduces a row ------------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "passes/CodegenGpu/Rows/RowPlan.h"

#include "dialects/Graph/Graph.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace tenon;
using namespace tenon::gpu;

/// Registers for what is kept: as planned, and at worst.
static constexpr int64_t wantedWords = 32, mostWords = 64;
/// And for everything else.
static constexpr int64_t otherWords = 32;
/// Of a thread that only adds up.
static constexpr int64_t wantedPieces = 8;
static constexpr int64_t mostThreads = 1024, usualThreads = 128;

static int64_t piecesEach(const ThreadNest &nest, int64_t team) {
  return llvm::divideCeil(nest.pieces(), team);
}

static int64_t wordsOfPiece(const ThreadNest &nest) {
  return keptWords(nest.nest) * nest.lanes();
}

/// That a thread has without being slowed down.
static int64_t wantedEach(const ThreadNest &nest) {
  if (!hasFullResult(nest.nest) && nest.nest.stages() == 1)
    return wantedPieces;
  return std::clamp<int64_t>(
      wantedWords / std::max<int64_t>(1, wordsOfPiece(nest)), 1, wantedPieces);
}

bool tenon::gpu::canKeep(const ThreadNest &nest, const RowPlan &plan,
                         const tile::GpuTarget &target) {
  int64_t each = piecesEach(nest, plan.team);
  int64_t room = target.registers / plan.threads() - otherWords;
  return each <= 2 * wantedPieces &&
         each * wordsOfPiece(nest) <= std::min(mostWords, room);
}

int64_t tenon::gpu::piecesAtOnce(const ThreadNest &nest, const RowPlan &plan) {
  constexpr int64_t most = 4;
  return std::min(most, piecesEach(nest, plan.team));
}

/// Warps of a row lie beside each other; threads of a column do not, so each
/// has a place for its vector.
int64_t tenon::gpu::sharedBytes(const ThreadNest &nest, const RowPlan &plan) {
  if (plan.team == 1 || (nest.vectorReduced() && plan.team <= tile::warpLanes))
    return 0;
  constexpr int64_t widest = 8;
  int64_t places = nest.vectorReduced() ? plan.threads() / tile::warpLanes
                                        : plan.threads() * nest.lanes();
  int64_t reductions = 0;
  for (const kernel::LoopNode &node : nest.nest.program.nodes)
    reductions += node.kind == kernel::LoopNode::Reduce;
  return reductions * int64_t(llvm::alignTo(places * widest, 16));
}

bool tenon::gpu::isValid(const ThreadNest &nest, const RowPlan &plan,
                         const tile::GpuTarget &target) {
  return plan.team > 0 && llvm::isPowerOf2_64(uint64_t(plan.team)) &&
         plan.units > 0 && plan.threads() <= mostThreads &&
         plan.threads() % tile::warpLanes == 0 && nest.nest.stages() > 0 &&
         sharedBytes(nest, plan) <= target.sharedBytes;
}

//===-- Along rows --------------------------------------------------------===//

static RowPlan planAlong(const ThreadNest &nest,
                         const tile::GpuTarget &target) {
  constexpr int64_t busy = 128, few = 2;
  RowPlan plan;
  auto width = int64_t(llvm::PowerOf2Ceil(uint64_t(nest.pieces())));
  plan.team = std::min(tile::warpLanes, width);
  // Of few rows, more threads have less to do one after the other.
  auto isLong = [&] {
    int64_t each = piecesEach(nest, plan.team);
    return each > wantedEach(nest) ||
           (each > few && nest.units() * plan.team < target.processors * busy);
  };
  while (plan.team < mostThreads && isLong())
    plan.team *= 2;
  int64_t threads = std::max(usualThreads, plan.team);
  while (threads > std::max(tile::warpLanes, plan.team) &&
         nest.units() * plan.team < threads * target.processors)
    threads /= 2;
  plan.units = threads / plan.team;
  plan.kept = canKeep(nest, plan, target);
  return plan;
}

//===-- Across rows -------------------------------------------------------===//

/// Lines are 128 bytes: eight threads.
static int64_t unitsBesideEachOther(const ThreadNest &nest,
                                    const tile::GpuTarget &target) {
  constexpr int64_t least = 8;
  int64_t units = tile::warpLanes;
  while (units > least && nest.units() < units * target.processors)
    units /= 2;
  return std::min(units, int64_t(llvm::PowerOf2Ceil(uint64_t(nest.units()))));
}

static RowPlan planAcross(const ThreadNest &nest,
                          const tile::GpuTarget &target) {
  constexpr int64_t most = 512, busy = 512, few = 2;
  RowPlan plan;
  plan.units = unitsBesideEachOther(nest, target);
  plan.team = std::max<int64_t>(1, tile::warpLanes / plan.units);
  auto isLong = [&] {
    int64_t each = piecesEach(nest, plan.team);
    return each > wantedEach(nest) ||
           (each > few && nest.units() * plan.team < target.processors * busy);
  };
  while (plan.threads() < most && isLong())
    plan.team *= 2;
  while (plan.threads() < usualThreads &&
         nest.units() > 2 * plan.units * target.processors)
    plan.units *= 2;
  plan.kept = canKeep(nest, plan, target);
  return plan;
}

RowPlan tenon::gpu::planRows(const ThreadNest &nest,
                             const tile::GpuTarget &target) {
  RowPlan plan =
      nest.vectorReduced() ? planAlong(nest, target) : planAcross(nest, target);
  plan.vector = codegen::originalLoop(nest.nest, nest.vector());
  return plan;
}

/// Each stage waits for what its threads hand to each other, each round of
/// loads for memory.
double tenon::gpu::timeOf(const ThreadNest &nest, const RowPlan &plan) {
  constexpr double stage = 0.2, round = 0.06;
  auto rounds = double(
      llvm::divideCeil(piecesEach(nest, plan.team), piecesAtOnce(nest, plan)));
  double reads = plan.kept ? 1 : double(nest.nest.stages());
  return stage * double(nest.nest.stages()) + round * rounds * reads;
}
