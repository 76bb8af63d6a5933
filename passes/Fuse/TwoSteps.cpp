//===- TwoSteps.cpp - reductions in two steps -----------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "passes/Fuse/TwoSteps.h"

#include "dialects/Graph/Graph.h"

#include "mlir/IR/Builders.h"

using namespace mlir;
using namespace tenon;
using namespace tenon::fuse;

static RankedTensorType typeOf(Value value) {
  return cast<RankedTensorType>(value.getType());
}

ArrayRef<int64_t> Reduction::shape() const { return typeOf(input).getShape(); }

Operation *Reduction::op() const {
  return &kernel::GroupOp(groups.back()).getBlock().front();
}

//===-- Finding -----------------------------------------------------------===//

/// The axes of a group that does nothing but reduce neighbours in front of
/// others.
static ArrayRef<int64_t> axesOf(kernel::GroupOp group) {
  if (!group || group->getNumOperands() != 1 || group.getNumResults() != 1 ||
      !llvm::hasSingleElement(group.getBlock().without_terminator()))
    return {};
  Operation &op = group.getBlock().front();
  if (!isa<graph::ReduceSumOp, graph::ReduceMeanOp, graph::ReduceMaxOp,
           graph::ReduceMinOp>(op))
    return {};
  RankedTensorType type = typeOf(group.getOperand(0));
  ArrayRef<int64_t> axes =
      op.getAttrOfType<DenseI64ArrayAttr>("axes").asArrayRef();
  bool areNeighbours = !axes.empty() &&
                       axes.back() - axes.front() + 1 == int64_t(axes.size()) &&
                       axes.back() + 1 < type.getRank();
  // Sums of narrow types would be rounded twice.
  bool isWide = type.getElementType().isF32() || type.getElementType().isF64();
  return areNeighbours && isWide && type.hasStaticShape() ? axes
                                                          : ArrayRef<int64_t>();
}

static int64_t productOf(ArrayRef<int64_t> extents) {
  int64_t product = 1;
  for (int64_t extent : extents)
    product *= extent;
  return product;
}

/// The dimensions of `shape` that are `inner` more than those of a reshape that
/// makes two of them, from `begin` on; none if it does something else.
static std::optional<size_t>
endOfParts(ArrayRef<int64_t> shape, ArrayRef<int64_t> parted, size_t begin) {
  size_t behind = parted.size() - begin - 2;
  if (shape.size() <= begin + behind)
    return std::nullopt;
  size_t end = shape.size() - behind;
  bool isSame = shape.take_front(begin) == parted.take_front(begin) &&
                shape.take_back(behind) == parted.take_back(behind) &&
                productOf(shape.slice(begin, end - begin)) ==
                    productOf(parted.slice(begin, 2));
  return isSame ? std::optional(end) : std::nullopt;
}

/// Equal parts of a reshaped tensor, and then these.
static std::optional<Reduction> reductionOfParts(kernel::GroupOp last) {
  auto parts = last.getOperand(0).getDefiningOp<kernel::GroupOp>();
  ArrayRef<int64_t> inner = axesOf(parts), outer = axesOf(last);
  if (inner.size() != 1 || outer.size() != 1 ||
      outer.front() + 1 != inner.front() || !parts->hasOneUse() ||
      parts.getBlock().front().getName() != last.getBlock().front().getName())
    return std::nullopt;
  auto reshape = parts.getOperand(0).getDefiningOp<graph::ReshapeOp>();
  if (!reshape || !typeOf(reshape.getInput()).hasStaticShape())
    return std::nullopt;
  auto begin = size_t(outer.front());
  std::optional<size_t> end =
      endOfParts(typeOf(reshape.getInput()).getShape(),
                 typeOf(reshape.getResult()).getShape(), begin);
  if (!end)
    return std::nullopt;
  return Reduction{reshape.getInput(), begin, *end, {parts, last}};
}

std::optional<Reduction> fuse::reductionIn(kernel::GroupOp last) {
  ArrayRef<int64_t> axes = axesOf(last);
  if (axes.empty())
    return std::nullopt;
  if (auto parts = reductionOfParts(last))
    return parts;
  return Reduction{last.getOperand(0),
                   size_t(axes.front()),
                   size_t(axes.back()) + 1,
                   {last}};
}

