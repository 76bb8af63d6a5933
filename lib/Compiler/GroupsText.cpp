//===- GroupsText.cpp - what is fused, as JSON and as a table -------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "lib/Compiler/Groups.h"

#include "llvm/Support/Format.h"
#include "llvm/Support/JSON.h"
#include <map>

using namespace tenon;
using namespace tenon::fusion;

static llvm::json::Array operatorsJson(const ReportedGroup &group) {
  llvm::json::Array array;
  for (const GroupOperator &each : group.operators) {
    llvm::json::Object object{{"kind", each.kind}, {"nodes", each.nodes}};
    object["operands"] = llvm::json::Array(each.operands);
    if (each.stage >= 0)
      object["stage"] = each.stage;
    if (!each.strategy.empty())
      object["strategy"] = each.strategy;
    array.push_back(std::move(object));
  }
  return array;
}

llvm::json::Array tenon::groupsJson(const GroupGraph &graph) {
  llvm::json::Array array;
  for (const ReportedGroup &group : graph.groups)
    array.push_back(
        llvm::json::Object{{"kernel", group.kernel},
                           {"strategy", group.strategy},
                           {"operators", operatorsJson(group)},
                           {"tile", llvm::json::Array(group.tile)},
                           {"extents", llvm::json::Array(group.extents)},
                           {"tiles", group.tiles},
                           {"bytes_before", group.bytesBefore},
                           {"bytes", group.bytes},
                           {"weight_bytes", group.weightBytes},
                           {"work", group.work},
                           {"scratch_bytes", group.scratchBytes},
                           {"nanoseconds", group.time.rounded()},
                           {"flops", group.flops},
                           {"bound", toText(group.bound)}});
  return array;
}

llvm::json::Array tenon::unfusedJson(const GroupGraph &graph) {
  llvm::json::Array array;
  for (const ReportedEdge &edge : graph.edges)
    if (edge.isUnfused())
      array.push_back(llvm::json::Object{{"from", edge.fromNode},
                                         {"to", edge.toNode},
                                         {"from_group", edge.from},
                                         {"to_group", edge.to},
                                         {"bytes", edge.bytes},
                                         {"reason", edge.reason}});
  return array;
}

static double megabytes(int64_t bytes) { return double(bytes) / 1e6; }

static void printReasons(llvm::raw_ostream &stream, const GroupGraph &graph) {
  std::map<std::string, std::pair<int64_t, int64_t>> sums; // count, bytes
  for (const ReportedEdge &edge : graph.edges)
    if (edge.isUnfused()) {
      auto &[count, bytes] = sums[kindOfReason(edge.reason)];
      ++count, bytes += edge.bytes;
    }
  std::vector<std::pair<std::string, std::pair<int64_t, int64_t>>> sorted(
      sums.begin(), sums.end());
  llvm::stable_sort(sorted, [](const auto &a, const auto &b) {
    return a.second.second > b.second.second;
  });
  if (!sorted.empty())
    stream << "\n  not fused                                       values      "
              "    MB\n";
  for (const auto &[reason, sum] : sorted)
    stream << llvm::format("  %-46s %7lld %11.2f\n",
                           reason.empty() ? "not noted" : reason.c_str(),
                           (long long)sum.first, megabytes(sum.second));
}

void tenon::printGroups(llvm::raw_ostream &stream, const GroupGraph &graph) {
  if (graph.groups.empty())
    return;
  stream << llvm::format(
      "\n  %-22s %14zu of %zu operators\n  %-22s %14.2f MB, unfused %.2f MB\n",
      "groups", graph.groups.size(), graph.operators(), "memory traffic",
      megabytes(graph.bytes()), megabytes(graph.bytesBefore()));
  printReasons(stream, graph);
}
