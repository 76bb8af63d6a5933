//===- Svg.h - the few shapes of a plan's picture ---------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TENON_LIB_MEMORY_DRAW_SVG_H
#define TENON_LIB_MEMORY_DRAW_SVG_H

#include "llvm/ADT/StringRef.h"
#include "llvm/ADT/Twine.h"
#include <string>

namespace tenon::mem {

/// Text that is safe between tags and in attributes: markup and control
/// characters are escaped or replaced, and so is what is not UTF-8.
std::string svgEscape(llvm::StringRef text);

struct Rect {
  double x, y, width, height;
};

/// Collects elements. `style` is a class of the page's style sheet; all text is
/// escaped here.
class Svg {
public:
  void rect(const Rect &rect, const llvm::Twine &style,
            llvm::StringRef tooltip = "");
  void line(double x1, double y1, double x2, double y2,
            const llvm::Twine &style);
  void text(double x, double y, const llvm::Twine &style, llvm::StringRef text);
  void path(llvm::StringRef data, const llvm::Twine &style);
  void raw(llvm::StringRef markup) { out += markup; }

  std::string take() { return std::move(out); }

private:
  std::string out;
};

} // namespace tenon::mem

#endif // TENON_LIB_MEMORY_DRAW_SVG_H
