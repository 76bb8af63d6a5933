//===- RowFactors.cpp - what a row multiplies vectors of B by -------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "passes/CodegenCpu/Contraction/RowFactors.h"

#include "passes/Codegen/Builder/ElementwiseOps.h"

using namespace mlir;
using namespace tenon;
using namespace tenon::codegen;

Value RowFactors::broadcast(int64_t displacement) {
  Value &factor = broadcasts[displacement];
  if (factor)
    return factor;
  Type loaded = b.vectorType(kernel.lhsElement, kernel.fold);
  Value own = widenFloat(b, b.load(b.at(row, displacement, kernel.lhsElement),
                                   loaded, kernel.lhsElement));
  if (kernel.fold > 1)
    factor = b.permute(own, own, kernel.lanes,
                       [&](int64_t lane) { return lane % kernel.fold; });
  else
    factor = b.splat(own, b.vectorType(kernel.accumulator, kernel.lanes));
  return factor;
}

/// `x` with the lanes of `y` from `lane` on.
static Value blendFrom(KernelBuilder &b, Value x, Value y, int64_t lane) {
  int64_t lanes = cast<VectorType>(x.getType()).getNumElements();
  return b.permute(x, y, lanes,
                   [&](int64_t i) { return i < lane ? i : lanes + i; });
}

Value RowFactors::at(const ColumnVector &column) {
  Value factor = broadcast(column.sources.front().lhs);
  for (const LaneSource &source : llvm::drop_begin(column.sources))
    factor = blendFrom(b, factor, broadcast(source.lhs), source.lane);
  return factor;
}
