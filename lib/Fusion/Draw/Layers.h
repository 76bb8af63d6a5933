//===- Layers.h - a graph from top to bottom --------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file declares where boxes of a directed graph go on a page: in layers,
// every edge downwards, with few crossings. An edge over several layers passes
// between the boxes of each. A tall graph is cut into columns where few edges
// are; what leads from one column into another, or over very many layers, is
// not drawn but named at both ends.
//===----------------------------------------------------------------------===//
#ifndef TENON_LIB_FUSION_DRAW_LAYERS_H
#define TENON_LIB_FUSION_DRAW_LAYERS_H

#include <cstddef>
#include <vector>

namespace tenon::fusion {

struct Box {
  double width = 0, height = 0;
  double x = 0, y = 0; ///< found: of its upper left corner
};

struct Point {
  double x, y;
};

struct Link {
  unsigned from = 0, to = 0;
  std::vector<Point> points = {}; ///< found: from below `from` to above `to`
  bool isLong = false;            ///< found: it has no points
};

struct LayerOptions {
  double gapX = 28, gapY = 44;
  double pageWidth = 1900, columnGap = 56; ///< columns share the page
  double columnHeight = 900;               ///< of columns, at least
  double passWidth = 14;                   ///< of an edge that passes a layer
  unsigned longestLink = 14;               ///< layers that an edge may pass
  unsigned sweeps = 8;
};

/// Places boxes and links; links go from smaller to larger numbers of boxes.
/// Returns the size of the page. The same input gives the same page.
Point placeLayers(std::vector<Box> &boxes, std::vector<Link> &links,
                  const LayerOptions &options = {});

} // namespace tenon::fusion

#endif // TENON_LIB_FUSION_DRAW_LAYERS_H
