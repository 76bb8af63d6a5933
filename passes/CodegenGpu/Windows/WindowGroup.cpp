//===- WindowGroup.cpp - groups around a window ---------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "passes/CodegenGpu/Windows/WindowGroup.h"
#include "dialects/Graph/Graph.h"
#include "passes/Codegen/Groups/WindowGroup.h"

#include "passes/Codegen/Builder/ElementwiseOps.h"
#include "passes/Codegen/Groups/Work.h"

using namespace mlir;
using namespace tenon;
using namespace tenon::gpu;
using codegen::WindowNest;
using memory::BufferType;

//===-- Groups ------------------------------------------------------------===//

/// Channels lie beside each other, and each has a result of its own.
static bool isWindowAnchor(Operation *op) {
  if (auto pool = dyn_cast<graph::MaxPoolOp>(op))
    return pool.getLayout() == graph::Layout::NHWC;
  if (auto pool = dyn_cast<graph::AvgPoolOp>(op))
    return pool.getLayout() == graph::Layout::NHWC;
  auto conv = dyn_cast<graph::ConvOp>(op);
  if (!conv || conv.getLayout() != graph::Layout::NHWC)
    return false;
  ArrayRef<int64_t> filter = conv.getFilter().getType().getShape();
  auto groups = int64_t(conv.getGroup());
  return groups > 1 && filter[0] == groups && filter[1] == 1;
}

static bool isKnown(Type type) {
  auto tensor = dyn_cast<RankedTensorType>(type);
  return tensor && tensor.hasStaticShape() && tensor.getNumElements() > 0;
}

static bool isFloat(Type type) {
  Type element = getElementTypeOrSelf(type);
  return element.isF32() || element.isF16() || element.isBF16();
}

/// Whether an operation behind the anchor can be part of an epilogue.
static bool canFollow(Operation &op) {
  auto constant = dyn_cast<graph::ConstantOp>(op);
  return constant ? cast<ElementsAttr>(constant.getValue()).isSplat()
                  : codegen::isElementwise(&op);
}

bool tenon::gpu::isWindow(kernel::GroupOp group) {
  Operation *anchor = group.isStaged() ? nullptr : group.getAnchor();
  if (!anchor || !isWindowAnchor(anchor) ||
      !llvm::all_of(anchor->getOperands(), llvm::IsaPred<BlockArgument>) ||
      !isFloat(anchor->getOperand(0).getType()))
    return false;
  if (!llvm::all_of(group.getOperandTypes(), isKnown))
    return false;
  auto shape =
      cast<RankedTensorType>(anchor->getResult(0).getType()).getShape();
  for (Type type : group.getResultTypes())
    if (!isKnown(type) || cast<RankedTensorType>(type).getShape() != shape)
      return false;
  return llvm::all_of(
      group.getBlock().without_terminator(),
      [&](Operation &op) { return &op == anchor || canFollow(op); });
}

unsigned tenon::gpu::operandOf(Operation *anchor, unsigned i) {
  return cast<BlockArgument>(anchor->getOperand(i)).getArgNumber();
}

DictionaryAttr tenon::gpu::filterPack(kernel::GroupOp group) {
  auto conv = dyn_cast<graph::ConvOp>(group.getAnchor());
  if (!conv ||
      !codegen::canPackFilter(group, cast<BlockArgument>(conv.getFilter())))
    return {};
  return codegen::packFilter(conv, conv.getFilter().getType().getDimSize(0));
}

//===-- Reading -----------------------------------------------------------===//

FailureOr<WindowNest>
tenon::gpu::readWindow(kernel::GroupOp group, ArrayRef<BufferType> operands,
                       bool isPacked,
                       ArrayRef<codegen::IndexedTensor> tensors) {
  Operation *anchor = codegen::windowAnchor(group);
  if (!anchor)
    return failure();
  BufferType filter;
  if (isa<graph::ConvOp>(anchor))
    filter = operands[operandOf(anchor, 1)];
  FailureOr<WindowNest> nest =
      codegen::buildWindowNest(anchor, operands[operandOf(anchor, 0)], filter,
                               isPacked, tensors, codegen::Border::Clipped);
  // The filter is one panel, of all channels.
  if (succeeded(nest) && isPacked)
    nest->filterChannel = 1;
  return nest;
}

tile::GpuWindow tenon::gpu::problemOf(kernel::GroupOp group,
                                      const WindowNest &nest) {
  Operation *anchor = group.getAnchor();
  tile::GpuWindow problem;
  problem.images = nest.images.fixed();
  problem.channels = nest.channels;
  for (auto [to, from] : llvm::zip_equal(problem.dims, nest.dims))
    to = {from.output.fixed(), from.kernel, from.stride, from.dilation};
  problem.elementBytes = graph::elementBytes(
      getElementTypeOrSelf(anchor->getOperand(0).getType()));
  problem.hasWeights = nest.kind == codegen::WindowKind::Depthwise;
  int64_t whole =
      cast<RankedTensorType>(anchor->getResult(0).getType()).getNumElements();
  for (BlockArgument argument : group.getBlock().getArguments())
    if (!llvm::is_contained(anchor->getOperands(), argument) &&
        cast<RankedTensorType>(argument.getType()).getNumElements() == whole)
      ++problem.epilogueLoads;
  problem.bytes = int64_t(codegen::workOf(group).footprint());
  return problem;
}
