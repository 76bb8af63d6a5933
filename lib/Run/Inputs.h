//===- Inputs.h - where inputs come from ------------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file declares how tenon-run gets its inputs.
//===----------------------------------------------------------------------===//
#ifndef TENON_RUN_INPUTS_H
#define TENON_RUN_INPUTS_H

#include "lib/Run/Options.h"
#include "lib/Run/Tensor.h"

namespace tenon::run {

/// The number of the tensor that an assignment is for.
Result<int64_t> findTensor(const Assignment &assignment,
                           const std::vector<TensorSpec> &specs,
                           const char *what);

/// Reads inputs or makes them up. Sizes that the signature leaves open come
/// from files, --shape and --dim, or from an input that shares the symbol.
Result<std::vector<Tensor>> gatherInputs(const Options &options,
                                         std::vector<TensorSpec> specs);

} // namespace tenon::run

#endif // TENON_RUN_INPUTS_H
