//===- Causal.cpp - masks that hide later keys ----------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "lib/Interpreter/Interpreter.h"
#include "passes/CodegenGpu/Attention/Attention.h"

using namespace mlir;
using namespace tenon;
using namespace tenon::gpu;

/// No score reaches this, and none that it is added to has a weight beside one
/// that it is not added to.
static constexpr float hidden = -1e30f;

static bool hidesLater(ArrayRef<float> mask, int64_t size) {
  for (int64_t row = 0; row < size; ++row) {
    ArrayRef<float> own = mask.slice(row * size, size);
    if (!(own[row] > hidden / 2))
      return false;
    for (float later : own.drop_front(row + 1))
      if (!(later <= hidden))
        return false;
  }
  return true;
}

/// The constant that a group reads there, or null.
static graph::ConstantOp constantAt(kernel::GroupOp group, Value value) {
  auto argument = dyn_cast<BlockArgument>(value);
  return argument ? group.getOperands_()[argument.getArgNumber()]
                        .getDefiningOp<graph::ConstantOp>()
                  : graph::ConstantOp();
}

bool tenon::gpu::isCausal(kernel::GroupOp group, const AttentionOps &ops) {
  auto sum = ops.logits.getDefiningOp<graph::AddOp>();
  if (!sum)
    return false;
  graph::ConstantOp mask = constantAt(group, sum->getOperand(1));
  if (!mask)
    mask = constantAt(group, sum->getOperand(0));
  if (!mask)
    return false;
  auto type = cast<RankedTensorType>(mask.getType());
  auto scores = cast<RankedTensorType>(ops.logits.getType());
  int64_t size = scores.getShape().back();
  if (!type.getElementType().isF32() || type.getRank() < 2 ||
      type.getNumElements() != size * size ||
      type.getShape().take_back(2) != scores.getShape().take_back(2) ||
      scores.getDimSize(scores.getRank() - 2) != size)
    return false;
  FailureOr<interp::Tensor> numbers =
      interp::Tensor::fromElements(cast<ElementsAttr>(mask.getValue()));
  return succeeded(numbers) &&
         hidesLater({reinterpret_cast<const float *>(numbers->bytes().data()),
                     size_t(size * size)},
                    size);
}
