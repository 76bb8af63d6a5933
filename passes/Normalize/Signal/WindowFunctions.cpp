//===- WindowFunctions.cpp - Hann, Hamming and Blackman -------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file computes windows of constant size in double. Their schemas' bodies
// would do so in single precision.
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

static Lowered lowerWindow(NormalizeContext &ctx, const Node &node,
                           CosineSum sum) {
  auto size = integerOperand(ctx, node, 0, "size");
  mlir::Type element =
      onnx::elementType(node.integer("output_datatype", 1), node.context());
  if (!size)
    return mlir::failure();
  if (*size < 0 || *size > kMaxSize)
    return ctx.unsupported("'size' is negative or too large");
  if (!element)
    return ctx.unsupported("'output_datatype' names no element type");
  // A symmetric window ends where a periodic one begins anew. Of one element
  // alone that would be 0 / 0; it stands at the begin.
  int64_t period = *size - (node.flag("periodic", true) ? 0 : 1);
  double step = 2.0 * M_PI / double(std::max<int64_t>(period, 1));
  SmallVector<double> values;
  for (int64_t i = 0; i < *size; ++i)
    values.push_back(sum.constant - sum.once * std::cos(step * double(i)) +
                     sum.twice * std::cos(2.0 * step * double(i)));
  return numbers(ctx, values, {*size}, element);
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
