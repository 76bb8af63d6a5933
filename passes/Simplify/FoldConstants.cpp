//===- FoldConstants.cpp - evaluate what no input reaches -----------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file implements tenon-fold-constants: a walk in program order computes
// what it can, a walk backwards keeps what is worth storing. What is only on
// the way to smaller constants is never stored.
//===----------------------------------------------------------------------===//
#include "passes/Simplify/Constants.h"
#include "passes/Simplify/FoldRules.h"
#include "passes/Simplify/Passes.h"

namespace tenon {
#define GEN_PASS_DEF_FOLDCONSTANTSPASS
#include "passes/Simplify/Passes.h.inc"
} // namespace tenon

using namespace mlir;
using namespace tenon;
using namespace tenon::graph;
using simplify::CompactTensor;
using simplify::Origin;

/// Steps of the interpreter: arithmetic on the elements that are there, and
/// results that are written.
static int64_t workOf(Operation *op, ArrayRef<CompactTensor> operands,
                      int64_t results) {
  double there = 0, all = 0;
  for (const CompactTensor &operand : operands) {
    there += double(operand.elements.size());
    all += double(operand.type.getNumElements());
  }
  auto flops = double(cast<TensorOpInterface>(op).getCost().flops.value_or(0));
  return int64_t(all > 0 ? flops * there / all : flops) + results;
}

/// Whether there are no elements, whatever the sizes of inputs are.
static bool hasNone(Type type) {
  auto tensor = dyn_cast<RankedTensorType>(type);
  return tensor && llvm::is_contained(tensor.getShape(), 0);
}

/// Whether extents alone say what the results are: nothing, or sums of nothing.
static bool isKnownByExtents(Operation *op) {
  if (isa<MatmulOp, ConvOp, ConvTransposeOp>(op) &&
      llvm::any_of(op->getOperandTypes(), hasNone))
    return true;
  return simplify::mayFold(op) && op->getNumResults() > 0 &&
         llvm::all_of(op->getResultTypes(), isEmpty);
}

static Value makeZeros(OpBuilder &builder, Location loc, Type type) {
  auto tensor = cast<RankedTensorType>(type);
  if (!tensor.hasStaticShape()) {
    auto scalar = RankedTensorType::get({}, tensor.getElementType());
    return BroadcastOp::create(builder, loc, type,
                               makeZeros(builder, loc, scalar));
  }
  ElementsAttr zeros =
      isEmpty(type)
          ? ElementsAttr(DenseElementsAttr::get(tensor, ArrayRef<Attribute>()))
          : cast<ElementsAttr>(builder.getZeroAttr(type));
  return ConstantOp::create(builder, loc, tensor, zeros);
}

namespace {
/// A result that has been computed.
struct Folded {
  SmallVector<CompactTensor> results;
  Origin origin;
  bool isKept = false; ///< stored if anything else reads it
};

struct Budget {
  int64_t maxBytes, maxWork, spent = 0;
};

class BlockFolder {
public:
  BlockFolder(Block &block, Budget &budget) : block(block), budget(budget) {}

  void run();
  int64_t numFolded = 0, numBytes = 0;

private:
  std::optional<SmallVector<CompactTensor>> operandsOf(Operation *op) const;
  std::optional<CompactTensor> operandOf(Value value) const;
  bool isAffordable(Operation *op, ArrayRef<CompactTensor> operands);
  void fold(Operation *op);
  bool isWorthKeeping(Operation *op, const Folded &folded) const;
  void release(Operation *op);
  void commit(Operation *op);

  Block &block;
  Budget &budget;
  llvm::DenseSet<Operation *> weights; ///< what ends in weights
  llvm::DenseMap<Operation *, Folded> known;
  SmallVector<Operation *> order;
};
} // namespace

std::optional<CompactTensor> BlockFolder::operandOf(Value value) const {
  auto found = known.find(value.getDefiningOp());
  if (found != known.end())
    return found->second.results[cast<OpResult>(value).getResultNumber()];
  return CompactTensor::read(value);
}

std::optional<SmallVector<CompactTensor>>
BlockFolder::operandsOf(Operation *op) const {
  SmallVector<CompactTensor> operands;
  for (Value value : op->getOperands()) {
    std::optional<CompactTensor> operand;
    if (value.getDefiningOp())
      operand = operandOf(value);
    if (!operand)
      return std::nullopt;
    operands.push_back(*operand);
  }
  return operands;
}

