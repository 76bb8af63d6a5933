//===- Copies.cpp - concatenation, padding, gathering ---------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "dialects/Graph/Graph.h"
#include "passes/CodegenCpu/Builder/ElementwiseOps.h"
#include "passes/CodegenCpu/Move/Ops.h"
#include "passes/CodegenCpu/Planning.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;
using namespace tenon;
using namespace tenon::codegen;

static int64_t product(ArrayRef<int64_t> extents) {
  int64_t result = 1;
  for (int64_t extent : extents)
    result *= extent;
  return result;
}

//===-- concat, reshape ---------------------------------------------------===//

FailureOr<int64_t> codegen::emitConcat(Move &move) {
  KernelBuilder &b = move.b;
  auto op = cast<graph::ConcatOp>(move.op);
  Type element = move.resultType().getElementType();
  int64_t stride = move.resultType().getStrides()[op.getAxis()];
  auto group = cast<kernel::GroupOp>(op->getParentOp());
  SmallVector<CopyBox> boxes;
  int64_t rows = 0, elements = 0;
  for (unsigned i = 0; i < op->getNumOperands(); ++i) {
    SmallVector<int64_t> extents(move.inputType(i).getShape());
    if (isInPlace(group, i))
      extents.front() = 0; // nothing is left to copy
    boxes.emplace_back(extents, move.inputType(i).getStrides(),
                       move.resultType().getStrides());
    rows += boxes.back().rows();
    elements += product(extents);
  }
  RowTiles tiles(rows, rows ? elements / rows : 1);
  tiles.forTiles(b, [&](Value low, Value high) {
    int64_t first = 0, position = 0;
    for (auto [i, box] : llvm::enumerate(boxes)) {
      // The part of the tile that lies in this operand's rows.
      Value begin = b.max(b.sub(low, b.index(first)), b.index(0));
      Value end = b.min(b.sub(high, b.index(first)), b.index(box.rows()));
      Value to = b.at(move.result(), position * stride, element);
      b.loop(begin, end, 1, [&](Value row) {
        box.copyRow(b, move.input(i), to, row, element);
      });
      first += box.rows();
      position += move.inputType(i).getShape()[op.getAxis()];
    }
  });
  return tiles.tiles;
}

FailureOr<int64_t> codegen::emitReshapeCopy(Move &move) {
  Type element = move.resultType().getElementType();
  if (!memory::BufferType::getDense(move.inputType(0).getTensor())
           .getStrides()
           .equals(move.inputType(0).getStrides()) ||
      !memory::BufferType::getDense(move.resultType().getTensor())
           .getStrides()
           .equals(move.resultType().getStrides()))
    return move.op->emitError() << "a reshape copies dense buffers only";
  int64_t elements = product(move.resultType().getShape());
  CopyBox box({elements}, {1}, {1});
  RowTiles tiles(box.rows(), box.rowElements());
  tiles.forRows(move.b, [&](Value row) {
    box.copyRow(move.b, move.input(0), move.result(), row, element);
  });
  return tiles.tiles;
}

//===-- pad ---------------------------------------------------------------===//

/// The source of a position in a dimension, -1 for the pad value.
static int64_t padSource(graph::PadMode mode, int64_t position,
                         int64_t extent) {
  if (position >= 0 && position < extent)
    return position;
  auto wrap = [](int64_t x, int64_t period) {
    return ((x % period) + period) % period;
  };
  switch (mode) {
  case graph::PadMode::Constant:
    return -1;
  case graph::PadMode::Edge:
    return position < 0 ? 0 : extent - 1;
  case graph::PadMode::Wrap:
    return wrap(position, extent);
  case graph::PadMode::Reflect:
    break;
  }
  if (extent == 1)
    return 0;
  int64_t place = wrap(position, 2 * (extent - 1));
  return place < extent ? place : 2 * (extent - 1) - place;
}

namespace {
/// Pads row by row: outer dimensions through tables of sources, the innermost
/// one as border, copy, border.
class Padder {
public:
  explicit Padder(Move &move)
      : move(move), b(move.b), op(cast<graph::PadOp>(move.op)),
        element(move.resultType().getElementType()),
        rank(move.resultType().getShape().size()) {}

