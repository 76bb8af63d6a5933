//===- AssignLayouts.cpp - put the channels of images last ----------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file implements tenon-assign-layouts: a minimum cut decides which
// operations work with channels last, then one walk rebuilds those.
//===----------------------------------------------------------------------===//
#include "lib/Flow/MinCut.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "passes/Simplify/Constants.h"
#include "passes/Simplify/Layouts.h"
#include "passes/Simplify/Passes.h"

namespace tenon {
#define GEN_PASS_DEF_ASSIGNLAYOUTSPASS
#include "passes/Simplify/Passes.h.inc"
} // namespace tenon

using namespace mlir;
using namespace tenon;
using namespace tenon::graph;
using namespace tenon::simplify;
using flow::MinCutProblem;

//===-- The choice --------------------------------------------------------===//

namespace {
/// The cut over one block: the source's side has channels last.
class LayoutChoice {
public:
  explicit LayoutChoice(Block &block);

  /// Must be called before anything is asked.
  llvm::Error solve();
  bool isLast(Operation *op) const { return last.contains(op); }
  const LayoutRole &role(Operation *op) const { return roles.at(op); }

private:
  unsigned nodeFor(Operation *op);
  void connect(Value value);
  void addRead(Value value, unsigned consumer);

  Block &block;
  MinCutProblem cut;
  llvm::DenseMap<Operation *, LayoutRole> roles;
  llvm::DenseMap<Operation *, unsigned> nodes;
  /// The nodes that read a value as an image.
  llvm::DenseMap<Value, SmallVector<unsigned>> readers;
  llvm::DenseSet<Operation *> last;
};
} // namespace

/// The node of an operation's images.
unsigned LayoutChoice::nodeFor(Operation *op) {
  switch (roles.at(op).kind) {
  case LayoutKind::Last:
    return MinCutProblem::source;
  case LayoutKind::Either:
    return nodes.at(op);
  default:
    return MinCutProblem::sink;
  }
}

void LayoutChoice::addRead(Value value, unsigned consumer) {
  if (isImage(value) && !constantOf(value))
    readers[value].push_back(consumer);
}

/// What moving a value costs, in bytes. Symbols count as one element: values
/// with the same ones compare well, and others are not known to be larger.
static int64_t priceOf(RankedTensorType type) {
  if (movesOnlyUnits(type, channelsLast(type.getRank())))
    return 1;
  auto least = llvm::map_to_vector(type.getShape(), [](int64_t size) {
    return ShapedType::isDynamic(size) ? 1 : size;
  });
  return 2 + *tensorBytes(withShape(type, least));
}

/// One transpose of `value` serves all readers on the other side, so its price
/// is paid once however many there are: an extra node per direction.
void LayoutChoice::connect(Value value) {
  auto found = readers.find(value);
  if (found == readers.end())
    return;
  Operation *op = value.getDefiningOp();
  unsigned producer = MinCutProblem::sink;
  if (op && roles.at(op).kind == LayoutKind::MovesToFirst)
    producer = MinCutProblem::source;
  else if (op && roles.at(op).resultFollows)
    producer = nodeFor(op);
  auto type = cast<RankedTensorType>(value.getType());
  int64_t price = priceOf(type);
  unsigned someLast = cut.addNode(), someFirst = cut.addNode();
  cut.addEdge(someLast, producer, price);
  cut.addEdge(producer, someFirst, price);
  for (unsigned reader : found->second) {
    cut.addEdge(reader, someLast, MinCutProblem::infinite);
    cut.addEdge(someFirst, reader, MinCutProblem::infinite);
  }
}

LayoutChoice::LayoutChoice(Block &block) : block(block) {
  for (Operation &op : block) {
    roles[&op] = layoutRole(&op);
    if (roles[&op].kind == LayoutKind::Either)
      nodes[&op] = cut.addNode();
  }
  for (Operation &op : block) {
    const LayoutRole &role = roles.at(&op);
    if (role.kind == LayoutKind::Inner)
      continue;
    unsigned node = role.kind == LayoutKind::MovesToLast ? MinCutProblem::source
                                                         : nodeFor(&op);
    for (Value value : role.inputs)
      addRead(value, node);
    if (!role.inputs.empty())
      continue;
    bool moves = node != MinCutProblem::sink;
    for (auto [index, value] : llvm::enumerate(op.getOperands()))
      addRead(value,
              moves && readsImage(&op, index) ? node : MinCutProblem::sink);
  }
  for (Value argument : block.getArguments())
    connect(argument);
  for (Operation &op : block)
    for (Value result : op.getResults())
      connect(result);
}

