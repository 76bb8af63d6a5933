//===- Extents.h - sizes that depend on data --------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file declares how numbers that a model computes become dimensions. What
// is neither constant nor made of symbols is data: small graph operations bring
// it into the form of sizes, and the primitive `extents` makes symbols of it:
//
//   %n = graph.min %length, %most : (tensor<1xi64>, tensor<1xi64>) -> ...
//   %0 = control.call "extents"(%n) : (tensor<1xi64>)
//          -> tensor<?x0xi8, #graph.dims<["node_size_0", 0]>>
//
// It refuses what is negative when the program runs, by the name of its node.
//===----------------------------------------------------------------------===//
#ifndef TENON_PASSES_NORMALIZE_EXTENTS_H
#define TENON_PASSES_NORMALIZE_EXTENTS_H

#include "passes/Normalize/Context.h"
#include "passes/Normalize/Shapes.h"

namespace tenon::normalize {

/// One of the integers in a tensor.
struct Element {
  mlir::Attribute dim;  ///< a number or made of symbols; null: data say it
  Value source;         ///< then it is an element of this
  int64_t position = 0; ///< in row-major order

  bool isKnown() const { return bool(dim); }
};

/// Whether `value` is neither constant nor made of symbols.
bool isData(const NormalizeContext &ctx, Value value);

/// The elements of a tensor of integers, some of which may be known where not
/// all are. Refuses tensors of which it is not known how many they have.
std::optional<SmallVector<Element>> elementsOf(NormalizeContext &ctx,
                                               Value tensor, StringRef name);

/// As an i64 vector of one element, the form of all numbers here.
Value numberOf(NormalizeContext &ctx, const Element &element);
Value numberOf(NormalizeContext &ctx, mlir::Attribute dim);
Value numberOf(NormalizeContext &ctx, int64_t number);
/// The only element of a tensor of any rank, without change of its type.
Value onlyElement(NormalizeContext &ctx, Value tensor);

/// Arithmetic on numbers.
Value clampNumber(NormalizeContext &ctx, Value number, Value low, Value high);
/// Rounded up; 0 where that is less. `divisor` is positive.
Value countSteps(NormalizeContext &ctx, Value distance, int64_t divisor);

/// Dimensions for numbers: none may turn out to be negative, nor may `checks`,
/// or the run fails before anything relies on it. Symbols for what is data,
/// and for what cannot be checked otherwise.
std::optional<Dims> extents(NormalizeContext &ctx, ArrayRef<Value> numbers,
                            ArrayRef<Value> checks = {});

/// The elements as dimensions: known ones as they are, be they negative, and
/// symbols for those that are data, which must not be.
std::optional<Dims> knownOrExtents(NormalizeContext &ctx,
                                   ArrayRef<Element> elements);

/// `value` under `dims`, each of which is the same as before: what is not known
/// of that is checked by the run. Null after a refusal.
Value heldTo(NormalizeContext &ctx, Value value,
             ArrayRef<mlir::Attribute> dims);

/// `dim` by `divisor`, rounded down, where neither is negative: an expression,
/// or else what the run computes. Null after a refusal.
mlir::Attribute quotientOf(NormalizeContext &ctx, mlir::Attribute dim,
                           mlir::Attribute divisor);

/// Dimensions for the elements of a tensor that holds sizes. Refuses negative
/// ones, now or when the program runs.
std::optional<Dims> sizesOf(NormalizeContext &ctx, Value tensor,
                            StringRef name);

/// A symbol for a size that the node in hand finds in its data, at most `most`.
mlir::Attribute freshSymbol(NormalizeContext &ctx, const llvm::Twine &suffix,
                            int64_t most = INT64_MAX);

/// States that a symbol of extents() is at most that.
void limitSymbol(NormalizeContext &ctx, mlir::Attribute dim, int64_t most);

/// Whether the shapes of the model's inputs determine a dimension: then a
/// caller can be held to what is demanded of it, while data are as they are.
bool isOfInputs(NormalizeContext &ctx, mlir::Attribute dim);

} // namespace tenon::normalize

#endif // TENON_PASSES_NORMALIZE_EXTENTS_H
