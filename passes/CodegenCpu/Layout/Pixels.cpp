//===- Pixels.cpp - maps whose pixels are whole vectors -------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "passes/CodegenCpu/Layout/Pixels.h"

#include "dialects/Graph/Graph.h"
#include "dialects/Kernel/Kernel.h"
#include "lib/Tile/Rows.h"

using namespace mlir;
using namespace tenon;

static graph::ConvOp convolutionOf(Operation *op, StringRef kind) {
  auto group = dyn_cast_or_null<kernel::GroupOp>(op);
  if (!group || group.getKind() != kind)
    return {};
  return dyn_cast_or_null<graph::ConvOp>(group.getAnchor());
}

static bool isDepthwise(Operation *op) {
  return bool(convolutionOf(op, "window"));
}

/// Reads and writes pixel by pixel. Larger windows read neighbours in one run.
static bool isPointwise(Operation *op) {
  graph::ConvOp conv = convolutionOf(op, "contraction");
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

static bool worksOnPixels(Operation *op) {
  return isDepthwise(op) || isPointwise(op) || isTransposition(op);
}

static constexpr int64_t line = 64;

/// Whether pixels that lie so many bytes apart meet an eighth of the sets of a
/// first-level cache, or less: what the rows of a window share is lost then.
static bool meetsFewSets(int64_t pitch) { return pitch % (8 * line) == 0; }

int64_t codegen::pixelPadding(Value map, const tile::Target &target) {
  auto type = cast<RankedTensorType>(map.getType());
  Operation *producer = map.getDefiningOp();
  auto users = map.getUsers();
  if (type.getRank() < 3 || !worksOnPixels(producer) ||
      !llvm::all_of(users, worksOnPixels) ||
      !(isDepthwise(producer) || llvm::any_of(users, isDepthwise)))
    return 0;
  int64_t channels = type.getShape().back();
  int64_t bytes = graph::elementBytes(type.getElementType());
  int64_t lanes = target.lanes(bytes);
  int64_t pitch = tile::ceilDiv(channels, lanes) * lanes;
  if (llvm::any_of(users, isDepthwise) && meetsFewSets(pitch * bytes))
    pitch += line / bytes;
  int64_t padding = pitch - channels;
  // More would cost more to read than lines that are read twice.
  return 6 * padding <= channels ? padding : 0;
}
