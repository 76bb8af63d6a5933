//===- Random.h - lowerings of the random family ----------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file is private to the family; each function stands in the file of its
// operator.
//
// A model is a function of its inputs here: a node draws the same numbers in
// each run. With a `seed` these follow from it, else from the name of the node,
// so that two nodes draw different ones.
//===----------------------------------------------------------------------===//
#ifndef TENON_PASSES_NORMALIZE_RANDOM_RANDOM_H
#define TENON_PASSES_NORMALIZE_RANDOM_RANDOM_H

#include "passes/Normalize/Lowering.h"
#include "passes/Normalize/Shapes.h"

namespace tenon::normalize {

/// The numbers that one node draws, of a float type.
class Draws {
public:
  Draws(NormalizeContext &ctx, const Node &node, mlir::Type real)
      : ctx(ctx), node(node), real(real) {}

  /// From [0, 1): 24 bits, which f32 holds exactly. Draws of another `part` of
  /// the same node are independent.
  Value uniform(ArrayRef<mlir::Attribute> dims, unsigned part = 0) const;
  /// Of mean 0 and variance 1 (Box and Muller, 1958).
  Value normal(ArrayRef<mlir::Attribute> dims) const;
  Value number(double value) const { return ctx.scalar(value, real); }

private:
  NormalizeContext &ctx;
  const Node &node;
  mlir::Type real;
};

Lowered lowerBernoulli(NormalizeContext &ctx, const Node &node);
Lowered lowerMultinomial(NormalizeContext &ctx, const Node &node);
/// RandomUniform and RandomNormal, each with and without Like.
void populateFillLowerings(LoweringTable &table);

} // namespace tenon::normalize

#endif // TENON_PASSES_NORMALIZE_RANDOM_RANDOM_H
