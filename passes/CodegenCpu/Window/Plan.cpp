//===- Plan.cpp - plans of window groups ----------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "passes/Codegen/Bodies/WindowTaps.h"
#include "passes/CodegenCpu/Window/Window.h"

#include "dialects/Graph/Graph.h"
#include "lib/Tile/Pieces.h"
#include "lib/Tile/Rows.h"
#include "lib/Tile/Window.h"
#include "passes/Codegen/Layout/Pixels.h"
#include "passes/Codegen/Layout/Reuse.h"
#include "passes/Codegen/PlanAttribute.h"
#include "passes/CodegenCpu/Contraction/MicroKernel.h"
#include "llvm/ADT/TypeSwitch.h"
#include "llvm/Support/MathExtras.h"
#include <tuple>

using namespace mlir;
using namespace tenon;
using namespace tenon::codegen;
using memory::BufferType;
using tile::ceilDiv;

//===-- Extents -----------------------------------------------------------===//

Size WindowPlan::heightUnits(const WindowNest &nest) const {
  const WindowDim &dim = nest.dims[1];
  if (!columns)
    return dim.output;
  if (!nest.hasFixedMap())
    return dim.output.ceilDiv(height);
  auto [first, last] = dim.interior();
  int64_t grouped = last - first;
  return dim.output.fixed() - grouped + ceilDiv(grouped, height);
}

int64_t WindowPlan::blocks(const WindowNest &nest) const {
  return ceilDiv(nest.channels, block * lanes);
}

int64_t WindowPlan::spans(const WindowNest &nest) const {
  const WindowDim &width = nest.dims[2];
  if (!width.isFixed())
    return 1;
  return ceilDiv(tile::EvenSplit::of(width.output.fixed(), pixels).count,
                 across);
}

tile::EvenSplit WindowPlan::bands(const WindowNest &nest) const {
  return tile::EvenSplit::of(heightUnits(nest).fixed(), band);
}

int64_t WindowPlan::bandUnits(const WindowNest &nest) const {
  return rolls ? 1 : bands(nest).height;
}

Size WindowPlan::units(const WindowNest &nest) const {
  if (band == 1 && !rolls)
    return nest.planes() * heightUnits(nest) * pieces(nest);
  tile::EvenSplit split = bands(nest);
  return nest.planes() * (split.count * bandUnits(nest) * pieces(nest));
}

//===-- Rules -------------------------------------------------------------===//

static tile::WindowMapDim mapDim(const WindowDim &dim) {
  tile::WindowMapDim result;
  result.kernel = dim.kernel;
  result.stride = dim.stride;
  result.dilation = dim.dilation;
  result.isFixed = dim.isFixed();
  if (!result.isFixed)
    return result;
  result.output = dim.output.fixed();
  std::tie(result.first, result.last) = dim.interior();
  return result;
}

tile::WindowMap codegen::windowMap(const WindowNest &nest, Type element) {
  tile::WindowMap map;
  map.height = mapDim(nest.dims[1]);
  map.width = mapDim(nest.dims[2]);
  map.isFixed = nest.isFixed();
  if (map.isFixed)
    map.planes = nest.planes().fixed();
  map.channels = nest.channels;
  map.multiplier = nest.multiplier;
  map.sumBytes = graph::elementBytes(windowAccumulator(nest.kind, element));
  map.isPool = nest.kind != WindowKind::Depthwise;
  map.isFlat = nest.isFlat();
  map.hasFixedPitch = nest.dims[2].pitch.isFixed();
  return map;
}

//===-- Tiles -------------------------------------------------------------===//

static int64_t chooseLanes(const WindowNest &nest, Type element,
                           const tile::Target &target) {
  int64_t bytes = graph::elementBytes(windowAccumulator(nest.kind, element));
  int64_t native = std::max<int64_t>(1, target.lanes(bytes));
  int64_t needed = int64_t(llvm::PowerOf2Ceil(uint64_t(nest.channels)));
  int64_t lanes = std::min(native, needed);
  // Lanes share an input channel, or each input channel fills whole lanes.
  while (lanes > 1 && lanes % nest.multiplier != 0 &&
         nest.multiplier % lanes != 0)
    lanes /= 2;
  return lanes;
}

