//===- FuseGroups.cpp - put operations into groups ------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file grows groups greedily in program order. Convexity is kept by
// tainting: an operation that depends on the group from outside may never join.
//===----------------------------------------------------------------------===//
#include "passes/Fuse/Passes.h"

#include "passes/Fuse/Mode.h"
#include "passes/Fuse/Reasons.h"
#include "passes/Fuse/SymbolsAside.h"
#include "passes/Fuse/Walks.h"

#include "dialects/Graph/GraphSteps.h"
#include "dialects/Graph/Roles.h"
#include "dialects/Kernel/LoopDomain.h"
#include "dialects/Kernel/Outline.h"
#include "mlir/Analysis/TopologicalSortUtils.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/Support/SaveAndRestore.h"

namespace tenon::fuse {
#define GEN_PASS_DEF_FUSEGROUPSPASS
#include "passes/Fuse/Passes.h.inc"
} // namespace tenon::fuse

using namespace mlir;
using namespace tenon;
using fuse::FusionMode;

namespace {

using OpSet = llvm::SetVector<Operation *>;

/// The operations of one future group, in program order.
struct Candidate {
  OpSet ops;
  bool yieldsAll = false; ///< also results that nobody reads
};

/// How far after the first operation members are looked for. Each candidate
/// scans so much, so the time stays linear in the graph; what could join stands
/// a few operations behind what it uses, and else makes a group of its own.
constexpr unsigned maxScan = 256;

} // namespace

static bool dependsOn(Operation *op, const OpSet &set) {
  return llvm::any_of(op->getOperands(), [&](Value value) {
    return value.getDefiningOp() && set.contains(value.getDefiningOp());
  });
}

/// Whether the results of `ops` that outsiders use are one value at most.
static unsigned countLiveOuts(ArrayRef<Operation *> ops) {
  llvm::SmallPtrSet<Operation *, 16> members(ops.begin(), ops.end());
  unsigned count = 0;
  for (Operation *op : ops)
    for (Value result : op->getResults())
      count += llvm::any_of(result.getUsers(), [&](Operation *user) {
        return !members.contains(user);
      });
  return count;
}

/// Whether a nest of `ops` reduces, and goes through memory two ways.
static bool crosses(ArrayRef<Operation *> ops) {
  llvm::SmallPtrSet<Operation *, 16> inside(ops.begin(), ops.end());
  SmallVector<Value> results;
  for (Operation *op : ops)
    for (Value result : op->getResults())
      if (llvm::any_of(result.getUsers(),
                       [&](Operation *user) { return !inside.contains(user); }))
        results.push_back(result);
  std::string why;
  auto program = kernel::analyzeLoops(ops, results, why);
  return succeeded(program) && tenon::fuse::reduces(*program) &&
         !tenon::fuse::walksOneWay(*program, TypeRange(ValueRange(results)));
}

static bool isEarlier(Operation *x, Operation *y) {
  return x->isBeforeInBlock(y);
}

/// Whether operations of this role may be computed by a nest of loops.
static bool fitsNests(graph::Role role) {
  return role != graph::Role::None && !graph::isAnchor(role);
}

/// Whether one nest computes `op` and the members.
static bool fitsLoops(Operation *op, const OpSet &members) {
  if (!fitsNests(graph::roleOf(op)))
    return false;
  SmallVector<Operation *> trial(members.begin(), members.end());
  trial.push_back(op);
  llvm::sort(trial, isEarlier);
  return kernel::canExpressLoops(trial);
}

static ArrayRef<int64_t> shapeOf(Operation *op) {
  return cast<RankedTensorType>(op->getResult(0).getType()).getShape();
}

/// The element-wise operation that alone uses `op`, element by element; null if
/// there is none.
static Operation *onlyUserOf(Operation *op) {
  if (op->getNumResults() != 1 || op->use_empty())
    return nullptr;
  Operation *user = *op->user_begin();
  bool alone = llvm::all_of(op->getUsers(),
                            [&](Operation *each) { return each == user; });
  return alone && user->hasTrait<graph::Elementwise>() &&
                 user->getNumResults() == 1 && shapeOf(op) == shapeOf(user)
             ? user
             : nullptr;
}

/// Whether `op` works on the elements of its user, or repeats them for it, and
/// for members alone. (On fewer elements, its work would be repeated.)
static bool isOnlyFor(Operation *op, Operation *user, const OpSet &members) {
  if (!(op->hasTrait<graph::Elementwise>() || isa<graph::ResizeOp>(op)) ||
      !user->hasTrait<graph::Elementwise>() || op->getNumResults() != 1)
    return false;
  return shapeOf(op) == shapeOf(user) &&
         llvm::all_of(op->getUsers(),
                      [&](Operation *each) { return members.contains(each); });
}

