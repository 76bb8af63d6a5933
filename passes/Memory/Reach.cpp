//===- Reach.cpp - what a launch writes of a storage ----------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "passes/Memory/Reach.h"

#include "dialects/Graph/Graph.h"
#include <numeric>

using namespace mlir;
using namespace tenon;
using namespace tenon::memory;

bool Reach::covers(const Reach &other) const {
  if (isAll || other.isAll)
    return isAll;
  bool isSame = run == other.run && pitch == other.pitch;
  return (isSame || run == end - begin) && begin <= other.begin &&
         other.end <= end && (begin == other.begin || run == end - begin);
}

bool Reach::meets(const Reach &other) const {
  if (isAll || other.isAll)
    return true;
  if (end <= other.begin || other.end <= begin)
    return false;
  int64_t common = std::gcd(pitch, other.pitch);
  if (!common)
    return true;
  int64_t mine = begin % common, its = other.begin % common;
  return mine + run > common || its + other.run > common ||
         (mine < its + other.run && its < mine + run);
}

/// The elements of a tensor that lies at a place of `bytes` each.
static Reach reachOf(BufferType type, int64_t shift, int64_t bytes) {
  SmallVector<std::pair<int64_t, int64_t>> dims; // stride, extent
  for (auto [stride, extent] : llvm::zip(type.getStrides(), type.getShape()))
    if (extent != 1)
      dims.push_back({stride * bytes, extent});
  llvm::sort(dims);
  Reach reach;
  reach.isAll = false;
  reach.begin = shift + type.getOffset() * bytes;
  reach.run = bytes;
  int64_t last = 0;
  for (auto [stride, extent] : dims) {
    last += stride * (extent - 1);
    if (stride == reach.run && !reach.pitch)
      reach.run *= extent;
    else
      reach.pitch = std::gcd(reach.pitch, stride);
  }
  reach.end = reach.begin + last + bytes;
  return reach;
}

Reach memory::writtenBy(kernel::LaunchOp launch, Value buffer) {
  auto type = cast<BufferType>(buffer.getType());
  if (launch.getReads().empty() || type.getSizes() ||
      llvm::is_contained(type.getShape(), 0))
    return {};
  int64_t shift = 0;
  while (auto view = buffer.getDefiningOp<ViewOp>()) {
    shift += view.getByteOffset();
    buffer = view.getSource();
  }
  return reachOf(type, shift, graph::elementBytes(type.getElementType()));
}
