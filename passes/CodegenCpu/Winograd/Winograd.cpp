//===- Winograd.cpp - kernels of minimal filtering ------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file builds the three steps of a block of units. Scratch holds its
// transformed inputs [unit][point][tile][window][channel] and the products
// [unit][point][tile][filter] of one panel:
//   for block of units:
//     inputs: for unit, tile, window, channels: V = B^T d B
//     for panel of filters:
//       products: for point, unit: M[point] = V[point] * U[panel][point]
//       outputs:  for unit, tile, filters: epilogue(A^T M A)
// With one filtered dimension, V = B^T d and the outputs are A^T M.
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

/// A panel of filters: among all, its group, and which it is in there.
struct FilterPanel {
  Value number, group, inGroup;
};

/// One tile: which, and where it lies in the scratch.
struct TilePlace {
  Value number, inputs, products;
};

/// Outputs of one tile and vector of filters, and where they go.
struct TileOutputs {
  Values values; ///< row-major
  EpilogueTile tile;
  const Values &base; ///< of the first output in each tensor
  ValueRange position;
};

class WinogradEmitter {
public:
  WinogradEmitter(const EmitRequest &request, const ContractionOperands &at,
                  const WindowGeometry &geometry, Epilogue epilogue)
      : conv(cast<graph::ConvOp>(at.anchor)), at(at), geometry(geometry),
        input(request.operands[at.lhs]), dims(filteredDims(conv)),
        problem(winogradProblem(conv)),
        plan(fromAttribute<tile::WinogradPlan>(request.plan)),
        units(tile::winogradUnits(problem, plan)),
        matrices(tile::winogradMatrices(plan.m, problem.taps)),
        sizes(tile::winogradScratch(problem, plan)),
        groupPanels(ceilDiv(problem.filters, plan.tile.panel)),
        scratch(request.operands.size() + request.results.size()),
        output(std::move(epilogue), input.getElementType(), plan.m),
        b(request.module, conv.getLoc(), request.name, scratch + 2,
          request.target) {
    element = input.getElementType();
    vector = b.vectorType(element, plan.tile.lanes);
  }

  FailureOr<EmitResult> emit();

private:
  int64_t points() const { return problem.points(plan.m); }
  Values transform(const tile::Matrix &matrix, ValueRange values);
  Value scratchOf(unsigned number, int64_t elements);
  void emitBlock(UnitBlock block);
  void forTiles(UnitBlock block, llvm::function_ref<void(TilePlace)> body);
  Values positionOf(Value tile);
  Value inputAddress(Value tile);
  Value windowOffset(Value window);
  SmallVector<int64_t> inputOffsets() const;
  void transformInput(const TilePlace &tile);
  void transformWindow(Value from, Value to);
  void transformChannels(Value from, Value to, int64_t count);
  void multiply(UnitBlock block, const FilterPanel &panel);
  void multiplyUnit(UnitBlock block, const FilterPanel &panel, Value point,
                    Value unit, int64_t height, int64_t vectors);
  void transformOutput(const TilePlace &tile, const FilterPanel &panel);
  Values resultOrigin(ValueRange position);
  void storeFilters(Value from, const Values &base, ValueRange position,
                    int64_t count);
  void storeRows(TileOutputs &outputs);
  void storeRow(TileOutputs &outputs, int64_t y);
  void storeWidths(TileOutputs &outputs, int64_t y, ArrayRef<int64_t> widths);
  Value exists(const TileOutputs &outputs, unsigned dim, int64_t number);
  SmallVector<int64_t> resultStrides(unsigned dim) const;
  SmallVector<int64_t> outputStrides(unsigned number) const;

  graph::ConvOp conv;
  ContractionOperands at;
  WindowGeometry geometry;
  memory::BufferType input;
  SmallVector<unsigned, 2> dims; ///< filtered, of the spatial ones
  tile::WinogradProblem problem;
  tile::WinogradPlan plan;
  tile::EvenSplit units;
  tile::WinogradMatrices matrices;
  tile::WinogradScratch sizes;
  int64_t groupPanels; ///< of one group
  unsigned scratch;    ///< number of the first scratch buffer
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
  Value end = b.min(b.mul(b.tileEnd(), plan.units), b.index(units.count));
  b.loop(begin, end, plan.block, [&](Value first) {
    emitBlock({first, b.min(b.add(first, plan.block), end)});
  });
  b.finish();
  if (output.failed())
    return failure();
  EmitResult result;
  result.tiles = ceilDiv(units.count, plan.units);
  result.errorGrowth =
      tile::winogradErrorGrowth(plan.m, problem.taps, problem.rank());
  return result;
}