/// Weights that are kept in registers beside the accumulators.
static int64_t keptWeights(const WindowNest &nest, const tile::Target &target) {
  int64_t most = 1;
  if (nest.unrollsRow())
    for (TapPart part : tapParts(nest, nest.dims[2].kernel, target))
      most = std::max(most, part.count);
  return most * mixedTogether(nest, target);
}

/// Accumulators of a pool, which has nothing to keep beside them: all registers
/// of the smallest file but an input and one to spare, on all targets. They
/// hide the latency of a step, and more share nothing.
static constexpr int64_t poolAccumulators = 14;

/// Pixels of a register tile. A depthwise convolution keeps weights of a kernel
/// row, one input and one to spare beside them, and shares inputs between
/// neighbouring pixels: the more the better, up to where it saves nothing (of
/// three taps, 14 read 16 inputs for 42 multiply-adds; maps of 14, 28, 56 and
/// 112 are whole tiles of so many). Fewer than six would not hide the latency
/// of multiply-adds; weights that then find no register are read again. A
/// pool's tile of columns shares in both directions and is as wide as high;
/// larger ones read from more places than the hardware follows. Single windows'
/// short steps share their loops between two vectors.
static int64_t mostPixels(const WindowNest &nest, bool columns,
                          const tile::Target &target) {
  constexpr int64_t leastPixels = 6, enoughPixels = 14;
  const WindowDim &width = nest.dims[2];
  if (nest.kind == WindowKind::Depthwise) {
    return std::clamp<int64_t>(target.registers - 2 - keptWeights(nest, target),
                               leastPixels, enoughPixels);
  }
  if (!columns)
    return poolAccumulators / 2;
  // Three pixels' columns are at most three eighths of the registers.
  bool isNarrow =
      countUsed(width, 3) > std::min<int64_t>(12, target.registers * 3 / 8);
  return isNarrow ? 2 : 3;
}

/// Accumulators that fit beside a depthwise window's weights and an input.
static int64_t mostAccumulators(const WindowNest &nest,
                                const tile::Target &target) {
  if (nest.kind != WindowKind::Depthwise)
    return poolAccumulators;
  return std::max<int64_t>(1, target.registers - 1 - keptWeights(nest, target));
}

/// Vectors of a register tile of `plan.pixels`. A tile starts at an input
/// channel, or stays in one.
static int64_t tileVectors(const WindowNest &nest, const tile::Target &target,
                           const WindowPlan &plan) {
  int64_t vectors =
      tile::tileVectors(mostAccumulators(nest, target), plan.pixels,
                        ceilDiv(nest.channels, plan.lanes));
  auto straddles = [&](int64_t lanes) {
    return lanes % nest.multiplier != 0 && nest.multiplier % lanes != 0;
  };
  while (straddles(vectors * plan.lanes))
    --vectors;
  return vectors;
}

/// Whether a pool's windows are combined from columns: not where they share
/// none, where there are too many, or where too many fall outside.
static bool combinesColumns(const WindowNest &nest) {
  const WindowDim &width = nest.dims[2];
  auto [first, last] = width.interior();
  int64_t outside = first + width.output.fixed() - last;
  return nest.kind != WindowKind::Depthwise && nest.unrollsRow() &&
         width.output.fixed() > 1 && countUsed(width, 2) < 2 * width.kernel &&
         outside <= 8;
}

/// Rows of a tile of columns, by how many inputs it reads.
static int64_t tileHeight(const WindowNest &nest, int64_t pixels,
                          const tile::Target &target) {
  int64_t columns = countUsed(nest.dims[2], pixels), rows = 4;
  auto fits = [&] {
    return columns * countUsed(nest.dims[1], rows) <= target.registers + 10 &&
           nest.unrollsTile(rows, pixels);
  };
  while (rows > 1 && !fits())
    --rows;
  return rows;
}

/// Vectors of channels that are walked along a row at once: the columns that
/// two tiles share, and what comes between, stay in the first-level cache.
/// Shorter runs than half a kilobyte cost more.
static int64_t tileBlock(const WindowNest &nest, const WindowPlan &plan,
                         Type element) {
  int64_t places = countUsed(nest.dims[1], plan.height) *
                       countUsed(nest.dims[2], plan.pixels) +
                   plan.height * plan.pixels;
  int64_t bytes = places * plan.lanes * graph::elementBytes(element);
  int64_t most = std::max<int64_t>(8, 24 * 1024 / bytes);
  int64_t vectors = ceilDiv(nest.channels, plan.lanes);
  return ceilDiv(vectors, ceilDiv(vectors, most));
}

