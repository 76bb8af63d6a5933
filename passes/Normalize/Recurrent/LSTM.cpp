//===- LSTM.cpp - long short-term memory ----------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file names the activations.
//===----------------------------------------------------------------------===//
#include "passes/Normalize/Recurrent/Recurrent.h"

using namespace tenon;
using namespace tenon::normalize;

Lowered normalize::lowerLSTM(NormalizeContext &ctx, const Node &node) {
  return lowerRecurrent(ctx, node,
                        {graph::Cell::Lstm, 4, {"Sigmoid", "Tanh", "Tanh"}});
}
