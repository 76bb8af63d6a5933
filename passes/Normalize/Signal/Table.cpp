//===- Table.cpp - spectra, windows and sampling --------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file lists the family's operators and has what they share.
//===----------------------------------------------------------------------===//
#include "lib/Interpreter/Elements.h"
#include "passes/Normalize/Signal/Signal.h"
#include "llvm/Support/MathExtras.h"

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

Value normalize::inBlocks(NormalizeContext &ctx, int64_t count, int64_t bytes,
                          int64_t axis,
                          llvm::function_ref<Value(int64_t, int64_t)> make) {
  constexpr int64_t cache = 512 << 10, maxBlocks = 32;
  int64_t wanted = llvm::divideCeil(count * bytes, cache);
  int64_t blocks =
      std::clamp<int64_t>(wanted, 1, std::clamp<int64_t>(count, 1, maxBlocks));
  // Equal ones share their kernels.
  int64_t size = llvm::divideCeil(count, blocks);
  SmallVector<Value> parts;
  for (int64_t first = 0; first < count; first += size)
    parts.push_back(make(first, std::min(size, count - first)));
  if (parts.empty())
    return make(0, 0);
  return parts.size() == 1 ? parts.front()
                           : ctx.create<graph::ConcatOp>(parts, axis);
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

void normalize::populateSignalLowerings(LoweringTable &table) {
  table.add("DFT", lowerDft);
  table.add("GridSample", lowerGridSample);
  table.add("MelWeightMatrix", lowerMelWeightMatrix);
  table.add("STFT", lowerStft);
  populateWindowFunctionLowerings(table);
}