static tile::WindowExtent extentOf(const WindowDim &dim, int64_t bytes) {
  return {dim.kernel, dim.stride, dim.dilation, dim.pitch.fixed() * bytes};
}

/// Bands of about 14 rows are tall enough that starting again at the top of
/// each costs little: three taps read two of 16 rows again. Half of them are as
/// many rows, so that the threads that share a map now are those that share it
/// by rows before and after. Whole rows need no bands.
static int64_t bandRows(const WindowNest &nest, const WindowPlan &plan) {
  constexpr int64_t about = 14;
  int64_t rows = nest.dims[1].output.fixed();
  if (plan.pieces(nest) == 1)
    return rows;
  int64_t inHalf = std::max<int64_t>(1, (rows + about) / (2 * about));
  return ceilDiv(rows, 2 * inHalf);
}

/// Cuts a depthwise convolution into walks whose rows meet in the first-level
/// cache.
static void walkDown(const WindowNest &nest, Type element, int64_t pixels,
                     const tile::Target &target, WindowPlan &plan) {
  int64_t bytes = graph::elementBytes(element);
  tile::WindowProblem problem;
  problem.height = extentOf(nest.dims[1], bytes);
  problem.width = extentOf(nest.dims[2], bytes);
  problem.outputs = std::max<int64_t>(1, nest.dims[2].output.fixed());
  problem.channels = ceilDiv(nest.channels, plan.lanes);
  problem.vectorBytes = plan.lanes * bytes;
  problem.pixels = pixels;
  problem.accumulators = mostAccumulators(nest, target);
  tile::WindowTiling tiling = tileWindow(problem, target);
  plan.pixels = tiling.pixels;
  plan.vectors = tiling.vectors;
  plan.across = tiling.across;
  plan.block = tiling.block;
}

/// Whether rows are walked whole, because runs as long as rows are what memory
/// wants: not where each would come from the second-level cache twice or more,
/// unless memory is further away than that. There all that leaves this cache
/// wants them, but for windows with so many rows that reading these from there
/// takes longer.
static bool walksRows(const WindowNest &nest, Type element,
                      const tile::Target &target) {
  constexpr int64_t mostReads = 4, mostRows = 5;
  const WindowDim &height = nest.dims[1];
  int64_t reads = height.kernel / height.stride, bytes = nest.mapBytes(element);
  bool isFar = target.isMemoryBound();
  if (isFar && reads <= mostReads && height.kernel <= mostRows)
    return bytes > target.l2Bytes * 3 / 4;
  return target.isInMemory(bytes) && (reads < 2 || isFar);
}

/// A part of `extent` that leaves threads enough units: there are too few of
/// rows in a map of one dimension, and of bands in one that tiles roll down.
static int64_t cutForThreads(int64_t extent, const WindowNest &nest,
                             const WindowPlan &plan,
                             const tile::Target &target) {
  int64_t units = std::max<int64_t>(1, plan.units(nest).fixed());
  return ceilDiv(extent, ceilDiv(target.enoughTiles(), units));
}

/// Whether a vector of a plan's lanes is a whole line.
static bool isLine(const WindowPlan &plan, Type element) {
  return plan.lanes * graph::elementBytes(element) >= tile::lineBytes;
}

/// Whether there are few multiply-adds for each line that is read.
static bool isSparse(const WindowNest &nest) {
  return nest.taps() < 4 * nest.dims[1].stride * nest.dims[2].stride;
}

