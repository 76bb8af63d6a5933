//===- Schedule.cpp - how a loop nest runs --------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file chooses the vector loop by an estimate of instructions, then what
// runs at once and what makes a tile.
//===----------------------------------------------------------------------===//
#include "dialects/Graph/Graph.h"
#include "dialects/Graph/TypicalSizes.h"
#include "passes/Codegen/Builder/Alternate.h"
#include "passes/Codegen/Builder/ElementwiseOps.h"
#include "passes/CodegenCpu/Loops/Moments.h"
#include "passes/CodegenCpu/Loops/Online.h"
#include "passes/CodegenCpu/Loops/Plan.h"

#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace tenon;
using namespace tenon::codegen;
using kernel::LoopNode;

/// Elements that are stored to each of several places, one after the other.
static constexpr int64_t longRun = 1024;
/// Elements that are read from each of several places, where there are many.
static constexpr int64_t longRead = 256;
/// Sums that hide the latency of adding on every target.
static constexpr int64_t jamRows = 4;
/// Of one row that is reduced together with others.
static constexpr int64_t maxJamElements = 2048;
/// Of one row that waits more for its lanes than for its elements.
static constexpr int64_t shortJamElements = 256;
/// Read and written so much later, short rows are there in time.
static constexpr int64_t bytesAhead = 16384;
/// Instructions of what is kept and not computed again (Kept.cpp).
static constexpr int64_t keptCost = 12;
/// Instructions of which four copies are too much code.
static constexpr int64_t longChain = 40;

Size LoopSchedule::tiles() const {
  Size count = cutsRows() ? rowCount * chunkCount : rowCount.ceilDiv(rows);
  return count.is(0) ? Size(1) : count; // an empty tensor's one does nothing
}

/// Of a nest without symbols.
static int64_t lengthOf(const LoopNest &nest, unsigned loop) {
  return nest.extent(loop).fixed();
}

static int64_t strideOf(const LoopAccess &access, unsigned loop) {
  return access.strides[loop].fixed();
}

static int64_t rowLengthOf(const LoopNest &nest) {
  return nest.reducedSize().fixed();
}

static int64_t computeCost(const LoopNest &nest) {
  int64_t cost = 0;
  for (const LoopNode &node : nest.program.nodes)
    if (node.kind == LoopNode::Compute)
      cost += elementwiseCost(node.op);
  return cost;
}

/// Lanes of the widest type in the nest; copies use whole registers.
static int64_t chooseLanes(const LoopNest &nest, int64_t extent,
                           const tile::Target &target) {
  int64_t bytes = 1;
  bool computes = false;
  for (const LoopNode &node : nest.program.nodes) {
    Type element = cast<ShapedType>(node.value.getType()).getElementType();
    bytes = std::max(bytes, graph::elementBytes(element));
    computes |= node.kind != LoopNode::Load;
  }
  int64_t lanes = target.lanes(computes ? std::max<int64_t>(bytes, 4) : bytes);
  return std::clamp<int64_t>(llvm::PowerOf2Ceil(extent), 1, lanes);
}

/// Instructions for a vector whose lanes lie `stride` apart.
static double loadCost(int64_t stride, int64_t lanes) {
  if (stride == 1)
    return 1;
  bool isSpan = KernelBuilder::spansFewVectors(stride);
  return isSpan ? 2 * std::abs(stride) : 1.5 * double(lanes);
}

