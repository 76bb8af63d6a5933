//===- Groups.cpp - what is fused, read from a program --------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "lib/Compiler/Groups.h"

#include "dialects/Graph/Graph.h"
#include "dialects/Graph/Programs.h"
#include "dialects/Graph/Shapes.h"
#include "dialects/Graph/TypicalSizes.h"
#include "dialects/Kernel/Facts.h"
#include "lib/Cost/StageCost.h"
#include "lib/Tile/Target.h"
#include "llvm/ADT/StringSet.h"

using namespace mlir;
using namespace tenon;
using fusion::GroupBound;
using fusion::GroupGraph;
using fusion::ReportedEdge;
using fusion::ReportedGroup;

//===-- One launch --------------------------------------------------------===//

/// What takes much longer than its bytes and multiply-adds computes something
/// else, functions for instance.
static GroupBound boundOf(const ReportedGroup &group,
                          const tile::Target &target, int64_t threads) {
  cost::StageWork work;
  work.fma = double(group.flops) / 2;
  work.bytesRead = double(group.bytes);
  work.tiles = std::max<int64_t>(group.tiles, 1);
  if (group.time > target.timeOf(cost::estimate(work, target).cycles) * 2)
    return GroupBound::Compute;
  switch (cost::estimate(work, target, threads).bound) {
  case cost::Bound::Issue:
    return GroupBound::Compute;
  case cost::Bound::Load:
  case cost::Bound::Mid:
    return GroupBound::Caches;
  case cost::Bound::Memory:
    return GroupBound::Memory;
  case cost::Bound::Launch:
    return GroupBound::Launch;
  }
  return GroupBound::Compute;
}

static void setTile(kernel::LaunchOp launch, const graph::TypicalSizes &sizes,
                    ReportedGroup &group) {
  if (auto tiles = dyn_cast<IntegerAttr>(launch.getTiles()))
    group.tiles = tiles.getInt();
  kernel::TileAttr tile = launch.getTileAttr();
  if (!tile || launch.getWrites().empty())
    return;
  group.tile.assign(tile.getSizes().begin(), tile.getSizes().end());
  auto type = cast<memory::BufferType>(launch.getWrites().back().getType());
  auto dims = graph::dimsOf(type.getTensor());
  for (int64_t dim : tile.getDims())
    group.extents.push_back(dim < int64_t(dims.size()) ? sizes.of(dims[dim])
                                                       : 0);
}

static ReportedGroup groupOf(kernel::LaunchOp launch,
                             const graph::TypicalSizes &sizes) {
  ReportedGroup group;
  group.kernel = launch.getCallee().str();
  for (const kernel::OperatorFacts &each : kernel::operatorsOf(launch))
    group.operators.push_back(
        {each.kind, each.nodes,
         std::vector<unsigned>(each.operands.begin(), each.operands.end()),
         each.stage ? int(*each.stage) : -1, each.strategy});
  if (auto facts = kernel::factsOf(launch)) {
    group.bytesBefore = facts->bytesBefore;
    group.bytes = facts->bytes;
    group.work = facts->work;
    group.scratchBytes = facts->scratchBytes;
    group.time = facts->time;
  }
  if (!group.scratchBytes)
    group.scratchBytes = launch.getThreadScratch();
  group.flops = launch.getFlops();
  // What fused it knows more than the plan: threads, and what memory gives.
  if (group.time == Time())
    group.time = {double(launch.getTime().value_or(0))};
  // "gemm_12" is the twelfth kernel.
  group.strategy = launch.getCallee().rsplit('_').first.str();
  setTile(launch, sizes, group);
  return group;
}

//===-- A program ---------------------------------------------------------===//

namespace {

/// Follows buffers from launch to launch.
class GroupCollector {
public:
  GroupCollector(func::FuncOp program, GroupGraph &graph)
      : program(program), graph(graph),
        sizes(graph::TypicalSizes::around(program)) {}

  void run() {
    using memory::MemoryDialect;
    MLIRContext *context = program.getContext();
    firstInput = unsigned(graph.inputs.size());
    firstOutput = unsigned(graph.outputs.size());
    addNames(MemoryDialect::InputsAttrHelper(context).getAttr(program),
             graph.inputs);
    addNames(MemoryDialect::OutputsAttrHelper(context).getAttr(program),
             graph.outputs);
    for (const kernel::UnfusedEdge &edge : kernel::unfusedOf(program))
      reasons[edge.from].push_back({edge.to, edge.reason});
    for (auto launch : program.getOps<kernel::LaunchOp>())
      if (ArrayAttr operators = launch.getOperatorsAttr();
          operators && !operators.empty())
        add(launch);
  }

private:
  static void addNames(ArrayAttr entries, std::vector<std::string> &names) {
    if (entries)
      for (auto entry : entries.getAsRange<DictionaryAttr>())
        names.push_back(entry.getAs<StringAttr>("name").str());
  }

