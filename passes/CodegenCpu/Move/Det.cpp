//===- Det.cpp - determinants ---------------------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file eliminates column by column in a copy of each matrix, whose rows
// are padded to whole vectors. The row with the largest element of the column
// goes first.
//===----------------------------------------------------------------------===//
#include "dialects/Graph/Graph.h"
#include "passes/Codegen/Builder/ElementwiseOps.h"
#include "passes/Codegen/Builder/VectorMath.h"
#include "passes/CodegenCpu/Move/Ops.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace tenon;
using namespace tenon::codegen;

namespace {
/// How the copy of a matrix lies.
struct DetLayout {
  Size extent, pitch;
  int64_t lanes;
  Type stored, computed;

  DetLayout(RankedTensorType type, const tile::Target &target)
      : extent(graph::sizesOf(type).back()), stored(type.getElementType()),
        computed(graph::elementBytes(stored) < 4
                     ? Float32Type::get(type.getContext())
                     : stored) {
    lanes = target.lanes(graph::elementBytes(computed));
    if (extent.isFixed())
      lanes = std::min<int64_t>(
          lanes, llvm::PowerOf2Ceil(std::max<int64_t>(extent.fixed(), 1)));
    pitch = extent.ceilDiv(lanes) * lanes;
  }
  Size matrixElements() const { return extent * pitch; }
};

class Determinant {
public:
  Determinant(KernelBuilder &b, const DetLayout &layout, Value matrix)
      : b(b), layout(layout), matrix(matrix),
        vector(b.vectorType(layout.computed, layout.lanes)) {}

  void copyFrom(Value source);
  Value eliminate();

private:
  Value at(Value row, Value column) {
    return b.at(matrix, b.add(b.mul(row, layout.pitch), column),
                layout.computed);
  }
  Value element(Value row, Value column) {
    return b.load(at(row, column), layout.computed);
  }
  void forColumns(Value first, llvm::function_ref<void(Value)> body);
  Value pivotRow(Value column);
  void swapRows(Value x, Value y, Value firstColumn);
  void clearColumn(Value column, Value pivot);

  KernelBuilder &b;
  const DetLayout &layout;
  Value matrix;
  Type vector;
};
} // namespace

void Determinant::copyFrom(Value source) {
  b.loop(b.index(0), b.index(layout.extent), 1, [&](Value row) {
    Value from = b.at(source, b.mul(row, layout.extent), layout.stored);
    b.loop(b.index(0), b.index(layout.extent), layout.lanes, [&](Value j) {
      Value place = b.at(from, j, layout.stored);
      Value live =
          b.min(b.sub(b.index(layout.extent), j), b.index(layout.lanes));
      Type type = b.vectorType(layout.stored, layout.lanes);
      Value x = layout.lanes == 1
                    ? b.load(place, type, layout.stored)
                    : b.loadPart(place, type, live, layout.stored);
      b.store(widenFloat(b, x), at(row, j), layout.computed);
    });
  });
}

/// Whole vectors of columns from that of `first` on.
void Determinant::forColumns(Value first,
                             llvm::function_ref<void(Value)> body) {
  Value begin = b.sub(first, b.rem(first, layout.lanes));
  b.loop(begin, b.index(layout.pitch), layout.lanes, body);
}

/// The row, from `column` on, with the largest element of that column.
Value Determinant::pivotRow(Value column) {
  auto sizeOf = [&](Value row) {
    return abs(Num(b, element(row, column))).get();
  };
  Values found = b.loop(
      b.add(column, 1), b.index(layout.extent), 1, {sizeOf(column), column},
      [&](Value row, ValueRange best) {
        Value size = sizeOf(row);
        Value wins = less(Num(b, best[0]), Num(b, size));
        auto pick = [&](Value x, Value y) {
          return arith::SelectOp::create(b.builder(), b.loc(), wins, x, y)
              .getResult();
        };
        return Values{pick(size, best[0]), pick(row, best[1])};
      });
  return found[1];
}

void Determinant::swapRows(Value x, Value y, Value firstColumn) {
  forColumns(firstColumn, [&](Value j) {
    Value first = b.load(at(x, j), vector, layout.computed);
    Value second = b.load(at(y, j), vector, layout.computed);
    b.store(second, at(x, j), layout.computed);
    b.store(first, at(y, j), layout.computed);
  });
}

/// Takes the pivot's row from those below. Where the pivot is zero, so is the
/// whole column, and the determinant.
void Determinant::clearColumn(Value column, Value pivot) {
  Num divisor(b, pivot);
  Value isZero = equal(divisor, divisor.of(0.0));
  b.loop(b.add(column, 1), b.index(layout.extent), 1, [&](Value row) {
    Num quotient = Num(b, element(row, column)) / divisor;
    Num factor = select(isZero, divisor.of(0.0), -quotient);
    Value factors = b.splat(factor.get(), vector);
    forColumns(b.add(column, 1), [&](Value j) {
      Value above = b.load(at(column, j), vector, layout.computed);
      Value own = b.load(at(row, j), vector, layout.computed);
      b.store(b.fma(factors, above, own), at(row, j), layout.computed);
    });
  });
}

Value Determinant::eliminate() {
  Value one = b.constantOf(layout.computed, 1.0);
  return b.loop(b.index(0), b.index(layout.extent), 1, {one},
                [&](Value column, ValueRange carried) {
                  Value row = pivotRow(column);
                  swapRows(column, row, column);
                  Value pivot = element(column, column);
                  clearColumn(column, pivot);
                  Num product = Num(b, carried[0]) * Num(b, pivot);
                  Num signedProduct =
                      select(b.equal(row, column), product, -product);
                  return Values{signedProduct.get()};
                })[0];
}

Size codegen::detScratchBytes(graph::DetOp op, const tile::Target &target) {
  RankedTensorType type = op.getInput().getType();
  DetLayout layout(type, target);
  Size matrices = graph::productOf(graph::sizesOf(op.getType()));
  return matrices * layout.matrixElements() *
         graph::elementBytes(layout.computed);
}

FailureOr<Size> codegen::emitDet(Move &move) {
  KernelBuilder &b = move.b;
  auto op = cast<graph::DetOp>(move.op);
  DetLayout layout(op.getInput().getType(), b.target());
  Value copies = b.buffer(2);
  Size matrices = graph::productOf(move.resultShape());
  Size elements = layout.extent * layout.extent;
  Size bytes = detScratchBytes(op, b.target());
  if (!bytes.isFixed())
    move.made.scratch = {bytes};
  RowTiles tiles(b, matrices, elements * layout.extent);
  tiles.forRows(b, [&](Value number) {
    Value place = b.mul(number, layout.matrixElements());
    Determinant work(b, layout, b.at(copies, place, layout.computed));
    work.copyFrom(b.at(move.input(0), b.mul(number, elements), layout.stored));
    b.store(narrowFloat(b, work.eliminate(), layout.stored),
            b.at(move.result(), number, layout.stored), layout.stored);
  });
  return tiles.tiles;
}