/// Instructions per element when `vector` runs over lanes.
static double estimate(const LoopNest &nest, unsigned vector,
                       std::optional<unsigned> transposed,
                       std::optional<unsigned> interleaved,
                       const tile::Target &target) {
  // Empty tensors must not make every cost NaN.
  int64_t extent = std::max<int64_t>(1, lengthOf(nest, vector));
  int64_t lanes = chooseLanes(nest, extent, target);
  double perVector = double(computeCost(nest)) + 1;
  for (const LoopAccess &load : nest.loads) {
    if (load.strides.empty() || load.strides[vector].is(0))
      continue;
    bool square = transposed && load.strides[*transposed].is(1);
    perVector += square ? 5 : loadCost(strideOf(load, vector), lanes);
  }
  for (const LoopAccess &store : nest.stores)
    perVector += store.strides[vector].is(0)   ? 0 // once per row
                 : store.strides[vector].is(1) ? 1
                 : interleaved ? double(lengthOf(nest, *interleaved))
                               : 2.0 * lanes;
  double vectors = double(llvm::divideCeil(extent, lanes)) / double(extent);
  double perRow = 12;
  if (nest.reduced(vector))
    perRow += 15.0 * nest.stages() * double(extent) /
              double(std::max<int64_t>(1, rowLengthOf(nest)));
  if (transposed)
    perRow *= double(llvm::divideCeil(lengthOf(nest, *transposed), lanes)) /
              double(std::max<int64_t>(1, lengthOf(nest, *transposed)));
  return perVector * vectors + perRow / double(extent);
}

bool codegen::isTransposed(const LoopAccess &load, unsigned vector,
                           unsigned transposed) {
  if (load.strides.empty() || !load.strides[transposed].is(1))
    return false;
  const Size &stride = load.strides[vector];
  return (!stride.isFixed() || stride.fixed() > 1) &&
         load.repeatedAlong(vector).empty() &&
         load.repeatedAlong(transposed).empty();
}

bool codegen::canTranspose(const LoopNest &nest, unsigned vector,
                           unsigned other) {
  return nest.stages() == 0 && other != vector &&
         llvm::any_of(nest.loads, [&](const LoopAccess &load) {
           return isTransposed(load, vector, other);
         });
}

bool codegen::canInterleave(const LoopNest &nest, unsigned vector,
                            unsigned inner) {
  const Size &extent = nest.extent(inner), &length = nest.extent(vector);
  if (!extent.isFixed() || (length.isFixed() && length.fixed() < 4))
    return false;
  return nest.stages() == 0 && extent.fixed() >= 2 && extent.fixed() <= 4 &&
         llvm::all_of(nest.stores, [&](const LoopAccess &store) {
           return store.strides[inner].is(1) && store.strides[vector] == extent;
         });
}

static unsigned cutLoop(const LoopNest &nest, const LoopSchedule &schedule) {
  unsigned other = schedule.transposed.value_or(schedule.vector);
  return lengthOf(nest, schedule.vector) > lengthOf(nest, other)
             ? schedule.vector
             : other;
}

/// Pieces of rows of about `chunk` elements. Where it is not known how long
/// rows are, few may be cut though they typically are not.
static void cutRows(const LoopNest &nest, int64_t length, int64_t chunk,
                    LoopSchedule &schedule) {
  const Size &extent = nest.extent(schedule.cut);
  bool isFixed = extent.isFixed() || nest.reduced(schedule.cut);
  schedule.chunk = isFixed ? std::min<int64_t>(length, chunk) : chunk;
  schedule.chunkCount = 1;
  if (isFixed)
    schedule.chunkCount = llvm::divideCeil(length, schedule.chunk);
  else if (length > chunk || schedule.rowCount.is(1))
    schedule.chunkCount = extent.ceilDiv(chunk);
}

