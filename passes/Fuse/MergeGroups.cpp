//===- MergeGroups.cpp - groups that share a kernel, tile by tile ---------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file implements tenon-merge-groups: a program's groups are the atoms of
// lib/Fusion's problem, and prices of kernels of stages are its oracle.
//===----------------------------------------------------------------------===//
#include "passes/Fuse/Passes.h"

#include "dialects/Graph/Graph.h"
#include "lib/Fusion/Solve.h"
#include "passes/Codegen/Backends.h"
#include "passes/Fuse/CheckStages.h"
#include "passes/Fuse/GroupPrices.h"
#include "passes/Fuse/JoinNests.h"
#include "passes/Fuse/Reasons.h"
#include "passes/Fuse/ReduceBeside.h"

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

/// Where stages are computed as wholes, what does not follow from each other
/// shares no kernel, and nothing is computed again.
static fusion::Problem problemOf(const Atoms &atoms,
                                 const codegen::Device &device) {
  fusion::Problem problem = atoms.problem();
  if (!device.tilesStages()) {
    problem.readers.clear();
    problem.cloneable.clear();
  }
  return problem;
}

/// How often a problem is solved until all groups are sound.
static constexpr int attempts = 4;

/// Edges that became values inside of a group are explained no more.
static void forgetEdgesInside(func::FuncOp function) {
  std::set<std::pair<std::string, std::string>> present;
  for (const kernel::GroupEdge &edge : kernel::edgesOf(function))
    if (edge.producer && edge.consumer)
      present.insert(
          {kernel::nameOf(edge.producer), kernel::nameOf(edge.consumer)});
  SmallVector<kernel::UnfusedEdge> edges = kernel::unfusedOf(function);
  llvm::erase_if(edges, [&](const kernel::UnfusedEdge &edge) {
    return !present.count({edge.from, edge.to});
  });
  kernel::setUnfused(function, edges);
}

static kernel::FusionFacts knownFacts(kernel::GroupOp group) {
  auto known = kernel::factsOf(group);
  return known ? *known : kernel::measure(group);
}

namespace {
struct MergeGroups : fuse::impl::MergeGroupsPassBase<MergeGroups> {
  using Base::Base;
  MergeGroups(const MergeGroups &other) : Base(other) {}

  void runOnOperation() override {
    std::unique_ptr<codegen::Device> device = codegen::makeDevice(
        getOperation(), {target, threads, winograd, bf16x6, precision});
    if (!device)
      return signalPassFailure();
    for (auto function : getOperation().getOps<func::FuncOp>())
      if (!function.isExternal())
        merge(function, *device);
  }

  void merge(func::FuncOp function, const codegen::Device &device) {
    Pricer pricer(device);
    // Nests are joined, and reductions split, by prices of parts.
    if (device.tilesStages())
      numJoined += joinNests(function, pricer, Joins::Stages);
    mergeStages(function, device);
    // What shares no kernel of stages may still be one nest.
    if (device.tilesStages())
      numJoined += joinNests(function, pricer, Joins::All);
    forgetEdgesInside(function);
  }

  void mergeStages(func::FuncOp function, const codegen::Device &device) {
    Atoms atoms(function);
    GroupPrices prices(atoms, device);
    fusion::Solution solution = solve(atoms, prices, device);
    Kernels kernels;
    for (const fusion::Group &group : solution.groups)
      kernels.push_back({atoms.membersOf(group), prices.of(group)});
    if (device.tilesStages())
      splitReductions(function, solution, kernels, atoms, prices, device);
    for (const Kernel &kernel : kernels)
      form(kernel.members, kernel.price, device);
    sortTopologically(&function.getBody().front());
  }

