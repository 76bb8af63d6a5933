//===- HalfBits.cpp - floats of 16 bits as integers -----------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file gives values of f16 and bf16 the type i16, but where they are
// converted. Kernels only move them otherwise, and where a processor lacks the
// type LLVM moves them through f32: by a library, and not with the same NaN.
//===----------------------------------------------------------------------===//
#include "lib/Target/Cpu/Machine.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;

static bool isHalf(Type type) {
  Type element = getElementTypeOrSelf(type);
  return element.isF16() || element.isBF16();
}

static Type bitsOf(Type type) {
  Type bits = IntegerType::get(type.getContext(), 16);
  auto vector = dyn_cast<VectorType>(type);
  return vector ? vector.clone(bits) : bits;
}

static TypedAttr bitsOf(TypedAttr value) {
  Type bits = IntegerType::get(value.getContext(), 16);
  if (auto dense = dyn_cast<DenseElementsAttr>(value))
    return dense.bitcast(bits);
  return IntegerAttr::get(bits,
                          cast<FloatAttr>(value).getValue().bitcastToAPInt());
}

/// Whether an operation needs to know that bits are a number.
static bool computes(Operation *op) {
  return isa<arith::ArithDialect>(op->getDialect()) &&
         !isa<arith::SelectOp, arith::ConstantOp, arith::BitcastOp>(op);
}

namespace {
/// The operations of a module that touch halves, found before types change.
struct Halves {
  SmallVector<std::pair<OpOperand *, Type>> read; ///< by what computes
  SmallVector<std::pair<Value, Type>> made;       ///< by what computes
  SmallVector<Value> moved;
  SmallVector<arith::ConstantOp> constants;
  SmallVector<arith::BitcastOp> casts;
};
} // namespace

static Halves findHalves(ModuleOp module) {
  Halves found;
  module.walk([&](Operation *op) {
    for (Region &region : op->getRegions())
      for (Block &block : region)
        for (BlockArgument argument : block.getArguments())
          if (isHalf(argument.getType()))
            found.moved.push_back(argument);
    for (OpOperand &operand : op->getOpOperands())
      if (Type type = operand.get().getType(); isHalf(type) && computes(op))
        found.read.push_back({&operand, type});
    for (Value result : op->getResults()) {
      if (!isHalf(result.getType()))
        continue;
      if (computes(op))
        found.made.push_back({result, result.getType()});
      else
        found.moved.push_back(result);
    }
    if (auto constant = dyn_cast<arith::ConstantOp>(op))
      if (isHalf(constant.getType()))
        found.constants.push_back(constant);
    if (auto cast = dyn_cast<arith::BitcastOp>(op))
      found.casts.push_back(cast);
  });
  return found;
}

void tenon::cpu::moveHalvesAsBits(ModuleOp module) {
  Halves found = findHalves(module);
  for (arith::ConstantOp constant : found.constants)
    constant.setValueAttr(bitsOf(constant.getValue()));
  for (Value value : found.moved)
    value.setType(bitsOf(value.getType()));
  for (auto [value, type] : found.made) {
    OpBuilder b(value.getContext());
    b.setInsertionPointAfterValue(value);
    auto bits =
        arith::BitcastOp::create(b, value.getLoc(), bitsOf(type), value);
    value.replaceAllUsesExcept(bits, bits);
  }
  for (auto [operand, type] : found.read) {
    OpBuilder b(operand->getOwner());
    operand->set(arith::BitcastOp::create(b, operand->getOwner()->getLoc(),
                                          type, operand->get()));
  }
  for (arith::BitcastOp cast : found.casts)
    if (cast.getIn().getType() == cast.getType()) {
      cast.replaceAllUsesWith(cast.getIn());
      cast.erase();
    }
}
