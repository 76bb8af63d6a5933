//===- TopK.cpp - the best elements of rows -------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file emits graph.top_k. What is kept of a row is a heap in the results'
// own storage, its worst entry at the root: vectors find what is better than
// that, which is rare, and in the end the heap is sorted in place.
//===----------------------------------------------------------------------===//
#include "passes/CodegenCpu/Move/TopK.h"
#include "passes/Codegen/Builder/ElementwiseOps.h"
#include "passes/CodegenCpu/Move/Ops.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;
using namespace tenon;
using namespace tenon::codegen;

namespace {
/// Selects from one row after the other.
class RowSelection {
public:
  RowSelection(Move &move, graph::TopKOp op)
      : move(move), b(move.b), keys(move.b, op), heap(move.b, keys),
        k(op.getK()), extent(move.inputShape(0).back()) {}

  void select(Value row);

private:
  Value loadElement(Value i) {
    return b.load(b.at(from, i, keys.element()), b.registerType(keys.element()),
                  keys.element());
  }
  void fill();
  /// The element at the root, which new ones have to beat; half floats widened.
  Value bar() {
    return widenFloat(b, loadElement(keys.indexOf(heap.load(b.index(0)))));
  }
  Value offer(Value i, Value bar);
  Value mayEnter(Value i, Value bar);
  Value scanVector(Value i, Value bar);
  void scan();
  void finish(Value row);

  Move &move;
  KernelBuilder &b;
  TopKKeys keys;
  TopKHeap heap;
  int64_t k;
  Size extent;
  Value from;
};
} // namespace

void RowSelection::fill() {
  b.loop(b.index(0), b.index(k), 1,
         [&](Value i) { heap.store(i, keys.entry(loadElement(i), i)); });
  heap.build(k);
}

/// Element `i` takes the root's place if it is better; gives the new bar.
Value RowSelection::offer(Value i, Value bar) {
  Values entry = keys.entry(loadElement(i), i);
  Value isBetter = keys.before(entry, heap.load(b.index(0)));
  return b.select(
      isBetter,
      [&] {
        heap.sink(b.index(0), b.index(k), entry);
        return Values{this->bar()};
      },
      [&] { return Values{bar}; })[0];
}

/// i1: whether one of the elements of the vector at `i` may be better.
Value RowSelection::mayEnter(Value i, Value bar) {
  int64_t lanes = keys.lanes();
  Type type = b.vectorType(keys.element(), lanes);
  Value elements = b.load(b.at(from, i, keys.element()), type, keys.element());
  Value mask =
      keys.mayBeat(elements, b.splat(bar, b.vectorType(bar.getType(), lanes)));
  if (lanes == 1)
    return mask;
  return vector::ReductionOp::create(b.builder(), b.loc(),
                                     vector::CombiningKind::OR, mask);
}

Value RowSelection::scanVector(Value i, Value bar) {
  auto lanes = [&] {
    return b.loop(b.index(0), b.index(keys.lanes()), 1, {bar},
                  [&](Value lane, ValueRange carried) {
                    return Values{offer(b.add(i, lane), carried[0])};
                  });
  };
  return b.select(mayEnter(i, bar), lanes, [&] { return Values{bar}; })[0];
}

/// What follows the first k elements.
void RowSelection::scan() {
  int64_t lanes = keys.lanes(), step = 4 * lanes;
  Size wholeSteps = (extent - k).floorDiv(step) * step + k;
  Values bars =
      b.loop(b.index(k), b.index(wholeSteps), step, {bar()},
             [&](Value i, ValueRange carried) {
               Value any;
               for (int64_t v = 0; v < 4; ++v) {
                 Value own = mayEnter(b.add(i, v * lanes), carried[0]);
                 any =
                     any ? arith::OrIOp::create(b.builder(), b.loc(), any, own)
                               .getResult()
                         : own;
               }
               return b.select(
                   any,
                   [&] {
                     return b.loop(i, b.add(i, step), lanes, {carried[0]},
                                   [&](Value j, ValueRange inner) {
                                     return Values{scanVector(j, inner[0])};
                                   });
                   },
                   [&] { return Values{carried[0]}; });
             });
  b.loop(b.index(wholeSteps), b.index(extent), 1, {bars[0]},
         [&](Value i, ValueRange carried) {
           return Values{offer(i, carried[0])};
         });
}

/// From sorted entries to elements and their indices, in the same places.
void RowSelection::finish(Value row) {
  Value values = b.at(move.result(0), b.mul(row, k), keys.element());
  Value indices = b.at(move.result(1), b.mul(row, k), b.i64Type());
  b.loop(b.index(0), b.index(k), 1, [&](Value i) {
    Value index = keys.indexOf(heap.load(i));
    b.store(loadElement(index), b.at(values, i, keys.element()),
            keys.element());
    b.store(index, b.at(indices, i, b.i64Type()), b.i64Type());
  });
}

void RowSelection::select(Value row) {
  from = b.at(move.input(0), b.mul(row, extent), keys.element());
  heap.place(b.at(move.result(0), b.mul(row, k), keys.element()),
             b.at(move.result(1), b.mul(row, k), b.i64Type()));
  fill();
  if (extent != Size(k))
    scan();
  heap.sort(k);
  finish(row);
}

FailureOr<Size> codegen::emitTopK(Move &move) {
  auto op = cast<graph::TopKOp>(move.op);
  auto type = op.getInput().getType();
  int64_t extent = type.getShape().back();
  if (op.getAxis() + 1 != uint64_t(type.getRank()) || extent > INT32_MAX)
    return op.emitError("'graph.top_k' selects from contiguous rows of fewer "
                        "than 2^31 elements");
  if (graph::isEmpty(op.getValues().getType()))
    return Size(1);
  RowSelection selection(move, op);
  Sizes shape = move.inputShape(0);
  RowTiles tiles(move.b, graph::productOf(ArrayRef(shape).drop_back()),
                 shape.back());
  tiles.forRows(move.b, [&](Value row) { selection.select(row); });
  return tiles.tiles;
}
