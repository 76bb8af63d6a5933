//===- Window.cpp - kernels of pools and depthwise convolutions -----------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file builds loops over output rows, blocks of pixels and blocks of
// channel vectors. Where a tap can fall outside of the input, its range is
// clipped per row and, at the left and right border, per pixel.
//===----------------------------------------------------------------------===//
#include "passes/CodegenCpu/Window/Taps.h"

#include "dialects/Graph/Graph.h"
#include "lib/Tile/Rows.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "passes/CodegenCpu/Builder/ElementwiseOps.h"
#include "passes/CodegenCpu/Contraction/MicroKernel.h"
#include "passes/CodegenCpu/Layout/Overwrite.h"
#include "passes/CodegenCpu/PlanAttribute.h"

using namespace mlir;
using namespace tenon;
using namespace tenon::codegen;
using memory::BufferType;
using tile::ceilDiv;

namespace {

/// The taps of one dimension that fall inside, and where tap 0 reads.
struct TapRange {
  Value begin, end;
  Value position; ///< input coordinate of tap 0, possibly negative
  Value counted;  ///< taps that an average divides by
};

/// A row of outputs.
struct Row {
  Value input; ///< element index of the image
  Values result;
  TapRange depth, height;
};

/// Where a tap reads: element indices.
struct Place {
  Value input, weight;
};
using RowBody = llvm::function_ref<Values(Place at, ValueRange sums)>;

class WindowEmitter {
public:
  WindowEmitter(const EmitRequest &request, WindowNest nest, WindowPlan plan,
                Epilogue epilogue)
      : nest(std::move(nest)), plan(plan),
        anchor(kernel::GroupOp(request.group).getAnchor()),
        output(std::move(epilogue), elementOf(anchor->getResult(0)),
               plan.pixels * plan.vectors),
        b(request.module, anchor->getLoc(), request.name,
          request.operands.size() + request.results.size(), request.target),
        element(elementOf(anchor->getOperand(0))),
        taps(b, this->nest, plan.lanes, element) {
    auto argument = [&](unsigned i) {
      return cast<BlockArgument>(anchor->getOperand(i)).getArgNumber();
    };
    input = b.buffer(argument(0));
    if (this->nest.kind == WindowKind::Depthwise)
      filter = b.buffer(argument(1));
  }

  FailureOr<EmitResult> emit();

private:
  static Type elementOf(Value tensor) {
    return cast<RankedTensorType>(tensor.getType()).getElementType();
  }
  bool clips() const { return nest.kind != WindowKind::Depthwise; }
  TapRange range(const WindowDim &dim, Value position, bool clip);
  void emitRow(Value number);
  void emitInterior(const Row &row, int64_t first, int64_t last);
  void emitEdges(const Row &row, int64_t first, int64_t last);
  void emitChannels(const Row &row, Value x, int64_t pixels, bool edge);
  void emitTile(const Row &row, Value x, Value channel, const WindowTile &tile);
  Value inputChannel(Value channel);
  Values overRows(const Row &row, size_t i, Place at, ValueRange init,
                  RowBody body);
  Values tapRow(const TapRange &width, Place at, ValueRange init,
                const WindowTile &tile);
  Values accumulate(const Row &row, const TapRange &width, Value channel,
                    const WindowTile &tile);
  void prefetchNext(const Row &row, Value x, Value channel,
                    const WindowTile &tile);
  void average(const Row &row, const TapRange &width, Values &sums);
  void divideIntegers(Value count, Values &sums);

  WindowNest nest;
  WindowPlan plan;
  Operation *anchor;
  TileStore output;
  KernelBuilder b;
  Type element;
  WindowTaps taps;
  Value input, filter;
};

} // namespace

FailureOr<EmitResult> WindowEmitter::emit() {
  EmitResult result;
  result.tiles = ceilDiv(nest.rows(), plan.rows);
  b.forTiles([&](Value tile) {
    Value first = b.mul(tile, plan.rows);
    Value end = b.min(b.add(first, plan.rows), b.index(nest.rows()));
    b.loop(first, end, 1, [&](Value number) { emitRow(number); });
  });
  b.finish();
  if (output.failed())
    return failure();
  return result;
}

/// Division that rounds up, of a value that may be negative: the caller's max
/// with zero makes every negative result right.
static Value ceilDivValue(KernelBuilder &b, Value x, int64_t y) {
  return b.div(b.max(b.add(x, y - 1), b.index(0)), y);
}

