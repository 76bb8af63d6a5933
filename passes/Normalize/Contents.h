//===- Contents.h - arithmetic on sizes -------------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file declares the evaluation of operations on small integer tensors
// whose elements are computed from symbols: shapes on their way to where they
// are needed.
//===----------------------------------------------------------------------===//
#ifndef TENON_PASSES_NORMALIZE_CONTENTS_H
#define TENON_PASSES_NORMALIZE_CONTENTS_H

#include "dialects/Graph/Constraints.h"
#include "passes/Normalize/Shapes.h"

namespace tenon::normalize {

/// The elements of the only result of `op`, from those of its operands, none of
/// them null. Nothing if they are not known for all values of the symbols.
std::optional<Dims> evaluateContents(mlir::Operation *op,
                                     llvm::ArrayRef<Dims> operands,
                                     const graph::ConstraintStore &symbols);

/// Elements that `op` only moves, whatever they stand for; nothing if it does
/// more, or if where it moves them is not known.
std::optional<Dims> moveContents(mlir::Operation *op,
                                 llvm::ArrayRef<Dims> operands);

} // namespace tenon::normalize

#endif // TENON_PASSES_NORMALIZE_CONTENTS_H
