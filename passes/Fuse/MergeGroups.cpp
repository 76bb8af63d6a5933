//===- MergeGroups.cpp - groups that share a kernel, tile by tile ---------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file implements tenon-merge-groups: a program's groups are the atoms of
// lib/Fusion's problem, and prices of kernels of stages are its oracle.
//===----------------------------------------------------------------------===//
#include "passes/Fuse/Passes.h"

#include "dialects/Graph/Graph.h"
#include "dialects/Graph/Roles.h"
#include "lib/Fusion/Solve.h"
#include "passes/CodegenCpu/CpuDevice.h"
#include "passes/CodegenCpu/Planning.h"
#include "passes/Fuse/Candidate.h"
#include "passes/Fuse/Price.h"

#include "mlir/Analysis/TopologicalSortUtils.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace tenon::fuse {
#define GEN_PASS_DEF_MERGEGROUPSPASS
#include "passes/Fuse/Passes.h.inc"
} // namespace tenon::fuse

using namespace mlir;
using namespace tenon;
using namespace tenon::fuse;

//===-- The problem -------------------------------------------------------===//

static bool hasStaticShapes(kernel::GroupOp group) {
  auto isStatic = [](Type type) {
    return cast<RankedTensorType>(type).hasStaticShape();
  };
  return llvm::all_of(group->getOperandTypes(), isStatic) &&
         llvm::all_of(group->getResultTypes(), isStatic);
}

/// Whether a group can be a stage of a larger one.
static bool canBeStage(kernel::GroupOp group) {
  return group.getNumResults() == 1 && !group.isStaged() &&
         hasStaticShapes(group) && group.getResult(0).use_empty() == false &&
         llvm::all_of(group.getBlock().without_terminator(), [](Operation &op) {
           return isa<graph::ConstantOp>(op) || kernel::worksOnParts(&op);
         });
}

/// Whether its users may compute it for themselves: it is element-wise.
static bool isCloneable(kernel::GroupOp group) {
  return canBeStage(group) &&
         llvm::all_of(group.getBlock().without_terminator(), [](Operation &op) {
           return op.hasTrait<graph::Elementwise>();
         });
}

namespace {
/// The groups of a function, by number in program order.
struct Atoms {
  explicit Atoms(func::FuncOp function) {
    for (auto group : function.getOps<kernel::GroupOp>()) {
      numbers[group] = unsigned(groups.size());
      groups.push_back(group);
    }
  }

  fusion::Problem problem();
  Members membersOf(const fusion::Group &group) const;

  SmallVector<kernel::GroupOp> groups;

private:
  void addUses(Value value, unsigned from, fusion::Problem &problem,
               std::vector<unsigned> *readers);

  llvm::DenseMap<Operation *, unsigned> numbers;
};
} // namespace

/// Edges to all groups that read `value`, through views, too; `readers` are
/// those that read it as it is.
void Atoms::addUses(Value value, unsigned from, fusion::Problem &problem,
                    std::vector<unsigned> *readers) {
  for (Operation *user : value.getUsers())
    if (auto found = numbers.find(user); found != numbers.end()) {
      problem.edges.push_back({from, found->second});
      if (readers)
        readers->push_back(found->second);
    } else {
      for (Value view : user->getResults())
        addUses(view, from, problem, nullptr);
    }
}

fusion::Problem Atoms::problem() {
  fusion::Problem problem;
  problem.atoms = unsigned(groups.size());
  for (auto [number, group] : llvm::enumerate(groups)) {
    problem.alone.push_back(!canBeStage(group));
    problem.cloneable.push_back(isCloneable(group));
    for (Value result : group.getResults()) {
      std::vector<unsigned> readers;
      addUses(result, unsigned(number), problem, &readers);
      llvm::sort(readers);
      readers.erase(std::unique(readers.begin(), readers.end()), readers.end());
      if (readers.size() > 1)
        problem.readers.push_back(std::move(readers));
    }
  }
  llvm::sort(problem.edges, [](auto x, auto y) {
    return std::pair(x.from, x.to) < std::pair(y.from, y.to);
  });
  problem.edges.erase(std::unique(problem.edges.begin(), problem.edges.end(),
                                  [](auto x, auto y) {
                                    return x.from == y.from && x.to == y.to;
                                  }),
                      problem.edges.end());
  return problem;
}

Members Atoms::membersOf(const fusion::Group &group) const {
  SmallVector<std::pair<unsigned, bool>> numbers;
  for (unsigned atom : group.atoms)
    numbers.push_back({atom, false});
  for (unsigned atom : group.clones)
    numbers.push_back({atom, true});
  llvm::sort(numbers);
  Members members;
  for (auto [number, isClone] : numbers) {
    members.groups.push_back(groups[number]);
    members.clones.push_back(isClone);
  }
  return members;
}

//===-- The oracle --------------------------------------------------------===//

namespace {
class Prices : public fusion::Oracle {
public:
  Prices(const Atoms &atoms, Device &device)
      : atoms(atoms), device(device), pricer(device) {}

