//===- Draw.cpp - groups as a picture -------------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "lib/Fusion/Draw/Draw.h"

#include "lib/Fusion/Draw/DrawGroup.h"
#include "lib/Fusion/Draw/Page.h"
#include "lib/Support/Bytes.h"
#include "llvm/ADT/StringExtras.h"
#include <cmath>
#include <map>

using namespace tenon;
using namespace tenon::fusion;

static constexpr double margin = 24;

namespace {

/// The graph on its page: boxes are inputs, then groups, then outputs.
class Picture {
public:
  explicit Picture(const GroupGraph &graph) : graph(graph) {
    // Of hundreds of groups nobody reads every operator.
    if (graph.groups.size() > 150)
      style.rows = 6;
    for (const std::string &name : graph.inputs)
      boxes.push_back(pill(name));
    for (const ReportedGroup &group : graph.groups)
      boxes.push_back(boxOf(group, style));
    for (const std::string &name : graph.outputs)
      boxes.push_back(pill(name));
    mergeEdges();
  }

  std::string draw() {
    Point size = placeLayers(boxes, links);
    for (Box &box : boxes)
      box.x += margin, box.y += margin;
    for (Link &link : links)
      for (Point &point : link.points)
        point.x += margin, point.y += margin;
    double wide = size.x + 2 * margin, tall = size.y + 2 * margin;
    svg.raw("<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"" +
            shortNumber(wide) + "\" height=\"" + shortNumber(tall) +
            "\" viewBox=\"0 0 " + shortNumber(wide) + " " + shortNumber(tall) +
            "\">\n");
    drawLinks();
    drawPills(graph.inputs, 0, "input");
    for (size_t i = 0; i < graph.groups.size(); ++i)
      drawGroup(graph.groups[i], unsigned(i), boxes[groupBox(i)], style, svg);
    drawPills(graph.outputs, groupBox(graph.groups.size()), "output");
    drawLabels();
    svg.raw("</svg>\n");
    return svg.take();
  }

private:
  static Box pill(const std::string &name) {
    return {std::max(60., 22 + 6.2 * double(std::min<size_t>(name.size(), 40))),
            22};
  }

  unsigned groupBox(size_t group) const {
    return unsigned(graph.inputs.size() + group);
  }

  unsigned boxOfEnd(ReportedEdge::End kind, unsigned number) const {
    switch (kind) {
    case ReportedEdge::End::Input:
      return number;
    case ReportedEdge::End::Group:
      return groupBox(number);
    case ReportedEdge::End::Output:
      return groupBox(graph.groups.size()) + number;
    }
    return 0;
  }

  std::string nameOf(unsigned box) const {
    if (box < graph.inputs.size())
      return graph.inputs[box];
    size_t group = box - graph.inputs.size();
    return group < graph.groups.size()
               ? "#" + std::to_string(group)
               : graph.outputs[group - graph.groups.size()];
  }

  /// Several values between the same two are one line.
  void mergeEdges() {
    std::map<std::pair<unsigned, unsigned>, unsigned> known;
    for (const ReportedEdge &edge : graph.edges) {
      unsigned from = boxOfEnd(edge.fromKind, edge.from);
      unsigned to = boxOfEnd(edge.toKind, edge.to);
      auto [entry, isNew] = known.try_emplace({from, to}, links.size());
      if (isNew) {
        links.push_back({from, to});
        bytes.push_back(0);
        reasons.emplace_back();
      }
      bytes[entry->second] += edge.bytes;
      if (reasons[entry->second].empty())
        reasons[entry->second] = edge.reason;
    }
  }

  std::string tooltip(size_t i) const {
    std::string text = nameOf(links[i].from) + " \xE2\x86\x92 " +
                       nameOf(links[i].to) + "\n" + humanBytes(bytes[i]);
    return reasons[i].empty() ? text : text + "\nnot fused: " + reasons[i];
  }

