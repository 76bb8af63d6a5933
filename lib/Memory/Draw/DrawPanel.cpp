//===- DrawPanel.cpp - one arena's picture --------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "lib/Memory/Draw/DrawPanel.h"
#include "lib/Support/Bytes.h"

#include "llvm/ADT/STLExtras.h"
#include <algorithm>
#include <cmath>

using namespace tenon;
using namespace tenon::mem;

Scene::Scene(const Problem &problem, const Solution &solution,
             const DrawOptions &options)
    : problem(problem), solution(solution), options(options),
      bounds(options.bounds.empty() ? lowerBounds(problem) : options.bounds),
      blocks(llvm::cantFail(buildBlocks(problem))), timeline(problem) {}

/// The smallest 2^k that is at least `value`.
static double binaryStep(double value) {
  double step = 1;
  while (step < value)
    step *= 2;
  return step;
}

/// The smallest 1, 2 or 5 times 10^k that is at least `value`.
static double decimalStep(double value) {
  for (double step = 1;; step *= 10)
    for (double factor : {1., 2., 5.})
      if (step * factor >= value)
        return step * factor;
}

namespace {
/// What time is counted in, so that labels stay short.
struct TimeUnit {
  double value = 1;
  const char *name = "";

  explicit TimeUnit(double last) {
    for (const char *larger : {"k", "M", "G", "T"}) {
      if (last / value < (value == 1 ? 10'000 : 1'000))
        break;
      value *= 1000, name = larger;
    }
  }

  std::string text(double time) const {
    return shortNumber(time / value) + (time == 0 ? "" : name);
  }
};
} // namespace

static void drawByteAxis(const Frame &frame, double ticks, Svg &svg) {
  double step = binaryStep(frame.mostBytes / ticks);
  for (double bytes = 0; bytes <= frame.mostBytes; bytes += step) {
    double y = frame.y(bytes);
    svg.line(frame.plot.x, y, frame.right(), y, "grid");
    svg.text(frame.plot.x - 8, y + 3.5, "tick end",
             bytes ? humanBytes(int64_t(bytes)) : "0");
  }
}

static void drawTimeAxis(const Frame &frame, Svg &svg) {
  double step = decimalStep((frame.lastTime - frame.firstTime) / 10);
  TimeUnit unit(std::max(std::abs(frame.firstTime), std::abs(frame.lastTime)));
  for (double time = std::ceil(frame.firstTime / step) * step;
       time <= frame.lastTime; time += step) {
    svg.line(frame.x(time), frame.bottom(), frame.x(time), frame.bottom() + 4,
             "axis");
    svg.text(frame.x(time), frame.bottom() + 16, "tick mid", unit.text(time));
  }
  svg.line(frame.plot.x, frame.bottom(), frame.right(), frame.bottom(), "axis");
}

/// The most live bytes in each column of pixels, as one closed area.
static std::string liveArea(const Frame &frame,
                            const std::vector<LiveStep> &steps) {
  std::vector<double> most(size_t(frame.plot.width) + 1);
  for (size_t i = 0; i < steps.size(); ++i) {
    double end = i + 1 < steps.size() ? steps[i + 1].time : frame.lastTime;
    size_t from = size_t(std::max(0., frame.x(steps[i].time) - frame.plot.x));
    size_t to = size_t(std::max(0., frame.x(end) - frame.plot.x));
    for (size_t x = from;
         x <= std::min(std::max(from, to - (to > from)), most.size() - 1); ++x)
      most[x] = std::max(most[x], steps[i].bytes);
  }
  std::string data =
      "M" + shortNumber(frame.plot.x) + " " + shortNumber(frame.bottom());
  for (size_t x = 0; x + 1 < most.size(); ++x)
    if (x == 0 || most[x] != most[x - 1])
      data += "H" + shortNumber(frame.plot.x + double(x)) + "V" +
              shortNumber(frame.y(most[x]));
  return data + "H" + shortNumber(frame.right()) + "V" +
         shortNumber(frame.bottom()) + "z";
}