//===-- Building ----------------------------------------------------------===//

/// A group of one operand, around what `body` makes of it.
static kernel::GroupOp
createGroup(OpBuilder &b, Location loc, Value operand, RankedTensorType result,
            function_ref<Value(OpBuilder &, Value)> body) {
  auto group =
      kernel::GroupOp::create(b, loc, TypeRange{result}, ValueRange{operand});
  Block &block = group.getBody().emplaceBlock();
  OpBuilder inside = OpBuilder::atBlockEnd(&block);
  Value argument = block.addArgument(operand.getType(), loc);
  kernel::YieldOp::create(inside, loc, body(inside, argument));
  return group;
}

/// Of what a mean adds up: it is divided by the number of all in the end.
static Value reduce(OpBuilder &b, Operation *like, Value value,
                    ArrayRef<int64_t> axes, bool keepDims) {
  Location loc = like->getLoc();
  if (isa<graph::ReduceMaxOp>(like))
    return graph::ReduceMaxOp::create(b, loc, value, axes, keepDims);
  if (isa<graph::ReduceMinOp>(like))
    return graph::ReduceMinOp::create(b, loc, value, axes, keepDims);
  return graph::ReduceSumOp::create(b, loc, value, axes, keepDims);
}

static Value dividedBy(OpBuilder &b, Location loc, Value sum, int64_t count) {
  auto type = RankedTensorType::get({}, typeOf(sum).getElementType());
  auto number = DenseElementsAttr::get(
      type, b.getFloatAttr(type.getElementType(), double(count)));
  Value divisor = graph::ConstantOp::create(b, loc, type, number);
  return graph::DivOp::create(b, loc, sum, divisor);
}

/// The blocks of the reduced dimensions, each dimension by two.
static SmallVector<int64_t> blockShape(const Reduction &reduction,
                                       ArrayRef<int64_t> sizes) {
  ArrayRef<int64_t> shape = reduction.shape();
  SmallVector<int64_t> blocks(shape.take_front(reduction.begin));
  for (auto [i, size] : llvm::enumerate(sizes))
    blocks.append({shape[reduction.begin + i] / size, size});
  llvm::append_range(blocks, shape.drop_front(reduction.end));
  return blocks;
}

TwoSteps fuse::createTwoSteps(const Reduction &reduction,
                              ArrayRef<int64_t> sizes) {
  Operation *op = reduction.op();
  Location loc = kernel::GroupOp(reduction.groups.front()).getLoc();
  OpBuilder b(
      kernel::GroupOp(reduction.groups.back())->getBlock()->getTerminator());
  Type element = typeOf(reduction.input).getElementType();
  SmallVector<int64_t> all(reduction.shape()), one(all), axes, inBlocks;
  for (size_t i = 0; i < sizes.size(); ++i) {
    axes.push_back(int64_t(reduction.begin + i));
    inBlocks.push_back(int64_t(reduction.begin + 2 * i + 1));
    all[reduction.begin + i] /= sizes[i];
    one[reduction.begin + i] = 1;
  }
  TwoSteps steps;
  steps.blocks = createGroup(
      b, loc, reduction.input, RankedTensorType::get(all, element),
      [&](OpBuilder &inside, Value value) {
        auto type =
            RankedTensorType::get(blockShape(reduction, sizes), element);
        value = graph::ReshapeOp::create(inside, loc, type, value);
        return reduce(inside, op, value, inBlocks, /*keepDims=*/false);
      });
  int64_t count = productOf(reduction.shape().slice(
      reduction.begin, reduction.end - reduction.begin));
  steps.whole = createGroup(
      b, loc, steps.blocks.getResult(0), RankedTensorType::get(one, element),
      [&](OpBuilder &inside, Value value) {
        value = reduce(inside, op, value, axes, /*keepDims=*/true);
        return isa<graph::ReduceMeanOp>(op)
                   ? dividedBy(inside, op->getLoc(), value, count)
                   : value;
      });
  return steps;
}
