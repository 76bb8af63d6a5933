//===- Table.cpp - reductions and what is built on them -------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file lists the family's operators.
//===----------------------------------------------------------------------===//
#include "passes/Normalize/Reduction/Reduction.h"

using namespace tenon;
using namespace tenon::normalize;

static Lowered lowerDet(NormalizeContext &ctx, const Node &node) {
  return ctx.create<graph::DetOp>(node.operand(0));
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
