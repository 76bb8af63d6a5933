//===- Ensemble.h - several files as one program ----------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TENON_LIB_COMPILER_ENSEMBLE_H
#define TENON_LIB_COMPILER_ENSEMBLE_H

#include "lib/Import/Ensemble/Ensemble.h"
#include "llvm/Support/Error.h"

#include <string>
#include <vector>

namespace tenon {

struct CompileOptions;

/// The models that are compiled with the first one, if there are any.
struct EnsembleOptions {
  std::vector<std::string> others; ///< files behind the first
  ensemble::Inputs inputs = ensemble::Inputs::Shared;

  bool isOn() const { return !others.empty(); }
};

/// The error says what else in `options`, which are complete, an ensemble
/// cannot have.
llvm::Error checkEnsemble(const CompileOptions &options);

} // namespace tenon

#endif // TENON_LIB_COMPILER_ENSEMBLE_H
