//===- Winograd.cpp - kernels of minimal filtering ------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file builds the three steps of a block of units. Scratch holds its
// transformed inputs [unit][point][tile][channel] and the products
// [unit][point][tile][filter] of one panel:
//   for block of units:
//     inputs: for unit, tile, channels: V = B^T d B
//     for panel of filters:
//       products: for point, unit: M[point] = V[point] * U[panel][point]
//       outputs:  for unit, tile, filters: epilogue(A^T M A)
// Launch tiles may run at the same time; each call has the scratch that belongs
// to the first of its own, and uses that again for each of its blocks.
//===----------------------------------------------------------------------===//
#include "passes/CodegenCpu/Winograd/Winograd.h"

#include "passes/CodegenCpu/Contraction/EpilogueTile.h"
#include "passes/CodegenCpu/Contraction/MicroKernel.h"
#include "passes/CodegenCpu/Contraction/Place.h"
#include "passes/CodegenCpu/Layout/Overwrite.h"
#include "passes/CodegenCpu/Winograd/LinearTransform.h"

using namespace mlir;
using namespace tenon;
using namespace tenon::codegen;
using tile::ceilDiv;

namespace {
/// Units that go through the steps together, [first, last).
struct UnitBlock {
  Value first, last;
};

/// One tile: which, and where it lies in the scratch.
struct TilePlace {
  Value number, inputs, products;
};

class WinogradEmitter {
public:
  WinogradEmitter(const EmitRequest &request, const ContractionOperands &at,
                  const WindowGeometry &geometry, Epilogue epilogue)
      : conv(cast<graph::ConvOp>(at.anchor)), at(at), geometry(geometry),
        input(request.operands[at.lhs]), problem(winogradProblem(conv)),
        plan(fromAttribute<tile::WinogradPlan>(request.plan)),
        grid(tile::winogradGrid(problem, plan)),
        matrices(tile::winogradMatrices(plan.m)),
        sizes(tile::winogradScratch(problem, plan)),
        panels(ceilDiv(problem.filters, plan.tile.panel)),
        scratch(request.operands.size() + request.results.size()),
        output(std::move(epilogue), input.getElementType(), plan.m),
        b(request.module, conv.getLoc(), request.name, scratch + 2,
          request.target) {
    element = input.getElementType();
    vector = b.vectorType(element, plan.tile.lanes);
  }

  FailureOr<EmitResult> emit();

private:
  int64_t points() const { return matrices.points * matrices.points; }
  Value scratchOf(unsigned number, int64_t elements);
  void emitBlock(UnitBlock block);
  void forTiles(UnitBlock block, llvm::function_ref<void(TilePlace)> body);
  Value inputAddress(Value tile);
  void transformInput(const TilePlace &tile);
  void transformChannels(Value from, Value to, int64_t count);
  void multiply(UnitBlock block, Value panel);
  void multiplyUnit(UnitBlock block, Value panel, Value point, Value unit,
                    int64_t height, int64_t vectors);
  void transformOutput(const TilePlace &tile, Value panel);
  Values resultOrigin(ValueRange index);
  void storeFilters(Value from, Values base, ValueRange index, int64_t count);
  void storeOutputs(ValueRange outputs, const Values &base, ValueRange index,
                    int64_t count);
  SmallVector<int64_t> resultStrides(unsigned dim) const;

  graph::ConvOp conv;
  ContractionOperands at;
  WindowGeometry geometry;
  memory::BufferType input;
  tile::WinogradProblem problem;
  tile::WinogradPlan plan;
  tile::WinogradGrid grid;
  tile::WinogradMatrices matrices;
  tile::WinogradScratch sizes;
  int64_t panels;
  unsigned scratch; ///< number of the first scratch buffer
  TileStore output;
  KernelBuilder b;
  Type element, vector;
  Value transformed, products; ///< the scratch of this call
};
} // namespace

//===-- Blocks ------------------------------------------------------------===//

