//===- Scop.h - a program as sets and relations -----------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file declares programs as polyhedral analyses see them: statements that
// run once for each point of a box, and affine accesses to tensors. What
// an operation computes is a name; equal names mean equal functions.
//
//   y[i, j] = max(0, x[i, j])         statement "relu", 2 parallel dimensions
//   s[i]    = sum over j of y[i, j]   statement "sum", j a reduction
//===----------------------------------------------------------------------===//
#ifndef TENON_LIB_POLY_SCOP_H
#define TENON_LIB_POLY_SCOP_H

#include "llvm/Support/Error.h"
#include <cstdint>
#include <string>
#include <vector>

namespace tenon::poly {

enum class DimKind {
  Parallel,  ///< its points may run in any order, or at once
  Reduction, ///< its points are combined into one element
  Host,      ///< its points follow each other: time steps, iterations
};

struct Dim {
  int64_t extent; ///< at least 1
  DimKind kind = DimKind::Parallel;
};

/// An index into one dimension of a tensor, from the dimensions d of a domain:
///   floor((offset + sum of coefficients[d] * d) / divisor)
/// and, if `modulus` is not 0, that modulo it.
struct Index {
  int64_t offset = 0;
  std::vector<int64_t> coefficients = {}; ///< missing ones are 0
  int64_t divisor = 1, modulus = 0;
  bool any = false; ///< any index of the dimension: which one, data decide
};

struct Access {
  unsigned tensor = 0;
  std::vector<Index> index = {}; ///< per dimension of the tensor
  /// Whether the elements named are those touched; else these are among them.
  bool exact = true;
  /// Whether points may leave the tensor. What they read then is no element:
  /// they touch nothing there.
  bool leaves = false;
};

struct Tensor {
  std::vector<int64_t> shape;
  int64_t elementBytes = 4;
  bool liveIn = false;  ///< exists before the program
  bool liveOut = false; ///< is read after it
};

/// One element of its result for each point of the parallel and host
/// dimensions, combined over the points of the reduced ones.
struct Statement {
  /// What it computes, attributes included. Empty: the element it reads.
  std::string name;
  std::vector<Dim> dims;
  Access write;
  std::vector<Access> reads = {};
  double flops = 0; ///< of each point
};

/// Statements run in order, each over all of its domain; those with host
/// dimensions share these, outermost, and run in order in each iteration. A
/// tensor may have several writers, which write different elements.
struct Scop {
  std::vector<Tensor> tensors;
  std::vector<Statement> statements;
};

/// Whether indices, extents and numbers fit; the statement and what is wrong.
llvm::Error check(const Scop &scop);

} // namespace tenon::poly

#endif // TENON_LIB_POLY_SCOP_H
