//===- Stencil.cpp - code of windows over images of one channel -----------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file walks groups of rows, and vectors along them. Where a window hangs
// over the left or right border, all positions are known, and so are the lanes
// that exist.
//===----------------------------------------------------------------------===//
#include "passes/CodegenCpu/Window/Stencil.h"

#include "dialects/Graph/Graph.h"
#include "lib/Tile/Rows.h"
#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;
using namespace tenon;
using namespace tenon::codegen;

StencilEmitter::StencilEmitter(const StageRequest &request, WindowNest given,
                               StencilPlan plan, Epilogue epilogue)
    : nest(std::move(given)), plan(plan),
      anchor(kernel::GroupOp(request.group).getAnchor()),
      output(std::move(epilogue), plan.height * plan.vectors), b(request.b),
      element(b.f32Type()), vector(b.vectorType(element, plan.lanes)),
      taps(b, nest, plan.lanes, element),
      rows(StencilRows::of(nest.dims[1], plan.height)),
      row(StencilRow::of(nest.dims[2], plan.lanes)) {
  auto argument = [&](unsigned i) {
    return cast<BlockArgument>(anchor->getOperand(i)).getArgNumber();
  };
  image = b.buffer(argument(0));
  if (isConv())
    filter = b.at(b.buffer(argument(1)), nest.filterOffset, element);
}

/// The tap that reads the input `at` behind a window's first one.
static std::optional<int64_t> tapAt(const WindowDim &dim, int64_t at) {
  if (at < 0 || at % dim.dilation || at / dim.dilation >= dim.kernel)
    return std::nullopt;
  return at / dim.dilation;
}

//===-- Rows --------------------------------------------------------------===//

FailureOr<StageInfo> StencilEmitter::emit() {
  StageInfo result;
  int64_t units = nest.planes().fixed() * rows.units();
  result.tiles = tile::launchTiles(units, tile::ceilDiv(units, plan.rows));
  Interval share = b.shareOfCall(units, result.tiles);
  b.loop(share.begin, share.end, 1, [&](Value number) {
    Values index = b.delinearize(number, {nest.planes(), Size(rows.units())});
    emitUnit(index[0], index[1]);
  });
  if (output.failed())
    return failure();
  return result;
}

void StencilEmitter::emitUnit(Value plane, Value unit) {
  auto group = [&] {
    Value number = b.sub(unit, b.index(rows.before));
    Value y = b.add(b.mul(number, rows.height), rows.before);
    emitRow(rowAt(plane, y, rows.height));
  };
  auto single = [&] {
    Value behind = b.add(unit, rows.groups * (rows.height - 1));
    Value y = b.choose(b.less(unit, b.index(rows.before)), unit, behind);
    Row row = rowAt(plane, y, 1);
    clip(row, y);
    emitRow(row);
  };
  if (rows.groups == 0)
    return single();
  if (rows.groups == rows.units())
    return group();
  Value last = b.index(rows.before + rows.groups - 1);
  Value nearest = b.min(b.max(unit, b.index(rows.before)), last);
  b.ifThen(b.equal(unit, nearest), group, single);
}

StencilEmitter::Row StencilEmitter::rowAt(Value plane, Value y, int64_t count) {
  const WindowDim &height = nest.dims[1];
  Values index =
      b.delinearize(plane, ArrayRef<Size>{nest.images, nest.dims[0].output});
  Row row;
  row.count = count;
  Value first = b.sub(b.mul(y, height.stride), b.index(height.padBefore));
  Value offset = b.add(b.mul(index[0], nest.imagePitch), nest.inputOffset);
  offset = b.add(offset, b.mul(index[1], nest.dims[0].pitch));
  offset = b.add(offset, b.mul(first, height.pitch));
  row.input = b.at(image, offset, element);
  for (auto [t, tensor] : llvm::enumerate(output.tensors())) {
    Value base =
        b.add(b.index(tensor.offset), b.mul(index[0], nest.imageResult[t]));
    base = b.add(base, b.mul(index[1], nest.dims[0].result[t]));
    row.result.push_back(b.add(base, b.mul(y, height.result[t])));
  }
  row.counted = b.index(height.kernel);
  return row;
}