/// How often a tile asks for what the next ones need: where `met` bytes went
/// through the caches since the input was touched, it and the result included,
/// much of both left them. For what is still there, prefetching costs 5 to
/// 25 %, above all where two lines are loaded in a cycle. Pools, which have
/// less to do for each input, lose more by it. They ask for all at once; what
/// finds all miss buffers taken is dropped, so what comes from memory is asked
/// for again. Where memory is far, few multiply-adds for each line ask for
/// nothing that is nearer. Vectors that are no whole line have less to do for
/// each: asking costs 10 to 50 % unless it comes from memory. Beside many
/// multiply-adds it pays for what the second-level cache does not hold.
static int64_t timesAsked(const WindowNest &nest, const WindowPlan &plan,
                          Type element, int64_t met,
                          const tile::Target &target) {
  if (nest.dims[1].output.fixed() <= 1)
    return 0;
  if (plan.rolls)
    return met > target.l2Bytes ? 1 : 0;
  bool isDepthwise = nest.kind == WindowKind::Depthwise;
  if (!isLine(plan, element)) {
    bool hasTime = isDepthwise && !isSparse(nest);
    bool isFar = hasTime ? met > target.l2Bytes : target.isInMemory(met);
    return isFar ? 1 : 0;
  }
  int64_t share = (isDepthwise ? 8 : 4) / (target.readsTwoLines() ? 2 : 1);
  if (isDepthwise && isSparse(nest) && target.isMemoryBound())
    return target.isInMemory(met) ? 1 : 0;
  if (met <= target.l3Bytes / share)
    return 0;
  return !isDepthwise && target.isInMemory(met) ? 2 : 1;
}

/// Whether asking for where results are stored gains more than it costs beside
/// multiply-adds: of short pixels, as many as are read, and of what has left
/// the caches since. Storing waits for each line that has, 12 ns on Zen 4, but
/// few multiply-adds for each line that is read have no time for more, nor
/// have any with a stride where memory is far.
static bool asksForResults(const WindowNest &nest, Type element,
                           const tile::Target &target) {
  if (nest.kind != WindowKind::Depthwise)
    return true;
  if (nest.dims[2].stride == 1 &&
      nest.channels * graph::elementBytes(element) <= 128)
    return true;
  if (nest.dims[2].stride > 1 && target.isMemoryBound())
    return false;
  int64_t share = (isSparse(nest) ? 3 : 8) / (target.readsTwoLines() ? 2 : 1);
  return nest.mapBytes(element) > target.l3Bytes / share;
}

/// Units of a launch tile: about two microseconds of work, and at most half of
/// a thread's, but for a launch that is over before another thread has joined
/// it. Three for many threads.
static int64_t tileUnits(const WindowNest &nest, const WindowPlan &plan,
                         const tile::Target &target) {
  constexpr int64_t leastShared = 4096; // multiply-adds
  int64_t units = std::max<int64_t>(1, plan.units(nest).fixed());
  int64_t work =
      ceilDiv(ceilDiv(nest.channels, plan.lanes), plan.blocks(nest)) *
      ceilDiv(nest.dims[2].output.fixed(), plan.spans(nest)) * nest.taps() *
      nest.mixed * (plan.rolls ? plan.band : 1) * plan.height;
  work = std::max<int64_t>(1, work);
  if (units * work < leastShared && !target.isGpuThread())
    return units;
  if (tile::hasManyThreads(target))
    return tile::cutForMany(
               {.rows = units,
                .leastCells = ceilDiv(3 * target.tileWork / 2, work)},
               target)
        .rows;
  return std::clamp<int64_t>(
      target.tileWork / work, 1,
      std::max<int64_t>(1, units / (2 * target.threads)));
}

/// Rows that the run counts are walked whole, one after the other, in tiles
/// that do not roll and are narrower. What is as far apart as sizes say is not
/// asked for.
void codegen::adaptPlan(const WindowNest &nest, const tile::Target &target,
                        WindowPlan &plan) {
  const WindowDim &width = nest.dims[2];
  if (!width.pitch.isFixed())
    plan.prefetch = 0;
  if (!width.result.front().isFixed())
    plan.asksResults = false;
  if (nest.isFixed())
    return;
  if (plan.rolls) {
    plan.pixels = std::min(plan.pixels, mostPixels(nest, true, target));
    plan.height = tileHeight(nest, plan.pixels, target);
    if (width.isFixed())
      plan.across =
          tile::EvenSplit::of(width.output.fixed(), plan.pixels).count;
  }
  plan.rolls = false;
  plan.band = 1;
}

