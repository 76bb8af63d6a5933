//===- ConvTranspose.cpp - transposed convolution -------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file reads the shape and chooses what the lanes of vectors are.
//===----------------------------------------------------------------------===//
#include "passes/CodegenCpu/ConvTranspose/ConvTranspose.h"
#include "lib/Support/SortUnique.h"
#include "passes/Codegen/Builder/ElementwiseOps.h"
#include "passes/CodegenCpu/Contraction/MicroKernel.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;
using namespace tenon;
using namespace tenon::codegen;

//===-- Shape -------------------------------------------------------------===//

SmallVector<TransposedTap, 4> TransposedAxis::taps(int64_t phase) const {
  SmallVector<TransposedTap, 4> result;
  for (int64_t k = 0; k < kernel; ++k) {
    int64_t distance = phase + pad - k * dilation;
    if (distance % stride == 0)
      result.push_back({k, distance / stride});
  }
  return result;
}

SmallVector<int64_t, 4> TransposedAxis::shifts() const {
  SmallVector<int64_t, 4> result;
  for (int64_t phase = 0; phase < std::min(stride, out); ++phase)
    for (const TransposedTap &tap : taps(phase))
      result.push_back(tap.shift);
  sortUnique(result);
  return result;
}

static RankedTensorType filterType(graph::ConvTransposeOp op) {
  return cast<RankedTensorType>(op.getFilter().getType());
}

/// Each channel by itself, and channels beside each other.
static bool isDepthwise(graph::ConvTransposeOp op) {
  return op.getLayout() == graph::Layout::NHWC &&
         filterType(op).getDimSize(1) == 1 &&
         int64_t(op.getGroup()) == filterType(op).getDimSize(0);
}

static TransposedAxis axisOf(const Move &move, int64_t dim, bool packed) {
  auto op = cast<graph::ConvTransposeOp>(move.op);
  bool last = op.getLayout() == graph::Layout::NHWC;
  int64_t position = dim + (last ? 1 : 2);
  memory::BufferType in = move.inputType(0), out = move.resultType();
  TransposedAxis axis;
  axis.in = in.getShape()[position];
  axis.out = out.getShape()[position];
  axis.inStride = in.getStrides()[position];
  axis.outStride = out.getStrides()[position];
  axis.kernel = filterType(op).getDimSize(dim + 2);
  axis.stride = op.getStrides()[dim];
  axis.dilation = op.getDilations()[dim];
  axis.pad = op.getPads()[dim];
  axis.filterStride = move.inputType(1).getStrides()[packed ? dim : dim + 2];
  return axis;
}

TransposedShape TransposedShape::of(const Move &move) {
  auto op = cast<graph::ConvTransposeOp>(move.op);
  TransposedShape shape;
  shape.packed = move.inputType(1).getTensor() != filterType(op);
  shape.depthwise = isDepthwise(op);
  int64_t spatial = filterType(op).getRank() - 2;
  for (int64_t dim = 0; dim < spatial; ++dim)
    shape.axes[3 - spatial + dim] = axisOf(move, dim, shape.packed);
  bool last = op.getLayout() == graph::Layout::NHWC;
  int64_t channel = last ? spatial + 1 : 1;
  memory::BufferType in = move.inputType(0), out = move.resultType();
  shape.groups = op.getGroup();
  shape.images = in.getShape()[0];
  shape.inChannels = in.getShape()[channel];
  shape.outChannels = out.getShape()[channel];
  shape.inImageStride = in.getStrides()[0];
  shape.outImageStride = out.getStrides()[0];
  shape.inChannelStride = in.getStrides()[channel];
  shape.outChannelStride = out.getStrides()[channel];
  return shape;
}

Value codegen::insideOf(KernelBuilder &b, Value index, int64_t shift,
                        int64_t count, int64_t extent) {
  if (shift >= 0 && count - 1 + shift < extent)
    return Value();
  return b.inside(b.add(index, shift), extent);
}

Value codegen::bothOf(KernelBuilder &b, Value x, Value y) {
  if (!x || !y)
    return x ? x : y;
  return arith::AndIOp::create(b.builder(), b.loc(), x, y);
}

//===-- Numbers of 16 bits ------------------------------------------------===//

Type codegen::movedType(KernelBuilder &b, Type element) {
  return element.getIntOrFloatBitWidth() == 16 ? Type(b.builder().getI16Type())
                                               : element;
}

