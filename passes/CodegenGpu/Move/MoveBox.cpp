//===- MoveBox.cpp - elements that threads move ---------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "passes/CodegenGpu/Move/MoveBox.h"

using namespace mlir;
using namespace tenon;
using namespace tenon::gpu;

static constexpr int64_t accessBytes = 16;

int64_t MoveBox::elements() const {
  int64_t count = 1;
  for (int64_t extent : extents)
    count *= extent;
  return count;
}

void MoveBox::collapse(size_t kept) {
  MoveBox joined;
  joined.sides = sides;
  joined.most = most;
  for (BoxSide &side : joined.sides)
    side.strides.clear();
  auto append = [&](size_t dim) {
    joined.extents.push_back(extents[dim]);
    for (auto [to, from] : llvm::zip_equal(joined.sides, sides))
      to.strides.push_back(from.strides[dim]);
  };
  for (size_t dim = 0; dim < extents.size(); ++dim) {
    if (dim < kept) {
      append(dim);
      continue;
    }
    if (extents[dim] == 1)
      continue;
    bool joins = joined.extents.size() > kept;
    for (auto [to, from] : llvm::zip_equal(joined.sides, sides))
      joins = joins && to.strides.back() == from.strides[dim] * extents[dim];
    if (!joins) {
      append(dim);
      continue;
    }
    joined.extents.back() *= extents[dim];
    for (auto [to, from] : llvm::zip_equal(joined.sides, sides))
      to.strides.back() = from.strides[dim];
  }
  *this = joined;
}

/// Whether each vector of so many elements is an aligned one of a side.
static bool canHave(const BoxSide &side, ArrayRef<int64_t> extents,
                    int64_t lanes, int64_t elementBytes) {
  if (side.strides.back() != 1 || side.offset % lanes != 0 ||
      side.aligned % (lanes * elementBytes) != 0)
    return false;
  for (auto [extent, stride] :
       llvm::zip_equal(extents.drop_back(), ArrayRef(side.strides).drop_back()))
    if (extent > 1 && stride % lanes != 0)
      return false;
  return true;
}

int64_t MoveBox::lanes(int64_t elementBytes) const {
  if (extents.empty())
    return 1;
  int64_t lanes =
      std::min(most, std::max<int64_t>(1, accessBytes / elementBytes));
  auto fits = [&] {
    return extents.back() % lanes == 0 &&
           llvm::all_of(sides, [&](const BoxSide &side) {
             return canHave(side, extents, lanes, elementBytes);
           });
  };
  while (lanes > 1 && !fits())
    lanes /= 2;
  return lanes;
}

Type tenon::gpu::typeOfBytes(MLIRContext *context, int64_t bytes,
                             int64_t elementBytes) {
  int64_t word = std::min(bytes, std::max<int64_t>(4, elementBytes));
  auto type = IntegerType::get(context, unsigned(word * 8));
  return bytes == word ? Type(type) : VectorType::get({bytes / word}, type);
}

Value tenon::gpu::placeOf(ThreadBuilder &t, ValueRange index,
                          ArrayRef<int64_t> strides, Value start) {
  for (auto [at, stride] : llvm::zip_equal(index, strides))
    start = t.add(start, t.mul(at, stride));
  return start;
}
