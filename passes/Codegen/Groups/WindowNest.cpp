//===- WindowNest.cpp - the loops of a window -----------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file reads a window's geometry off its operation and its buffers.
//===----------------------------------------------------------------------===//
#include "passes/Codegen/Groups/WindowNest.h"

#include "dialects/Graph/Graph.h"
#include "dialects/Kernel/Buffers.h"
#include "lib/Tile/Rows.h"
#include "passes/Codegen/Groups/ContractionNest.h"

using namespace mlir;
using namespace tenon;
using namespace tenon::codegen;
using memory::BufferType;
using tile::ceilDiv;

std::set<int64_t> codegen::usedColumns(const WindowDim &width, int64_t pixels,
                                       int64_t taps) {
  std::set<int64_t> used;
  for (int64_t p = 0; p < pixels; ++p)
    for (int64_t k = 0; k < taps; ++k)
      used.insert(p * width.stride + k * width.dilation);
  return used;
}

int64_t codegen::countUsed(const WindowDim &dim, int64_t outputs) {
  return int64_t(usedColumns(dim, outputs, dim.kernel).size());
}

Type codegen::windowAccumulator(WindowKind kind, Type element) {
  auto integer = dyn_cast<IntegerType>(element);
  if (kind != WindowKind::Average || !integer)
    return accumulatorType(element);
  return IntegerType::get(element.getContext(), 64, integer.getSignedness());
}

std::pair<int64_t, int64_t> WindowDim::interior() const {
  int64_t first = std::min(output.fixed(), ceilDiv(padBefore, stride));
  int64_t room = input.fixed() + padBefore - span();
  int64_t last = room < 0 ? 0 : room / stride + 1;
  return {first, std::max(first, std::min(output.fixed(), last))};
}

bool WindowDim::staysInside() const {
  if (isFixed())
    return interior() == std::pair<int64_t, int64_t>(0, output.fixed());
  return padBefore == 0 && output == (input - span()).floorDiv(stride) + 1;
}

bool WindowNest::isFlat() const {
  return dims[0].kernel == 1 && dims[0].staysInside();
}

bool WindowNest::unrollsTile(int64_t rows, int64_t pixels) const {
  return isFlat() && countUsed(dims[1], rows) * countUsed(dims[2], pixels) <=
                         tile::mostTileInputs;
}

int64_t WindowNest::mapBytes(Type element) const {
  int64_t elements = images.fixed() * channels;
  int64_t input = elements / multiplier, output = elements;
  for (const WindowDim &dim : dims) {
    input *= dim.input.fixed();
    output *= dim.output.fixed();
  }
  return (input + output) * graph::elementBytes(element);
}

//===-- Nests -------------------------------------------------------------===//

static void fillDims(WindowNest &nest, const WindowGeometry &geometry,
                     BufferType input, ArrayRef<int64_t> padsAfter,
                     ArrayRef<IndexedTensor> tensors) {
  size_t spatial = geometry.kernel.size(), unused = 3 - spatial;
  Sizes strides = kernel::stridesOf(input);
  for (const IndexedTensor &tensor : tensors) {
    nest.imageResult.push_back(tensor.strides.front());
    nest.channelResult.push_back(tensor.strides.back());
    for (size_t i = 0; i < 3; ++i)
      nest.dims[i].result.push_back(
          i < unused ? Size(0) : tensor.strides[1 + i - unused]);
  }
  for (size_t i = 0; i < spatial; ++i) {
    WindowDim &dim = nest.dims[unused + i];
    dim.input = geometry.input[i];
    dim.output = geometry.output[i];
    dim.kernel = geometry.kernel[i];
    dim.stride = geometry.strides[i];
    dim.dilation = geometry.dilations[i];
    dim.padBefore = geometry.padsBefore[i];
    dim.padAfter = padsAfter[i];
    dim.pitch = strides[1 + i];
  }
  nest.images = graph::sizesOf(input.getTensor()).front();
  nest.imagePitch = strides.front();
  nest.inputOffset = kernel::offsetOf(input);
}

static LogicalResult fillFilter(WindowNest &nest, graph::ConvOp conv,
                                BufferType filter, bool packed) {
  auto type = cast<RankedTensorType>(conv.getFilter().getType());
  int64_t outputs = type.getDimSize(0), spatial = type.getRank() - 2;
  auto input = cast<RankedTensorType>(conv.getInput().getType());
  int64_t mixed = type.getDimSize(1), groups = conv.getGroup();
  bool fills = mixed == 1 || outputs == groups * mixed;
  if (!fills || groups * mixed != input.getShape().back())
    return conv.emitError("'graph.conv' is not depthwise: ")
           << conv.getGroup() << " groups of " << type.getDimSize(1)
           << " channels";
  nest.kind = WindowKind::Depthwise;
  nest.channels = outputs;
  nest.multiplier = outputs / (groups * mixed);
  nest.mixed = mixed;
  nest.filterOffset = filter.getOffset();
  nest.paddedFilter = packed;
  int64_t linear = packed ? filter.getShape().back() : 0;
  nest.filterMixed = packed ? linear : filter.getStrides()[1];
  linear *= mixed;
  for (int64_t i = spatial - 1; i >= 0; --i) {
    nest.dims[3 - spatial + i].tapPitch =
        packed ? linear : filter.getStrides()[2 + i];
    linear *= type.getDimSize(2 + i);
  }
  nest.filterChannel = packed ? nest.taps() * mixed : filter.getStrides()[0];
  nest.filterLane = packed ? 1 : nest.filterChannel;
  return success();
}

FailureOr<WindowNest> codegen::buildWindowNest(Operation *op, BufferType input,
                                               BufferType filter, bool packed,
                                               ArrayRef<IndexedTensor> tensors,
                                               Border border) {
  FailureOr<WindowGeometry> geometry = windowGeometry(op);
  if (failed(geometry))
    return failure();
  WindowNest nest;
  auto fill = [&](auto window) {
    fillDims(nest, *geometry, input,
             window.getPads().take_back(geometry->kernel.size()), tensors);
  };
  if (auto conv = dyn_cast<graph::ConvOp>(op)) {
    fill(conv);
    bool hasHalo = border == Border::Halo;
    if ((hasHalo && failed(checkHalo(op, geometry->alongRows(), input))) ||
        failed(fillFilter(nest, conv, filter, packed)))
      return failure();
    return nest;
  }
  nest.channels = input.getShape().back();
  if (auto pool = dyn_cast<graph::MaxPoolOp>(op)) {
    fill(pool);
    nest.kind = WindowKind::Max;
    return nest;
  }
  auto pool = cast<graph::AvgPoolOp>(op);
  fill(pool);
  nest.kind = WindowKind::Average;
  nest.countsPadding = pool.getCountIncludePad();
  return nest;
}
