//===- Col2Im.cpp - blocks added up to an image ---------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file numbers the pixel of each element of each block and adds rows of
// all images and channels to it.
//===----------------------------------------------------------------------===//
#include "passes/Normalize/Extents.h"
#include "passes/Normalize/Movement/Movement.h"
#include "passes/Normalize/Spatial.h"

using namespace mlir;
using namespace tenon;
using namespace tenon::normalize;

namespace {
/// How blocks lie on the image.
struct Blocks {
  Dims image, block;
  Dims places; ///< of a block along each dimension
  SmallVector<int64_t> strides, dilations, pads;

  int64_t rank() const { return image.size(); }
  bool areNumbers() const {
    return llvm::none_of(image, graph::isSymbolic) &&
           llvm::none_of(block, graph::isSymbolic);
  }
};
} // namespace

/// A list of positive numbers, all 1 when absent.
static bool readList(const Node &node, StringRef name, int64_t rank,
                     SmallVector<int64_t> &list) {
  list = node.integers(name);
  if (list.empty())
    list.assign(rank, 1);
  return int64_t(list.size()) == rank &&
         llvm::all_of(list, [](int64_t v) { return v >= 1; });
}

/// What is left of the padded image beside one block, along each dimension.
static Dims roomOf(const Blocks &blocks) {
  Dims rooms;
  for (int64_t i = 0; i < blocks.rank(); ++i) {
    int64_t dilation = blocks.dilations[i];
    int64_t pads = blocks.pads[i] + blocks.pads[i + blocks.rank()];
    rooms.push_back(
        graph::addDims(graph::affineDim(blocks.image[i], 1, pads - 1),
                       graph::affineDim(blocks.block[i], -dilation, dilation)));
  }
  return rooms;
}

/// Counts the places of blocks. That none is larger than the image is checked
/// by the run, where it is not known.
static bool countPlaces(NormalizeContext &ctx, Blocks &blocks) {
  SmallVector<Value> counts, rooms;
  for (auto [room, stride] : llvm::zip(roomOf(blocks), blocks.strides)) {
    if (!room || (!graph::isSymbolic(room) && sizeOf(room) < 0))
      return false;
    counts.push_back(numberOf(ctx, graph::affineDim(room, 1, stride, stride)));
    rooms.push_back(numberOf(ctx, room));
  }
  auto places = extents(ctx, counts, rooms);
  if (places)
    blocks.places = *places;
  return bool(places);
}

/// Nothing when the attributes do not fit each other or the input.
static std::optional<Blocks> readBlocks(NormalizeContext &ctx,
                                        const Node &node) {
  auto image = sizesOf(ctx, node.operand(1), "image_shape");
  auto block = sizesOf(ctx, node.operand(2), "block_shape");
  if (!image || !block || !ctx.hasDims(node.operand(0)))
    return std::nullopt;
  Blocks blocks{*image, *block, {}, {}, {}, node.integers("pads")};
  int64_t rank = blocks.rank();
  if (blocks.pads.empty())
    blocks.pads.assign(2 * rank, 0);
  auto isExtent = [](Attribute dim) {
    int64_t v = sizeOf(dim);
    return graph::isSymbolic(dim) || (v >= 1 && v < (int64_t(1) << 31));
  };
  bool fits = rank >= 1 && int64_t(block->size()) == rank &&
              llvm::all_of(*image, isExtent) &&
              llvm::all_of(*block, isExtent) &&
              readList(node, "strides", rank, blocks.strides) &&
              readList(node, "dilations", rank, blocks.dilations) &&
              int64_t(blocks.pads.size()) == 2 * rank &&
              node.type(0).getRank() == 3 && countPlaces(ctx, blocks);
  MLIRContext *context = node.context();
  Dims in = dimsOf(node.type(0));
  if (fits && graph::mayBeEqual(in[2], product(context, blocks.places))) {
    Attribute taps = product(context, blocks.block);
    bool divides = graph::isSymbolic(taps) || graph::isSymbolic(in[1]) ||
                   sizeOf(in[1]) % sizeOf(taps) == 0;
    if (divides)
      return blocks;
  }
  (void)ctx.unsupported("the blocks do not fit the image or the input");
  return std::nullopt;
}

static SmallVector<int64_t> numbersOf(const Dims &dims) {
  return llvm::map_to_vector(dims, sizeOf);
}

