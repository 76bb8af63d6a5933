//===- EpilogueTile.cpp - storing a register tile -------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "passes/CodegenCpu/Contraction/EpilogueTile.h"

#include "passes/CodegenCpu/Builder/ElementwiseOps.h"

using namespace mlir;
using namespace tenon;
using namespace tenon::codegen;

/// More instructions than this and the epilogue becomes a loop over the tile.
static constexpr int64_t inlineBudget = 160;

static int64_t strideOf(TensorStrides strides, unsigned tensor) {
  return strides.empty() ? 0 : strides[tensor];
}

void TileStore::apply(KernelBuilder &b, Value sum, const Segment &segment) {
  Value value = isa<FloatType>(result) ? narrowFloat(b, sum, result) : sum;
  if (mlir::failed(epilogue.apply(b, value, segment)))
    broken = true;
}

void TileStore::prefetch(KernelBuilder &b, const EpilogueTile &tile) const {
  int64_t columns = (tile.vectors - 1) * tile.lanes + tile.last;
  for (auto [t, tensor] : llvm::enumerate(tensors())) {
    bool hasRows = strideOf(tile.outer, t) || strideOf(tile.inner, t);
    if (strideOf(tile.column, t) != 1 || !hasRows)
      continue;
    Value start = b.at(b.buffer(tensor.buffer), tile.base[t], tensor.element);
    for (int64_t i = 0; i < tile.height * tile.width; ++i) {
      int64_t row = i / tile.width * strideOf(tile.outer, t) +
                    i % tile.width * strideOf(tile.inner, t);
      b.prefetchLines(b.at(start, row, tensor.element), columns, tensor.element,
                      /*locality=*/3, /*write=*/t < epilogue.numResults());
    }
  }
}

void TileStore::store(KernelBuilder &b, const EpilogueTile &tile,
                      ValueRange sums) {
  epilogue.clearLoads();
  if (epilogue.cost() * capacity <= inlineBudget)
    storeInline(b, tile, sums);
  else
    storeLooped(b, tile, sums);
  epilogue.clearLoads();
}

void TileStore::storeInline(KernelBuilder &b, const EpilogueTile &tile,
                            ValueRange sums) {
  Values start;
  for (auto [tensor, index] : llvm::zip_equal(tensors(), tile.base))
    start.push_back(b.at(b.buffer(tensor.buffer), index, tensor.element));
  for (int64_t j = 0; j < tile.vectors; ++j)
    for (int64_t i = 0; i < tile.height * tile.width; ++i) {
      auto pointer = [&](unsigned t) {
        int64_t offset = i / tile.width * strideOf(tile.outer, t) +
                         i % tile.width * strideOf(tile.inner, t) +
                         j * tile.lanes * strideOf(tile.column, t);
        return b.at(start[t], offset, tensors()[t].element);
      };
      int64_t count = j == tile.vectors - 1 ? tile.last : tile.lanes;
      apply(b, sums[i * tile.vectors + j], {tile.lanes, count, i, j, pointer});
    }
}

void TileStore::storeLooped(KernelBuilder &b, const EpilogueTile &tile,
                            ValueRange sums) {
  Type vector = sums.front().getType();
  Type element = getElementTypeOrSelf(vector);
  if (!waiting)
    waiting = b.scratch(capacity * tile.lanes, element);
  for (auto [i, sum] : llvm::enumerate(sums))
    b.store(sum, b.at(waiting, int64_t(i) * tile.lanes, element), element);
  b.loop(b.index(0), b.index(tile.height), 1, [&](Value y) {
    b.loop(b.index(0), b.index(tile.width), 1, [&](Value x) {
      Values row;
      for (auto [t, tensor] : llvm::enumerate(tensors())) {
        Value index =
            b.add(b.add(tile.base[t], b.mul(y, strideOf(tile.outer, t))),
                  b.mul(x, strideOf(tile.inner, t)));
        row.push_back(b.at(b.buffer(tensor.buffer), index, tensor.element));
      }
      epilogue.clearLoads();
      Value first =
          b.mul(b.add(b.mul(y, tile.width), x), tile.vectors * tile.lanes);
      for (int64_t j = 0; j < tile.vectors; ++j) {
        auto pointer = [&](unsigned t) {
          return b.at(row[t], j * tile.lanes * strideOf(tile.column, t),
                      tensors()[t].element);
        };
        int64_t count = j == tile.vectors - 1 ? tile.last : tile.lanes;
        Value sum = b.load(b.at(waiting, b.add(first, j * tile.lanes), element),
                           vector);
        apply(b, sum, {tile.lanes, count, 0, j, pointer});
      }
    });
  });
}
