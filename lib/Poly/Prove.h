//===- Prove.h - that a group computes what it should -----------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file declares the proofs of a group, from the program alone:
//
//   cover     all that a tile reads of the group's results, earlier statements
//             of the group have written in the same tile, or earlier steps of
//             host dimensions
//   outputs   tiles together write all that others read
//   acyclic   no statement outside of the group must run between its own
//
// for tiles of all sizes at all origins at once: a tile is a window
// o <= i < o + T with an origin o that is an input and a size T that is a
// parameter. Relations are isl's; each statement has an allowance of counted
// operations, so that a proof ends after the same work anywhere.
//===----------------------------------------------------------------------===//
#ifndef TENON_LIB_POLY_PROVE_H
#define TENON_LIB_POLY_PROVE_H

#include "lib/Poly/Footprint.h"

namespace tenon::poly {

struct Proof {
  /// Why there is none, in words; "isl-quota" where the allowance was spent.
  std::string refusal;
  /// Of each statement of the group: whether what a tile needs is the product
  /// of what it needs along each dimension, for all origins and sizes.
  std::vector<bool> separable;

  bool holds() const { return refusal.empty(); }
};

struct ProofOptions {
  uint64_t operationsPerStatement = 10000;
};

/// For all sizes; those of the group are not looked at.
Proof prove(const Scop &scop, const Group &group,
            const ProofOptions &options = {});

/// For the boxes given and the tiles that there are: whoever found the boxes is
/// not trusted. `separable` stays empty.
Proof prove(const Scop &scop, const Group &group, const Footprint &footprint,
            const ProofOptions &options = {});

} // namespace tenon::poly

#endif // TENON_LIB_POLY_PROVE_H
