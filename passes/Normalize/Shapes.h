//===- Shapes.h - dimensions with their symbols -----------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file brings in the graph dialect's dimension lists, for lowerings that
// rearrange dimensions without needing their sizes, so that symbols pass.
//===----------------------------------------------------------------------===//
#ifndef TENON_PASSES_NORMALIZE_SHAPES_H
#define TENON_PASSES_NORMALIZE_SHAPES_H

#include "dialects/Graph/Shapes.h"

namespace tenon::normalize {

using graph::Dims;
using graph::dimsOf;
using graph::sizeDim;
using graph::sizeOf;
using graph::typeFromDims;

/// `type` with other sizes; a dynamic size keeps the dimension as it was. The
/// rank is the same.
mlir::RankedTensorType resized(mlir::RankedTensorType type,
                               llvm::ArrayRef<int64_t> shape);

/// The symbols of a dimension, and those that derived ones are made of.
llvm::SmallVector<mlir::StringAttr> symbolsBelow(mlir::Attribute dim);

/// Those of all dimensions; of a tensor, which need not have a rank.
llvm::SmallVector<mlir::StringAttr>
symbolsIn(llvm::ArrayRef<mlir::Attribute> dims);
llvm::SmallVector<mlir::StringAttr> symbolsIn(mlir::Type type);

/// 0, 1, ... n - 1
llvm::SmallVector<int64_t> range(int64_t begin, int64_t end);

} // namespace tenon::normalize

#endif // TENON_PASSES_NORMALIZE_SHAPES_H
