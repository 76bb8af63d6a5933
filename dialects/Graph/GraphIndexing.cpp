//===- GraphIndexing.cpp - reading where data says ------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file implements gathers and the resizing of images.
//===----------------------------------------------------------------------===//
#include "dialects/Graph/GraphDetail.h"

using namespace mlir;
using namespace tenon::graph;
using namespace tenon::graph::detail;

static RankedTensorType typeOf(Value value) {
  return cast<RankedTensorType>(value.getType());
}

static LogicalResult checkAxis(Loc loc, int64_t axis, int64_t rank) {
  if (axis >= 0 && axis < rank)
    return success();
  return refuse(loc,
                "axis " + Twine(axis) + " is outside of rank " + Twine(rank));
}

//===-- gather ------------------------------------------------------------===//

LogicalResult GatherOp::inferReturnTypes(MLIRContext *, Loc loc,
                                         ValueRange operands,
                                         DictionaryAttr attributes,
                                         OpaqueProperties properties,
                                         RegionRange regions, Types &results) {
  Adaptor op(operands, attributes, properties, regions);
  auto input = typeOf(operands[0]);
  int64_t axis = op.getAxis();
  if (failed(checkAxis(loc, axis, input.getRank())))
    return failure();
  Dims from = dimsOf(input), dims(from.begin(), from.begin() + axis);
  llvm::append_range(dims, dimsOf(operands[1]));
  dims.append(from.begin() + axis + 1, from.end());
  results.push_back(typeFromDims(dims, input.getElementType()));
  return success();
}

SmallVector<Access> GatherOp::getAccesses() {
  unsigned rank = getType().getRank(), axis = getAxis();
  unsigned indices = getIndices().getType().getRank();
  AccessMaker maker(getContext(), rank);
  SmallVector<AffineExpr> read = maker.dims(0, axis);
  read.push_back(maker.any(axis));
  llvm::append_range(read, maker.dims(axis + indices, rank - axis - indices));
  return {maker.read(0, read, AccessKind::Gather),
          maker.read(1, maker.dims(axis, indices)),
          maker.writeIdentity(0, rank)};
}

IterationDomain GatherOp::getIterationDomain() {
  return parallelDomain(getType());
}

static Count gatheredBytes(Operation *op) {
  return sum(tensorBytes(op->getResult(0).getType()),
             tensorBytes(op->getOperand(1).getType()));
}

Cost GatherOp::getCost() {
  return {0, gatheredBytes(getOperation()), tensorBytes(getType())};
}

//===-- gather_elements ---------------------------------------------------===//

LogicalResult GatherElementsOp::inferReturnTypes(
    MLIRContext *, Loc loc, ValueRange operands, DictionaryAttr attributes,
    OpaqueProperties properties, RegionRange regions, Types &results) {
  Adaptor op(operands, attributes, properties, regions);
  auto input = typeOf(operands[0]), indices = typeOf(operands[1]);
  if (input.getRank() != indices.getRank())
    return refuse(loc, "input and indices differ in rank");
  results.push_back(typeFromDims(dimsOf(indices), input.getElementType()));
  return checkAxis(loc, op.getAxis(), input.getRank());
}

SmallVector<Access> GatherElementsOp::getAccesses() {
  unsigned rank = getType().getRank();
  AccessMaker maker(getContext(), rank);
  SmallVector<AffineExpr> read = maker.dims(0, rank);
  read[getAxis()] = maker.any(getAxis());
  return {maker.read(0, read, AccessKind::Gather), maker.readIdentity(1, rank),
          maker.writeIdentity(0, rank)};
}

IterationDomain GatherElementsOp::getIterationDomain() {
  return parallelDomain(getType());
}

Cost GatherElementsOp::getCost() {
  return {0, gatheredBytes(getOperation()), tensorBytes(getType())};
}

//===-- scatter -----------------------------------------------------------===//

LogicalResult ScatterOp::inferReturnTypes(MLIRContext *, Loc loc,
                                          ValueRange operands, DictionaryAttr,
                                          OpaqueProperties, RegionRange,
                                          Types &results) {
  auto input = typeOf(operands[0]), indices = typeOf(operands[1]),
       updates = typeOf(operands[2]);
  if (input.getElementType() != updates.getElementType())
    return refuse(loc, "input and updates differ in element type");
  if (input.getRank() == 0 || indices.getRank() != 1)
    return refuse(loc, "input needs rows, and indices must be a vector");
  Dims rows = dimsOf(indices), row = dimsOf(input);
  rows.append(row.begin() + 1, row.end());
  if (rows != dimsOf(updates))
    return refuse(loc, "updates of shape " + shapeText(updates) +
                           " do not fit input " + shapeText(input) +
                           " and indices " + shapeText(indices));
  results.push_back(input);
  return success();
}

/// Each row of the result takes, in their order, the updates whose index names
/// it.
IterationDomain ScatterOp::getIterationDomain() {
  IterationDomain domain = parallelDomain(getType());
  domain.dims.push_back({dimsOf(getIndices()).front(), DimKind::Reduction});
  return domain;
}

