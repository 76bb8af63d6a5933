//===- Training.h - lowerings of ai.onnx.preview.training -------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TENON_PASSES_NORMALIZE_TRAINING_TRAINING_H
#define TENON_PASSES_NORMALIZE_TRAINING_TRAINING_H

#include "passes/Normalize/Lowering.h"

namespace tenon::normalize {

/// `Gradient`, which the pass tenon-expand-gradients makes operations of.
Lowered lowerGradient(NormalizeContext &ctx, const Node &node);

/// The family's part of allLowerings().
void populateTrainingLowerings(LoweringTable &table);

} // namespace tenon::normalize

#endif // TENON_PASSES_NORMALIZE_TRAINING_TRAINING_H
