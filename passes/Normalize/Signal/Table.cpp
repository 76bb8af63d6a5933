//===- Table.cpp - spectra, windows and sampling --------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file lists the family's operators and has what they share.
//===----------------------------------------------------------------------===//
#include "lib/Interpreter/Elements.h"
#include "passes/Normalize/Extents.h"
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

mlir::Attribute normalize::withinRange(NormalizeContext &ctx,
                                       mlir::Attribute dim, int64_t least,
                                       int64_t most) {
  if (!graph::isSymbolic(dim))
    return dim;
  auto dims = extents(ctx, numberOf(ctx, dim),
                      {numberOf(ctx, graph::affineDim(dim, 1, -least)),
                       numberOf(ctx, graph::affineDim(dim, -1, most))});
  return dims ? dims->front() : mlir::Attribute();
}

mlir::Attribute normalize::sizeOperand(NormalizeContext &ctx, const Node &node,
                                       unsigned index, StringRef name,
                                       int64_t least, int64_t most) {
  RankedTensorType type = node.type(index);
  if (!type.hasStaticShape() || type.getNumElements() != 1 ||
      !mlir::isa<mlir::IntegerType>(type.getElementType())) {
    (void)ctx.unsupported("'" + name + "' is not one number");
    return {};
  }
  Value number = ctx.cast(ctx.reshape(node.operand(index), {1}),
                          ctx.builder().getI64Type());
  auto known = number ? ctx.contents(number) : std::nullopt;
  if (known)
    return withinRange(ctx, known->front(), least, most);
  Value isLarge = ctx.create<graph::SubOp>(number, numberOf(ctx, least));
  Value isSmall = ctx.create<graph::SubOp>(numberOf(ctx, most), number);
  auto dims = extents(ctx, number, {isLarge, isSmall});
  return dims ? dims->front() : mlir::Attribute();
}

Value normalize::sizeScalar(NormalizeContext &ctx, mlir::Attribute dim,
                            mlir::Type element) {
  auto scalar = RankedTensorType::get({}, ctx.builder().getI64Type());
  return ctx.cast(ctx.sizes(dim, scalar), element);
}

Value normalize::inBlocks(
    NormalizeContext &ctx, mlir::Attribute count, int64_t bytes, int64_t axis,
    llvm::function_ref<Value(mlir::Attribute, mlir::Attribute)> make) {
  constexpr int64_t cache = 512 << 10, maxBlocks = 32;
  auto number = [&](int64_t value) {
    return sizeDim(ctx.builder().getContext(), value);
  };
  int64_t rows = sizeOf(count);
  if (graph::isSymbolic(count) || rows == 0)
    return make(number(0), count);
  int64_t wanted = llvm::divideCeil(rows * bytes, cache);
  int64_t blocks = std::clamp<int64_t>(wanted, 1, std::min(rows, maxBlocks));
  // Equal ones share their kernels.
  int64_t size = llvm::divideCeil(rows, blocks);
  SmallVector<Value> parts;
  for (int64_t first = 0; first < rows; first += size)
    parts.push_back(make(number(first), number(std::min(size, rows - first))));
  return parts.size() == 1 ? parts.front()
                           : ctx.create<graph::ConcatOp>(parts, axis);
}

Value normalize::resizeWithZeros(NormalizeContext &ctx, Value value,
                                 int64_t axis, mlir::Attribute size) {
  if (!value)
    return {};
  Dims dims = dimsOf(value);
  mlir::Attribute missing = graph::subtractDims(size, dims[axis]);
  mlir::Attribute none = sizeDim(ctx.builder().getContext(), 0);
  if (ctx.isAtLeast(none, missing))
    return ctx.slice(value, axis, none, size);
  // A negative width cuts.
  SmallVector<int64_t> low(dims.size(), 0);
  Dims high(dims.size(), none);
  high[axis] = missing;
  graph::SplitDims highs = graph::splitDims(none.getContext(), high);
  return ctx.create<graph::PadOp>(value, ctx.scalarLike(0.0, value), low,
                                  highs.numbers, graph::PadMode::Constant,
                                  graph::DimsAttr(), highs.dims);
}

Value normalize::inParts(NormalizeContext &ctx, Value signal, int64_t parts) {
  if (!signal)
    return {};
  Dims dims = dimsOf(signal);
  if (!graph::isSymbolic(dims.back()))
    return signal;
  mlir::Attribute least = sizeDim(signal.getContext(), 1),
                  most = sizeDim(signal.getContext(), parts);
  if (failed(ctx.demandAtLeast(dims.back(), least)) ||
      failed(ctx.demandAtLeast(most, dims.back())))
    return {};
  return resizeWithZeros(ctx, signal, int64_t(dims.size()) - 1, most);
}

void normalize::populateSignalLowerings(LoweringTable &table) {
  table.add("DFT", lowerDft);
  table.add("DeformConv", lowerDeformConv);
  table.add("GridSample", lowerGridSample);
  table.add("MelWeightMatrix", lowerMelWeightMatrix);
  table.add("RoiAlign", lowerRoiAlign);
  table.add("STFT", lowerStft);
  populateWindowFunctionLowerings(table);
}