void StencilEmitter::clip(Row &row, Value y) {
  const WindowDim &height = nest.dims[1];
  Value position = b.sub(b.mul(y, height.stride), b.index(height.padBefore));
  Value room = b.sub(b.index(height.input), position);
  row.begin = b.index(0);
  if (height.padBefore > 0)
    row.begin = b.divUp(b.sub(b.index(0), position), height.dilation);
  row.end = b.min(b.index(height.kernel), b.divUp(room, height.dilation));
  row.counted = b.sub(row.end, row.begin);
  if (nest.countsPadding)
    row.counted = b.min(b.index(height.kernel),
                        b.divUp(b.add(room, height.padAfter), height.dilation));
}

void StencilEmitter::emitRow(const Row &rows) {
  auto border = [&](int64_t from, int64_t to) {
    for (int64_t at = from; at < to; at += plan.vectors)
      emitSpan(rows, {b.index(at), std::min(plan.vectors, to - at), at});
  };
  int64_t whole = (row.last - row.first) / plan.vectors * plan.vectors;
  border(0, row.first);
  b.loop(b.index(row.first), b.index(row.first + whole), plan.vectors,
         [&](Value x) { emitSpan(rows, {x, plan.vectors}); });
  border(row.first + whole, row.count);
}

void StencilEmitter::emitSpan(const Row &rows, Span span) {
  const WindowDim &width = nest.dims[2];
  Values sums = rows.begin ? ofOneRow(rows, span) : ofRows(rows, span);
  if (nest.kind == WindowKind::Average)
    average(rows, span, sums);
  EpilogueTile to;
  Value x = b.mul(span.x, plan.lanes);
  for (auto [base, stride] : llvm::zip_equal(rows.result, width.result))
    to.base.push_back(b.add(base, b.mul(x, stride)));
  to.height = rows.count;
  to.vectors = span.count;
  to.lanes = to.last = plan.lanes;
  if (span.at)
    to.last =
        std::min(plan.lanes, width.output.fixed() -
                                 (*span.at + span.count - 1) * plan.lanes);
  to.outer = nest.dims[1].result;
  to.column = width.result;
  output.store(b, to, sums);
}

//===-- Sums --------------------------------------------------------------===//

/// An input row enters one vector of the sums of all rows of results that read
/// it. What a pool reads of it is combined first.
void StencilEmitter::enter(Value line, Span span, int64_t vector,
                           ArrayRef<Use> uses) {
  const WindowDim &width = nest.dims[2];
  Value combined = taps.initial();
  for (int64_t k = 0; k < width.kernel; ++k) {
    Value value = input(line, span, vector, k);
    if (!isConv()) {
      combined = taps.combine(combined, value);
      continue;
    }
    for (const Use &use : uses)
      *use.sum = taps.combine(
          *use.sum, value,
          b.loadBroadcast(b.at(use.weights, k * width.tapPitch, element),
                          this->vector, element));
  }
  if (!isConv())
    for (const Use &use : uses)
      *use.sum = taps.combine(*use.sum, combined);
}

Value StencilEmitter::weightsOf(Value kernelRow) {
  if (!isConv())
    return {};
  return b.at(filter, b.mul(kernelRow, nest.dims[1].tapPitch), element);
}

Values StencilEmitter::ofRows(const Row &rows, Span span) {
  const WindowDim &height = nest.dims[1];
  Values sums(rows.count * span.count, taps.initial());
  for (int64_t v = 0; v < span.count; ++v)
    for (int64_t y : usedColumns(height, rows.count, height.kernel)) {
      SmallVector<Use> uses;
      for (int64_t r = 0; r < rows.count; ++r)
        if (auto tap = tapAt(height, y - r * height.stride))
          uses.push_back({&sums[r * span.count + v], weightsOf(b.index(*tap))});
      enter(b.at(rows.input, height.pitch * y, element), span, v, uses);
    }
  return sums;
}

/// Some kernel rows may not exist.
Values StencilEmitter::ofOneRow(const Row &rows, Span span) {
  const WindowDim &height = nest.dims[1];
  Values sums(span.count, taps.initial());
  auto body = [&](Value k, ValueRange before) {
    Values next(before);
    Value offset = b.mul(k, height.pitch * height.dilation);
    Value line = b.at(rows.input, offset, element), weights = weightsOf(k);
    for (auto [v, sum] : llvm::enumerate(next))
      enter(line, span, int64_t(v), Use{&sum, weights});
    return next;
  };
  return b.loop(rows.begin, rows.end, 1, sums, body);
}

//===-- Loads -------------------------------------------------------------===//