TapRange WindowEmitter::range(const WindowDim &dim, Value position, bool clip) {
  TapRange taps;
  taps.position = position;
  taps.begin = b.index(0);
  taps.end = taps.counted = b.index(dim.kernel);
  if (!clip)
    return taps;
  Value zero = b.index(0);
  if (dim.padBefore > 0)
    taps.begin = ceilDivValue(b, b.sub(zero, position), dim.dilation);
  Value room = b.sub(b.index(dim.input), position);
  taps.end = b.min(taps.end, ceilDivValue(b, room, dim.dilation));
  taps.counted = b.sub(taps.end, taps.begin);
  if (nest.countsPadding)
    taps.counted =
        b.min(b.index(dim.kernel),
              ceilDivValue(b, b.add(room, dim.padAfter), dim.dilation));
  return taps;
}

void WindowEmitter::emitRow(Value number) {
  Values index = b.delinearize(
      number, {nest.images, nest.dims[0].output, nest.dims[1].output});
  Row row;
  row.input = b.add(b.mul(index[0], nest.imagePitch), nest.inputOffset);
  for (auto [t, tensor] : llvm::enumerate(output.tensors())) {
    Value at =
        b.add(b.index(tensor.offset), b.mul(index[0], nest.imageResult[t]));
    for (size_t i = 0; i < 2; ++i)
      at = b.add(at, b.mul(index[1 + i], nest.dims[i].result[t]));
    row.result.push_back(at);
  }
  auto rangeOf = [&](const WindowDim &dim, Value i) {
    Value position = b.sub(b.mul(i, dim.stride), b.index(dim.padBefore));
    return range(dim, position, clips());
  };
  row.depth = rangeOf(nest.dims[0], index[1]);
  row.height = rangeOf(nest.dims[1], index[2]);
  int64_t width = nest.dims[2].output;
  auto [first, last] =
      clips() ? nest.dims[2].interior() : std::pair<int64_t, int64_t>(0, width);
  emitInterior(row, first, last);
  emitEdges(row, first, last);
}

void WindowEmitter::emitInterior(const Row &row, int64_t first, int64_t last) {
  if (first >= last)
    return;
  auto split = tile::EvenSplit::of(last - first, plan.pixels);
  auto blocks = [&](int64_t start, int64_t count, int64_t pixels) {
    b.loop(b.index(0), b.index(count), 1, [&](Value i) {
      emitChannels(row, b.add(b.mul(i, pixels), start), pixels, false);
    });
  };
  blocks(first, split.tall, split.height);
  blocks(first + split.tall * split.height, split.count - split.tall,
         split.height - 1);
}

void WindowEmitter::emitEdges(const Row &row, int64_t first, int64_t last) {
  int64_t right = nest.dims[2].output - last;
  b.loop(b.index(0), b.index(first + right), 1, [&](Value i) {
    // Left of the interior, then right of it.
    Value isRight = b.less(b.index(first - 1), i);
    Value x = arith::SelectOp::create(b.builder(), b.loc(), isRight,
                                      b.add(i, last - first), i);
    emitChannels(row, x, 1, true);
  });
}

void WindowEmitter::emitChannels(const Row &row, Value x, int64_t pixels,
                                 bool edge) {
  int64_t block = plan.vectors * plan.lanes;
  int64_t whole = nest.channels / block * block;
  b.loop(b.index(0), b.index(whole), block, [&](Value channel) {
    emitTile(row, x, channel, {pixels, plan.vectors, plan.lanes, edge});
  });
  int64_t left = nest.channels - whole;
  if (!left)
    return;
  int64_t vectors = ceilDiv(left, plan.lanes);
  emitTile(row, x, b.index(whole),
           {pixels, vectors, left - (vectors - 1) * plan.lanes, edge});
}