/// Whether `op` reduces what a member reduces, along the same axes and for
/// members alone: one walk does both.
static bool reducesBeside(Operation *op, const OpSet &members) {
  auto isReduction = [](Operation *each) {
    return isa<graph::ReduceSumOp, graph::ReduceMeanOp, graph::ReduceMaxOp,
               graph::ReduceMinOp, graph::ReduceProdOp>(each);
  };
  return isReduction(op) &&
         llvm::all_of(
             op->getUsers(),
             [&](Operation *each) { return members.contains(each); }) &&
         llvm::any_of(members, [&](Operation *each) {
           return isReduction(each) &&
                  each->getOperands() == op->getOperands() &&
                  each->getAttr("axes") == op->getAttr("axes");
         });
}

/// An epilogue runs over the anchor's result, element by element.
static bool fitsEpilogue(Operation *op, Operation *anchor) {
  return op->hasTrait<graph::Elementwise>() && op->getNumResults() == 1 &&
         shapeOf(op) == shapeOf(anchor);
}

/// Values that come into the group from outside, in order of first use.
static llvm::SetVector<Value> liveIns(const Candidate &candidate) {
  llvm::SetVector<Value> values;
  for (Operation *op : candidate.ops)
    for (Value operand : op->getOperands())
      if (!operand.getDefiningOp() ||
          !candidate.ops.contains(operand.getDefiningOp()))
        values.insert(operand);
  return values;
}

/// What stands alone gives all of its results, in which it also works.
static SmallVector<Value> liveOuts(const Candidate &candidate) {
  SmallVector<Value> values;
  for (Operation *op : candidate.ops)
    for (Value result : op->getResults())
      if (candidate.yieldsAll ||
          llvm::any_of(result.getUsers(), [&](Operation *user) {
            return !candidate.ops.contains(user);
          }))
        values.push_back(result);
  return values;
}

/// Moves the operations into a new group that stands where the last one stood.
static kernel::GroupOp outline(const Candidate &candidate) {
  OpBuilder builder(candidate.ops.back());
  llvm::SetVector<Value> inputs = liveIns(candidate);
  SmallVector<Value> outputs = liveOuts(candidate);
  SmallVector<Location> locations;
  for (Operation *op : candidate.ops)
    locations.push_back(op->getLoc());
  ArrayRef<Value> operands = inputs.getArrayRef();
  kernel::GroupOp group = kernel::createGroup(
      builder, builder.getFusedLoc(locations), candidate.ops.getArrayRef(),
      operands, operands, outputs);
  for (auto [output, result] : llvm::zip(outputs, group.getResults()))
    output.replaceUsesWithIf(result, [&](OpOperand &use) {
      return !candidate.ops.contains(use.getOwner());
    });
  for (Operation *op : llvm::reverse(candidate.ops))
    op->erase();
  return group;
}

namespace {
class Fuser {
public:
  Fuser(Block &block, FusionMode mode, unsigned maxOperations)
      : block(block), mode(mode), maxOperations(maxOperations) {}

  void run() {
    for (Operation *op : collect(graph::isAnchor))
      form(growAround(op));
    for (Operation *op : collect(fitsNests))
      if (!consumed.contains(op))
        form(growLoops(op));
  }

  unsigned groups = 0, fused = 0;

private:
  SmallVector<Operation *> collect(function_ref<bool(graph::Role)> wanted) {
    SmallVector<Operation *> result;
    for (Operation &op : block.without_terminator())
      if (wanted(graph::roleOf(&op)))
        result.push_back(&op);
    return result;
  }

  /// Outlines at once: from then on the group is one operation, so a cycle
  /// through it shows as an ordinary dependence.
  void form(const Candidate &candidate) {
    consumed.insert(candidate.ops.begin(), candidate.ops.end());
    ++groups;
    fused += candidate.ops.size() - 1;
    // The group stands at its last member; users of the others may be earlier.
    if (outline(candidate).getNumResults() > 1)
      sortTopologically(&block);
  }

  /// Visits what follows `first` until `visit` says stop; operations that
  /// depend on the group without joining it are tainted, and so are theirs:
  /// these are returned.
  OpSet scan(OpSet &members, function_ref<bool(Operation *)> tryJoin) {
    OpSet tainted;
    unsigned visited = 0;
    for (Operation *op = members.front()->getNextNode();
         op && !op->hasTrait<OpTrait::IsTerminator>() && visited < maxScan;
         op = op->getNextNode(), ++visited) {
      bool outside = dependsOn(op, tainted);
      if (!outside && members.size() < maxOperations &&
          dependsOn(op, members) && tryJoin(op)) {
        members.insert(op);
        continue;
      }
      if (outside || dependsOn(op, members))
        tainted.insert(op);
    }
    return tainted;
  }

