//===- Training.h - which constants of a model are trained ------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TENON_LIB_COMPILER_TRAINING_H
#define TENON_LIB_COMPILER_TRAINING_H

#include "mlir/IR/BuiltinOps.h"
#include "llvm/Support/Error.h"

#include <string>

namespace tenon {

struct CompileOptions;

/// What a model is trained with; nothing where it is not.
struct TrainingOptions {
  std::string loss;        ///< --loss
  std::string optimizer;   ///< --optimizer
  std::string trainable;   ///< --trainable; empty: all that can be
  std::string noDecay;     ///< --no-decay; empty: vectors
  double clipNorm = 0;     ///< --clip-norm; 0: none
  double clipValue = 0;    ///< --clip-value; 0: none
  std::string lossScale;   ///< --loss-scale; empty: what the types need
  bool keepsTied = false;  ///< --keep-tied
  unsigned accumulate = 1; ///< --accumulate: batches for an update
  uint64_t seed = 0;       ///< --seed, of what is random

  bool isOn() const { return !optimizer.empty(); }
};

/// Puts what was given into `options`, whose states and device are known. The
/// error says which of them is wrong, or what they contradict.
llvm::Error setTraining(CompileOptions &options, bool train,
                        const TrainingOptions &given);

/// Reads --arena-budget into `options`, whose training is known: bytes as 300M,
/// a fraction as 0.25, none, or frontier.
llvm::Error setArenaBudget(CompileOptions &options, llvm::StringRef budget);

/// Makes the initialisers that are trained arguments of the program, before
/// anything can fold, merge or pack what changes, and adds, if it is to, the
/// program that evaluates. Fails with a diagnostic where none is trained, or
/// one cannot be.
mlir::LogicalResult prepareTraining(mlir::ModuleOp module,
                                    const TrainingOptions &options,
                                    bool evaluates);

} // namespace tenon

#endif // TENON_LIB_COMPILER_TRAINING_H
