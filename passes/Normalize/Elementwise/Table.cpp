//===- Table.cpp - operators that are one element-wise operation ----------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file lists the ONNX operators that have exactly one graph counterpart
// with the same semantics, and the variadic ones that chain one.
//===----------------------------------------------------------------------===//
#include "passes/Normalize/Elementwise/Elementwise.h"

using namespace tenon;
using namespace tenon::normalize;

template <typename OpTy>
static Lowered unary(NormalizeContext &ctx, const Node &node) {
  return ctx.create<OpTy>(node.operand(0));
}

template <typename OpTy>
static Lowered binary(NormalizeContext &ctx, const Node &node) {
  return ctx.create<OpTy>(node.operand(0), node.operand(1));
}

template <typename OpTy>
static Lowered variadic(NormalizeContext &ctx, const Node &node) {
  Value result = node.operand(0);
  for (Value operand : node.allOperands().drop_front())
    result = ctx.create<OpTy>(result, operand);
  return result;
}

static Lowered mean(NormalizeContext &ctx, const Node &node) {
  Value sum = variadic<graph::AddOp>(ctx, node).values.front();
  double count = double(node.allOperands().size());
  return ctx.create<graph::DivOp>(sum, ctx.scalarLike(count, sum));
}

static void populateUnary(LoweringTable &table) {
  table.add("Abs", unary<graph::AbsOp>);
  table.add("Neg", unary<graph::NegOp>);
  table.add("Sign", unary<graph::SignOp>);
  table.add("Relu", unary<graph::ReluOp>);
  table.add("Exp", unary<graph::ExpOp>);
  table.add("Log", unary<graph::LogOp>);
  table.add("Sqrt", unary<graph::SqrtOp>);
  table.add("Reciprocal", unary<graph::ReciprocalOp>);
  table.add("Ceil", unary<graph::CeilOp>);
  table.add("Floor", unary<graph::FloorOp>);
  table.add("Round", unary<graph::RoundOp>);
  table.add("Erf", unary<graph::ErfOp>);
  table.add("Sigmoid", unary<graph::SigmoidOp>);
  table.add("Not", unary<graph::NotOp>);
  table.add("BitwiseNot", unary<graph::NotOp>);
  table.add("IsNaN", unary<graph::IsNanOp>);
}

static void populateTrigonometry(LoweringTable &table) {
  table.add("Sin", unary<graph::SinOp>);
  table.add("Cos", unary<graph::CosOp>);
  table.add("Tan", unary<graph::TanOp>);
  table.add("Asin", unary<graph::AsinOp>);
  table.add("Acos", unary<graph::AcosOp>);
  table.add("Atan", unary<graph::AtanOp>);
  table.add("Sinh", unary<graph::SinhOp>);
  table.add("Cosh", unary<graph::CoshOp>);
  table.add("Tanh", unary<graph::TanhOp>);
  table.add("Asinh", unary<graph::AsinhOp>);
  table.add("Acosh", unary<graph::AcoshOp>);
  table.add("Atanh", unary<graph::AtanhOp>);
}

static void populateBinary(LoweringTable &table) {
  table.add("Add", binary<graph::AddOp>);
  table.add("Sub", binary<graph::SubOp>);
  table.add("Mul", binary<graph::MulOp>);
  table.add("Div", binary<graph::DivOp>);
  table.add("And", binary<graph::AndOp>);
  table.add("Or", binary<graph::OrOp>);
  table.add("Xor", binary<graph::XorOp>);
  table.add("BitwiseAnd", binary<graph::AndOp>);
  table.add("BitwiseOr", binary<graph::OrOp>);
  table.add("BitwiseXor", binary<graph::XorOp>);
  table.add("Equal", binary<graph::EqualOp>);
  table.add("Less", binary<graph::LessOp>);
  table.add("LessOrEqual", binary<graph::LessEqualOp>);
  table.add("Greater", binary<graph::GreaterOp>);
  table.add("GreaterOrEqual", binary<graph::GreaterEqualOp>);
}

void normalize::populateElementwiseLowerings(LoweringTable &table) {
  populateUnary(table);
  populateTrigonometry(table);
  populateBinary(table);
  table.add("Max", variadic<graph::MaxOp>);
  table.add("Min", variadic<graph::MinOp>);
  table.add("Sum", variadic<graph::AddOp>);
  table.add("Mean", mean);
  table.add("Where", [](NormalizeContext &ctx, const Node &node) -> Lowered {
    return ctx.create<graph::SelectOp>(node.operand(0), node.operand(1),
                                       node.operand(2));
  });
  populateActivationLowerings(table);
  table.add("BitCast", lowerBitCast);
  table.add("BitShift", lowerBitShift);
  table.add("Cast", lowerCast);
  table.add("CastLike", lowerCastLike);
  table.add("Clip", lowerClip);
  table.add("IsInf", lowerIsInf);
  table.add("Mod", lowerMod);
  table.add("Pow", lowerPow);
}
