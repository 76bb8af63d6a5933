//===- Types.h - types of values that the host holds ------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file declares what is known of a value that may come from one of two
// places.
//===----------------------------------------------------------------------===//
#ifndef TENON_PASSES_NORMALIZE_CONTROL_TYPES_H
#define TENON_PASSES_NORMALIZE_CONTROL_TYPES_H

#include "passes/Normalize/Context.h"

namespace tenon::normalize {

/// Whether a value is a sequence that has no elements for sure, so that its
/// element type says nothing.
bool isEmptySequence(Value value);

/// Marks an argument of a function as such.
void markEmpty(mlir::BlockArgument argument, bool isEmpty);

/// A type of the elements of a sequence or of an optional that holds for both:
/// extents that differ are not known, nor are ranks. Null where kinds or
/// element types differ.
mlir::Type joinTypes(mlir::Type a, mlir::Type b);

/// The type without symbols, of which an importer's mean nothing.
mlir::Type withoutSymbols(mlir::Type type);

/// `type` with a name for each extent that has none: `<node>_<result>_<dim>`.
RankedTensorType withNames(NormalizeContext &ctx, unsigned result,
                           RankedTensorType type);

} // namespace tenon::normalize

#endif // TENON_PASSES_NORMALIZE_CONTROL_TYPES_H