Value WinogradEmitter::scratchOf(unsigned number, int64_t elements) {
  return b.at(b.buffer(scratch + number), b.mul(b.tileBegin(), elements),
              element);
}

void WinogradEmitter::emitBlock(UnitBlock block) {
  forTiles(block, [&](TilePlace tile) { transformInput(tile); });
  b.loop(
      b.index(0), b.index(problem.groups * groupPanels), 1, [&](Value number) {
        Values index = b.delinearize(number, {problem.groups, groupPanels});
        FilterPanel panel{number, index[0], index[1]};
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
    Value begin = b.startOf(units, unit);
    Value end = b.startOf(units, b.add(unit, 1));
    b.loop(b.index(0), b.sub(end, begin), 1, [&](Value i) {
      body({b.add(begin, i), b.at(inputs, b.mul(i, sizes.inputPitch), element),
            b.at(sums, b.mul(i, plan.tile.panel), element)});
    });
  });
}

//===-- Inputs ------------------------------------------------------------===//

Values WinogradEmitter::transform(const tile::Matrix &matrix,
                                  ValueRange values) {
  return dims.size() == 1 ? applyMatrix(b, matrix, values)
                          : applyToSquare(b, matrix, values);
}

/// The first output of a tile in the result, but for its filter.
Values WinogradEmitter::positionOf(Value tile) {
  SmallVector<int64_t> extents(conv.getType().getShape().drop_back());
  for (unsigned dim : dims)
    extents[dim + 1] = 1;
  for (const tile::WinogradDim &dim : problem.dims)
    llvm::append_range(extents, ArrayRef{dim.tiles(plan.m), dim.dilation});
  Values index = b.delinearize(tile, extents);
  size_t next = conv.getType().getRank() - 1;
  for (auto [number, dim] : llvm::enumerate(dims)) {
    int64_t step = plan.m * problem.dims[number].dilation;
    index[dim + 1] = b.add(b.mul(index[next], step), index[next + 1]);
    next += 2;
  }
  index.resize(conv.getType().getRank() - 1);
  return index;
}

/// The first element that a tile reads.
Value WinogradEmitter::inputAddress(Value tile) {
  ArrayRef<int64_t> strides = input.getStrides();
  Values position = positionOf(tile);
  int64_t start = input.getOffset();
  Value offset = b.mul(position[0], strides[0]);
  for (size_t i = 0; i < geometry.kernel.size(); ++i) {
    start -= geometry.padsBefore[i] * strides[i + 1];
    offset = b.add(
        offset, b.mul(position[i + 1], geometry.strides[i] * strides[i + 1]));
  }
  return b.at(b.buffer(at.lhs), b.add(offset, start), element);
}

/// How far a window is from the first one, row-major: along the filtered
/// dimensions, then along the others.
Value WinogradEmitter::windowOffset(Value window) {
  SmallVector<int64_t> extents, steps;
  for (unsigned dim : dims) {
    extents.push_back(geometry.kernel[dim] / problem.taps);
    steps.push_back(problem.taps * geometry.dilations[dim] *
                    input.getStrides()[dim + 1]);
  }
  for (unsigned dim = 0; dim < geometry.kernel.size(); ++dim)
    if (!llvm::is_contained(dims, dim) && geometry.kernel[dim] > 1) {
      extents.push_back(geometry.kernel[dim]);
      steps.push_back(geometry.dilations[dim] * input.getStrides()[dim + 1]);
    }
  Value offset = b.index(0);
  Values index = b.delinearize(window, extents);
  for (auto [i, step] : llvm::zip_equal(index, steps))
    offset = b.add(offset, b.mul(i, step));
  return offset;
}

void WinogradEmitter::transformInput(const TilePlace &tile) {
  Value from = inputAddress(tile.number);
  if (problem.windows == 1)
    return transformWindow(from, tile.inputs);
  // In order: the lanes behind a window's channels are the next one's first.
  b.loop(b.index(0), b.index(problem.windows), 1, [&](Value window) {
    transformWindow(
        b.at(from, windowOffset(window), element),
        b.at(tile.inputs, b.mul(window, problem.channels), element));
  });
}

