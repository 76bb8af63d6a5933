//===- GraphWindow.cpp - pooling and its relatives ------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file implements the geometry of windows, and local response
// normalisation, a window over the channels.
//===----------------------------------------------------------------------===//
#include "dialects/Graph/GraphDetail.h"
#include "mlir/IR/Builders.h"

using namespace mlir;
using namespace tenon;
using namespace tenon::graph;
using namespace tenon::graph::detail;

//===-- Geometry ----------------------------------------------------------===//

LogicalResult graph::detail::checkWindow(Loc loc, const Window &window,
                                         int64_t spatialRank) {
  size_t rank = spatialRank;
  if (window.kernel.size() != rank || window.strides.size() != rank ||
      window.dilations.size() != rank || window.pads.size() != 2 * rank)
    return refuse(loc, "kernel, strides and dilations need " + Twine(rank) +
                           " entries, pads " + Twine(2 * rank));
  auto positive = [](int64_t value) { return value > 0; };
  if (!llvm::all_of(window.kernel, positive) ||
      !llvm::all_of(window.strides, positive) ||
      !llvm::all_of(window.dilations, positive))
    return refuse(loc, "kernel, strides and dilations must be positive");
  return success();
}

SmallVector<AffineExpr> graph::detail::windowPositions(const AccessMaker &maker,
                                                       const Window &window,
                                                       unsigned out,
                                                       unsigned kernel) {
  SmallVector<AffineExpr> exprs;
  for (unsigned index = 0; index < window.rank(); ++index)
    exprs.push_back(maker.dim(out + index) * window.strides[index] +
                    maker.dim(kernel + index) * window.dilations[index] -
                    window.pads[index]);
  return exprs;
}

bool graph::detail::reachesOutside(const Window &window, ArrayRef<int64_t> in,
                                   ArrayRef<int64_t> out) {
  for (unsigned index = 0; index < window.rank(); ++index) {
    if (ShapedType::isDynamic(in[index]) || ShapedType::isDynamic(out[index]) ||
        window.pads[index] > 0)
      return true;
    int64_t last = (out[index] - 1) * window.strides[index] +
                   (window.kernel[index] - 1) * window.dilations[index] -
                   window.pads[index];
    if (last >= in[index])
      return true;
  }
  return false;
}

//===-- max_pool, avg_pool ------------------------------------------------===//

LogicalResult graph::detail::verifyPool(Operation *op, const Window &window) {
  Loc loc = op->getLoc();
  auto input = cast<RankedTensorType>(op->getOperand(0).getType());
  auto result = cast<RankedTensorType>(op->getResult(0).getType());
  int64_t rank = input.getRank();
  if (rank < 3 || result.getRank() != rank)
    return refuse(loc, "input and result need one equal rank of at least 3");
  if (input.getElementType() != result.getElementType())
    return refuse(loc, "element types of input and result differ");
  if (failed(checkWindow(loc, window, rank - 2)))
    return failure();
  Dims in = dimsOf(input), out = dimsOf(result);
  int64_t channel = channelDim(window.layout, rank);
  if (!mayBeEqual(in[0], out[0]) || !mayBeEqual(in[channel], out[channel]))
    return refuse(loc, "batch and channels of input and result differ");
  for (unsigned index = 0; index < window.rank(); ++index) {
    int64_t dim = firstSpatialDim(window.layout) + index;
    int64_t size = sizeOf(in[dim]), extent = sizeOf(out[dim]);
    if (ShapedType::isDynamic(size) || ShapedType::isDynamic(extent))
      continue;
    int64_t last = (extent - 1) * window.strides[index] - window.pads[index];
    if (last >= size + std::max<int64_t>(window.pads[window.rank() + index], 0))
      return refuse(loc, "the last window of dimension " + Twine(dim) +
                             " starts behind the input");
  }
  return success();
}

