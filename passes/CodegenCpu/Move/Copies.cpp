//===- Copies.cpp - concatenation, padding, gathering ---------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "dialects/Graph/Graph.h"
#include "passes/Codegen/Builder/ElementwiseOps.h"
#include "passes/Codegen/Planning.h"
#include "passes/CodegenCpu/Move/Ops.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;
using namespace tenon;
using namespace tenon::codegen;

//===-- concat, reshape ---------------------------------------------------===//

FailureOr<Size> codegen::emitConcat(Move &move) {
  KernelBuilder &b = move.b;
  auto op = cast<graph::ConcatOp>(move.op);
  Type element = move.resultType().getElementType();
  Size stride = move.resultStrides()[op.getAxis()];
  auto group = cast<kernel::GroupOp>(op->getParentOp());
  std::vector<CopyBox> boxes;
  Size rows = 0, elements = 0;
  for (unsigned i = 0; i < op->getNumOperands(); ++i) {
    Sizes extents = move.inputShape(i);
    if (group.isInPlace(i))
      extents.front() = 0; // nothing is left to copy
    boxes.emplace_back(b, extents, move.inputStrides(i), move.resultStrides());
    rows += boxes.back().rows();
    elements += graph::productOf(extents);
  }
  auto tiles = RowTiles::ofAll(b, rows, elements);
  tiles.forTiles(b, [&](Value low, Value high) {
    Size first = 0, position = 0;
    for (auto [i, box] : llvm::enumerate(boxes)) {
      // The part of the tile that lies in this operand's rows.
      Value begin = b.max(b.sub(low, b.index(first)), b.index(0));
      Value end = b.min(b.sub(high, b.index(first)), b.index(box.rows()));
      Value to = b.at(move.result(), position * stride, element);
      b.loop(begin, end, 1, [&](Value row) {
        box.copyRow(b, move.input(i), to, row, element);
      });
      first += box.rows();
      position += move.inputShape(i)[op.getAxis()];
    }
  });
  return tiles.tiles;
}

FailureOr<Size> codegen::emitReshapeCopy(Move &move) {
  Type element = move.resultType().getElementType();
  auto isDense = [](const Sizes &shape, const Sizes &strides) {
    return graph::denseStrides(shape) == strides;
  };
  if (!isDense(move.inputShape(0), move.inputStrides(0)) ||
      !isDense(move.resultShape(), move.resultStrides()))
    return move.op->emitError() << "a reshape copies dense buffers only";
  CopyBox box(move.b, {graph::productOf(move.resultShape())}, {1}, {1});
  RowTiles tiles(move.b, box.rows(), box.rowElements());
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

  FailureOr<Size> run();

private:
  Size in(size_t dim) { return move.inputShape(0)[dim]; }
  Size out(size_t dim) { return move.resultShape()[dim]; }
  bool isConstant() { return op.getMode() == graph::PadMode::Constant; }
  bool isPadded(size_t dim) { return op.getLow()[dim] || op.getHigh()[dim]; }
  Size low(size_t dim) { return Size(op.lowDims()[dim]); }
  bool showsAll(size_t dim);
  Value wrapped(size_t dim, Value source, const Size &period);
  Value sourceOf(size_t dim, Value position);
  void row(Value number);
  void insideRow(Value from, Value to);
  void anyRow(Value from, Value to);
  void border(Value from, Value to, Value first, Value last);
  void border(Value from, Value to, const Size &first, const Size &last);

  Move &move;
  KernelBuilder &b;
  graph::PadOp op;
  Type element;
  size_t rank;
  Value value; ///< of constant borders
};
} // namespace

