//===- WindowTaps.cpp - the arithmetic of a window's tile -----------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "passes/Codegen/Bodies/WindowTaps.h"

#include "lib/Tile/Rows.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "passes/Codegen/Bodies/Epilogue.h"
#include "passes/Codegen/Builder/ElementwiseOps.h"
#include "passes/Codegen/Builder/VectorMath.h"
#include <limits>
#include <numeric>

using namespace mlir;
using namespace tenon;
using namespace tenon::codegen;

SmallVector<TapPart> codegen::tapParts(const WindowNest &nest, int64_t count,
                                       const tile::Target &target) {
  const WindowDim &width = nest.dims[2];
  int64_t most = std::max<int64_t>(1, target.registers - 2 - 11);
  bool isWhole = nest.kind != WindowKind::Depthwise || nest.mixed > 1;
  if (isWhole || count <= most)
    return {{0, count, 1}};
  int64_t step = width.stride / std::gcd(width.stride, width.dilation);
  SmallVector<TapPart> parts;
  for (int64_t first = 0; first < std::min(step, count); ++first) {
    int64_t alike = tile::ceilDiv(count - first, step);
    int64_t each = tile::EvenSplit::of(alike, most).height;
    for (int64_t k = 0; k < alike; k += each)
      parts.push_back({first + k * step, std::min(each, alike - k), step});
  }
  return parts;
}

/// The pixel whose tap `k` reads `column`, if there is one.
static std::optional<int64_t> pixelOf(const WindowDim &width, int64_t pixels,
                                      int64_t column, int64_t k) {
  int64_t at = column - k * width.dilation;
  if (at < 0 || at % width.stride != 0 || at / width.stride >= pixels)
    return std::nullopt;
  return at / width.stride;
}

WindowTaps::WindowTaps(KernelBuilder &b, const WindowNest &nest, int64_t lanes,
                       Type element)
    : b(b), nest(nest), element(element),
      sumElement(windowAccumulator(nest.kind, element)) {
  setLanes(lanes);
}

void WindowTaps::setLanes(int64_t lanes) {
  laneCount = lanes;
  sum = b.vectorType(sumElement, lanes);
}

//===-- One vector --------------------------------------------------------===//

Value WindowTaps::initial() const {
  if (nest.kind != WindowKind::Max)
    return b.constantOf(sum, 0);
  Type scalar = getElementTypeOrSelf(sum);
  if (isa<FloatType>(scalar))
    return b.constantOf(sum, -std::numeric_limits<double>::infinity());
  if (element.isUnsignedInteger())
    return b.constantInt(sum, 0);
  unsigned width = scalar.getIntOrFloatBitWidth();
  return b.constantInt(sum, int64_t(uint64_t(-1) << (width - 1)));
}

bool WindowTaps::startsFromElement() const {
  return nest.kind == WindowKind::Average || !isa<FloatType>(element);
}

Value WindowTaps::combine(Value sum, Value value, Value weight) const {
  OpBuilder &ob = b.builder();
  if (nest.kind == WindowKind::Depthwise)
    return b.fma(value, weight, sum);
  if (nest.kind == WindowKind::Average)
    return b.plus(sum, value);
  if (!isa<FloatType>(getElementTypeOrSelf(sum.getType())))
    return element.isUnsignedInteger()
               ? arith::MaxUIOp::create(ob, b.loc(), sum, value).getResult()
               : arith::MaxSIOp::create(ob, b.loc(), sum, value).getResult();
  // One max instruction; a NaN never wins.
  Value greater =
      arith::CmpFOp::create(ob, b.loc(), arith::CmpFPredicate::OGT, value, sum);
  return arith::SelectOp::create(ob, b.loc(), greater, value, sum);
}

Value WindowTaps::widen(Value value) const {
  return isa<FloatType>(element) ? widenFloat(b, value)
                                 : emitCast(b, value, element, sumElement);
}

/// Lanes of consecutive output channels. With a multiplier, each input channel
/// feeds several of them.
Value WindowTaps::loadInput(Value base, const Size &offset,
                            int64_t count) const {
  Value pointer = b.at(base, offset, element);
  Type type = b.vectorType(element, laneCount);
  if (nest.multiplier == 1)
    return widen(loadLanes(b, pointer, type, 1, count, element));
  if (laneCount == 1 || nest.multiplier % laneCount == 0)
    return widen(b.loadBroadcast(pointer, type, element));
  Value result = b.constantOf(type, 0);
  for (int64_t lane = 0; lane < count; ++lane) {
    Value piece = b.load(b.at(pointer, lane / nest.multiplier, element),
                         b.registerType(element), element);
    result = vector::InsertOp::create(b.builder(), b.loc(), piece, result,
                                      ArrayRef<int64_t>{lane});
  }
  return widen(result);
}

