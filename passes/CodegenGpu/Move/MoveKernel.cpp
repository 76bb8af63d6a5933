//===- MoveKernel.cpp - copies, a vector a thread -------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "passes/CodegenGpu/Move/MoveKernel.h"

#include "dialects/Graph/Size.h"
#include "lib/Tile/Rows.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "passes/Codegen/Groups/MoveGroup.h"
#include "passes/Codegen/Programs/Kernels.h"
#include "passes/CodegenGpu/Rows/ThreadNest.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace tenon;
using namespace tenon::gpu;
using memory::BufferType;

MoveKernel::MoveKernel(const StageRequest &request, const codegen::Move &move,
                       const MovePlan &plan)
    : request(request), kernel(request.b), t(kernel.builder(), kernel.loc()),
      move(move), plan(plan),
      elementBytes(graph::elementBytes(move.resultType().getElementType())) {}

//===-- Vectors -----------------------------------------------------------===//

void MoveKernel::part(const MoveBox &box,
                      function_ref<void(Values, int64_t)> body) {
  int64_t lanes = box.lanes(elementBytes);
  int64_t vectors = box.elements() / lanes;
  if (vectors == 0)
    return;
  int64_t count = tile::ceilDiv(vectors, plan.threads);
  Value block = t.add(t.block(), -blocks);
  Value isHere = t.inside(block, count);
  Value number = t.add(t.mul(block, plan.threads), t.thread(plan.threads));
  if (vectors % plan.threads != 0)
    isHere = t.both(isHere, t.less(number, vectors));
  SmallVector<int64_t> extents(box.extents);
  if (!extents.empty())
    extents.back() /= lanes;
  blocks += count;
  t.ifThen(isHere, [&] {
    Values index = t.delinearize(number, extents);
    if (!index.empty())
      index.back() = t.mul(index.back(), lanes);
    body(std::move(index), lanes);
  });
}

BoxSide MoveKernel::sideOf(unsigned tensor) const {
  BufferType type = move.types[tensor];
  BoxSide side;
  side.strides.assign(type.getStrides().begin(), type.getStrides().end());
  side.offset = type.getOffset();
  side.aligned = tenon::gpu::alignmentOf(request.group, move.buffers[tensor]);
  return side;
}

/// Of a storage, where its first element is; offsets are elements'.
Value MoveKernel::pointerTo(unsigned tensor, Value element) {
  return t.element(kernel.buffer(move.buffers[tensor]), element, elementBytes);
}

Value MoveKernel::load(unsigned tensor, Value element, int64_t lanes) {
  int64_t bytes = lanes * elementBytes;
  Type type = typeOfBytes(t.builder().getContext(), bytes, elementBytes);
  return t.load(pointerTo(tensor, element), type, bytes);
}

void MoveKernel::store(Value value, Value element, int64_t lanes) {
  t.store(value, pointerTo(resultNumber(), element), lanes * elementBytes);
}

//===-- Boxes -------------------------------------------------------------===//

/// The second side is that of the results.
void MoveKernel::copyBox(unsigned from, const MoveBox &box) {
  part(box, [&](Values index, int64_t lanes) {
    auto placeIn = [&](const BoxSide &side) {
      return placeOf(t, index, side.strides, t.number(side.offset));
    };
    store(load(from, placeIn(box.sides[0]), lanes), placeIn(box.sides[1]),
          lanes);
  });
}

void MoveKernel::concat(graph::ConcatOp op) {
  auto group = cast<kernel::GroupOp>(op->getParentOp());
  BoxSide result = sideOf(resultNumber());
  auto axis = size_t(op.getAxis());
  for (unsigned i = 0; i < op->getNumOperands(); ++i) {
    SmallVector<int64_t> shape(move.types[i].getShape());
    MoveBox box{shape, {sideOf(i), result}};
    result.offset += shape[axis] * result.strides[axis];
    box.collapse();
    // What is there already needs no copy.
    if (!group.isInPlace(i))
      copyBox(i, box);
  }
}

/// Both are dense.
void MoveKernel::reshape() {
  BoxSide from = sideOf(0), to = sideOf(1);
  from.strides = to.strides = {1};
  copyBox(0, {{move.types[1].getTensor().getNumElements()}, {from, to}});
}

//===-- Gathering ---------------------------------------------------------===//

