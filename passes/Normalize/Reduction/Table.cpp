//===- Table.cpp - reductions and what is built on them -------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file lists the family's operators.
//===----------------------------------------------------------------------===//
#include "passes/Normalize/Reduction/Reduction.h"

using namespace tenon;
using namespace tenon::normalize;

static Lowered lowerDet(NormalizeContext &ctx, const Node &node) {
  Dims dims = dimsOf(node.type(0));
  // The run checks what symbols leave open.
  if (dims.size() >= 2 && graph::mayBeEqual(dims.back(), dims.end()[-2]))
    dims.back() = dims.end()[-2];
  return ctx.create<graph::DetOp>(ctx.reshapeTo(
      node.operand(0), typeFromDims(dims, node.type(0).getElementType())));
}

void tenon::normalize::populateReductionLowerings(LoweringTable &table) {
  table.add("ArgMax", lowerArgMax);
  table.add("ArgMin", lowerArgMin);
  table.add("CumProd", lowerCumProd);
  table.add("CumSum", lowerCumSum);
  table.add("Det", lowerDet);
  table.add("Hardmax", lowerHardmax);
  table.add("LogSoftmax", lowerLogSoftmax);
  table.add("Softmax", lowerSoftmax);
  table.add("TopK", lowerTopK);
  populateReduceLowerings(table);
}
