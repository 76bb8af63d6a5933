//===- Table.cpp - sequences, optionals, strings --------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file lists the family's operators.
//===----------------------------------------------------------------------===//
#include "passes/Normalize/Control/Control.h"

using namespace tenon;
using namespace tenon::normalize;

static Lowered lowerIdentity(NormalizeContext &, const Node &node) {
  return node.operand(0);
}

void normalize::populateControlLowerings(LoweringTable &table) {
  table.addForAll("Identity", lowerIdentity);
  populateSequenceLowerings(table);
  populateOptionalLowerings(table);
  populateStringLowerings(table);
}
