//===- Strides.cpp - walking several tensors at once ----------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file implements strided iteration for the operation families.
//===----------------------------------------------------------------------===//
#include "lib/Interpreter/Call.h"

#include <cstring>

using namespace mlir;
using namespace tenon::interp;

Strides tenon::interp::stridesOf(Shape shape) {
  Strides strides(shape.size());
  int64_t step = 1;
  for (size_t dim = shape.size(); dim-- > 0; step *= shape[dim])
    strides[dim] = step;
  return strides;
}

Strides tenon::interp::broadcastStrides(Shape from, size_t rank) {
  Strides own = stridesOf(from), strides(rank, 0);
  size_t missing = rank - from.size();
  for (size_t dim = 0; dim < from.size(); ++dim)
    if (from[dim] != 1)
      strides[missing + dim] = own[dim];
  return strides;
}

int64_t tenon::interp::product(Shape shape) {
  int64_t result = 1;
  for (int64_t extent : shape)
    result *= extent;
  return result;
}

namespace {

/// A box whose neighbouring dimensions are merged where all tensors allow it;
/// the last dimension is the run.
struct MergedBox {
  SmallVector<int64_t> extents;
  SmallVector<Strides> strides; ///< per dimension, one per tensor

  MergedBox(Shape box, ArrayRef<Strides> tensors) {
    for (size_t dim = 0; dim < box.size(); ++dim) {
      Strides steps;
      for (const Strides &tensor : tensors)
        steps.push_back(tensor[dim]);
      append(box[dim], steps);
    }
    if (extents.empty())
      push(1, Strides(tensors.size(), 0));
  }

private:
  void push(int64_t extent, const Strides &steps) {
    extents.push_back(extent);
    strides.push_back(steps);
  }

  void append(int64_t extent, const Strides &steps) {
    if (extent == 1)
      return;
    bool mergeable = !extents.empty();
    for (size_t k = 0; mergeable && k < steps.size(); ++k)
      mergeable = strides.back()[k] == steps[k] * extent;
    if (!mergeable)
      return push(extent, steps);
    extents.back() *= extent;
    strides.back() = steps;
  }
};

} // namespace

/// Visits one row of the merged box in pieces.
static void visitRow(Run run, int64_t extent, MutableArrayRef<int64_t> offsets,
                     function_ref<void(const Run &)> visit) {
  SmallVector<int64_t> moved(offsets);
  run.offsets = moved;
  for (int64_t left = extent; left > 0; left -= run.size) {
    run.size = std::min(left, kMaxRun);
    visit(run);
    run.first += run.size;
    for (size_t k = 0; k < moved.size(); ++k)
      moved[k] += run.size * run.strides[k];
  }
}

void tenon::interp::forEachRun(Shape box, ArrayRef<Strides> tensors,
                               function_ref<void(const Run &)> visit) {
  if (product(box) == 0)
    return;
  MergedBox merged(box, tensors);
  size_t last = merged.extents.size() - 1;
  SmallVector<int64_t> index(last, 0), offsets(tensors.size(), 0);
  Run run{0, 0, {}, merged.strides[last]};
  while (true) {
    visitRow(run, merged.extents[last], offsets, visit);
    run.first += merged.extents[last];
    size_t dim = last;
    while (dim-- > 0) {
      bool carries = ++index[dim] == merged.extents[dim];
      int64_t steps = carries ? 1 - index[dim] : 1;
      for (size_t k = 0; k < offsets.size(); ++k)
        offsets[k] += steps * merged.strides[dim][k];
      if (!carries)
        break;
      index[dim] = 0;
    }
    if (dim == size_t(-1))
      return;
  }
}

/// Copies `rows` x `columns` elements whose columns are contiguous in the input
/// and `pitch` apart: some columns at a time, so that each line is read once,
/// in the order of addresses, and written once.
template <size_t kSize>
static void copyPlane(char *to, const char *from, int64_t rows, int64_t columns,
                      int64_t pitch) {
  constexpr int64_t kBlock = 64 / kSize;
  for (int64_t first = 0; first < columns; first += kBlock) {
    int64_t last = std::min(first + kBlock, columns);
    for (int64_t row = 0; row < rows; ++row)
      for (int64_t column = first; column < last; ++column)
        std::memcpy(to + (row * columns + column) * kSize,
                    from + (column * pitch + row) * kSize, kSize);
  }
}

/// Copies a box of transposed planes; false when it is not one.
template <size_t kSize>
static bool copyTransposed(char *to, const char *from, const MergedBox &box) {
  size_t outer = box.extents.size() - 2;
  if (box.extents.size() < 2 || box.strides[outer][0] != 1 ||
      box.strides[outer + 1][0] <= 1)
    return false;
  int64_t rows = box.extents[outer], columns = box.extents[outer + 1];
  Strides steps;
  for (size_t dim = 0; dim < outer; ++dim)
    steps.push_back(box.strides[dim][0]);
  forEachRun(ArrayRef(box.extents).take_front(outer), steps,
             [&](const Run &run) {
               for (int64_t i = 0; i < run.size; ++i)
                 copyPlane<kSize>(to + (run.first + i) * rows * columns * kSize,
                                  from + (run.offsets[0] + i * run.strides[0]) *
                                             int64_t(kSize),
                                  rows, columns, box.strides[outer + 1][0]);
             });
  return true;
}

template <size_t kSize>
static void copyRuns(Tensor &result, const Tensor &input, int64_t offset,
                     const Strides &strides) {
  char *to = result.mutableBytes().data();
  const char *from = input.bytes().data();
  if (copyTransposed<kSize>(to, from + offset * int64_t(kSize),
                            MergedBox(result.getShape(), strides)))
    return;
  forEachRun(result.getShape(), strides, [&](const Run &run) {
    const char *source = from + (offset + run.offsets[0]) * int64_t(kSize);
    char *target = to + run.first * kSize;
    if (run.strides[0] == 1) {
      std::memcpy(target, source, run.size * kSize);
      return;
    }
    int64_t step = run.strides[0] * int64_t(kSize);
    for (int64_t i = 0; i < run.size; ++i)
      std::memcpy(target + i * kSize, source + i * step, kSize);
  });
}

void tenon::interp::copyStrided(Tensor &result, const Tensor &input,
                                int64_t offset, const Strides &strides) {
  switch (*elementSize(result.getElementType())) {
  case 1:
    return copyRuns<1>(result, input, offset, strides);
  case 2:
    return copyRuns<2>(result, input, offset, strides);
  case 4:
    return copyRuns<4>(result, input, offset, strides);
  default:
    return copyRuns<8>(result, input, offset, strides);
  }
}
