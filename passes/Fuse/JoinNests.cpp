//===- JoinNests.cpp - groups that one nest of loops computes -------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "passes/Fuse/JoinNests.h"

#include "dialects/Graph/Graph.h"
#include "dialects/Kernel/Facts.h"
#include "dialects/Kernel/Outline.h"
#include "passes/Fuse/Atoms.h"
#include "passes/Fuse/Walks.h"

#include "mlir/Analysis/TopologicalSortUtils.h"
#include "mlir/IR/IRMapping.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;
using namespace tenon;
using namespace tenon::fuse;
using kernel::GroupOp;
using kernel::LoopProgram;

/// By its price, one nest must gain so much.
static constexpr double leastGain = 1.1;
/// A row of which stages keep what they computed of it for later ones
/// (passes/CodegenCpu/Loops/Kept.cpp); of a longer one, all is computed again.
static constexpr int64_t keptElements = 4096;
/// Bytes of an operand that two groups read, so that reading it once pays.
static constexpr int64_t leastShared = 64 * 1024;
/// Operations of one group.
static constexpr size_t mostOperations = 48;

static bool isView(Operation *op) {
  return isa_and_nonnull<graph::ReshapeOp>(op);
}

static bool isNest(GroupOp group) {
  auto isStatic = [](Type type) {
    return cast<RankedTensorType>(type).hasStaticShape();
  };
  if (group.isStaged() || group.getAnchor() ||
      !llvm::all_of(group->getOperandTypes(), isStatic) ||
      !llvm::all_of(group->getResultTypes(), isStatic))
    return false;
  SmallVector<Operation *> ops;
  for (Operation &op : group.getBlock().without_terminator())
    ops.push_back(&op);
  return kernel::canExpressLoops(ops);
}

namespace {
/// A group, the views of its results that another one reads, and that one. It
/// may read none.
struct Pair {
  GroupOp from, to;
  llvm::SetVector<Operation *> views;
};

/// The operations of both, in the function for the time being.
class Joined {
public:
  explicit Joined(Pair &pair);
  ~Joined() {
    for (Operation *op : llvm::reverse(ops))
      op->erase();
  }

  /// The nest; failure if there is none that goes through memory in order.
  FailureOr<LoopProgram> nest() const;
  GroupOp outline(OpBuilder &builder) const;

  SmallVector<Operation *> ops;
  SmallVector<Value> results; ///< of `ops`
  SmallVector<Value> old;     ///< that these take the place of

private:
  void addBody(OpBuilder &builder, GroupOp group);

  Pair &pair;
  IRMapping mapping;
};
} // namespace

/// Through reshapes, which are noted: behind the producer first.
static GroupOp producerOf(Value value, SmallVectorImpl<Operation *> &views) {
  while (isView(value.getDefiningOp())) {
    views.push_back(value.getDefiningOp());
    value = value.getDefiningOp()->getOperand(0);
  }
  std::reverse(views.begin(), views.end());
  return value.getDefiningOp<GroupOp>();
}

static Pair pairOf(GroupOp from, GroupOp to) {
  Pair pair{from, to, {}};
  for (Value operand : to.getOperands_()) {
    SmallVector<Operation *> views;
    if (producerOf(operand, views) == from)
      pair.views.insert(views.begin(), views.end());
  }
  return pair;
}

/// Whether nothing that depends on the first group is needed by the second, but
/// for the views.
static bool isConvex(const Pair &pair) {
  llvm::SmallPtrSet<Operation *, 16> behind;
  auto depends = [&](Operation *op) {
    return llvm::any_of(op->getOperands(), [&](Value value) {
      Operation *def = value.getDefiningOp();
      return def && (def == pair.from || behind.contains(def) ||
                     pair.views.contains(def));
    });
  };
  for (Operation *op = pair.from->getNextNode(); op != pair.to;
       op = op->getNextNode())
    if (!pair.views.contains(op) && depends(op))
      behind.insert(op);
  return llvm::none_of(pair.to->getOperands(), [&](Value value) {
    Operation *def = value.getDefiningOp();
    return def && behind.contains(def);
  });
}

/// Whether somebody reads `value` whom `pair` leaves where it is.
static bool hasOtherReaders(Value value, const Pair &pair) {
  return llvm::any_of(value.getUsers(), [&](Operation *user) {
    if (user == pair.to)
      return false;
    return !pair.views.contains(user) ||
           hasOtherReaders(user->getResult(0), pair);
  });
}

void Joined::addBody(OpBuilder &builder, GroupOp group) {
  Block &block = group.getBlock();
  for (auto [argument, operand] :
       llvm::zip_equal(block.getArguments(), group.getOperands_()))
    mapping.map(argument, mapping.lookupOrDefault(operand));
  for (Operation &op : block.without_terminator())
    ops.push_back(builder.clone(op, mapping));
  for (auto [result, value] : llvm::zip_equal(
           group.getResults(), block.getTerminator()->getOperands()))
    mapping.map(result, mapping.lookup(value));
}

Joined::Joined(Pair &pair) : pair(pair) {
  OpBuilder builder(pair.to);
  addBody(builder, pair.from);
  for (Operation *view : pair.views)
    ops.push_back(builder.clone(*view, mapping));
  addBody(builder, pair.to);
  for (Value result : pair.from.getResults())
    if (hasOtherReaders(result, pair))
      old.push_back(result);
  llvm::append_range(old, pair.to.getResults());
  for (Value value : old)
    results.push_back(mapping.lookup(value));
}

FailureOr<LoopProgram> Joined::nest() const {
  std::string why;
  FailureOr<LoopProgram> program = kernel::analyzeLoops(ops, results, why);
  if (failed(program) || !walksOneWay(*program, TypeRange(ValueRange(results))))
    return failure();
  return program;
}

