//===- Plan.cpp - plans of window groups ----------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "passes/CodegenCpu/Window/Window.h"

#include "dialects/Graph/Graph.h"
#include "lib/Tile/Rows.h"
#include "passes/CodegenCpu/Contraction/MicroKernel.h"
#include "passes/CodegenCpu/PlanAttribute.h"
#include "llvm/ADT/TypeSwitch.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace tenon;
using namespace tenon::codegen;
using memory::BufferType;
using tile::ceilDiv;

std::pair<int64_t, int64_t> WindowDim::interior() const {
  int64_t first = std::min(output, ceilDiv(padBefore, stride));
  int64_t room = input + padBefore - (kernel - 1) * dilation - 1;
  int64_t last = room < 0 ? 0 : room / stride + 1;
  return {first, std::max(first, std::min(output, last))};
}

//===-- Nests -------------------------------------------------------------===//

static void fillDims(WindowNest &nest, const WindowGeometry &geometry,
                     BufferType input, ArrayRef<int64_t> padsAfter,
                     ArrayRef<IndexedTensor> tensors) {
  size_t spatial = geometry.kernel.size(), unused = 3 - spatial;
  for (const IndexedTensor &tensor : tensors) {
    nest.imageResult.push_back(tensor.strides.front());
    nest.channelResult.push_back(tensor.strides.back());
    for (size_t i = 0; i < 3; ++i)
      nest.dims[i].result.push_back(
          i < unused ? 0 : tensor.strides[1 + i - unused]);
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
    dim.pitch = input.getStrides()[1 + i];
  }
  nest.images = input.getShape().front();
  nest.imagePitch = input.getStrides().front();
  nest.inputOffset = input.getOffset();
}

static LogicalResult fillFilter(WindowNest &nest, graph::ConvOp conv,
                                BufferType filter, bool packed) {
  auto type = cast<RankedTensorType>(conv.getFilter().getType());
  int64_t outputs = type.getDimSize(0), spatial = type.getRank() - 2;
  auto input = cast<RankedTensorType>(conv.getInput().getType());
  if (type.getDimSize(1) != 1 ||
      int64_t(conv.getGroup()) != input.getShape().back())
    return conv.emitError("'graph.conv' is not depthwise: ")
           << conv.getGroup() << " groups of " << type.getDimSize(1)
           << " channels";
  nest.kind = WindowKind::Depthwise;
  nest.channels = outputs;
  nest.multiplier = outputs / conv.getGroup();
  nest.filterOffset = filter.getOffset();
  nest.paddedFilter = packed;
  int64_t linear = packed ? filter.getShape().back() : 0;
  for (int64_t i = spatial - 1; i >= 0; --i) {
    nest.dims[3 - spatial + i].tapPitch =
        packed ? linear : filter.getStrides()[2 + i];
    linear *= type.getDimSize(2 + i);
  }
  nest.filterChannel = packed ? 1 : filter.getStrides()[0];
  return success();
}

