//===- Resize.cpp - interpolation -----------------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file emits `graph.resize`. Each resized dimension has a table of source
// indices and weights per result index, worked out at compile time, or finds
// them in the run where its extents come with the call (ResizeLive.h). Channels
// last: rows of channels are weighted sums of rows. Otherwise lanes lie along
// the last dimension: they gather, or where all vectors read alike are
// permuted.
//===----------------------------------------------------------------------===//
#include "dialects/Graph/Graph.h"
#include "passes/Codegen/Builder/ElementwiseOps.h"
#include "passes/Codegen/Builder/VectorMath.h"
#include "passes/CodegenCpu/Move/Ops.h"
#include "passes/CodegenCpu/Move/ResizeLive.h"
#include "passes/CodegenCpu/Move/ResizeTaps.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include <cmath>

using namespace mlir;
using namespace tenon;
using namespace tenon::codegen;

/// More terms per element than this are refused.
static constexpr size_t maxTerms = 64;

namespace {
/// Where a tap is found: an entry of a table, or numbers.
struct TapPlace {
  Value entry;
  const LiveTaps::Tap *live = nullptr;
};

/// One element's sum: where it starts and how it is weighted.
struct Term {
  Value offset; ///< elements
  Value weight; ///< null: 1
};

/// A tap of some elements along the last dimension.
struct Column {
  Value weight;   ///< a vector; null: 1
  Values sources; ///< where each lane's element is in its row
};

class Resizer {
public:
  explicit Resizer(Move &move)
      : move(move), b(move.b), op(cast<graph::ResizeOp>(move.op)),
        element(move.resultType().getElementType()), rank(rankOf(move)) {}

  FailureOr<Size> run();

private:
  static size_t rankOf(Move &move);
  LogicalResult makeTables();
  FailureOr<ResizeTable> makeLive(size_t dim);
  SmallVector<LiveTaps::Tap> liveAt(size_t dim, Value index, int64_t lanes);
  Value sourceAt(size_t dim, const TapPlace &place);
  Value weightAt(size_t dim, const TapPlace &place);
  SmallVector<Term> terms(ValueRange index);
  Value outsideRow(ValueRange index);
  Value extrapolation();
  Value resultRow(ValueRange index);
  void channelsRow(ValueRange index);
  void gatherRow(ValueRange index);
  Column columnOfTable(Value entry, int64_t lanes);
  Column columnOf(const LiveTaps::Tap &tap, int64_t lanes);
  Value gatherLanes(Value from, Value x, int64_t lanes, ArrayRef<Term> rows);
  void gatherRange(Value to, ArrayRef<Term> rows, const Size &begin,
                   const Size &end);
  Value repeatedLanes(Value x, int64_t lanes, ArrayRef<Term> rows);
  Value whereInside(Value value, Value x, int64_t lanes);
  Value loadWide(Value pointer, int64_t lanes);
  Value narrow(Value sum);
  Value weighted(Value sum, Value value, Value weight);
  bool isNearest() { return op.getMode() == graph::ResizeMode::Nearest; }

  Move &move;
  KernelBuilder &b;
  graph::ResizeOp op;
  Type element, wide;
  size_t rank;
  SmallVector<ResizeTable> tables; ///< per dimension; no taps: identity
  SmallVector<std::optional<LiveTaps>> live; ///< instead of entries
  Values indices, weights;                   ///< per dimension
  Values outside;                            ///< per dimension; null: nowhere
  std::optional<RepeatedTaps> repeated;      ///< of the last dimension
};
} // namespace

/// Without a last dimension of one element: rows run along the one before.
size_t Resizer::rankOf(Move &move) {
  size_t rank = move.resultShape().size();
  auto isUnit = [&](const Sizes &shape, const Sizes &strides) {
    return rank > 1 && shape.back().is(1) && strides[rank - 2].is(1);
  };
  bool isLeftOut = isUnit(move.inputShape(0), move.inputStrides(0)) &&
                   isUnit(move.resultShape(), move.resultStrides());
  return isLeftOut ? rank - 1 : rank;
}

/// Only the number of taps, where extents come with the call.
FailureOr<ResizeTable> Resizer::makeLive(size_t dim) {
  Size in = move.inputShape(0)[dim], out = move.resultShape()[dim];
  if (in.isFixed() && out.isFixed())
    return makeResizeTable(op, dim);
  ResizeTable table;
  if (in == out && op.getScales()[dim] == 1.0f)
    return table;
  if (!LiveTaps::canFind(op))
    return op.emitError() << "'graph.resize' whose taps no number says";
  live[dim].emplace(b, op, dim, in, out);
  table.taps = live[dim]->count();
  return table;
}

