//===- Train.h - a run that trains ------------------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file declares what `tenon-run --data` does.
//===----------------------------------------------------------------------===//
#ifndef TENON_RUN_TRAIN_TRAIN_H
#define TENON_RUN_TRAIN_TRAIN_H

#include "lib/Run/Options.h"

namespace tenon::run {

/// Trains, and prints how it goes: progress to the standard error, what came
/// out to the standard output.
Status train(Options options);

} // namespace tenon::run

#endif // TENON_RUN_TRAIN_TRAIN_H