void WinogradEmitter::transformWindow(Value from, Value to) {
  int64_t channels = problem.groups * problem.channels;
  int64_t lanes = plan.tile.lanes, rest = channels % lanes;
  int64_t whole = channels - rest, stride = input.getStrides().back();
  auto transform = [&](Value channel, int64_t count) {
    transformChannels(b.at(from, b.mul(channel, stride), element),
                      b.at(to, channel, element), count);
  };
  b.loop(b.index(0), b.index(whole), lanes,
         [&](Value channel) { transform(channel, lanes); });
  if (rest)
    transform(b.index(whole), rest);
}

/// Of the inputs of one tile, row-major.
SmallVector<int64_t> WinogradEmitter::inputOffsets() const {
  SmallVector<int64_t> offsets = {0};
  for (unsigned dim : dims) {
    int64_t step = geometry.dilations[dim] * input.getStrides()[dim + 1];
    SmallVector<int64_t> next;
    for (int64_t base : offsets)
      for (int64_t i = 0; i < matrices.points; ++i)
        next.push_back(base + i * step);
    offsets = std::move(next);
  }
  return offsets;
}

void WinogradEmitter::transformChannels(Value from, Value to, int64_t count) {
  Values inputs;
  for (int64_t offset : inputOffsets())
    inputs.push_back(loadLanes(b, b.at(from, offset, element), vector,
                               input.getStrides().back(), count, element));
  // Lanes beyond the channels are padding of the scratch.
  for (auto [point, value] :
       llvm::enumerate(transform(matrices.inputs, inputs)))
    b.store(value, b.at(to, int64_t(point) * sizes.inputPoint, element),
            element);
}

//===-- Products ----------------------------------------------------------===//

void WinogradEmitter::multiply(UnitBlock block, const FilterPanel &panel) {
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
      b.less(panel.inGroup, b.index(groupPanels - 1)),
      [&] { all(plan.tile.nv); }, [&] { all(last); });
}

