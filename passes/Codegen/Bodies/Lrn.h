//===- Lrn.h - local response normalisation of an element -------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TENON_PASSES_CODEGEN_BODIES_LRN_H
#define TENON_PASSES_CODEGEN_BODIES_LRN_H

#include "dialects/Graph/Graph.h"
#include "passes/Codegen/Builder/VectorMath.h"

namespace tenon::codegen {

/// What an element is multiplied by, where `squares` is the sum of the squares
/// around it: (bias + alpha / size * squares) ^ -beta.
Num lrnFactor(graph::LrnOp lrn, Num squares);

} // namespace tenon::codegen

#endif // TENON_PASSES_CODEGEN_BODIES_LRN_H