/// What tap `k` of a row reads for a vector of windows.
Value StencilEmitter::input(Value line, Span span, int64_t vector, int64_t k) {
  const WindowDim &width = nest.dims[2];
  int64_t shift = k * width.dilation - width.padBefore;
  if (isAtBorder(span, vector)) {
    int64_t x = (*span.at + vector) * plan.lanes;
    return atBorder(line, x * width.stride + shift, width.stride);
  }
  Value x = b.mul(b.add(span.x, vector), plan.lanes * width.stride);
  return b.loadStrided(b.at(line, b.add(x, shift), element), this->vector,
                       width.stride, element);
}

/// Every `stride`-th pixel from `position` on; those that do not exist change
/// no sum.
Value StencilEmitter::atBorder(Value line, int64_t position, int64_t stride) {
  int64_t lanes = plan.lanes, last = (lanes - 1) * stride;
  Value result;
  for (int64_t start = 0, end = 0; end <= last; start += lanes) {
    Value piece = pieceAt(line, position + start);
    result = !result && stride == 1
                 ? piece
                 : b.permute(result ? result : piece, piece, lanes,
                             [&](int64_t lane) {
                               int64_t place = lane * stride;
                               bool isHere =
                                   place >= end && place < start + lanes;
                               return isHere ? lanes + place - start : lane;
                             });
    end = start + lanes;
  }
  return result;
}

/// Neighbouring pixels, of which the first or the last may not exist.
Value StencilEmitter::pieceAt(Value line, int64_t position) {
  int64_t lanes = plan.lanes;
  auto inside = [&](int64_t x) { return std::clamp<int64_t>(x, 0, lanes); };
  int64_t low = inside(-position);
  int64_t high = inside(nest.dims[2].input.fixed() - position);
  if (low >= high)
    return taps.initial();
  Value pointer = b.at(line, position + low, element);
  if (high - low == lanes)
    return b.load(pointer, vector, element);
  Value loaded =
      b.loadPart(pointer, vector, b.index(high - low), element, taps.initial());
  if (low == 0)
    return loaded;
  return b.permute(loaded, taps.initial(), lanes, [&](int64_t lane) {
    return lane < low ? lanes + lane : lane - low;
  });
}

//===-- Averages ----------------------------------------------------------===//

/// How many taps along the width the average of each lane divides by.
SmallVector<int64_t> StencilEmitter::counts(int64_t vector) const {
  const WindowDim &width = nest.dims[2];
  SmallVector<int64_t> counts;
  auto taps = [&](int64_t room) {
    return std::clamp<int64_t>(tile::ceilDiv(room, width.dilation), 0,
                               width.kernel);
  };
  for (int64_t lane = 0; lane < plan.lanes; ++lane) {
    int64_t x = vector * plan.lanes + lane;
    int64_t position = x * width.stride - width.padBefore;
    int64_t room = width.input.fixed() - position;
    int64_t counted = nest.countsPadding
                          ? taps(std::max<int64_t>(0, room + width.padAfter))
                          : taps(std::max<int64_t>(0, room)) -
                                taps(std::max<int64_t>(0, -position));
    counts.push_back(x < width.output.fixed() ? std::max<int64_t>(counted, 1)
                                              : counts.back());
  }
  return counts;
}

void StencilEmitter::average(const Row &rows, Span span, Values &sums) {
  for (int64_t v = 0; v < span.count; ++v) {
    SmallVector<int64_t> each(plan.lanes, nest.dims[2].kernel);
    if (isAtBorder(span, v))
      each = counts(*span.at + v);
    Values some;
    for (int64_t r = 0; r < rows.count; ++r)
      some.push_back(sums[r * span.count + v]);
    if (llvm::all_equal(each))
      taps.average(some, b.mul(rows.counted, each.front()));
    else
      divide(some, rows.counted, each);
    for (int64_t r = 0; r < rows.count; ++r)
      sums[r * span.count + v] = some[r];
  }
}

/// By the product of `rows` and a number for each lane.
void StencilEmitter::divide(Values &sums, Value rows,
                            ArrayRef<int64_t> columns) {
  OpBuilder &ob = b.builder();
  SmallVector<float> numbers(columns.begin(), columns.end());
  auto type = cast<VectorType>(vector);
  Value across = arith::ConstantOp::create(
      ob, b.loc(), DenseElementsAttr::get(type, ArrayRef(numbers)));
  Value down = arith::SIToFPOp::create(ob, b.loc(), element, rows);
  Value count =
      arith::MulFOp::create(ob, b.loc(), across, b.splat(down, vector));
  for (Value &sum : sums)
    sum = arith::DivFOp::create(ob, b.loc(), sum, count);
}