/// A position that is counted from the input's first element, in [0, period),
/// whatever the border's width.
Value Padder::wrapped(size_t dim, Value source, const Size &period) {
  Size before = low(dim);
  if (period.isFixed() && before.isFixed()) {
    int64_t periods =
        tile::ceilDiv(std::max<int64_t>(before.fixed(), 0), period.fixed());
    return b.rem(b.add(source, periods * period.fixed()), period.fixed());
  }
  // Of one element, a reflection has the period 0.
  Value length = b.max(b.index(period), b.index(1));
  Value reach =
      b.add(b.max(b.index(before), b.index(0)), b.sub(length, b.index(1)));
  return b.rem(b.add(source, b.mul(b.div(reach, length), length)), length);
}

/// What lies at a position of the result. In a constant border it is outside.
Value Padder::sourceOf(size_t dim, Value position) {
  Size extent = in(dim);
  Value source = b.add(position, Size(0) - low(dim));
  switch (op.getMode()) {
  case graph::PadMode::Constant:
    return source;
  case graph::PadMode::Edge:
    return b.min(b.max(source, b.index(0)), b.index(extent - 1));
  case graph::PadMode::Wrap:
    return wrapped(dim, source, extent);
  case graph::PadMode::Reflect:
    break;
  }
  if (extent.is(1))
    return b.index(0);
  Size period = (extent - 1) * 2;
  Value place = wrapped(dim, source, period);
  return b.min(place, b.sub(b.index(period), place));
}

void Padder::border(Value from, Value to, const Size &first, const Size &last) {
  Size width = last - first;
  if (width.isFixed() && width.fixed() <= 0)
    return;
  if (isConstant())
    return fillRun(b, value, b.at(to, first, element), b.index(width), element);
  border(from, to, b.index(first), b.index(last));
}

void Padder::border(Value from, Value to, Value first, Value last) {
  if (isConstant())
    return fillRun(b, value, b.at(to, first, element), b.sub(last, first),
                   element);
  Size step = move.inputStrides(0).back();
  b.loop(first, last, 1, [&](Value i) {
    Value source = b.mul(sourceOf(rank - 1, i), step);
    Value x =
        b.load(b.at(from, source, element), b.registerType(element), element);
    b.store(x, b.at(to, i, element), element);
  });
}

/// What of the input a row shows: not all where a border is negative.
static std::pair<Size, Size> shownPart(int64_t low, const Size &in,
                                       const Size &out) {
  if (!in.isFixed() || !out.isFixed())
    return {low, in + low};
  int64_t extent = out.fixed();
  int64_t first = std::clamp<int64_t>(low, 0, extent);
  return {first, std::clamp<int64_t>(low + in.fixed(), first, extent)};
}

/// Whether each element of the input is in the result, or how many are is known
/// now.
bool Padder::showsAll(size_t dim) {
  if (in(dim).isFixed() && out(dim).isFixed() && low(dim).isFixed())
    return true;
  auto isBorder = [](const Size &width) {
    return width.isFixed() && width.fixed() >= 0;
  };
  return isBorder(low(dim)) && isBorder(Size(op.highDims()[dim]));
}

/// A row whose borders may be negative, of sizes that come with the call.
void Padder::anyRow(Value from, Value to) {
  Value before = b.index(low(rank - 1)), zero = b.index(0);
  Value extent = b.index(out(rank - 1));
  Value first = b.max(b.min(before, extent), zero);
  Value end = b.add(before, in(rank - 1));
  Value last = b.max(b.min(end, extent), first);
  border(from, to, zero, first);
  Value source = b.sub(first, before), length = b.sub(last, first);
  Size step = move.inputStrides(0).back();
  Value start = b.at(from, b.mul(source, step), element);
  if (step.is(1))
    copyRun(b, start, b.at(to, first, element), length, element);
  else
    b.loop(zero, length, 1, [&](Value i) {
      Value x = b.load(b.at(start, b.mul(i, step), element),
                       b.registerType(element), element);
      b.store(x, b.at(b.at(to, first, element), i, element), element);
    });
  border(from, to, last, extent);
}

