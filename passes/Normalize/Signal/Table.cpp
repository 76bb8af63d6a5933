//===- Table.cpp - spectra, windows and sampling --------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file lists the family's operators and has what they share.
//===----------------------------------------------------------------------===//
#include "lib/Interpreter/Elements.h"
#include "passes/Normalize/Signal/Signal.h"

using namespace tenon;
using namespace tenon::normalize;

Value normalize::numbers(NormalizeContext &ctx, ArrayRef<double> values,
                         ArrayRef<int64_t> shape, mlir::Type element) {
  auto tensor = interp::Tensor::allocate(RankedTensorType::get(shape, element));
  if (!tensor) {
    (void)ctx.unsupported("no constant of this type or size is supported");
    return {};
  }
  interp::store<double>(tensor, 0, values);
  return ctx.constant(tensor.toElements());
}

mlir::Type normalize::computeType(mlir::Type element) {
  return element.getIntOrFloatBitWidth() < 32
             ? mlir::Float32Type::get(element.getContext())
             : element;
}

template <typename T>
static std::optional<T> only(NormalizeContext &ctx, StringRef name,
                             const std::optional<SmallVector<T>> &values) {
  if (values && values->size() == 1)
    return values->front();
  (void)ctx.unsupported("'" + name + "' is not a number known at compile time");
  return std::nullopt;
}

std::optional<int64_t> normalize::integerOperand(NormalizeContext &ctx,
                                                 const Node &node,
                                                 unsigned index,
                                                 StringRef name) {
  return only(ctx, name, ctx.constantInts(node.operand(index)));
}

std::optional<double> normalize::realOperand(NormalizeContext &ctx,
                                             const Node &node, unsigned index,
                                             StringRef name) {
  return only(ctx, name, ctx.constantReals(node.operand(index)));
}

Value normalize::resizeWithZeros(NormalizeContext &ctx, Value value,
                                 int64_t axis, int64_t size) {
  if (!value)
    return {};
  auto type = mlir::cast<RankedTensorType>(value.getType());
  int64_t missing = size - type.getDimSize(axis);
  if (missing <= 0)
    return ctx.slice(value, axis, 0, size);
  SmallVector<int64_t> low(type.getRank(), 0), high(type.getRank(), 0);
  high[axis] = missing;
  return ctx.create<graph::PadOp>(value, ctx.scalarLike(0.0, value), low, high);
}

namespace tenon::normalize {
void populateSignalLowerings(LoweringTable &table);
}
void normalize::populateSignalLowerings(LoweringTable &table) {
  table.add("DFT", lowerDft);
  table.add("GridSample", lowerGridSample);
  table.add("MelWeightMatrix", lowerMelWeightMatrix);
  table.add("STFT", lowerStft);
  populateWindowFunctionLowerings(table);
}