void codegen::divideIntoTiles(const LoopNest &nest, const LoopNest &typical,
                              const tile::Target &target,
                              LoopSchedule &schedule) {
  schedule.rowCount = 1;
  for (unsigned loop = 0; loop < nest.program.loops.size(); ++loop)
    if (!nest.reduced(loop) && loop != schedule.vector &&
        loop != schedule.transposed && loop != schedule.interleaved)
      schedule.rowCount *= nest.extent(loop);
  unsigned cut = schedule.cut = cutLoop(typical, schedule);
  bool canCut = !nest.reduced(cut);
  int64_t rest = std::max<int64_t>(1, rowLengthOf(typical));
  if (schedule.transposed)
    rest *=
        std::max<int64_t>(1, std::min(lengthOf(typical, schedule.vector),
                                      lengthOf(typical, *schedule.transposed)));
  if (schedule.interleaved)
    rest *= lengthOf(typical, *schedule.interleaved);
  int64_t length = canCut ? std::max<int64_t>(1, lengthOf(typical, cut)) : 1;
  int64_t step = schedule.lanes * (schedule.transposed ? 1 : schedule.unroll);
  int64_t wanted = std::max<int64_t>(1, target.tileWork / rest);
  bool isLong = schedule.transposed && !target.isGpuThread();
  if (isLong && cut == schedule.vector)
    wanted = std::max(wanted, longRun);
  else if (isLong)
    wanted = std::max(wanted,
                      std::min<int64_t>(longRead, llvm::divideCeil(length, 8)));
  cutRows(nest, length, int64_t(llvm::alignTo(wanted, step)), schedule);
  schedule.rows = std::max<int64_t>(1, target.tileWork / (rest * length));
  schedule.rows = llvm::alignTo(schedule.rows, schedule.jam);
}

/// Bytes that are read and written at each point.
static int64_t bytesPerPoint(const LoopNest &nest) {
  int64_t bytes = 0;
  auto count = [&](const LoopAccess &access) {
    if (!access.strides.empty() && !llvm::is_contained(access.strides, Size(0)))
      bytes += graph::elementBytes(access.element);
  };
  llvm::for_each(nest.loads, count);
  llvm::for_each(nest.stores, count);
  return bytes;
}

/// Whether so many rows, with what stages keep of them for later ones, leave
/// the first-level cache before their results are computed. One pass leaves
/// less behind itself.
static bool crowdsCache(const LoopNest &nest, const LoopSchedule &schedule,
                        int64_t rows, const tile::Target &target) {
  int64_t bytes = bytesPerPoint(nest);
  for (const LoopNode &node : nest.program.nodes)
    if (node.kind == LoopNode::Compute && node.full &&
        node.stage < nest.stages() && elementwiseCost(node.op) >= keptCost)
      bytes += graph::elementBytes(getElementTypeOrSelf(node.value.getType()));
  int64_t passes = nest.stages() - (findMoments(nest, schedule) ? 1 : 0);
  double room = double(target.l1Bytes) * (passes == 1 ? 1.5 : 1);
  return double(rows * rowLengthOf(nest) * bytes) >= room;
}

/// Rows that are reduced together: so many that their sums hide the latency of
/// adding, as long as all of them stay in the first-level cache. Short rows
/// also wait for combining lanes, so more of them take turns where a vector has
/// lanes for their results. Longer rows have several sums of their own.
static int64_t chooseJam(const LoopNest &nest, const LoopSchedule &schedule,
                         const tile::Target &target) {
  int64_t rows = 1;
  for (unsigned loop = 0; loop < nest.program.loops.size(); ++loop)
    if (!nest.reduced(loop))
      rows *= lengthOf(nest, loop);
  if (!nest.reduced(schedule.vector) || rowLengthOf(nest) > maxJamElements ||
      target.isGpuThread())
    return 1;
  bool isShort = nest.stages() > 1 && rowLengthOf(nest) <= shortJamElements;
  bool fits = target.registers >= 32 && schedule.lanes >= 2 * jamRows;
  int64_t most = isShort && fits ? 2 * jamRows : jamRows;
  if (crowdsCache(nest, schedule, std::min(rows, most), target))
    return 1;
  return rows >= most ? most : rows >= jamRows ? jamRows : 1;
}

static int64_t pointsOf(const LoopNest &nest) {
  int64_t points = 1;
  for (const kernel::Loop &loop : nest.program.loops)
    points *= loop.extent.fixed();
  return points;
}