void WindowEmitter::emitTile(const Row &row, Value x, Value channel,
                             const WindowTile &tile) {
  const WindowDim &dim = nest.dims[2];
  Value position = b.sub(b.mul(x, dim.stride), b.index(dim.padBefore));
  TapRange width = range(dim, position, tile.edge);
  if (plan.prefetch && !tile.edge)
    prefetchNext(row, x, channel, tile);
  // Padding that ends inside of the window still counts in the interior.
  Values sums = accumulate(row, width, channel, tile);
  if (nest.kind == WindowKind::Average)
    average(row, width, sums);
  EpilogueTile to;
  for (auto [t, base] : llvm::enumerate(row.result))
    to.base.push_back(b.add(b.add(base, b.mul(x, dim.result[t])),
                            b.mul(channel, nest.channelResult[t])));
  to.width = tile.pixels;
  to.vectors = tile.vectors;
  to.lanes = plan.lanes;
  to.last = tile.last;
  to.inner = dim.result;
  to.column = nest.channelResult;
  output.store(b, to, sums);
}

//===-- Taps --------------------------------------------------------------===//

/// Runs `body` for every kernel row, with the sums carried from one to the
/// next.
Values WindowEmitter::overRows(const Row &row, size_t i, Place at,
                               ValueRange init, RowBody body) {
  if (i == 2)
    return body(at, init);
  const WindowDim &dim = nest.dims[i];
  const TapRange &range = i == 0 ? row.depth : row.height;
  Value base = b.add(at.input, b.mul(range.position, dim.pitch));
  return b.loop(range.begin, range.end, 1, init,
                [&](Value k, ValueRange carried) {
                  Place next{b.add(base, b.mul(k, dim.dilation * dim.pitch)),
                             b.add(at.weight, b.mul(k, dim.tapPitch))};
                  return overRows(row, i + 1, next, carried, body);
                });
}

/// The taps of a kernel row, unrolled when they are known and few.
Values WindowEmitter::tapRow(const TapRange &width, Place at, ValueRange init,
                             const WindowTile &tile) {
  const WindowDim &dim = nest.dims[2];
  Value base = b.add(at.input, b.mul(width.position, dim.pitch));
  auto some = [&](Value k, int64_t count, ValueRange sums) {
    Value from = b.add(base, b.mul(k, dim.dilation * dim.pitch));
    Value weight = b.add(at.weight, b.mul(k, dim.tapPitch));
    return taps.row(b.at(input, from, element),
                    filter ? b.at(filter, weight, element) : Value(), sums,
                    tile, count);
  };
  auto begin = b.constant(width.begin), end = b.constant(width.end);
  if (begin && end && *begin < *end && nest.unrollsRow())
    return some(width.begin, *end - *begin, init);
  return b.loop(width.begin, width.end, 1, init,
                [&](Value k, ValueRange sums) { return some(k, 1, sums); });
}

Value WindowEmitter::inputChannel(Value channel) {
  return nest.multiplier == 1 ? channel : b.div(channel, nest.multiplier);
}

Values WindowEmitter::accumulate(const Row &row, const TapRange &width,
                                 Value channel, const WindowTile &tile) {
  Place start{b.add(row.input, inputChannel(channel)),
              b.add(b.mul(channel, nest.filterChannel), nest.filterOffset)};
  Values sums(tile.pixels * tile.vectors, taps.initial());
  return overRows(row, 0, start, sums, [&](Place at, ValueRange carried) {
    return tapRow(width, at, carried, tile);
  });
}

//===-- Prefetching -------------------------------------------------------===//

/// Prefetches `lanes` elements of each of `pixels` pixels, by cache lines.
static void prefetchPixels(KernelBuilder &b, Value pointer, Type element,
                           int64_t pixels, int64_t pitch, int64_t lanes,
                           bool write) {
  int64_t line = 64 / graph::elementBytes(element);
  int64_t step = std::max<int64_t>(1, line / std::max<int64_t>(1, pitch));
  for (int64_t p = 0; p < pixels; p += step)
    for (int64_t lane = 0; lane < lanes; lane += line)
      b.prefetch(b.at(pointer, p * pitch + lane, element), 2, write);
}

