//===- Attention.cpp - groups of two products and a softmax ---------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "passes/CodegenGpu/Attention/Attention.h"

#include "dialects/Kernel/Buffers.h"
#include "passes/Codegen/Builder/ElementwiseOps.h"

using namespace mlir;
using namespace tenon;
using namespace tenon::gpu;
using graph::MatmulOp;
using memory::BufferType;

static RankedTensorType typeOf(Value value) {
  return cast<RankedTensorType>(value.getType());
}

//===-- Softmax -----------------------------------------------------------===//

/// What a cast between types of floats widens or rounds.
static Value uncast(Value value) {
  auto isFloat = [](Value each) {
    return isa<FloatType>(getElementTypeOrSelf(each));
  };
  while (auto cast = value.getDefiningOp<graph::CastOp>()) {
    if (!isFloat(cast.getInput()) || !isFloat(cast.getResult()))
      break;
    value = cast.getInput();
  }
  return value;
}

/// Whether each row of the operand is reduced to one number.
template <typename Reduce> static Reduce rowReduction(Value value) {
  auto reduce = value.getDefiningOp<Reduce>();
  if (!reduce || !reduce.getKeepDims())
    return {};
  ArrayRef<int64_t> axes = reduce.getAxes();
  int64_t last = typeOf(reduce.getInput()).getRank() - 1;
  return axes.size() == 1 && axes[0] == last ? reduce : Reduce();
}

/// What a softmax along rows reads that has this result; null if it is none.
static Value logitsOf(Value weights, SmallPtrSetImpl<Operation *> &members) {
  Operation *scale = weights.getDefiningOp();
  if (!isa_and_nonnull<graph::MulOp, graph::DivOp>(scale))
    return {};
  Value numerator = scale->getOperand(0), sum = scale->getOperand(1);
  if (isa<graph::MulOp>(scale)) {
    if (numerator.getDefiningOp<graph::ReciprocalOp>())
      std::swap(numerator, sum);
    auto reciprocal = sum.getDefiningOp<graph::ReciprocalOp>();
    if (!reciprocal)
      return {};
    members.insert(reciprocal);
    sum = reciprocal.getInput();
  }
  auto exponential = numerator.getDefiningOp<graph::ExpOp>();
  auto total = rowReduction<graph::ReduceSumOp>(sum);
  if (!exponential || !total || total.getInput() != numerator)
    return {};
  auto shifted = exponential.getInput().getDefiningOp<graph::SubOp>();
  if (!shifted)
    return {};
  auto most = rowReduction<graph::ReduceMaxOp>(shifted->getOperand(1));
  if (!most || most.getInput() != shifted->getOperand(0))
    return {};
  for (Operation *op : {scale, exponential.getOperation(), total.getOperation(),
                        shifted.getOperation(), most.getOperation()})
    members.insert(op);
  return shifted->getOperand(0);
}

static bool isZero(Value value) {
  auto constant = value.getDefiningOp<graph::ConstantOp>();
  auto elements =
      constant ? dyn_cast<SplatElementsAttr>(constant.getValue()) : nullptr;
  return elements && isa<FloatType>(elements.getElementType()) &&
         elements.getSplatValue<APFloat>().isZero();
}

/// What is NaN in none but whole rows, without what makes these zero: exporters
/// add it for masks that hide all of a row.
static Value withNaN(Value weights, SmallPtrSetImpl<Operation *> &members) {
  auto select = weights.getDefiningOp<graph::SelectOp>();
  if (!select)
    return weights;
  auto isNaN = select->getOperand(0).getDefiningOp<graph::IsNanOp>();
  Value tested = select->getOperand(2);
  if (!isNaN || isNaN.getInput() != tested || !isZero(select->getOperand(1)))
    return weights;
  members.insert(select);
  members.insert(isNaN);
  return tested;
}

//===-- Groups ------------------------------------------------------------===//

static bool isMultiplied(Value value) {
  Type element = getElementTypeOrSelf(value);
  return isa<BlockArgument>(value) &&
         (element.isF32() || element.isF16() || element.isBF16());
}

static bool isKnown(Type type) {
  auto tensor = dyn_cast<RankedTensorType>(type);
  return tensor && tensor.hasStaticShape() && tensor.getNumElements() > 0;
}

/// Whether 32-bit numbers count all.
static bool isCounted(Type type) {
  constexpr int64_t most = int64_t(1) << 31;
  return isKnown(type) &&
         BufferType::getDense(cast<RankedTensorType>(type)).getBytes() < most;
}

/// Whether both products have the same batches, and rows.
static bool fitTogether(MatmulOp scores, MatmulOp context) {
  constexpr int64_t multiple = 8;
  RankedTensorType inner = scores.getType(), outer = context.getType();
  int64_t depth = typeOf(scores.getLhs())
                      .getShape()
                      .take_back(2)[scores.getTransposeLhs() ? 0 : 1];
  auto elementOf = [](Value value) { return getElementTypeOrSelf(value); };
  return inner.getShape().drop_back() == outer.getShape().drop_back() &&
         depth % multiple == 0 && outer.getShape().back() % multiple == 0 &&
         elementOf(scores.getLhs()) == elementOf(scores.getRhs()) &&
         elementOf(scores.getLhs()) == elementOf(context.getRhs());
}

/// Whether an operation works on scores, element by element, and on nothing
/// behind the softmax.
static bool isBetween(Operation &op, const AttentionOps &ops) {
  if (auto constant = dyn_cast<graph::ConstantOp>(op))
    return cast<ElementsAttr>(constant.getValue()).isSplat();
  MatmulOp scores = ops.scores;
  return scores && codegen::isElementwise(&op) && op.getNumResults() == 1 &&
         typeOf(op.getResult(0)).getRank() <= scores.getType().getRank() &&
         llvm::all_of(op.getOperands(), [&](Value operand) {
           Operation *def = operand.getDefiningOp();
           return !def || def == scores || llvm::is_contained(ops.between, def);
         });
}