/// Of the rows at hand, what they read and write.
static int64_t bytesAtHand(const LoopNest &nest, const LoopSchedule &schedule) {
  return schedule.jam * rowLengthOf(nest) * bytesPerPoint(nest);
}

/// One pass reduces a row, and the first-level cache has room for the rows at
/// hand, whose results are computed, the ones that are reduced meanwhile and
/// those that are fetched. (Of two passes, as of a softmax, the second hides
/// what ends the first; overlap then costs AVX2 a tenth.)
static bool wantsOverlap(const LoopNest &nest, const LoopSchedule &schedule,
                         const tile::Target &target) {
  int64_t passes = nest.stages() - (findMoments(nest, schedule) ? 1 : 0);
  auto isFull = [](const kernel::LoopResult &result) { return result.full; };
  return passes == 1 && schedule.jam > 1 &&
         llvm::any_of(nest.program.results, isFull) &&
         4 * bytesAtHand(nest, schedule) <= target.l1Bytes;
}

/// Rows ahead that are asked for: where reduced rows come from further away
/// than the second-level cache, and the first has room for the rows at hand and
/// the next ones.
static int64_t chooseRowsAhead(const LoopNest &nest,
                               const LoopSchedule &schedule,
                               const tile::Target &target) {
  if (!nest.reduced(schedule.vector) || target.isGpuThread())
    return 0;
  int64_t atHand = bytesAtHand(nest, schedule);
  if (pointsOf(nest) * bytesPerPoint(nest) <= target.l2Bytes / 2 ||
      2 * atHand > target.l1Bytes)
    return 0;
  if (!schedule.overlap)
    return schedule.jam;
  return schedule.jam *
         std::max<int64_t>(2, llvm::divideCeil(bytesAhead, atHand));
}

/// Whether rows have left the private caches before a second pass over them.
static bool areRowsFar(const LoopNest &nest, const LoopSchedule &schedule,
                       const tile::Target &target) {
  bool alongLanes = nest.reduced(schedule.vector);
  int64_t rows = alongLanes ? schedule.jam : schedule.lanes * schedule.unroll;
  int64_t bytes = 0;
  for (auto [number, load] : llvm::enumerate(nest.loads))
    if (!load.strides.empty() && nest.program.nodes[number].full)
      bytes += graph::elementBytes(load.element);
  return rows * rowLengthOf(nest) * bytes > target.l2Bytes / 2;
}

/// Vectors at once. Sums of other vectors' lanes read pieces of distant rows,
/// which had better be long.
static int64_t chooseUnroll(const LoopNest &nest, const LoopSchedule &schedule,
                            const tile::Target &target) {
  if (schedule.transposed || schedule.jam > 1 || target.isGpuThread())
    return 1;
  int64_t cost = computeCost(nest);
  if (nest.reduced(schedule.vector))
    return 4;
  if (nest.stages() > 0 && cost <= 2)
    return 8;
  return cost <= longChain ? chainsTogether : 2;
}

/// Whether squares write whole lines of this result, one or several beside each
/// other.
static bool writesLines(const LoopNest &nest, const LoopSchedule &schedule,
                        const LoopAccess &store) {
  int64_t bytes = graph::elementBytes(store.element);
  int64_t vector = schedule.lanes * bytes, line = tile::lineBytes / bytes;
  if (vector < tile::lineBytes / 2 || tile::lineBytes % vector != 0 ||
      !store.strides[schedule.vector].is(1) ||
      !store.offset.isMultipleOf(line) ||
      !nest.extent(schedule.vector).isMultipleOf(line))
    return false;
  for (auto [loop, stride] : llvm::enumerate(store.strides))
    if (loop != schedule.vector && !stride.isMultipleOf(line))
      return false;
  return true;
}

bool codegen::canStream(const LoopNest &nest, const LoopSchedule &schedule) {
  return schedule.transposed && nest.stages() == 0 &&
         llvm::all_of(nest.stores, [&](const LoopAccess &store) {
           return writesLines(nest, schedule, store);
         });
}