LogicalResult Resizer::makeTables() {
  size_t entries = 0, terms = 1;
  live.resize(rank);
  for (size_t dim = 0; dim < rank; ++dim) {
    auto table = makeLive(dim);
    if (failed(table))
      return failure();
    entries += table->indices.size() + table->outside.size();
    terms *= std::max<size_t>(1, table->taps);
    tables.push_back(std::move(*table));
  }
  if (entries > maxTableSize || terms > maxTerms)
    return op.emitError() << "'graph.resize' of that size or filter width";
  for (const ResizeTable &table : tables) {
    bool resized = !table.indices.empty();
    indices.push_back(
        resized ? makeTable(b, table.indices, b.builder().getI32Type())
                : Value());
    weights.push_back(
        resized && !isNearest() ? makeTable(b, table.weights, wide) : Value());
    outside.push_back(
        table.outside.empty()
            ? Value()
            : makeTable(b, table.outside, b.builder().getI32Type()));
  }
  return success();
}

/// None where a table has them. Lanes follow each other.
SmallVector<LiveTaps::Tap> Resizer::liveAt(size_t dim, Value index,
                                           int64_t lanes) {
  if (!live[dim])
    return {};
  Type f64 = b.builder().getF64Type();
  Value first = arith::SIToFPOp::create(b.builder(), b.loc(), f64, index);
  SmallVector<double> steps;
  for (int64_t lane = 0; lane < lanes; ++lane)
    steps.push_back(double(lane));
  if (lanes == 1)
    return live[dim]->at(Num(b, first));
  auto type = VectorType::get({lanes}, f64);
  Value offsets = arith::ConstantOp::create(
      b.builder(), b.loc(), DenseElementsAttr::get(type, ArrayRef(steps)));
  return live[dim]->at(Num(b, b.splat(first, type)) + Num(b, offsets));
}

/// One index; of several lanes, a vector of them where no table has it.
Value Resizer::sourceAt(size_t dim, const TapPlace &place) {
  if (!place.live)
    return readTable(b, indices[dim], place.entry);
  Num index = place.live->index;
  return arith::FPToSIOp::create(b.builder(), b.loc(),
                                 b.vectorType(b.i64Type(), index.lanes()),
                                 index.get());
}

/// As many as the place has lanes; null: 1.
Value Resizer::weightAt(size_t dim, const TapPlace &place) {
  if (isNearest())
    return {};
  if (!place.live)
    return b.load(b.at(weights[dim], place.entry, wide), wide, wide);
  return emitCast(b, place.live->weight.get(), b.builder().getF64Type(), wide);
}

/// All combinations of taps of the dimensions but the last at a result index.
SmallVector<Term> Resizer::terms(ValueRange index) {
  SmallVector<Term> result = {{b.index(0), Value()}};
  for (size_t dim = 0; dim + 1 < rank; ++dim) {
    Size stride = move.inputStrides(0)[dim];
    if (tables[dim].taps == 0) {
      for (Term &term : result)
        term.offset = b.add(term.offset, b.mul(index[dim], stride));
      continue;
    }
    SmallVector<Term> next;
    SmallVector<LiveTaps::Tap> found = liveAt(dim, index[dim], 1);
    for (const Term &term : result)
      for (size_t tap = 0; tap < tables[dim].taps; ++tap) {
        // Tables hold one tap after the other.
        TapPlace place;
        if (found.empty())
          place.entry = b.add(index[dim], int64_t(tap * tables[dim].size));
        else
          place.live = &found[tap];
        Value source = sourceAt(dim, place);
        Term more{b.add(term.offset, b.mul(source, stride)), term.weight};
        if (Value weight = weightAt(dim, place))
          more.weight = more.weight
                            ? (Num(b, more.weight) * Num(b, weight)).get()
                            : weight;
        next.push_back(more);
      }
    result = next;
  }
  return result;
}

Value Resizer::loadWide(Value pointer, int64_t lanes) {
  Value value = b.load(pointer, b.vectorType(element, lanes), element);
  return isNearest() ? value : emitCast(b, value, element, wide);
}

Value Resizer::narrow(Value sum) {
  if (isNearest())
    return sum;
  if (!isa<FloatType>(element))
    sum = roundEven(Num(b, sum)).get();
  return emitCast(b, sum, wide, element);
}

Value Resizer::weighted(Value sum, Value value, Value weight) {
  if (!weight)
    return value;
  Value factor = b.splat(weight, value.getType());
  return sum ? b.fma(value, factor, sum)
             : (Num(b, value) * Num(b, factor)).get();
}

