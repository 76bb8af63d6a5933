//===- Rows.cpp - source pixels on the stack ------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "passes/Codegen/Bodies/Epilogue.h"
#include "passes/CodegenCpu/Contraction/PackPanel.h"
#include "passes/CodegenCpu/ConvTranspose/Pixels.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;
using namespace tenon;
using namespace tenon::codegen;

int64_t PixelRows::index(int64_t depthShift, int64_t heightShift) const {
  int64_t depth = llvm::find(depthShifts, depthShift) - depthShifts.begin();
  int64_t height = llvm::find(heightShifts, heightShift) - heightShifts.begin();
  return depth * int64_t(heightShifts.size()) + height;
}

/// An index forced into [0, extent) where `valid` does not promise it.
static Value forceInside(KernelBuilder &b, Value index, Value valid,
                         int64_t extent) {
  return valid ? b.min(b.max(index, b.index(0)), b.index(extent - 1)) : index;
}

void PixelRows::fill(Move &move, const TransposedShape &shape,
                     const PixelSource &from, Value to) const {
  KernelBuilder &b = move.b;
  const TransposedAxis &depth = shape.depth(), &height = shape.height();
  Type element = movedType(b, move.resultType().getElementType());
  Value origin = b.add(b.mul(from.image, shape.inImageStride),
                       b.mul(from.channel, shape.inChannelStride));
  auto place = [&](const TransposedAxis &axis, Value q, int64_t shift,
                   Value &valid) {
    Value own = insideOf(b, q, shift, axis.count(), axis.in);
    valid = bothOf(b, valid, own);
    return b.mul(forceInside(b, b.add(q, shift), own, axis.in), axis.inStride);
  };
  for (int64_t depthShift : depthShifts)
    for (int64_t heightShift : heightShifts) {
      Value valid;
      Value offset = place(depth, from.depth, depthShift, valid);
      offset = b.add(offset, place(height, from.height, heightShift, valid));
      Value row = b.at(move.input(0), b.add(origin, offset), element);
      int64_t number = index(depthShift, heightShift);
      fillRow(move, shape, from, row, valid,
              b.at(to, number * channels * pitch, element));
    }
}

void PixelRows::fillRow(Move &move, const TransposedShape &shape,
                        const PixelSource &from, Value row, Value rowValid,
                        Value to) const {
  if (shape.width().inStride == 1)
    copyRows(move, shape, from, row, rowValid, to);
  else
    transposeRows(move, shape, from, row, rowValid, to);
}

/// Pixels lie beside each other: runs, cut where the image ends.
void PixelRows::copyRows(Move &move, const TransposedShape &shape,
                         const PixelSource &from, Value row, Value rowValid,
                         Value to) const {
  KernelBuilder &b = move.b;
  Type element = movedType(b, move.resultType().getElementType());
  Value extent = b.index(shape.width().in);
  Value start = b.add(from.column, firstShift);
  Value low = b.min(b.max(start, b.index(0)), extent);
  Value high = b.max(b.min(b.add(start, from.pixels), extent), low);
  if (rowValid)
    high = arith::SelectOp::create(b.builder(), b.loc(), rowValid, high, low);
  Value length = b.sub(high, low);
  b.loop(b.index(0), from.channels, 1, [&](Value c) {
    Value source =
        b.at(b.at(row, b.mul(c, shape.inChannelStride), element), low, element);
    Value target = b.at(to, b.mul(c, pitch), element);
    b.ifThen(
        b.equal(length, b.index(from.pixels)),
        [&] { copyRun(b, source, target, b.index(from.pixels), element); },
        [&] {
          fillRun(b, b.constantOf(element, 0), target, b.index(from.pixels),
                  element);
          copyRun(b, source, b.at(target, b.sub(low, start), element), length,
                  element);
        });
  });
}

/// Channels lie beside each other: squares are transposed in registers.
void PixelRows::transposeRows(Move &move, const TransposedShape &shape,
                              const PixelSource &from, Value row,
                              Value rowValid, Value to) const {
  KernelBuilder &b = move.b;
  const TransposedAxis &width = shape.width();
  Type element = movedType(b, move.resultType().getElementType());
  Type type = b.vectorType(element, lanes);
  auto pixel = [&](Value j, Value c, int64_t existing) {
    Value place = b.add(b.add(from.column, j), firstShift);
    Value own = b.inside(place, width.in);
    Value column = forceInside(b, place, own, width.in);
    Value offset =
        b.add(b.mul(column, width.inStride), b.mul(c, shape.inChannelStride));
    Value loaded = loadLanes(b, b.at(row, offset, element), type,
                             shape.inChannelStride, existing, element);
    return arith::SelectOp::create(b.builder(), b.loc(),
                                   bothOf(b, rowValid, own), loaded,
                                   b.constantOf(type, 0))
        .getResult();
  };
  auto square = [&](Value j, int64_t pixels, Value c, int64_t existing) {
    Values lines(lanes, b.constantOf(type, 0));
    for (int64_t i = 0; i < pixels; ++i)
      lines[i] = pixel(b.add(j, i), c, existing);
    transposeSquare(b, lines);
    for (int64_t i = 0; i < existing; ++i)
      b.store(lines[i], b.at(to, b.add(b.mul(b.add(c, i), pitch), j), element),
              element);
  };
  auto columns = [&](Value c, int64_t existing) {
    int64_t whole = from.pixels / lanes * lanes;
    b.loop(b.index(0), b.index(whole), lanes,
           [&](Value j) { square(j, lanes, c, existing); });
    if (whole < from.pixels)
      square(b.index(whole), from.pixels - whole, c, existing);
  };
  // Only the last channels can be fewer than a square's.
  Value whole = b.mul(b.div(from.channels, lanes), lanes);
  b.loop(b.index(0), whole, lanes, [&](Value c) { columns(c, lanes); });
  if (int64_t rest = shape.inEach() % lanes)
    b.ifThen(b.less(whole, from.channels), [&] { columns(whole, rest); });
}
