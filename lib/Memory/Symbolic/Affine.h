//===- Affine.h - sizes with symbols ----------------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file has affine forms over symbols, each with a range: `256*n+128` with
// n in 1..512. An affine form takes its extremes over a box of ranges at
// corners, each symbol on its own, so "below zero everywhere" is decided in
// one pass over the factors.
//===----------------------------------------------------------------------===//
#ifndef TENON_LIB_MEMORY_SYMBOLIC_AFFINE_H
#define TENON_LIB_MEMORY_SYMBOLIC_AFFINE_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/Support/Error.h"
#include <cstdint>
#include <string>
#include <vector>

namespace tenon::mem {

/// A number that is known when the program runs: low <= value <= high.
struct Symbol {
  std::string name;
  int64_t low = 0, high = 0;

  bool operator==(const Symbol &) const = default;
};

/// A box: one range per symbol.
using Box = std::vector<Symbol>;

/// The point where every symbol is at its highest.
std::vector<int64_t> highest(const Box &box);

/// constant + sum of factors[i] * symbol i. Sums do not check for overflow:
/// Symbolic::check() bounds all forms of a problem together.
struct Affine {
  int64_t constant = 0;
  llvm::SmallVector<int64_t, 2> factors = {}; ///< missing ones are zero

  Affine(int64_t constant = 0) : constant(constant) {}

  int64_t factor(size_t symbol) const {
    return symbol < factors.size() ? factors[symbol] : 0;
  }
  void add(size_t symbol, int64_t factor);

  Affine operator+(const Affine &other) const;
  Affine operator-(const Affine &other) const;
  bool operator==(const Affine &other) const;

  bool isConstant() const;
  /// Whether every value is a multiple of a power of two, for any symbols.
  bool isMultipleOf(int64_t alignment) const;

  int64_t at(llvm::ArrayRef<int64_t> point) const;
  /// The extremes over the box.
  int64_t least(const Box &box) const;
  int64_t most(const Box &box) const;

  /// `256*n+128`; never empty.
  std::string text(const Box &box) const;
};

/// An affine form that is nowhere in the box below either; one of them where
/// that is possible.
Affine join(const Affine &a, const Affine &b, const Box &box);

/// Reads `4*n*64+128`: sums and differences of products with at most one
/// symbol each. Products are below 2^40 over the whole box, constants below
/// 2^60.
llvm::Expected<Affine> readAffine(llvm::StringRef text, const Box &box);

} // namespace tenon::mem

#endif // TENON_LIB_MEMORY_SYMBOLIC_AFFINE_H
