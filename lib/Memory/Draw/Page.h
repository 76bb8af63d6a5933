//===- Page.h - what all pictures have in common ----------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TENON_LIB_MEMORY_DRAW_PAGE_H
#define TENON_LIB_MEMORY_DRAW_PAGE_H

#include "lib/Memory/Draw/Svg.h"

namespace tenon::mem {

/// Lengths on a page.
namespace page {
inline constexpr double width = 1280, left = 84, right = 132, top = 92;
inline constexpr double gap = 84, footer = 64;
} // namespace page

/// The begin of a picture: its size, the styles of everything on it, and its
/// ground.
void beginPage(double height, Svg &svg);

} // namespace tenon::mem

#endif // TENON_LIB_MEMORY_DRAW_PAGE_H