  static Value rootOf(Value buffer) {
    while (auto view = buffer.getDefiningOp<memory::ViewOp>())
      buffer = view.getSource();
    return buffer;
  }

  int64_t bytesOf(Value buffer) const {
    auto tensor = cast<memory::BufferType>(buffer.getType()).getTensor();
    int64_t bytes = graph::elementBytes(tensor.getElementType());
    for (Attribute dim : graph::dimsOf(tensor))
      bytes = llvm::SaturatingMultiply<uint64_t>(bytes, sizes.of(dim));
    return bytes;
  }

  void add(kernel::LaunchOp launch) {
    auto number = unsigned(graph.groups.size());
    graph.groups.push_back(groupOf(launch, sizes));
    llvm::SmallDenseSet<Value> seen;
    for (Value buffer : launch.getReads())
      if (seen.insert(buffer).second)
        addRead(buffer, number);
    for (Value buffer : launch.getWrites()) {
      writers[rootOf(buffer)].push_back({number, buffer});
      if (auto output = rootOf(buffer).getDefiningOp<memory::OutputOp>())
        graph.edges.push_back(
            {ReportedEdge::End::Group, ReportedEdge::End::Output, number,
             firstOutput + unsigned(output.getIndex()), bytesOf(buffer)});
    }
  }

  void addRead(Value buffer, unsigned number) {
    Value root = rootOf(buffer);
    if (auto input = root.getDefiningOp<memory::InputOp>())
      graph.edges.push_back({ReportedEdge::End::Input, ReportedEdge::End::Group,
                             firstInput + unsigned(input.getIndex()), number,
                             bytesOf(buffer)});
    if (root.getDefiningOp<memory::ConstantOp>())
      graph.groups[number].weightBytes += bytesOf(buffer);
    auto known = writers.find(root);
    if (known == writers.end())
      return;
    // Who wrote just this, or all who wrote parts of it.
    auto exact = llvm::find_if(llvm::reverse(known->second), [&](auto &each) {
      return each.second == buffer;
    });
    if (exact != known->second.rend())
      return addEdge(exact->first, number, bytesOf(buffer));
    for (auto [writer, part] : known->second)
      addEdge(writer, number, std::min(bytesOf(buffer), bytesOf(part)));
  }

  void addEdge(unsigned from, unsigned to, int64_t bytes) {
    ReportedEdge edge{ReportedEdge::End::Group, ReportedEdge::End::Group, from,
                      to, bytes};
    explain(graph.groups[from], graph.groups[to], edge);
    graph.edges.push_back(edge);
  }

  static std::string nameOf(const fusion::GroupOperator &each) {
    return each.nodes.empty() ? each.kind : each.nodes;
  }

  /// Looks for what fusion has noted about operators of both groups.
  void explain(const ReportedGroup &from, const ReportedGroup &to,
               ReportedEdge &edge) const {
    edge.fromNode = nameOf(from.operators.back());
    edge.toNode = nameOf(to.operators.front());
    llvm::StringSet<> names;
    for (const fusion::GroupOperator &each : to.operators)
      names.insert(nameOf(each));
    for (const fusion::GroupOperator &each : llvm::reverse(from.operators))
      if (find(nameOf(each), names, edge, /*views=*/2)) {
        edge.fromNode = nameOf(each);
        return;
      }
  }

  /// A group that only moves elements may have become a view, so that there are
  /// two notes, to it and from it.
  bool find(StringRef from, const llvm::StringSet<> &names, ReportedEdge &edge,
            unsigned views) const {
    auto known = reasons.find(from);
    if (known == reasons.end())
      return false;
    for (const auto &[node, reason] : known->second)
      if (names.contains(node)) {
        edge.toNode = node, edge.reason = reason;
        return true;
      }
    for (const auto &[node, reason] : known->second)
      if (views && find(node, names, edge, views - 1)) {
        edge.reason = "a view is between them";
        return true;
      }
    return false;
  }

  func::FuncOp program;
  GroupGraph &graph;
  graph::TypicalSizes sizes;
  unsigned firstInput = 0, firstOutput = 0;
  llvm::DenseMap<Value, SmallVector<std::pair<unsigned, Value>, 1>> writers;
  llvm::StringMap<std::vector<std::pair<std::string, std::string>>> reasons;
};

} // namespace

GroupGraph tenon::groupsOf(ModuleOp module, StringRef target, int64_t threads) {
  GroupGraph graph;
  for (func::FuncOp program : graph::programs(module))
    GroupCollector(program, graph).run();
  if (const tile::Target *row = tile::findTarget(target))
    for (ReportedGroup &group : graph.groups)
      group.bound = boundOf(group, *row, std::max<int64_t>(threads, 1));
  return graph;
}
