//===- DrawPanel.h - one arena's picture ------------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TENON_LIB_MEMORY_DRAW_DRAWPANEL_H
#define TENON_LIB_MEMORY_DRAW_DRAWPANEL_H

#include "lib/Memory/Draw/Draw.h"
#include "lib/Memory/Draw/Svg.h"
#include "lib/Memory/Draw/Timeline.h"

namespace tenon::mem {

/// Everything that a page draws.
struct Scene {
  const Problem &problem;
  const Solution &solution;
  const DrawOptions &options;
  std::vector<int64_t> bounds;
  Blocks blocks;
  Timeline timeline;

  Scene(const Problem &problem, const Solution &solution,
        const DrawOptions &options);
};

/// Where a panel is on the page, and what its axes span.
struct Frame {
  Rect plot;
  double firstTime, lastTime, mostBytes;

  double x(double time) const {
    return plot.x + plot.width * (time - firstTime) / (lastTime - firstTime);
  }
  double y(double bytes) const {
    return plot.y + plot.height * (1 - bytes / mostBytes);
  }
  double right() const { return plot.x + plot.width; }
  double bottom() const { return plot.y + plot.height; }
};

/// Colours are classes c0, c1, ... of the style sheet.
inline constexpr unsigned numColours = 12;

/// Buffers of one rigid block have one colour; with several streams, a stream
/// has one.
unsigned colourOf(const Scene &scene, unsigned buffer);

/// Heights on the page.
inline constexpr double liveHeight = 84, liveGap = 26;

/// Draws the arena of `scope` into `plot` and its live bytes below.
void drawPanel(const Scene &scene, unsigned scope, const Rect &plot, Svg &svg);

/// Draws bytes in use over time, their axes, and a line up to `top` at the
/// first peak.
void drawLive(const Frame &frame, const std::vector<LiveStep> &steps,
              double top, Svg &svg);

/// Draws the buffers of `scope`. Returns how many melted into the shading.
unsigned drawBuffers(const Scene &scene, unsigned scope, const Frame &frame,
                     Svg &svg);

} // namespace tenon::mem

#endif // TENON_LIB_MEMORY_DRAW_DRAWPANEL_H
