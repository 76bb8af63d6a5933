//===- Halo.cpp - windows and the zeros around their input ----------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "passes/CodegenCpu/Layout/Halo.h"

#include "dialects/Graph/Graph.h"
#include "dialects/Kernel/Buffers.h"

using namespace mlir;
using namespace tenon;
using namespace tenon::codegen;

int64_t WindowGeometry::overhang(size_t dim) const {
  int64_t last = (output[dim] - 1) * strides[dim] - padsBefore[dim] +
                 (kernel[dim] - 1) * dilations[dim];
  return std::max<int64_t>(0, last + 1 - input[dim]);
}

WindowGeometry WindowGeometry::alongRows() const {
  WindowGeometry rows = *this;
  for (size_t i = 0; i + 1 < kernel.size(); ++i) {
    rows.output[i] = rows.kernel[i] = 1;
    rows.padsBefore[i] = 0;
  }
  return rows;
}

template <typename Op>
static WindowGeometry commonGeometry(Op op, ArrayRef<int64_t> kernel) {
  auto input = cast<RankedTensorType>(op.getInput().getType());
  auto output = cast<RankedTensorType>(op.getResult().getType());
  WindowGeometry geometry;
  size_t spatial = kernel.size();
  llvm::append_range(geometry.kernel, kernel);
  llvm::append_range(geometry.input, input.getShape().slice(1, spatial));
  llvm::append_range(geometry.output, output.getShape().slice(1, spatial));
  llvm::append_range(geometry.strides, op.getStrides());
  llvm::append_range(geometry.dilations, op.getDilations());
  llvm::append_range(geometry.padsBefore, op.getPads().take_front(spatial));
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

LogicalResult codegen::checkHalo(Operation *op, const WindowGeometry &geometry,
                                 memory::BufferType input) {
  ArrayRef<int64_t> strides = input.getStrides();
  int64_t first = input.getOffset(), last = input.getOffset();
  size_t rank = strides.size();
  bool fits = true;
  for (size_t i = 0; i < rank; ++i)
    last += (input.getShape()[i] - 1) * strides[i];
  for (size_t i = 0; i < geometry.kernel.size(); ++i) {
    int64_t before = geometry.padsBefore[i], after = geometry.overhang(i);
    first -= before * strides[i + 1];
    last += after * strides[i + 1];
    // The free space after one row may be the free space before the next.
    bool single = input.getShape()[i] == 1;
    int64_t needed = geometry.input[i] + std::max(before, after);
    if (!single && (before || after) && strides[i] < needed * strides[i + 1])
      fits = false;
  }
  int64_t bytes = (last + 1) * graph::elementBytes(input.getElementType());
  if (fits && first >= 0 && bytes <= input.getBytes())
    return success();
  return op->emitError("the padding of '")
         << op->getName() << "' needs a halo around its input, which " << input
         << " does not have";
}
