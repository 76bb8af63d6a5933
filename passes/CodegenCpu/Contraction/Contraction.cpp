//===- Contraction.cpp - kernels of products and convolutions -------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file builds what is around the micro-kernel: panels, k blocks, the
// register tile's operands and results.
//===----------------------------------------------------------------------===//
#include "passes/Codegen/Builder/ElementwiseOps.h"
#include "passes/Codegen/Builder/Unfold.h"
#include "passes/CodegenCpu/Contraction/Emit.h"
#include "passes/CodegenCpu/Contraction/MicroKernel.h"
#include "passes/CodegenCpu/Contraction/PackPanel.h"
#include "passes/CodegenCpu/Contraction/Place.h"
#include "passes/CodegenCpu/Contraction/Plan.h"

#include "dialects/Graph/Graph.h"
#include "lib/Tile/Fold.h"
#include "lib/Tile/Join.h"

using namespace mlir;
using namespace tenon;
using namespace tenon::codegen;
using tile::ceilDiv;
using tile::EvenSplit;
using tile::RowTiling;

/// Where the processor's own prefetching stops.
static constexpr int64_t pageBytes = 4096;

/// Whole panels and the last, narrower one are different code.
void ContractionEmitter::emitPanelAt(const Place &origin, const RowBlock &of,
                                     Value panel) {
  Size columns = nest.columns();
  NestDim step = nest.column;
  step.rhs = nest.packed ? Size(nest.panelStride) : step.rhs * plan.panel;
  for (Size &stride : step.result)
    stride *= plan.panel / nest.fold;
  Place place = moveAlong(b, origin, step, panel);
  PanelShape all = shapeOf(plan.panel, plan.lanes);
  auto wide = [&] { emitPanel(place, of, all); };
  if (columns.isFixed())
    return emitWideOrNarrow(panel, columns.fixed(), wide, [&](PanelShape rest) {
      emitPanel(place, of, rest);
    });
  Size whole = columns.floorDiv(plan.panel);
  b.ifThen(b.less(panel, b.index(whole)), wide, [&] {
    emitLivePanel(b.index(columns - whole * plan.panel),
                  [&](PanelShape rest) { emitPanel(place, of, rest); });
  });
}

/// As many vectors as have columns.
void ContractionEmitter::emitLivePanel(
    Value live, function_ref<void(PanelShape)> emitRest) {
  Value vectors = b.divUp(live, plan.lanes);
  emitAnyNumber(b, vectors, 1, plan.nv, [&](int64_t count) {
    PanelShape rest = shapeOf(count * plan.lanes, plan.lanes);
    rest.live = live;
    emitRest(rest);
  });
}

void ContractionEmitter::emitWideOrNarrow(
    Value panel, int64_t columns, function_ref<void()> wide,
    function_ref<void(PanelShape)> emitRest) {
  int64_t left = columns % plan.panel, whole = columns / plan.panel;
  auto narrow = [&] {
    int64_t bytes = graph::elementBytes(accumulatorType(lhsType));
    int64_t lanes = tile::lanesOfRest(plan, columns, bytes, b.target());
    emitRest(shapeOf(left, lanes));
  };
  if (whole == 0)
    return narrow();
  if (left == 0)
    return wide();
  b.ifThen(b.less(panel, b.index(whole)), wide, narrow);
}

/// Neighbours meet in each panel at other lanes.
void ContractionEmitter::emitJoinedPanels(const Place &origin,
                                          const RowBlock &of, Value panel) {
  for (int64_t number = 0; number < panels; ++number) {
    int64_t first = number * plan.panel;
    PanelShape shape = shapeOf(
        std::min(plan.panel, nest.columns().fixed() - first), plan.lanes);
    shape.first = first;
    Place place = origin;
    place.rhs = b.add(origin.rhs, number * nest.panelStride);
    auto emit = [&] { emitPanel(place, of, shape); };
    if (panels == 1)
      return emit();
    b.ifThen(b.equal(panel, b.index(number)), emit);
  }
}

