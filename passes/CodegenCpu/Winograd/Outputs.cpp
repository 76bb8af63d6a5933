//===- Outputs.cpp - transforms outputs of minimal filtering --------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "passes/CodegenCpu/Winograd/Emit.h"

using namespace mlir;
using namespace tenon;
using namespace tenon::codegen;

Sizes WinogradEmitter::resultStrides(unsigned dim) const {
  Sizes strides;
  for (const IndexedTensor &tensor : output.tensors())
    strides.push_back(tensor.strides[dim]);
  return strides;
}

/// Between the outputs of a tile along a filtered dimension.
Sizes WinogradEmitter::outputStrides(unsigned number) const {
  Sizes strides = resultStrides(dims[number] + 1);
  for (Size &stride : strides)
    stride *= problem.dims[number].dilation;
  return strides;
}

/// All filters of a panel, a vector of them at a time.
void WinogradEmitter::transformOutput(const TilePlace &tile,
                                      const FilterPanel &panel) {
  Values position = positionOf(tile.number);
  Values base = elementsAt(b, output.tensors(), position);
  int64_t lanes = plan.tile.lanes, rest = problem.filters % lanes;
  Value inGroup = b.mul(panel.inGroup, plan.tile.panel);
  Value first = b.add(b.mul(panel.group, problem.filters), inGroup);
  Sizes filter = resultStrides(position.size());
  auto store = [&](Value offset, int64_t count) {
    Values moved;
    for (auto [start, stride] : llvm::zip_equal(base, filter))
      moved.push_back(b.add(start, b.mul(b.add(first, offset), stride)));
    askForOutputs(moved.front());
    storeFilters(outputsOf(tile, panel, offset), moved, position, count);
  };
  Value whole = b.min(b.index(plan.tile.panel),
                      b.sub(b.index(problem.filters - rest), inGroup));
  b.loop(b.index(0), whole, lanes, [&](Value offset) { store(offset, lanes); });
  if (rest)
    b.ifThen(b.equal(panel.inGroup, b.index(groupPanels - 1)),
             [&] { store(whole, rest); });
}

/// Of one tile and the vector of filters at `offset` of the panel.
Values WinogradEmitter::outputsOf(const TilePlace &tile,
                                  const FilterPanel &panel, Value offset) {
  Value from = b.at(tile.products, offset, element);
  Values sums;
  for (int64_t i = 0; i < points(); ++i)
    sums.push_back(
        b.load(b.at(from, i * sizes.productPoint, element), vector, element));
  Values outputs = transform(matrices.outputs, sums);
  return b.select(
      areFinite(outputs), [&] { return outputs; },
      [&] { return plainSums(tile, panel, offset); });
}

void WinogradEmitter::storeFilters(const Values &values, const Values &base,
                                   ValueRange position, int64_t count) {
  Sizes inner = outputStrides(dims.size() - 1),
        filters = resultStrides(position.size());
  EpilogueTile tile;
  tile.vectors = 1;
  tile.lanes = plan.tile.lanes;
  tile.last = count;
  tile.inner = inner;
  tile.column = filters;
  TileOutputs outputs{values, tile, base, position};
  if (dims.size() == 1)
    return storeRow(outputs, 0);
  storeRows(outputs);
}

/// Of a tile to the right; beyond the end of a row those of another one.
void WinogradEmitter::askForOutputs(Value first) {
  if (plan.ahead == 0)
    return;
  const IndexedTensor &result = output.tensors().front();
  Sizes steps;
  for (unsigned number = 0; number < dims.size(); ++number)
    steps.push_back(outputStrides(number).front());
  Value from = b.add(first, steps.back() * (plan.ahead * plan.m));
  PointGrid grid(steps, plan.m);
  for (int64_t i = 0; i < grid.size(); ++i)
    b.prefetch(
        b.at(b.buffer(result.buffer), grid.index(b, from, i), result.element));
}

/// A row of outputs at a time, since tiles at the end of a dimension have fewer
/// of them.
void WinogradEmitter::storeRows(TileOutputs &outputs) {
  int64_t least = leastOutputs(0);
  for (int64_t y = 0; y < plan.m; ++y) {
    auto store = [&] { storeRow(outputs, y); };
    if (y < least)
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
                b.index(extentOf(dim)));
}

/// That every tile has along a filtered dimension.
int64_t WinogradEmitter::leastOutputs(unsigned dim) const {
  const tile::WinogradDim &filtered = problem.dims[dim];
  if (extentOf(dim).isFixed())
    return filtered.leastOutputs(plan.m);
  if (extentOf(dim).isMultipleOf(plan.m * filtered.dilation))
    return plan.m;
  return filtered.dilation == 1 ? 1 : 0;
}

void WinogradEmitter::storeRow(TileOutputs &outputs, int64_t y) {
  outputs.tile.base = outputs.base;
  if (dims.size() == 2)
    for (auto [start, stride] :
         llvm::zip_equal(outputs.tile.base, outputStrides(0)))
      start = b.add(start, y * stride);
  if (extentOf(dims.size() - 1).isFixed())
    storeWidths(outputs, y, problem.dims.back().outputs(plan.m));
  else
    storeAnyWidth(outputs, y);
}

/// Of a row, `width` outputs from number `x` on.
void WinogradEmitter::storeWidth(TileOutputs &outputs, int64_t y, int64_t x,
                                 int64_t width) {
  EpilogueTile tile = outputs.tile;
  tile.width = width;
  if (x > 0)
    for (auto [start, stride] :
         llvm::zip_equal(tile.base, outputStrides(dims.size() - 1)))
      start = b.add(start, b.mul(b.index(x), stride));
  output.store(b, tile, ArrayRef(outputs.values).slice(y * plan.m + x, width));
}

/// All outputs of a row, or each one that exists.
void WinogradEmitter::storeAnyWidth(TileOutputs &outputs, int64_t y) {
  unsigned dim = dims.size() - 1;
  int64_t least = leastOutputs(dim);
  auto whole = [&] { storeWidth(outputs, y, 0, plan.m); };
  if (least == plan.m)
    return whole();
  b.ifThen(exists(outputs, dim, plan.m - 1), whole, [&] {
    for (int64_t x = 0; x + 1 < plan.m; ++x) {
      auto store = [&] { storeWidth(outputs, y, x, 1); };
      if (x < least)
        store();
      else
        b.ifThen(exists(outputs, dim, x), store);
    }
  });
}

/// The first of these numbers of outputs, in falling order, that a row has.
void WinogradEmitter::storeWidths(TileOutputs &outputs, int64_t y,
                                  ArrayRef<int64_t> widths) {
  int64_t width = widths.front();
  auto store = [&] { storeWidth(outputs, y, 0, width); };
  if (width == 0)
    return;
  if (widths.size() == 1)
    return store();
  b.ifThen(exists(outputs, dims.size() - 1, width - 1), store,
           [&] { storeWidths(outputs, y, widths.drop_front()); });
}