WindowPlan codegen::planWindowTile(const WindowNest &nest, Type element,
                                   const tile::Target &target,
                                   int64_t distance) {
  WindowPlan plan;
  plan.lanes = chooseLanes(nest, element, target);
  int64_t channelVectors = ceilDiv(nest.channels, plan.lanes);
  const WindowDim &width = nest.dims[2];
  plan.columns = combinesColumns(nest);
  auto [first, last] =
      nest.kind == WindowKind::Depthwise || plan.columns
          ? std::pair<int64_t, int64_t>(0, width.output.fixed())
          : width.interior();
  int64_t extent = std::max<int64_t>(1, last - first);
  int64_t most = mostPixels(nest, plan.columns, target);
  plan.pixels = tile::EvenSplit::of(extent, most).height;
  plan.vectors = plan.columns ? 1 : tileVectors(nest, target, plan);
  plan.block = ceilDiv(channelVectors, plan.vectors) * plan.vectors;
  plan.across = tile::EvenSplit::of(width.output.fixed(), plan.pixels).count;
  int64_t met = distance + nest.mapBytes(element);
  if (plan.columns && canRoll(nest, element, target, met)) {
    planRoll(nest, target, plan);
    plan.block = cutForThreads(plan.block, nest, plan, target);
  } else if (plan.columns) {
    plan.height = tileHeight(nest, plan.pixels, target);
    // Half lines gain more by long runs.
    if (target.vectorsAreLines())
      plan.block = tileBlock(nest, plan, element);
  } else if (nest.kind == WindowKind::Depthwise && nest.multiplier == 1 &&
             !walksRows(nest, element, target)) {
    walkDown(nest, element, most, target, plan);
  }
  if (nest.kind == WindowKind::Depthwise) {
    plan.across = cutForThreads(plan.across, nest, plan, target);
    plan.band = bandRows(nest, plan);
  }
  plan.prefetch = timesAsked(nest, plan, element, met, target);
  plan.asksResults = plan.prefetch > 0 && asksForResults(nest, element, target);
  plan.rows = tileUnits(nest, plan, target);
  return plan;
}

FailureOr<StagePlan> codegen::planWindow(const PlanRequest &request,
                                         StringRef name) {
  kernel::GroupOp group = request.group;
  const tile::Target &target = request.target;
  Operation *anchor = windowAnchor(group);
  if (!anchor)
    return failure();
  FailureOr<WindowGeometry> geometry = windowGeometry(anchor);
  if (failed(geometry))
    return failure();
  auto input = cast<BlockArgument>(anchor->getOperand(0));
  auto inputType = cast<RankedTensorType>(input.getType());
  Value map = group.getOperands_()[input.getArgNumber()];
  StagePlan result;
  result.halos.resize(group.getOperands_().size());
  result.packs.resize(group.getOperands_().size());
  BufferType filterBuffer;
  auto conv = dyn_cast<graph::ConvOp>(anchor);
  SmallVector<int64_t> none(inputType.getRank(), 0);
  StagePlan::Halo halo = {none, none};
  if (conv) {
    halo = wantedHalo(geometry->alongRows());
    result.halos[input.getArgNumber()] = halo;
    filterBuffer = BufferType::getDense(
        cast<RankedTensorType>(conv.getFilter().getType()));
  }
  // As it will lie, unless a view or another tensor takes it in.
  halo.high.back() = pixelPadding(map, target);
  BufferType inputBuffer = bufferWithHalo(inputType, halo);
  FailureOr<WindowNest> nest =
      buildWindowNest(anchor, inputBuffer, filterBuffer, false, {});
  if (failed(nest))
    return failure();
  int64_t distance = reuseDistance(map, group, target.l3Bytes);
  WindowPlan plan =
      planWindowTile(*nest, inputType.getElementType(), target, distance);
  if (llvm::Error error = tile::validate(
          windowMap(*nest, inputType.getElementType()), plan, target)) {
    group.emitOpError() << llvm::toString(std::move(error));
    return failure();
  }
  auto filter = conv ? cast<BlockArgument>(conv.getFilter()) : BlockArgument();
  bool packed = conv && canPackFilter(group, filter);
  if (packed)
    result.packs[filter.getArgNumber()] = packFilter(conv, plan.lanes);
  result.plan = toAttribute(group.getContext(), name, plan, packed);
  return result;
}
