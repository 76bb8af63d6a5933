//===- Scatter.cpp - rows that updates meet -------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file emits graph.scatter. Updates of one row apply in their order, so a
// call takes all updates, of its share of the rows, or of the columns where
// rows are long: then the result is the same for any number of threads.
//===----------------------------------------------------------------------===//
#include "dialects/Graph/Graph.h"
#include "passes/Codegen/Builder/Cuts.h"
#include "passes/Codegen/Builder/ElementwiseOps.h"
#include "passes/Codegen/Builder/VectorMath.h"
#include "passes/CodegenCpu/Move/Ops.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;
using namespace tenon;
using namespace tenon::codegen;

/// Columns that a call should have at least, to stay with long vectors.
static constexpr int64_t columnsPerTile = 512;
/// Elements that are worth another thread.
static constexpr int64_t elementsPerTile = 8192;
/// Each call reads all indices: more would not pay.
static constexpr int64_t mostTiles = 64;
/// Indices that very many threads read in little time, all of them together.
static constexpr int64_t mostLookups = int64_t(1) << 28;

namespace {
class Scatter {
public:
  explicit Scatter(Move &move)
      : move(move), b(move.b), op(cast<graph::ScatterOp>(move.op)),
        element(move.resultType().getElementType()),
        rows(move.resultShape().front()), updates(move.inputShape(1).front()),
        length(graph::productOf(ArrayRef(move.resultShape()).drop_front())) {}

  int64_t run();

private:
  bool hasColumns() const;
  bool isFixed() const;
  int64_t tiles() const;
  int64_t manyTiles() const;
  bool isAlone() const;
  Value row(Value base, Value number, Value column) {
    return b.at(base, b.add(b.mul(number, length), column), element);
  }
  void copyInput(Interval mine);
  void update(Interval mine, Value number);
  void meet(Value to, Value from, Value count);
  Value combine(Value x, Value y);
  Value combineIntegers(Value x, Value y);

  Move &move;
  KernelBuilder &b;
  graph::ScatterOp op;
  Type element;
  Size rows, updates, length; ///< of a row, in elements
};
} // namespace

/// Of very many threads, each has a vector of columns or a row.
static int64_t columnsOf(const tile::Target &target) {
  return target.isGpuThread() ? target.vectorBytes / 4 : columnsPerTile;
}

/// Rows of open length are not cut.
bool Scatter::hasColumns() const {
  if (!length.isFixed())
    return false;
  int64_t shares = length.fixed() / columnsOf(b.target());
  return b.target().isGpuThread() && rows.isFixed() ? shares > rows.fixed()
                                                    : shares >= 2;
}

bool Scatter::isFixed() const {
  return rows.isFixed() && updates.isFixed() && length.isFixed();
}

int64_t Scatter::manyTiles() const {
  int64_t most =
      hasColumns() ? length.fixed() / columnsOf(b.target()) : rows.fixed();
  int64_t readers = mostLookups / std::max<int64_t>(1, updates.fixed());
  return std::min(most, std::clamp(readers, mostTiles, b.target().threads));
}

int64_t Scatter::tiles() const {
  if (b.target().isGpuThread() && isFixed())
    return manyTiles();
  Size most = hasColumns() ? length.floorDiv(columnsPerTile) : rows;
  auto shares = [&](const Size &count) {
    return sharesOf(b, most, count * length, elementsPerTile, mostTiles);
  };
  return std::max(shares(rows), shares(updates));
}

/// Whether the input is no other operand as well.
bool Scatter::isAlone() const {
  return move.buffers[0] != move.buffers[1] &&
         move.buffers[0] != move.buffers[2];
}

/// What this call has of the input, where the result does not lie on it.
void Scatter::copyInput(Interval mine) {
  auto number = [&](Value pointer) {
    return LLVM::PtrToIntOp::create(b.builder(), b.loc(), b.i64Type(), pointer)
        .getResult();
  };
  Value isElsewhere =
      arith::CmpIOp::create(b.builder(), b.loc(), arith::CmpIPredicate::ne,
                            number(move.input(0)), number(move.result()));
  Value zero = b.index(0), count = b.sub(mine.end, mine.begin);
  b.ifThen(isElsewhere, [&] {
    if (!hasColumns())
      return copyRun(b, row(move.input(0), mine.begin, zero),
                     row(move.result(), mine.begin, zero), b.mul(count, length),
                     element);
    b.loop(zero, b.index(rows), 1, [&](Value i) {
      copyRun(b, row(move.input(0), i, mine.begin),
              row(move.result(), i, mine.begin), count, element);
    });
  });
}