/// Scores may be as many as they want: they are never in memory.
static bool hasKnownSizes(kernel::GroupOp group) {
  return llvm::all_of(group.getBlock().getArgumentTypes(), isCounted) &&
         llvm::all_of(group->getResultTypes(), isCounted) &&
         llvm::all_of(group.getBlock().without_terminator(), [](Operation &op) {
           return llvm::all_of(op.getResultTypes(), isKnown);
         });
}

std::optional<AttentionOps> tenon::gpu::attentionIn(kernel::GroupOp group) {
  if (group.isStaged() || group.getNumResults() != 1 || !hasKnownSizes(group))
    return std::nullopt;
  Value yielded = group.getBlock().getTerminator()->getOperand(0);
  AttentionOps ops;
  ops.context = uncast(yielded).getDefiningOp<MatmulOp>();
  if (!ops.context || ops.context.getTransposeLhs() ||
      !isMultiplied(ops.context.getRhs()))
    return std::nullopt;
  SmallPtrSet<Operation *, 8> others{ops.context};
  auto takeCasts = [&](Value from, Value to) {
    for (; from != to; from = from.getDefiningOp()->getOperand(0))
      others.insert(from.getDefiningOp());
  };
  takeCasts(yielded, ops.context.getResult());
  Value cleared = uncast(ops.context.getLhs());
  takeCasts(ops.context.getLhs(), cleared);
  Value weights = withNaN(cleared, others);
  ops.clearsNaN = weights != cleared;
  ops.logits = logitsOf(weights, others);
  if (!ops.logits || !getElementTypeOrSelf(ops.logits).isF32())
    return std::nullopt;
  for (Operation &op : group.getBlock().without_terminator()) {
    if (others.contains(&op))
      continue;
    if (auto matmul = dyn_cast<MatmulOp>(op); matmul && !ops.scores)
      ops.scores = matmul;
    else if (isBetween(op, ops))
      ops.between.push_back(&op);
    else
      return std::nullopt;
  }
  if (!ops.scores || !isMultiplied(ops.scores.getLhs()) ||
      !isMultiplied(ops.scores.getRhs()) ||
      typeOf(ops.logits).getShape() != ops.scores.getType().getShape() ||
      !fitTogether(ops.scores, ops.context))
    return std::nullopt;
  return ops;
}

//===-- Reading -----------------------------------------------------------===//

/// The operand of a product with this result; `areRowsLast`: steps of k are its
/// dimension before the last one.
static OperandLayout layoutOf(kernel::GroupOp group, Value operand,
                              ArrayRef<BufferType> buffers, bool areRowsLast,
                              ArrayRef<Size> result) {
  OperandLayout layout;
  layout.buffer = cast<BlockArgument>(operand).getArgNumber();
  layout.type = buffers[layout.buffer];
  ArrayRef<int64_t> shape = typeOf(operand).getShape();
  codegen::Sizes own = kernel::stridesOf(layout.type);
  size_t last = shape.size() - 1, before = last - 1;
  auto dim = [&](size_t i) { return OperandDim{shape[i], own[i].fixed()}; };
  layout.rows.push_back(dim(areRowsLast ? last : before));
  layout.k.push_back(dim(areRowsLast ? before : last));
  auto strides = codegen::broadcastStrides(layout.type, result);
  for (const Size &stride : ArrayRef(strides).drop_back(2))
    layout.batchStrides.push_back(stride.fixed());
  layout.offset = kernel::offsetOf(layout.type).fixed();
  layout.aligned = std::max<int64_t>(
      1, tenon::gpu::alignmentOf(group, layout.buffer) / layout.elementBytes());
  return layout;
}

Attention tenon::gpu::readAttention(kernel::GroupOp group,
                                    const AttentionOps &ops,
                                    ArrayRef<BufferType> operands) {
  MatmulOp scores = ops.scores, context = ops.context;
  codegen::Sizes shape = graph::sizesOf(scores.getType());
  Attention result{ops,
                   layoutOf(group, scores.getLhs(), operands,
                            scores.getTransposeLhs(), shape),
                   layoutOf(group, scores.getRhs(), operands,
                            !scores.getTransposeRhs(), shape),
                   layoutOf(group, context.getRhs(), operands,
                            !context.getTransposeRhs(), shape),
                   {}};
  llvm::append_range(result.batch, scores.getType().getShape().drop_back(2));
  return result;
}

int64_t Attention::batches() const {
  int64_t count = 1;
  for (int64_t extent : batch)
    count *= extent;
  return count;
}

static int64_t bytesOf(Type type) {
  return BufferType::getDense(cast<RankedTensorType>(type)).getBytes();
}

tile::GpuAttention Attention::problem(tile::Precision precision) const {
  MatmulOp context = ops.context;
  Type element = queries.type.getTensor().getElementType();
  tile::GpuAttention problem;
  problem.batches = batches();
  problem.rows = queries.rowCount();
  problem.keys = keys.rowCount();
  problem.depth = queries.kCount();
  problem.width = values.rowCount();
  problem.elementBytes = queries.elementBytes();
  problem.unit = unitOf(element, precision);
  for (Type type : context->getBlock()->getArgumentTypes())
    problem.bytes += bytesOf(type);
  problem.bytes += bytesOf(context.getType());
  int64_t operands = context->getBlock()->getNumArguments();
  problem.loads = std::max<int64_t>(0, operands - 3);
  return problem;
}
