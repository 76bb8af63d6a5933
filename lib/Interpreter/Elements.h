//===- Elements.h - from stored elements to numbers -------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file declares how elements of every type become numbers of one of three
// kinds, are computed with there, and are stored again:
//
//   f16 bf16 f32 f64  -> double     i8..i64 -> int64_t     ui8..ui64, i1 ->
//   uint64_t
//
// and smaller ones (SmallElements.h) likewise. Storing rounds a double once to
// the element type and wraps an integer. A sum, product, quotient or root of
// two f32 (f16, bf16) computed in double and then rounded equals the one IEEE
// arithmetic gives in that type, because double has more than twice its digits.
//===----------------------------------------------------------------------===//
#ifndef TENON_LIB_INTERPRETER_ELEMENTS_H
#define TENON_LIB_INTERPRETER_ELEMENTS_H

#include "lib/Interpreter/Interpreter.h"

#include <optional>
#include <type_traits>
#include <vector>

namespace tenon::interp {

/// Bytes of one element in memory, or nothing for types not of the graph.
std::optional<int64_t> elementSize(mlir::Type type);

inline bool isReal(mlir::Type type) { return llvm::isa<mlir::FloatType>(type); }
inline bool isSigned(mlir::Type type) {
  return type.isSignlessInteger() && !type.isInteger(1);
}

/// Reads elements `offset`, `offset + stride`, ... as numbers. To uint64_t,
/// signed integers are zero-extended: their bits.
template <typename W>
void load(const Tensor &tensor, int64_t offset, int64_t stride,
          llvm::MutableArrayRef<W> numbers);

/// Writes numbers to the elements from `offset` on. Doubles saturate in integer
/// elements (NaN is 0); integers wrap there; i1 is whether the number is not 0.
template <typename W>
void store(Tensor &tensor, int64_t offset, llvm::ArrayRef<W> numbers);

template <typename W> std::vector<W> loadAll(const Tensor &tensor) {
  std::vector<W> numbers(tensor.size());
  load<W>(tensor, 0, 1, numbers);
  return numbers;
}

template <typename W>
void storeAll(Tensor &tensor, const std::vector<W> &numbers) {
  store<W>(tensor, 0, numbers);
}

/// Calls `f` with a number of the kind that elements of `type` compute in.
template <typename F> auto withNumbersOf(mlir::Type type, F f) {
  if (isReal(type))
    return f(double());
  if (isSigned(type))
    return f(int64_t());
  return f(uint64_t());
}

/// Calls `f` with the kind to accumulate products in. Integers wrap, so their
/// signs do not matter.
template <typename F> auto withAccumulatorOf(mlir::Type type, F f) {
  if (isReal(type))
    return f(double());
  return f(uint64_t());
}

/// The number of kind `To` nearest to `number` in the sense of `store`.
template <typename To, typename From> To convertNumber(From number);

/// The smallest and largest number an element type holds (infinities included).
template <typename W> W lowestOf(mlir::Type type);
template <typename W> W highestOf(mlir::Type type);

} // namespace tenon::interp

#endif // TENON_LIB_INTERPRETER_ELEMENTS_H
