//===- Move.cpp - boxes copied with vectors -------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "passes/Codegen/Bodies/Move.h"
#include "dialects/Graph/Graph.h"
#include "passes/Codegen/Builder/Cuts.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;
using namespace tenon;
using namespace tenon::codegen;

int64_t codegen::lanesForRun(KernelBuilder &b, Value length, Type element) {
  int64_t lanes = b.target().lanes(graph::elementBytes(element));
  // A short run of known length is one partial vector or a few elements.
  std::optional<int64_t> known = b.constant(length);
  return known && *known < lanes
             ? llvm::PowerOf2Ceil(std::max<int64_t>(1, *known))
             : lanes;
}

void codegen::forRun(
    KernelBuilder &b, Value length, int64_t lanes,
    function_ref<void(Value i, int64_t vectors, Value live)> visit) {
  Value middle = b.mul(b.div(length, 4 * lanes), 4 * lanes);
  Value end = b.mul(b.div(length, lanes), lanes);
  b.loop(b.index(0), middle, 4 * lanes, [&](Value i) { visit(i, 4, Value()); });
  b.loop(middle, end, lanes, [&](Value i) { visit(i, 1, Value()); });
  b.ifThen(b.less(end, length), [&] { visit(end, 1, b.sub(length, end)); });
}

void codegen::copyRun(KernelBuilder &b, Value from, Value to, Value length,
                      Type element) {
  int64_t lanes = lanesForRun(b, length, element);
  Type type = b.vectorType(b.storageType(element), lanes);
  Type stored = b.storageType(element);
  forRun(b, length, lanes, [&](Value i, int64_t vectors, Value live) {
    for (int64_t v = 0; v < vectors; ++v) {
      Value source = b.at(b.at(from, i, stored), v * lanes, stored);
      Value target = b.at(b.at(to, i, stored), v * lanes, stored);
      if (live)
        b.storePart(b.loadPart(source, type, live, stored), target, live,
                    stored);
      else
        b.store(b.load(source, type, stored), target, stored);
    }
  });
}

void codegen::fillRun(KernelBuilder &b, Value scalar, Value to, Value length,
                      Type element) {
  int64_t lanes = lanesForRun(b, length, element);
  Value value = b.splat(scalar, b.vectorType(element, lanes));
  forRun(b, length, lanes, [&](Value i, int64_t vectors, Value live) {
    for (int64_t v = 0; v < vectors; ++v) {
      Value target = b.at(b.at(to, i, element), v * lanes, element);
      if (live)
        b.storePart(value, target, live, element);
      else
        b.store(value, target, element);
    }
  });
}

//===-- CopyBox -----------------------------------------------------------===//

CopyBox::CopyBox(KernelBuilder &b, ArrayRef<Size> boxExtents,
                 ArrayRef<Size> boxFrom, ArrayRef<Size> boxTo) {
  for (size_t i = 0; i < boxExtents.size(); ++i) {
    if (boxExtents[i].is(1))
      continue;
    bool joins = !extents.empty() &&
                 from.back() == boxFrom[i] * boxExtents[i] &&
                 to.back() == boxTo[i] * boxExtents[i];
    if (joins) {
      extents.back() *= boxExtents[i];
      from.back() = boxFrom[i];
      to.back() = boxTo[i];
      continue;
    }
    extents.push_back(boxExtents[i]);
    from.push_back(boxFrom[i]);
    to.push_back(boxTo[i]);
  }
  if (extents.empty()) {
    extents.push_back(1);
    from.push_back(1);
    to.push_back(1);
  }
  run = extents.pop_back_val();
  fromStep = from.pop_back_val();
  toStep = to.pop_back_val();
  bool isAlone = !run.isFixed() && extents.empty();
  bool isCut = isAlone || isWorthTiles(b, run);
  int64_t length = b.target().tileWork;
  piece = isCut ? Size(length) : run;
  pieces = isCut ? run.ceilDiv(length) : Size(run.is(0) ? 0 : 1);
  outerRows = graph::productOf(extents);
}

Value codegen::dot(KernelBuilder &b, ValueRange index,
                   ArrayRef<int64_t> strides) {
  Value sum = b.index(0);
  for (auto [i, stride] : llvm::zip(index, strides))
    sum = b.add(sum, b.mul(i, stride));
  return sum;
}