GroupOp Joined::outline(OpBuilder &builder) const {
  llvm::SmallPtrSet<Operation *, 16> inside(ops.begin(), ops.end());
  llvm::SetVector<Value> inputs;
  for (Operation *op : ops)
    for (Value operand : op->getOperands())
      if (!operand.getDefiningOp() || !inside.contains(operand.getDefiningOp()))
        inputs.insert(operand);
  ArrayRef<Value> operands = inputs.getArrayRef();
  Location loc = builder.getFusedLoc({pair.from.getLoc(), pair.to.getLoc()});
  return kernel::createGroup(builder, loc, ops, operands, operands, results);
}

static int64_t stagesOf(GroupOp group) {
  SmallVector<Operation *> ops;
  for (Operation &op : group.getBlock().without_terminator())
    ops.push_back(&op);
  std::string why;
  auto program = kernel::analyzeLoops(
      ops, group.getBlock().getTerminator()->getOperands(), why);
  int64_t stages = 0;
  if (succeeded(program))
    for (const kernel::LoopNode &node : program->nodes)
      stages = std::max(stages, node.stage);
  return stages;
}

namespace {
class Joiner {
public:
  Joiner(func::FuncOp function, Pricer &pricer, Joins joins)
      : function(function), pricer(pricer), joins(joins) {}

  unsigned run() {
    llvm::append_range(waiting, function.getOps<GroupOp>());
    for (size_t i = 0; i < waiting.size(); ++i)
      if (GroupOp group = waiting[i]; group && isNest(group))
        while (GroupOp joined = joinWithEarlier(group))
          group = joined;
    return count;
  }

private:
  /// With a group that it reads, or one that reads what it reads.
  GroupOp joinWithEarlier(GroupOp group) {
    for (Operation *other : neighboursOf(group))
      if (GroupOp joined = tryJoin(cast<GroupOp>(other), group))
        return joined;
    return GroupOp();
  }

  static llvm::SetVector<Operation *> neighboursOf(GroupOp group) {
    llvm::SetVector<Operation *> groups;
    for (Value operand : group.getOperands_()) {
      SmallVector<Operation *> views;
      if (GroupOp producer = producerOf(operand, views))
        groups.insert(producer);
    }
    for (Value operand : group.getOperands_())
      if (graph::tensorBytes(operand.getType()).value_or(0) >= leastShared)
        for (Operation *user : operand.getUsers())
          if (isa<GroupOp>(user) && user->isBeforeInBlock(group))
            groups.insert(user);
    return groups;
  }

  /// The group of both; null if they stay apart.
  GroupOp tryJoin(GroupOp from, GroupOp to) {
    Pair pair = pairOf(from, to);
    if (!isNest(from) || !isConvex(pair) || !hasForm(pair))
      return GroupOp();
    OpBuilder builder(to);
    GroupOp group;
    {
      Joined joined(pair);
      FailureOr<LoopProgram> nest = joined.nest();
      if (failed(nest) || joined.ops.size() > mostOperations)
        return GroupOp();
      builder.setInsertionPoint(to);
      group = joined.outline(builder);
      if (!pays(pair, group, *nest)) {
        group.erase();
        return GroupOp();
      }
      replace(pair, joined, group);
    }
    ++count;
    return group;
  }

  bool hasForm(Pair &pair) const {
    if (joins == Joins::All)
      return true;
    return pair.views.empty() && canBeStage(pair.from) && canBeStage(pair.to) &&
           !hasOtherReaders(pair.from.getResult(0), pair);
  }

  bool pays(const Pair &pair, GroupOp group, const LoopProgram &nest) {
    std::optional<Price> first = priceOf(pair.from), second = priceOf(pair.to),
                         both = pricer.alone(group);
    if (!first || !second || !both)
      return false;
    Time together = both->time;
    if (reducedElements(nest) > keptElements)
      together += first->compute * double(stagesOf(pair.to));
    return together * leastGain < first->time + second->time;
  }

  /// Asked once for each group.
  std::optional<Price> priceOf(GroupOp group) {
    auto [found, isNew] = prices.try_emplace(group);
    if (isNew)
      found->second = pricer.alone(group);
    return found->second;
  }

  void replace(const Pair &pair, Joined &joined, GroupOp group) {
    keepFacts(pair, group);
    for (auto [old, result] : llvm::zip_equal(joined.old, group.getResults()))
      old.replaceUsesWithIf(
          result, [&](OpOperand &use) { return use.getOwner() != pair.to; });
    erase(pair.to);
    for (Operation *view : llvm::reverse(pair.views))
      if (view->use_empty())
        view->erase();
    erase(pair.from);
    sortTopologically(&function.getBody().front());
  }

  /// Sorting may move a group in front of others that were before it, which
  /// then take it in: it may still wait for its turn.
  void erase(GroupOp group) {
    llvm::replace(waiting, group, GroupOp());
    prices.erase(group);
    group->erase();
  }

  void keepFacts(const Pair &pair, GroupOp group) {
    auto first = kernel::factsOf(pair.from), second = kernel::factsOf(pair.to);
    kernel::FusionFacts facts = kernel::measure(group);
    if (first && second)
      facts.bytesBefore = first->bytesBefore + second->bytesBefore;
    if (std::optional<Price> price = pricer.alone(group))
      facts.time = price->time;
    kernel::setFacts(group, facts);
  }

  func::FuncOp function;
  Pricer &pricer;
  Joins joins;
  SmallVector<GroupOp> waiting;
  llvm::DenseMap<Operation *, std::optional<Price>> prices;
  unsigned count = 0;
};
} // namespace

unsigned fuse::joinNests(func::FuncOp function, Pricer &pricer, Joins joins) {
  return Joiner(function, pricer, joins).run();
}
