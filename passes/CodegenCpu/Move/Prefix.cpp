//===- Prefix.cpp - running sums and products -----------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file emits graph.prefix. Beside the axis lanes run through columns of
// their own. Along it a vector is combined with itself, shifted by 1, 2, 4...
// lanes, and with what all vectors before it came to.
//===----------------------------------------------------------------------===//
#include "dialects/Graph/Graph.h"
#include "passes/Codegen/Builder/ElementwiseOps.h"
#include "passes/Codegen/Builder/VectorMath.h"
#include "passes/CodegenCpu/Move/Ops.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;
using namespace tenon;
using namespace tenon::codegen;

namespace {
class PrefixEmitter {
public:
  explicit PrefixEmitter(Move &move)
      : b(move.b), move(move), op(cast<graph::PrefixOp>(move.op)),
        element(move.resultType().getElementType()), shape(move.inputShape(0)),
        strides(move.inputStrides(0)), extent(shape[op.getAxis()]),
        lanes(b.target().lanes(
            std::max<int64_t>(4, graph::elementBytes(element)))) {}

  Size alongAxis();
  Size acrossAxis();

private:
  Value combine(Value x, Value y);
  Value neutral(int64_t lanes);
  /// The elements before vector lane `distance`, and at it.
  Value shifted(Value x, Value before, int64_t distance);
  Value reversed(Value x);
  Value load(Value pointer, int64_t lanes, Value live = {});
  void store(Value value, Value pointer, int64_t lanes, Value live = {});
  Value vectorStep(Value from, Value to, Value i, Value before);
  Value scalarStep(Value from, Value to, Value i, Value before);
  void row(Value from, Value to);
  void column(Value from, Value to, Value live);

  KernelBuilder &b;
  Move &move;
  graph::PrefixOp op;
  Type element;
  Sizes shape, strides;
  Size extent;
  int64_t lanes;
};
} // namespace

//===-- Numbers -----------------------------------------------------------===//

Value PrefixEmitter::combine(Value x, Value y) {
  if (!op.getProduct())
    return b.plus(x, y);
  if (isa<FloatType>(element))
    return (Num(b, x) * Num(b, y)).get();
  return arith::MulIOp::create(b.builder(), b.loc(), x, y);
}

Value PrefixEmitter::neutral(int64_t lanes) {
  return widenFloat(
      b, b.constantOf(b.vectorType(element, lanes), op.getProduct() ? 1 : 0));
}

Value PrefixEmitter::load(Value pointer, int64_t lanes, Value live) {
  Type type = b.vectorType(element, lanes);
  return widenFloat(b, live ? b.loadPart(pointer, type, live, element)
                            : b.load(pointer, type, element));
}

void PrefixEmitter::store(Value value, Value pointer, int64_t lanes,
                          Value live) {
  Value narrow = narrowFloat(b, value, element);
  if (live)
    b.storePart(narrow, pointer, live, element);
  else
    b.store(narrow, pointer, element);
}

Value PrefixEmitter::shifted(Value x, Value before, int64_t distance) {
  return b.permute(x, before, lanes, [&](int64_t i) {
    return i < distance ? lanes + i : i - distance;
  });
}

Value PrefixEmitter::reversed(Value x) {
  return b.permute(x, x, lanes, [&](int64_t i) { return lanes - 1 - i; });
}

//===-- Along the axis ----------------------------------------------------===//

/// Elements from `i` on, counted in the direction; what they come to.
Value PrefixEmitter::vectorStep(Value from, Value to, Value i, Value before) {
  Value place = op.getReverse() ? b.sub(b.index(extent - lanes), i) : i;
  Value x = load(b.at(from, place, element), lanes);
  if (op.getReverse())
    x = reversed(x);
  for (int64_t distance = 1; distance < lanes; distance *= 2)
    x = combine(x, shifted(x, neutral(lanes), distance));
  Value start = b.splat(before, x.getType());
  x = combine(x, start);
  Value result = op.getExclusive() ? shifted(x, start, 1) : x;
  store(op.getReverse() ? reversed(result) : result, b.at(to, place, element),
        lanes);
  return b.lane(x, lanes - 1);
}

Value PrefixEmitter::scalarStep(Value from, Value to, Value i, Value before) {
  Value place = op.getReverse() ? b.sub(b.index(extent - 1), i) : i;
  Value sum = combine(before, load(b.at(from, place, element), 1));
  store(op.getExclusive() ? before : sum, b.at(to, place, element), 1);
  return sum;
}

void PrefixEmitter::row(Value from, Value to) {
  Value total = neutral(1);
  Size whole = extent.floorDiv(lanes) * lanes;
  if (lanes > 1)
    total = b.loop(b.index(0), b.index(whole), lanes, {total},
                   [&](Value i, ValueRange carried) {
                     return Values{vectorStep(from, to, i, carried[0])};
                   })[0];
  b.loop(b.index(lanes > 1 ? whole : Size(0)), b.index(extent), 1, {total},
         [&](Value i, ValueRange carried) {
           return Values{scalarStep(from, to, i, carried[0])};
         });
}

Size PrefixEmitter::alongAxis() {
  RowTiles tiles(b, graph::productOf(ArrayRef(shape).drop_back()), extent);
  tiles.forRows(b, [&](Value number) {
    Value start = b.mul(number, extent);
    row(b.at(move.input(0), start, element),
        b.at(move.result(), start, element));
  });
  return tiles.tiles;
}

//===-- Beside the axis ---------------------------------------------------===//

void PrefixEmitter::column(Value from, Value to, Value live) {
  Size stride = strides[op.getAxis()];
  b.loop(b.index(0), b.index(extent), 1, {neutral(lanes)},
         [&](Value i, ValueRange carried) {
           Value place = op.getReverse() ? b.sub(b.index(extent - 1), i) : i;
           Value offset = b.mul(place, stride);
           Value before = carried[0];
           Value sum =
               combine(before, load(b.at(from, offset, element), lanes, live));
           store(op.getExclusive() ? before : sum, b.at(to, offset, element),
                 lanes, live);
           return Values{sum};
         });
}

/// Lanes lie along the last dimension.
Size PrefixEmitter::acrossAxis() {
  Size columns = shape.back();
  Sizes outer = shape, steps = strides;
  outer.erase(outer.begin() + op.getAxis());
  steps.erase(steps.begin() + op.getAxis());
  outer.back() = columns.ceilDiv(lanes);
  RowTiles tiles(b, graph::productOf(outer), extent * lanes);
  tiles.forRows(b, [&](Value number) {
    Values place = b.delinearize(number, ArrayRef(outer));
    place.back() = b.mul(place.back(), lanes);
    Value live = b.min(b.sub(b.index(columns), place.back()), b.index(lanes));
    Value start = dot(b, place, ArrayRef(steps));
    column(b.at(move.input(0), start, element),
           b.at(move.result(), start, element), lanes == 1 ? Value() : live);
  });
  return tiles.tiles;
}

FailureOr<Size> codegen::emitPrefix(Move &move) {
  auto op = cast<graph::PrefixOp>(move.op);
  if (graph::isEmpty(op.getType()))
    return Size(1);
  PrefixEmitter emitter(move);
  return int64_t(op.getAxis()) + 1 == op.getType().getRank()
             ? emitter.alongAxis()
             : emitter.acrossAxis();
}
