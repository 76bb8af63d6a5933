//===- Arg.cpp - positions of extreme elements ----------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "dialects/Graph/Graph.h"
#include "passes/Codegen/Builder/ElementwiseOps.h"
#include "passes/Codegen/Builder/VectorMath.h"
#include "passes/CodegenCpu/Move/Ops.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;
using namespace tenon;
using namespace tenon::codegen;

namespace {
/// The best element so far and where it stands (i32), lane by lane.
struct Best {
  Value value, index;
};

class ArgSearch {
public:
  ArgSearch(Move &move, int64_t axis, bool isMax, bool takeLast)
      : move(move), b(move.b), axis(axis), isMax(isMax), takeLast(takeLast),
        element(move.inputType(0).getElementType()),
        extent(move.inputShape(0)[axis]) {}

  Size alongAxis();
  Size acrossAxis();

private:
  Value better(Value x, Value y);
  Value same(Value x, Value y);
  Best choose(Value take, Best x, Best y);
  Best update(Best best, Best candidate);
  Best merge(Best x, Best y);
  Best combineLanes(Best best, int64_t lanes);
  Best searchRow(Value from, int64_t lanes);
  Best searchAnyRow(Value from, int64_t lanes);
  Best searchRest(Best best, Value from, const Size &first);
  Value loadAt(Value pointer, int64_t lanes);
  Value indexVector(Value first, int64_t lanes, int64_t step);
  void storeIndex(Value index, Value to, int64_t lanes, Value live);
  /// Strides of the result per input dimension but the axis.
  Sizes resultStrides();

  Move &move;
  KernelBuilder &b;
  int64_t axis;
  bool isMax, takeLast;
  Type element;
  Size extent;
};
} // namespace

Value ArgSearch::better(Value x, Value y) {
  if (!isMax)
    std::swap(x, y);
  if (isa<FloatType>(element))
    return less(Num(b, y), Num(b, x));
  auto predicate = element.isUnsignedInteger() ? arith::CmpIPredicate::ugt
                                               : arith::CmpIPredicate::sgt;
  return arith::CmpIOp::create(b.builder(), b.loc(), predicate, x, y);
}

Value ArgSearch::same(Value x, Value y) {
  if (!isa<FloatType>(element))
    return arith::CmpIOp::create(b.builder(), b.loc(), arith::CmpIPredicate::eq,
                                 x, y);
  Num a(b, x), c(b, y);
  return orOf(b, equal(a, c), andOf(b, isNan(a), isNan(c)));
}

Best ArgSearch::choose(Value take, Best x, Best y) {
  auto pick = [&](Value p, Value q) {
    return arith::SelectOp::create(b.builder(), b.loc(), take, p, q)
        .getResult();
  };
  return {pick(x.value, y.value), pick(x.index, y.index)};
}

/// The candidate stands behind the best; NaN wins over numbers.
Best ArgSearch::update(Best best, Best candidate) {
  Value take = better(candidate.value, best.value);
  if (isa<FloatType>(element)) {
    Num c(b, candidate.value), y(b, best.value);
    take = orOf(b, andOf(b, take, notOf(b, isNan(y))),
                andOf(b, isNan(c), notOf(b, isNan(y))));
  }
  if (takeLast)
    take = orOf(b, take, same(candidate.value, best.value));
  return choose(take, candidate, best);
}

/// The better of two whose order is only known from their indices.
Best ArgSearch::merge(Best x, Best y) {
  Value later = arith::CmpIOp::create(
      b.builder(), b.loc(), arith::CmpIPredicate::slt, x.index, y.index);
  Best first = choose(later, x, y), second = choose(later, y, x);
  return update(first, second);
}

Best ArgSearch::combineLanes(Best best, int64_t lanes) {
  if (lanes == 1)
    return best;
  Best result{b.lane(best.value, 0), b.lane(best.index, 0)};
  for (int64_t i = 1; i < lanes; ++i)
    result = merge(result, {b.lane(best.value, i), b.lane(best.index, i)});
  return result;
}

Value ArgSearch::loadAt(Value pointer, int64_t lanes) {
  return widenFloat(b, b.load(pointer, b.vectorType(element, lanes), element));
}

/// (first, first + step, ...) as i32.
Value ArgSearch::indexVector(Value first, int64_t lanes, int64_t step) {
  Type i32 = b.builder().getI32Type();
  Value start = arith::TruncIOp::create(b.builder(), b.loc(), i32, first);
  if (lanes == 1)
    return start;
  SmallVector<int32_t> offsets;
  for (int64_t i = 0; i < lanes; ++i)
    offsets.push_back(int32_t(i * step));
  auto type = VectorType::get({lanes}, i32);
  Value constant = arith::ConstantOp::create(
      b.builder(), b.loc(), DenseElementsAttr::get(type, ArrayRef(offsets)));
  return arith::AddIOp::create(b.builder(), b.loc(), b.splat(start, type),
                               constant);
}

void ArgSearch::storeIndex(Value index, Value to, int64_t lanes, Value live) {
  Type wide = b.vectorType(b.i64Type(), lanes);
  Value value = arith::ExtSIOp::create(b.builder(), b.loc(), wide, index);
  if (live)
    b.storePart(value, to, live, b.i64Type());
  else
    b.store(value, to, b.i64Type());
}

Sizes ArgSearch::resultStrides() {
  Sizes strides = move.resultStrides();
  if (strides.size() == move.inputType(0).getShape().size())
    strides.erase(strides.begin() + axis);
  return strides;
}

