//===- Svg.cpp - the few shapes of a plan's picture -----------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "lib/Memory/Draw/Svg.h"
#include "lib/Support/Bytes.h"

#include "llvm/Support/JSON.h"

using namespace tenon;
using namespace tenon::mem;

/// U+FFFD, for what XML has no way to write: controls and non-characters.
static constexpr const char *replacement = "\xEF\xBF\xBD";

static const char *entityOf(char symbol) {
  switch (symbol) {
  case '&':
    return "&amp;";
  case '<':
    return "&lt;";
  case '>':
    return "&gt;";
  case '"':
    return "&quot;";
  default:
    return nullptr;
  }
}

std::string tenon::mem::svgEscape(llvm::StringRef text) {
  std::string valid =
      llvm::json::isUTF8(text) ? text.str() : llvm::json::fixUTF8(text);
  std::string result;
  for (size_t i = 0; i < valid.size(); ++i) {
    llvm::StringRef rest = llvm::StringRef(valid).substr(i);
    if (const char *entity = entityOf(rest.front())) {
      result += entity;
    } else if (rest.starts_with("\xEF\xBF\xBE") ||
               rest.starts_with("\xEF\xBF\xBF")) {
      result += replacement;
      i += 2;
    } else {
      bool control = (unsigned char)rest.front() < 0x20 && rest.front() != '\n';
      result += control ? replacement : std::string(1, rest.front());
    }
  }
  return result;
}

void Svg::rect(const Rect &rect, const llvm::Twine &style,
               llvm::StringRef tooltip) {
  out += "<rect x=\"" + shortNumber(rect.x) + "\" y=\"" + shortNumber(rect.y) +
         "\" width=\"" + shortNumber(rect.width) + "\" height=\"" +
         shortNumber(rect.height) + "\" class=\"" + style.str() + "\"";
  out += tooltip.empty()
             ? "/>\n"
             : "><title>" + svgEscape(tooltip) + "</title></rect>\n";
}

void Svg::line(double x1, double y1, double x2, double y2,
               const llvm::Twine &style) {
  out += "<line x1=\"" + shortNumber(x1) + "\" y1=\"" + shortNumber(y1) +
         "\" x2=\"" + shortNumber(x2) + "\" y2=\"" + shortNumber(y2) +
         "\" class=\"" + style.str() + "\"/>\n";
}

void Svg::text(double x, double y, const llvm::Twine &style,
               llvm::StringRef text) {
  out += "<text x=\"" + shortNumber(x) + "\" y=\"" + shortNumber(y) +
         "\" class=\"" + style.str() + "\">" + svgEscape(text) + "</text>\n";
}

void Svg::path(llvm::StringRef data, const llvm::Twine &style) {
  out += "<path d=\"" + data.str() + "\" class=\"" + style.str() + "\"/>\n";
}