FailureOr<EmitResult> WinogradEmitter::emit() {
  transformed = scratchOf(0, sizes.inputs());
  products = scratchOf(1, sizes.products());
  Value begin = b.mul(b.tileBegin(), plan.units);
  Value end = b.min(b.mul(b.tileEnd(), plan.units), b.index(grid.units.count));
  b.loop(begin, end, plan.block, [&](Value first) {
    emitBlock({first, b.min(b.add(first, plan.block), end)});
  });
  b.finish();
  if (output.failed())
    return failure();
  EmitResult result;
  result.tiles = ceilDiv(grid.units.count, plan.units);
  result.errorGrowth = tile::winogradErrorGrowth(plan.m);
  return result;
}

Value WinogradEmitter::scratchOf(unsigned number, int64_t elements) {
  return b.at(b.buffer(scratch + number), b.mul(b.tileBegin(), elements),
              element);
}

void WinogradEmitter::emitBlock(UnitBlock block) {
  forTiles(block, [&](TilePlace tile) { transformInput(tile); });
  b.loop(b.index(0), b.index(panels), 1, [&](Value panel) {
    multiply(block, panel);
    forTiles(block, [&](TilePlace tile) { transformOutput(tile, panel); });
  });
}

void WinogradEmitter::forTiles(UnitBlock block,
                               llvm::function_ref<void(TilePlace)> body) {
  b.loop(block.first, block.last, 1, [&](Value unit) {
    Value slot = b.sub(unit, block.first);
    Value inputs = b.at(transformed, b.mul(slot, sizes.inputUnit), element);
    Value sums = b.at(products, b.mul(slot, sizes.productUnit), element);
    Value begin = b.startOf(grid.units, unit);
    Value end = b.startOf(grid.units, b.add(unit, 1));
    b.loop(b.index(0), b.sub(end, begin), 1, [&](Value i) {
      body({b.add(begin, i), b.at(inputs, b.mul(i, sizes.inputPitch), element),
            b.at(sums, b.mul(i, plan.tile.panel), element)});
    });
  });
}

//===-- Inputs ------------------------------------------------------------===//

/// The first element that a tile reads.
Value WinogradEmitter::inputAddress(Value tile) {
  ArrayRef<int64_t> strides = input.getStrides();
  Values index = b.delinearize(tile, {problem.images, grid.rows, grid.columns});
  int64_t start = input.getOffset() - geometry.padsBefore[0] * strides[1] -
                  geometry.padsBefore[1] * strides[2];
  Value offset = b.add(b.mul(index[0], strides[0]), start);
  offset = b.add(offset, b.mul(index[1], strides[1] * plan.m));
  offset = b.add(offset, b.mul(index[2], strides[2] * plan.m));
  return b.at(b.buffer(at.lhs), offset, element);
}

void WinogradEmitter::transformInput(const TilePlace &tile) {
  Value from = inputAddress(tile.number);
  int64_t lanes = plan.tile.lanes, rest = problem.channels % lanes;
  int64_t whole = problem.channels - rest, stride = input.getStrides()[3];
  auto transform = [&](Value channel, int64_t count) {
    transformChannels(b.at(from, b.mul(channel, stride), element),
                      b.at(tile.inputs, channel, element), count);
  };
  b.loop(b.index(0), b.index(whole), lanes,
         [&](Value channel) { transform(channel, lanes); });
  if (rest)
    transform(b.index(whole), rest);
}

void WinogradEmitter::transformChannels(Value from, Value to, int64_t count) {
  ArrayRef<int64_t> strides = input.getStrides();
  Values window;
  for (int64_t y = 0; y < matrices.points; ++y)
    for (int64_t x = 0; x < matrices.points; ++x)
      window.push_back(
          loadLanes(b, b.at(from, y * strides[1] + x * strides[2], element),
                    vector, strides[3], count, element));
  // Lanes beyond the channels are padding of the scratch.
  Values values = applyToSquare(b, matrices.inputs, window);
  for (auto [point, value] : llvm::enumerate(values))
    b.store(value, b.at(to, int64_t(point) * sizes.inputPoint, element),
            element);
}

