//===- OperandTile.cpp - operands of a product in shared memory -----------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "passes/CodegenGpu/Contraction/OperandTile.h"

using namespace mlir;
using namespace tenon;
using namespace tenon::gpu;

OperandTile::OperandTile(ThreadBuilder &t, const OperandLayout &layout,
                         int64_t count, int64_t threads, bool isEarly)
    : t(t), layout(layout), count(count), threads(threads),
      elementBytes(layout.elementBytes()), block(128 / elementBytes),
      elements(layout.copyElements()), alongK(layout.isAlongK()),
      isEarly(isEarly) {}

int64_t OperandTile::bytes() const {
  return tile::stageBytes({.elementBytes = elementBytes}, count, alongK);
}

//===-- Copying -----------------------------------------------------------===//

/// Bytes into a stage.
Value OperandTile::sharedOffset(Value row, Value column) {
  if (!alongK) {
    int64_t pitch = bytes() / block;
    return t.add(t.mul(column, pitch), t.mul(row, elementBytes));
  }
  Value inRow = t.mul(column, elementBytes);
  Value chunk = t.bitXor(t.div(inRow, 16), t.bitAnd(row, 7));
  return t.add(t.add(t.mul(row, 128), t.mul(chunk, 16)), t.rem(inRow, 16));
}

OperandTile::Slot OperandTile::slotOf(Value number, Value firstRow) {
  int64_t across = (alongK ? block : count) / elements;
  Value along = t.mul(t.rem(number, across), elements);
  Value other = t.div(number, across);
  Value inTile = alongK ? other : along;
  Slot slot;
  slot.column = alongK ? along : other;
  slot.to = sharedOffset(inTile, slot.column);
  Value row = t.add(firstRow, inTile);
  int64_t rows = layout.rowCount();
  if (rows % count != 0)
    slot.exists = t.less(row, rows);
  auto extents = llvm::map_to_vector(
      layout.rows, [](const OperandDim &dim) { return dim.extent; });
  Values index = t.delinearize(row, extents);
  slot.offset = t.number(layout.offset);
  for (auto [at, dim] : llvm::zip_equal(index, layout.rows))
    slot.offset = t.add(slot.offset, t.mul(at, dim.stride));
  for (const WindowBounds &window : layout.windows)
    slot.starts.push_back(
        t.add(t.mul(index[window.rowDim], window.stride), -window.pad));
  return slot;
}

void OperandTile::begin(Value start, Value firstRow, Value thread) {
  base = start;
  slots.clear();
  int64_t all = count * block / elements;
  for (int64_t first = 0; first < all; first += threads)
    slots.push_back(slotOf(t.add(thread, first), firstRow));
}

/// Two bytes are less than an asynchronous copy moves.
void OperandTile::copyElement(Value to, Value from, Value exists) {
  Type type = t.builder().getIntegerType(unsigned(elementBytes * 8));
  Value loaded = isEarly ? t.loadConstant(from, type, elementBytes)
                         : t.load(from, type, elementBytes);
  if (exists) {
    Value zero = LLVM::ConstantOp::create(t.builder(), t.loc(), type,
                                          t.builder().getIntegerAttr(type, 0));
    loaded = t.choose(exists, loaded, zero);
  }
  t.store(loaded, to, elementBytes);
}

void OperandTile::copySlot(const Slot &slot, Value number, Value to,
                           bool mayExceed) {
  Value k = t.add(t.mul(number, block), slot.column);
  Value exists = slot.exists;
  int64_t steps = layout.kCount();
  if (mayExceed || steps % block != 0)
    exists = t.both(exists, t.less(k, steps));
  auto extents = llvm::map_to_vector(
      layout.k, [](const OperandDim &dim) { return dim.extent; });
  Values index = t.delinearize(k, extents);
  Value offset = slot.offset;
  for (auto [at, dim] : llvm::zip_equal(index, layout.k))
    offset = t.add(offset, t.mul(at, dim.stride));
  for (auto [start, window] : llvm::zip_equal(slot.starts, layout.windows)) {
    Value at = t.add(start, t.mul(index[window.kDim], window.dilation));
    exists = t.both(exists, t.inside(at, window.input));
  }
  // The address of what is not there may be any: it must not be touched.
  if (exists)
    offset = t.choose(exists, offset, t.number(0));
  Value from = t.element(base, offset, elementBytes);
  Value target = t.at(to, slot.to);
  int64_t bytes = elements * elementBytes;
  if (bytes < 4)
    return copyElement(target, from, exists);
  Value live =
      exists ? t.choose(exists, t.number(bytes), t.number(0)) : Value();
  t.copyAsync(target, from, bytes, live);
}

void OperandTile::copy(Value number, Value to, bool mayExceed) {
  for (const Slot &slot : slots)
    copySlot(slot, number, to, mayExceed);
}

//===-- Reading -----------------------------------------------------------===//

OperandTile::Reader OperandTile::readerOf(Value firstRow, Value lane,
                                          bool isLhs) {
  Reader reader;
  reader.row0 = firstRow;
  reader.lane = lane;
  reader.quad = t.div(lane, 4);
  reader.inQuad = t.rem(lane, 4);
  // Matrices of A are two blocks of rows, then the same further along k; of B
  // two along k, then the same of the next columns.
  Value inMatrix = t.rem(lane, 8);
  Value second = isLhs ? t.rem(t.div(lane, 8), 2) : t.div(lane, 16);
  reader.row = t.add(firstRow, t.add(inMatrix, t.mul(second, 8)));
  return reader;
}

OperandTile::Reader OperandTile::turned(Reader reader) {
  auto turn = [&](Value inEight) {
    return t.add(t.div(inEight, 2), t.mul(t.rem(inEight, 2), 4));
  };
  Value inEight = t.rem(reader.lane, 8);
  reader.row = t.add(t.sub(reader.row, inEight), turn(inEight));
  reader.quad = turn(reader.quad);
  return reader;
}

Value OperandTile::readWord(Value stage, Value row, Value column) {
  return t.load(t.at(stage, sharedOffset(row, column)),
                t.builder().getI32Type(), 4);
}

Values OperandTile::read(const Reader &reader, Value stage, int64_t first,
                         int64_t step, bool isLhs) {
  int64_t perStep = 32 / elementBytes;
  // Which of the four matrices is further along k.
  Value further =
      isLhs ? t.div(reader.lane, 16) : t.rem(t.div(reader.lane, 8), 2);
  if (alongK) {
    Value column = t.add(t.mul(further, perStep / 2), step * perStep);
    Value offset = sharedOffset(reader.row, column);
    return t.loadMatrices(t.at(stage, t.add(offset, first * 128)), false);
  }
  Value row0 = t.add(reader.row0, first);
  if (elementBytes == 2) {
    Value second =
        isLhs ? t.rem(t.div(reader.lane, 8), 2) : t.div(reader.lane, 16);
    Value column =
        t.add(t.add(t.mul(further, 8), t.rem(reader.lane, 8)), step * perStep);
    Value offset = sharedOffset(t.add(row0, t.mul(second, 8)), column);
    return t.loadMatrices(t.at(stage, offset), true);
  }
  Values words;
  for (int64_t i = 0; i < 4; ++i) {
    int64_t rows = (isLhs ? i % 2 : i / 2) * 8;
    int64_t steps = step * perStep + (isLhs ? i / 2 : i % 2) * 4;
    words.push_back(readWord(stage, t.add(t.add(row0, reader.quad), rows),
                             t.add(reader.inQuad, steps)));
  }
  return words;
}
