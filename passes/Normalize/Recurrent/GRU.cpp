//===- GRU.cpp - gated recurrent unit -------------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file names the activations.
//===----------------------------------------------------------------------===//
#include "passes/Normalize/Recurrent/Recurrent.h"

using namespace tenon;
using namespace tenon::normalize;

Lowered normalize::lowerGRU(NormalizeContext &ctx, const Node &node) {
  return lowerRecurrent(ctx, node, {graph::Cell::Gru, 3, {"Sigmoid", "Tanh"}});
}