Value WindowTaps::loadWeight(Value pointer, int64_t count) const {
  Value loaded =
      loadLanes(b, pointer, b.vectorType(element, laneCount), nest.filterLane,
                nest.paddedFilter ? laneCount : count, element);
  return widenFloat(b, loaded);
}

Value WindowTaps::ofGroup(Value channels, int64_t member) const {
  if (nest.mixed == 1)
    return channels;
  return b.permute(channels, channels, laneCount, [&](int64_t lane) {
    return lane / nest.mixed * nest.mixed + member;
  });
}

//===-- Kernel rows -------------------------------------------------------===//

void WindowTaps::partOf(Value base, Value weights, Values &sums,
                        const WindowTile &tile, TapPart part, int64_t vector,
                        int64_t firstMember) const {
  WindowDim width = nest.dims[2];
  base = b.at(base, width.pitch * (part.first * width.dilation), element);
  if (weights)
    weights = b.at(weights, part.first * width.tapPitch, element);
  width.dilation *= part.step;
  width.tapPitch *= part.step;
  int64_t count = part.count;
  int64_t existing = vector == tile.vectors - 1 ? tile.last : laneCount;
  int64_t members = mixedTogether(nest, b.target());
  Values weight(count * members);
  for (int64_t i = 0; i < count * members && weights; ++i) {
    int64_t at = i / members * width.tapPitch +
                 (firstMember + i % members) * nest.filterMixed +
                 vector * laneCount * nest.filterChannel;
    weight[i] = loadWeight(b.at(weights, at, element), existing);
  }
  for (int64_t column : usedColumns(width, tile.pixels, count)) {
    Size at = width.pitch * column + vector * laneCount / nest.multiplier;
    Value channels = loadInput(base, at, existing);
    for (int64_t m = 0; m < members; ++m) {
      Value value = ofGroup(channels, firstMember + m);
      for (int64_t k = 0; k < count; ++k)
        if (auto p = pixelOf(width, tile.pixels, column, k)) {
          Value &sum = sums[*p * tile.vectors + vector];
          sum = combine(sum, value, weight[k * members + m]);
        }
    }
  }
}

void WindowTaps::rowOf(Value base, Value weights, Values &sums,
                       const WindowTile &tile, int64_t count,
                       int64_t vector) const {
  for (TapPart part : tapParts(nest, count, b.target())) {
    if (part.first > 0)
      b.forgetLoads();
    for (int64_t m = 0; m < nest.mixed; m += mixedTogether(nest, b.target()))
      partOf(base, weights, sums, tile, part, vector, m);
  }
}

Values WindowTaps::row(Value base, Value weights, ValueRange sums,
                       const WindowTile &tile, int64_t count) const {
  Values next(sums);
  for (int64_t v = 0; v < tile.vectors; ++v)
    rowOf(base, weights, next, tile, count, v);
  return next;
}

//===-- Averages ----------------------------------------------------------===//

void WindowTaps::average(MutableArrayRef<Value> sums, Value count) const {
  Type scalar = getElementTypeOrSelf(sum);
  if (!isa<FloatType>(scalar))
    return divideIntegers(sums, count);
  Value number;
  if (auto known = b.constant(count))
    number = b.constantOf(scalar, double(*known));
  else
    number = arith::SIToFPOp::create(b.builder(), b.loc(), scalar, count);
  Value one = b.constantOf(scalar, 1.0);
  Value inverse = arith::DivFOp::create(b.builder(), b.loc(), one, number);
  Value factor = b.splat(inverse, sum);
  for (Value &value : sums)
    value = arith::MulFOp::create(b.builder(), b.loc(), value, factor);
}

/// Truncates; the mean of nothing is 0.
void WindowTaps::divideIntegers(MutableArrayRef<Value> sums,
                                Value count) const {
  OpBuilder &ob = b.builder();
  Value divisor = b.splat(b.max(count, b.index(1)), sum);
  for (Value &value : sums) {
    Value mean =
        element.isUnsignedInteger()
            ? arith::DivUIOp::create(ob, b.loc(), value, divisor).getResult()
            : arith::DivSIOp::create(ob, b.loc(), value, divisor).getResult();
    value = emitCast(b, mean, getElementTypeOrSelf(sum), element);
  }
}
