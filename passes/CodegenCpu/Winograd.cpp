//===- Winograd.cpp - kernels of minimal filtering ------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file builds the three steps of a block of tiles. Scratch holds the
// transformed inputs [point][tile][channel] of a block and the products
// [point][tile][filter] of one panel:
//   for block of units:
//     inputs: for tile, channels: V = B^T d B
//     for panel of filters:
//       products: for point, unit: M[point] = V[point] * U[panel][point]
//       outputs:  for tile, filters: epilogue(A^T M A)
// Launch tiles may run at the same time; each call has the scratch that belongs
// to the first of its own, and uses that again for each of its blocks.
//===----------------------------------------------------------------------===//
#include "passes/CodegenCpu/Winograd.h"

#include "passes/CodegenCpu/ContractionPlace.h"
#include "passes/CodegenCpu/EpilogueTile.h"
#include "passes/CodegenCpu/LinearTransform.h"
#include "passes/CodegenCpu/MicroKernel.h"
#include "passes/CodegenCpu/Overwrite.h"

using namespace mlir;
using namespace tenon;
using namespace tenon::codegen;

static int64_t ceilDiv(int64_t x, int64_t y) { return (x + y - 1) / y; }

namespace {
/// Tiles that go through the steps together.
struct TileBlock {
  Value firstUnit, lastUnit; ///< units [first, last)
  Value firstTile, tiles;
  Value inputPitch, productPitch; ///< elements between points
};

class WinogradEmitter {
public:
  WinogradEmitter(const EmitRequest &request, const ContractionOperands &at,
                  const WindowGeometry &geometry, Epilogue epilogue)
      : conv(cast<graph::ConvOp>(at.anchor)), at(at), geometry(geometry),
        input(request.operands[at.lhs]), problem(winogradProblem(conv)),
        plan(winogradFromAttribute(request.plan)),
        grid(tile::winogradGrid(problem, plan)),
        matrices(tile::winogradMatrices(plan.m)),
        pitch(tile::winogradPitch(problem, plan)),
        panels(ceilDiv(problem.filters, plan.tile.panel)),
        scratch(request.operands.size() + request.results.size()),
        output(std::move(epilogue), input.getElementType(), plan.m * plan.m),
        b(request.module, conv.getLoc(), request.name, scratch + 2,
          request.target) {
    element = input.getElementType();
    vector = b.vectorType(element, plan.tile.lanes);
  }

  FailureOr<EmitResult> emit();

private:
  int64_t points() const { return matrices.points * matrices.points; }
  Value scratchOf(unsigned number, int64_t elements);
  Value unitStart(Value unit) { return startOf(b, grid.units, unit); }
  void emitBlock(Value first, Value end);
  void transformInput(const TileBlock &block, Value number);
  Value inputAddress(Value tile);
  void transformChannels(const TileBlock &block, Value from, Value to,
                         int64_t count);
  void multiply(const TileBlock &block, Value panel);
  void multiplyUnit(const TileBlock &block, Value panel, Value point,
                    Value unit, int64_t height, int64_t vectors);
  void transformOutput(const TileBlock &block, Value panel, Value number);
  void storeTile(const TileBlock &block, Value number, ArrayRef<Value> base,
                 Value panel, int64_t height, int64_t width);
  void storeFilters(const TileBlock &block, Value from, Values base,
                    int64_t height, int64_t width, int64_t count);
  Values resultOrigin(Values index);
  SmallVector<int64_t> resultStrides(unsigned dim) const;

  graph::ConvOp conv;
  ContractionOperands at;
  WindowGeometry geometry;
  memory::BufferType input;
  tile::WinogradProblem problem;
  tile::WinogradPlan plan;
  tile::WinogradGrid grid;
  tile::WinogradMatrices matrices;
  int64_t pitch, panels;
  unsigned scratch; ///< number of the first scratch buffer
  TileStore output;
  KernelBuilder b;
  Type element, vector;
  Value transformed, products; ///< the scratch of this call
};
} // namespace

//===-- Blocks ------------------------------------------------------------===//

FailureOr<EmitResult> WinogradEmitter::emit() {
  WinogradScratch sizes = winogradScratch(problem, plan);
  transformed = scratchOf(0, sizes.inputs);
  products = scratchOf(1, sizes.products);
  Value begin = b.mul(b.tileBegin(), plan.units);
  Value end = b.min(b.mul(b.tileEnd(), plan.units), b.index(grid.units.count));
  b.loop(begin, end, plan.block, [&](Value first) { emitBlock(first, end); });
  b.finish();
  if (output.failed())
    return failure();
  EmitResult result;
  result.tiles = ceilDiv(grid.units.count, plan.units);
  return result;
}

