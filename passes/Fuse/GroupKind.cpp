//===- GroupKind.cpp - which emitter an operation belongs to --------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "passes/Fuse/GroupKind.h"

#include "dialects/Graph/Graph.h"
#include "dialects/Kernel/LoopDomain.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace tenon;
using namespace tenon::graph;

bool fuse::isDepthwise(Operation *op) {
  auto conv = dyn_cast<ConvOp>(op);
  if (!conv || conv.getGroup() == 1)
    return false;
  auto filter = cast<RankedTensorType>(conv.getFilter().getType());
  return filter.getDimSize(1) == 1;
}

/// Whether the channels of a convolution's groups are mixed inside of vectors:
/// groups that fill any vector of f32, and windows whose neighbours share what
/// is spread over a group's lanes.
static bool mixesLanes(ConvOp conv) {
  ArrayRef<int64_t> filter = conv.getFilter().getType().getShape();
  int64_t members = filter[1];
  auto element = dyn_cast<FloatType>(conv.getType().getElementType());
  bool isFloat = element && element.getWidth() <= 32;
  return isFloat && conv.getLayout() == Layout::NHWC &&
         (members == 2 || members == 4) &&
         filter[0] == int64_t(conv.getGroup()) * members && filter.back() >= 3;
}

/// Few columns leave vectors empty, but those of one channel, whose windows
/// have several points: steps of k lie beside them.
static bool isProduct(ConvTransposeOp conv) {
  constexpr int64_t fewColumns = 8, steps = 4;
  ArrayRef<int64_t> filter = conv.getFilter().getType().getShape();
  int64_t columns = filter[1] * filter.back();
  bool isFolded = filter[1] == 1 && columns > 1 && filter[0] % steps == 0;
  return conv.getLayout() == Layout::NHWC && conv.hasSeparateWindows() &&
         (columns >= fewColumns || isFolded);
}

StringRef fuse::groupKind(Operation *op) {
  return TypeSwitch<Operation *, StringRef>(op)
      .Case<ConstantOp, ReshapeOp, BitcastOp, PackOp>([](auto) { return ""; })
      .Case<MatmulOp>([](auto) { return "contraction"; })
      .Case<ConvOp>([](auto conv) {
        bool isWindow = isDepthwise(conv) || mixesLanes(conv);
        return isWindow ? "window" : "contraction";
      })
      .Case<ConvTransposeOp>(
          [](auto conv) { return isProduct(conv) ? "contraction" : "loops"; })
      .Case<MaxPoolOp, AvgPoolOp, LrnOp>([](auto) { return "window"; })
      .Case<RecurrenceOp>([](auto) { return "recurrent"; })
      .Case<TensorOpInterface>([](auto) -> StringRef { return "loops"; })
      .Default([](Operation *) { return ""; });
}
