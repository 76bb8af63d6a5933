//===- Draw.h - a plan as a picture -----------------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file draws a placement as one self-contained SVG: time goes across,
// offsets go up, and each buffer is a rectangle with its bytes and its life in
// a tooltip. One panel per scope, with the live bytes below it:
//
//   arena +-----------------------------+
//         |   +---------+    +-------+  |
//   bound |- -|    b    |- - |   d   |- |
//         +---+----+----+----+---+---+  |
//         |   a    |         c   |      |
//         +-----------------------------+
//         |live bytes ^ peak            |
//         +-----------------------------+--> time
//
// Several streams share the axis: a buffer begins where as many nodes have
// finished as its clock counts, and ends at the first birth that surely comes
// after it. So one that is done before another begins is drawn before it.
//
// Large instances stay small files: beyond a few thousand rectangles, those
// that are smallest on the page melt into a shading.
//===----------------------------------------------------------------------===//
#ifndef TENON_LIB_MEMORY_DRAW_DRAW_H
#define TENON_LIB_MEMORY_DRAW_DRAW_H

#include "lib/Memory/Problem.h"

namespace tenon::mem {

struct DrawOptions {
  std::string title = "memory plan";
  /// A line at this height in each panel; 0: none.
  int64_t capacity = 0;
  /// What lowerBounds() says, where it is already known.
  std::vector<int64_t> bounds = {};
};

/// The picture of a valid solution. The same input gives the same bytes.
std::string drawPlan(const Problem &problem, const Solution &solution,
                     const DrawOptions &options = {});

} // namespace tenon::mem

#endif // TENON_LIB_MEMORY_DRAW_DRAW_H