SmallVector<ReductionDim> ContractionEmitter::reduction() const {
  SmallVector<ReductionDim> dims;
  for (const NestDim &dim : nest.k)
    dims.push_back({dim.extent, dim.lhs, dim.rhs});
  if (!packs)
    return dims;
  int64_t linear = plan.nv * plan.lanes;
  for (ReductionDim &dim : llvm::reverse(dims)) {
    dim.rhsStride = linear;
    if (dim.extent.isFixed())
      linear *= dim.extent.fixed();
  }
  return dims;
}

void ContractionEmitter::emitPanel(const Place &place, const RowBlock &of,
                                   PanelShape shape) {
  const Size &extent = nest.k.front().extent;
  if (!extent.isFixed() && !plan.kBlock)
    return emitPass(place, of, shape, onlyPass());
  int64_t block = blockLength();
  Value begin = b.index(0), end = b.index(extent);
  // Sums of nothing are stored in a pass, too.
  if (!extent.isFixed())
    end = b.max(end, b.index(1));
  b.loop(begin, end, block, [&](Value first) {
    KPass pass;
    pass.first = first;
    pass.count = extent.isFixed() && extent.fixed() % block == 0
                     ? b.index(block)
                     : b.min(b.index(block), b.sub(b.index(extent), first));
    pass.isFirst = b.equal(first, b.index(0));
    pass.isLast = b.less(b.index(extent - 1), b.add(first, block));
    emitPass(place, of, shape, pass);
  });
}

KPass ContractionEmitter::onlyPass() {
  Value yes = b.equal(b.index(0), b.index(0));
  return {b.index(0), b.index(nest.k.front().extent), yes, yes};
}

void ContractionEmitter::emitPass(const Place &place, const RowBlock &of,
                                  PanelShape shape, KPass pass) {
  const NestDim &outer = nest.k.front();
  Place from = place;
  from.lhs = b.add(place.lhs, b.mul(pass.first, outer.lhs));
  from.rhs = b.add(place.rhs, b.mul(pass.first, outer.rhs));
  if (packs) {
    PanelPacking packing;
    for (const NestDim &dim : nest.k)
      packing.k.push_back({dim.extent, dim.rhs});
    packing.columnStride = nest.column.rhs;
    packing.vectors = shape.vectors;
    packing.lanes = shape.lanes;
    packing.lastLanes = shape.last;
    packing.pitch = plan.nv * plan.lanes;
    packing.element = rhsType;
    packing.live = shape.live;
    packing.emit(b, b.at(b.buffer(at.rhs), from.rhs, rhsType), packed,
                 pass.count);
  }
  b.loop(of.begin, of.end, 1,
         [&](Value number) { emitRowTile(from, of, number, shape, pass); });
}

/// Accumulators start at zero, or where the last pass left them.
Values ContractionEmitter::initial(const MicroKernel &kernel, Value slot,
                                   KPass pass) {
  return b.select(
      pass.isFirst, [&] { return kernel.zeros(b); },
      [&] {
        Values loaded;
        for (size_t i = 0; i < kernel.rows.size() * kernel.columns.size(); ++i)
          loaded.push_back(b.load(
              b.at(slot, int64_t(i) * plan.lanes, accumulatorType(lhsType)),
              b.vectorType(kernel.accumulator, kernel.lanes)));
        return loaded;
      });
}

SmallVector<ColumnVector> ContractionEmitter::columnsOf(PanelShape shape) {
  // Packed panels are padded to whole vectors.
  bool isPadded = packs || nest.packed;
  SmallVector<ColumnVector> columns = contiguousColumns(
      shape.vectors, shape.lanes, isPadded ? shape.lanes : shape.last);
  if (shape.live && !isPadded)
    for (ColumnVector &column : columns)
      column.live = b.sub(shape.live, b.index(column.displacement));
  // Without members, or with those that share A, there is one source.
  if (nest.member.lhs.is(0))
    return columns;
  int64_t ofMember = nest.column.extent.fixed() * nest.fold;
  for (auto [j, column] : llvm::enumerate(columns)) {
    int64_t count = j + 1 == columns.size() ? shape.last : shape.lanes;
    column.sources.clear();
    for (tile::LaneRun run : tile::laneRuns(
             ofMember, shape.first + int64_t(j) * shape.lanes, count))
      column.sources.push_back(
          {run.lane, run.member * nest.member.lhs.fixed()});
  }
  return columns;
}

