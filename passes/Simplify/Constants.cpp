//===- Constants.cpp - constants as rewrites see them ---------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file implements reading, making and computing of constants.
//===----------------------------------------------------------------------===//
#include "passes/Simplify/Constants.h"

#include "passes/Simplify/CompactTensor.h"

using namespace mlir;
using namespace tenon;
using namespace tenon::graph;

ElementsAttr simplify::constantOf(Value value) {
  auto constant = value.getDefiningOp<ConstantOp>();
  return constant ? constant.getValue() : ElementsAttr();
}

std::optional<double> simplify::splatOf(Value value) {
  auto dense = dyn_cast_or_null<DenseElementsAttr>(constantOf(value));
  if (!dense || dense.empty() || !dense.isSplat())
    return std::nullopt;
  if (auto type = dyn_cast<FloatType>(dense.getElementType())) {
    APFloat number = dense.getSplatValue<APFloat>();
    bool inexact = false;
    number.convert(APFloat::IEEEdouble(), APFloat::rmNearestTiesToEven,
                   &inexact);
    return number.convertToDouble();
  }
  APInt number = dense.getSplatValue<APInt>();
  bool isUnsigned = dense.getElementType().isUnsignedInteger() ||
                    dense.getElementType().isInteger(1);
  if (number.getActiveBits() > 52 && (-number).getActiveBits() > 52)
    return std::nullopt;
  return isUnsigned ? static_cast<double>(number.getZExtValue())
                    : static_cast<double>(number.getSExtValue());
}

bool simplify::isSplat(Value value, double number) {
  auto splat = splatOf(value);
  return splat && *splat == number;
}

bool simplify::keepsResult(OpOperand &operand, RankedTensorType other) {
  Operation *op = operand.getOwner();
  SmallVector<RankedTensorType> types;
  for (OpOperand &each : op->getOpOperands())
    types.push_back(&each == &operand
                        ? other
                        : cast<RankedTensorType>(each.get().getType()));
  auto result = cast<RankedTensorType>(op->getResult(0).getType());
  auto joined = broadcastTypes(types, result.getElementType());
  return succeeded(joined) && *joined == result;
}

FailureOr<SmallVector<Value>> simplify::evaluate(OpBuilder &builder,
                                                 Operation *op) {
  SmallVector<CompactTensor> operands;
  for (Value operand : op->getOperands()) {
    auto constant = CompactTensor::read(operand);
    if (!constant)
      return failure();
    operands.push_back(*constant);
  }
  auto results = evaluate(op, operands);
  if (failed(results))
    return failure();
  return llvm::map_to_vector(*results, [&](const CompactTensor &result) {
    return materialize(builder, op->getLoc(), result);
  });
}

Value simplify::reshaped(OpBuilder &builder, Location loc, Value value,
                         ArrayRef<int64_t> shape) {
  auto type = cast<RankedTensorType>(value.getType());
  if (type.getShape() == shape)
    return value;
  return builder.createOrFold<ReshapeOp>(loc, withShape(type, shape), value);
}

Value simplify::reshapedTo(OpBuilder &builder, Location loc, Value value,
                           ArrayRef<Attribute> dims) {
  auto type = cast<RankedTensorType>(value.getType());
  RankedTensorType wanted = typeFromDims(dims, type.getElementType());
  if (type == wanted)
    return value;
  return builder.createOrFold<ReshapeOp>(loc, wanted, value);
}

bool simplify::isFixed(SliceOp slice) {
  return !slice.getStartDims() && !slice.getSizeDims();
}

bool simplify::movesOnlyUnits(RankedTensorType type,
                              ArrayRef<int64_t> permutation) {
  if (countUnknown(type) > 1)
    return false;
  int64_t last = -1;
  for (int64_t from : permutation) {
    if (type.getDimSize(from) == 1)
      continue;
    if (from < last)
      return false;
    last = from;
  }
  return true;
}

Value simplify::transposed(OpBuilder &builder, Location loc, Value value,
                           ArrayRef<int64_t> permutation) {
  auto type = cast<RankedTensorType>(value.getType());
  if (movesOnlyUnits(type, permutation))
    return builder.createOrFold<ReshapeOp>(loc, permuted(type, permutation),
                                           value);
  if (constantOf(value))
    return compute<TransposeOp>(builder, loc, value, permutation);
  return builder.createOrFold<TransposeOp>(loc, value, permutation);
}