/// The pixel of each element of each block, `[taps * places]`; the number of
/// pixels where that lies in the padding.
static Value knownPixels(NormalizeContext &ctx, const Blocks &blocks) {
  SmallVector<int64_t> image = numbersOf(blocks.image),
                       block = numbersOf(blocks.block),
                       places = numbersOf(blocks.places);
  auto pixelOf = [&](int64_t tap, int64_t place) {
    int64_t pixel = 0, step = 1;
    for (int64_t i = blocks.rank() - 1; i >= 0; --i) {
      int64_t at = place % places[i] * blocks.strides[i] +
                   tap % block[i] * blocks.dilations[i] - blocks.pads[i];
      if (at < 0 || at >= image[i])
        return product(image);
      pixel += at * step;
      step *= image[i];
      place /= places[i];
      tap /= block[i];
    }
    return pixel;
  };
  SmallVector<int64_t> indices;
  for (int64_t tap = 0; tap < product(block); ++tap)
    for (int64_t place = 0; place < product(places); ++place)
      indices.push_back(pixelOf(tap, place));
  return ctx.vector(indices);
}

/// The same where the run knows the sizes.
static Value openPixels(NormalizeContext &ctx, const Blocks &blocks) {
  MLIRContext *context = ctx.builder().getContext();
  int64_t rank = blocks.rank();
  SmallVector<IndexPart> parts;
  auto apart = [&](int64_t distance) { return sizeDim(context, distance); };
  for (int64_t i = 0; i < rank; ++i) {
    Value at = ctx.create<graph::AddOp>(
        steps(ctx, 2 * rank, i, blocks.block[i], apart(blocks.dilations[i])),
        steps(ctx, 2 * rank, rank + i, blocks.places[i],
              apart(blocks.strides[i])));
    at = ctx.create<graph::SubOp>(at,
                                  ctx.scalarLike(double(blocks.pads[i]), at));
    // In front of the image is no index from its end.
    Value end = ctx.sizes(
        blocks.image[i], RankedTensorType::get({}, ctx.builder().getI64Type()));
    Value isInside =
        ctx.create<graph::GreaterEqualOp>(at, ctx.scalarLike(0.0, at));
    parts.push_back(
        {ctx.create<graph::SelectOp>(isInside, at, end), blocks.image[i],
         product(context,
                 ArrayRef<Attribute>(blocks.image).drop_front(i + 1))});
  }
  // One dimension's index would be taken as it is.
  Value none = ctx.scalar(0.0, ctx.builder().getI64Type());
  Value pixels = linearIndex(ctx, parts, none, product(context, blocks.image));
  return pixels ? ctx.reshapeTo(pixels,
                                typeFromDims(product(context, dimsOf(pixels)),
                                             ctx.builder().getI64Type()))
                : Value();
}

Lowered normalize::lowerCol2Im(NormalizeContext &ctx, const Node &node) {
  auto blocks = readBlocks(ctx, node);
  if (!blocks)
    return failure();
  MLIRContext *context = node.context();
  Dims in = dimsOf(node.type(0));
  Attribute taps = product(context, blocks->block);
  Attribute places = product(context, blocks->places);
  Attribute pixels = product(context, blocks->image);
  Attribute channels = quotientOf(ctx, in[1], taps);
  if (!channels)
    return failure();
  Attribute count = graph::multiplyDims(in[0], channels);
  Type element = node.type(0).getElementType();
  Value updates = ctx.transpose(
      ctx.reshapeTo(node.operand(0),
                    typeFromDims({in[0], channels, taps, places}, element)),
      {2, 3, 0, 1});
  updates = ctx.reshapeTo(
      updates,
      typeFromDims({graph::multiplyDims(taps, places), count}, element));
  // The last row takes what the padding swallows.
  auto rows = typeFromDims({graph::affineDim(pixels, 1, 1), count}, element);
  Value indices = blocks->areNumbers() ? knownPixels(ctx, *blocks)
                                       : openPixels(ctx, *blocks);
  Value sums = ctx.create<graph::ScatterOp>(ctx.splat(0.0, rows), indices,
                                            updates, graph::ScatterKind::Add);
  sums = ctx.transpose(ctx.slice(sums, 0, sizeDim(context, 0), pixels), {1, 0});
  Dims shape{in[0], channels};
  llvm::append_range(shape, blocks->image);
  return ctx.reshapeTo(sums, typeFromDims(shape, element));
}