  FailureOr<int64_t> run();

private:
  int64_t in(size_t dim) { return move.inputType(0).getShape()[dim]; }
  int64_t out(size_t dim) { return move.resultType().getShape()[dim]; }
  Value makeDimTable(size_t dim);
  void row(Value number);
  void insideRow(Value from, Value to);
  void border(Value from, Value to, int64_t first, int64_t last);

  Move &move;
  KernelBuilder &b;
  graph::PadOp op;
  Type element;
  size_t rank;
  Values tables; ///< per outer dimension; null: the identity
  Value inner;   ///< table of the innermost dimension, when it repeats
  Value value;
};
} // namespace

Value Padder::makeDimTable(size_t dim) {
  SmallVector<double> sources;
  for (int64_t i = 0; i < out(dim); ++i)
    sources.push_back(
        double(padSource(op.getMode(), i - op.getLow()[dim], in(dim))));
  return makeTable(b, sources, b.builder().getI32Type());
}

void Padder::border(Value from, Value to, int64_t first, int64_t last) {
  if (first >= last)
    return;
  if (op.getMode() == graph::PadMode::Constant)
    return fillRun(b, value, b.at(to, first, element), b.index(last - first),
                   element);
  int64_t step = move.inputType(0).getStrides().back();
  b.loop(b.index(first), b.index(last), 1, [&](Value i) {
    Value source = b.mul(readTable(b, inner, i), step);
    Value x =
        b.load(b.at(from, source, element), b.registerType(element), element);
    b.store(x, b.at(to, i, element), element);
  });
}

void Padder::insideRow(Value from, Value to) {
  int64_t low = op.getLow().back(), extent = out(rank - 1);
  int64_t first = std::clamp<int64_t>(low, 0, extent);
  int64_t last = std::clamp<int64_t>(low + in(rank - 1), first, extent);
  border(from, to, 0, first);
  CopyBox box({last - first}, {move.inputType(0).getStrides().back()}, {1});
  int64_t step = move.inputType(0).getStrides().back();
  if (last > first)
    box.copy(b, b.at(from, (first - low) * step, element),
             b.at(to, first, element), element);
  border(from, to, last, extent);
}

void Padder::row(Value number) {
  ArrayRef<int64_t> strides = move.resultType().getStrides().drop_back();
  Values index =
      b.delinearize(number, move.resultType().getShape().drop_back());
  Value to = b.at(move.result(), dot(b, index, strides), element);
  Value isInside = b.constantInt(b.builder().getI1Type(), 1);
  Value from = b.index(0);
  for (size_t dim = 0; dim + 1 < rank; ++dim) {
    Value source =
        tables[dim] ? readTable(b, tables[dim], index[dim]) : index[dim];
    from = b.add(from, b.mul(source, move.inputType(0).getStrides()[dim]));
    if (tables[dim] && op.getMode() == graph::PadMode::Constant)
      isInside = arith::AndIOp::create(b.builder(), b.loc(), isInside,
                                       b.less(b.index(-1), source));
  }
  b.ifThen(
      isInside, [&] { insideRow(b.at(move.input(0), from, element), to); },
      [&] { fillRun(b, value, to, b.index(out(rank - 1)), element); });
}

FailureOr<int64_t> Padder::run() {
  if (rank == 0 || move.resultType().getStrides().back() != 1)
    return op.emitError() << "'graph.pad' needs a contiguous result";
  size_t entries = 0;
  for (size_t dim = 0; dim < rank; ++dim)
    entries += out(dim);
  if (entries > maxTableSize)
    return op.emitError() << "'graph.pad' of more than " << maxTableSize
                          << " rows and columns";
  for (size_t dim = 0; dim + 1 < rank; ++dim) {
    bool identity = op.getLow()[dim] == 0 && op.getHigh()[dim] == 0;
    tables.push_back(identity ? Value() : makeDimTable(dim));
  }
  bool repeats = op.getMode() != graph::PadMode::Constant;
  if (repeats)
    inner = makeDimTable(rank - 1);
  Type type = b.registerType(element);
  value = op.getValue() && !repeats ? b.load(move.input(1), type, element)
                                    : b.constantOf(type, 0);
  RowTiles tiles(product(move.resultType().getShape().drop_back()),
                 out(rank - 1));
  tiles.forRows(b, [&](Value number) { row(number); });
  return tiles.tiles;
}