/// Whether the results fit the budgets. What ends in weights does, but for
/// arithmetic that is more than one pass over them.
bool BlockFolder::isAffordable(Operation *op,
                               ArrayRef<CompactTensor> operands) {
  int64_t read = 0, written = 0, elements = 0;
  for (const CompactTensor &operand : operands)
    read += operand.bytes();
  for (Type type : op->getResultTypes()) {
    auto tensor = cast<RankedTensorType>(type);
    if (auto shape = simplify::compactShape(op, operands))
      tensor = tensor.clone(*shape);
    if (!tensor.hasStaticShape())
      return false;
    written += *tensorBytes(tensor);
    elements += tensor.getNumElements();
  }
  bool isWeight = weights.contains(op);
  if (isWeight && (op->hasTrait<Elementwise>() || simplify::isMovement(op)))
    return true;
  int64_t work = workOf(op, operands, elements);
  if (work > budget.maxWork - budget.spent ||
      (!isWeight && written > std::max(read, budget.maxBytes)))
    return false;
  budget.spent += work;
  return true;
}

bool BlockFolder::isWorthKeeping(Operation *op, const Folded &folded) const {
  if (weights.contains(op))
    return true;
  int64_t bytes = 0;
  for (const CompactTensor &result : folded.results)
    bytes += result.bytes();
  int64_t growth = bytes - folded.origin.bytes;
  return growth <= simplify::allowedGrowth(op, folded.origin, budget.maxBytes);
}

void BlockFolder::fold(Operation *op) {
  auto operands = operandsOf(op);
  if (!operands || !isAffordable(op, *operands))
    return;
  auto results = simplify::evaluate(op, *operands);
  if (failed(results))
    return;
  Folded folded{std::move(*results), Origin::of(op), false};
  for (auto [value, operand] : llvm::zip(op->getOperands(), *operands)) {
    auto before = known.find(value.getDefiningOp());
    folded.origin.add(before == known.end() ? Origin{operand.bytes()}
                                            : before->second.origin);
  }
  folded.isKept = isWorthKeeping(op, folded);
  known.try_emplace(op, std::move(folded));
  order.push_back(op);
  for (Value value : op->getOperands())
    if (known.contains(value.getDefiningOp()))
      release(value.getDefiningOp());
}

/// Forgets results that only such operations read as are kept themselves.
void BlockFolder::release(Operation *op) {
  bool isDone = llvm::all_of(op->getUsers(), [&](Operation *user) {
    auto found = known.find(user);
    return found != known.end() && found->second.isKept;
  });
  if (isDone)
    known[op].results.assign(op->getNumResults(), CompactTensor());
}

/// Puts constants in the place of an operation whose results are still read.
void BlockFolder::commit(Operation *op) {
  const Folded &folded = known[op];
  bool isRead = !op->use_empty();
  if (isRead && !folded.isKept)
    return;
  OpBuilder builder(op);
  int64_t limit = weights.contains(op) ? budget.maxBytes : 0;
  for (auto [result, tensor] : llvm::zip(op->getResults(), folded.results)) {
    if (result.use_empty())
      continue;
    if (isa<BroadcastOp>(op) && !tensor.isWorthStoring(limit) &&
        op->getOperand(0).getDefiningOp<ConstantOp>())
      return; // as it is
    numBytes += *tensorBytes(result.getType());
    result.replaceAllUsesWith(
        simplify::materialize(builder, op->getLoc(), tensor, limit));
  }
  ++numFolded;
  op->erase();
}

void BlockFolder::run() {
  weights = simplify::findWeights(block);
  for (Operation &op : llvm::make_early_inc_range(block)) {
    if (auto constant = dyn_cast<ConstantOp>(op)) {
      simplify::makeSplat(constant);
    } else if (isKnownByExtents(&op)) {
      OpBuilder builder(&op);
      for (Value result : op.getResults())
        result.replaceAllUsesWith(
            makeZeros(builder, op.getLoc(), result.getType()));
      ++numFolded;
      op.erase();
    } else if (simplify::mayFold(&op)) {
      fold(&op);
    }
  }
  for (Operation *op : llvm::reverse(order))
    commit(op);
  for (Operation &op : llvm::make_early_inc_range(llvm::reverse(block)))
    if (isa<ConstantOp>(op) && op.use_empty())
      op.erase();
}

namespace {
class FoldConstantsPass
    : public tenon::impl::FoldConstantsPassBase<FoldConstantsPass> {
public:
  using FoldConstantsPassBase::FoldConstantsPassBase;

  void runOnOperation() override {
    Budget budget{maxBytes, maxWork};
    getOperation().walk([&](Block *block) {
      BlockFolder folder(*block, budget);
      folder.run();
      numFolded += folder.numFolded;
      numBytes += folder.numBytes;
    });
  }
};
} // namespace
