//===- LayoutBuild.cpp - operations with channels last --------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file builds an operation's twin on images whose channels stand last:
// the same operation with its per-dimension attributes permuted.
//===----------------------------------------------------------------------===//
#include "passes/Simplify/Constants.h"
#include "passes/Simplify/Layouts.h"

#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace tenon;
using namespace tenon::graph;
using namespace tenon::simplify;

/// Where dimension `axis` stands when channels are last.
static int64_t movedAxis(int64_t axis, int64_t rank) {
  return axis == 0 ? 0 : axis == 1 ? rank - 1 : axis - 1;
}

template <typename T> static SmallVector<T> movedEntries(ArrayRef<T> entries) {
  return llvm::map_to_vector(channelsLast(entries.size()),
                             [&](int64_t from) { return entries[from]; });
}

/// A broadcast operand of lower rank, or a constant, with channels last.
static Value alignedOperand(OpBuilder &builder, Value operand, int64_t rank) {
  auto type = cast<RankedTensorType>(operand.getType());
  if (type.getRank() == 0)
    return operand;
  Dims dims(rank - type.getRank(), sizeDim(type.getContext(), 1));
  llvm::append_range(dims, dimsOf(type));
  Value expanded = builder.createOrFold<ReshapeOp>(
      operand.getLoc(), typeFromDims(dims, type.getElementType()), operand);
  return transposed(builder, operand.getLoc(), expanded, channelsLast(rank));
}

static DimsAttr movedDims(std::optional<DimsAttr> dims) {
  if (!dims)
    return {};
  ArrayAttr list = dims->getDims();
  return DimsAttr::get(
      list.getContext(),
      ArrayAttr::get(list.getContext(), movedEntries(list.getValue())));
}

/// Permutes the attributes that have one entry per dimension.
static void moveAttributes(Operation *op, int64_t rank) {
  llvm::TypeSwitch<Operation *>(op)
      .Case<ConvOp, ConvTransposeOp, MaxPoolOp, AvgPoolOp, LrnOp>(
          [](auto image) { image.setLayout(Layout::NHWC); })
      .Case<ReduceSumOp, ReduceMeanOp, ReduceMaxOp, ReduceMinOp, ReduceProdOp>(
          [&](auto reduce) {
            auto axes =
                llvm::map_to_vector(reduce.getAxes(), [&](int64_t axis) {
                  return movedAxis(axis, rank);
                });
            llvm::sort(axes);
            reduce.setAxes(axes);
          })
      .Case<ArgMaxOp, ArgMinOp, SoftmaxOp, ConcatOp>(
          [&](auto along) { along.setAxis(movedAxis(along.getAxis(), rank)); })
      .Case([](SliceOp slice) {
        slice.setStarts(movedEntries(slice.getStarts()));
        slice.setSizes(movedEntries(slice.getSizes()));
        slice.setSteps(movedEntries(slice.getSteps()));
        slice.setStartDimsAttr(movedDims(slice.getStartDims()));
        slice.setSizeDimsAttr(movedDims(slice.getSizeDims()));
      })
      .Case([](PadOp pad) {
        pad.setLow(movedEntries(pad.getLow()));
        pad.setHigh(movedEntries(pad.getHigh()));
        pad.setLowDimsAttr(movedDims(pad.getLowDims()));
        pad.setHighDimsAttr(movedDims(pad.getHighDims()));
      })
      .Case([&](ResizeOp resize) {
        ArrayRef<float> roi = resize.getRoi();
        if (!roi.empty()) {
          auto moved = movedEntries(roi.take_front(rank));
          llvm::append_range(moved, movedEntries(roi.drop_front(rank)));
          resize.setRoi(moved);
        }
        resize.setScales(movedEntries(resize.getScales()));
      })
      .Default([](Operation *) {});
}

/// The result type when the operands have channels last.
static Type movedResult(Operation *op) {
  auto type = cast<RankedTensorType>(op->getResult(0).getType());
  return layoutRole(op).resultFollows
             ? permuted(type, channelsLast(type.getRank()))
             : type;
}

/// Splits the last dimension instead of dimension 1, swaps, and merges.
static Operation *buildShuffle(OpBuilder &builder, ReshapeOp merge,
                               function_ref<Value(Value)> image) {
  auto swap = merge.getInput().getDefiningOp<TransposeOp>();
  auto split = swap.getInput().getDefiningOp<ReshapeOp>();
  Value input = image(split.getInput());
  Dims middle = dimsOf(swap.getInput()), dims = dimsOf(input);
  dims.back() = middle[1];
  dims.push_back(middle[2]);
  Type element = merge.getType().getElementType();
  Value value = ReshapeOp::create(builder, split.getLoc(),
                                  typeFromDims(dims, element), input);
  auto order = llvm::to_vector(llvm::seq<int64_t>(0, dims.size()));
  std::swap(order[order.size() - 1], order[order.size() - 2]);
  value = TransposeOp::create(builder, swap.getLoc(), value, order);
  return ReshapeOp::create(builder, merge.getLoc(), movedResult(merge), value);
}

/// The rank of the images that `op` works on.
static int64_t imageRank(Operation *op) {
  bool broadcasts = op->hasTrait<Elementwise>() || isa<BroadcastOp>(op);
  Value image = broadcasts ? op->getResult(0) : op->getOperand(0);
  return cast<RankedTensorType>(image.getType()).getRank();
}

bool simplify::readsImage(Operation *op, unsigned index) {
  if (index > 0 && isa<ConvOp, ConvTransposeOp, PadOp>(op))
    return false;
  Value operand = op->getOperand(index);
  return cast<RankedTensorType>(operand.getType()).getRank() == imageRank(op);
}

Operation *simplify::buildChannelsLast(OpBuilder &builder, Operation *op,
                                       function_ref<Value(Value)> image,
                                       function_ref<Value(Value)> plain) {
  if (isa<ReshapeOp>(op) && channelShuffleOf(op) == op)
    return buildShuffle(builder, cast<ReshapeOp>(op), image);
  int64_t rank = imageRank(op);
  bool aligns = op->hasTrait<Elementwise>() || isa<BroadcastOp>(op);
  SmallVector<Value> operands;
  for (auto [index, operand] : llvm::enumerate(op->getOperands())) {
    bool reads = readsImage(op, index);
    if (reads && !constantOf(operand))
      operands.push_back(image(operand));
    else if (reads || aligns)
      operands.push_back(alignedOperand(builder, plain(operand), rank));
    else
      operands.push_back(plain(operand));
  }
  Operation *twin = builder.clone(*op);
  twin->setOperands(operands);
  twin->getResult(0).setType(movedResult(op));
  moveAttributes(twin, rank);
  return twin;
}
