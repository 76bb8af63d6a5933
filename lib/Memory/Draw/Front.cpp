//===- Front.cpp - time against bytes as a picture ------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "lib/Memory/Draw/Front.h"
#include "lib/Memory/Draw/Svg.h"
#include "lib/Support/Bytes.h"
#include "llvm/ADT/STLExtras.h"

#include <cmath>

using namespace tenon;
using namespace tenon::mem;

static constexpr double pageWidth = 960, pageHeight = 560;
static constexpr double left = 84, right = 60, top = 84, bottom = 64;

static constexpr const char *head =
    R"(<?xml version="1.0" encoding="UTF-8"?>
<svg xmlns="http://www.w3.org/2000/svg" width="960" height="560" )"
    R"(viewBox="0 0 960 560">
<style>
svg{font:11px "Helvetica Neue",Arial,sans-serif;fill:#222}
.page{fill:#fff}
.plot{fill:#fafbfc;stroke:#d5dae0}
.grid{stroke:#e3e7eb;stroke-width:.8}
.stairs{fill:none;stroke:#1d5b8f;stroke-width:1.8}
.ours{fill:#1d5b8f}.cut{fill:#c48a32}.blocks{fill:#75a355}.program{fill:#222}
.way{fill:none;stroke:#e5c79a;stroke-width:.8}
.bound{stroke:#c0392b;stroke-width:1.4;stroke-dasharray:7 4}
.boundtext{fill:#c0392b}
.title{font-size:19px;font-weight:600}.sub{font-size:12.5px;fill:#3c4650}
.tick{fill:#56616b}.mid{text-anchor:middle}.end{text-anchor:end}
</style>
)";

namespace {
class Picture {
public:
  explicit Picture(const FrontScene &scene) : scene(scene) {
    include(scene.program);
    for (const FrontPoint &other : scene.others)
      include(other);
    // What needs the fewest bytes may take several times as long.
    double most = std::max(1.25 * mostPercent, 40.);
    for (const FrontPoint &plan : scene.plans)
      include(plan);
    mostPercent = std::min(mostPercent * 1.06, most);
    mostBytes *= 1.06;
  }

  std::string draw(llvm::StringRef title);

private:
  void include(const FrontPoint &plan);
  double percentOf(const FrontPoint &plan) const;
  double x(double bytes) const {
    return left + (pageWidth - left - right) * bytes / mostBytes;
  }
  /// What takes longer than the page shows is at its upper edge.
  double y(double percent) const {
    return top + (pageHeight - top - bottom) *
                     (mostPercent - std::min(percent, mostPercent)) /
                     (mostPercent - leastPercent);
  }
  std::string placeOf(const FrontPoint &plan) const;
  std::string summary() const;
  void drawAxes();
  void drawBound();
  void drawStairs();
  void drawOthers();
  void drawName(const FrontPoint &other);
  void drawPoint(const FrontPoint &plan, const char *style);

  const FrontScene &scene;
  double leastPercent = 0, mostPercent = 1, mostBytes = 1;
  std::vector<std::pair<double, double>> names; ///< where they are
  Svg svg;
};
} // namespace

/// Time beyond the program's.
double Picture::percentOf(const FrontPoint &plan) const {
  double time = double(scene.program.time);
  return time > 0 ? (double(plan.time) / time - 1) * 100 : 0;
}

void Picture::include(const FrontPoint &plan) {
  leastPercent = std::min(leastPercent, percentOf(plan));
  mostPercent = std::max(mostPercent, percentOf(plan));
  mostBytes = std::max(mostBytes, double(plan.bytes));
}

/// 1, 2 or 5 times a power of ten, so that there are some six in a range.
static double tickOf(double range) {
  double power = std::pow(10, std::floor(std::log10(range / 6)));
  for (double factor : {1., 2., 5.})
    if (range / (power * factor) <= 8)
      return power * factor;
  return power * 10;
}

void Picture::drawAxes() {
  svg.rect({left, top, pageWidth - left - right, pageHeight - top - bottom},
           "plot");
  double tick = tickOf(mostPercent - leastPercent);
  for (double at = std::ceil(leastPercent / tick) * tick; at <= mostPercent;
       at += tick) {
    svg.line(left, y(at), pageWidth - right, y(at), "grid");
    svg.text(left - 8, y(at) + 4, "tick end",
             (at > 0 ? "+" : "") + shortNumber(at) + " %");
  }
  double step = 1;
  while (mostBytes / step > 8)
    step *= 2;
  for (double bytes = 0; bytes <= mostBytes; bytes += step) {
    svg.line(x(bytes), top, x(bytes), pageHeight - bottom, "grid");
    svg.text(x(bytes), pageHeight - bottom + 18, "tick mid",
             humanBytes(int64_t(bytes)));
  }
  svg.text(pageWidth - right, pageHeight - 22, "tick end",
           "bytes in use at once");
  svg.text(left, top - 10, "tick", "time beyond the program's");
}

void Picture::drawBound() {
  double at = x(double(scene.bound)), below = pageHeight - bottom;
  svg.line(at, top, at, below, "bound");
  // The stairs leave the bound at its upper end, to the right.
  bool hasRoom = at > left + 180;
  svg.text(at + (hasRoom ? -6 : 6), below - 10,
           hasRoom ? "boundtext end" : "boundtext",
           "no plan needs less: " + humanBytes(scene.bound));
}

std::string Picture::placeOf(const FrontPoint &plan) const {
  return shortNumber(x(double(plan.bytes))) + " " +
         shortNumber(y(percentOf(plan)));
}

void Picture::drawPoint(const FrontPoint &plan, const char *style) {
  if (percentOf(plan) > mostPercent)
    return;
  std::string tooltip = plan.name + ": " + humanBytes(plan.bytes) + ", " +
                        shortNumber(percentOf(plan)) + " %";
  if (!plan.note.empty())
    tooltip += ", " + plan.note;
  svg.rect({x(double(plan.bytes)) - 3, y(percentOf(plan)) - 3, 6, 6}, style,
           tooltip);
}

/// From a plan on, more bytes take no more time.
void Picture::drawStairs() {
  std::string path;
  for (const FrontPoint &plan : scene.plans) {
    if (path.empty())
      path = "M" + shortNumber(pageWidth - right) + " " +
             shortNumber(y(percentOf(plan)));
    path += "V" + shortNumber(y(percentOf(plan))) + "H" +
            shortNumber(x(double(plan.bytes)));
  }
  path += "V" + shortNumber(top);
  svg.path(path, "stairs");
  for (const FrontPoint &plan : scene.plans)
    drawPoint(plan, "ours");
}

/// Points that are almost one have one name.
void Picture::drawName(const FrontPoint &other) {
  double across = x(double(other.bytes)) + 7;
  double down = y(percentOf(other)) - 7;
  for (auto [atX, atY] : names)
    if (std::abs(atX - across) < 60 && std::abs(atY - down) < 12)
      return;
  names.push_back({across, down});
  bool hasRoom = across < pageWidth - right - 120;
  svg.text(across - (hasRoom ? 0 : 14), down, hasRoom ? "tick" : "tick end",
           other.name);
}

void Picture::drawOthers() {
  std::string path;
  for (const FrontPoint &other : scene.others)
    if (other.isOnWay)
      path += (path.empty() ? "M" : "L") + placeOf(other);
  if (!path.empty())
    svg.path(path, "way");
  for (const FrontPoint &other : scene.others) {
    drawPoint(other, other.isOnWay ? "cut" : "blocks");
    drawName(other);
  }
  drawPoint(scene.program, "program");
  drawName(scene.program);
}

std::string Picture::summary() const {
  std::string most = humanBytes(scene.plans.front().bytes);
  std::string least = humanBytes(scene.plans.back().bytes);
  size_t count = scene.plans.size();
  return count == 1
             ? "one plan, " + most
             : std::to_string(count) + " plans from " + most + " to " + least;
}

std::string Picture::draw(llvm::StringRef title) {
  svg.raw(head);
  svg.rect({0, 0, pageWidth, pageHeight}, "page");
  svg.text(left, 36, "title", title);
  svg.text(left, 58, "sub", summary());
  drawAxes();
  drawBound();
  drawStairs();
  drawOthers();
  svg.raw("</svg>\n");
  return svg.take();
}

std::string mem::drawFront(const FrontScene &scene, llvm::StringRef title) {
  return Picture(scene).draw(title);
}
