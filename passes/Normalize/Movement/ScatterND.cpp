//===- ScatterND.cpp - slices by index tuples -----------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file folds the indexed dimensions into one and scatters to it.
//===----------------------------------------------------------------------===//
#include "passes/Normalize/Movement/Movement.h"
#include "passes/Normalize/Movement/Scatter.h"

using namespace tenon;
using namespace tenon::normalize;

/// Whether updates may have a slice for each tuple: what symbols leave open is
/// asked of the reshape to just that.
static bool mayFit(const Node &node, int64_t tuple) {
  Dims data = dimsOf(node.type(0)), expected = dimsOf(node.type(1)),
       updates = dimsOf(node.type(2));
  if (tuple < 1 || tuple > int64_t(data.size()))
    return false;
  expected.pop_back();
  expected.append(data.begin() + tuple, data.end());
  return expected.size() == updates.size() &&
         llvm::all_of(llvm::zip(expected, updates), [](auto pair) {
           return graph::mayBeEqual(std::get<0>(pair), std::get<1>(pair));
         });
}

Lowered normalize::lowerScatterND(NormalizeContext &ctx, const Node &node) {
  auto kind = scatterKind(ctx, node);
  if (!kind)
    return mlir::failure();
  Dims tupleDims = dimsOf(node.type(1)), data = dimsOf(node.type(0));
  if (llvm::is_contained(data, mlir::Attribute()) ||
      llvm::is_contained(tupleDims, mlir::Attribute()))
    return ctx.unsupported(kUnknownShape);
  int64_t tuple = tupleDims.empty() ? 0 : sizeOf(tupleDims.back());
  // The ranks say how many dimensions a tuple indexes.
  if (mlir::ShapedType::isDynamic(tuple))
    tuple = int64_t(tupleDims.size()) - 1 + int64_t(data.size()) -
            node.type(2).getRank();
  if (!mayFit(node, tuple))
    return ctx.unsupported("index tuples and updates do not fit the data");
  auto sizes = ArrayRef<mlir::Attribute>(data).take_front(tuple);
  Value tuples = ctx.cast(ofLength(ctx, node.operand(1), tuple),
                          ctx.builder().getI64Type());
  Value linear = linearIndex(ctx, tupleParts(ctx, tuples, sizes), {},
                             product(node.context(), sizes));
  return scatterRows(ctx, node.operand(0), linear, node.operand(2), tuple,
                     *kind);
}
