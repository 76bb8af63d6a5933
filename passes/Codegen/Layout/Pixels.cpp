//===- Pixels.cpp - maps whose pixels are whole vectors -------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "passes/Codegen/Layout/Pixels.h"

#include "dialects/Graph/Graph.h"
#include "dialects/Kernel/Kernel.h"
#include "lib/Tile/Rows.h"
#include "passes/Codegen/Groups/MoveGroup.h"
#include "passes/Codegen/Groups/WindowGroup.h"

using namespace mlir;
using namespace tenon;

/// The operation that a group is made around; null if there is none of this
/// type.
template <typename... Ops> static Operation *anchorOf(Operation *op) {
  auto group = dyn_cast_or_null<kernel::GroupOp>(op);
  Operation *anchor = group ? group.getAnchor() : nullptr;
  return isa_and_nonnull<Ops...>(anchor) ? anchor : nullptr;
}

static bool isDepthwise(Operation *op) {
  Operation *conv = anchorOf<graph::ConvOp>(op);
  return conv && codegen::hasLanesOfGroups(cast<graph::ConvOp>(conv));
}

static bool isPool(Operation *op) {
  return anchorOf<graph::MaxPoolOp, graph::AvgPoolOp>(op);
}

static bool isWindow(Operation *op) { return isDepthwise(op) || isPool(op); }

/// Reads and writes pixel by pixel. Larger windows read neighbours in one run.
static bool isPointwise(Operation *op) {
  auto conv = dyn_cast_or_null<graph::ConvOp>(anchorOf<graph::ConvOp>(op));
  if (!conv || conv.getLayout() != graph::Layout::NHWC || conv.getGroup() != 1)
    return false;
  auto filter = cast<RankedTensorType>(conv.getFilter().getType());
  return llvm::all_of(filter.getShape().drop_front(2),
                      [](int64_t extent) { return extent == 1; });
}

static bool isTransposition(Operation *op) {
  auto group = dyn_cast_or_null<kernel::GroupOp>(op);
  return group && isa<graph::TransposeOp>(group.getBlock().front());
}

/// Writes its operands side by side, or its operands' producers do.
static bool isConcatenation(Operation *op) {
  auto group = dyn_cast_or_null<kernel::GroupOp>(op);
  return group && isa<graph::ConcatOp>(group.getBlock().front());
}

static bool worksOnPixels(Operation *op) {
  return isWindow(op) || isPointwise(op) || isTransposition(op);
}

static bool isProduct(Operation *op) { return anchorOf<graph::MatmulOp>(op); }

static bool isLoops(Operation *op) {
  auto group = dyn_cast_or_null<kernel::GroupOp>(op);
  return group && codegen::isNest(group);
}

/// What products of batches make for a softmax, or a softmax for products.
static bool isScores(Value value) {
  Operation *producer = value.getDefiningOp();
  auto users = value.getUsers();
  return (isProduct(producer) && llvm::all_of(users, isLoops)) ||
         (isLoops(producer) && llvm::all_of(users, isProduct));
}

/// What windows read or write, and nothing needs in one piece.
static bool isMapOfWindows(Value map) {
  Operation *producer = map.getDefiningOp();
  auto users = map.getUsers();
  return (worksOnPixels(producer) || isConcatenation(producer)) &&
         llvm::all_of(users, worksOnPixels) &&
         (isWindow(producer) || llvm::any_of(users, isWindow));
}

static bool multipliesRows(Operation *op) {
  return isProduct(op) || isPointwise(op);
}

/// What products make for products, in rows that all meet in one set of the
/// first-level cache. Vectors that are whole lines hide it.
static bool isCollidingRows(Value map, int64_t pitch,
                            const tile::Target &target) {
  return !target.vectorsAreLines() && pitch > 0 &&
         pitch % (tile::cacheSets * tile::lineBytes) == 0 &&
         multipliesRows(map.getDefiningOp()) &&
         llvm::all_of(map.getUsers(), multipliesRows);
}

static int64_t paddingOfWindows(Value map, int64_t channels, int64_t bytes,
                                const tile::Target &target) {
  auto users = map.getUsers();
  int64_t lanes = target.lanes(bytes);
  int64_t pitch = tile::ceilDiv(channels, lanes) * lanes;
  bool meets = isPool(map.getDefiningOp()) || llvm::any_of(users, isWindow);
  if (meets && codegen::meetsFewSets(pitch * bytes))
    pitch += tile::lineBytes / bytes;
  int64_t padding = pitch - channels;
  // More would cost more to read than lines that are read twice, or than pools
  // and products gain.
  bool multiplies =
      isDepthwise(map.getDefiningOp()) || llvm::any_of(users, isDepthwise);
  return (multiplies ? 6 : 12) * padding <= channels ? padding : 0;
}

int64_t codegen::pixelPadding(Value map, const tile::Target &target) {
  auto type = cast<RankedTensorType>(map.getType());
  if (type.getRank() < 2 || target.isGpuThread())
    return 0;
  int64_t channels = type.getShape().back();
  if (ShapedType::isDynamic(channels))
    return 0;
  int64_t bytes = graph::elementBytes(type.getElementType());
  if (isCollidingRows(map, channels * bytes, target))
    return tile::lineBytes / bytes;
  if (type.getRank() > 2 && (isMapOfWindows(map) || isScores(map)))
    return paddingOfWindows(map, channels, bytes, target);
  return 0;
}