Value WinogradEmitter::scratchOf(unsigned number, int64_t elements) {
  return b.at(b.buffer(scratch + number), b.mul(b.tileBegin(), elements),
              element);
}

void WinogradEmitter::emitBlock(Value first, Value end) {
  TileBlock block;
  block.firstUnit = first;
  block.lastUnit = b.min(b.add(first, plan.block), end);
  block.firstTile = unitStart(first);
  block.tiles = b.sub(unitStart(block.lastUnit), block.firstTile);
  block.inputPitch = b.add(b.mul(block.tiles, pitch), pointPadding);
  block.productPitch = b.add(b.mul(block.tiles, plan.tile.panel), pointPadding);
  b.loop(b.index(0), block.tiles, 1,
         [&](Value number) { transformInput(block, number); });
  b.loop(b.index(0), b.index(panels), 1, [&](Value panel) {
    multiply(block, panel);
    b.loop(b.index(0), block.tiles, 1,
           [&](Value number) { transformOutput(block, panel, number); });
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

void WinogradEmitter::transformInput(const TileBlock &block, Value number) {
  Value from = inputAddress(b.add(block.firstTile, number));
  Value to = b.at(transformed, b.mul(number, pitch), element);
  int64_t lanes = plan.tile.lanes, rest = problem.channels % lanes;
  int64_t whole = problem.channels - rest, stride = input.getStrides()[3];
  auto transform = [&](Value channel, int64_t count) {
    transformChannels(block, b.at(from, b.mul(channel, stride), element),
                      b.at(to, channel, element), count);
  };
  b.loop(b.index(0), b.index(whole), lanes,
         [&](Value channel) { transform(channel, lanes); });
  if (rest)
    transform(b.index(whole), rest);
}

void WinogradEmitter::transformChannels(const TileBlock &block, Value from,
                                        Value to, int64_t count) {
  ArrayRef<int64_t> strides = input.getStrides();
  Values window;
  for (int64_t y = 0; y < matrices.points; ++y)
    for (int64_t x = 0; x < matrices.points; ++x)
      window.push_back(
          loadLanes(b, b.at(from, y * strides[1] + x * strides[2], element),
                    vector, strides[3], count, element));
  // Lanes beyond the channels are padding of the scratch.
  for (Value value : applyToSquare(b, matrices.inputs, window)) {
    b.store(value, to, element);
    to = b.at(to, block.inputPitch, element);
  }
}

//===-- Products ----------------------------------------------------------===//

void WinogradEmitter::multiply(const TileBlock &block, Value panel) {
  int64_t left = problem.filters % plan.tile.panel;
  int64_t last = ceilDiv(left, plan.tile.lanes);
  auto unitOf = [&](Value point, Value unit, int64_t vectors) {
    if (grid.units.uniform())
      return multiplyUnit(block, panel, point, unit, grid.units.height,
                          vectors);
    b.ifThen(
        b.less(unit, b.index(grid.units.tall)),
        [&] {
          multiplyUnit(block, panel, point, unit, grid.units.height, vectors);
        },
        [&] {
          multiplyUnit(block, panel, point, unit, grid.units.height - 1,
                       vectors);
        });
  };
  auto all = [&](int64_t vectors) {
    b.loop(b.index(0), b.index(points()), 1, [&](Value point) {
      b.loop(block.firstUnit, block.lastUnit, 1,
             [&](Value unit) { unitOf(point, unit, vectors); });
    });
  };
  if (last == 0 || last == plan.tile.nv)
    return all(plan.tile.nv);
  b.ifThen(
      b.less(panel, b.index(panels - 1)), [&] { all(plan.tile.nv); },
      [&] { all(last); });
}

void WinogradEmitter::multiplyUnit(const TileBlock &block, Value panel,
                                   Value point, Value unit, int64_t height,
                                   int64_t vectors) {
  const tile::ContractionPlan &tile = plan.tile;
  MicroKernel kernel;
  for (int64_t i = 0; i < height; ++i)
    kernel.rows.push_back(i * pitch);
  kernel.vectors = vectors;
  kernel.lanes = kernel.lastLanes = tile.lanes;
  kernel.k = {{problem.channels, 1, tile.panel}};
  kernel.unroll = tile.unroll;
  kernel.lhsElement = kernel.rhsElement = kernel.accumulator = element;
  Value number = b.sub(unitStart(unit), block.firstTile);
  Value lhs = b.add(b.mul(point, block.inputPitch), b.mul(number, pitch));
  int64_t filterBlock = problem.channels * tile.panel;
  Value rhs = b.mul(b.add(b.mul(panel, points()), point), filterBlock);
  Value ahead;
  if (tile.prefetch)
    ahead = b.add(b.mul(b.rem(unit, tile.nv), 64),
                  filterBlock * int64_t(sizeof(float)));
  Values sums = kernel.accumulate(
      b, b.at(transformed, lhs, element), b.at(b.buffer(at.rhs), rhs, element),
      kernel.zeros(b), b.index(problem.channels), ahead);
  Value result =
      b.at(products,
           b.add(b.mul(point, block.productPitch), b.mul(number, tile.panel)),
           element);
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
Values WinogradEmitter::resultOrigin(Values index) {
  Values origin;
  for (const IndexedTensor &tensor : output.tensors()) {
    Value offset = b.add(b.mul(index[0], tensor.strides[0]), tensor.offset);
    offset = b.add(offset, b.mul(index[1], tensor.strides[1] * plan.m));
    origin.push_back(
        b.add(offset, b.mul(index[2], tensor.strides[2] * plan.m)));
  }
  return origin;
}

/// Tiles at the lower and right border have fewer outputs.
void WinogradEmitter::transformOutput(const TileBlock &block, Value panel,
                                      Value number) {
  Values index = b.delinearize(b.add(block.firstTile, number),
                               {problem.images, grid.rows, grid.columns});
  Values base = resultOrigin(index);
  int64_t lowest = problem.height - (grid.rows - 1) * plan.m;
  int64_t rightmost = problem.width - (grid.columns - 1) * plan.m;
  auto withHeight = [&](int64_t height) {
    if (rightmost == plan.m)
      return storeTile(block, number, base, panel, height, plan.m);
    b.ifThen(
        b.less(index[2], b.index(grid.columns - 1)),
        [&] { storeTile(block, number, base, panel, height, plan.m); },
        [&] { storeTile(block, number, base, panel, height, rightmost); });
  };
  if (lowest == plan.m)
    return withHeight(plan.m);
  b.ifThen(
      b.less(index[1], b.index(grid.rows - 1)), [&] { withHeight(plan.m); },
      [&] { withHeight(lowest); });
}

/// All filters of a panel, a vector of them at a time.
void WinogradEmitter::storeTile(const TileBlock &block, Value number,
                                ArrayRef<Value> base, Value panel,
                                int64_t height, int64_t width) {
  int64_t lanes = plan.tile.lanes, rest = problem.filters % lanes;
  Value first = b.mul(panel, plan.tile.panel);
  Value from = b.at(products, b.mul(number, plan.tile.panel), element);
  SmallVector<int64_t> filter = resultStrides(3);
  auto store = [&](Value offset, int64_t count) {
    Values moved;
    for (auto [index, stride] : llvm::zip_equal(base, filter))
      moved.push_back(b.add(index, b.mul(b.add(first, offset), stride)));
    storeFilters(block, b.at(from, offset, element), moved, height, width,
                 count);
  };
  Value whole = b.min(b.index(plan.tile.panel),
                      b.sub(b.index(problem.filters - rest), first));
  b.loop(b.index(0), whole, lanes, [&](Value offset) { store(offset, lanes); });
  if (rest)
    b.ifThen(b.equal(panel, b.index(panels - 1)), [&] { store(whole, rest); });
}

void WinogradEmitter::storeFilters(const TileBlock &block, Value from,
                                   Values base, int64_t height, int64_t width,
                                   int64_t count) {
  Values sums;
  for (int64_t i = 0; i < points(); ++i) {
    sums.push_back(b.load(from, vector, element));
    from = b.at(from, block.productPitch, element);
  }
  Values all = applyToSquare(b, matrices.outputs, sums), kept;
  for (int64_t y = 0; y < height; ++y)
    for (int64_t x = 0; x < width; ++x)
      kept.push_back(all[y * plan.m + x]);
  SmallVector<int64_t> rows = resultStrides(1), columns = resultStrides(2),
                       filters = resultStrides(3);
  EpilogueTile tile;
  tile.base = std::move(base);
  tile.height = height;
  tile.width = width;
  tile.vectors = 1;
  tile.lanes = plan.tile.lanes;
  tile.last = count;
  tile.outer = rows;
  tile.inner = columns;
  tile.column = filters;
  output.store(b, tile, kept);
}

FailureOr<EmitResult> codegen::emitWinograd(const EmitRequest &request,
                                            const ContractionOperands &at,
                                            Epilogue epilogue) {
  auto conv = cast<graph::ConvOp>(at.anchor);
  int64_t m = winogradFromAttribute(request.plan).m;
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
