//===- CompactTensor.cpp - constants without their repetitions ------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file reads compact constants from the graph and puts them back.
//===----------------------------------------------------------------------===//
#include "passes/Simplify/CompactTensor.h"

#include "dialects/Graph/Graph.h"

using namespace mlir;
using namespace tenon;
using namespace tenon::graph;
using interp::Tensor;
using simplify::CompactTensor;

static RankedTensorType onesLike(RankedTensorType type) {
  return RankedTensorType::get(SmallVector<int64_t>(type.getRank(), 1),
                               type.getElementType());
}

/// Whether there are several elements, all with the same bits.
static bool hasEqualElements(const Tensor &tensor) {
  if (tensor.size() < 2)
    return false;
  ArrayRef<char> bytes = tensor.bytes();
  return bytes.drop_front(bytes.size() / tensor.size()) ==
         bytes.drop_back(bytes.size() / tensor.size());
}

CompactTensor CompactTensor::of(const Tensor &elements, RankedTensorType type) {
  if (!hasEqualElements(elements))
    return {elements, type};
  Tensor one = Tensor::allocate(onesLike(type));
  llvm::copy(elements.bytes().take_front(one.bytes().size()),
             one.mutableBytes().begin());
  return {one, type};
}

bool CompactTensor::isWorthStoring(int64_t limit) const {
  return isUniform() ||
         *tensorBytes(type) <= std::max(limit, bytes() + freeGrowthBytes);
}

//===-- From the graph ----------------------------------------------------===//

static std::optional<CompactTensor> readConstant(ConstantOp constant) {
  ElementsAttr elements = constant.getValue();
  RankedTensorType type = constant.getType();
  if (auto dense = dyn_cast<DenseElementsAttr>(elements);
      dense && dense.isSplat() && !isEmpty(type))
    elements = dense.resizeSplat(onesLike(type));
  FailureOr<Tensor> tensor = Tensor::viewElements(elements);
  if (failed(tensor))
    return std::nullopt;
  return CompactTensor::of(*tensor, type);
}

std::optional<CompactTensor> CompactTensor::read(Value value) {
  if (auto constant = value.getDefiningOp<ConstantOp>())
    return readConstant(constant);
  auto broadcast = value.getDefiningOp<BroadcastOp>();
  if (!broadcast || !broadcast.getType().hasStaticShape() ||
      isEmpty(broadcast.getType()))
    return std::nullopt;
  auto constant = broadcast.getInput().getDefiningOp<ConstantOp>();
  std::optional<CompactTensor> input;
  if (constant)
    input = readConstant(constant);
  if (!input)
    return std::nullopt;
  auto results = evaluate(broadcast, *input);
  return succeeded(results) ? std::optional(results->front()) : std::nullopt;
}

//===-- To the graph ------------------------------------------------------===//

Tensor simplify::runOn(ArrayRef<Tensor> operands, MakeOp make) {
  if (!llvm::all_of(operands, [](const Tensor &x) { return bool(x); }))
    return Tensor();
  Block block;
  OpBuilder loose(operands.front().getType().getContext());
  for (const Tensor &operand : operands)
    block.addArgument(operand.getType(), loose.getUnknownLoc());
  Operation *op = make(loose, block.getArguments());
  auto results = interp::evaluate(op, operands);
  op->erase();
  return failed(results) ? Tensor() : results->front();
}

Tensor simplify::expand(const CompactTensor &tensor) {
  if (tensor.elements.getType() == tensor.type)
    return tensor.elements;
  return runOn(tensor.elements, [&](OpBuilder &b, ValueRange values) {
    return BroadcastOp::create(b, b.getUnknownLoc(), tensor.type,
                               values.front());
  });
}

static Value createConstant(OpBuilder &builder, Location loc,
                            const Tensor &tensor) {
  return ConstantOp::create(builder, loc, tensor.getType(),
                            tensor.toElements());
}

Value simplify::materialize(OpBuilder &builder, Location loc,
                            const CompactTensor &tensor, int64_t limit) {
  if (tensor.isUniform()) {
    auto one = cast<DenseElementsAttr>(tensor.elements.toElements());
    return ConstantOp::create(builder, loc, tensor.type,
                              one.resizeSplat(tensor.type));
  }
  Tensor all = tensor.isWorthStoring(limit) ? expand(tensor) : Tensor();
  if (all)
    return createConstant(builder, loc, all);
  return BroadcastOp::create(builder, loc, tensor.type,
                             createConstant(builder, loc, tensor.elements));
}