Value Scatter::combineIntegers(Value x, Value y) {
  OpBuilder &ob = b.builder();
  bool isUnsigned = element.isUnsignedInteger();
  switch (op.getKind()) {
  case graph::ScatterKind::Add:
    return arith::AddIOp::create(ob, b.loc(), x, y);
  case graph::ScatterKind::Mul:
    return arith::MulIOp::create(ob, b.loc(), x, y);
  case graph::ScatterKind::Max:
    return isUnsigned ? Value(arith::MaxUIOp::create(ob, b.loc(), x, y))
                      : Value(arith::MaxSIOp::create(ob, b.loc(), x, y));
  case graph::ScatterKind::Min:
    return isUnsigned ? Value(arith::MinUIOp::create(ob, b.loc(), x, y))
                      : Value(arith::MinSIOp::create(ob, b.loc(), x, y));
  case graph::ScatterKind::Replace:
    break;
  }
  return y;
}

Value Scatter::combine(Value x, Value y) {
  if (!isa<FloatType>(element))
    return combineIntegers(x, y);
  Num old(b, widenFloat(b, x)), own(b, widenFloat(b, y));
  auto done = [&](Num number) { return narrowFloat(b, number.get(), element); };
  switch (op.getKind()) {
  case graph::ScatterKind::Add:
    return done(old + own);
  case graph::ScatterKind::Mul:
    return done(old * own);
  case graph::ScatterKind::Max:
    return done(maximum(old, own));
  case graph::ScatterKind::Min:
    return done(minimum(old, own));
  case graph::ScatterKind::Replace:
    break;
  }
  return y;
}

/// `count` elements of a row and of its update.
void Scatter::meet(Value to, Value from, Value count) {
  if (op.getKind() == graph::ScatterKind::Replace)
    return copyRun(b, from, to, count, element);
  int64_t lanes = lanesForRun(b, count, element);
  Type type = b.vectorType(element, lanes);
  forRun(b, count, lanes, [&](Value i, int64_t vectors, Value live) {
    for (int64_t v = 0; v < vectors; ++v) {
      Value target = b.at(b.at(to, i, element), v * lanes, element);
      Value source = b.at(b.at(from, i, element), v * lanes, element);
      auto load = [&](Value pointer) {
        return live ? b.loadPart(pointer, type, live, element)
                    : b.load(pointer, type, element);
      };
      Value value = combine(load(target), load(source));
      if (live)
        b.storePart(value, target, live, element);
      else
        b.store(value, target, element);
    }
  });
}

void Scatter::update(Interval mine, Value number) {
  Type index = move.inputType(1).getElementType();
  Value target =
      loadIndex(move, b.at(move.input(1), number, index), index, rows);
  auto meetColumns = [&] {
    meet(row(move.result(), target, mine.begin),
         row(move.input(2), number, mine.begin), b.sub(mine.end, mine.begin));
  };
  // There may be no row for the nearest index.
  if (hasColumns())
    return rows.isFixed()
               ? meetColumns()
               : b.ifThen(b.less(b.index(0), b.index(rows)), meetColumns);
  Value isMine =
      andOf(b, b.less(target, mine.end), notOf(b, b.less(target, mine.begin)));
  b.ifThen(isMine, [&] {
    meet(row(move.result(), target, b.index(0)),
         row(move.input(2), number, b.index(0)), b.index(length));
  });
}

int64_t Scatter::run() {
  if (rows.is(0) || length.is(0))
    return 1;
  move.made.oneCall = true;
  if (isAlone())
    move.made.inPlace = {{move.buffers[0], 0}};
  int64_t count = tiles();
  Interval mine = b.shareOfCall(hasColumns() ? length : rows, count);
  copyInput(mine);
  b.loop(b.index(0), b.index(updates), 1,
         [&](Value number) { update(mine, number); });
  return count;
}

FailureOr<Size> codegen::emitScatter(Move &move) {
  return Size(Scatter(move).run());
}