Value codegen::dot(KernelBuilder &b, ValueRange index, ArrayRef<Size> strides) {
  Value sum = b.index(0);
  for (auto [i, stride] : llvm::zip(index, strides))
    sum = b.add(sum, b.mul(i, stride));
  return sum;
}

void CopyBox::copyRow(KernelBuilder &b, Value source, Value target, Value row,
                      Type element) const {
  Value start = b.index(0), length = b.index(piece);
  if (!pieces.is(0) && !pieces.is(1)) {
    start = b.mul(b.rem(row, b.index(pieces)), piece);
    length = b.min(length, b.sub(b.index(run), start));
    row = b.div(row, b.index(pieces));
  }
  Values index = b.delinearize(row, extents);
  index.push_back(start);
  Sizes fromStrides(from), toStrides(to);
  fromStrides.push_back(fromStep);
  toStrides.push_back(toStep);
  source = b.at(source, dot(b, index, fromStrides), element);
  target = b.at(target, dot(b, index, toStrides), element);
  if (fromStep.is(1) && toStep.is(1))
    return copyRun(b, source, target, length, element);
  b.loop(b.index(0), length, 1, [&](Value i) {
    Value value = b.load(b.at(source, b.mul(i, fromStep), element),
                         b.registerType(element), element);
    b.store(value, b.at(target, b.mul(i, toStep), element), element);
  });
}

void CopyBox::copy(KernelBuilder &b, Value source, Value target,
                   Type element) const {
  b.loop(b.index(0), b.index(rows()), 1,
         [&](Value row) { copyRow(b, source, target, row, element); });
}

//===-- Tiles -------------------------------------------------------------===//

RowTiles::RowTiles(KernelBuilder &b, const Size &rows, const Size &rowElements)
    : RowTiles(rows, rowsOfTile(b, 1, rowElements)) {}

RowTiles RowTiles::ofAll(KernelBuilder &b, const Size &rows,
                         const Size &elements) {
  return RowTiles(rows, rowsOfTile(b, rows, elements));
}

void RowTiles::forTiles(KernelBuilder &b,
                        function_ref<void(Value, Value)> body) const {
  b.forTiles([&](Value tile) {
    Value low = b.mul(tile, perTile);
    body(low, b.min(b.add(low, perTile), b.index(rows)));
  });
}

void RowTiles::forRows(KernelBuilder &b, function_ref<void(Value)> body) const {
  forTiles(b, [&](Value low, Value high) { b.loop(low, high, 1, body); });
}

//===-- Tables and indices ------------------------------------------------===//

template <typename Number>
static Value tableOf(KernelBuilder &b, ArrayRef<double> values, Type element) {
  SmallVector<Number> numbers(values);
  auto type = RankedTensorType::get({int64_t(numbers.size())}, element);
  return b.constants(DenseElementsAttr::get(type, ArrayRef<Number>(numbers)));
}

Value codegen::makeTable(KernelBuilder &b, ArrayRef<double> values,
                         Type element) {
  if (element.isF64())
    return tableOf<double>(b, values, element);
  return element.isF32() ? tableOf<float>(b, values, element)
                         : tableOf<int32_t>(b, values, element);
}

Value codegen::readTable(KernelBuilder &b, Value table, Value index) {
  Type type = b.builder().getI32Type();
  Value entry = b.load(b.at(table, index, type), type, type);
  return arith::ExtSIOp::create(b.builder(), b.loc(), b.i64Type(), entry);
}

Value codegen::loadIndex(Move &move, Value pointer, Type element,
                         const Size &extent) {
  KernelBuilder &b = move.b;
  Value index = b.load(pointer, b.registerType(element), element);
  if (!element.isInteger(64))
    index = arith::ExtSIOp::create(b.builder(), b.loc(), b.i64Type(), index);
  Value isNegative = b.less(index, b.index(0));
  index = b.choose(isNegative, b.add(index, extent), index);
  Value nearest = b.min(b.max(index, b.index(0)), b.index(extent - 1));
  if (move.fault) {
    Value isOutside = arith::CmpIOp::create(
        b.builder(), b.loc(), arith::CmpIPredicate::ne, nearest, index);
    b.ifThen(isOutside,
             [&] { b.store(b.index(extent + 1), move.fault, b.i64Type()); });
  }
  return nearest;
}