FailureOr<WindowNest>
codegen::buildWindowNest(Operation *op, BufferType input, BufferType filter,
                         bool packed, ArrayRef<IndexedTensor> tensors) {
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
    if (failed(checkHalo(op, *geometry, input)) ||
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

//===-- Tiles -------------------------------------------------------------===//

Type codegen::windowAccumulator(WindowKind kind, Type element) {
  auto integer = dyn_cast<IntegerType>(element);
  if (kind != WindowKind::Average || !integer)
    return accumulatorType(element);
  return IntegerType::get(element.getContext(), 64, integer.getSignedness());
}

static int64_t chooseLanes(const WindowNest &nest, Type element,
                           const tile::Target &target) {
  int64_t bytes = graph::elementBytes(windowAccumulator(nest.kind, element));
  int64_t native = std::max<int64_t>(1, target.lanes(bytes));
  int64_t needed = int64_t(llvm::PowerOf2Ceil(uint64_t(nest.channels)));
  int64_t lanes = std::min(native, needed);
  // Lanes share an input channel, or each input channel fills whole lanes.
  while (lanes > 1 && lanes % nest.multiplier != 0 &&
         nest.multiplier % lanes != 0)
    lanes /= 2;
  return lanes;
}

/// Pixels of a register tile. A depthwise convolution keeps the weights of a
/// kernel row, one input and one to spare beside them, and shares inputs
/// between neighbouring pixels: the more the better, up to where it saves
/// nothing. A pool's short steps rather share their loops between vectors.
static int64_t mostPixels(const WindowNest &nest, const tile::Target &target) {
  if (nest.kind != WindowKind::Depthwise)
    return 7;
  int64_t weights = nest.unrollsRow() ? nest.dims[2].kernel : 1;
  return std::clamp<int64_t>(target.registers - 2 - weights, 6, 14);
}

/// Vectors of a register tile: what `plan.pixels` leave of the accumulators
/// that hide an instruction's latency. A tile starts at an input channel, or
/// stays in one.
static int64_t tileVectors(const WindowNest &nest, const WindowPlan &plan) {
  int64_t wanted = nest.kind == WindowKind::Depthwise ? 10 : 14;
  int64_t most = std::min<int64_t>(4, ceilDiv(nest.channels, plan.lanes));
  int64_t vectors = std::clamp<int64_t>(wanted / plan.pixels, 1, most);
  auto straddles = [&](int64_t lanes) {
    return lanes % nest.multiplier != 0 && nest.multiplier % lanes != 0;
  };
  while (straddles(vectors * plan.lanes))
    --vectors;
  return vectors;
}

/// Whether the input and the result of a window are so large that much of them
/// left the caches before. For what is still there, prefetching costs 5 %.
static bool isLarge(const WindowNest &nest, Type element,
                    const tile::Target &target) {
  int64_t elements = nest.images * nest.channels;
  int64_t input = elements / nest.multiplier, output = elements;
  for (const WindowDim &dim : nest.dims) {
    input *= dim.input;
    output *= dim.output;
  }
  int64_t bytes = (input + output) * graph::elementBytes(element);
  return bytes > target.l3Bytes / 8;
}

WindowPlan codegen::planWindowTile(const WindowNest &nest, Type element,
                                   const tile::Target &target) {
  WindowPlan plan;
  plan.lanes = chooseLanes(nest, element, target);
  int64_t channelVectors = ceilDiv(nest.channels, plan.lanes);
  const WindowDim &width = nest.dims[2];
  auto [first, last] = nest.kind == WindowKind::Depthwise
                           ? std::pair<int64_t, int64_t>(0, width.output)
                           : width.interior();
  int64_t extent = std::max<int64_t>(1, last - first);
  plan.pixels = tile::EvenSplit::of(extent, mostPixels(nest, target)).height;
  plan.vectors = tileVectors(nest, plan);
  plan.prefetch = nest.dims[1].output > 1 && isLarge(nest, element, target);
  // About 10 microseconds of work per launch tile.
  int64_t rowWork = channelVectors * width.output * nest.taps();
  plan.rows = std::clamp<int64_t>(8192 / std::max<int64_t>(1, rowWork), 1,
                                  std::max<int64_t>(1, nest.rows() / 4));
  return plan;
}

/// The depthwise filter as `[taps][channels]`, channels padded to vectors.
static DictionaryAttr packFilter(graph::ConvOp conv, int64_t lanes) {
  Builder b(conv.getContext());
  auto type = cast<RankedTensorType>(conv.getFilter().getType());
  SmallVector<int64_t> k;
  for (int64_t i = 1; i < type.getRank(); ++i)
    k.push_back(i);
  int64_t panel = ceilDiv(type.getDimSize(0), lanes) * lanes;
  return b.getDictionaryAttr(
      {b.getNamedAttr("batch_dims", b.getDenseI64ArrayAttr({})),
       b.getNamedAttr("k_dims", b.getDenseI64ArrayAttr(k)),
       b.getNamedAttr("n_dims", b.getDenseI64ArrayAttr({0})),
       b.getNamedAttr("panel", b.getI64IntegerAttr(panel))});
}

static bool canPack(kernel::GroupOp group, BlockArgument filter) {
  return filter.hasOneUse() && group.getOperands_()[filter.getArgNumber()]
                                   .getDefiningOp<graph::ConstantOp>();
}

/// LRN works on whole pixels; rows are pixels.
static FailureOr<PlanResult> planLrn(kernel::GroupOp group, graph::LrnOp lrn,
                                     const tile::Target &target) {
  if (lrn.getLayout() != graph::Layout::NHWC)
    return lrn.emitError("'graph.lrn' needs layout nhwc here");
  auto type = cast<RankedTensorType>(lrn.getInput().getType());
  int64_t channels = type.getShape().back();
  WindowPlan plan;
  plan.lanes =
      target.lanes(graph::elementBytes(accumulatorType(type.getElementType())));
  plan.pixels = plan.vectors = 1;
  plan.rows = std::max<int64_t>(1, 4096 / std::max<int64_t>(1, channels));
  PlanResult result;
  result.plan = toAttribute(group.getContext(), "window", plan, false);
  return result;
}

Operation *codegen::windowAnchor(kernel::GroupOp group) {
  Operation *anchor = group.getAnchor();
  if (!isa_and_nonnull<graph::ConvOp, graph::MaxPoolOp, graph::AvgPoolOp>(
          anchor)) {
    group.emitOpError("of kind 'window' has no pool or convolution");
    return nullptr;
  }
  if (llvm::all_of(anchor->getOperands(), llvm::IsaPred<BlockArgument>))
    return anchor;
  anchor->emitError("'") << anchor->getName()
                         << "' must read operands of its group";
  return nullptr;
}

FailureOr<PlanResult> codegen::planWindow(kernel::GroupOp group,
                                          const tile::Target &target) {
  if (auto lrn = dyn_cast_or_null<graph::LrnOp>(group.getAnchor()))
    return planLrn(group, lrn, target);
  Operation *anchor = windowAnchor(group);
  if (!anchor)
    return failure();
  FailureOr<WindowGeometry> geometry = windowGeometry(anchor);
  if (failed(geometry))
    return failure();
  auto input = cast<BlockArgument>(anchor->getOperand(0));
  auto inputType = cast<RankedTensorType>(input.getType());
  PlanResult result;
  result.halos.resize(group.getOperands_().size());
  result.packs.resize(group.getOperands_().size());
  BufferType inputBuffer = BufferType::getDense(inputType), filterBuffer;
  auto conv = dyn_cast<graph::ConvOp>(anchor);
  if (conv) {
    result.halos[input.getArgNumber()] = wantedHalo(*geometry);
    inputBuffer = bufferWithHalo(inputType, wantedHalo(*geometry));
    filterBuffer = BufferType::getDense(
        cast<RankedTensorType>(conv.getFilter().getType()));
  }
  FailureOr<WindowNest> nest =
      buildWindowNest(anchor, inputBuffer, filterBuffer, false, {});
  if (failed(nest))
    return failure();
  WindowPlan plan = planWindowTile(*nest, inputType.getElementType(), target);
  auto filter = conv ? cast<BlockArgument>(conv.getFilter()) : BlockArgument();
  bool packed = conv && canPack(group, filter);
  if (packed)
    result.packs[filter.getArgNumber()] = packFilter(conv, plan.lanes);
  result.plan = toAttribute(group.getContext(), "window", plan, packed);
  return result;
}
