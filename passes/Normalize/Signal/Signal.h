//===- Signal.h - lowerings of the signal family ----------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file is private to the family; each function stands in the file of its
// operator.
//===----------------------------------------------------------------------===//
#ifndef TENON_PASSES_NORMALIZE_SIGNAL_SIGNAL_H
#define TENON_PASSES_NORMALIZE_SIGNAL_SIGNAL_H

#include "passes/Normalize/Lowering.h"
#include "passes/Normalize/Shapes.h"

namespace tenon::normalize {

Lowered lowerDeformConv(NormalizeContext &ctx, const Node &node);
Lowered lowerDft(NormalizeContext &ctx, const Node &node);
Lowered lowerGridSample(NormalizeContext &ctx, const Node &node);
Lowered lowerMelWeightMatrix(NormalizeContext &ctx, const Node &node);
Lowered lowerRoiAlign(NormalizeContext &ctx, const Node &node);
Lowered lowerStft(NormalizeContext &ctx, const Node &node);

/// HannWindow, HammingWindow, BlackmanWindow.
void populateWindowFunctionLowerings(LoweringTable &table);

//===-- What they share -----------------------------------------------------//

/// A constant with these elements, each rounded once.
Value numbers(NormalizeContext &ctx, ArrayRef<double> values,
              ArrayRef<int64_t> shape, mlir::Type element);

/// The number that operand `index` holds; refuses what is no constant scalar.
std::optional<int64_t> integerOperand(NormalizeContext &ctx, const Node &node,
                                      unsigned index, StringRef name);
std::optional<double> realOperand(NormalizeContext &ctx, const Node &node,
                                  unsigned index, StringRef name);

/// The size that operand `index` holds: any number of a constant, made of
/// symbols, or what the run finds there, which checks that it lies in [least,
/// most]. Null after a refusal.
mlir::Attribute sizeOperand(NormalizeContext &ctx, const Node &node,
                            unsigned index, StringRef name, int64_t least,
                            int64_t most);
/// The same for a dimension that is at hand.
mlir::Attribute withinRange(NormalizeContext &ctx, mlir::Attribute dim,
                            int64_t least, int64_t most);

/// A dimension as a tensor of rank 0.
Value sizeScalar(NormalizeContext &ctx, mlir::Attribute dim,
                 mlir::Type element);

/// A signal whose last dimension is open as one of `parts`, real or complex:
/// real numbers become complex where there may be either.
Value inParts(NormalizeContext &ctx, Value signal, int64_t parts);

/// Makes `count` rows, neighbours along dimension `axis`, in blocks whose
/// `bytes` for each row stay in a core's own cache; of an open number all at
/// once. `make` gets the first row of a block and how many it has.
Value inBlocks(
    NormalizeContext &ctx, mlir::Attribute count, int64_t bytes, int64_t axis,
    llvm::function_ref<Value(mlir::Attribute first, mlir::Attribute size)>
        make);

/// The first `size` elements of dimension `axis`, zeros where there are less.
Value resizeWithZeros(NormalizeContext &ctx, Value value, int64_t axis,
                      mlir::Attribute size);

} // namespace tenon::normalize

#endif // TENON_PASSES_NORMALIZE_SIGNAL_SIGNAL_H
