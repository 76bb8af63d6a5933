//===- Reduce.cpp - accumulators of a loop nest ---------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "passes/Codegen/Bodies/Reduce.h"
#include "dialects/Graph/Graph.h"
#include "passes/Codegen/Builder/ElementwiseOps.h"
#include "passes/Codegen/Builder/Unfold.h"
#include "passes/Codegen/Builder/VectorMath.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;
using namespace tenon;
using namespace tenon::codegen;

static Type elementOf(const Reduction &reduce) {
  return cast<ShapedType>(reduce.op->getOperand(0).getType()).getElementType();
}

static bool isFloat(const Reduction &reduce) {
  return isa<FloatType>(elementOf(reduce));
}

bool codegen::isFloatSum(const Reduction &reduce) {
  return isFloat(reduce) &&
         isa<graph::ReduceSumOp, graph::ReduceMeanOp>(reduce.op);
}

Type codegen::accumulatorType(KernelBuilder &b, Type element, int64_t lanes) {
  bool half = element.isF16() || element.isBF16();
  return b.vectorType(half ? b.f32Type() : element, lanes);
}

Value codegen::neutralValue(KernelBuilder &b, const Reduction &reduce,
                            Type type) {
  bool isMax = isa<graph::ReduceMaxOp>(reduce.op);
  if (isMax || isa<graph::ReduceMinOp>(reduce.op)) {
    if (isFloat(reduce))
      return b.constantOf(type, isMax ? -INFINITY : INFINITY);
    Type element = elementOf(reduce);
    unsigned width = element.getIntOrFloatBitWidth();
    bool isUnsigned = element.isUnsignedInteger();
    APInt value = isMax ? (isUnsigned ? APInt::getMinValue(width)
                                      : APInt::getSignedMinValue(width))
                        : (isUnsigned ? APInt::getMaxValue(width)
                                      : APInt::getSignedMaxValue(width));
    return b.constantInt(type, value.getSExtValue());
  }
  return b.constantOf(type, isa<graph::ReduceProdOp>(reduce.op) ? 1 : 0);
}

static Value accumulateFloat(KernelBuilder &b, const Reduction &reduce, Value x,
                             Value y) {
  Num a(b, x), v(b, y);
  if (isa<graph::ReduceMaxOp>(reduce.op))
    return reduce.dropsNan ? select(less(a, v), v, a).get()
                           : maximum(a, v).get();
  if (isa<graph::ReduceMinOp>(reduce.op))
    return minimum(a, v).get();
  return isa<graph::ReduceProdOp>(reduce.op) ? (a * v).get() : (a + v).get();
}

Value codegen::accumulate(KernelBuilder &b, const Reduction &reduce,
                          Value accumulator, Value value) {
  OpBuilder &ob = b.builder();
  Location loc = b.loc();
  if (isFloat(reduce))
    return accumulateFloat(b, reduce, accumulator, widenFloat(b, value));
  bool isUnsigned = elementOf(reduce).isUnsignedInteger();
  if (isa<graph::ReduceMaxOp>(reduce.op))
    return isUnsigned
               ? Value(arith::MaxUIOp::create(ob, loc, accumulator, value))
               : Value(arith::MaxSIOp::create(ob, loc, accumulator, value));
  if (isa<graph::ReduceMinOp>(reduce.op))
    return isUnsigned
               ? Value(arith::MinUIOp::create(ob, loc, accumulator, value))
               : Value(arith::MinSIOp::create(ob, loc, accumulator, value));
  if (isa<graph::ReduceProdOp>(reduce.op))
    return arith::MulIOp::create(ob, loc, accumulator, value);
  return arith::AddIOp::create(ob, loc, accumulator, value);
}

//===-- Lanes -------------------------------------------------------------===//

/// Neighbours first, as where several rows are combined: a row's result does
/// not depend on how many there are.
Value codegen::combineLanes(KernelBuilder &b, const Reduction &reduce,
                            Value value) {
  auto type = dyn_cast<VectorType>(value.getType());
  int64_t lanes = type ? type.getNumElements() : 1;
  for (int64_t distance = 1; distance < lanes; distance *= 2) {
    Value other = b.permute(value, value, lanes, [&](int64_t lane) {
      return std::min(lane + distance, lanes - 1);
    });
    value = accumulate(b, reduce, value, other);
  }
  return b.lane(value, 0);
}

/// Each row by itself, then put beside each other.
static Value combineSingly(KernelBuilder &b, const Reduction &reduce,
                           ValueRange rows) {
  Value first = combineLanes(b, reduce, rows[0]);
  Value result = b.splat(first, b.vectorType(first.getType(), rows.size()));
  for (size_t row = 1; row < rows.size(); ++row)
    result = vector::InsertOp::create(b.builder(), b.loc(),
                                      combineLanes(b, reduce, rows[row]),
                                      result, ArrayRef<int64_t>{int64_t(row)});
  return result;
}

Value codegen::combineRows(KernelBuilder &b, const Reduction &reduce,
                           ValueRange rows) {
  auto type = dyn_cast<VectorType>(rows[0].getType());
  int64_t count = rows.size(), lanes = type ? type.getNumElements() : 1;
  if (count == 1 || count > lanes)
    return combineSingly(b, reduce, rows);
  auto join = [&](Value x, Value y) { return accumulate(b, reduce, x, y); };
  Value all = unfold(b, rows, lanes, join).front();
  return b.permute(all, all, count, [](int64_t row) { return row; });
}

/// Of a type that sums have. The mean of nothing is 0 (docs/spec/onnx.md).
static Value divisorOf(KernelBuilder &b, Type type, const Size &count) {
  bool isFloat = isa<FloatType>(getElementTypeOrSelf(type));
  if (count.isFixed())
    return isFloat ? b.constantOf(type, double(count.fixed()))
                   : b.constantInt(type, count.fixed());
  Type element = getElementTypeOrSelf(type);
  Value number = b.max(b.index(count), b.index(1));
  if (isFloat)
    number = arith::SIToFPOp::create(b.builder(), b.loc(), element, number);
  else if (element.getIntOrFloatBitWidth() < 64)
    number = arith::TruncIOp::create(b.builder(), b.loc(), element, number);
  return b.splat(number, type);
}

Value codegen::finishReduction(KernelBuilder &b, const Reduction &reduce,
                               Value value, const Size &count) {
  Type element = elementOf(reduce);
  if (isa<graph::ReduceMeanOp>(reduce.op)) {
    Value divisor = divisorOf(b, value.getType(), count);
    if (isFloat(reduce)) {
      value = (Num(b, value) / Num(b, divisor)).get();
    } else {
      value = element.isUnsignedInteger()
                  ? Value(arith::DivUIOp::create(b.builder(), b.loc(), value,
                                                 divisor))
                  : Value(arith::DivSIOp::create(b.builder(), b.loc(), value,
                                                 divisor));
    }
  }
  return isFloat(reduce) ? narrowFloat(b, value, element) : value;
}