  /// Edges are explained while groups are still those that they are between.
  void splitReductions(func::FuncOp function, const fusion::Solution &solution,
                       Kernels &kernels, const Atoms &atoms,
                       GroupPrices &prices, const codegen::Device &device) {
    ReduceBeside beside(device, checker);
    std::vector<Split> splits = beside.choose(kernels);
    numSplit += splits.size();
    if (reasons)
      explainEdges(function, solution, splits, atoms, prices);
    ReduceBeside::apply(splits, kernels);
  }

  /// Prices look at a tile in the middle, and at no proof. Groups that have no
  /// kernel or no proof are banned, and what is left is solved again; at last,
  /// their members stay apart.
  fusion::Solution solve(const Atoms &atoms, GroupPrices &prices,
                         const codegen::Device &device) {
    fusion::Options options = limits();
    for (int attempt = 0;; ++attempt) {
      fusion::Solution solution =
          fusion::solve(problemOf(atoms, device), prices, options);
      numIdeals += solution.statistics.ideals;
      numPriced += solution.statistics.asked;
      std::vector<fusion::Group> sound;
      for (fusion::Group &group : solution.groups)
        if (isSound(atoms.membersOf(group), prices.of(group), prices, device)) {
          sound.push_back(group);
        } else {
          ++numRefused;
          prices.ban(group);
          for (unsigned atom : group.atoms) {
            sound.push_back({{atom}, {}});
            prices.cost(sound.back());
          }
        }
      bool isFinal = sound.size() == solution.groups.size();
      if (!isFinal && attempt + 1 < attempts)
        continue;
      numCloned += solution.statistics.cloned;
      solution.groups = std::move(sound);
      return solution;
    }
  }

  /// Besides, code for stages may not store where prices say that it can.
  bool isSound(const Members &members, const Price &price,
               const GroupPrices &prices, const codegen::Device &device) {
    if (members.groups.size() == 1)
      return true;
    kernel::GroupOp staged = createStaged(members, device);
    staged.setTileAttr(price.tile);
    bool isSound = checker.accepts(staged);
    std::optional<int64_t> scratch = device.scratchOf(staged);
    isSound &= scratch && prices.fits(*scratch);
    staged.erase();
    return isSound;
  }

  static void explainEdges(func::FuncOp function,
                           const fusion::Solution &solution,
                           ArrayRef<Split> splits, const Atoms &atoms,
                           GroupPrices &prices) {
    llvm::DenseSet<Operation *> split;
    for (const Split &each : splits)
      split.insert(each.reduction.groups.begin(), each.reduction.groups.end());
    std::map<unsigned, const fusion::Group *> groupOf;
    for (const fusion::Group &group : solution.groups)
      for (unsigned atom : group.atoms)
        groupOf[atom] = &group;
    explain(function, [&](const kernel::GroupEdge &edge) -> std::string {
      if (split.contains(edge.to))
        return "";
      unsigned from = atoms.numberOf(edge.from), to = atoms.numberOf(edge.to);
      const fusion::Group *kernel = groupOf[to];
      if (!kernel || groupOf[from] == kernel ||
          llvm::is_contained(kernel->clones, from))
        return "";
      return prices.whyApart(from, to);
    });
  }

  void form(const Members &members, const Price &price,
            const codegen::Device &device) {
    if (members.groups.size() == 1)
      return note(members.groups.front(), price,
                  knownFacts(members.groups.front()));
    kernel::FusionFacts before;
    for (kernel::GroupOp group : members.groups)
      before.bytesBefore += knownFacts(group).bytesBefore;
    before.bytes = trafficOf(members);
    kernel::GroupOp staged = createStaged(members, device);
    staged.setTileAttr(price.tile);
    setLevels(staged, price.level);
    replaceMembers(members, staged);
    note(staged, price, before);
    ++numMerged;
  }

  static void note(kernel::GroupOp group, const Price &price,
                   kernel::FusionFacts facts) {
    facts.work = price.again;
    facts.scratchBytes = price.scratch;
    facts.time = price.time;
    kernel::setFacts(group, facts);
  }

  StageChecker checker;
};
} // namespace