//===-- Products ----------------------------------------------------------===//

void WinogradEmitter::multiply(UnitBlock block, Value panel) {
  const tile::EvenSplit &units = grid.units;
  int64_t left = problem.filters % plan.tile.panel;
  int64_t last = ceilDiv(left, plan.tile.lanes);
  auto all = [&](int64_t vectors) {
    b.loop(b.index(0), b.index(points()), 1, [&](Value point) {
      b.loop(block.first, block.last, 1, [&](Value unit) {
        auto withHeight = [&](int64_t height) {
          multiplyUnit(block, panel, point, unit, height, vectors);
        };
        if (units.uniform())
          return withHeight(units.height);
        b.ifThen(
            b.less(unit, b.index(units.tall)),
            [&] { withHeight(units.height); },
            [&] { withHeight(units.height - 1); });
      });
    });
  };
  if (last == 0 || last == plan.tile.nv)
    return all(plan.tile.nv);
  b.ifThen(
      b.less(panel, b.index(panels - 1)), [&] { all(plan.tile.nv); },
      [&] { all(last); });
}

void WinogradEmitter::multiplyUnit(UnitBlock block, Value panel, Value point,
                                   Value unit, int64_t height,
                                   int64_t vectors) {
  const tile::ContractionPlan &tile = plan.tile;
  MicroKernel kernel;
  for (int64_t i = 0; i < height; ++i)
    kernel.rows.push_back(i * sizes.inputPitch);
  kernel.columns = contiguousColumns(vectors, tile.lanes, tile.lanes);
  kernel.lanes = tile.lanes;
  kernel.k = {{problem.channels, 1, tile.panel}};
  kernel.unroll = tile.unroll;
  kernel.lhsElement = kernel.rhsElement = kernel.accumulator = element;
  Value slot = b.sub(unit, block.first);
  auto scratchAt = [&](Value buffer, int64_t unitSize, int64_t pointSize) {
    return b.at(buffer, b.add(b.mul(slot, unitSize), b.mul(point, pointSize)),
                element);
  };
  int64_t filterBlock = problem.channels * tile.panel;
  Value filter = b.mul(b.add(b.mul(panel, points()), point), filterBlock);
  Values ahead;
  if (tile.prefetch)
    ahead = prefetchDistances(b, unit, std::min(grid.units.count, plan.block),
                              tile.panel * int64_t(sizeof(float)),
                              filterBlock * int64_t(sizeof(float)));
  Values sums = kernel.accumulate(
      b, scratchAt(transformed, sizes.inputUnit, sizes.inputPoint),
      b.at(b.buffer(at.rhs), filter, element), kernel.zeros(b),
      b.index(problem.channels), ahead);
  Value result = scratchAt(products, sizes.productUnit, sizes.productPoint);
  for (int64_t i = 0; i < height; ++i)
    for (int64_t j = 0; j < vectors; ++j)
      b.store(sums[i * vectors + j],
              b.at(result, i * tile.panel + j * tile.lanes, element), element);
}

//===-- Outputs -----------------------------------------------------------===//

SmallVector<int64_t> WinogradEmitter::resultStrides(unsigned dim) const {
  SmallVector<int64_t> strides;
  for (const IndexedTensor &tensor : output.tensors())
    strides.push_back(tensor.strides[dim]);
  return strides;
}

/// Where a tile's outputs begin in each tensor of the epilogue.
Values WinogradEmitter::resultOrigin(ValueRange index) {
  Values origin;
  for (const IndexedTensor &tensor : output.tensors()) {
    Value offset = b.add(b.mul(index[0], tensor.strides[0]), tensor.offset);
    offset = b.add(offset, b.mul(index[1], tensor.strides[1] * plan.m));
    origin.push_back(
        b.add(offset, b.mul(index[2], tensor.strides[2] * plan.m)));
  }
  return origin;
}

