//===- Boxes.cpp - products whose operands are copied by boxes ------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "passes/CodegenGpu/Contraction/Boxes.h"

#include "lib/Pack/Fragments.h"

using namespace mlir;
using namespace tenon;
using namespace tenon::gpu;

static constexpr int64_t planesOfSplit = 3;
static constexpr int64_t mostBox = 256; ///< of a dimension
static constexpr int64_t mostSteps =
    2; ///< between rows, so that boxes span less

//===-- Reading -----------------------------------------------------------===//

/// Each dimension of rows, and by which dimension of k it is moved.
static std::optional<SmallVector<BoxDim, 3>> rowDims(const Product &product) {
  SmallVector<BoxDim, 3> dims;
  for (const OperandDim &row : product.lhs.rows)
    dims.push_back({row.extent, row.stride});
  for (const WindowBounds &window : product.lhs.windows) {
    BoxDim &dim = dims[window.rowDim];
    if (dim.stride % window.stride != 0)
      return std::nullopt;
    dim = {window.input, dim.stride / window.stride,        window.stride,
           window.pad,   product.lhs.k[window.kDim].extent, window.dilation};
  }
  // Taps of dimensions that are no windows would not be moved.
  size_t windows = product.lhs.windows.size();
  if (product.lhs.k.size() != windows + 1 || dims.size() > 3)
    return std::nullopt;
  return dims;
}

std::optional<Boxes> tenon::gpu::boxesOf(const Product &product,
                                         tile::Precision precision) {
  auto rows = rowDims(product);
  if (!rows || product.batch.size() > 1)
    return std::nullopt;
  const OperandLayout &lhs = product.lhs, &rhs = product.rhs;
  int64_t multiple = mapBytes / lhs.elementBytes();
  bool isSplit = product.problem(precision).unit == tile::Precision::F32;
  // Planes are packed, and have whole sixteens of steps.
  if (isSplit &&
      (!product.batch.empty() || lhs.k.back().extent % tile::fragmentSteps))
    return std::nullopt;
  int64_t run = lhs.k.back().extent, runs = lhs.kCount() / run;
  auto isFar = [&](int64_t stride) {
    return stride > 0 && stride % multiple == 0;
  };
  // Runs of B follow each other.
  int64_t linear = 1;
  for (const OperandDim &dim : llvm::reverse(rhs.k)) {
    if (dim.stride != linear && dim.extent != 1)
      return std::nullopt;
    linear *= dim.extent;
  }
  bool fits = lhs.k.back().stride == 1 && rhs.k.back().stride == 1 &&
              (runs == 1 || isFar(run)) && isFar(rhs.rows.front().stride) &&
              lhs.aligned % multiple == 0 && rhs.aligned % multiple == 0 &&
              rhs.offset % multiple == 0;
  for (const BoxDim &dim : *rows)
    fits &= (dim.extent == 1 || isFar(dim.stride)) && dim.step <= mostSteps;
  Boxes boxes{{product.problem(precision), {}, run, runs},
              *rows,
              rhs.rows.front().stride};
  for (const ResultDim &dim : product.rows)
    boxes.problem.rows.push_back(dim.extent);
  if (!product.batch.empty()) {
    boxes.lhsBatch = lhs.batchStrides.front();
    boxes.rhsBatch = rhs.batchStrides.front();
    fits &= isFar(boxes.lhsBatch) && isFar(boxes.rhsBatch);
  }
  return fits ? std::optional(boxes) : std::nullopt;
}

//===-- Maps --------------------------------------------------------------===//

namespace {
/// The dimensions of a map, innermost first.
struct MapDims {
  SmallVector<int64_t> dims, strides, box, steps;
  int64_t elementBytes;

  void add(int64_t extent, int64_t stride, int64_t size, int64_t step = 1) {
    // Strides that nobody uses have to be valid ones, too.
    int64_t bytes = std::max(stride * elementBytes, mapBytes);
    if (!dims.empty())
      strides.push_back(bytes);
    dims.push_back(extent);
    box.push_back(size * step);
    steps.push_back(step);
  }

  Attribute map(unsigned operand, const OperandLayout &layout,
                int64_t offset) const {
    memory::BufferType type = layout.type;
    int64_t swizzle = box.front() * elementBytes;
    Type element = type.getElementType();
    return kernel::MapAttr::get(element.getContext(), operand, element, dims,
                                strides, box, steps, swizzle,
                                offset * elementBytes);
  }
};
} // namespace

ArrayAttr tenon::gpu::mapsOf(const Product &product, const Boxes &boxes,
                             const tile::GpuProductPlan &plan,
                             MLIRContext *context) {
  int64_t bytes = product.lhs.elementBytes();
  int64_t block = boxes.problem.product.block();
  tile::RowBox box = tile::boxOf(boxes.problem.rows, plan.rows);
  bool isSplit = boxes.problem.isSplit();
  MapDims lhs{{}, {}, {}, {}, bytes};
  MapDims rhs{{}, {}, {}, {}, isSplit ? 2 : bytes};
  lhs.add(boxes.problem.run, 1, block);
  int64_t offset = product.lhs.offset;
  for (size_t i = boxes.rows.size(); i-- > 0;) {
    const BoxDim &dim = boxes.rows[i];
    lhs.add(dim.extent, dim.stride, box.extents[i], dim.step);
    offset += dim.pad * dim.stride;
  }
  rhs.add(boxes.problem.run, 1, block);
  rhs.add(boxes.problem.runs, boxes.problem.run, 1);
  rhs.add(product.column.extent, boxes.columnStride,
          std::min(plan.columns, mostBox));
  if (isSplit)
    rhs.add(planesOfSplit, product.column.extent * boxes.columnStride,
            planesOfSplit);
  if (!product.batch.empty()) {
    lhs.add(product.batch.front().extent, boxes.lhsBatch, 1);
    rhs.add(product.batch.front().extent, boxes.rhsBatch, 1);
  }
  return ArrayAttr::get(
      context, {lhs.map(product.lhs.buffer, product.lhs, offset),
                rhs.map(product.rhs.buffer, product.rhs, product.rhs.offset)});
}
