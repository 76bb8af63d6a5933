//===- Window.cpp - kernels of pools and depthwise convolutions -----------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file builds loops over output rows, blocks of pixels and blocks of
// channel vectors. Where a tap can fall outside of the input, its range is
// clipped per row and, at the left and right border, per pixel.
//===----------------------------------------------------------------------===//
#include "passes/CodegenCpu/Window.h"

#include "dialects/Graph/Graph.h"
#include "lib/Tile/Rows.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "passes/CodegenCpu/ElementwiseOps.h"
#include "passes/CodegenCpu/MicroKernel.h"
#include "passes/CodegenCpu/Overwrite.h"
#include "passes/CodegenCpu/VectorMath.h"
#include <limits>

using namespace mlir;
using namespace tenon;
using namespace tenon::codegen;
using memory::BufferType;

static int64_t ceilDiv(int64_t x, int64_t y) { return (x + y - 1) / y; }

namespace {

/// The taps of one dimension that fall inside, and where tap 0 reads.
struct TapRange {
  Value begin, end;
  Value position; ///< input coordinate of tap 0, possibly negative
  Value counted;  ///< taps that an average divides by
};

/// The register tile: pixels by channel vectors.
struct TileShape {
  int64_t pixels, vectors, last;
  bool edge; ///< taps along the width are clipped too
};

/// A row of outputs.
struct Row {
  Value input; ///< element index of the image
  Values result;
  TapRange depth, height;
};

class WindowEmitter {
public:
  WindowEmitter(const EmitRequest &request, WindowNest nest, WindowPlan plan,
                Epilogue epilogue)
      : nest(std::move(nest)), plan(plan),
        anchor(kernel::GroupOp(request.group).getAnchor()),
        output(std::move(epilogue), elementOf(anchor->getResult(0)),
               plan.pixels * plan.vectors),
        b(request.module, anchor->getLoc(), request.name,
          request.operands.size() + request.results.size(), request.target) {
    element = elementOf(anchor->getOperand(0));
    sumElement = windowAccumulator(this->nest.kind, element);
    sumType = b.vectorType(sumElement, plan.lanes);
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
  void emitTile(const Row &row, Value x, Value channel, TileShape shape);
  Values taps(const Row &row, const TapRange &width, Value channel,
              TileShape shape);
  Values tap(Value base, Value weights, ValueRange sums, TileShape shape);
  Value loadInput(Value pointer, int64_t count);
  Value widen(Value value);
  Value combine(Value sum, Value value, Value weight);
  Value initial();
  void average(const Row &row, const TapRange &width, Values &sums);
  void divideIntegers(Value count, Values &sums);

  WindowNest nest;
  WindowPlan plan;
  Operation *anchor;
  TileStore output;
  KernelBuilder b;
  Type element, sumElement, sumType;
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
                             TileShape shape) {
  const WindowDim &dim = nest.dims[2];
  Value position = b.sub(b.mul(x, dim.stride), b.index(dim.padBefore));
  TapRange width = range(dim, position, shape.edge);
  // Padding that ends inside of the window still counts in the interior.
  Values sums = taps(row, width, channel, shape);
  if (nest.kind == WindowKind::Average)
    average(row, width, sums);
  EpilogueTile tile;
  for (auto [t, base] : llvm::enumerate(row.result))
    tile.base.push_back(b.add(b.add(base, b.mul(x, dim.result[t])),
                              b.mul(channel, nest.channelResult[t])));
  tile.width = shape.pixels;
  tile.vectors = shape.vectors;
  tile.lanes = plan.lanes;
  tile.last = shape.last;
  tile.inner = dim.result;
  tile.column = nest.channelResult;
  output.store(b, tile, sums);
}

//===-- Taps --------------------------------------------------------------===//

Value WindowEmitter::initial() {
  if (nest.kind != WindowKind::Max)
    return b.constantOf(sumType, 0);
  Type scalar = getElementTypeOrSelf(sumType);
  if (isa<FloatType>(scalar))
    return b.constantOf(sumType, -std::numeric_limits<double>::infinity());
  if (element.isUnsignedInteger())
    return b.constantInt(sumType, 0);
  unsigned width = scalar.getIntOrFloatBitWidth();
  return b.constantInt(sumType, int64_t(uint64_t(-1) << (width - 1)));
}

Value WindowEmitter::combine(Value sum, Value value, Value weight) {
  OpBuilder &ob = b.builder();
  if (nest.kind == WindowKind::Depthwise)
    return b.fma(value, weight, sum);
  bool isFloat = isa<FloatType>(getElementTypeOrSelf(sumType));
  if (nest.kind == WindowKind::Average && !isFloat)
    return arith::AddIOp::create(ob, b.loc(), sum, value);
  if (nest.kind == WindowKind::Average)
    return arith::AddFOp::create(ob, b.loc(), sum, value);
  if (!isFloat)
    return element.isUnsignedInteger()
               ? arith::MaxUIOp::create(ob, b.loc(), sum, value).getResult()
               : arith::MaxSIOp::create(ob, b.loc(), sum, value).getResult();
  // One max instruction; a NaN never wins.
  Value greater =
      arith::CmpFOp::create(ob, b.loc(), arith::CmpFPredicate::OGT, value, sum);
  return arith::SelectOp::create(ob, b.loc(), greater, value, sum);
}

Value WindowEmitter::widen(Value value) {
  return isa<FloatType>(element) ? widenFloat(b, value)
                                 : emitCast(b, value, element, sumElement);
}

/// Lanes of consecutive output channels. With a multiplier, each input channel
/// feeds several of them.
Value WindowEmitter::loadInput(Value pointer, int64_t count) {
  Type type = b.vectorType(element, plan.lanes);
  if (nest.multiplier == 1)
    return widen(loadLanes(b, pointer, type, 1, count, element));
  if (plan.lanes == 1 || nest.multiplier % plan.lanes == 0)
    return widen(b.loadBroadcast(pointer, type, element));
  Value result = b.constantOf(type, 0);
  for (int64_t lane = 0; lane < count; ++lane) {
    Value piece = b.load(b.at(pointer, lane / nest.multiplier, element),
                         b.registerType(element), element);
    result = vector::InsertOp::create(b.builder(), b.loc(), piece, result,
                                      ArrayRef<int64_t>{lane});
  }
  return widen(result);
}

/// One tap for all accumulators; `base` and `weights` are addresses of the
/// first pixel's first channel.
Values WindowEmitter::tap(Value base, Value weights, ValueRange sums,
                          TileShape shape) {
  Values next(sums);
  const WindowDim &dim = nest.dims[2];
  for (int64_t v = 0; v < shape.vectors; ++v) {
    int64_t count = v == shape.vectors - 1 ? shape.last : plan.lanes;
    Value weight;
    if (filter) {
      Value pointer =
          b.at(weights, v * plan.lanes * nest.filterChannel, element);
      weight = widenFloat(
          b, loadLanes(b, pointer, b.vectorType(element, plan.lanes),
                       nest.filterChannel,
                       nest.paddedFilter ? plan.lanes : count, element));
    }
    for (int64_t p = 0; p < shape.pixels; ++p) {
      int64_t offset =
          p * dim.stride * dim.pitch + v * plan.lanes / nest.multiplier;
      Value &sum = next[p * shape.vectors + v];
      sum = combine(sum, loadInput(b.at(base, offset, element), count), weight);
    }
  }
  return next;
}

Values WindowEmitter::taps(const Row &row, const TapRange &width, Value channel,
                           TileShape shape) {
  Values sums(shape.pixels * shape.vectors, initial());
  const TapRange *ranges[] = {&row.depth, &row.height, &width};
  // Recursion over the three kernel dimensions, innermost unrolled when its
  // range is known and short.
  std::function<Values(size_t, Value, Value, ValueRange)> nestTaps =
      [&](size_t i, Value at, Value weight, ValueRange init) -> Values {
    if (i == 3)
      return tap(b.at(input, at, element),
                 filter ? b.at(filter, weight, element) : Value(), init, shape);
    const WindowDim &dim = nest.dims[i];
    const TapRange &taps = *ranges[i];
    Value base = b.add(at, b.mul(taps.position, dim.pitch));
    auto body = [&](Value k, ValueRange carried) -> Values {
      return nestTaps(i + 1, b.add(base, b.mul(k, dim.dilation * dim.pitch)),
                      b.add(weight, b.mul(k, dim.tapPitch)), carried);
    };
    auto begin = b.constant(taps.begin), end = b.constant(taps.end);
    int64_t work = shape.pixels * shape.vectors;
    bool small = i == 2 ? dim.kernel <= 11 : nest.taps() * work <= 160;
    if (!begin || !end || !small)
      return b.loop(taps.begin, taps.end, 1, init, body);
    Values carried(init);
    for (int64_t k = *begin; k < *end; ++k)
      carried = body(b.index(k), carried);
    return carried;
  };
  Value inputChannel = channel;
  if (nest.multiplier > 1)
    inputChannel = b.div(channel, nest.multiplier);
  Value weight = b.add(b.mul(channel, nest.filterChannel), nest.filterOffset);
  return nestTaps(0, b.add(row.input, inputChannel), weight, sums);
}

void WindowEmitter::average(const Row &row, const TapRange &width,
                            Values &sums) {
  Value count = row.depth.counted;
  count = b.mul(b.mul(count, row.height.counted), width.counted);
  Type scalar = getElementTypeOrSelf(sumType);
  if (!isa<FloatType>(scalar))
    return divideIntegers(count, sums);
  Value number;
  if (auto known = b.constant(count))
    number = b.constantOf(scalar, double(*known));
  else
    number = arith::SIToFPOp::create(b.builder(), b.loc(), scalar, count);
  Value one = b.constantOf(scalar, 1.0);
  Value inverse = arith::DivFOp::create(b.builder(), b.loc(), one, number);
  Value factor = b.splat(inverse, sumType);
  for (Value &sum : sums)
    sum = arith::MulFOp::create(b.builder(), b.loc(), sum, factor);
}

/// Truncates; the mean of nothing is 0.
void WindowEmitter::divideIntegers(Value count, Values &sums) {
  OpBuilder &ob = b.builder();
  Value divisor = b.splat(b.max(count, b.index(1)), sumType);
  for (Value &sum : sums) {
    Value mean =
        element.isUnsignedInteger()
            ? arith::DivUIOp::create(ob, b.loc(), sum, divisor).getResult()
            : arith::DivSIOp::create(ob, b.loc(), sum, divisor).getResult();
    sum = emitCast(b, mean, sumElement, element);
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
  WindowPlan plan{attribute.getInt("lanes", 1), attribute.getInt("pixels", 1),
                  attribute.getInt("vectors", 1), attribute.getInt("rows", 1)};
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
