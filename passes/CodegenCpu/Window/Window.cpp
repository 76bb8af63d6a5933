//===- Window.cpp - kernels of pools and depthwise convolutions -----------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file builds loops over tiles and single windows of a row, stores
// results, and finishes averages.
//===----------------------------------------------------------------------===//
#include "passes/CodegenCpu/Strategies.h"
#include "passes/CodegenCpu/Window/Emit.h"

#include "dialects/Graph/Graph.h"
#include "lib/Tile/Rows.h"
#include "passes/Codegen/Bodies/Overwrite.h"
#include "passes/Codegen/Builder/ElementwiseOps.h"
#include "passes/Codegen/PlanAttribute.h"
#include "passes/CodegenCpu/Contraction/MicroKernel.h"

using namespace mlir;
using namespace tenon;
using namespace tenon::codegen;
using memory::BufferType;
using tile::ceilDiv;

FailureOr<StageInfo> WindowEmitter::emit() {
  StageInfo result;
  Size units = plan.units(nest);
  Interval share;
  if (units.isFixed()) {
    result.tiles =
        tile::launchTiles(units.fixed(), ceilDiv(units.fixed(), plan.rows));
    share = b.shareOfCall(units, result.tiles);
  } else {
    result.tiles = units.ceilDiv(plan.rows);
    share = {b.mul(b.tileBegin(), plan.rows),
             b.min(b.mul(b.tileEnd(), plan.rows), b.index(units))};
  }
  if (plan.band > 1 || plan.rolls)
    emitBands(share);
  else
    emitRows(share);
  if (output.failed())
    return failure();
  return result;
}

void WindowEmitter::emitPixels(const Row &row) {
  if (!nest.dims[2].isFixed()) {
    emitAnyInterior(row);
    return emitAnyEdges(row);
  }
  if (plan.columns)
    return emitTiles(row);
  const WindowDim &width = nest.dims[2];
  auto [first, last] =
      clips(2) ? width.interior()
               : std::pair<int64_t, int64_t>(0, width.output.fixed());
  emitInterior(row, first, last);
  emitEdges(row, first, last);
}

void WindowEmitter::emitInterior(const Row &row, int64_t first, int64_t last) {
  if (first >= last)
    return;
  auto split = tile::EvenSplit::of(last - first, plan.pixels);
  auto tiles = [&](int64_t start, int64_t from, int64_t to, int64_t pixels) {
    Value begin = b.index(from), end = b.index(to);
    if (plan.spans(nest) > 1) {
      begin = b.max(begin, row.firstTile);
      end = b.min(end, b.add(row.firstTile, plan.across));
    }
    b.loop(begin, end, 1, [&](Value i) {
      emitChannels(row, b.add(b.mul(i, pixels), start), pixels, false);
    });
  };
  tiles(first, 0, split.tall, split.height);
  tiles(first + split.tall, split.tall, split.count, split.height - 1);
}

void WindowEmitter::emitEdges(const Row &row, int64_t first, int64_t last) {
  int64_t right = nest.dims[2].output.fixed() - last;
  b.loop(b.index(0), b.index(first + right), 1, [&](Value i) {
    // Left of the interior, then right of it.
    Value isRight = b.less(b.index(first - 1), i);
    Value x = b.choose(isRight, b.add(i, last - first), i);
    emitChannels(row, x, 1, true);
  });
}

void WindowEmitter::emitChannels(const Row &row, Value x, int64_t pixels,
                                 bool edge) {
  int64_t block = plan.vectors * plan.lanes;
  int64_t whole = nest.channels / block * block;
  WindowTile tile{pixels, plan.vectors, plan.lanes, edge};
  b.loop(row.channel, b.min(row.channelEnd, b.index(whole)), block,
         [&](Value channel) { emitTile(row, x, channel, tile); });
  int64_t left = nest.channels - whole;
  if (!left)
    return;
  tile.vectors = ceilDiv(left, plan.lanes);
  tile.last = left - (tile.vectors - 1) * plan.lanes;
  emitLast(row, x, b.index(whole), tile);
}

/// Lanes for the channels of a last tile: as few as registers have that hold
/// them, since what a mask leaves out of a load still crosses lines.
int64_t WindowEmitter::lanesOfLast(const WindowTile &tile) const {
  if (tile.vectors > 1 || nest.multiplier > 1)
    return plan.lanes;
  int64_t bytes = graph::elementBytes(getElementTypeOrSelf(taps.sumType()));
  return std::min(plan.lanes, b.target().lanesFor(tile.last, bytes));
}

/// The channels that are left after whole tiles.
void WindowEmitter::emitLast(const Row &row, Value x, Value channel,
                             const WindowTile &tile) {
  auto emit = [&] {
    taps.setLanes(lanesOfLast(tile));
    emitTile(row, x, channel, tile);
    taps.setLanes(plan.lanes);
  };
  if (plan.blocks(nest) == 1)
    return emit();
  b.ifThen(row.isLastBlock, emit);
}

void WindowEmitter::emitTile(const Row &row, Value x, Value channel,
                             const WindowTile &tile) {
  if (plan.rolls)
    return emitDown(row, x, channel, tile);
  bool asks = combines || (!tile.edge && !spreadsAsking());
  if (plan.prefetch > 0 && asks)
    prefetchNext(row, x, channel, tile);
  Value position = firstInput(2, x);
  Values sums = combines ? overColumns(row, position, channel, tile)
                         : accumulate(row, x, channel, tile);
  // What finds all miss buffers taken is dropped.
  if (plan.prefetch > 1 && asks)
    prefetchNext(row, x, channel, tile);
  if (nest.kind == WindowKind::Average)
    average(row, position, tile, sums);
  output.store(b, resultTile(row, x, channel, tile), sums);
}