/// Elements from `first` on, one by one.
Best ArgSearch::searchRest(Best best, Value from, const Size &first) {
  auto next = [&](Best best, Value i) {
    return update(best,
                  {loadAt(b.at(from, i, element), 1), indexVector(i, 1, 1)});
  };
  if (extent.isFixed()) {
    for (int64_t i = first.fixed(); i < extent.fixed(); ++i)
      best = next(best, b.index(i));
    return best;
  }
  Values found =
      b.loop(b.index(first), b.index(extent), 1, {best.value, best.index},
             [&](Value i, ValueRange carried) {
               Best found = next({carried[0], carried[1]}, i);
               return Values{found.value, found.index};
             });
  return {found[0], found[1]};
}

/// The best of one contiguous row: lanes search apart, then meet.
Best ArgSearch::searchRow(Value from, int64_t lanes) {
  Size whole = extent.floorDiv(lanes) * lanes;
  Best best{loadAt(from, lanes), indexVector(b.index(0), lanes, 1)};
  Values found =
      b.loop(b.index(lanes), b.index(whole), lanes, {best.value, best.index},
             [&](Value i, ValueRange carried) {
               Best next = update({carried[0], carried[1]},
                                  {loadAt(b.at(from, i, element), lanes),
                                   indexVector(i, lanes, 1)});
               return Values{next.value, next.index};
             });
  Best all = combineLanes({found[0], found[1]}, lanes);
  return lanes == 1 ? all : searchRest(all, from, whole);
}

/// A row whose length comes with the call may be shorter than a vector.
Best ArgSearch::searchAnyRow(Value from, int64_t lanes) {
  if (extent.isFixed() || lanes == 1)
    return searchRow(from, lanes);
  auto search = [&](int64_t lanes) {
    Best best = searchRow(from, lanes);
    return Values{best.value, best.index};
  };
  Values found = b.select(
      b.less(b.index(extent), b.index(lanes)), [&] { return search(1); },
      [&] { return search(lanes); });
  return {found[0], found[1]};
}

Size ArgSearch::alongAxis() {
  Sizes outer = move.inputShape(0), from = move.inputStrides(0);
  outer.pop_back();
  from.pop_back();
  Sizes to = resultStrides();
  int64_t lanes =
      b.target().lanes(std::max<int64_t>(4, graph::elementBytes(element)));
  if (extent.isFixed())
    lanes = std::min<int64_t>(lanes, llvm::bit_floor(uint64_t(extent.fixed())));
  RowTiles tiles(b, graph::productOf(outer), extent);
  tiles.forRows(b, [&](Value row) {
    Values place = b.delinearize(row, outer);
    Best best =
        searchAnyRow(b.at(move.input(0), dot(b, place, from), element), lanes);
    storeIndex(best.index, b.at(move.result(), dot(b, place, to), b.i64Type()),
               1, Value());
  });
  return tiles.tiles;
}

/// Lanes lie along the last dimension, each searches its own column.
Size ArgSearch::acrossAxis() {
  Sizes outer = move.inputShape(0), from = move.inputStrides(0);
  Sizes to = resultStrides();
  Size columns = outer.back(), stride = from[axis];
  int64_t lanes =
      b.target().lanes(std::max<int64_t>(4, graph::elementBytes(element)));
  if (columns.isFixed())
    lanes = std::min<int64_t>(lanes, llvm::PowerOf2Ceil(columns.fixed()));
  outer.erase(outer.begin() + axis);
  from.erase(from.begin() + axis);
  outer.back() = columns.ceilDiv(lanes);
  RowTiles tiles(b, graph::productOf(outer), extent * lanes);
  tiles.forRows(b, [&](Value row) {
    Values place = b.delinearize(row, outer);
    place.back() = b.mul(place.back(), lanes);
    Value live = b.min(b.sub(b.index(columns), place.back()), b.index(lanes));
    Value start = b.at(move.input(0), dot(b, place, from), element);
    auto column = [&](Value i) -> Best {
      Value pointer = b.at(start, b.mul(i, stride), element);
      Type type = b.vectorType(element, lanes);
      Value value = lanes == 1 ? b.load(pointer, type, element)
                               : b.loadPart(pointer, type, live, element);
      return {widenFloat(b, value), indexVector(i, lanes, 0)};
    };
    Best best = column(b.index(0));
    Values found =
        b.loop(b.index(1), b.index(extent), 1, {best.value, best.index},
               [&](Value i, ValueRange carried) {
                 Best next = update({carried[0], carried[1]}, column(i));
                 return Values{next.value, next.index};
               });
    storeIndex(found[1], b.at(move.result(), dot(b, place, to), b.i64Type()),
               lanes, lanes == 1 ? Value() : live);
  });
  return tiles.tiles;
}

FailureOr<Size> codegen::emitArg(Move &move) {
  auto isMax = dyn_cast<graph::ArgMaxOp>(move.op);
  auto isMin = dyn_cast<graph::ArgMinOp>(move.op);
  int64_t axis = isMax ? isMax.getAxis() : isMin.getAxis();
  bool takeLast =
      isMax ? isMax.getSelectLastIndex() : isMin.getSelectLastIndex();
  memory::BufferType input = move.inputType(0);
  if (graph::isEmpty(input.getTensor()))
    return Size(1);
  if (!move.inputStrides(0).back().is(1) || input.getShape()[axis] > INT32_MAX)
    return move.op->emitError() << "needs contiguous operands";
  ArgSearch search(move, axis, bool(isMax), takeLast);
  return axis + 1 == int64_t(input.getShape().size()) ? search.alongAxis()
                                                      : search.acrossAxis();
}