void WinogradEmitter::multiplyUnit(UnitBlock block, const FilterPanel &panel,
                                   Value point, Value unit, int64_t height,
                                   int64_t vectors) {
  const tile::ContractionPlan &tile = plan.tile;
  MicroKernel kernel;
  for (int64_t i = 0; i < height; ++i)
    kernel.rows.push_back(i * sizes.inputPitch);
  kernel.columns = contiguousColumns(vectors, tile.lanes, tile.lanes);
  kernel.lanes = tile.lanes;
  kernel.k = {{problem.depth(), 1, tile.panel}};
  kernel.unroll = tile.unroll;
  kernel.lhsElement = kernel.rhsElement = kernel.accumulator = element;
  Value slot = b.sub(unit, block.first);
  auto scratchAt = [&](Value buffer, int64_t unitSize, int64_t pointSize) {
    return b.at(buffer, b.add(b.mul(slot, unitSize), b.mul(point, pointSize)),
                element);
  };
  int64_t filterBlock = problem.depth() * tile.panel;
  Value filter =
      b.mul(b.add(b.mul(panel.number, points()), point), filterBlock);
  Value inputs =
      b.at(transformed, b.mul(panel.group, problem.channels), element);
  Values ahead;
  if (tile.prefetch)
    ahead = prefetchDistances(b, unit, std::min(units.count, plan.block),
                              tile.panel * int64_t(sizeof(float)),
                              filterBlock * int64_t(sizeof(float)));
  Values sums =
      kernel.accumulate(b, scratchAt(inputs, sizes.inputUnit, sizes.inputPoint),
                        b.at(b.buffer(at.rhs), filter, element),
                        kernel.zeros(b), b.index(problem.depth()), ahead);
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

/// Between the outputs of a tile along a filtered dimension.
SmallVector<int64_t> WinogradEmitter::outputStrides(unsigned number) const {
  SmallVector<int64_t> strides = resultStrides(dims[number] + 1);
  for (int64_t &stride : strides)
    stride *= problem.dims[number].dilation;
  return strides;
}

/// Where a tile's outputs begin in each tensor of the epilogue.
Values WinogradEmitter::resultOrigin(ValueRange position) {
  Values origin;
  for (const IndexedTensor &tensor : output.tensors()) {
    Value offset = b.index(tensor.offset);
    for (auto [dim, start] : llvm::enumerate(position))
      offset = b.add(offset, b.mul(start, tensor.strides[dim]));
    origin.push_back(offset);
  }
  return origin;
}

/// All filters of a panel, a vector of them at a time.
void WinogradEmitter::transformOutput(const TilePlace &tile,
                                      const FilterPanel &panel) {
  Values position = positionOf(tile.number);
  Values base = resultOrigin(position);
  int64_t lanes = plan.tile.lanes, rest = problem.filters % lanes;
  Value inGroup = b.mul(panel.inGroup, plan.tile.panel);
  Value first = b.add(b.mul(panel.group, problem.filters), inGroup);
  SmallVector<int64_t> filter = resultStrides(position.size());
  auto store = [&](Value offset, int64_t count) {
    Values moved;
    for (auto [start, stride] : llvm::zip_equal(base, filter))
      moved.push_back(b.add(start, b.mul(b.add(first, offset), stride)));
    storeFilters(b.at(tile.products, offset, element), moved, position, count);
  };
  Value whole = b.min(b.index(plan.tile.panel),
                      b.sub(b.index(problem.filters - rest), inGroup));
  b.loop(b.index(0), whole, lanes, [&](Value offset) { store(offset, lanes); });
  if (rest)
    b.ifThen(b.equal(panel.inGroup, b.index(groupPanels - 1)),
             [&] { store(whole, rest); });
}

void WinogradEmitter::storeFilters(Value from, const Values &base,
                                   ValueRange position, int64_t count) {
  Values sums;
  for (int64_t i = 0; i < points(); ++i)
    sums.push_back(
        b.load(b.at(from, i * sizes.productPoint, element), vector, element));
  SmallVector<int64_t> inner = outputStrides(dims.size() - 1),
                       filters = resultStrides(position.size());
  EpilogueTile tile;
  tile.vectors = 1;
  tile.lanes = plan.tile.lanes;
  tile.last = count;
  tile.inner = inner;
  tile.column = filters;
  TileOutputs outputs{transform(matrices.outputs, sums), tile, base, position};
  if (dims.size() == 1)
    return storeRow(outputs, 0);
  storeRows(outputs);
}

/// A row of outputs at a time, since tiles at the end of a dimension have fewer
/// of them.
void WinogradEmitter::storeRows(TileOutputs &outputs) {
  const tile::WinogradDim &dim = problem.dims.front();
  for (int64_t y = 0; y < plan.m; ++y) {
    auto store = [&] { storeRow(outputs, y); };
    if (y < dim.leastOutputs(plan.m))
      store();
    else
      b.ifThen(exists(outputs, 0, y), store);
  }
}

/// Whether a tile has the output with that number along a filtered dimension.
Value WinogradEmitter::exists(const TileOutputs &outputs, unsigned dim,
                              int64_t number) {
  Value start = outputs.position[dims[dim] + 1];
  return b.less(b.add(start, number * problem.dims[dim].dilation),
                b.index(problem.dims[dim].extent));
}

void WinogradEmitter::storeRow(TileOutputs &outputs, int64_t y) {
  outputs.tile.base = outputs.base;
  if (dims.size() == 2)
    for (auto [start, stride] :
         llvm::zip_equal(outputs.tile.base, outputStrides(0)))
      start = b.add(start, y * stride);
  storeWidths(outputs, y, problem.dims.back().outputs(plan.m));
}

/// The first of these numbers of outputs, in falling order, that a row has.
void WinogradEmitter::storeWidths(TileOutputs &outputs, int64_t y,
                                  ArrayRef<int64_t> widths) {
  int64_t width = widths.front();
  auto store = [&] {
    outputs.tile.width = width;
    output.store(b, outputs.tile,
                 ArrayRef(outputs.values).slice(y * plan.m, width));
  };
  if (width == 0)
    return;
  if (widths.size() == 1)
    return store();
  b.ifThen(exists(outputs, dims.size() - 1, width - 1), store,
           [&] { storeWidths(outputs, y, widths.drop_front()); });
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