Value Resizer::extrapolation() {
  double value = op.getExtrapolationValue().convertToDouble();
  bool isFloat = isa<FloatType>(element);
  return b.constantOf(b.registerType(element),
                      isFloat ? value : std::nearbyint(value));
}

/// Whether a row of the result lies outside of the source; null: never.
Value Resizer::outsideRow(ValueRange index) {
  Value any;
  for (size_t dim = 0; dim + 1 < rank; ++dim) {
    if (!outside[dim])
      continue;
    Value flag = readTable(b, outside[dim], index[dim]);
    any = any ? b.max(any, flag) : flag;
  }
  return any ? b.less(b.index(0), any) : Value();
}

/// The last dimension is not resized: its rows are added up.
void Resizer::channelsRow(ValueRange index) {
  SmallVector<Term> sum = terms(index);
  Size channels = move.resultShape()[rank - 1];
  Value to = resultRow(index);
  if (sum.size() == 1 && !sum[0].weight)
    return copyRun(b, b.at(move.input(0), sum[0].offset, element), to,
                   b.index(channels), element);
  int64_t lanes = b.target().lanes(graph::elementBytes(wide));
  auto part = [&](Value c, int64_t width) {
    Value total;
    for (const Term &term : sum) {
      Value from = b.at(b.at(move.input(0), term.offset, element), c, element);
      total = weighted(total, loadWide(from, width), term.weight);
    }
    b.store(narrow(total), b.at(to, c, element), element);
  };
  // Halving vectors finish the row without masks.
  Size done = 0;
  for (; lanes > 0; lanes /= 2) {
    Size end = channels.floorDiv(lanes) * lanes;
    b.loop(b.index(done), b.index(end), lanes,
           [&](Value c) { part(c, lanes); });
    done = end;
  }
}

Value Resizer::resultRow(ValueRange index) {
  Sizes strides = move.resultStrides();
  strides.resize(rank - 1);
  return b.at(move.result(), dot(b, index, strides), element);
}

Column Resizer::columnOfTable(Value entry, int64_t lanes) {
  Column column;
  if (weights.back())
    column.weight = b.load(b.at(weights.back(), entry, wide),
                           b.vectorType(wide, lanes), wide);
  Size stride = move.inputStrides(0)[rank - 1];
  for (int64_t lane = 0; lane < lanes; ++lane)
    column.sources.push_back(
        b.mul(readTable(b, indices.back(), b.add(entry, lane)), stride));
  return column;
}

Column Resizer::columnOf(const LiveTaps::Tap &tap, int64_t lanes) {
  TapPlace place{Value(), &tap};
  Column column{weightAt(rank - 1, place), {}};
  Value sources = sourceAt(rank - 1, place);
  for (int64_t lane = 0; lane < lanes; ++lane)
    column.sources.push_back(b.lane(sources, lane));
  return column;
}

Value Resizer::gatherLanes(Value from, Value x, int64_t lanes,
                           ArrayRef<Term> rows) {
  const ResizeTable &table = tables.back();
  Value total;
  SmallVector<LiveTaps::Tap> found = liveAt(rank - 1, x, lanes);
  for (size_t tap = 0; tap < table.taps; ++tap) {
    Column column =
        found.empty()
            ? columnOfTable(b.add(x, int64_t(tap * table.size)), lanes)
            : columnOf(found[tap], lanes);
    for (const Term &row : rows) {
      Value start = b.at(from, row.offset, element);
      Type type = b.vectorType(element, lanes);
      Value value = lanes > 1 ? b.constantOf(type, 0) : Value();
      for (int64_t lane = 0; lane < lanes; ++lane) {
        Value one = b.load(b.at(start, column.sources[lane], element),
                           b.registerType(element), element);
        value = lanes == 1
                    ? one
                    : Value(vector::InsertOp::create(b.builder(), b.loc(), one,
                                                     value,
                                                     ArrayRef<int64_t>{lane}));
      }
      if (isNearest())
        return value;
      Num term(b, emitCast(b, value, element, wide));
      Num factor(b, column.weight);
      if (row.weight)
        factor = factor * Num(b, b.splat(row.weight, factor.type()));
      total = total ? b.fma(term.get(), factor.get(), total)
                    : (term * factor).get();
    }
  }
  return narrow(total);
}