  std::optional<fusion::Cost> cost(const fusion::Group &group) override {
    Members members = atoms.membersOf(group);
    if (members.groups.size() == 1)
      return priceAlone(members.groups.front()).cost;
    kernel::GroupOp staged = createStaged(members);
    std::optional<Price> price = pricer.staged(staged);
    staged.erase();
    if (!price)
      return std::nullopt;
    tiles[group] = price->tile;
    return price->cost;
  }

  kernel::TileAttr tileOf(const fusion::Group &group) const {
    return tiles.at(group);
  }

  /// What all members take to compute at least, and what comes in and leaves.
  std::optional<fusion::Cost> bound(const fusion::Group &group) override {
    Members members = atoms.membersOf(group);
    if (members.groups.size() == 1)
      return fusion::Cost();
    double compute = 0;
    for (kernel::GroupOp member : members.groups)
      compute += leastCycles(member);
    return pricer.least(compute, trafficOf(members));
  }

  bool mayShare(unsigned from, unsigned to) override {
    return canBeStage(atoms.groups[from]) && canBeStage(atoms.groups[to]) &&
           llvm::is_contained(kernel::GroupOp(atoms.groups[to]).getOperands_(),
                              kernel::GroupOp(atoms.groups[from]).getResult(0));
  }

private:
  double leastCycles(kernel::GroupOp group) {
    auto [found, isNew] = least.try_emplace(group);
    if (isNew)
      found->second = device.leastCycles(group).value_or(0);
    return found->second;
  }

  /// What has no kernel here is refused where kernels are planned.
  const Price &priceAlone(kernel::GroupOp group) {
    auto [found, isNew] = alone.try_emplace(group);
    if (isNew && canBeStage(group))
      if (std::optional<Price> price = pricer.alone(group))
        found->second = *price;
    return found->second;
  }

  const Atoms &atoms;
  Device &device;

public:
  Pricer pricer;

private:
  std::map<fusion::Group, kernel::TileAttr> tiles;
  llvm::DenseMap<Operation *, Price> alone;
  llvm::DenseMap<Operation *, double> least;
};
} // namespace

//===-- The pass ----------------------------------------------------------===//

namespace {
struct MergeGroups : fuse::impl::MergeGroupsPassBase<MergeGroups> {
  using Base::Base;

  void runOnOperation() override {
    std::optional<tile::Target> cpu =
        codegen::requireTarget(getOperation(), target, threads);
    std::optional<tile::WinogradUse> use = tile::parseWinogradUse(winograd);
    if (!cpu || !use)
      return signalPassFailure();
    codegen::CpuDevice device(*cpu, {*use, bf16x6});
    for (auto function : getOperation().getOps<func::FuncOp>())
      if (!function.isExternal())
        merge(function, device);
  }

  /// Prices take a tenth of a millisecond each.
  static fusion::Options limits() {
    fusion::Options options;
    options.mostAtoms = 8;
    options.mostAsked = 2000;
    options.mostAskedInAll = 5000;
    return options;
  }

  void merge(func::FuncOp function, Device &device) {
    Atoms atoms(function);
    Prices prices(atoms, device);
    fusion::Problem problem = atoms.problem();
    fusion::Solution solution = fusion::solve(problem, prices, limits());
    if (getenv("DBG"))
      llvm::errs() << "DBG atoms " << problem.atoms << " ideals "
                   << solution.statistics.ideals << " cand "
                   << solution.statistics.candidates << " trans "
                   << solution.statistics.transitions << " asked "
                   << solution.statistics.asked << " regions "
                   << solution.statistics.regions << " steps "
                   << solution.statistics.steps << "\n";
    numIdeals += solution.statistics.ideals;
    numPriced += solution.statistics.asked;
    for (const fusion::Group &group : solution.groups) {
      if (group.atoms.size() + group.clones.size() == 1)
        continue;
      Members members = atoms.membersOf(group);
      kernel::GroupOp staged = createStaged(members);
      staged.setTileAttr(prices.tileOf(group));
      if (getenv("DBG")) {
        double s = 0;
        for (auto g : members.groups)
          s += prices.pricer.alone(g)->cost.time;
        auto q = prices.pricer.staged(staged);
        llvm::errs() << "DBG apart " << s / 16 << " fused "
                     << q->cost.time / 16.0 << " again " << q->again
                     << " local " << q->local << " results "
                     << staged.getNumResults() << " "
                     << mlir::Attribute(prices.tileOf(group)) << " ";
        for (auto g : members.groups)
          llvm::errs() << (g.getAnchor()
                               ? g.getAnchor()->getName().stripDialect()
                               : g.getBlock().front().getName().stripDialect())
                       << ",";
        llvm::errs() << "\n";
        staged.setTileAttr(prices.tileOf(group));
      }
      replaceMembers(members, staged);
      ++numMerged;
    }
    eraseUnused(function);
    sortTopologically(&function.getBody().front());
  }

  /// Groups that all of their users compute for themselves.
  static void eraseUnused(func::FuncOp function) {
    Block &block = function.getBody().front();
    for (Operation &op : llvm::make_early_inc_range(llvm::reverse(block)))
      if (isa<kernel::GroupOp>(op) && op.use_empty())
        op.erase();
  }
};
} // namespace
