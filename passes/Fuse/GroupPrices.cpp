//===- GroupPrices.cpp - the oracle of grouping ---------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "passes/Fuse/GroupPrices.h"

#include "dialects/Graph/Graph.h"

using namespace mlir;
using namespace tenon;
using namespace tenon::fuse;

std::optional<fusion::Cost> GroupPrices::cost(const fusion::Group &group) {
  if (auto found = known.find(group); found != known.end())
    return found->second.cost;
  Members members = atoms.membersOf(group);
  if (banned.contains(group) || readThroughViews(members))
    return std::nullopt;
  std::optional<Price> price;
  if (members.groups.size() == 1) {
    // What has no kernel is refused where kernels are planned.
    price.emplace();
    if (canBeStage(members.groups.front()))
      price = pricer.alone(members.groups.front()).value_or(Price());
  } else {
    kernel::GroupOp staged = createStaged(members, device);
    price = pricer.staged(staged);
    staged.erase();
  }
  if (!price)
    return std::nullopt;
  known[group] = *price;
  return price->cost;
}

Time GroupPrices::leastTime(kernel::GroupOp group) {
  auto [found, isNew] = least.try_emplace(group);
  if (isNew)
    found->second = device.leastTime(group).value_or(Time());
  return found->second;
}

std::optional<fusion::Cost> GroupPrices::bound(const fusion::Group &group) {
  Members members = atoms.membersOf(group);
  if (members.groups.size() == 1)
    return fusion::Cost();
  if (banned.contains(group) || readThroughViews(members))
    return std::nullopt;
  if (!device.tilesStages())
    return fusion::Cost();
  Time compute;
  for (kernel::GroupOp member : members.groups)
    compute += leastTime(member);
  return pricer.least(compute, trafficOf(members));
}

bool GroupPrices::mayShare(unsigned from, unsigned to) {
  kernel::GroupOp producer = atoms.group(from), reader = atoms.group(to);
  return canBeStage(producer) && canBeStage(reader) &&
         llvm::is_contained(reader.getOperands_(), producer.getResult(0)) &&
         device.mayShareKernel(producer, reader);
}

/// Why a group cannot be a stage.
static std::string whyNoStage(kernel::GroupOp group) {
  for (Operation &op : group.getBlock().without_terminator())
    if (!isa<graph::ConstantOp>(op) && !kernel::worksOnParts(&op))
      return "'" + op.getName().getStringRef().str() +
             "' is not computed in parts";
  return group.getNumResults() == 1 ? "sizes that only the run knows"
                                    : "several results";
}

std::string GroupPrices::whyApart(unsigned from, unsigned to) {
  for (unsigned atom : {from, to})
    if (!canBeStage(atoms.group(atom)))
      return whyNoStage(atoms.group(atom));
  if (!mayShare(from, to))
    return "a view is between them";
  fusion::Group first{{from}, {}}, second{{to}, {}}, both{{from, to}, {}};
  if (banned.contains(both))
    return "no kernel of both, or no proof of it";
  if (!cost(both)) {
    kernel::GroupOp staged = createStaged(atoms.membersOf(both), device);
    std::string why = pricer.whyNoTile(staged);
    staged.erase();
    return why;
  }
  Time together = of(both).time, apart = of(first).time + of(second).time;
  return "together they would take " + std::to_string(together.rounded()) +
         " ns, apart " + std::to_string(apart.rounded()) +
         (together < apart ? ": less is gained than prices may be wrong by"
                           : "");
}
