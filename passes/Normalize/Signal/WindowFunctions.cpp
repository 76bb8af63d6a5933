//===- WindowFunctions.cpp - Hann, Hamming and Blackman -------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file computes windows in double. Their schemas' bodies would do so in
// single precision.
//===----------------------------------------------------------------------===//
#include "dialects/Onnx/Onnx.h"
#include "passes/Normalize/Signal/Signal.h"

#include <cmath>

using namespace tenon;
using namespace tenon::normalize;

/// Longer ones are refused.
static constexpr int64_t kMaxSize = int64_t(1) << 26;

namespace {
/// constant - once * cos(t) + twice * cos(2 t), where t is a whole turn along
/// the window.
struct CosineSum {
  double constant, once, twice;
};
} // namespace

/// The window where the run knows the size.
static Value openWindow(NormalizeContext &ctx, mlir::Attribute size,
                        int64_t shorter, CosineSum sum) {
  mlir::Type f64 = ctx.builder().getF64Type();
  Value period = ctx.create<graph::MaxOp>(
      sizeScalar(ctx, graph::affineDim(size, 1, -shorter), f64),
      ctx.scalar(1.0, f64));
  Value index = ctx.createTyped<graph::IotaOp>(
      typeFromDims(size, f64), 0, llvm::APFloat(0.0), llvm::APFloat(1.0));
  Value turn = ctx.create<graph::DivOp>(
      ctx.create<graph::MulOp>(index, ctx.scalar(2.0 * M_PI, f64)), period);
  auto wave = [&](double factor, Value angle) {
    return ctx.create<graph::MulOp>(ctx.create<graph::CosOp>(angle),
                                    ctx.scalar(factor, f64));
  };
  Value result = ctx.create<graph::SubOp>(ctx.scalar(sum.constant, f64),
                                          wave(sum.once, turn));
  if (sum.twice == 0.0)
    return result;
  return ctx.create<graph::AddOp>(
      result, wave(sum.twice, ctx.create<graph::AddOp>(turn, turn)));
}

static Lowered lowerWindow(NormalizeContext &ctx, const Node &node,
                           CosineSum sum) {
  mlir::Attribute size = sizeOperand(ctx, node, 0, "size", 0, kMaxSize);
  mlir::Type element =
      onnx::elementType(node.integer("output_datatype", 1), node.context());
  if (!size)
    return mlir::failure();
  int64_t count = sizeOf(size);
  if (!graph::isSymbolic(size) && (count < 0 || count > kMaxSize))
    return ctx.unsupported("'size' is negative or too large");
  if (!element)
    return ctx.unsupported("'output_datatype' names no element type");
  // A symmetric window ends where a periodic one begins anew. Of one element
  // alone that would be 0 / 0; it stands at the begin.
  int64_t shorter = node.flag("periodic", true) ? 0 : 1;
  if (graph::isSymbolic(size))
    return ctx.cast(openWindow(ctx, size, shorter, sum), element);
  int64_t period = count - shorter;
  double step = 2.0 * M_PI / double(std::max<int64_t>(period, 1));
  SmallVector<double> values;
  for (int64_t i = 0; i < count; ++i)
    values.push_back(sum.constant - sum.once * std::cos(step * double(i)) +
                     sum.twice * std::cos(2.0 * step * double(i)));
  return numbers(ctx, values, {count}, element);
}

void normalize::populateWindowFunctionLowerings(LoweringTable &table) {
  auto add = [&](StringRef name, CosineSum sum) {
    table.add(name, [sum](NormalizeContext &ctx, const Node &node) {
      return lowerWindow(ctx, node, sum);
    });
  };
  add("BlackmanWindow", {0.42, 0.5, 0.08});
  add("HammingWindow", {25.0 / 46.0, 21.0 / 46.0, 0.0});
  add("HannWindow", {0.5, 0.5, 0.0});
}
