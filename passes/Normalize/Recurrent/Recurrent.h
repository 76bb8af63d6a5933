//===- Recurrent.h - what LSTM, GRU and RNN share ---------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file is private to the family; each function stands in the file of its
// operator.
//===----------------------------------------------------------------------===//
#ifndef TENON_PASSES_NORMALIZE_RECURRENT_RECURRENT_H
#define TENON_PASSES_NORMALIZE_RECURRENT_RECURRENT_H

#include "passes/Normalize/Lowering.h"
#include "passes/Normalize/Shapes.h"

namespace tenon::normalize {

Lowered lowerGRU(NormalizeContext &ctx, const Node &node);
Lowered lowerLSTM(NormalizeContext &ctx, const Node &node);
Lowered lowerRNN(NormalizeContext &ctx, const Node &node);

/// What tells one cell from another.
struct CellKind {
  graph::Cell cell;
  int64_t gates;
  SmallVector<StringRef>
      activations; ///< of one direction, where none are given
};

/// Builds the layer. Operands 0 to 5 are the same for all cells, the initial
/// cell state and the peepholes (6, 7) only LSTM has.
Lowered lowerRecurrent(NormalizeContext &ctx, const Node &node,
                       const CellKind &kind);

} // namespace tenon::normalize

#endif // TENON_PASSES_NORMALIZE_RECURRENT_RECURRENT_H
