//===- Lrn.cpp - local response normalisation -----------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file squares one pixel's channels into a stack row with zeros at both
// ends, so that the sliding sum needs no border tests.
//===----------------------------------------------------------------------===//
#include "passes/Codegen/PlanAttribute.h"
#include "passes/CodegenCpu/Strategies.h"
#include "passes/CodegenCpu/Window/Window.h"

#include "dialects/Graph/Graph.h"
#include "dialects/Graph/Size.h"
#include "dialects/Kernel/Buffers.h"
#include "lib/Tile/Rows.h"
#include "passes/Codegen/Bodies/Lrn.h"
#include "passes/Codegen/Builder/ElementwiseOps.h"
#include "passes/Codegen/Builder/VectorMath.h"
#include "passes/CodegenCpu/Contraction/MicroKernel.h"
#include "passes/CodegenCpu/Contraction/Plan.h"

using namespace mlir;
using namespace tenon;
using namespace tenon::codegen;
using memory::BufferType;
using tile::ceilDiv;

namespace {
class LrnEmitter {
public:
  LrnEmitter(const StageRequest &request, graph::LrnOp lrn, Epilogue epilogue)
      : lrn(lrn), epilogue(std::move(epilogue)),
        type(cast<RankedTensorType>(lrn.getInput().getType())),
        element(type.getElementType()), wide(accumulatorType(element)),
        lanes(kernel::PlanAttr(request.plan).getInt("lanes", 1)),
        pixelsPerTile(kernel::PlanAttr(request.plan).getInt("rows", 1)),
        b(request.b) {
    unsigned number = cast<BlockArgument>(lrn.getInput()).getArgNumber();
    source = b.buffer(number);
    layout = request.operands[number];
    before = (lrn.getSize() - 1) / 2;
  }

  FailureOr<StageInfo> emit();

private:
  void emitPixel(Value number);
  void squares(Value from);
  void normalize(Value from, const Values &to);
  void vectors(function_ref<void(Value channel, int64_t count)> body);

  graph::LrnOp lrn;
  Epilogue epilogue;
  RankedTensorType type;
  Type element, wide;
  int64_t lanes, pixelsPerTile, before = 0;
  KernelBuilder &b;
  BufferType layout;
  Value source, row;
  bool broken = false;
};
} // namespace

FailureOr<StageInfo> LrnEmitter::emit() {
  int64_t channels = type.getShape().back();
  Sizes shape = graph::sizesOf(type);
  Size pixels = graph::productOf(ArrayRef(shape).drop_back());
  int64_t padded = ceilDiv(channels, lanes) * lanes + lrn.getSize() + lanes;
  row = b.scratch(padded, wide);
  Value zero = b.constantOf(b.vectorType(wide, 1), 0);
  b.loop(b.index(0), b.index(padded), 1,
         [&](Value i) { b.store(zero, b.at(row, i, wide), wide); });
  b.forTiles([&](Value tile) {
    Value first = b.mul(tile, pixelsPerTile);
    Value end = b.min(b.add(first, pixelsPerTile), b.index(pixels));
    b.loop(first, end, 1, [&](Value number) { emitPixel(number); });
  });
  if (broken)
    return failure();
  StageInfo result;
  result.tiles = pixels.ceilDiv(pixelsPerTile);
  return result;
}

void LrnEmitter::emitPixel(Value number) {
  Sizes shape = graph::sizesOf(type), strides = kernel::stridesOf(layout);
  Values index = b.delinearize(number, ArrayRef(shape).drop_back());
  Value from = b.index(kernel::offsetOf(layout));
  for (auto [i, at] : llvm::enumerate(index))
    from = b.add(from, b.mul(at, strides[i]));
  Values to = elementsAt(b, epilogue.tensors(), index);
  squares(from);
  normalize(from, to);
}

void LrnEmitter::vectors(function_ref<void(Value, int64_t)> body) {
  int64_t channels = type.getShape().back();
  int64_t whole = channels / lanes * lanes;
  b.loop(b.index(0), b.index(whole), lanes,
         [&](Value channel) { body(channel, lanes); });
  if (whole != channels)
    body(b.index(whole), channels - whole);
}