/// The same bits as another element type.
static Value asType(KernelBuilder &b, Value value, Type element) {
  Type own = getElementTypeOrSelf(value.getType());
  if (own == element)
    return value;
  auto vector = dyn_cast<VectorType>(value.getType());
  Type type = b.vectorType(element, vector ? vector.getNumElements() : 1);
  return arith::BitcastOp::create(b.builder(), b.loc(), type, value);
}

Value codegen::toSum(KernelBuilder &b, Value moved, Type element) {
  return widenFloat(b, asType(b, moved, element));
}

Value codegen::fromSum(KernelBuilder &b, Value sum, Type element) {
  return asType(b, narrowFloat(b, sum, element), movedType(b, element));
}

//===-- What the lanes are ------------------------------------------------===//

/// Result channels of a packed panel. A filter that is read once for a few
/// pixels does not gain from two vectors.
static int64_t panelOf(int64_t channels, int64_t native, bool depthwise) {
  int64_t lanes = std::min<int64_t>(native, llvm::PowerOf2Ceil(channels));
  return channels > lanes && !depthwise ? 2 * lanes : lanes;
}

/// Lanes along channels waste what a group's channels leave of a vector, lanes
/// along pixels what a row leaves of one; the latter also must transpose.
static bool pixelLanes(graph::ConvTransposeOp op, bool packed,
                       const tile::Target &target) {
  auto result = cast<RankedTensorType>(op.getResult().getType());
  int64_t rank = result.getRank();
  bool last = op.getLayout() == graph::Layout::NHWC;
  Type work = accumulatorType(result.getElementType());
  int64_t native = target.lanes(graph::elementBytes(work));
  int64_t channels = result.getDimSize(last ? rank - 1 : 1);
  int64_t each = isDepthwise(op) ? channels : channels / op.getGroup();
  int64_t pixels = llvm::divideCeil(
      result.getDimSize(last ? rank - 2 : rank - 1), op.getStrides().back());
  int64_t lanes = native;
  while (!packed && each % lanes != 0)
    lanes /= 2;
  int64_t channelSteps = pixels * llvm::divideCeil(each, lanes);
  int64_t pixelSteps = each * llvm::divideCeil(pixels, native);
  // Many channels that alternate in memory are stored one by one.
  int64_t price = last && each >= 8 ? 4 : 2;
  return each == 1 || lanes == 1 || price * pixelSteps <= channelSteps;
}

DictionaryAttr codegen::convTransposePack(Operation *operation,
                                          const tile::Target &target) {
  auto op = dyn_cast<graph::ConvTransposeOp>(operation);
  if (!op || !accumulatorType(filterType(op).getElementType()).isF32())
    return {};
  bool depthwise = isDepthwise(op);
  if (op.getGroup() != 1 && !depthwise)
    return {};
  auto argument = cast<BlockArgument>(op.getFilter());
  auto group = cast<kernel::GroupOp>(op->getParentOp());
  if (!group->getOperand(argument.getArgNumber())
           .getDefiningOp<graph::ConstantOp>() ||
      pixelLanes(op, /*packed=*/true, target))
    return {};
  Builder b(op.getContext());
  SmallVector<int64_t> spatial;
  for (int64_t dim = 2; dim < filterType(op).getRank(); ++dim)
    spatial.push_back(dim);
  int64_t k = depthwise ? 1 : 0, n = 1 - k;
  int64_t panel =
      panelOf(filterType(op).getDimSize(n), target.lanes(4), depthwise);
  return b.getDictionaryAttr(
      {b.getNamedAttr("batch_dims", b.getDenseI64ArrayAttr(spatial)),
       b.getNamedAttr("k_dims", b.getDenseI64ArrayAttr({k})),
       b.getNamedAttr("n_dims", b.getDenseI64ArrayAttr({n})),
       b.getNamedAttr("panel", b.getI64IntegerAttr(panel))});
}

FailureOr<Size> codegen::emitConvTranspose(Move &move) {
  auto op = cast<graph::ConvTransposeOp>(move.op);
  Type element = move.resultType().getElementType();
  int64_t spatial = filterType(op).getRank() - 2;
  if (spatial < 1 || spatial > 3 || !isa<FloatType>(element))
    return op.emitError() << "'graph.conv_transpose' has a kernel for one to "
                             "three spatial dimensions of real numbers";
  TransposedShape shape = TransposedShape::of(move);
  if (!shape.packed && pixelLanes(op, /*packed=*/false, move.b.target()))
    return emitTransposedPixels(move, shape);
  return emitTransposedChannels(move, shape);
}
