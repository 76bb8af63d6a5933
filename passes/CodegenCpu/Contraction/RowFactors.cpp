//===- RowFactors.cpp - what a row multiplies vectors of B by -------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "passes/CodegenCpu/Contraction/RowFactors.h"

#include "lib/Tile/Join.h"
#include "passes/CodegenCpu/Builder/ElementwiseOps.h"

using namespace mlir;
using namespace tenon;
using namespace tenon::codegen;

Value RowFactors::at(const ColumnVector &column, int64_t step) {
  if (kernel.quads)
    return fromQuads(column, step);
  return blend(column, step);
}

//===-- One element of each source ----------------------------------------===//

Value RowFactors::broadcast(const LaneSource &source, int64_t step) {
  Value &factor = broadcasts[{source.lhs, step}];
  if (factor)
    return factor;
  int64_t at = source.lhs + step * kernel.k.back().lhsStride;
  Value scalar = b.load(b.at(row, at, kernel.lhsElement),
                        b.registerType(kernel.lhsElement), kernel.lhsElement);
  factor = b.splat(widenFloat(b, scalar),
                   b.vectorType(kernel.accumulator, kernel.lanes));
  return factor;
}

/// `x` with the lanes of `y` from `lane` on.
static Value blendFrom(KernelBuilder &b, Value x, Value y, int64_t lane) {
  int64_t lanes = cast<VectorType>(x.getType()).getNumElements();
  return b.permute(x, y, lanes,
                   [&](int64_t i) { return i < lane ? i : lanes + i; });
}

Value RowFactors::blend(const ColumnVector &column, int64_t step) {
  Value factor = broadcast(column.sources.front(), step);
  for (const LaneSource &source : llvm::drop_begin(column.sources))
    factor = blendFrom(b, factor, broadcast(source, step), source.lane);
  return factor;
}

//===-- Four elements of each source --------------------------------------===//

/// Four steps' elements from step `first` on, in each four lanes.
Value RowFactors::loadQuads(const ColumnVector &column, int64_t first) {
  Value &known = quads[{column.displacement, first}];
  if (known)
    return known;
  for (const LaneSource &source : column.sources) {
    Value own = b.load(b.at(row, source.lhs + first, kernel.lhsElement),
                       b.vectorType(kernel.lhsElement, tile::quad));
    own = b.permute(own, own, kernel.lanes,
                    [](int64_t i) { return i % tile::quad; });
    known = known ? blendFrom(b, known, own, source.lane) : own;
  }
  return known;
}

Value RowFactors::fromQuads(const ColumnVector &column, int64_t step) {
  int64_t inQuad = step % tile::quad;
  Value loaded = loadQuads(column, step - inQuad);
  return b.permute(loaded, loaded, kernel.lanes, [&](int64_t i) {
    return i / tile::quad * tile::quad + inQuad;
  });
}
