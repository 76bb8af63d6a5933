//===- Table.cpp - random numbers -----------------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file lists the family's operators and draws their numbers.
//===----------------------------------------------------------------------===//
#include "passes/Normalize/Random/Philox.h"
#include "passes/Normalize/Random/Random.h"

#include "llvm/ADT/bit.h"
#include "llvm/Support/xxhash.h"

using namespace tenon;
using namespace tenon::normalize;

/// Parts of a node draw apart: the last bit of their number says which it is.
static RandomSource sourceOf(NormalizeContext &ctx, const Node &node,
                             unsigned part) {
  RandomSource source;
  source.step = ctx.scalar(0, ctx.builder().getI64Type());
  source.node = part;
  if (node.has("seed")) {
    source.seed = llvm::bit_cast<uint32_t>(node.real("seed", 0));
    return source;
  }
  if (auto name = ctx.location()->findInstanceOf<mlir::NameLoc>())
    source.node |= uint32_t(llvm::xxh3_64bits(name.getName().strref())) << 1;
  return source;
}

Value Draws::uniform(ArrayRef<mlir::Attribute> dims, unsigned part) const {
  Value bits = randomBits(ctx, sourceOf(ctx, node, part), dims);
  Value upper = ctx.create<graph::ShiftRightOp>(bits, ctx.scalarLike(8, bits));
  return ctx.create<graph::MulOp>(ctx.cast(upper, real), number(0x1p-24));
}

Value Draws::normal(ArrayRef<mlir::Attribute> dims) const {
  // From (0, 1], for 0 has no logarithm.
  Value first = ctx.create<graph::SubOp>(number(1), uniform(dims, 0));
  Value radius = ctx.create<graph::SqrtOp>(
      ctx.create<graph::MulOp>(ctx.create<graph::LogOp>(first), number(-2)));
  Value angle =
      ctx.create<graph::MulOp>(uniform(dims, 1), number(2 * 3.141592653589793));
  return ctx.create<graph::MulOp>(radius, ctx.create<graph::CosOp>(angle));
}

void normalize::populateRandomLowerings(LoweringTable &table) {
  table.add("Bernoulli", lowerBernoulli);
  table.add("Multinomial", lowerMultinomial);
  populateFillLowerings(table);
}
