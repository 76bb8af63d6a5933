//===- Arrays.h - tensors of numbers and of strings alike -------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file declares how primitives move elements, whatever these are: an
// array is a Datum that is a tensor, of strings or not.
//===----------------------------------------------------------------------===//
#ifndef TENON_LIB_INTERPRETER_ARRAYS_H
#define TENON_LIB_INTERPRETER_ARRAYS_H

#include "lib/Interpreter/Call.h"
#include "lib/Interpreter/Datum.h"

namespace tenon::interp {

/// How many elements an array has.
int64_t countOf(const Datum &array);

/// The number that a tensor of one element of integers or truth values holds;
/// nothing for anything else.
std::optional<int64_t> oneNumber(const Datum &datum);

/// Tensors of rank 0.
Tensor numberOf(mlir::MLIRContext *context, int64_t number);
Tensor truthOf(mlir::MLIRContext *context, bool truth);

/// An i64 tensor; no tensor where `shape` is too large.
Tensor numbersOf(mlir::MLIRContext *context, Shape shape,
                 const std::vector<int64_t> &numbers);

/// An array without elements.
Datum emptyArray(mlir::RankedTensorType type);

/// The same elements in another shape of as many.
Datum reshaped(const Datum &array, Shape shape);

/// An array of `shape` whose element i is element `positions[i]` of `from`; no
/// value where it is too large.
Datum pick(const Datum &from, Shape shape,
           const std::vector<int64_t> &positions);

/// Slices `indices` of dimension `axis`.
Datum pickSlices(const Datum &from, int64_t axis,
                 llvm::ArrayRef<int64_t> indices);

/// Arrays, at least one, one behind the other along `axis`, or along a new
/// dimension there. No value where they do not fit together, which `reason`
/// tells.
Datum join(llvm::ArrayRef<Datum> arrays, int64_t axis, bool isNewAxis,
           std::string &reason);

} // namespace tenon::interp

#endif // TENON_LIB_INTERPRETER_ARRAYS_H
