//===- RNN.cpp - simple recurrent layer -----------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file names the activation.
//===----------------------------------------------------------------------===//
#include "passes/Normalize/Recurrent/Recurrent.h"

using namespace tenon;
using namespace tenon::normalize;

Lowered normalize::lowerRNN(NormalizeContext &ctx, const Node &node) {
  return lowerRecurrent(ctx, node, {graph::Cell::Rnn, 1, {"Tanh"}});
}