FailureOr<int64_t> codegen::emitPad(Move &move) { return Padder(move).run(); }

//===-- gather ------------------------------------------------------------===//

FailureOr<int64_t> codegen::emitGather(Move &move) {
  KernelBuilder &b = move.b;
  int64_t axis = cast<graph::GatherOp>(move.op).getAxis();
  memory::BufferType input = move.inputType(0), index = move.inputType(1);
  memory::BufferType result = move.resultType();
  size_t indexRank = index.getShape().size();
  Type element = result.getElementType();
  CopyBox box(input.getShape().drop_front(axis + 1),
              input.getStrides().drop_front(axis + 1),
              result.getStrides().drop_front(axis + indexRank));
  ArrayRef<int64_t> outer = result.getShape().take_front(axis + indexRank);
  RowTiles tiles(product(outer), product(result.getShape()) /
                                     std::max<int64_t>(1, product(outer)));
  tiles.forRows(b, [&](Value row) {
    Values place = b.delinearize(row, outer);
    ValueRange all(place);
    ValueRange before = all.take_front(axis), at = all.drop_front(axis);
    Value entry = b.at(move.input(1), dot(b, at, index.getStrides()),
                       index.getElementType());
    Value chosen =
        loadIndex(b, entry, index.getElementType(), input.getShape()[axis]);
    Value from = b.add(dot(b, before, input.getStrides()),
                       b.mul(chosen, input.getStrides()[axis]));
    Value to = dot(b, all, result.getStrides());
    box.copy(b, b.at(move.input(0), from, element),
             b.at(move.result(), to, element), element);
  });
  return tiles.tiles;
}

FailureOr<int64_t> codegen::emitGatherElements(Move &move) {
  KernelBuilder &b = move.b;
  int64_t axis = cast<graph::GatherElementsOp>(move.op).getAxis();
  memory::BufferType input = move.inputType(0), index = move.inputType(1);
  memory::BufferType result = move.resultType();
  Type element = result.getElementType();
  size_t rank = result.getShape().size();
  RowTiles tiles(product(result.getShape().drop_back()),
                 result.getShape().back());
  tiles.forRows(b, [&](Value row) {
    Values place = b.delinearize(row, result.getShape().drop_back());
    place.push_back(Value());
    b.loop(b.index(0), b.index(result.getShape().back()), 1, [&](Value i) {
      place[rank - 1] = i;
      Value entry = b.at(move.input(1), dot(b, place, index.getStrides()),
                         index.getElementType());
      Values source = place;
      source[axis] =
          loadIndex(b, entry, index.getElementType(), input.getShape()[axis]);
      Value x = b.load(
          b.at(move.input(0), dot(b, source, input.getStrides()), element),
          b.registerType(element), element);
      b.store(x,
              b.at(move.result(), dot(b, place, result.getStrides()), element),
              element);
    });
  });
  return tiles.tiles;
}

//===-- iota --------------------------------------------------------------===//

FailureOr<int64_t> codegen::emitIota(Move &move) {
  KernelBuilder &b = move.b;
  auto op = cast<graph::IotaOp>(move.op);
  memory::BufferType result = move.resultType();
  Type element = result.getElementType();
  Type f64 = b.builder().getF64Type();
  RowTiles tiles(product(result.getShape()), 1);
  tiles.forRows(b, [&](Value row) {
    Values place = b.delinearize(row, result.getShape());
    Value at = place.empty() ? b.index(0) : place[op.getAxis()];
    Value position = arith::SIToFPOp::create(b.builder(), b.loc(), f64, at);
    Value step = b.constantOf(f64, op.getStep().convertToDouble());
    Value value = b.fma(position, step,
                        b.constantOf(f64, op.getStart().convertToDouble()));
    value = emitCast(b, value, f64, element);
    b.store(value,
            b.at(move.result(), dot(b, place, result.getStrides()), element),
            element);
  });
  return tiles.tiles;
}
