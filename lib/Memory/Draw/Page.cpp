//===- Page.cpp - what all pictures have in common ------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "lib/Memory/Draw/Page.h"
#include "lib/Memory/Draw/DrawPanel.h"
#include "lib/Support/Bytes.h"

#include "llvm/ADT/STLExtras.h"

using namespace tenon;
using namespace tenon::mem;

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

void tenon::mem::beginPage(double height, Svg &svg) {
  std::string size = shortNumber(page::width), tall = shortNumber(height);
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
  svg.rect({0, 0, page::width, height}, "page");
}