/// All filters of a panel, a vector of them at a time.
void WinogradEmitter::transformOutput(const TilePlace &tile, Value panel) {
  Values index =
      b.delinearize(tile.number, {problem.images, grid.rows, grid.columns});
  Values base = resultOrigin(index);
  int64_t lanes = plan.tile.lanes, rest = problem.filters % lanes;
  Value first = b.mul(panel, plan.tile.panel);
  SmallVector<int64_t> filter = resultStrides(3);
  auto store = [&](Value offset, int64_t count) {
    Values moved;
    for (auto [start, stride] : llvm::zip_equal(base, filter))
      moved.push_back(b.add(start, b.mul(b.add(first, offset), stride)));
    storeFilters(b.at(tile.products, offset, element), moved, index, count);
  };
  Value whole = b.min(b.index(plan.tile.panel),
                      b.sub(b.index(problem.filters - rest), first));
  b.loop(b.index(0), whole, lanes, [&](Value offset) { store(offset, lanes); });
  if (rest)
    b.ifThen(b.equal(panel, b.index(panels - 1)), [&] { store(whole, rest); });
}

void WinogradEmitter::storeFilters(Value from, Values base, ValueRange index,
                                   int64_t count) {
  Values sums;
  for (int64_t i = 0; i < points(); ++i)
    sums.push_back(
        b.load(b.at(from, i * sizes.productPoint, element), vector, element));
  storeOutputs(applyToSquare(b, matrices.outputs, sums), base, index, count);
}

/// A row of outputs at a time, since tiles at the lower and right border have
/// fewer of them.
void WinogradEmitter::storeOutputs(ValueRange outputs, const Values &base,
                                   ValueRange index, int64_t count) {
  int64_t lowest = problem.height - (grid.rows - 1) * plan.m;
  int64_t rightmost = problem.width - (grid.columns - 1) * plan.m;
  SmallVector<int64_t> rows = resultStrides(1), columns = resultStrides(2),
                       filters = resultStrides(3);
  auto storeRow = [&](int64_t y, int64_t width) {
    EpilogueTile tile;
    for (auto [start, stride] : llvm::zip_equal(base, rows))
      tile.base.push_back(b.add(start, y * stride));
    tile.width = width;
    tile.vectors = 1;
    tile.lanes = plan.tile.lanes;
    tile.last = count;
    tile.inner = columns;
    tile.column = filters;
    output.store(b, tile, outputs.slice(y * plan.m, width));
  };
  auto storeWidth = [&](int64_t y) {
    if (rightmost == plan.m)
      return storeRow(y, plan.m);
    b.ifThen(
        b.less(index[2], b.index(grid.columns - 1)),
        [&] { storeRow(y, plan.m); }, [&] { storeRow(y, rightmost); });
  };
  for (int64_t y = 0; y < plan.m; ++y)
    if (y < lowest)
      storeWidth(y);
    else
      b.ifThen(b.less(index[1], b.index(grid.rows - 1)),
               [&] { storeWidth(y); });
}

FailureOr<EmitResult> codegen::emitWinograd(const EmitRequest &request,
                                            const ContractionOperands &at,
                                            Epilogue epilogue) {
  auto conv = cast<graph::ConvOp>(at.anchor);
  int64_t m = fromAttribute<tile::WinogradPlan>(request.plan).m;
  FailureOr<WindowGeometry> geometry = winogradGeometry(conv, m);
  if (failed(geometry) ||
      failed(checkHalo(conv, *geometry, request.operands[at.lhs])))
    return failure();
  OverwritePairs inPlace = overwritesOf(request.group, epilogue);
  FailureOr<EmitResult> result =
      WinogradEmitter(request, at, *geometry, std::move(epilogue)).emit();
  if (succeeded(result))
    result->inPlace = std::move(inPlace);
  return result;
}