  /// Curves between layers, straight lines past them.
  static std::string pathOf(const std::vector<Point> &points) {
    auto at = [](double x, double y) {
      return shortNumber(x) + " " + shortNumber(y);
    };
    std::string path = "M" + at(points[0].x, points[0].y);
    for (size_t i = 1; i < points.size(); ++i) {
      const Point &a = points[i - 1], &b = points[i];
      double middle = (a.y + b.y) / 2;
      path += a.x == b.x ? "L" + at(b.x, b.y)
                         : "C" + at(a.x, middle) + " " + at(b.x, middle) + " " +
                               at(b.x, b.y);
    }
    return path;
  }

  static double strokeOf(int64_t bytes) {
    double doublings = std::log2(std::max(1., double(bytes) / 2048));
    return std::min(6., 0.9 + 0.36 * doublings);
  }

  void drawLinks() {
    for (size_t i = 0; i < links.size(); ++i) {
      if (links[i].isLong)
        continue;
      std::string path = pathOf(links[i].points);
      svg.raw("<g class=\"v\"><title>" + mem::svgEscape(tooltip(i)) +
              "</title><path d=\"" + path + "\" class=\"w\"/><path d=\"" +
              path + "\" class=\"l\" stroke-width=\"" +
              shortNumber(strokeOf(bytes[i])) + "\"/></g>\n");
    }
  }

  void drawPills(const std::vector<std::string> &names, unsigned first,
                 const char *what) {
    for (size_t i = 0; i < names.size(); ++i) {
      const Box &box = boxes[first + i];
      svg.rect({box.x, box.y, box.width, box.height}, "p",
               std::string(what) + " " + names[i]);
      svg.text(box.x + box.width / 2, box.y + 15, "c", shortName(names[i], 40));
    }
  }

  /// Bytes below where a line starts, and the names of what is too far away to
  /// be drawn.
  void drawLabels() {
    std::map<unsigned, std::vector<size_t>> leaving, arriving;
    for (size_t i = 0; i < links.size(); ++i) {
      const Link &link = links[i];
      if (link.isLong) {
        leaving[link.from].push_back(i);
        arriving[link.to].push_back(i);
        continue;
      }
      const Point &a = link.points[1], &b = link.points[2];
      svg.text((a.x + b.x) / 2 + 5, (a.y + b.y) / 2 + 4, "y",
               sizeText(bytes[i]));
    }
    for (auto &[box, list] : leaving)
      drawNames({boxes[box].x + 6, boxes[box].y + boxes[box].height + 13},
                "\xE2\x86\x92 ", list, &Link::to);
    for (auto &[box, list] : arriving)
      drawNames({boxes[box].x + 6, boxes[box].y - 6}, "from ", list,
                &Link::from);
  }

  /// The ends of links that are not drawn; the tooltip has all of them.
  void drawNames(Point at, const char *start, const std::vector<size_t> &list,
                 unsigned Link::*end) {
    std::string text = start, all;
    for (size_t i : list) {
      all += (all.empty() ? "" : "\n") + tooltip(i);
      if (text.size() < 28)
        text += (i == list.front() ? "" : ", ") + nameOf(links[i].*end) + " (" +
                sizeText(bytes[i]) + ")";
      else if (!llvm::StringRef(text).ends_with("\xE2\x80\xA6"))
        text += " \xE2\x80\xA6";
    }
    svg.raw("<g><title>" + mem::svgEscape(all) + "</title>");
    svg.text(at.x, at.y, "x", text);
    svg.raw("</g>\n");
  }

  const GroupGraph &graph;
  GroupStyle style;
  std::vector<Box> boxes;
  std::vector<Link> links;
  std::vector<int64_t> bytes;
  std::vector<std::string> reasons;
  mem::Svg svg;
};

} // namespace

std::string tenon::fusion::drawGroups(const GroupGraph &graph,
                                      llvm::StringRef title) {
  return pageHead(graph, title) + Picture(graph).draw() + pageTables(graph);
}