void LrnEmitter::squares(Value from) {
  vectors([&](Value channel, int64_t count) {
    Value x = widenFloat(
        b, loadLanes(b, b.at(source, b.add(from, channel), element),
                     b.vectorType(element, lanes), 1, count, element));
    Num value(b, x);
    // Lanes past the channels are zero, so whole vectors may be stored.
    b.store((value * value).get(), b.at(row, b.add(channel, before), wide),
            wide);
  });
}

void LrnEmitter::normalize(Value from, const Values &to) {
  vectors([&](Value channel, int64_t count) {
    Type vector = b.vectorType(wide, lanes);
    Num sum(b, b.constantOf(vector, 0));
    for (int64_t i = 0; i < int64_t(lrn.getSize()); ++i)
      sum = sum + Num(b, b.load(b.at(row, b.add(channel, i), wide), vector));
    Num factor = lrnFactor(lrn, sum);
    Value x = widenFloat(
        b, loadLanes(b, b.at(source, b.add(from, channel), element),
                     b.vectorType(element, lanes), 1, count, element));
    Value result =
        narrowFloat(b, (Num(b, x) * factor).get(), epilogue.sumType());
    auto pointer = [&](unsigned t) {
      const IndexedTensor &tensor = epilogue.tensors()[t];
      Value at = b.add(to[t], b.mul(channel, tensor.strides.back()));
      return b.at(b.buffer(tensor.buffer), at, tensor.element);
    };
    epilogue.clearLoads();
    if (failed(epilogue.apply(b, result, {lanes, count, 0, 0, pointer})))
      broken = true;
    epilogue.clearLoads();
  });
}

static FailureOr<StageInfo> emitLrn(const StageRequest &request) {
  FailureOr<Epilogue> epilogue = Epilogue::create(request);
  if (failed(epilogue))
    return failure();
  auto lrn = cast<graph::LrnOp>(kernel::GroupOp(request.group).getAnchor());
  return LrnEmitter(request, lrn, std::move(*epilogue)).emit();
}

//===-- Strategy ----------------------------------------------------------===//

static bool isLrn(kernel::GroupOp group) {
  return isa_and_nonnull<graph::LrnOp>(group.getAnchor());
}

/// LRN works on whole pixels; rows are pixels.
static PlannedChoices planLrn(const PlanRequest &request) {
  kernel::GroupOp group = request.group;
  auto lrn = cast<graph::LrnOp>(group.getAnchor());
  if (lrn.getLayout() != graph::Layout::NHWC)
    return lrn.emitError("'graph.lrn' needs layout nhwc here");
  auto type = cast<RankedTensorType>(lrn.getInput().getType());
  int64_t channels = type.getShape().back();
  WindowPlan plan;
  plan.lanes = request.target.lanes(
      graph::elementBytes(accumulatorType(type.getElementType())));
  plan.pixels = plan.vectors = 1;
  plan.rows = std::max<int64_t>(1, 4096 / std::max<int64_t>(1, channels));
  StagePlan result;
  result.plan =
      toAttribute(lrn.getContext(), lrnStrategy.name, plan, /*packed=*/false);
  return theOnlyChoice(std::move(result), request);
}

static bool takesSymbols(kernel::GroupOp group) {
  auto lrn = cast<graph::LrnOp>(group.getAnchor());
  Sizes shape = graph::sizesOf(lrn.getResult().getType());
  return lrn.getLayout() == graph::Layout::NHWC && shape.back().isFixed() &&
         isa<BlockArgument>(lrn.getInput()) && hasKnownEpilogue(group, shape);
}

const Strategy codegen::lrnStrategy{.name = "lrn",
                                    .matches = isLrn,
                                    .plan = planLrn,
                                    .emit = emitLrn,
                                    .canAddress = canAddressWindow,
                                    .takesSymbols = takesSymbols};