/// Asks for the input rows that the next row of results reads first, and for
/// where that row is stored.
void WindowEmitter::prefetchNext(const Row &row, Value x, Value channel,
                                 const WindowTile &tile) {
  const WindowDim &width = nest.dims[2], &height = nest.dims[1];
  int64_t lanes = tile.vectors * plan.lanes;
  Value y =
      b.add(row.height.position, (height.kernel - 1) * height.dilation + 1);
  Value from = b.add(
      b.add(row.input, inputChannel(channel)),
      b.add(b.mul(y, height.pitch), b.mul(x, width.stride * width.pitch)));
  for (int64_t i = 0; i < height.stride; ++i)
    prefetchPixels(b, b.at(input, b.add(from, i * height.pitch), element),
                   element, tile.pixels * width.stride, width.pitch, lanes,
                   /*write=*/false);
  const IndexedTensor &result = output.tensors().front();
  Value to = b.add(b.add(row.result.front(), height.result.front()),
                   b.add(b.mul(x, width.result.front()),
                         b.mul(channel, nest.channelResult.front())));
  prefetchPixels(b, b.at(b.buffer(result.buffer), to, result.element),
                 result.element, tile.pixels, width.result.front(), lanes,
                 /*write=*/true);
}

//===-- Averages ----------------------------------------------------------===//

void WindowEmitter::average(const Row &row, const TapRange &width,
                            Values &sums) {
  Value count = row.depth.counted;
  count = b.mul(b.mul(count, row.height.counted), width.counted);
  Type scalar = getElementTypeOrSelf(taps.sumType());
  if (!isa<FloatType>(scalar))
    return divideIntegers(count, sums);
  Value number;
  if (auto known = b.constant(count))
    number = b.constantOf(scalar, double(*known));
  else
    number = arith::SIToFPOp::create(b.builder(), b.loc(), scalar, count);
  Value one = b.constantOf(scalar, 1.0);
  Value inverse = arith::DivFOp::create(b.builder(), b.loc(), one, number);
  Value factor = b.splat(inverse, taps.sumType());
  for (Value &sum : sums)
    sum = arith::MulFOp::create(b.builder(), b.loc(), sum, factor);
}

/// Truncates; the mean of nothing is 0.
void WindowEmitter::divideIntegers(Value count, Values &sums) {
  OpBuilder &ob = b.builder();
  Type scalar = getElementTypeOrSelf(taps.sumType());
  Value divisor = b.splat(b.max(count, b.index(1)), taps.sumType());
  for (Value &sum : sums) {
    Value mean =
        element.isUnsignedInteger()
            ? arith::DivUIOp::create(ob, b.loc(), sum, divisor).getResult()
            : arith::DivSIOp::create(ob, b.loc(), sum, divisor).getResult();
    sum = emitCast(b, mean, scalar, element);
  }
}

FailureOr<EmitResult> codegen::emitWindow(const EmitRequest &request) {
  kernel::GroupOp group = request.group;
  if (isa_and_nonnull<graph::LrnOp>(group.getAnchor()))
    return emitLrn(request);
  Operation *anchor = windowAnchor(group);
  if (!anchor)
    return failure();
  FailureOr<Epilogue> epilogue = Epilogue::create(request);
  if (failed(epilogue))
    return failure();
  auto bufferOf = [&](unsigned i) {
    unsigned number = cast<BlockArgument>(anchor->getOperand(i)).getArgNumber();
    return request.operands[number];
  };
  BufferType filter = isa<graph::ConvOp>(anchor) ? bufferOf(1) : BufferType();
  kernel::PlanAttr attribute = request.plan;
  FailureOr<WindowNest> nest =
      buildWindowNest(anchor, bufferOf(0), filter, attribute.getInt("packed"),
                      epilogue->tensors());
  if (failed(nest))
    return failure();
  auto plan = fromAttribute<WindowPlan>(attribute);
  OverwritePairs inPlace = overwritesOf(group, *epilogue);
  FailureOr<EmitResult> result =
      WindowEmitter(request, std::move(*nest), plan, std::move(*epilogue))
          .emit();
  if (succeeded(result))
    result->inPlace = std::move(inPlace);
  return result;
}

/// Channels of the input are neighbours; a filter lies as it was planned.
static bool canAddressWindow(kernel::GroupOp group, unsigned index,
                             BufferType type) {
  Operation *anchor = group.getAnchor();
  auto isOperand = [&](unsigned i) {
    auto argument = dyn_cast<BlockArgument>(anchor->getOperand(i));
    return argument && argument.getArgNumber() == index;
  };
  if (!anchor || (anchor->getNumOperands() > 1 && isOperand(1)))
    return type.isDense();
  return !isOperand(0) || type.getStrides().back() == 1;
}

const Emitter &codegen::windowEmitter() {
  static const Emitter emitter{"window", planWindow, emitWindow,
                               canAddressWindow};
  return emitter;
}