  /// The anchor with the longest epilogue that leaves one live result.
  Candidate growAround(Operation *anchor) {
    OpSet members;
    members.insert(anchor);
    if (mode == FusionMode::Off ||
        graph::roleOf(anchor) == graph::Role::Recurrence)
      return {members, /*yieldsAll=*/isa<graph::StepsOp>(anchor)};
    if (mode == FusionMode::Atoms) {
      takeUsers(members,
                [&](Operation *op) { return fitsEpilogue(op, anchor); });
      return {members};
    }
    scan(members, [&](Operation *op) { return fitsEpilogue(op, anchor); });
    SmallVector<Operation *> ops(members.begin(), members.end());
    while (ops.size() > 1 && countLiveOuts(ops) != 1)
      ops.pop_back();
    return {OpSet(ops.begin(), ops.end())};
  }

  Candidate growLoops(Operation *first) {
    OpSet members;
    members.insert(first);
    if (!kernel::canExpressLoops({first}))
      return {members, /*yieldsAll=*/true};
    if (mode == FusionMode::Off)
      return {members};
    if (mode == FusionMode::Atoms)
      return growAtom(members);
    Candidate grown = growNest(first);
    if (mode != FusionMode::Full || !crosses(grown.ops.getArrayRef()))
      return grown;
    llvm::SaveAndRestore<bool> one(oneWay, true);
    return growNest(first);
  }

  Candidate growNest(Operation *first) {
    OpSet members;
    members.insert(first);
    // What a resize repeats had better be computed once.
    OpSet tainted = scan(members, [&](Operation *op) {
      return !isa<graph::ResizeOp>(op) && fits(op, members);
    });
    takeProducers(members, tainted);
    return inOrder(members);
  }

  /// The chain of only users behind the last member.
  void takeUsers(OpSet &members, function_ref<bool(Operation *)> fits) {
    Operation *user = onlyUserOf(members.back());
    while (user && members.size() < maxOperations && fits(user)) {
      members.insert(user);
      user = onlyUserOf(user);
    }
  }

  /// What has a member as its only user joins, too: nothing else is between.
  Candidate growAtom(OpSet &members) {
    takeUsers(members, [&](Operation *op) { return fits(op, members); });
    for (size_t i = 0; i < members.size(); ++i)
      for (Value operand : members[i]->getOperands())
        if (Operation *op = operand.getDefiningOp();
            op && members.size() < maxOperations && !members.contains(op) &&
            onlyUserOf(op) == members[i] && fits(op, members))
          members.insert(op);
    return inOrder(members);
  }

  bool fits(Operation *op, const OpSet &members) const {
    if (!fitsLoops(op, members))
      return false;
    SmallVector<Operation *> trial(members.begin(), members.end());
    trial.push_back(op);
    return !oneWay || !crosses(trial);
  }

  static Candidate inOrder(OpSet &members) {
    SmallVector<Operation *> ops = members.takeVector();
    llvm::sort(ops, isEarlier);
    return {OpSet(ops.begin(), ops.end())};
  }

  /// The other operands of members, where nobody else needs them: the second
  /// branch of `x * f(x)`, the summands of a long sum.
  void takeProducers(OpSet &members, const OpSet &tainted) {
    for (size_t i = 0; i < members.size(); ++i)
      for (Value operand : members[i]->getOperands())
        if (Operation *op = operand.getDefiningOp();
            op && members.size() < maxOperations && !members.contains(op) &&
            !tainted.contains(op) &&
            (isOnlyFor(op, members[i], members) ||
             reducesBeside(op, members)) &&
            fits(op, members))
          members.insert(op);
  }

  Block &block;
  FusionMode mode;
  unsigned maxOperations;
  /// Nests that reduce go through memory one way at each step of growing.
  bool oneWay = false;
  /// Compared with addresses collected before, never dereferenced.
  llvm::DenseSet<Operation *> consumed;
};
} // namespace

namespace {
struct FuseGroups : fuse::impl::FuseGroupsPassBase<FuseGroups> {
  using Base::Base;

  void runOnOperation() override {
    auto chosen = tenon::fuse::parseFusionMode(mode);
    if (!chosen) {
      getOperation().emitError(
          "fusion must be off, atoms, greedy or full, not '")
          << mode << "'";
      return signalPassFailure();
    }
    for (auto function : getOperation().getOps<func::FuncOp>())
      if (!function.isExternal()) {
        fuse(function, *chosen);
        tenon::fuse::explain(function, [&](const kernel::GroupEdge &edge) {
          return tenon::fuse::greedyReason(edge, {*chosen, maxOperations});
        });
      }
  }

  void fuse(func::FuncOp function, FusionMode chosen) {
    tenon::fuse::SymbolsAside aside(function);
    Fuser fuser(function.getBody().front(), chosen, maxOperations);
    fuser.run();
    numGroups += fuser.groups;
    numFused += fuser.fused;
  }
};
} // namespace
