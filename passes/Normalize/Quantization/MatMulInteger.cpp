//===- MatMulInteger.cpp - matrix product of bytes ------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file multiplies in f32, zero points taken off before: as many steps of
// k at once as f32 sums exactly, the sums of which are added in i32.
//===----------------------------------------------------------------------===//
#include "dialects/Graph/ExactCast.h"
#include "lib/Interpreter/Interpreter.h"
#include "passes/Normalize/Quantization/Quantization.h"

using namespace tenon;
using namespace tenon::normalize;

/// Up to here all integers are numbers of f32.
static constexpr int64_t exactSum = 1 << 24;
/// Beyond these, an addition for each costs more than products in i32.
static constexpr size_t maxPieces = 32;

/// The largest magnitude of a byte.
static int64_t largestByte(RankedTensorType type) {
  return type.getElementType().isUnsignedInteger() ? 255 : 128;
}

/// The largest magnitude of a byte less its zero point, if there is one.
static int64_t largest(RankedTensorType type, bool hasZero) {
  return hasZero ? 255 : largestByte(type);
}

/// Where pieces of k start, so that f32 holds all sums of each; `magnitude` is
/// that of a product.
static SmallVector<int64_t>
cutSteps(int64_t steps, int64_t columns,
         llvm::function_ref<int64_t(int64_t step, int64_t column)> magnitude) {
  SmallVector<int64_t> starts = {0};
  SmallVector<int64_t> sums(columns, 0);
  for (int64_t k = 0; k < steps; ++k) {
    bool isFull = false;
    for (int64_t j = 0; j < columns; ++j) {
      sums[j] += magnitude(k, j);
      isFull |= sums[j] > exactSum;
    }
    if (!isFull)
      continue;
    starts.push_back(k);
    for (int64_t j = 0; j < columns; ++j)
      sums[j] = magnitude(k, j);
  }
  return starts;
}

/// The pieces of k. A constant matrix is looked at: its columns seldom sum up
/// to as much as they could.
static SmallVector<int64_t> cutProduct(NormalizeContext &ctx,
                                       const Node &node) {
  RankedTensorType lhs = node.type(0), rhs = node.type(1);
  int64_t steps = lhs.getShape().back();
  int64_t factor = largest(lhs, bool(node.operand(2)));
  auto elements = ctx.constantOf(node.operand(1));
  if (!elements || rhs.getRank() != 2 || rhs.getDimSize(0) != steps)
    return cutSteps(steps, 1, [&](int64_t, int64_t) {
      return factor * largest(rhs, bool(node.operand(3)));
    });
  auto tensor = interp::Tensor::viewElements(elements);
  if (failed(tensor))
    return {};
  // What a zero point adds at most.
  int64_t zero = node.operand(3) ? largestByte(rhs) : 0;
  if (auto known =
          node.operand(3) ? ctx.constantInts(node.operand(3)) : std::nullopt) {
    zero = 0;
    for (int64_t z : *known)
      zero = std::max(zero, std::abs(z));
  }
  int64_t columns = rhs.getDimSize(1);
  bool isUnsigned = rhs.getElementType().isUnsignedInteger();
  ArrayRef<char> bytes = tensor->bytes();
  return cutSteps(steps, columns, [&](int64_t k, int64_t j) {
    char byte = bytes[k * columns + j];
    int64_t value = isUnsigned ? int64_t(uint8_t(byte)) : int64_t(int8_t(byte));
    return factor * (std::abs(value) + zero);
  });
}

/// The operand less its zero point, as numbers of `element`.
static Value centred(NormalizeContext &ctx, const Node &node, unsigned index,
                     mlir::Type element) {
  Value value = ctx.cast(node.operand(index), element);
  if (!node.operand(index + 2))
    return value;
  Value zero = ctx.cast(node.operand(index + 2), element);
  // One zero point per row stands in a vector, which is a column here.
  if (index == 0 && node.type(2).getRank() == 1)
    zero = column(ctx, zero, value);
  return ctx.create<graph::SubOp>(value, zero);
}

/// A sum that f32 holds as i32, marked so that a cast back to f32 is dropped.
static Value exactly(NormalizeContext &ctx, Value value) {
  Value result = ctx.cast(value, ctx.builder().getI32Type());
  if (result)
    if (auto cast = result.getDefiningOp<graph::CastOp>())
      cast->setAttr(graph::exactAttr, ctx.builder().getUnitAttr());
  return result;
}

/// Whether f32 can do it: pieces of k need to be known and cut out.
static bool isExactInPieces(const Node &node, ArrayRef<int64_t> starts) {
  auto isStatic = [](RankedTensorType type) { return type.hasStaticShape(); };
  if (starts.size() == 1)
    return true;
  return !starts.empty() && starts.size() <= maxPieces &&
         isStatic(node.type(0)) && isStatic(node.type(1));
}

Lowered normalize::lowerMatMulInteger(NormalizeContext &ctx, const Node &node) {
  RankedTensorType left = node.type(0), right = node.type(1);
  if (left.getRank() < 2 || right.getRank() < 2)
    return ctx.unsupported("both operands must be matrices");
  int64_t steps = left.getShape().back();
  SmallVector<int64_t> starts;
  if (!mlir::ShapedType::isDynamic(steps))
    starts = cutProduct(ctx, node);
  bool isExact = isExactInPieces(node, starts);
  mlir::Type element = ctx.builder().getI32Type();
  if (isExact)
    element = ctx.builder().getF32Type();
  Value lhs = centred(ctx, node, 0, element);
  Value rhs = centred(ctx, node, 1, element);
  if (!isExact)
    return ctx.create<graph::MatmulOp>(lhs, rhs, false, false);
  Value total;
  for (size_t i = 0; i < starts.size(); ++i) {
    int64_t end = i + 1 < starts.size() ? starts[i + 1] : steps;
    auto piece = [&](Value value, int64_t axis) {
      return starts.size() == 1
                 ? value
                 : ctx.slice(value, axis, starts[i], end - starts[i]);
    };
    Value part =
        exactly(ctx, ctx.create<graph::MatmulOp>(
                         piece(lhs, left.getRank() - 1),
                         piece(rhs, right.getRank() - 2), false, false));
    total = total ? ctx.create<graph::AddOp>(total, part) : part;
  }
  return total;
}
