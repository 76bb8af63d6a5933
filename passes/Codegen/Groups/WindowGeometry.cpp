//===- WindowGeometry.cpp - windows and the zeros around their input ------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "passes/Codegen/Groups/WindowGeometry.h"

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

bool WindowGeometry::isRegularOrCeil() const {
  WindowGeometry rest = *this;
  for (size_t i = 0; i < kernel.size(); ++i) {
    int64_t span = (kernel[i] - 1) * dilations[i] + 1;
    int64_t spare = padsAfter[i] - span + strides[i];
    Size room = input[i] + (padsBefore[i] + std::min<int64_t>(spare, 0));
    if (output[i] == (room + (strides[i] - 1)).floorDiv(strides[i]))
      rest.input[i] = rest.output[i] = 1;
  }
  return rest.isRegular();
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

/// Whether windows touch nothing but a buffer of known numbers.
static bool hasFixedHalo(const WindowGeometry &geometry,
                         memory::BufferType input) {
  ArrayRef<int64_t> strides = input.getStrides();
  int64_t first = input.getOffset(), last = input.getOffset();
  size_t rank = strides.size();
  for (size_t i = 0; i < rank; ++i)
    last += (input.getShape()[i] - 1) * strides[i];
  for (size_t i = 0; i < geometry.kernel.size(); ++i) {
    int64_t before = geometry.padsBefore[i], after = geometry.overhang(i);
    first -= before * strides[i + 1];
    last += after * strides[i + 1];
    // The free space after one row may be the free space before the next.
    bool single = input.getShape()[i] == 1;
    int64_t needed = input.getShape()[i + 1] + std::max(before, after);
    if (!single && (before || after) && strides[i] < needed * strides[i + 1])
      return false;
  }
  int64_t bytes = (last + 1) * graph::elementBytes(input.getElementType());
  return first >= 0 && bytes <= input.getBytes();
}

/// Whether there is as much around the tensor in a box of `strides`, from
/// dimension `dim` of the windows on, when it begins `rest` elements further
/// in.
static bool liesInBox(const WindowGeometry &geometry, ArrayRef<Size> shape,
                      ArrayRef<Size> strides, size_t dim, const Size &rest) {
  if (dim == geometry.kernel.size())
    return rest.is(0);
  std::optional<Size> extent =
      graph::quotientOf(strides[dim], strides[dim + 1]);
  Size room = extent ? *extent - shape[dim + 1] : Size(-1);
  int64_t most = room.isFixed() ? room.fixed() - geometry.overhang(dim) : -1;
  for (int64_t low = geometry.padsBefore[dim]; low <= most; ++low)
    if (liesInBox(geometry, shape, strides, dim + 1,
                  rest - strides[dim + 1] * low))
      return true;
  return false;
}

/// The same where symbols have a say, for any values of theirs.
static bool hasAnyHalo(const WindowGeometry &geometry,
                       memory::BufferType input) {
  auto needsNone = [&](size_t i) {
    return geometry.padsBefore[i] <= 0 && geometry.overhang(i) == 0;
  };
  if (llvm::all_of(llvm::seq(geometry.kernel.size()), needsNone))
    return true;
  graph::Sizes shape = graph::sizesOf(input.getTensor());
  graph::Sizes strides = kernel::stridesOf(input);
  Size bytes = shape.front() * strides.front() *
               graph::elementBytes(input.getElementType());
  return bytes == kernel::bytesOf(input) &&
         liesInBox(geometry, shape, strides, 0, kernel::offsetOf(input));
}

LogicalResult codegen::checkHalo(Operation *op, const WindowGeometry &geometry,
                                 memory::BufferType input) {
  bool isFixed = input.getTensor().hasStaticShape() &&
                 kernel::bytesOf(input).isFixed() &&
                 llvm::all_of(kernel::stridesOf(input),
                              [](const Size &size) { return size.isFixed(); });
  if (isFixed ? hasFixedHalo(geometry, input) : hasAnyHalo(geometry, input))
    return success();
  return op->emitError("the padding of '")
         << op->getName() << "' needs a halo around its input, which " << input
         << " does not have";
}