/// Sums of each result of a tile that has so few, since its rows are few.
static int64_t chainsOf(int64_t results, int64_t unroll) {
  constexpr int64_t enoughSums = 12;
  int64_t chains = std::clamp<int64_t>(enoughSums / results, 1, unroll);
  while (unroll % chains != 0)
    --chains;
  return chains;
}

/// Between the rows of a register tile. Those of symbolic nests have one
/// dimension.
SmallVector<RowOffset> ContractionEmitter::rowOffsets(int64_t height,
                                                      int64_t width) {
  SmallVector<RowOffset> offsets;
  for (int64_t i = 0; i < height; ++i)
    for (int64_t j = 0; j < width; ++j) {
      RowOffset &offset = offsets.emplace_back();
      if (innerRow.lhs.isFixed())
        offset.fixed = j * innerRow.lhs.fixed();
      else if (j > 0)
        offset.further = b.mul(b.index(j), innerRow.lhs);
      if (i > 0)
        offset.fixed += i * outerRow.lhs.fixed();
    }
  return offsets;
}

void ContractionEmitter::emitMicro(const Place &place, int64_t height,
                                   int64_t width, Value slot, Value number,
                                   PanelShape shape, KPass pass) {
  MicroKernel kernel;
  kernel.rows = rowOffsets(height, width);
  kernel.lanes = shape.lanes;
  kernel.columns = columnsOf(shape);
  kernel.k = reduction();
  const Size &run = nest.k.back().extent;
  bool isUnrolled = !run.isFixed() || run.fixed() % plan.unroll == 0;
  kernel.unroll = isUnrolled ? plan.unroll : 1;
  if (isSymbolic)
    kernel.chains = chainsOf(width * shape.vectors, kernel.unroll);
  kernel.fold = nest.fold;
  kernel.lhsElement = lhsType;
  kernel.rhsElement = rhsType;
  kernel.accumulator = accumulatorType(lhsType);
  if (plan.fetchRows)
    kernel.rowsAhead = rowsAhead(height, width);
  SmallVector<EpilogueTile> results =
      planesOf(resultTile(place, height, width, shape));
  if (plan.fetchResults)
    for (const EpilogueTile &plane : results)
      output.prefetch(b, tileAhead(plane, plan.fetchResults - 1));
  Value lhs = b.at(b.buffer(at.lhs), place.lhs, lhsType);
  Value rhs = packs ? packed : b.at(b.buffer(at.rhs), place.rhs, rhsType);
  if (plan.prefetch && nest.packed) {
    int64_t step = plan.panel * graph::elementBytes(rhsType);
    int64_t bytes = blockLength() * kWithinOuter() * step;
    // Tiles of few rows are those of so few in all where only the run knows.
    bool areFew = isSymbolic ? width <= std::min(tile::fewRows, plan.mr / 2)
                             : nest.problem().totalRows() <= tile::fewRows;
    kernel.fetchShare(
        b, b.at(rhs, areFew ? pageBytes : bytes, b.builder().getI8Type()),
        bytes, number, isSymbolic && areFew ? 1 : tilesThatAsk());
  }
  Value own = sums ? b.at(sums, b.mul(slot, plan.mr * plan.nv * plan.lanes),
                          accumulatorType(lhsType))
                   : Value();
  Values start = plan.kBlock ? initial(kernel, own, pass) : kernel.zeros(b);
  Values total = kernel.accumulate(b, lhs, rhs, start, pass.count);
  auto finish = [&] { store(results, width, shape, total); };
  if (!plan.kBlock)
    return finish();
  b.ifThen(pass.isLast, finish, [&] {
    for (auto [i, sum] : llvm::enumerate(total))
      b.store(sum, b.at(own, int64_t(i) * plan.lanes, accumulatorType(lhsType)),
              accumulatorType(lhsType));
  });
}

