//===- Page.cpp - what is around the picture ------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "lib/Fusion/Draw/Page.h"

#include "lib/Fusion/Draw/DrawGroup.h"
#include "lib/Support/Bytes.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/STLExtras.h"
#include <cstdio>
#include <map>

using namespace tenon;
using namespace tenon::fusion;
using mem::svgEscape;

static constexpr const char *sheet = R"(
body{font:13px "Helvetica Neue",Arial,"Liberation Sans",sans-serif;color:#1d2733;margin:24px;background:#fff}
h1{font-size:20px;margin:0 0 4px}h2{font-size:15px;margin:28px 0 8px}
.sum{color:#44515e;margin-bottom:12px}
.sum b{color:#1d2733}
input[type=radio]{margin:0 5px 0 0}label{margin-right:18px}
.legend{display:none;margin:10px 0 8px;color:#44515e}
.legend i{display:inline-block;width:15px;height:11px;border-radius:3px;border:1px solid #8b98a5;margin:0 6px 0 14px;vertical-align:-1px}
.legend i:first-child{margin-left:0}
#bybound:checked~.lb,#bysaved:checked~.ls{display:block}
.page{overflow:auto;border:1px solid #dbe1e7;border-radius:8px;background:#fbfcfd}
.page svg{display:block;margin:0 auto}
svg{font:11px "Helvetica Neue",Arial,"Liberation Sans",sans-serif;fill:#1d2733}
.g{rx:7px;stroke:#8b98a5;stroke-width:1}
g:hover>.g{stroke:#101820;stroke-width:2}
g:target>.g{stroke:#1f6feb;stroke-width:3}
#bybound:checked~.page .b0,.b0i{fill:#d6e8d8;background:#d6e8d8}
#bybound:checked~.page .b1,.b1i{fill:#fbeab9;background:#fbeab9}
#bybound:checked~.page .b2,.b2i{fill:#f8cdbb;background:#f8cdbb}
#bybound:checked~.page .b3,.b3i{fill:#e3e5ea;background:#e3e5ea}
#bysaved:checked~.page .s0,.s0i{fill:#fff;background:#fff}
#bysaved:checked~.page .s1,.s1i{fill:#e2f0f4;background:#e2f0f4}
#bysaved:checked~.page .s2,.s2i{fill:#bfe0e8;background:#bfe0e8}
#bysaved:checked~.page .s3,.s3i{fill:#90c9d6;background:#90c9d6}
#bysaved:checked~.page .s4,.s4i{fill:#58aabb;background:#58aabb}
.o{rx:4px;fill:#fff;fill-opacity:.88;stroke:#c3ccd5;stroke-width:.7}
.o:hover{stroke:#101820}
.st{rx:5px;fill:#5b6b7b;fill-opacity:.13;stroke:#5b6b7b;stroke-width:.7;stroke-dasharray:3 2}
.f{fill:none;stroke:#5b6b7b;stroke-width:.9}
.l{fill:none;stroke:#7d8b99;stroke-linecap:round}.w{fill:none;stroke:transparent;stroke-width:12}
.v:hover .l{stroke:#d1495b}
.p{rx:11px;fill:#eef1f5;stroke:#8b98a5}
text{pointer-events:none}
.t{font-weight:700;font-size:12px}.k{font-weight:600}.n,.d{fill:#55626f}.d{font-size:10.5px}
.m{font-size:10px;font-style:italic;fill:#55626f}.e{text-anchor:end}.c{text-anchor:middle}
.y{font-size:10px;fill:#44515e;paint-order:stroke;stroke:#fbfcfd;stroke-width:3px}
.x{pointer-events:auto;font-size:10px;font-style:italic;fill:#7d8b99;paint-order:stroke;stroke:#fbfcfd;stroke-width:3px}
table{border-collapse:collapse;font-size:12px}
th{text-align:left;border-bottom:2px solid #c3ccd5;padding:4px 10px;position:sticky;top:0;background:#fff}
td{border-bottom:1px solid #e6eaee;padding:3px 10px;vertical-align:top}
td.q,th.q{text-align:right;white-space:nowrap;font-variant-numeric:tabular-nums}
a{color:#1f6feb;text-decoration:none}
)";

static std::string bold(const std::string &text) {
  return "<b>" + text + "</b>";
}

static std::string summaryOf(const GroupGraph &graph) {
  int64_t before = graph.bytesBefore(), after = graph.bytes();
  ReportedGroup all;
  all.bytesBefore = before, all.bytes = after;
  std::string text =
      bold(std::to_string(graph.operators())) + " operators in " +
      bold(std::to_string(graph.groups.size())) +
      " groups \xC2\xB7 memory traffic " + bold(humanBytes(before)) +
      " \xE2\x86\x92 " + bold(humanBytes(after));
  if (std::string saved = savedText(all); !saved.empty())
    text += " (" + saved + ")";
  if (Time time = graph.time(); time > Time())
    text += " \xC2\xB7 predicted " + bold(humanTime(time));
  return text;
}

static std::string legend(const char *style, const char *mark,
                          llvm::ArrayRef<const char *> entries) {
  std::string text = std::string("<div class=\"legend ") + style + "\">";
  for (auto [i, entry] : llvm::enumerate(entries))
    text += std::string("<i class=\"") + mark + std::to_string(i) + "i\"></i>" +
            entry;
  return text + "</div>\n";
}

std::string fusion::pageHead(const GroupGraph &graph, llvm::StringRef title) {
  std::string name = svgEscape(title);
  return "<!DOCTYPE html>\n<html xmlns=\"http://www.w3.org/1999/xhtml\">"
         "<head><meta charset=\"utf-8\"/><title>" +
         name + ": what is fused</title>\n<style>" + sheet +
         "</style></head>\n<body><h1>" + name + "</h1>\n<div class=\"sum\">" +
         summaryOf(graph) +
         "</div>\n"
         "<input type=\"radio\" name=\"colour\" id=\"bybound\" "
         "checked=\"checked\"/><label for=\"bybound\">what a group waits "
         "for</label>"
         "<input type=\"radio\" name=\"colour\" id=\"bysaved\"/>"
         "<label for=\"bysaved\">traffic that fusion saves</label>\n" +
         legend("lb", "b", {"compute", "caches", "memory", "launch"}) +
         legend("ls", "s",
                {"nothing", "under 20 %", "under 40 %", "under 60 %",
                 "60 % and more"}) +
         "<div class=\"page\">\n";
}

//===-- Tables ------------------------------------------------------------===//

static std::string cell(const std::string &text, bool isNumber = false) {
  return std::string(isNumber ? "<td class=\"q\">" : "<td>") + text + "</td>";
}

static std::string headOf(llvm::ArrayRef<const char *> numbers,
                          llvm::ArrayRef<const char *> words) {
  std::string text = "<table><tr>";
  for (const char *name : numbers)
    text += std::string("<th class=\"q\">") + name + "</th>";
  for (const char *name : words)
    text += std::string("<th>") + name + "</th>";
  return text + "</tr>\n";
}

/// Its operators by kinds, and the first node.
static std::string operatorsText(const ReportedGroup &group) {
  std::string kinds, node;
  for (const GroupOperator &each : group.operators) {
    kinds += (kinds.empty() ? "" : ", ") + each.kind;
    if (node.empty())
      node = each.nodes;
  }
  std::string text = svgEscape(kinds);
  return node.empty() ? text
                      : text + " <span style=\"color:#7d8b99\">" +
                            svgEscape(shortName(node, 60)) + "</span>";
}

static std::string groupTable(const GroupGraph &graph) {
  std::string text = "<h2>Groups</h2>\n" +
                     headOf({"group", "unfused", "traffic", "saved", "work",
                             "scratch", "time", "FLOP"},
                            {"bound", "tile", "computed by", "operators"});
  for (auto [i, group] : llvm::enumerate(graph.groups)) {
    std::string number = std::to_string(i);
    char work[32];
    snprintf(work, sizeof work, "%.2f", group.work);
    text +=
        "<tr>" +
        cell("<a href=\"#g" + number + "\">#" + number + "</a>", true) +
        cell(humanBytes(group.bytesBefore), true) +
        cell(humanBytes(group.bytes), true) + cell(savedText(group), true) +
        cell(work, true) +
        cell(group.scratchBytes ? humanBytes(group.scratchBytes) : "", true) +
        cell(group.time > Time() ? humanTime(group.time) : "", true) +
        cell(humanCount(double(group.flops)), true) +
        cell(toText(group.bound)) + cell(tileText(group)) +
        cell(svgEscape(group.strategy)) + cell(operatorsText(group)) +
        "</tr>\n";
  }
  return text + "</table>\n";
}

namespace {
struct ReasonSum {
  std::string reason;
  int64_t count = 0, bytes = 0;
  const ReportedEdge *largest = nullptr;
};
} // namespace

static std::vector<ReasonSum> sumReasons(const GroupGraph &graph) {
  std::vector<ReasonSum> sums;
  std::map<std::string, size_t> known;
  for (const ReportedEdge &edge : graph.edges) {
    if (!edge.isUnfused())
      continue;
    auto [entry, isNew] =
        known.try_emplace(kindOfReason(edge.reason), sums.size());
    if (isNew)
      sums.push_back({entry->first});
    ReasonSum &sum = sums[entry->second];
    ++sum.count, sum.bytes += edge.bytes;
    if (!sum.largest || edge.bytes > sum.largest->bytes)
      sum.largest = &edge;
  }
  llvm::stable_sort(sums, [](const ReasonSum &a, const ReasonSum &b) {
    return a.bytes > b.bytes;
  });
  return sums;
}

static std::string reasonTable(const GroupGraph &graph) {
  std::vector<ReasonSum> sums = sumReasons(graph);
  if (sums.empty())
    return "";
  std::string text = "<h2>Values that go through memory between groups</h2>\n" +
                     headOf({"values", "bytes"}, {"reason", "the largest"});
  auto link = [](unsigned group) {
    std::string number = std::to_string(group);
    return "<a href=\"#g" + number + "\">#" + number + "</a>";
  };
  for (const ReasonSum &sum : sums)
    text +=
        "<tr>" + cell(std::to_string(sum.count), true) +
        cell(humanBytes(sum.bytes), true) +
        cell(sum.reason.empty() ? "not noted" : svgEscape(sum.reason)) +
        cell(link(sum.largest->from) + " \xE2\x86\x92 " +
             link(sum.largest->to) + ", " + humanBytes(sum.largest->bytes)) +
        "</tr>\n";
  return text + "</table>\n";
}

std::string fusion::pageTables(const GroupGraph &graph) {
  return "</div>\n" + reasonTable(graph) + groupTable(graph) +
         "</body></html>\n";
}
