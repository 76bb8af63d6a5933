//===- PackPanel.cpp - packing a panel in the kernel ----------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "passes/CodegenCpu/Contraction/PackPanel.h"

#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "passes/Codegen/Bodies/Epilogue.h"

using namespace mlir;
using namespace tenon;
using namespace tenon::codegen;

void PanelPacking::emit(KernelBuilder &b, Value from, Value to,
                        Value count) const {
  nest(b, 0, from, to, count);
}

void PanelPacking::nest(KernelBuilder &b, unsigned depth, Value from, Value to,
                        Value count) const {
  if (depth + 1 == k.size())
    return innermost(b, from, to, count);
  int64_t within = pitch;
  for (const Dim &dim : ArrayRef(k).drop_front(depth + 1))
    within *= dim.extent.fixed();
  b.loop(b.index(0), count, 1, [&](Value i) {
    Value source = b.at(from, b.mul(i, k[depth].stride), element);
    Value target = b.at(to, b.mul(i, within), element);
    nest(b, depth + 1, source, target, b.index(k[depth + 1].extent));
  });
}

/// Where k is contiguous, squares are transposed in registers.
void PanelPacking::innermost(KernelBuilder &b, Value from, Value to,
                             Value count) const {
  const Dim &dim = k.back();
  auto overSteps = [&](Value first, Value last, int64_t step) {
    b.loop(first, last, step, [&](Value i) {
      Value source = b.at(from, b.mul(i, dim.stride), element);
      Value target = b.at(to, b.mul(i, pitch), element);
      if (step == 1)
        row(b, source, target);
      else
        transpose(b, source, target, step);
    });
  };
  bool isContiguous = dim.stride.is(1) && lanes > 1;
  bool isWhole = dim.extent.isFixed() && dim.extent.fixed() % lanes == 0 &&
                 b.constant(count);
  if (isContiguous && isWhole)
    return overSteps(b.index(0), count, lanes);
  if (!isContiguous || dim.extent.isFixed())
    return overSteps(b.index(0), count, 1);
  Value whole = b.sub(count, b.rem(count, lanes));
  overSteps(b.index(0), whole, lanes);
  overSteps(whole, count, 1);
}

/// Of the columns that do not exist, the last one that does.
Value PanelPacking::columnAt(KernelBuilder &b, Value from,
                             int64_t number) const {
  if (!live)
    return atSteps(b, from, number, columnStride, element);
  Value column = b.min(b.index(number), b.sub(live, b.index(1)));
  return b.at(from, b.mul(column, columnStride), element);
}

/// One vector of columns, each of which has its own address.
Value PanelPacking::gather(KernelBuilder &b, Value from, int64_t first) const {
  Type type = b.vectorType(element, lanes);
  if (lanes == 1)
    return b.load(columnAt(b, from, first), type, element);
  Value result = b.constantOf(type, 0);
  for (int64_t lane = 0; lane < lanes; ++lane) {
    Value loaded = b.load(columnAt(b, from, first + lane),
                          b.registerType(element), element);
    result = vector::InsertOp::create(b.builder(), b.loc(), loaded, result,
                                      ArrayRef<int64_t>{lane});
  }
  return result;
}

void PanelPacking::row(KernelBuilder &b, Value from, Value to) const {
  Type type = b.vectorType(element, lanes);
  for (int64_t j = 0; j < vectors; ++j) {
    int64_t existing = j == vectors - 1 ? lastLanes : lanes;
    Value loaded;
    if (columnStride.isFixed() && !live)
      loaded = loadLanes(b, columnAt(b, from, j * lanes), type,
                         columnStride.fixed(), existing, element);
    else
      loaded = gather(b, from, j * lanes);
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
              ? b.load(columnAt(b, from, j * lanes + lane), type, element)
              : b.constantOf(type, 0));
    transposeSquare(b, rows);
    for (int64_t lane = 0; lane < steps; ++lane)
      b.store(rows[lane], b.at(to, lane * pitch + j * lanes, element), element);
  }
}
