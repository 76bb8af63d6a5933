//===- Col2Im.cpp - blocks added up to an image ---------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file numbers the pixel of each element of each block and adds rows of
// all images and channels to it.
//===----------------------------------------------------------------------===//
#include "passes/Normalize/Movement/Movement.h"
#include "passes/Normalize/Spatial.h"

using namespace tenon;
using namespace tenon::normalize;

namespace {
/// How blocks lie on the image.
struct Blocks {
  SmallVector<int64_t> image, block, strides, dilations, pads;
  SmallVector<int64_t> places; ///< of a block along each dimension

  int64_t rank() const { return image.size(); }
  int64_t pixels() const { return product(image); }
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

/// Nothing when the attributes do not fit each other or the input.
static std::optional<Blocks> readBlocks(NormalizeContext &ctx,
                                        const Node &node) {
  auto image = listOperand(ctx, node, 1, "image_shape");
  auto block = listOperand(ctx, node, 2, "block_shape");
  if (!image || !block || !ctx.isStatic(node.operand(0)))
    return std::nullopt;
  Blocks blocks{*image, *block, {}, {}, node.integers("pads"), {}};
  int64_t rank = blocks.rank();
  if (blocks.pads.empty())
    blocks.pads.assign(2 * rank, 0);
  auto isExtent = [](int64_t v) { return v >= 1 && v < (int64_t(1) << 31); };
  bool fits =
      rank >= 1 && int64_t(block->size()) == rank &&
      llvm::all_of(*image, isExtent) && llvm::all_of(*block, isExtent) &&
      readList(node, "strides", rank, blocks.strides) &&
      readList(node, "dilations", rank, blocks.dilations) &&
      int64_t(blocks.pads.size()) == 2 * rank && node.type(0).getRank() == 3;
  for (int64_t i = 0; fits && i < rank; ++i) {
    int64_t room = (*image)[i] + blocks.pads[i] + blocks.pads[i + rank] -
                   blocks.dilations[i] * ((*block)[i] - 1) - 1;
    fits = room >= 0;
    blocks.places.push_back(room / blocks.strides[i] + 1);
  }
  if (fits && node.type(0).getDimSize(2) == product(blocks.places) &&
      node.type(0).getDimSize(1) % product(*block) == 0)
    return blocks;
  (void)ctx.unsupported("the blocks do not fit the image or the input");
  return std::nullopt;
}

/// The pixel of element `tap` of the block at `place`; the number of pixels
/// where that lies in the padding.
static int64_t pixelOf(const Blocks &blocks, int64_t tap, int64_t place) {
  int64_t pixel = 0, step = 1;
  for (int64_t i = blocks.rank() - 1; i >= 0; --i) {
    int64_t at = place % blocks.places[i] * blocks.strides[i] +
                 tap % blocks.block[i] * blocks.dilations[i] - blocks.pads[i];
    if (at < 0 || at >= blocks.image[i])
      return blocks.pixels();
    pixel += at * step;
    step *= blocks.image[i];
    place /= blocks.places[i];
    tap /= blocks.block[i];
  }
  return pixel;
}

Lowered normalize::lowerCol2Im(NormalizeContext &ctx, const Node &node) {
  auto blocks = readBlocks(ctx, node);
  if (!blocks)
    return mlir::failure();
  ArrayRef<int64_t> in = node.type(0).getShape();
  int64_t taps = product(blocks->block), places = product(blocks->places);
  int64_t images = in[0], channels = in[1] / taps, pixels = blocks->pixels();
  SmallVector<int64_t> indices;
  for (int64_t tap = 0; tap < taps; ++tap)
    for (int64_t place = 0; place < places; ++place)
      indices.push_back(pixelOf(*blocks, tap, place));
  Value updates = ctx.transpose(
      ctx.reshape(node.operand(0), {images, channels, taps, places}),
      {2, 3, 0, 1});
  updates = ctx.reshape(updates, {taps * places, images * channels});
  // The last row takes what the padding swallows.
  auto rows = RankedTensorType::get({pixels + 1, images * channels},
                                    node.type(0).getElementType());
  Value sums =
      ctx.create<graph::ScatterOp>(ctx.splat(0.0, rows), ctx.vector(indices),
                                   updates, graph::ScatterKind::Add);
  sums = ctx.transpose(ctx.slice(sums, 0, 0, pixels), {1, 0});
  SmallVector<int64_t> shape{images, channels};
  llvm::append_range(shape, blocks->image);
  return ctx.reshape(sums, shape);
}
