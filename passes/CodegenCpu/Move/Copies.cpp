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
    if (group.isInPlace(i))
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

namespace {
/// Pads row by row, the innermost dimension as border, copy, border.
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
  bool isConstant() { return op.getMode() == graph::PadMode::Constant; }
  bool isPadded(size_t dim) { return op.getLow()[dim] || op.getHigh()[dim]; }
  Value sourceOf(size_t dim, Value position);
  void row(Value number);
  void insideRow(Value from, Value to);
  void border(Value from, Value to, int64_t first, int64_t last);

  Move &move;
  KernelBuilder &b;
  graph::PadOp op;
  Type element;
  size_t rank;
  Value value; ///< of constant borders
};
} // namespace

/// What lies at a position of the result. In a constant border it is outside.
Value Padder::sourceOf(size_t dim, Value position) {
  int64_t extent = in(dim), low = op.getLow()[dim];
  Value source = b.add(position, -low);
  // Not negative, whatever the border's width.
  auto wrapped = [&](int64_t period) {
    int64_t periods = tile::ceilDiv(std::max<int64_t>(low, 0), period);
    return b.rem(b.add(source, periods * period), period);
  };
  switch (op.getMode()) {
  case graph::PadMode::Constant:
    return source;
  case graph::PadMode::Edge:
    return b.min(b.max(source, b.index(0)), b.index(extent - 1));
  case graph::PadMode::Wrap:
    return wrapped(extent);
  case graph::PadMode::Reflect:
    break;
  }
  if (extent == 1)
    return b.index(0);
  int64_t period = 2 * (extent - 1);
  Value place = wrapped(period);
  return b.min(place, b.sub(b.index(period), place));
}

void Padder::border(Value from, Value to, int64_t first, int64_t last) {
  if (first >= last)
    return;
  if (isConstant())
    return fillRun(b, value, b.at(to, first, element), b.index(last - first),
                   element);
  int64_t step = move.inputType(0).getStrides().back();
  b.loop(b.index(first), b.index(last), 1, [&](Value i) {
    Value source = b.mul(sourceOf(rank - 1, i), step);
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
    Value source = isPadded(dim) ? sourceOf(dim, index[dim]) : index[dim];
    from = b.add(from, b.mul(source, move.inputType(0).getStrides()[dim]));
    if (isPadded(dim) && isConstant())
      isInside = arith::AndIOp::create(b.builder(), b.loc(), isInside,
                                       b.inside(source, in(dim)));
  }
  b.ifThen(
      isInside, [&] { insideRow(b.at(move.input(0), from, element), to); },
      [&] { fillRun(b, value, to, b.index(out(rank - 1)), element); });
}

FailureOr<int64_t> Padder::run() {
  if (rank == 0 || move.resultType().getStrides().back() != 1)
    return op.emitError() << "'graph.pad' needs a contiguous result";
  Type type = b.registerType(element);
  value = op.getValue() && isConstant() ? b.load(move.input(1), type, element)
                                        : b.constantOf(type, 0);
  RowTiles tiles(product(move.resultType().getShape().drop_back()),
                 out(rank - 1));
  tiles.forRows(b, [&](Value number) { row(number); });
  return tiles.tiles;
}

FailureOr<int64_t> codegen::emitPad(Move &move) { return Padder(move).run(); }

//===-- gather ------------------------------------------------------------===//

namespace {
/// The rows that a gather takes: what one is and where it lies.
struct GatheredRows {
  SmallVector<int64_t> extents, from, to; ///< of a row
  int64_t stride;                         ///< from row to row
  std::optional<TablePanels> panels;

  explicit GatheredRows(Move &move);
  Value offset(KernelBuilder &b, Value row) const;
};
} // namespace

GatheredRows::GatheredRows(Move &move)
    : panels(panelsOfTable(cast<kernel::GroupOp>(move.op->getParentOp()))) {
  memory::BufferType input = move.inputType(0);
  int64_t axis = cast<graph::GatherOp>(move.op).getAxis();
  size_t outer = axis + move.inputType(1).getShape().size();
  llvm::append_range(extents, input.getShape().drop_front(axis + 1));
  llvm::append_range(from, input.getStrides().drop_front(axis + 1));
  llvm::append_range(to, move.resultType().getStrides().drop_front(outer));
  stride = input.getStrides()[axis];
  if (!panels)
    return;
  // Of a panel, a row has `fold` neighbours for each step.
  extents.back() = panels->fold;
  to = {to.back() * panels->fold, to.back()};
}

Value GatheredRows::offset(KernelBuilder &b, Value row) const {
  if (!panels)
    return b.mul(row, stride);
  return b.add(b.mul(b.div(row, panels->rows), stride),
               b.mul(b.rem(row, panels->rows), panels->fold));
}

FailureOr<int64_t> codegen::emitGather(Move &move) {
  KernelBuilder &b = move.b;
  auto op = cast<graph::GatherOp>(move.op);
  int64_t axis = op.getAxis();
  memory::BufferType input = move.inputType(0), index = move.inputType(1);
  memory::BufferType result = move.resultType();
  size_t indexRank = index.getShape().size();
  Type element = result.getElementType();
  GatheredRows rows(move);
  CopyBox box(rows.extents, rows.from, rows.to);
  ArrayRef<int64_t> outer = result.getShape().take_front(axis + indexRank);
  RowTiles tiles(product(outer), product(result.getShape()) /
                                     std::max<int64_t>(1, product(outer)));
  tiles.forRows(b, [&](Value row) {
    Values place = b.delinearize(row, outer);
    ValueRange all(place);
    ValueRange before = all.take_front(axis), at = all.drop_front(axis);
    Value entry = b.at(move.input(1), dot(b, at, index.getStrides()),
                       index.getElementType());
    Value chosen = loadIndex(move, entry, index.getElementType(),
                             op.getInput().getType().getDimSize(axis));
    Value from =
        b.add(dot(b, before, input.getStrides()), rows.offset(b, chosen));
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
      source[axis] = loadIndex(move, entry, index.getElementType(),
                               input.getShape()[axis]);
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