/// Whether the results of a tile's neighbouring rows fill vectors together:
/// they lie behind each other, and so do their sums.
bool ContractionEmitter::sharesResults(int64_t width) const {
  return width > 1 && plan.fold > 1 &&
         tile::fillsRows(nest.columnsProblem(), plan) &&
         llvm::all_of(llvm::seq<size_t>(0, output.numResults()),
                      [&](size_t t) { return nest.rowsAdjoin(t); });
}

/// The sums of so many vectors each, over their folded steps.
Values ContractionEmitter::unfolded(ValueRange sums, int64_t vectors) {
  Values result;
  for (; !sums.empty(); sums = sums.drop_front(vectors))
    result.append(unfold(b, sums.take_front(vectors), nest.fold));
  return result;
}

SmallVector<EpilogueTile> ContractionEmitter::planesOf(EpilogueTile tile) {
  SmallVector<EpilogueTile> planes = {tile};
  for (int64_t i = 1; i < nest.plane.extent.fixed(); ++i) {
    for (auto [index, stride] : llvm::zip_equal(tile.base, nest.plane.result))
      index = b.add(index, stride);
    planes.push_back(tile);
  }
  return planes;
}

/// What a plane has of all rows' sums, then what the next one has.
void ContractionEmitter::store(ArrayRef<EpilogueTile> planes, int64_t width,
                               PanelShape shape, ValueRange sums) {
  size_t each = shape.vectors / planes.size();
  for (auto [i, plane] : llvm::enumerate(planes)) {
    Values own;
    for (size_t at = i * each; at < sums.size(); at += shape.vectors)
      llvm::append_range(own, sums.slice(at, each));
    int64_t together = plane.areRows ? width * each : each;
    output.store(b, plane, unfolded(own, together));
  }
}

/// From a register tile to the next one, in what `inner` and `outer` count for
/// a row.
int64_t ContractionEmitter::toNextTile(int64_t height, int64_t width,
                                       const Size &outer,
                                       const Size &inner) const {
  bool isBeside = isSymbolic || rows.inner.count > 1;
  return isBeside ? width * inner.fixed() : height * outer.fixed();
}

/// From a register tile's rows of A to those of a later one: the fewer elements
/// rows have, the sooner they are used up.
int64_t ContractionEmitter::rowsAhead(int64_t height, int64_t width) const {
  constexpr int64_t leastBytes = 8192;
  int64_t tile = toNextTile(height, width, outerRow.lhs, innerRow.lhs);
  int64_t bytes = tile * graph::elementBytes(lhsType);
  return tile * ceilDiv(leastBytes, std::max<int64_t>(1, bytes));
}

/// So many register tiles later, as far as rows follow each other.
EpilogueTile ContractionEmitter::tileAhead(EpilogueTile tile, int64_t tiles) {
  for (auto [t, index] : llvm::enumerate(tile.base))
    index = b.add(index, tiles * toNextTile(tile.height, tile.width,
                                            strideOf(outerRow.result, t),
                                            strideOf(innerRow.result, t)));
  return tile;
}

EpilogueTile ContractionEmitter::resultTile(const Place &place, int64_t height,
                                            int64_t width,
                                            PanelShape shape) const {
  EpilogueTile tile;
  tile.base = place.result;
  tile.height = height;
  tile.width = width;
  int64_t columns = ((shape.vectors - 1) * shape.lanes + shape.last) /
                    (nest.fold * nest.plane.extent.fixed());
  tile.outer = outerRow.result;
  tile.column = nest.column.result;
  bool isShared = sharesResults(width);
  if (isShared) {
    tile.areRows = true;
    tile.member = innerRow.result;
    tile.members = width;
    tile.memberColumns = columns;
    tile.width = 1;
    columns *= width;
  } else {
    tile.inner = innerRow.result;
  }
  PanelShape results = shapeOf(columns, shape.lanes);
  tile.vectors = results.vectors;
  tile.lanes = results.lanes;
  tile.last = results.last;
  tile.live = shape.live;
  if (nest.member.extent.is(1))
    return tile;
  // Of rows whose results adjoin, all members are one dimension.
  tile.member = nest.member.result;
  tile.members = nest.member.extent.fixed() * (isShared ? width : 1);
  tile.memberColumns = nest.column.extent.fixed();
  tile.first = shape.first / nest.fold;
  return tile;
}