/// The place that an index tells, inside of the extent.
Value MoveKernel::chosen(Value place, int64_t extent) {
  Type type = move.inputType(1).getElementType();
  Value pointer = t.element(kernel.buffer(move.buffers[1]), place,
                            graph::elementBytes(type));
  Value wide = codegen::loadIndex(move, pointer, type, extent);
  return arith::TruncIOp::create(t.builder(), t.loc(), t.builder().getI32Type(),
                                 wide);
}

namespace {
/// The part of a gather that one index chooses.
struct GatheredRow {
  SmallVector<int64_t> extents, from, to;
  /// From row to row of the table, of which so many lie between each other's
  /// steps.
  int64_t step, rows = 1, fold = 1;
};
} // namespace

/// A table may lie as a product packs it: see TablePanels.
static GatheredRow rowOf(kernel::GroupOp group, size_t axis, BufferType table,
                         ArrayRef<int64_t> result) {
  GatheredRow row;
  ArrayRef<int64_t> shape = table.getShape(), strides = table.getStrides();
  row.extents.assign(shape.begin() + axis + 1, shape.end());
  row.from.assign(strides.begin() + axis + 1, strides.end());
  row.to.assign(result.begin(), result.end());
  row.step = strides[axis];
  std::optional<codegen::TablePanels> panels = codegen::panelsOfTable(group);
  if (!panels)
    return row;
  row.rows = panels->rows;
  row.fold = panels->fold;
  row.extents.back() = row.fold;
  row.to = {row.to.back() * row.fold, row.to.back()};
  return row;
}

/// The largest power of two in it.
static int64_t powerIn(int64_t number) { return number & -number; }

/// A result's index is one before the axis, one of the indices, one of a row.
void MoveKernel::gather(graph::GatherOp op) {
  auto axis = size_t(op.getAxis());
  BoxSide table = sideOf(0), places = sideOf(1), result = sideOf(2);
  size_t outer = axis + places.strides.size();
  GatheredRow row = rowOf(request.group, axis, move.types[0],
                          ArrayRef(result.strides).drop_front(outer));
  MoveBox box{
      SmallVector<int64_t>(move.resultType().getShape().take_front(outer)),
      {table, result}};
  box.sides[0].strides.resize(axis);
  box.sides[0].strides.append(places.strides.size(), 0);
  box.sides[1].strides.resize(outer);
  box.extents.append(row.extents);
  box.sides[0].strides.append(row.from);
  box.sides[1].strides.append(row.to);
  // Vectors are aligned whichever row is chosen.
  for (int64_t step : {row.step, row.rows > 1 ? row.fold : row.step})
    if (step != 0)
      box.sides[0].aligned =
          std::min(box.sides[0].aligned, powerIn(step * elementBytes));
  box.collapse(outer);
  int64_t extent =
      cast<RankedTensorType>(op.getInput().getType()).getShape()[axis];
  part(box, [&](Values index, int64_t lanes) {
    ValueRange at = ValueRange(index).slice(axis, outer - axis);
    Value number =
        chosen(placeOf(t, at, places.strides, t.number(places.offset)), extent);
    Value from =
        t.add(t.number(table.offset), t.mul(t.div(number, row.rows), row.step));
    from = t.add(from, t.mul(t.rem(number, row.rows), row.fold));
    from = placeOf(t, index, box.sides[0].strides, from);
    Value to = placeOf(t, index, box.sides[1].strides, t.number(result.offset));
    store(load(0, from, lanes), to, lanes);
  });
}

/// Each result has an index of its own.
void MoveKernel::gatherElements(graph::GatherElementsOp op) {
  auto axis = size_t(op.getAxis());
  BoxSide table = sideOf(0), places = sideOf(1), result = sideOf(2);
  MoveBox box{SmallVector<int64_t>(move.resultType().getShape()), {result}};
  box.most = 1;
  int64_t extent = move.inputType(0).getShape()[axis];
  part(box, [&](Values index, int64_t lanes) {
    Value at = placeOf(t, index, places.strides, t.number(places.offset));
    Value to = placeOf(t, index, result.strides, t.number(result.offset));
    index[axis] = chosen(at, extent);
    Value from = placeOf(t, index, table.strides, t.number(table.offset));
    store(load(0, from, lanes), to, lanes);
  });
}

//===-- Padding -----------------------------------------------------------===//

/// `source` in [0, period), counted from the first element.
static Value wrapped(ThreadBuilder &t, Value source, int64_t low,
                     int64_t period) {
  int64_t periods = tile::ceilDiv(std::max<int64_t>(low, 0), period);
  return t.rem(t.add(source, periods * period), period);
}