EpilogueTile WindowEmitter::resultTile(const Row &row, Value x, Value channel,
                                       const WindowTile &tile) {
  EpilogueTile to;
  const WindowDim &width = nest.dims[2];
  for (auto [t, base] : llvm::enumerate(row.result))
    to.base.push_back(b.add(b.add(base, b.mul(x, width.result[t])),
                            b.mul(channel, nest.channelResult[t])));
  to.height = row.count;
  to.width = tile.pixels;
  to.vectors = tile.vectors;
  to.lanes = taps.lanes();
  to.last = tile.last;
  to.outer = nest.dims[1].result;
  to.inner = width.result;
  to.column = nest.channelResult;
  return to;
}

/// Padding that ends inside of a window still counts in the interior.
void WindowEmitter::average(const Row &row, Value position,
                            const WindowTile &tile, Values &sums) {
  const WindowDim &width = nest.dims[2];
  Value rows = b.mul(row.depth.counted, row.height.counted);
  for (int64_t p = 0; p < tile.pixels; ++p) {
    TapRange columns =
        range(width, b.add(position, p * width.stride), tile.edge);
    Value count = b.mul(rows, columns.counted);
    for (int64_t r = 0; r < row.count; ++r)
      taps.average(MutableArrayRef(sums).slice(
                       (r * tile.pixels + p) * tile.vectors, tile.vectors),
                   count);
  }
}

//===-- Groups ------------------------------------------------------------===//

FailureOr<StageInfo> codegen::emitWindow(const StageRequest &request) {
  kernel::GroupOp group = request.group;
  Operation *anchor = windowAnchor(group);
  if (!anchor)
    return failure();
  FailureOr<Epilogue> epilogue = Epilogue::create(request);
  if (failed(epilogue))
    return failure();
  auto bufferOf = [&](unsigned i) {
    unsigned number = cast<BlockArgument>(anchor->getOperand(i)).getArgNumber();
    return request.operands[number];
  };
  BufferType filter = isa<graph::ConvOp>(anchor) ? bufferOf(1) : BufferType();
  kernel::PlanAttr attribute = request.plan;
  FailureOr<WindowNest> nest =
      buildWindowNest(anchor, bufferOf(0), filter, attribute.getInt("packed"),
                      epilogue->tensors());
  if (failed(nest))
    return failure();
  auto plan = fromAttribute<WindowPlan>(attribute);
  if (plan.lanes % nest->mixed != 0)
    return anchor->emitError("'graph.conv' has groups of ")
           << nest->mixed << " channels, which do not fill vectors of "
           << plan.lanes;
  adaptPlan(*nest, request.target(), plan);
  Type element = getElementTypeOrSelf(anchor->getOperand(0).getType());
  if (llvm::Error error =
          tile::validate(windowMap(*nest, element), plan, request.target()))
    return group.emitOpError() << llvm::toString(std::move(error));
  OverwritePairs inPlace = overwritesOf(group, *epilogue);
  FailureOr<StageInfo> result =
      WindowEmitter(request, std::move(*nest), plan, std::move(*epilogue))
          .emit();
  if (succeeded(result))
    result->inPlace = std::move(inPlace);
  return result;
}

//===-- Strategies --------------------------------------------------------===//

static bool isDepthwise(kernel::GroupOp group) {
  auto conv = dyn_cast_or_null<graph::ConvOp>(group.getAnchor());
  return conv && hasLanesOfGroups(conv);
}

static bool isPool(kernel::GroupOp group) {
  return isa_and_nonnull<graph::MaxPoolOp, graph::AvgPoolOp>(group.getAnchor());
}

static PlannedChoices planDepthwise(const PlanRequest &request) {
  return theOnlyChoice(planWindow(request, depthwiseStrategy.name), request);
}

static PlannedChoices planPool(const PlanRequest &request) {
  return theOnlyChoice(planWindow(request, poolStrategy.name), request);
}

static double tileElements(kernel::GroupOp group, kernel::PlanAttr attribute) {
  auto type = cast<RankedTensorType>(group.getResultTypes().front());
  ArrayRef<int64_t> shape = type.getShape();
  if (shape.size() < 3)
    return 1;
  auto plan = fromAttribute<WindowPlan>(attribute);
  int64_t channels = std::min(shape.back(), plan.block * plan.lanes);
  int64_t pixels =
      std::min(shape.drop_back().back(), plan.across * plan.pixels);
  int64_t down =
      (plan.columns ? plan.height : 1) * (plan.rolls ? plan.band : plan.rows);
  return double(down * pixels) * double(channels);
}

const Strategy codegen::depthwiseStrategy{.name = "depthwise",
                                          .matches = isDepthwise,
                                          .plan = planDepthwise,
                                          .emit = emitWindow,
                                          .canAddress = canAddressWindow,
                                          .takesSymbols = takesSymbolicWindow,
                                          .tileElements = tileElements};
const Strategy codegen::poolStrategy{.name = "pool",
                                     .matches = isPool,
                                     .plan = planPool,
                                     .emit = emitWindow,
                                     .canAddress = canAddressWindow,
                                     .takesSymbols = takesSymbolicWindow,
                                     .tileElements = tileElements};