/// The first moment with the most live bytes.
static LiveStep peakOf(const std::vector<LiveStep> &steps) {
  LiveStep peak = {0, 0};
  for (const LiveStep &step : steps)
    if (step.bytes > peak.bytes)
      peak = step;
  return peak;
}

void tenon::mem::drawLive(const Frame &frame,
                          const std::vector<LiveStep> &steps, double panelTop,
                          Svg &svg) {
  drawByteAxis(frame, 3, svg);
  svg.path(liveArea(frame, steps), "live");
  drawTimeAxis(frame, svg);
  svg.text(frame.plot.x, frame.plot.y - 6, "tick", "live bytes");
  LiveStep peak = peakOf(steps);
  double x = frame.x(peak.time);
  svg.line(x, panelTop, x, frame.bottom(), "peak");
  // The label stands on the side that has room.
  bool left = x > frame.plot.x + frame.plot.width / 2;
  svg.text(x + (left ? -6 : 6), frame.bottom() - 6,
           left ? "peaktext end" : "peaktext",
           "peak " + humanBytes(int64_t(peak.bytes)) + " at " +
               shortNumber(peak.time));
}

namespace {
/// A height that the picture marks: a line, and beside it what it is.
struct Level {
  int64_t bytes;
  std::string name;
  const char *style;
};
} // namespace

static std::vector<Level> levelsOf(const Scene &scene, unsigned scope) {
  int64_t arena = scene.solution.arenas[scope], bound = scene.bounds[scope];
  std::vector<Level> levels;
  if (scene.options.capacity)
    levels.push_back({scene.options.capacity, "capacity", "capacity"});
  if (arena == bound) {
    levels.push_back({arena, "arena = bound", "arena"});
  } else {
    levels.push_back({arena, "arena", "arena"});
    levels.push_back({bound, "lower bound", "bound"});
  }
  llvm::sort(levels, [](const Level &a, const Level &b) {
    return std::tie(b.bytes, a.name) < std::tie(a.bytes, b.name);
  });
  return levels;
}

static void drawLevels(const Frame &frame, const std::vector<Level> &levels,
                       Svg &svg) {
  double free = 0; // labels must not cover each other
  for (const Level &level : levels) {
    double y = frame.y(double(level.bytes));
    double at = std::max(y - 2, free);
    svg.line(frame.plot.x, y, frame.right() + 6, y, level.style);
    svg.text(frame.right() + 10, at,
             llvm::Twine("name ") + level.style + "text", level.name);
    svg.text(frame.right() + 10, at + 13, "tick", humanBytes(level.bytes));
    svg.text(frame.right() + 10, at + 25, "tick faint",
             std::to_string(level.bytes) + " B");
    free = at + 42;
  }
}

void tenon::mem::drawPanel(const Scene &scene, unsigned scope, const Rect &plot,
                           Svg &svg) {
  std::vector<LiveStep> steps = scene.timeline.profile(scene.blocks, scope);
  std::vector<Level> levels = levelsOf(scene, scope);
  double most = std::max(1., double(levels.front().bytes));
  Frame frame = {plot, scene.timeline.begin(), scene.timeline.end(),
                 most * 1.02};
  svg.rect(plot, "plot");
  drawByteAxis(frame, 8, svg);
  unsigned melted = drawBuffers(scene, scope, frame, svg);
  drawLevels(frame, levels, svg);
  svg.text(plot.x - 8, plot.y - 8, "tick end", "offset");
  std::string note = scene.problem.scopes() > 1
                         ? "scope " + std::to_string(scope)
                         : std::string();
  if (melted)
    note += (note.empty() ? "" : ", ") + std::to_string(melted) +
            " small buffers are shown as a shading";
  svg.text(plot.x, plot.y - 8, "tick", note);
  Rect below = {plot.x, frame.bottom() + liveGap, plot.width, liveHeight};
  drawLive({below, frame.firstTime, frame.lastTime,
            std::max(1., peakOf(steps).bytes) * 1.1},
           steps, plot.y, svg);
}
