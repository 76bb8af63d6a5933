//===- Halo.cpp - windows and the zeros around their input ----------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "passes/CodegenCpu/Layout/Halo.h"

#include "dialects/Graph/Bounds.h"
#include "dialects/Graph/Graph.h"
#include "dialects/Kernel/Buffers.h"

using namespace mlir;
using namespace tenon;
using namespace tenon::codegen;

int64_t WindowGeometry::overhang(size_t dim) const {
  if (!output[dim].isFixed() || !input[dim].isFixed())
    return std::max<int64_t>(0, padsAfter[dim]);
  int64_t last = (output[dim].fixed() - 1) * strides[dim] - padsBefore[dim] +
                 (kernel[dim] - 1) * dilations[dim];
  return std::max<int64_t>(0, last + 1 - input[dim].fixed());
}

WindowGeometry WindowGeometry::alongRows() const {
  WindowGeometry rows = *this;
  for (size_t i = 0; i + 1 < kernel.size(); ++i) {
    rows.output[i] = rows.kernel[i] = 1;
    rows.padsBefore[i] = rows.padsAfter[i] = 0;
  }
  return rows;
}

bool WindowGeometry::isRegular() const {
  auto isRounded = [&](size_t i) {
    int64_t span = (kernel[i] - 1) * dilations[i] + 1;
    Size room = input[i] + (padsBefore[i] + padsAfter[i] - span);
    return output[i] == room.floorDiv(strides[i]) + 1;
  };
  return llvm::all_of(llvm::seq(kernel.size()), [&](size_t i) {
    return (input[i].isFixed() && output[i].isFixed()) || isRounded(i);
  });
}

template <typename Op>
static WindowGeometry commonGeometry(Op op, ArrayRef<int64_t> kernel) {
  graph::Sizes input = graph::sizesOf(op.getInput().getType());
  graph::Sizes output = graph::sizesOf(op.getResult().getType());
  WindowGeometry geometry;
  size_t spatial = kernel.size();
  llvm::append_range(geometry.kernel, kernel);
  llvm::append_range(geometry.input, ArrayRef(input).slice(1, spatial));
  llvm::append_range(geometry.output, ArrayRef(output).slice(1, spatial));
  llvm::append_range(geometry.strides, op.getStrides());
  llvm::append_range(geometry.dilations, op.getDilations());
  llvm::append_range(geometry.padsBefore, op.getPads().take_front(spatial));
  llvm::append_range(geometry.padsAfter, op.getPads().take_back(spatial));
  return geometry;
}

FailureOr<WindowGeometry> codegen::windowGeometry(Operation *op) {
  auto make = [&](auto window,
                  ArrayRef<int64_t> kernel) -> FailureOr<WindowGeometry> {
    if (window.getLayout() != graph::Layout::NHWC)
      return op->emitError("'") << op->getName() << "' needs layout nhwc here";
    return commonGeometry(window, kernel);
  };
  if (auto pool = dyn_cast<graph::MaxPoolOp>(op))
    return make(pool, pool.getKernel());
  if (auto pool = dyn_cast<graph::AvgPoolOp>(op))
    return make(pool, pool.getKernel());
  auto conv = cast<graph::ConvOp>(op);
  auto filter = cast<RankedTensorType>(conv.getFilter().getType());
  return make(conv, filter.getShape().drop_front(2));
}

StagePlan::Halo codegen::wantedHalo(const WindowGeometry &geometry) {
  StagePlan::Halo halo;
  halo.low.push_back(0);
  halo.high.push_back(0);
  for (size_t i = 0; i < geometry.kernel.size(); ++i) {
    halo.low.push_back(geometry.padsBefore[i]);
    halo.high.push_back(geometry.overhang(i));
  }
  halo.low.push_back(0);
  halo.high.push_back(0);
  return halo;
}

memory::BufferType codegen::bufferWithHalo(RankedTensorType tensor,
                                           const StagePlan::Halo &halo) {
  graph::Sizes shape = graph::sizesOf(tensor), strides(shape.size());
  graph::Size offset = 0, stride = 1;
  for (size_t i = shape.size(); i-- > 0;) {
    strides[i] = stride;
    offset += stride * halo.low[i];
    stride *= shape[i] + (halo.low[i] + halo.high[i]);
  }
  return kernel::bufferOf(tensor, strides, offset,
                          stride *
                              graph::elementBytes(tensor.getElementType()));
}

/// Whether it is so for any values of the symbols.
static bool isNotNegative(const Size &size, MLIRContext *context) {
  if (size.isFixed())
    return size.fixed() >= 0;
  return graph::isAtLeast(size.symbolic(), Size(0).dim(context),
                          graph::ConstraintStore());
}

LogicalResult codegen::checkHalo(Operation *op, const WindowGeometry &geometry,
                                 memory::BufferType input) {
  MLIRContext *context = op->getContext();
  graph::Sizes shape = graph::sizesOf(input.getTensor());
  graph::Sizes strides = kernel::stridesOf(input);
  Size first = kernel::offsetOf(input), last = first;
  bool fits = true;
  for (auto [extent, stride] : llvm::zip_equal(shape, strides))
    last += (extent - 1) * stride;
  for (size_t i = 0; i < geometry.kernel.size(); ++i) {
    int64_t before = geometry.padsBefore[i], after = geometry.overhang(i);
    first = first - strides[i + 1] * before;
    last += strides[i + 1] * after;
    // The free space after one row may be the free space before the next.
    Size needed = geometry.input[i] + std::max(before, after);
    if (!shape[i].is(1) && (before || after) &&
        !isNotNegative(strides[i] - strides[i + 1] * needed, context))
      fits = false;
  }
  Size bytes = (last + 1) * graph::elementBytes(input.getElementType());
  if (fits && isNotNegative(first, context) &&
      isNotNegative(kernel::bytesOf(input) - bytes, context))
    return success();
  return op->emitError("the padding of '")
         << op->getName() << "' needs a halo around its input, which " << input
         << " does not have";
}
