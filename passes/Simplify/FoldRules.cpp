//===- FoldRules.cpp - which constants are worth storing ------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "passes/Simplify/FoldRules.h"
#include "dialects/Graph/GraphSteps.h"

using namespace mlir;
using namespace tenon;
using namespace tenon::graph;

/// A launch at each run costs more than to read so much.
static constexpr int64_t launchBytes = 65536;

/// Whether all users of `transpose` are products that read their weights
/// transposed instead, while its operand is gathered from as it is.
static bool isOfSharedTable(TransposeOp transpose) {
  ArrayRef<int64_t> order = transpose.getPermutation();
  auto isGather = [&](Operation *user) {
    auto gather = dyn_cast<GatherOp>(user);
    return gather && gather.getInput() == transpose.getInput();
  };
  auto takesIn = [&](Operation *user) {
    auto matmul = dyn_cast<MatmulOp>(user);
    return matmul && matmul.getRhs() == transpose.getResult() &&
           matmul.getLhs() != transpose.getResult() &&
           !matmul.getTransposeRhs();
  };
  return order.size() == 2 && order[0] == 1 && transpose->hasOneUse() &&
         llvm::all_of(transpose->getUsers(), takesIn) &&
         llvm::any_of(transpose.getInput().getUsers(), isGather);
}

bool simplify::mayFold(Operation *op) {
  if (!isa<TensorOpInterface>(op) || isa<ConstantOp, PackOp, StepsOp>(op))
    return false;
  auto hasStaticShape = [](Type type) {
    return cast<RankedTensorType>(type).hasStaticShape();
  };
  auto transpose = dyn_cast<TransposeOp>(op);
  return llvm::all_of(op->getResultTypes(), hasStaticShape) &&
         !(transpose && isOfSharedTable(transpose));
}

bool simplify::isMovement(Operation *op) {
  return isa<ReshapeOp, BroadcastOp, TransposeOp, SliceOp, ConcatOp, PadOp,
             GatherOp, GatherElementsOp, BitcastOp>(op);
}

/// Whether vectors compute `op` about as fast as they load its result.
static bool isCheap(Operation *op) {
  return isa<CastOp, IotaOp, AbsOp, NegOp, SignOp, ReluOp, NotOp, AddOp, SubOp,
             MulOp, MaxOp, MinOp, AndOp, OrOp, XorOp, EqualOp, LessOp,
             LessEqualOp, GreaterOp, GreaterEqualOp, SelectOp>(op);
}

simplify::Origin simplify::Origin::of(Operation *op) {
  Origin origin;
  origin.computes = !isMovement(op);
  origin.isCostly = origin.computes && !isCheap(op);
  return origin;
}

void simplify::Origin::add(const Origin &operand) {
  bytes += operand.bytes;
  computes |= operand.computes;
  isCostly |= operand.isCostly;
}

int64_t simplify::allowedGrowth(Operation *op, const Origin &origin,
                                int64_t maxBytes) {
  // Rows of a table are taken first, then computed.
  auto isTaken = [](OpOperand &use) {
    return isa<GatherOp, SliceOp>(use.getOwner()) &&
           use.getOperandNumber() == 0;
  };
  if (!origin.computes || llvm::all_of(op->getUses(), isTaken))
    return freeGrowthBytes;
  return origin.isCostly ? maxBytes : launchBytes;
}

//===-- Weights -----------------------------------------------------------===//

bool simplify::isWeight(OpOperand &use) {
  Operation *user = use.getOwner();
  if (auto transpose = dyn_cast<TransposeOp>(user))
    return isOfSharedTable(transpose);
  unsigned index = use.getOperandNumber();
  return isa<MatmulOp>(user) ||
         (index == 1 && isa<ConvOp, ConvTransposeOp>(user)) ||
         (index >= 1 && isa<RecurrentOp, RecurrenceOp>(user));
}

llvm::DenseSet<Operation *> simplify::findWeights(Block &block) {
  llvm::DenseSet<Operation *> constant, weights;
  auto isConstant = [&](Value value) {
    return value.getDefiningOp<ConstantOp>() ||
           constant.contains(value.getDefiningOp());
  };
  for (Operation &op : block)
    if (mayFold(&op) && llvm::all_of(op.getOperands(), isConstant))
      constant.insert(&op);
  for (Operation &op : llvm::reverse(block)) {
    if (!constant.contains(&op))
      continue;
    bool ends = llvm::any_of(op.getUses(), [&](OpOperand &use) {
      return constant.contains(use.getOwner())
                 ? weights.contains(use.getOwner())
                 : isWeight(use);
    });
    if (ends)
      weights.insert(&op);
  }
  return weights;
}

void simplify::makeSplat(ConstantOp constant) {
  if (auto dense = dyn_cast<DenseElementsAttr>(constant.getValue());
      dense && dense.isSplat())
    return;
  auto tensor = CompactTensor::read(constant);
  if (!tensor || !tensor->isUniform())
    return;
  auto one = cast<DenseElementsAttr>(tensor->elements.toElements());
  constant.setValueAttr(one.resizeSplat(constant.getType()));
}
