//===- PackPanel.cpp - packing a panel in the kernel ----------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "passes/CodegenCpu/Contraction/PackPanel.h"

#include "passes/CodegenCpu/Contraction/Epilogue.h"

using namespace mlir;
using namespace tenon;
using namespace tenon::codegen;

void PanelPacking::emit(KernelBuilder &b, Value from, Value to,
                        Value count) const {
  nest(b, 0, from, to, count);
}

void PanelPacking::nest(KernelBuilder &b, unsigned depth, Value from, Value to,
                        Value count) const {
  int64_t within = pitch;
  for (const Dim &dim : ArrayRef(k).drop_front(depth + 1))
    within *= dim.extent;
  bool innermost = depth + 1 == k.size();
  int64_t step = 1;
  // Where k is contiguous, squares are transposed in registers.
  if (innermost && k[depth].stride == 1 && lanes > 1 &&
      k[depth].extent % lanes == 0 && b.constant(count))
    step = lanes;
  b.loop(b.index(0), count, step, [&](Value i) {
    Value source = b.at(from, b.mul(i, k[depth].stride), element);
    Value target = b.at(to, b.mul(i, within), element);
    if (!innermost)
      return nest(b, depth + 1, source, target, b.index(k[depth + 1].extent));
    if (step == 1)
      return row(b, source, target);
    transpose(b, source, target, step);
  });
}

void PanelPacking::row(KernelBuilder &b, Value from, Value to) const {
  for (int64_t j = 0; j < vectors; ++j) {
    int64_t existing = j == vectors - 1 ? lastLanes : lanes;
    Value loaded = loadLanes(b, b.at(from, j * lanes * columnStride, element),
                             b.vectorType(element, lanes), columnStride,
                             existing, element);
    b.store(loaded, b.at(to, j * lanes, element), element);
  }
}

/// One stage of the transposition network: pairs at distance `distance`
/// exchange the blocks of that many lanes that are off the diagonal.
static void exchange(KernelBuilder &b, SmallVector<Value> &rows,
                     int64_t distance) {
  int64_t size = int64_t(rows.size());
  SmallVector<int64_t> low, high;
  for (int64_t lane = 0; lane < size; ++lane) {
    bool upper = lane & distance;
    low.push_back(upper ? size + lane - distance : lane);
    high.push_back(upper ? size + lane : lane + distance);
  }
  for (int64_t i = 0; i < size; ++i) {
    if (i & distance)
      continue;
    Value x = rows[i], y = rows[i + distance];
    rows[i] = b.permute(x, y, low);
    rows[i + distance] = b.permute(x, y, high);
  }
}

void codegen::transposeSquare(KernelBuilder &b, SmallVector<Value> &rows) {
  for (int64_t distance = int64_t(rows.size()) / 2; distance >= 1;
       distance /= 2)
    exchange(b, rows, distance);
}

void PanelPacking::transpose(KernelBuilder &b, Value from, Value to,
                             int64_t steps) const {
  Type type = b.vectorType(element, lanes);
  for (int64_t j = 0; j < vectors; ++j) {
    int64_t existing = j == vectors - 1 ? lastLanes : lanes;
    SmallVector<Value> rows;
    for (int64_t lane = 0; lane < steps; ++lane)
      rows.push_back(
          lane < existing
              ? b.load(b.at(from, (j * lanes + lane) * columnStride, element),
                       type, element)
              : b.constantOf(type, 0));
    transposeSquare(b, rows);
    for (int64_t lane = 0; lane < steps; ++lane)
      b.store(rows[lane], b.at(to, lane * pitch + j * lanes, element), element);
  }
}