void Padder::insideRow(Value from, Value to) {
  if (!showsAll(rank - 1))
    return anyRow(from, to);
  int64_t low = op.getLow().back();
  Size extent = out(rank - 1), step = move.inputStrides(0).back();
  auto [first, last] = shownPart(low, in(rank - 1), extent);
  border(from, to, 0, first);
  CopyBox box(b, {last - first}, {step}, {1});
  if (first != last)
    box.copy(b, b.at(from, (first - low) * step, element),
             b.at(to, first, element), element);
  border(from, to, last, extent);
}

void Padder::row(Value number) {
  Sizes strides = move.resultStrides(), outer = move.resultShape();
  outer.pop_back();
  Values index = b.delinearize(number, ArrayRef(outer));
  Value to = b.at(move.result(), dot(b, index, ArrayRef(strides)), element);
  Value isInside = b.constantInt(b.builder().getI1Type(), 1);
  Value from = b.index(0);
  for (size_t dim = 0; dim + 1 < rank; ++dim) {
    Value source = isPadded(dim) ? sourceOf(dim, index[dim]) : index[dim];
    from = b.add(from, b.mul(source, move.inputStrides(0)[dim]));
    if (isPadded(dim) && isConstant())
      isInside = arith::AndIOp::create(b.builder(), b.loc(), isInside,
                                       b.inside(source, in(dim)));
  }
  b.ifThen(
      isInside, [&] { insideRow(b.at(move.input(0), from, element), to); },
      [&] { fillRun(b, value, to, b.index(out(rank - 1)), element); });
}

FailureOr<Size> Padder::run() {
  if (rank == 0 || !move.resultStrides().back().is(1))
    return op.emitError() << "'graph.pad' needs a contiguous result";
  Type type = b.registerType(element);
  value = op.getValue() && isConstant() ? b.load(move.input(1), type, element)
                                        : b.constantOf(type, 0);
  Sizes shape = move.resultShape();
  RowTiles tiles(b, graph::productOf(ArrayRef(shape).drop_back()),
                 shape.back());
  tiles.forRows(b, [&](Value number) { row(number); });
  return tiles.tiles;
}

FailureOr<Size> codegen::emitPad(Move &move) { return Padder(move).run(); }

//===-- gather ------------------------------------------------------------===//

namespace {
/// The rows that a gather takes: what one is and where it lies.
struct GatheredRows {
  Sizes extents, from, to; ///< of a row
  Size stride;             ///< from row to row
  std::optional<TablePanels> panels;

  explicit GatheredRows(Move &move);
  Value offset(KernelBuilder &b, Value row) const;
};
} // namespace

