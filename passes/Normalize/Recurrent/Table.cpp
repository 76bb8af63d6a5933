//===- Table.cpp - recurrent layers ---------------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file lists the family's operators.
//===----------------------------------------------------------------------===//
#include "passes/Normalize/Recurrent/Recurrent.h"

using namespace tenon;
using namespace tenon::normalize;

void normalize::populateRecurrentLowerings(LoweringTable &table) {
  table.add("GRU", lowerGRU);
  table.add("LSTM", lowerLSTM);
  table.add("RNN", lowerRNN);
}