SmallVector<Access> ScatterOp::getAccesses() {
  unsigned rank = getType().getRank();
  AccessMaker maker(getContext(), rank + 1);
  SmallVector<AffineExpr> update = maker.dims(0, rank);
  update.front() = maker.dim(rank);
  bool replaces = getKind() == ScatterKind::Replace;
  return {maker.read(0, maker.dims(0, rank),
                     replaces ? AccessKind::Gather : AccessKind::Exact),
          maker.read(1, maker.dims(rank, 1)),
          maker.read(2, update, AccessKind::Gather),
          maker.writeIdentity(0, rank)};
}

std::optional<Reduction> ScatterOp::getReduction() {
  switch (getKind()) {
  case ScatterKind::Add:
    return reduction(ReductionKind::Sum, getInput());
  case ScatterKind::Mul:
    return reduction(ReductionKind::Product, getInput());
  case ScatterKind::Max:
    return reduction(ReductionKind::Max, getInput());
  case ScatterKind::Min:
    return reduction(ReductionKind::Min, getInput());
  case ScatterKind::Replace:
    break;
  }
  return reduction(ReductionKind::Last, getInput());
}

Cost ScatterOp::getCost() {
  Count updates = 0;
  if (getKind() != ScatterKind::Replace)
    updates = parallelDomain(getUpdates().getType()).size();
  return streamCost(getOperation(), updates);
}

//===-- resize ------------------------------------------------------------===//

LogicalResult ResizeOp::verify() {
  auto input = getInput().getType();
  size_t rank = input.getRank();
  if (getType().getRank() != input.getRank() ||
      getType().getElementType() != input.getElementType())
    return emitOpError("input and result differ in rank or element type");
  if (getScales().size() != rank)
    return emitOpError("needs one scale per dimension");
  bool crops = getCoordinateMode() == CoordinateMode::TfCropAndResize;
  if (crops ? getRoi().size() != 2 * rank : !getRoi().empty())
    return emitOpError("roi goes with tf_crop_and_resize and has two entries "
                       "per dimension");
  for (float scale : getScales())
    if (!(scale >= 0))
      return emitOpError("scales must be positive, or 0 where they follow from "
                         "the sizes");
  return success();
}

/// Whether the nearest element of (i + 0.5) / n - 0.5, or of i / n, is i / n
/// rounded down for each whole n.
static bool roundsDown(CoordinateMode coordinate, NearestMode nearest) {
  switch (coordinate) {
  case CoordinateMode::Asymmetric:
    return nearest == NearestMode::Floor;
  case CoordinateMode::HalfPixel:
  case CoordinateMode::HalfPixelSymmetric:
  case CoordinateMode::PytorchHalfPixel:
    return nearest == NearestMode::RoundPreferFloor ||
           nearest == NearestMode::RoundPreferCeil;
  default:
    return false;
  }
}

SmallVector<int64_t> ResizeOp::getRepeats() {
  if (getMode() != ResizeMode::Nearest ||
      !roundsDown(getCoordinateMode(), getNearestMode()))
    return {};
  SmallVector<int64_t> repeats;
  for (auto [in, out, scale] :
       llvm::zip_equal(dimsOf(getInput()), dimsOf(getType()), getScales())) {
    bool isWhole = scale >= 1 && scale <= 0x1p20f && scale == std::floor(scale);
    auto factor = int64_t(isWhole ? scale : 0);
    if (!isWhole || sizeOf(in) == 0 || !in || affineDim(in, factor, 0) != out)
      return {};
    repeats.push_back(factor);
  }
  return repeats;
}

IterationDomain ResizeOp::getIterationDomain() {
  return parallelDomain(getType());
}

SmallVector<Access> ResizeOp::getAccesses() {
  unsigned rank = getType().getRank();
  AccessMaker maker(getContext(), rank);
  Dims from = dimsOf(getInput()), to = dimsOf(getType());
  SmallVector<int64_t> repeats = getRepeats();
  SmallVector<AffineExpr> read;
  AccessKind kind = AccessKind::Exact;
  for (unsigned index = 0; index < rank; ++index) {
    bool same = from[index] && from[index] == to[index] &&
                getScales()[index] == 1.0f && getRoi().empty();
    if (!repeats.empty()) {
      read.push_back(maker.dim(index).floorDiv(repeats[index]));
    } else if (same) {
      read.push_back(maker.dim(index));
    } else {
      read.push_back(maker.any(index));
      kind = AccessKind::Over;
    }
  }
  return {maker.read(0, read, kind), maker.writeIdentity(0, rank)};
}

Cost ResizeOp::getCost() {
  int64_t resized = 0;
  for (float scale : getScales())
    resized += scale != 1.0f;
  int64_t taps = getMode() == ResizeMode::Nearest  ? 0
                 : getMode() == ResizeMode::Linear ? 2
                                                   : 4;
  int64_t flops = taps == 0 ? 0 : 2;
  for (int64_t dim = 0; dim < resized; ++dim)
    flops *= taps;
  return domainCost(getOperation(), flops);
}
