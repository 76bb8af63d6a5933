//===- Execute.h - groups run against their program -------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file declares the execution of programs and of groups on hashes. What a
// statement computes is a hash of its name and of what it reads, a reduction is
// the sum of those of its terms; equal hashes mean the same computation, where
// equal numbers may hide a difference (max, relu, a softmax's shift):
//
//   program   y[i] = h("relu", x[i])           s = y[0] + y[1] + ...
//   group     for tile: y in its own store, which starts empty; s
//
// A read of what is not there is an error, so is a second write of something
// else, and a read of what another tile writes in the same step.
//===----------------------------------------------------------------------===//
#ifndef TENON_LIB_POLY_EXECUTE_H
#define TENON_LIB_POLY_EXECUTE_H

#include "lib/Poly/Footprint.h"

namespace tenon::poly {

/// What runs instead of a program: groups one after the other, each over its
/// boxes. Statements have the numbers that they have in the program; those with
/// host dimensions take turns in each step. The scop is that of the program,
/// unless what is held against it was made from another one.
struct Plan {
  Scop scop;
  std::vector<Group> groups;
  std::vector<Footprint> footprints; ///< of each group
};

/// Groups with the boxes that tiles need.
Plan planOf(const Scop &scop, llvm::ArrayRef<Group> groups);

/// The instances of all statements.
int64_t instancesOf(const Scop &scop);

/// Runs a program as it is. Fails if it reads what is not there, leaves a
/// tensor or writes an element twice.
llvm::Error execute(const Scop &scop);

/// Runs both as they are, tiles in an order drawn from `seed`, and compares
/// what is live out. Fails with what is wrong first.
llvm::Error compare(const Scop &program, const Plan &plan, uint64_t seed = 1);

/// What a validation rests on.
enum class ValidatedBy {
  Execution, ///< groups ran, with smaller extents where accesses allow that
  Proof,     ///< one was too large to run; prove() holds for all sizes
};

/// Whether groups, one after the other, compute what the program does: all
/// statements are in one at least, each reads what earlier ones write only, and
/// each runs as its statements do, one after the other. Trusts the program
/// alone. Boxes of full size are not looked at; prove() with them does that.
llvm::Error validate(const Scop &scop, llvm::ArrayRef<Group> partition,
                     ValidatedBy *by = nullptr);

} // namespace tenon::poly

#endif // TENON_LIB_POLY_EXECUTE_H