/// Whether results leave the caches before they are read, and so need not be
/// fetched into them to be written.
static bool wantsStream(const LoopNest &nest, const LoopSchedule &schedule,
                        const tile::Target &target) {
  int64_t bytes = 0;
  for (const LoopAccess &store : nest.stores)
    bytes += pointsOf(nest) * graph::elementBytes(store.element);
  return target.hasStreams() && target.isInMemory(bytes) &&
         canStream(nest, schedule);
}

LoopSchedule codegen::scheduleNest(const LoopNest &nest,
                                   const tile::Target &target) {
  LoopSchedule best;
  double bestCost = INFINITY;
  unsigned loops = nest.program.loops.size();
  auto consider = [&](unsigned vector, std::optional<unsigned> transposed,
                      std::optional<unsigned> interleaved = std::nullopt) {
    double cost = estimate(nest, vector, transposed, interleaved, target);
    if (cost >= bestCost)
      return;
    bestCost = cost;
    best.vector = vector;
    best.transposed = transposed;
    best.interleaved = interleaved;
  };
  for (unsigned vector = loops; vector-- > 0;) {
    consider(vector, std::nullopt);
    for (unsigned other = 0; other < loops; ++other)
      if (lengthOf(nest, other) >= 4 && lengthOf(nest, vector) >= 4 &&
          canTranspose(nest, vector, other))
        consider(vector, other);
    for (unsigned inner = 0; inner < loops; ++inner)
      if (canInterleave(nest, vector, inner))
        consider(vector, std::nullopt, inner);
  }
  best.lanes = chooseLanes(nest, lengthOf(nest, best.vector), target);
  best.jam = chooseJam(nest, best, target);
  best.overlap = wantsOverlap(nest, best, target);
  best.rowsAhead = chooseRowsAhead(nest, best, target);
  int64_t unroll = chooseUnroll(nest, best, target);
  int64_t vectors =
      std::max<int64_t>(1, lengthOf(nest, best.vector) / best.lanes);
  best.unroll = std::min(unroll, vectors);
  if (nest.stages() > 1 && !target.isGpuThread() &&
      areRowsFar(nest, best, target)) {
    best.samples = hasMoments(nest) ? samplesOf(nest, best) : 0;
    best.online = best.jam == 1 && mayRunOnline(nest, best.vector);
  }
  divideIntoTiles(nest, nest, target, best);
  best.stream = wantsStream(nest, best, target);
  return best;
}

/// With numbers, for what plans by them.
static LoopNest typicalNest(LoopNest nest, const graph::TypicalSizes &sizes) {
  for (kernel::Loop &loop : nest.program.loops)
    if (!loop.extent.isFixed())
      loop.extent = std::max<int64_t>(1, sizes.of(loop.extent));
  auto fix = [&](LoopAccess &access) {
    access.offset = sizes.of(access.offset);
    for (Size &stride : access.strides)
      stride = sizes.of(stride);
    access.repeated.clear();
  };
  llvm::for_each(nest.loads, fix);
  llvm::for_each(nest.stores, fix);
  return nest;
}

LoopSchedule codegen::scheduleAnySizes(const LoopNest &nest, ModuleOp module,
                                       const tile::Target &target) {
  LoopNest typical = typicalNest(nest, graph::TypicalSizes::in(module));
  LoopSchedule schedule = scheduleNest(typical, target);
  if (schedule.transposed &&
      !canTranspose(nest, schedule.vector, *schedule.transposed))
    schedule.transposed.reset();
  if (schedule.interleaved &&
      !canInterleave(nest, schedule.vector, *schedule.interleaved))
    schedule.interleaved.reset();
  schedule.online = schedule.online && mayRunOnline(nest, schedule.vector);
  divideIntoTiles(nest, typical, target, schedule);
  schedule.stream = schedule.stream && canStream(nest, schedule);
  return schedule;
}
