//===- Symbols.cpp - windows over images of any size ----------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file builds the loops over rows and pixels whose number comes with the
// call. Register tiles of the planned width come first, halves of it take what
// is left. Where windows hang over the input, the rows and pixels whose windows
// don't are found out in the run; all others are windows of their own, whose
// taps are clipped.
//===----------------------------------------------------------------------===//
#include "dialects/Graph/Graph.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "passes/CodegenCpu/Contraction/Plan.h"
#include "passes/CodegenCpu/Window/Emit.h"
#include "llvm/Support/MathExtras.h"
#include "llvm/Support/SaveAndRestore.h"

using namespace mlir;
using namespace tenon;
using namespace tenon::codegen;
using tile::ceilDiv;

/// Convolutions round down; pools may have a last window that hangs over the
/// end, as long as it starts inside.
static bool isRegular(Operation *anchor) {
  FailureOr<WindowGeometry> geometry = windowGeometry(anchor);
  if (failed(geometry))
    return false;
  return isa<graph::ConvOp>(anchor) ? geometry->isRegular()
                                    : geometry->isRegularOrCeil();
}

bool codegen::takesSymbolicWindow(kernel::GroupOp group) {
  Operation *anchor = group.getAnchor();
  if (!llvm::all_of(anchor->getOperands(), llvm::IsaPred<BlockArgument>) ||
      anchor->getAttrOfType<graph::LayoutAttr>("layout").getValue() !=
          graph::Layout::NHWC)
    return false;
  Sizes input = graph::sizesOf(anchor->getOperand(0).getType());
  Sizes result = graph::sizesOf(anchor->getResult(0).getType());
  return isRegular(anchor) && input.back().isFixed() &&
         result.back().isFixed() && hasKnownEpilogue(group, result);
}

//===-- Rows --------------------------------------------------------------===//

/// As WindowDim::interior().
Interval WindowEmitter::interiorOf(size_t i) {
  const WindowDim &dim = nest.dims[i];
  Value output = b.index(dim.output);
  if (!clips(i))
    return {b.index(0), output};
  Value first = b.min(output, b.index(ceilDiv(dim.padBefore, dim.stride)));
  Size room = dim.input + (dim.padBefore - dim.span());
  Value last = b.min(output, b.index(room.floorDiv(dim.stride) + 1));
  return {first, b.max(first, last)};
}

/// The rows of a group, at once where all have all their taps. At the left and
/// right border each row is alone.
void WindowEmitter::emitAnyRows(const Row &image, Value group) {
  Interval inner = interiorOf(1);
  Value first = b.mul(group, plan.height);
  Value end = b.min(b.add(first, plan.height), b.index(nest.dims[1].output));
  auto isBelow = b.less(b.sub(inner.begin, b.index(1)), first);
  auto isAbove = b.less(b.add(first, plan.height - 1), inner.end);
  Value isWhole =
      arith::AndIOp::create(b.builder(), b.loc(), isBelow, isAbove).getResult();
  auto overRows = [&](auto emit) {
    b.loop(first, end, 1, [&](Value y) { emit(rowAt(image, y, 1, clips(1))); });
  };
  b.ifThen(
      isWhole,
      [&] { emitAnyInterior(rowAt(image, first, plan.height, false)); },
      [&] { overRows([&](const Row &row) { emitAnyInterior(row); }); });
  if (clips(2))
    overRows([&](const Row &row) { emitAnyEdges(row); });
}

//===-- Pixels ------------------------------------------------------------===//

void WindowEmitter::emitAnyInterior(const Row &row) {
  Interval left = interiorOf(2);
  for (int64_t pixels = plan.pixels; pixels > 0;
       pixels = llvm::bit_floor(uint64_t(pixels - 1))) {
    Value count = b.div(b.sub(left.end, left.begin), pixels);
    Value end = b.add(left.begin, b.mul(count, pixels));
    b.loop(left.begin, end, pixels, [&](Value x) {
      if (combines)
        return emitBlock(row, x, pixels, false);
      emitChannels(row, x, pixels, false);
    });
    left.begin = end;
  }
}

void WindowEmitter::emitAnyEdges(const Row &row) {
  if (!clips(2))
    return;
  llvm::SaveAndRestore<bool> alone(combines, false);
  Interval inner = interiorOf(2);
  auto emit = [&](Value x) { emitChannels(row, x, 1, true); };
  b.loop(b.index(0), inner.begin, 1, emit);
  b.loop(inner.end, b.index(nest.dims[2].output), 1, emit);
}
