//===- Draw.cpp - a plan as a picture -------------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "lib/Memory/Draw/Draw.h"
#include "lib/Memory/Draw/DrawPanel.h"
#include "lib/Support/Bytes.h"

#include "llvm/ADT/STLExtras.h"
#include <cstdio>
#include <numeric>

using namespace tenon;
using namespace tenon::mem;

static constexpr double pageWidth = 1280, left = 84, right = 132, top = 92;
static constexpr double panelGap = 84, footer = 64;

// Light fills with a darker line of the same hue.
static constexpr const char *colours[numColours][2] = {
    {"#a6cee3", "#5b94b5"}, {"#f9c784", "#c48a32"}, {"#b5d99c", "#75a355"},
    {"#d9b8e0", "#9a6fa5"}, {"#f4a6a0", "#bd645d"}, {"#9adbd0", "#4fa294"},
    {"#e8d98b", "#ab9a3d"}, {"#bcc3ee", "#7a83bd"}, {"#f3b6cf", "#b96b8d"},
    {"#cfc4b2", "#958670"}, {"#8fc7a6", "#4f8f69"}, {"#d3d9df", "#8d979f"}};

static constexpr const char *sheet = R"(
.page{fill:#fff}
svg{font:11px "Helvetica Neue",Arial,sans-serif;fill:#222}
rect{stroke-width:.6}
.t{stroke:none!important}
.v{stroke-dasharray:3 2;stroke:#444!important}
.h{fill:url(#hatch);pointer-events:none}
.l{fill:none;stroke:#222;stroke-width:1.4;pointer-events:none}
.g{fill:url(#guard);stroke:#222;stroke-width:.4}
.k{fill:#222}
.s0{fill:#e4e8ec}.s1{fill:#c3ccd4}.s2{fill:#a3b0bb}
.plot{fill:#fafbfc;stroke:#d5dae0}
.grid{stroke:#e3e7eb;stroke-width:.8}
.axis{stroke:#8a939b}
.live{fill:#cfdbe6;stroke:#7d97ad;stroke-width:.7}
.arena{stroke:#1d2b3a;stroke-width:1.6}
.bound{stroke:#c0392b;stroke-width:1.4;stroke-dasharray:7 4}
.capacity{stroke:#7b3fa0;stroke-width:1.4;stroke-dasharray:2 3}
.peak{stroke:#c0392b;stroke-width:1;stroke-dasharray:2 3}
.title{font-size:19px;font-weight:600}
.sub{font-size:12.5px;fill:#3c4650}
.tick{fill:#56616b}.faint{font-size:9.5px;fill:#8a939b}
.name{font-weight:600}
.boundtext,.peaktext{fill:#c0392b}.capacitytext{fill:#7b3fa0}
.peaktext{font-weight:600}
.b{font-size:10px;text-anchor:middle;pointer-events:none}.q{fill:#56616b}
.mid{text-anchor:middle}.end{text-anchor:end}
rect[class^=c]:hover{stroke:#000;stroke-width:2}
)";

static constexpr const char *patterns =
    "<defs><pattern id=\"hatch\" width=\"5\" height=\"5\" "
    "patternUnits=\"userSpaceOnUse\" patternTransform=\"rotate(45)\">"
    "<line x1=\"0\" y1=\"0\" x2=\"0\" y2=\"5\" stroke=\"#fff\" "
    "stroke-width=\"2\" stroke-opacity=\".7\"/></pattern>"
    "<pattern id=\"guard\" width=\"4\" height=\"4\" "
    "patternUnits=\"userSpaceOnUse\" patternTransform=\"rotate(-45)\">"
    "<rect width=\"4\" height=\"4\" fill=\"#fff\"/>"
    "<line x1=\"0\" y1=\"0\" x2=\"0\" y2=\"4\" stroke=\"#555\" "
    "stroke-width=\"1.6\"/></pattern></defs>\n";

static void drawHead(double height, Svg &svg) {
  std::string size = shortNumber(pageWidth), tall = shortNumber(height);
  svg.raw("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
          "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"" +
          size + "\" height=\"" + tall + "\" viewBox=\"0 0 " + size + " " +
          tall + "\">\n<style>");
  svg.raw(sheet);
  for (auto [i, colour] : llvm::enumerate(colours))
    svg.raw(".c" + std::to_string(i) + "{fill:" + colour[0] +
            ";stroke:" + colour[1] + "}\n");
  svg.raw("</style>\n");
  svg.raw(patterns);
  svg.rect({0, 0, pageWidth, height}, "page");
}

static std::string summary(const Scene &scene) {
  int64_t arena = scene.solution.arenaBytes();
  int64_t bound =
      std::accumulate(scene.bounds.begin(), scene.bounds.end(), int64_t(0));
  char ratio[32];
  snprintf(ratio, sizeof ratio, "%.4f",
           bound ? double(arena) / double(bound) : 1);
  std::string text = std::to_string(scene.problem.buffers.size()) + " buffers";
  if (scene.problem.streams() > 1)
    text += " in " + std::to_string(scene.problem.streams()) + " streams";
  if (scene.problem.scopes() > 1)
    text += " in " + std::to_string(scene.problem.scopes()) + " scopes";
  return text + "   ·   arena " + humanBytes(arena) + "   ·   lower bound " +
         humanBytes(bound) + "   ·   arena / bound " + ratio;
}

namespace {
/// The marks that this picture uses, explained in one line.
class Legend {
public:
  Legend(double y, Svg &svg) : y(y), svg(svg) {}

  void entry(const char *style, const std::string &text,
             const char *over = nullptr) {
    svg.rect({x, y - 10, 18, 12}, style);
    if (over)
      svg.rect({x, y - 10, 18, 12}, over);
    svg.text(x + 24, y, "tick", text);
    x += 48 + 6 * double(text.size());
  }

  void arrow(const std::string &text) {
    svg.path("M" + shortNumber(x + 4) + " " + shortNumber(y - 9) +
                 "l10 5l-10 5z",
             "k");
    svg.text(x + 24, y, "tick", text);
    x += 48 + 6 * double(text.size());
  }

private:
  double x = left, y;
  Svg &svg;
};
} // namespace

static void drawLegend(const Problem &problem, double y, Svg &svg) {
  Legend legend(y, svg);
  auto has = [&](Overlay::Kind kind) {
    return llvm::any_of(problem.overlays, [&](const Overlay &overlay) {
      return overlay.kind == kind;
    });
  };
  for (unsigned s = 0; problem.streams() > 1 && s < problem.streams() && s < 8;
       ++s)
    legend.entry(("c" + std::to_string(s)).c_str(),
                 "stream " + std::to_string(s));
  if (!problem.lists.empty())
    legend.entry("l", "contiguous list");
  if (llvm::any_of(problem.lists,
                   [](const Contiguous &list) { return list.guardBytes > 0; }))
    legend.entry("g", "guard");
  if (has(Overlay::View))
    legend.entry("c0 v", "view", "h");
  if (has(Overlay::InPlace))
    legend.arrow("overwrites in place");
  if (llvm::any_of(problem.buffers,
                   [](const Buffer &buffer) { return bool(buffer.fixed); }))
    legend.entry("k", "fixed");
}

std::string tenon::mem::drawPlan(const Problem &problem,
                                 const Solution &solution,
                                 const DrawOptions &options) {
  Scene scene(problem, solution, options);
  unsigned scopes = problem.scopes();
  double tall = scopes == 1 ? 560 : scopes == 2 ? 360 : 260;
  double step = tall + liveGap + liveHeight + panelGap;
  Svg svg;
  drawHead(top + step * scopes - panelGap + footer, svg);
  svg.text(left, 36, "title", options.title);
  svg.text(left, 58, "sub", summary(scene));
  for (unsigned scope = 0; scope < scopes; ++scope)
    drawPanel(scene, scope,
              {left, top + step * scope, pageWidth - left - right, tall}, svg);
  double end = top + step * scopes - panelGap;
  svg.text(pageWidth - right, end + 34, "tick end",
           problem.streams() > 1 ? "time: nodes finished, over all streams"
                                 : "time");
  drawLegend(problem, end + 48, svg);
  svg.raw("</svg>\n");
  return svg.take();
}
