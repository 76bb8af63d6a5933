//===- Distribute.cpp - what need not run step by step --------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file takes operations out of a loop of fixed length. A product of one
// step reads its weights for a few rows; one of all steps reads them once.
//===----------------------------------------------------------------------===//
#include "passes/Control/StepsForm.h"

#include "mlir/IR/IRMapping.h"

using namespace mlir;
using namespace tenon;
using namespace tenon::ctrl;

/// What all steps give at once has to fit into memory.
static constexpr int64_t maxStackedBytes = int64_t(1) << 28;

RankedTensorType ctrl::stackedType(Type type, int64_t count) {
  auto tensor = cast<RankedTensorType>(type);
  SmallVector<int64_t> shape = {count};
  llvm::append_range(shape, tensor.getShape());
  return RankedTensorType::get(shape, tensor.getElementType());
}

RankedTensorType ctrl::slicedType(Type type) {
  auto tensor = cast<RankedTensorType>(type);
  return RankedTensorType::get(tensor.getShape().drop_front(),
                               tensor.getElementType());
}

Value ctrl::cut(OpBuilder &builder, Value value, int64_t first, int64_t count) {
  auto type = cast<RankedTensorType>(value.getType());
  if (type.getDimSize(0) == count)
    return value;
  SmallVector<int64_t> starts(type.getRank(), 0), sizes(type.getShape()),
      steps(type.getRank(), 1);
  starts[0] = first, sizes[0] = count;
  return graph::SliceOp::create(builder, value.getLoc(), value, starts, sizes,
                                steps);
}

//===-- The form ----------------------------------------------------------===//

BlockArgument StepsForm::addScan(Value outside) {
  scans.push_back({outside, block().addArgument(slicedType(outside.getType()),
                                                outside.getLoc())});
  return scans.back().inside;
}

BlockArgument StepsForm::addInvariant(Value outside) {
  invariants.push_back(
      {outside, block().addArgument(outside.getType(), outside.getLoc())});
  return invariants.back().inside;
}

void StepsForm::dropStack(size_t stack) {
  end()->eraseOperand(yielded(stack).getOperandNumber());
  stacks.erase(stacks.begin() + stack);
}

void StepsForm::dropCarried(size_t index) {
  end()->eraseOperand(unsigned(index));
  carried.erase(carried.begin() + index);
  finals.erase(finals.begin() + index);
}

//===-- All steps at once -------------------------------------------------===//

namespace {
class Distribution {
public:
  explicit Distribution(StepsForm &form) : form(form) {
    for (const StepsForm::Input &input : form.invariants)
      invariants[input.inside] = input.outside;
    for (const StepsForm::Input &input : form.scans)
      scans[input.inside] = input.outside;
  }

  void run() {
    for (auto matmul :
         llvm::make_early_inc_range(form.block().getOps<graph::MatmulOp>()))
      splitRows(matmul);
    for (Operation &op :
         llvm::make_early_inc_range(form.block().without_terminator()))
      hoist(&op);
    for (size_t stack = 0; stack < form.stacks.size(); ++stack)
      while (sink(stack))
        ;
  }

private:
  bool isInvariant(Value value) {
    return constants.contains(value) || invariants.contains(value);
  }
  void splitRows(graph::MatmulOp matmul);
  void hoist(Operation *op);
  void hoistWhole(Operation *op);
  bool sink(size_t stack);
  Value outside(OpBuilder &builder, Value value);
  Operation *lift(OpBuilder &builder, Operation *op, IRMapping &stacked);

  StepsForm &form;
  llvm::DenseMap<Value, Value> invariants, scans;
  /// What is made of constants stays in the body, where it is folded, and is
  /// copied.
  llvm::DenseSet<Value> constants;
};
} // namespace

/// Whether `op` on one step is `op` on stacked values.
static bool isLiftable(Operation *op) {
  if (op->getNumResults() != 1 || op->getNumOperands() == 0)
    return false;
  if (auto gather = dyn_cast<graph::GatherOp>(op))
    return gather.getAxis() == 0;
  return op->hasTrait<graph::Elementwise>() ||
         isa<graph::MatmulOp, graph::ReshapeOp>(op);
}

/// Which operands of a liftable operation may differ from step to step.
static bool mayStack(OpOperand &operand) {
  return !isa<graph::GatherOp>(operand.getOwner()) ||
         operand.getOperandNumber() == 1;
}

/// An invariant in front of the loop or behind it.
Value Distribution::outside(OpBuilder &builder, Value value) {
  if (!constants.contains(value))
    return invariants.lookup(value);
  Operation *op = value.getDefiningOp();
  IRMapping mapping;
  for (Value operand : op->getOperands())
    mapping.map(operand, outside(builder, operand));
  return builder.clone(*op, mapping)
      ->getResult(cast<OpResult>(value).getResultNumber());
}

/// The dimension of the steps stands in front of all others, so operands of a
/// lower rank than the result get dimensions of 1 behind it.
static Value alignRank(OpBuilder &builder, Value stacked, int64_t rank) {
  auto type = cast<RankedTensorType>(stacked.getType());
  if (type.getRank() > rank)
    return stacked;
  SmallVector<int64_t> shape(type.getShape());
  shape.insert(shape.begin() + 1, size_t(rank + 1 - type.getRank()), 1);
  return graph::ReshapeOp::create(
      builder, stacked.getLoc(),
      RankedTensorType::get(shape, type.getElementType()), stacked);
}

