//===- Draw.cpp - a plan as a picture -------------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "lib/Memory/Draw/Draw.h"
#include "lib/Memory/Draw/DrawPanel.h"
#include "lib/Memory/Draw/Page.h"
#include "lib/Support/Bytes.h"

#include "llvm/ADT/STLExtras.h"
#include <cstdio>
#include <numeric>

using namespace tenon;
using namespace tenon::mem;

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
  double x = page::left, y;
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
  double step = tall + liveGap + liveHeight + page::gap;
  Svg svg;
  beginPage(page::top + step * scopes - page::gap + page::footer, svg);
  svg.text(page::left, 36, "title", options.title);
  svg.text(page::left, 58, "sub", summary(scene));
  for (unsigned scope = 0; scope < scopes; ++scope)
    drawPanel(scene, scope,
              {page::left, page::top + step * scope,
               page::width - page::left - page::right, tall},
              svg);
  double end = page::top + step * scopes - page::gap;
  svg.text(page::width - page::right, end + 34, "tick end",
           problem.streams() > 1 ? "time: nodes finished, over all streams"
                                 : "time");
  drawLegend(problem, end + 48, svg);
  svg.raw("</svg>\n");
  return svg.take();
}