llvm::Error LayoutChoice::solve() {
  flow::MinCutSolution solution = flow::solve(cut);
  for (Operation &op : block) {
    LayoutKind kind = roles.at(&op).kind;
    if (kind == LayoutKind::Last ||
        (kind == LayoutKind::Either && solution.side[nodes.at(&op)]))
      last.insert(&op);
  }
  return flow::validate(cut, solution);
}

//===-- The rewrite -------------------------------------------------------===//

namespace {
/// Rebuilds the operations on the source's side, transposing values where a
/// reader is on the other side than the producer.
class LayoutRewrite {
public:
  LayoutRewrite(Block &block, const LayoutChoice &choice)
      : block(block), choice(choice), builder(block.getParentOp()) {}

  void run();
  unsigned numLast = 0, numTransposes = 0;

private:
  void visit(Operation *op);
  Value move(Value value, ArrayRef<int64_t> permutation);
  Value lastOf(Value value);
  Value firstOf(Value value);
  bool isReplaced(Operation *op) const;

  Block &block;
  const LayoutChoice &choice;
  OpBuilder builder;
  /// What stands for a value of the old function in either layout.
  llvm::DenseMap<Value, Value> last, first;
  /// Values whose own operation was rebuilt with channels last.
  llvm::DenseSet<Value> gone;
};
} // namespace

Value LayoutRewrite::move(Value value, ArrayRef<int64_t> permutation) {
  Value moved = transposed(builder, value.getLoc(), value, permutation);
  numTransposes += moved.getDefiningOp<TransposeOp>() != nullptr;
  return moved;
}

Value LayoutRewrite::lastOf(Value value) {
  if (Value known = last.lookup(value))
    return known;
  auto rank = cast<RankedTensorType>(value.getType()).getRank();
  return last[value] = move(firstOf(value), channelsLast(rank));
}

Value LayoutRewrite::firstOf(Value value) {
  if (Value known = first.lookup(value))
    return known;
  if (!gone.contains(value))
    return value;
  auto rank = cast<RankedTensorType>(value.getType()).getRank();
  return first[value] = move(last.at(value), channelsFirst(rank));
}

bool LayoutRewrite::isReplaced(Operation *op) const {
  const LayoutRole &role = choice.role(op);
  return choice.isLast(op) ||
         (role.kind == LayoutKind::Inner && choice.isLast(role.outer));
}

void LayoutRewrite::visit(Operation *op) {
  const LayoutRole &role = choice.role(op);
  if (isReplaced(op) && role.kind == LayoutKind::Inner)
    return;
  builder.setInsertionPoint(op);
  if (choice.isLast(op)) {
    Operation *twin = buildChannelsLast(
        builder, op, [&](Value value) { return lastOf(value); },
        [&](Value value) { return firstOf(value); });
    Value old = op->getResult(0), result = twin->getResult(0);
    ++numLast;
    if (!role.resultFollows) {
      first[old] = result;
      return;
    }
    gone.insert(old);
    last[old] = result;
    return;
  }
  if (role.kind == LayoutKind::MovesToLast) {
    first[op->getResult(0)] = lastOf(op->getOperand(0));
    return;
  }
  for (OpOperand &operand : op->getOpOperands())
    operand.set(firstOf(operand.get()));
  if (role.kind == LayoutKind::MovesToFirst)
    last[op->getResult(0)] = op->getOperand(0);
}

void LayoutRewrite::run() {
  SmallVector<Operation *> ops;
  for (Operation &op : block)
    ops.push_back(&op);
  for (Operation *op : ops)
    visit(op);
  for (Operation *op : llvm::reverse(ops))
    if (op->use_empty() && isMemoryEffectFree(op) &&
        !op->hasTrait<OpTrait::IsTerminator>())
      op->erase();
}

namespace {
class AssignLayoutsPass
    : public tenon::impl::AssignLayoutsPassBase<AssignLayoutsPass> {
public:
  void runOnOperation() override {
    getOperation().walk([&](func::FuncOp function) {
      for (Block &block : function.getBody())
        if (failed(assignLayouts(function, block)))
          return signalPassFailure();
    });
  }

private:
  LogicalResult assignLayouts(func::FuncOp function, Block &block) {
    LayoutChoice choice(block);
    if (llvm::Error error = choice.solve())
      return function.emitError(llvm::toString(std::move(error)));
    LayoutRewrite rewrite(block, choice);
    rewrite.run();
    numChannelsLast += rewrite.numLast;
    numTransposes += rewrite.numTransposes;
    return success();
  }
};
} // namespace