Operation *Distribution::lift(OpBuilder &builder, Operation *op,
                              IRMapping &stacked) {
  Type type = op->getResult(0).getType();
  bool isAligned =
      op->hasTrait<graph::Elementwise>() || isa<graph::MatmulOp>(op);
  IRMapping mapping;
  for (Value operand : op->getOperands()) {
    Value all = stacked.lookupOrNull(operand);
    if (all && isAligned)
      all = alignRank(builder, all, cast<RankedTensorType>(type).getRank());
    mapping.map(operand, all ? all : outside(builder, operand));
  }
  Operation *copy = builder.clone(*op, mapping);
  copy->getResult(0).setType(stackedType(type, form.count));
  return copy;
}

/// Rows [first, first + count) of weights.
static Value rowsOf(OpBuilder &builder, Value weights, int64_t first,
                    int64_t count) {
  int64_t columns = cast<RankedTensorType>(weights.getType()).getDimSize(1);
  return graph::SliceOp::create(
      builder, weights.getLoc(), weights, ArrayRef<int64_t>{first, 0},
      ArrayRef<int64_t>{count, columns}, ArrayRef<int64_t>{1, 1});
}

/// A product of what comes in and the state side by side is the sum of two, of
/// which all steps of the first can be computed at once.
void Distribution::splitRows(graph::MatmulOp matmul) {
  auto concat = matmul.getLhs().getDefiningOp<graph::ConcatOp>();
  auto weights = cast<RankedTensorType>(matmul.getRhs().getType());
  auto type = cast<RankedTensorType>(matmul.getLhs().getType());
  if (!concat || !matmul.getRhs().getDefiningOp<graph::ConstantOp>() ||
      weights.getRank() != 2 ||
      int64_t(concat.getAxis()) != type.getRank() - 1 ||
      matmul.getTransposeLhs() || matmul.getTransposeRhs() ||
      llvm::none_of(concat->getOperands(),
                    [&](Value part) { return scans.contains(part); }))
    return;
  OpBuilder builder(matmul);
  Location loc = matmul.getLoc();
  int64_t first = 0;
  Value sum;
  for (Value part : concat->getOperands()) {
    int64_t count = cast<RankedTensorType>(part.getType()).getShape().back();
    Value rows = rowsOf(builder, matmul.getRhs(), first, count);
    Value product = graph::MatmulOp::create(builder, loc, part, rows,
                                            UnitAttr(), UnitAttr());
    sum =
        sum ? Value(graph::AddOp::create(builder, loc, sum, product)) : product;
    first += count;
  }
  matmul.replaceAllUsesWith(sum);
  matmul.erase();
}

/// What reads invariants alone is one itself.
void Distribution::hoistWhole(Operation *op) {
  OpBuilder builder(form.loop);
  IRMapping mapping;
  for (Value operand : op->getOperands())
    if (!mapping.contains(operand))
      mapping.map(operand, outside(builder, operand));
  Operation *copy = builder.clone(*op, mapping);
  for (auto [inside, made] : llvm::zip(op->getResults(), copy->getResults())) {
    BlockArgument argument = form.addInvariant(made);
    invariants[argument] = made;
    inside.replaceAllUsesWith(argument);
  }
  op->erase();
}

void Distribution::hoist(Operation *op) {
  if (llvm::all_of(op->getOperands(),
                   [&](Value operand) { return constants.contains(operand); }))
    return (void)constants.insert_range(op->getResults());
  if (llvm::all_of(op->getOperands(),
                   [&](Value operand) { return isInvariant(operand); }))
    return hoistWhole(op);
  if (!isLiftable(op) ||
      !llvm::all_of(op->getOpOperands(), [&](OpOperand &use) {
        return isInvariant(use.get()) ||
               (scans.contains(use.get()) && mayStack(use));
      }))
    return;
  auto type = stackedType(op->getResult(0).getType(), form.count);
  if (*graph::tensorBytes(type) > maxStackedBytes)
    return;
  OpBuilder builder(form.loop);
  IRMapping stacked;
  for (Value operand : op->getOperands())
    if (scans.contains(operand))
      stacked.map(operand, cut(builder, scans.lookup(operand), 0, form.count));
  Value made = lift(builder, op, stacked)->getResult(0);
  BlockArgument argument = form.addScan(made);
  scans[argument] = made;
  op->getResult(0).replaceAllUsesWith(argument);
  op->erase();
}

/// Has the loop stack what the operation behind a stacked result reads instead
/// of what it gives. True if it did.
bool Distribution::sink(size_t stack) {
  OpOperand &yielded = form.yielded(stack);
  Operation *op = yielded.get().getDefiningOp();
  if (!op || !isLiftable(op) || !op->hasOneUse())
    return false;
  llvm::SmallSetVector<Value, 2> own;
  for (OpOperand &use : op->getOpOperands())
    if (!isInvariant(use.get())) {
      if (!mayStack(use))
        return false;
      own.insert(use.get());
    }
  if (own.size() != 1)
    return false;
  auto type = stackedType(own[0].getType(), form.count);
  if (*graph::tensorBytes(type) > maxStackedBytes)
    return false;
  OpBuilder builder(form.loop->getContext());
  builder.setInsertionPointAfter(form.loop);
  auto place = UnrealizedConversionCastOp::create(
      builder, op->getLoc(), TypeRange(type), ValueRange());
  IRMapping stacked;
  stacked.map(own[0], place.getResult(0));
  Value made = lift(builder, op, stacked)->getResult(0);
  form.stacks[stack].replaceAllUsesWith(made);
  if (auto before =
          form.stacks[stack].getDefiningOp<UnrealizedConversionCastOp>())
    before.erase();
  form.stacks[stack] = place.getResult(0);
  yielded.set(own[0]);
  op->erase();
  return true;
}

void ctrl::distribute(StepsForm &form) { Distribution(form).run(); }