/// Lanes of the last dimension that lie outside get the extrapolation value.
Value Resizer::whereInside(Value value, Value x, int64_t lanes) {
  if (!outside.back())
    return value;
  Type i32 = b.builder().getI32Type();
  Value flags = b.load(b.at(outside.back(), x, i32), b.vectorType(i32, lanes));
  Value inside =
      arith::CmpIOp::create(b.builder(), b.loc(), arith::CmpIPredicate::eq,
                            flags, b.constantInt(flags.getType(), 0));
  return arith::SelectOp::create(b.builder(), b.loc(), inside, value,
                                 b.splat(extrapolation(), value.getType()));
}

/// Of results [begin, end) of a row, lanes gather.
void Resizer::gatherRange(Value to, ArrayRef<Term> rows, const Size &begin,
                          const Size &end) {
  Size done = begin;
  // Taps that are found are vectors of f64.
  int64_t bytes = live.back() ? 8 : graph::elementBytes(wide);
  int64_t lanes = std::min<int64_t>(b.target().lanes(bytes), 16);
  for (; lanes > 0; lanes /= 2) {
    Size last = begin + (end - begin).floorDiv(lanes) * lanes;
    b.loop(b.index(done), b.index(last), lanes, [&](Value x) {
      Value value = gatherLanes(move.input(0), x, lanes, rows);
      b.store(whereInside(value, x, lanes), b.at(to, x, element), element);
    });
    done = last;
  }
}

/// A vector of results from one of each source row: these are added up first.
Value Resizer::repeatedLanes(Value x, int64_t lanes, ArrayRef<Term> rows) {
  Value from = b.add(b.div(x, repeated->factor), repeated->offset), row;
  for (const Term &term : rows) {
    Value start = b.at(move.input(0), term.offset, element);
    row =
        weighted(row, loadWide(b.at(start, from, element), lanes), term.weight);
  }
  auto type = VectorType::get({lanes}, wide);
  Value total;
  for (const RepeatedTaps::Tap &tap : repeated->taps) {
    Value value = b.permute(row, row, tap.places);
    if (isNearest())
      return value;
    auto weights = DenseElementsAttr::get(type, ArrayRef(tap.weights));
    Value weight = arith::ConstantOp::create(b.builder(), b.loc(), weights);
    total = total ? b.fma(value, weight, total)
                  : (Num(b, value) * Num(b, weight)).get();
  }
  return narrow(total);
}

/// The last dimension is resized.
void Resizer::gatherRow(ValueRange index) {
  SmallVector<Term> rows = terms(index);
  Value to = resultRow(index);
  Size width = move.resultShape()[rank - 1];
  if (!repeated)
    return gatherRange(to, rows, 0, width);
  int64_t lanes = b.target().lanes(graph::elementBytes(wide));
  gatherRange(to, rows, 0, repeated->begin);
  b.loop(b.index(repeated->begin), b.index(repeated->end), lanes, [&](Value x) {
    b.store(repeatedLanes(x, lanes, rows), b.at(to, x, element), element);
  });
  gatherRange(to, rows, repeated->end, width);
}

FailureOr<Size> Resizer::run() {
  bool exact = element.isF64() || element.isInteger(32) ||
               element.isInteger(64) || element.isUnsignedInteger(32) ||
               element.isUnsignedInteger(64);
  wide = exact ? Type(b.builder().getF64Type()) : Type(b.f32Type());
  if (rank == 0 || graph::isEmpty(move.resultType().getTensor()))
    return op.emitError() << "'graph.resize' of an empty tensor or a scalar";
  if (!move.inputStrides(0)[rank - 1].is(1) ||
      !move.resultStrides()[rank - 1].is(1))
    return op.emitError() << "'graph.resize' needs contiguous rows";
  if (failed(makeTables()))
    return failure();
  Sizes outer = move.resultShape();
  outer.resize(rank);
  Size width = outer.pop_back_val();
  bool gathers = tables.back().taps > 0;
  if (wide.isF32() && !tables.back().indices.empty())
    repeated = repeatedTaps(tables.back(), move.inputShape(0)[rank - 1].fixed(),
                            b.target().lanes(4));
  RowTiles tiles(b, graph::productOf(outer), width);
  tiles.forRows(b, [&](Value row) {
    Values index = b.delinearize(row, outer);
    auto inside = [&] { gathers ? gatherRow(index) : channelsRow(index); };
    Value isOutside = outsideRow(index);
    if (!isOutside)
      return inside();
    Value to = resultRow(index);
    b.ifThen(
        isOutside,
        [&] { fillRun(b, extrapolation(), to, b.index(width), element); },
        inside);
  });
  return tiles.tiles;
}

FailureOr<Size> codegen::emitResize(Move &move) { return Resizer(move).run(); }
