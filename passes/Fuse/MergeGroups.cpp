//===- MergeGroups.cpp - groups that share a kernel, tile by tile ---------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file implements tenon-merge-groups: a program's groups are the atoms of
// lib/Fusion's problem, and prices of kernels of stages are its oracle.
//===----------------------------------------------------------------------===//
#include "passes/Fuse/Passes.h"

#include "dialects/Graph/Graph.h"
#include "lib/Fusion/Solve.h"
#include "passes/CodegenCpu/CpuDevice.h"
#include "passes/CodegenCpu/Planning.h"
#include "passes/Fuse/GroupPrices.h"
#include "passes/Fuse/Reasons.h"

#include "mlir/Analysis/TopologicalSortUtils.h"

namespace tenon::fuse {
#define GEN_PASS_DEF_MERGEGROUPSPASS
#include "passes/Fuse/Passes.h.inc"
} // namespace tenon::fuse

using namespace mlir;
using namespace tenon;
using namespace tenon::fuse;

/// A price takes about a millisecond, and kernels of more than a few stages
/// gain little over two of half as many.
static fusion::Options limits() {
  fusion::Options options;
  options.mostAtoms = 8;
  options.mostAsked = 2000;
  options.mostAskedInAll = 5000;
  return options;
}

/// Groups that all of their users compute for themselves.
static void eraseUnused(func::FuncOp function) {
  Block &block = function.getBody().front();
  for (Operation &op : llvm::make_early_inc_range(llvm::reverse(block)))
    if (isa<kernel::GroupOp>(op) && op.use_empty())
      op.erase();
}

namespace {
struct MergeGroups : fuse::impl::MergeGroupsPassBase<MergeGroups> {
  using Base::Base;

  void runOnOperation() override {
    std::optional<tile::Target> cpu =
        codegen::requireTarget(getOperation(), target, threads);
    std::optional<tile::WinogradUse> use =
        codegen::requireWinogradUse(getOperation(), winograd);
    if (!cpu || !use)
      return signalPassFailure();
    codegen::CpuDevice device(*cpu, {*use, bf16x6});
    for (auto function : getOperation().getOps<func::FuncOp>())
      if (!function.isExternal())
        merge(function, device);
  }

  void merge(func::FuncOp function, Device &device) {
    Atoms atoms(function);
    GroupPrices prices(atoms, device);
    fusion::Solution solution =
        fusion::solve(atoms.problem(), prices, limits());
    numIdeals += solution.statistics.ideals;
    numPriced += solution.statistics.asked;
    numCloned += solution.statistics.cloned;
    explainEdges(function, solution, atoms, prices);
    for (const fusion::Group &group : solution.groups)
      form(atoms.membersOf(group), prices.of(group), device);
    eraseUnused(function);
    sortTopologically(&function.getBody().front());
  }

  /// While the groups of the function are still those that edges had.
  static void explainEdges(func::FuncOp function,
                           const fusion::Solution &solution, const Atoms &atoms,
                           GroupPrices &prices) {
    std::map<unsigned, const fusion::Group *> groupOf;
    for (const fusion::Group &group : solution.groups)
      for (unsigned atom : group.atoms)
        groupOf[atom] = &group;
    explain(function, [&](const kernel::GroupEdge &edge) -> std::string {
      unsigned from = atoms.numberOf(edge.from), to = atoms.numberOf(edge.to);
      const fusion::Group *kernel = groupOf[to];
      if (!kernel || groupOf[from] == kernel ||
          llvm::is_contained(kernel->clones, from))
        return "";
      return prices.whyApart(from, to);
    });
  }

  /// Prices look at tiles in the middle; what has no kernel at a border stays
  /// apart.
  void form(const Members &members, const Price &price, Device &device) {
    if (members.groups.size() == 1)
      return note(members.groups.front(), price, {});
    kernel::FusionFacts before;
    for (kernel::GroupOp group : members.groups)
      before.bytesBefore += kernel::factsOf(group)->bytesBefore;
    kernel::GroupOp staged = createStaged(members);
    staged.setTileAttr(price.tile);
    if (!device.computes(staged)) {
      staged.erase();
      ++numRefused;
      return;
    }
    before.bytes = trafficOf(members);
    replaceMembers(members, staged);
    note(staged, price, before);
    ++numMerged;
  }

  static void note(kernel::GroupOp group, const Price &price,
                   kernel::FusionFacts facts) {
    if (auto known = kernel::factsOf(group))
      facts = *known;
    facts.work = price.again;
    facts.scratchBytes = price.local;
    facts.cycles = price.cycles();
    kernel::setFacts(group, facts);
  }
};
} // namespace
