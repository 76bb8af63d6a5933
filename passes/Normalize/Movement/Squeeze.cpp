//===- Squeeze.cpp - removal of unit dimensions ---------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file keeps the symbols of the other dimensions.
//===----------------------------------------------------------------------===//
#include "dialects/Graph/Bounds.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "passes/Normalize/Movement/Movement.h"

using namespace tenon;
using namespace tenon::normalize;

/// Whether the first result has the rank of the first operand, as far as the
/// model says: unary operations, those with a number, and parts.
static bool keepsRank(mlir::Operation *op) {
  StringRef name = op->getName().stripDialect();
  bool isNumeric =
      llvm::is_contained({"Add", "Div", "Mul", "Pow", "Sub"}, name);
  if (isNumeric)
    return llvm::any_of(op->getOperandTypes(), [](mlir::Type type) {
      auto tensor = mlir::dyn_cast<RankedTensorType>(type);
      return tensor && tensor.getRank() == 0;
    });
  return llvm::is_contained({"Abs",      "Cast",      "Clip",     "Concat",
                             "Elu",      "Erf",       "Exp",      "HardSigmoid",
                             "Identity", "LeakyRelu", "Log",      "LogSoftmax",
                             "Neg",      "Pad",       "Relu",     "Sigmoid",
                             "Slice",    "Softmax",   "Softplus", "Sqrt",
                             "Tanh",     "Transpose"},
                            name);
}

std::optional<int64_t> normalize::statedRank(Value value, int most) {
  if (auto type = mlir::dyn_cast<RankedTensorType>(value.getType()))
    return type.getRank();
  for (mlir::OpOperand &use : value.getUses()) {
    mlir::Operation *user = use.getOwner();
    auto function = mlir::dyn_cast<mlir::func::FuncOp>(user->getParentOp());
    if (function && user->hasTrait<mlir::OpTrait::IsTerminator>())
      if (auto rank = function.getResultAttrOfType<mlir::IntegerAttr>(
              use.getOperandNumber(), "onnx.rank"))
        return rank.getInt();
    if (most > 0 && user->getNumResults() > 0 && keepsRank(user))
      if (auto rank = statedRank(user->getResult(0), most - 1))
        return rank;
  }
  return std::nullopt;
}

/// The rank that those need at least who take an axis of `value`.
static int64_t neededRank(Value value) {
  int64_t rank = 0;
  for (mlir::OpOperand &use : value.getUses()) {
    mlir::Operation *user = use.getOwner();
    auto axis = user->getAttrOfType<mlir::IntegerAttr>("axis");
    bool isOfOperand = llvm::is_contained({"Concat", "Gather", "GatherElements",
                                           "LogSoftmax", "Softmax", "Split"},
                                          user->getName().stripDialect());
    if (axis && isOfOperand && use.getOperandNumber() == 0)
      rank = std::max(rank,
                      axis.getInt() < 0 ? -axis.getInt() : axis.getInt() + 1);
  }
  return rank;
}

static bool isOne(NormalizeContext &ctx, mlir::Attribute dim) {
  graph::DimBounds bounds = graph::boundsOf(dim, ctx.symbols());
  return bounds.min == 1 && bounds.max == 1;
}

/// All that have one element. Where symbols leave that open, the rank that the
/// model states, or that its users need, says whether they all do or none does.
static std::optional<SmallVector<int64_t>> unitAxes(NormalizeContext &ctx,
                                                    const Node &node) {
  SmallVector<int64_t> units, open;
  for (auto [axis, dim] : llvm::enumerate(dimsOf(node.type(0))))
    if (dim && isOne(ctx, dim))
      units.push_back(axis);
    else if (!dim || graph::isSymbolic(dim))
      open.push_back(axis);
  if (open.empty())
    return units;
  auto stated = statedRank(node.operation()->getResult(0));
  int64_t most = node.type(0).getRank() - int64_t(units.size());
  if (stated == most || neededRank(node.operation()->getResult(0)) == most)
    return units;
  if (stated == most - int64_t(open.size())) {
    units.append(open);
    llvm::sort(units);
    return units;
  }
  (void)ctx.unsupported("which dimensions it removes depends on sizes that are "
                        "not known, and no rank is stated for its result");
  return std::nullopt;
}

Lowered normalize::lowerSqueeze(NormalizeContext &ctx, const Node &node) {
  RankedTensorType type = node.type(0);
  Dims dims = dimsOf(type), kept;
  SmallVector<int64_t> axes;
  if (node.operand(1)) {
    auto listed = axesOperand(ctx, node, 1, type.getRank());
    if (!listed)
      return mlir::failure();
    axes = *listed;
  } else {
    auto found = unitAxes(ctx, node);
    if (!found)
      return mlir::failure();
    axes = *found;
  }
  mlir::Attribute one = sizeDim(node.context(), 1);
  auto keepsOne = [&](mlir::Attribute dim) {
    for (mlir::Attribute rest :
         {graph::subtractDims(dim, one), graph::subtractDims(one, dim)})
      (void)graph::demandNotNegative(rest, ctx.symbols());
  };
  for (auto [axis, dim] : llvm::enumerate(dims)) {
    if (!llvm::is_contained(axes, int64_t(axis)))
      kept.push_back(dim);
    else if (!graph::isSymbolic(dim) && sizeOf(dim) != 1)
      return ctx.unsupported("a dimension to be removed is not 1");
    // Where no range says so, the reshape asks for it.
    else if (graph::isSymbolic(dim))
      keepsOne(dim);
  }
  return ctx.reshapeTo(node.operand(0),
                       typeFromDims(kept, type.getElementType()));
}