/// What lies there along a dimension; outside of a constant border `inside`
/// does not hold.
Value MoveKernel::padSource(graph::PadOp op, size_t dim, Value at,
                            Value &inside) {
  int64_t low = op.getLow()[dim], extent = move.inputType(0).getShape()[dim];
  if (low == 0 && op.getHigh()[dim] == 0)
    return at;
  Value source = t.add(at, -low);
  switch (op.getMode()) {
  case graph::PadMode::Constant:
    inside = t.both(inside, t.inside(source, extent));
    return source;
  case graph::PadMode::Edge:
    source =
        t.builder().createOrFold<arith::MaxSIOp>(t.loc(), source, t.number(0));
    return t.min(source, extent - 1);
  case graph::PadMode::Wrap:
    return wrapped(t, source, low, extent);
  case graph::PadMode::Reflect:
    break;
  }
  if (extent == 1)
    return t.number(0);
  int64_t period = 2 * (extent - 1);
  Value place = wrapped(t, source, low, period);
  return t.min(place, t.sub(t.number(period), place));
}

/// The value of a constant border in all elements of a vector.
Value MoveKernel::padValue(graph::PadOp op, int64_t lanes) {
  OpBuilder &b = t.builder();
  Type type = typeOfBytes(b.getContext(), lanes * elementBytes, elementBytes);
  if (!op.getValue())
    return LLVM::ZeroOp::create(b, t.loc(), type);
  auto element = IntegerType::get(b.getContext(), unsigned(elementBytes * 8));
  Value value = t.load(pointerTo(1, t.number(move.types[1].getOffset())),
                       element, elementBytes);
  Type word = getElementTypeOrSelf(type);
  if (word != element) {
    unsigned bits = word.getIntOrFloatBitWidth();
    APInt ones = APInt::getSplat(bits, APInt(element.getWidth(), 1));
    value = arith::ExtUIOp::create(b, t.loc(), word, value);
    Value factor =
        arith::ConstantOp::create(b, t.loc(), b.getIntegerAttr(word, ones));
    value = arith::MulIOp::create(b, t.loc(), value, factor);
  }
  return isa<VectorType>(type)
             ? vector::BroadcastOp::create(b, t.loc(), type, value).getResult()
             : value;
}

/// Vectors of a constant border are wholly inside or outside.
void MoveKernel::pad(graph::PadOp op) {
  BoxSide input = sideOf(0), result = sideOf(resultNumber());
  MoveBox box{SmallVector<int64_t>(move.resultType().getShape()),
              {input, result}};
  bool isConstant = op.getMode() == graph::PadMode::Constant;
  size_t last = box.extents.size() - 1;
  if (!box.extents.empty() && (op.getLow()[last] || op.getHigh()[last])) {
    box.most = 1;
    int64_t edges = op.getLow()[last] | move.inputType(0).getShape()[last];
    if (isConstant)
      box.most = powerIn(edges);
  }
  part(box, [&](Values index, int64_t lanes) {
    Value to = placeOf(t, index, result.strides, t.number(result.offset));
    Value inside;
    for (auto [dim, at] : llvm::enumerate(index))
      at = padSource(op, dim, at, inside);
    Value from = placeOf(t, index, input.strides, t.number(input.offset));
    // The address of what is not there may be any: it must not be touched.
    if (inside)
      from = t.choose(inside, from, t.number(input.offset));
    Value value = load(0, from, lanes);
    if (inside)
      value = t.choose(inside, value, padValue(op, lanes));
    store(value, to, lanes);
  });
}

//===-- All of it ---------------------------------------------------------===//

StageInfo MoveKernel::emit() {
  if (targetOf(request.device).programmatic)
    t.waitForGrids();
  llvm::TypeSwitch<Operation *>(move.op)
      .Case([&](graph::ConcatOp op) { concat(op); })
      .Case([&](graph::PadOp op) { pad(op); })
      .Case([&](graph::GatherOp op) { gather(op); })
      .Case([&](graph::GatherElementsOp op) { gatherElements(op); })
      .Default([&](Operation *) { reshape(); });
  StageInfo device =
      launchOf(request, std::max<int64_t>(1, blocks), plan.threads, 0);
  ArrayRef<int64_t> scratch = codegen::scratchOf(request.group);
  device.scratch.assign(scratch.begin(), scratch.end());
  return device;
}
