//===- Reduce.cpp - accumulators of a loop nest ---------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "passes/CodegenCpu/Loops/Reduce.h"
#include "dialects/Graph/Graph.h"
#include "passes/CodegenCpu/Builder/ElementwiseOps.h"
#include "passes/CodegenCpu/Builder/VectorMath.h"

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

/// Lanes that instructions move as one.
static constexpr int64_t quad = 4;

/// Folds lanes onto others `distance` away, within each `span`.
static Value foldLanes(KernelBuilder &b, const Reduction &reduce, Value value,
                       int64_t distance, int64_t span) {
  int64_t lanes = cast<VectorType>(value.getType()).getNumElements();
  Value other = b.permute(value, value, lanes, [&](int64_t lane) {
    return lane % span + distance < span ? lane + distance : lane;
  });
  return accumulate(b, reduce, value, other);
}

/// Two vectors that hold partial results of `rows` rows each, one row beside
/// the other again and again, become one that holds those of both:
///
///   a0 a1 a2 a3   b0 b1 b2 b3   ->   a02 b02 a13 b13
static Value mergeRows(KernelBuilder &b, const Reduction &reduce, Value x,
                       Value y, int64_t rows) {
  int64_t lanes = cast<VectorType>(x.getType()).getNumElements();
  int64_t span = rows < quad ? std::min(quad, lanes) : lanes;
  auto half = [&](int64_t first) {
    return b.permute(x, y, lanes, [&](int64_t lane) {
      int64_t piece = lane % span / rows;
      return lane / span * span + first + piece / 2 * rows + lane % rows +
             piece % 2 * lanes;
    });
  };
  return accumulate(b, reduce, half(0), half(span / 2));
}

/// The same order as that of several rows.
Value codegen::combineLanes(KernelBuilder &b, const Reduction &reduce,
                            Value value) {
  auto type = dyn_cast<VectorType>(value.getType());
  if (!type)
    return value;
  int64_t lanes = type.getNumElements(), span = std::min(quad, lanes);
  for (int64_t half = span / 2; half > 0; half /= 2)
    value = foldLanes(b, reduce, value, half, span);
  for (int64_t half = lanes / 2; half >= quad; half /= 2)
    value = foldLanes(b, reduce, value, half, lanes);
  return laneOf(b, value, 0);
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
  if (count < quad || count > lanes || !llvm::isPowerOf2_64(count))
    return combineSingly(b, reduce, rows);
  Values values(rows);
  for (int64_t merged = 1; merged < count; merged *= 2) {
    size_t pairs = values.size() / 2;
    for (size_t i = 0; i < pairs; ++i)
      values[i] =
          mergeRows(b, reduce, values[2 * i], values[2 * i + 1], merged);
    values.truncate(pairs);
  }
  Value all = values[0];
  for (int64_t half = lanes / 2; half >= count; half /= 2)
    all = foldLanes(b, reduce, all, half, lanes);
  return b.permute(all, all, count, [](int64_t row) { return row; });
}

Value codegen::laneOf(KernelBuilder &b, Value value, int64_t lane) {
  if (!isa<VectorType>(value.getType()))
    return value;
  return vector::ExtractOp::create(b.builder(), b.loc(), value,
                                   ArrayRef<int64_t>{lane});
}

Value codegen::finishReduction(KernelBuilder &b, const Reduction &reduce,
                               Value value, int64_t count) {
  Type element = elementOf(reduce);
  if (isa<graph::ReduceMeanOp>(reduce.op)) {
    if (isFloat(reduce)) {
      value = (Num(b, value) / double(count)).get();
    } else {
      Value divisor = b.constantInt(value.getType(), count);
      value = element.isUnsignedInteger()
                  ? Value(arith::DivUIOp::create(b.builder(), b.loc(), value,
                                                 divisor))
                  : Value(arith::DivSIOp::create(b.builder(), b.loc(), value,
                                                 divisor));
    }
  }
  return isFloat(reduce) ? narrowFloat(b, value, element) : value;
}
