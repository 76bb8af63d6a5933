//===- RecurrentCell.h - the arithmetic of one time step --------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file declares what a recurrent cell does with its gates once they are
// summed up, on vectors of hidden units.
//===----------------------------------------------------------------------===//
#ifndef TENON_PASSES_CODEGEN_BODIES_RECURRENTCELL_H
#define TENON_PASSES_CODEGEN_BODIES_RECURRENTCELL_H

#include "dialects/Graph/Graph.h"
#include "passes/Codegen/Builder/VectorMath.h"

namespace tenon::codegen {

/// An activation of ONNX's list with its parameters.
struct Activation {
  std::string name; ///< lower case
  double alpha = 0, beta = 0;

  bool operator==(const Activation &) const = default;

  Num apply(Num x) const;
};

/// The activations of all directions, in order; failure after a diagnostic
/// when one is unknown.
mlir::FailureOr<llvm::SmallVector<Activation>>
readActivations(graph::RecurrenceOp op);

/// The cell of one direction.
struct RecurrentCell {
  graph::Cell kind;
  llvm::SmallVector<Activation> activations;
  std::optional<double> clip;
  bool inputForget = false;

  Num clipped(Num x) const;
  /// RNN: the new state.
  Num rnn(Num sum) const;
  /// GRU: the new state from update gate, candidate and old state.
  Num gru(Num update, Num candidate, Num h) const;
  Num gate(Num sum) const; ///< the first activation
  /// LSTM: sums of i, o, f, c; peepholes for i, o, f, null when absent. The
  /// new (h, c).
  std::pair<Num, Num> lstm(llvm::ArrayRef<Num> sums, Num c,
                           llvm::ArrayRef<Num> peepholes) const;
};

} // namespace tenon::codegen

#endif // TENON_PASSES_CODEGEN_BODIES_RECURRENTCELL_H
