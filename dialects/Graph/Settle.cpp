//===- Settle.cpp - numbers where operations have them --------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file moves what has become a number out of the attributes that stand
// beside arrays.
//===----------------------------------------------------------------------===//
#include "dialects/Graph/Shapes.h"

using namespace mlir;
using namespace tenon;
using namespace tenon::graph;

/// The dimensions as an array and what is left beside it.
static SplitDims settled(Operation *op, ArrayRef<Attribute> dims) {
  return splitDims(op->getContext(), dims);
}

static void settleSlice(SliceOp op) {
  if (op.getStartDims()) {
    SplitDims starts = settled(op, op.startDims());
    op.setStarts(starts.numbers);
    op.setStartDimsAttr(starts.dims);
  }
  bool isOpen = llvm::any_of(op.getSizes(), ShapedType::isDynamic);
  if (!isOpen)
    return;
  SplitDims sizes = settled(op, op.sizeDims());
  op.setSizes(sizes.numbers);
  op.setSizeDimsAttr(op.getSizeDims() ? sizes.dims : DimsAttr());
}

static void settlePad(PadOp op) {
  if (op.getLowDims()) {
    SplitDims low = settled(op, op.lowDims());
    op.setLow(low.numbers);
    op.setLowDimsAttr(low.dims);
  }
  if (op.getHighDims()) {
    SplitDims high = settled(op, op.highDims());
    op.setHigh(high.numbers);
    op.setHighDimsAttr(high.dims);
  }
}

static void settleResize(ResizeOp op) {
  SmallVector<float> scales(op.getScales());
  for (auto [index, scale] : llvm::enumerate(scales)) {
    int64_t from = op.getInput().getType().getDimSize(index);
    int64_t to = op.getType().getDimSize(index);
    if (scale == 0 && from > 0 && !ShapedType::isDynamic(to))
      scale = float(to) / float(from);
  }
  op.setScales(scales);
}

void graph::settleDims(Operation *op) {
  if (auto slice = dyn_cast<SliceOp>(op))
    settleSlice(slice);
  else if (auto pad = dyn_cast<PadOp>(op))
    settlePad(pad);
  else if (auto resize = dyn_cast<ResizeOp>(op))
    settleResize(resize);
}