GatheredRows::GatheredRows(Move &move)
    : panels(panelsOfTable(cast<kernel::GroupOp>(move.op->getParentOp()))) {
  int64_t axis = cast<graph::GatherOp>(move.op).getAxis();
  size_t outer = axis + move.inputType(1).getShape().size();
  Sizes strides = move.inputStrides(0);
  auto within = [](const Sizes &all, size_t from) {
    return Sizes(llvm::drop_begin(all, from));
  };
  extents = within(move.inputShape(0), axis + 1);
  from = within(strides, axis + 1);
  to = within(move.resultStrides(), outer);
  stride = strides[axis];
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

FailureOr<Size> codegen::emitGather(Move &move) {
  KernelBuilder &b = move.b;
  auto op = cast<graph::GatherOp>(move.op);
  int64_t axis = op.getAxis();
  Sizes input = move.inputStrides(0), index = move.inputStrides(1);
  Sizes result = move.resultStrides(), shape = move.resultShape();
  Type element = move.resultType().getElementType();
  Type indexType = move.inputType(1).getElementType();
  GatheredRows rows(move);
  CopyBox box(b, rows.extents, rows.from, rows.to);
  ArrayRef<Size> outer = ArrayRef(shape).take_front(axis + index.size());
  RowTiles tiles(b, graph::productOf(outer),
                 graph::productOf(ArrayRef(shape).drop_front(outer.size())));
  Size extent = graph::sizesOf(op.getInput().getType())[axis];
  tiles.forRows(b, [&](Value row) {
    Values place = b.delinearize(row, outer);
    ValueRange all(place);
    ValueRange before = all.take_front(axis), at = all.drop_front(axis);
    Value entry = b.at(move.input(1), dot(b, at, ArrayRef(index)), indexType);
    Value chosen = loadIndex(move, entry, indexType, extent);
    Value from = b.add(dot(b, before, ArrayRef(input)), rows.offset(b, chosen));
    Value to = dot(b, all, ArrayRef(result));
    box.copy(b, b.at(move.input(0), from, element),
             b.at(move.result(), to, element), element);
  });
  return tiles.tiles;
}

FailureOr<Size> codegen::emitGatherElements(Move &move) {
  KernelBuilder &b = move.b;
  int64_t axis = cast<graph::GatherElementsOp>(move.op).getAxis();
  Sizes input = move.inputStrides(0), index = move.inputStrides(1);
  Sizes result = move.resultStrides(), shape = move.resultShape();
  Type element = move.resultType().getElementType();
  Type indexType = move.inputType(1).getElementType();
  size_t rank = shape.size();
  Size extent = move.inputShape(0)[axis];
  ArrayRef<Size> outer = ArrayRef(shape).drop_back();
  RowTiles tiles(b, graph::productOf(outer), shape.back());
  tiles.forRows(b, [&](Value row) {
    Values place = b.delinearize(row, outer);
    place.push_back(Value());
    b.loop(b.index(0), b.index(shape.back()), 1, [&](Value i) {
      place[rank - 1] = i;
      Value entry =
          b.at(move.input(1), dot(b, place, ArrayRef(index)), indexType);
      Values source = place;
      source[axis] = loadIndex(move, entry, indexType, extent);
      Value x =
          b.load(b.at(move.input(0), dot(b, source, ArrayRef(input)), element),
                 b.registerType(element), element);
      b.store(x, b.at(move.result(), dot(b, place, ArrayRef(result)), element),
              element);
    });
  });
  return tiles.tiles;
}

//===-- iota --------------------------------------------------------------===//

FailureOr<Size> codegen::emitIota(Move &move) {
  KernelBuilder &b = move.b;
  auto op = cast<graph::IotaOp>(move.op);
  Sizes strides = move.resultStrides(), shape = move.resultShape();
  Type element = move.resultType().getElementType();
  Type f64 = b.builder().getF64Type();
  RowTiles tiles(b, graph::productOf(shape), 1);
  tiles.forRows(b, [&](Value row) {
    Values place = b.delinearize(row, ArrayRef(shape));
    Value at = place.empty() ? b.index(0) : place[op.getAxis()];
    Value position = arith::SIToFPOp::create(b.builder(), b.loc(), f64, at);
    Value step = b.constantOf(f64, op.getStep().convertToDouble());
    Value value = b.fma(position, step,
                        b.constantOf(f64, op.getStart().convertToDouble()));
    value = emitCast(b, value, f64, element);
    b.store(value,
            b.at(move.result(), dot(b, place, ArrayRef(strides)), element),
            element);
  });
  return tiles.tiles;
}

//===-- sizes -------------------------------------------------------------===//

FailureOr<Size> codegen::emitSizes(Move &move) {
  KernelBuilder &b = move.b;
  Sizes strides = move.resultStrides();
  SmallVector<int64_t> shape(move.resultType().getShape());
  Type element = move.resultType().getElementType();
  ArrayAttr dims = cast<graph::SizesOp>(move.op).getDims().getDims();
  b.forTiles([&](Value) {
    for (auto [i, dim] : llvm::enumerate(dims)) {
      Value number = b.index(Size(dim));
      if (!element.isInteger(64))
        number = arith::TruncIOp::create(b.builder(), b.loc(),
                                         b.registerType(element), number);
      Values place = b.delinearize(b.index(int64_t(i)), shape);
      Value to = b.at(move.result(), dot(b, place, ArrayRef(strides)), element);
      b.store(number, to, element);
    }
  });
  return Size(1);
}