SmallVector<Access> graph::detail::poolAccesses(Operation *op,
                                                const Window &window,
                                                Outside outside) {
  auto in = cast<RankedTensorType>(op->getOperand(0).getType()).getShape();
  auto out = cast<RankedTensorType>(op->getResult(0).getType()).getShape();
  unsigned rank = out.size(), first = firstSpatialDim(window.layout);
  AccessMaker maker(op->getContext(), rank + window.rank());
  SmallVector<AffineExpr> read = maker.dims(0, rank);
  auto positions = windowPositions(maker, window, first, rank);
  llvm::copy(positions, read.begin() + first);
  bool reaches = reachesOutside(window, in.slice(first, window.rank()),
                                out.slice(first, window.rank()));
  return {maker.read(0, read, AccessKind::Exact,
                     reaches ? std::optional(outside) : std::nullopt),
          maker.writeIdentity(0, rank)};
}

//===-- lrn ---------------------------------------------------------------===//

LogicalResult LrnOp::inferReturnTypes(MLIRContext *, Loc loc,
                                      ValueRange operands,
                                      DictionaryAttr attributes,
                                      OpaqueProperties properties,
                                      RegionRange regions, Types &results) {
  Adaptor op(operands, attributes, properties, regions);
  auto type = cast<RankedTensorType>(operands[0].getType());
  if (type.getRank() < 3 || static_cast<int64_t>(op.getSize()) < 1)
    return refuse(loc, "needs an image of rank 3 or more and a positive size");
  results.push_back(type);
  return success();
}

IterationDomain LrnOp::getIterationDomain() {
  return windowDomain(getType(), static_cast<int64_t>(getSize()));
}

SmallVector<Access> LrnOp::getAccesses() {
  unsigned rank = getType().getRank();
  AccessMaker maker(getContext(), rank + 1);
  SmallVector<AffineExpr> read = maker.dims(0, rank);
  int64_t before = (static_cast<int64_t>(getSize()) - 1) / 2;
  int64_t channel = channelDim(getLayout(), rank);
  read[channel] = read[channel] + maker.dim(rank) - before;
  return {
      maker.read(0, read, AccessKind::Exact,
                 getSize() > 1 ? std::optional(Outside::Zero) : std::nullopt),
      maker.writeIdentity(0, rank)};
}

std::optional<Reduction> LrnOp::getReduction() {
  return reduction(ReductionKind::Sum, getInput());
}

Cost LrnOp::getCost() {
  Count elements = parallelDomain(getType()).size();
  return streamCost(getOperation(), product(elements, 2 * getSize() + 4));
}

/// The sum over the window is `size` shifted slices of the padded squares.
static Value windowSum(OpBuilder &builder, Location loc, Value square,
                       int64_t channel, int64_t size, Value zero) {
  auto type = cast<RankedTensorType>(square.getType());
  SmallVector<int64_t> low(type.getRank(), 0), high(low), starts(low);
  SmallVector<int64_t> steps(type.getRank(), 1), sizes(type.getShape());
  low[channel] = (size - 1) / 2;
  high[channel] = size - 1 - low[channel];
  Value padded =
      PadOp::create(builder, loc, square, zero, low, high, PadMode::Constant);
  Value sum;
  for (starts[channel] = 0; starts[channel] < size; ++starts[channel]) {
    Value shifted = SliceOp::create(builder, loc, padded, starts, sizes, steps);
    sum = sum ? AddOp::create(builder, loc, sum, shifted).getResult() : shifted;
  }
  return sum;
}

FailureOr<SmallVector<Value>> LrnOp::decompose(OpBuilder &builder) {
  auto type = getType();
  if (!type.hasStaticShape())
    return failure();
  Location loc = getLoc();
  auto scalar = RankedTensorType::get({}, type.getElementType());
  auto constant = [&](double value) -> Value {
    Attribute attr = builder.getFloatAttr(type.getElementType(), value);
    return ConstantOp::create(builder, loc, scalar,
                              DenseElementsAttr::get(scalar, attr));
  };
  int64_t size = getSize();
  Value square = MulOp::create(builder, loc, getInput(), getInput());
  Value sum =
      windowSum(builder, loc, square, channelDim(getLayout(), type.getRank()),
                size, constant(0.0));
  Value scaled = MulOp::create(builder, loc, sum,
                               constant(getAlpha().convertToDouble() / size));
  Value base = AddOp::create(builder, loc, scaled,
                             constant(getBias().convertToDouble()));
  Value power =
      PowOp::create(builder, loc, base, constant(getBeta().convertToDouble()));
  return SmallVector<Value>{DivOp::create(builder, loc, getInput(), power)};
}
