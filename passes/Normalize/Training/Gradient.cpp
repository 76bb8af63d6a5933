//===- Gradient.cpp - gradients that a model asks for ---------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file leaves a request of lowered operands: what is differentiated has
// rules once all of it is lowered (tenon-expand-gradients).
//===----------------------------------------------------------------------===//
#include "dialects/Graph/GradientRequest.h"
#include "passes/Normalize/Training/Training.h"

using namespace tenon;
using namespace tenon::normalize;

Lowered normalize::lowerGradient(NormalizeContext &ctx, const Node &node) {
  size_t wanted = node.strings("xs").size();
  size_t named = wanted + node.strings("zs").size();
  ArrayRef<Value> operands = node.allOperands();
  if (operands.size() != 2 * named + 1 || node.numResults() != wanted)
    return ctx.unsupported("inputs and outputs are not as many as 'xs' and "
                           "'zs' name");
  for (Value operand : operands)
    if (!ctx.isStatic(operand))
      return mlir::failure();
  llvm::SmallDenseSet<Value> names;
  for (size_t i = 0; i < named; ++i) {
    if (operands[i].getType() != operands[named + i].getType())
      return ctx.unsupported("an input is not of the type and shape of the "
                             "tensor that 'xs' or 'zs' names for it");
    if (!names.insert(operands[named + i]).second)
      return ctx.unsupported("'xs' and 'zs' name one tensor twice");
  }
  for (Value x : operands.slice(named, wanted))
    if (x.getDefiningOp<graph::ConstantOp>())
      return ctx.unsupported("'xs' names a constant");
  auto request = mlir::UnrealizedConversionCastOp::create(
      ctx.builder(), ctx.location(),
      mlir::TypeRange(mlir::ValueRange(operands.take_front(wanted))), operands);
  request->setAttr(graph::kGradientRequest, ctx.builder().getUnitAttr());
  return SmallVector<Value>(request.getResults());
}
