//===- DrawGroup.cpp - one group's picture --------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "lib/Fusion/Draw/DrawGroup.h"

#include "lib/Support/Bytes.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringExtras.h"
#include <algorithm>
#include <cstdio>

using namespace tenon;
using namespace tenon::fusion;

static constexpr double width = 268, head = 38, pitch = 22, row = 17, pad = 9;
static constexpr double inset = 22; ///< of rows: fused edges go left of them

//===-- Words -------------------------------------------------------------===//

/// In the first unit, each so many times the one before, that leaves less than
/// a thousand.
static std::string inUnits(double count, double step,
                           llvm::ArrayRef<const char *> units) {
  unsigned unit = 0;
  while (count >= 1000 && unit + 1 < units.size())
    count /= step, ++unit;
  char text[32];
  snprintf(text, sizeof text, count < 10 && unit ? "%.1f%s" : "%.0f%s", count,
           units[unit]);
  return text;
}

std::string fusion::humanCount(double count) {
  return inUnits(count, 1000, {"", " k", " M", " G", " T"});
}

std::string fusion::humanTime(Time time) {
  return inUnits(time.nanoseconds, 1000, {" ns", " us", " ms", " s"});
}

std::string fusion::sizeText(int64_t bytes) {
  return inUnits(double(bytes), 1024, {" B", " KiB", " MiB", " GiB", " TiB"});
}

static std::string percent(double part) {
  return std::to_string(int(part * 100 + 0.5)) + " %";
}

std::string fusion::savedText(const ReportedGroup &group) {
  return group.saved() < 0.005 ? "" : "\xE2\x88\x92" + percent(group.saved());
}

static std::string times(llvm::ArrayRef<int64_t> numbers) {
  std::string text;
  for (int64_t number : numbers)
    text += (text.empty() ? "" : "\xC3\x97") + std::to_string(number);
  return text;
}

std::string fusion::tileText(const ReportedGroup &group) {
  return group.tile.empty() ? ""
                            : times(group.tile) + " of " + times(group.extents);
}

std::string fusion::shortName(llvm::StringRef name, size_t most) {
  // Fused locations name several nodes.
  auto [first, others] = name.split(';');
  if (!others.empty())
    return shortName(first, most - 2) + " +";
  if (name.size() <= most)
    return name.str();
  size_t begin = name.size() - most + 1;
  while (begin < name.size() && (name[begin] & 0xC0) == 0x80)
    ++begin;
  return "\xE2\x80\xA6" + name.drop_front(begin).str();
}

static std::string workText(const ReportedGroup &group) {
  char text[32];
  snprintf(text, sizeof text, "%.2f", group.work);
  return text;
}

/// The line below the title.
static std::string detailOf(const ReportedGroup &group) {
  std::vector<std::string> parts;
  if (group.time > Time())
    parts.push_back(humanTime(group.time));
  if (!group.tile.empty())
    parts.push_back("tile " + tileText(group));
  else if (group.tiles > 1)
    parts.push_back(std::to_string(group.tiles) + " tiles");
  if (group.work > 1.004)
    parts.push_back("work \xC3\x97" + workText(group));
  return llvm::join(parts, "  \xC2\xB7  ");
}

std::string fusion::describeGroup(const ReportedGroup &group, unsigned number) {
  std::string text = "#" + std::to_string(number) + "  " + group.strategy +
                     "  (" + group.kernel + ")";
  auto line = [&](const char *what, const std::string &value) {
    text += std::string("\n") + what + ": " + value;
  };
  line("memory traffic",
       humanBytes(group.bytes) + ", unfused " + humanBytes(group.bytesBefore));
  if (group.weightBytes)
    line("of that weights", humanBytes(group.weightBytes));
  if (!group.tile.empty())
    line("tile", tileText(group));
  if (group.tiles)
    line("independent tiles", std::to_string(group.tiles));
  line("work executed", workText(group) + " of the program's");
  if (group.scratchBytes)
    line("scratch of a thread", humanBytes(group.scratchBytes));
  if (group.time > Time())
    line("predicted", humanTime(group.time));
  line("operations", humanCount(double(group.flops)) + "FLOP");
  line("bound by", toText(group.bound));
  for (const GroupOperator &each : group.operators)
    text += "\n" + std::string(each.stage > 0 ? size_t(each.stage) : 0, ' ') +
            "  " + each.kind + "  " + each.nodes;
  return text;
}

//===-- Boxes -------------------------------------------------------------===//

static unsigned rowsOf(const ReportedGroup &group, const GroupStyle &style) {
  return std::min<unsigned>(group.operators.size(), style.rows);
}

static bool hasMore(const ReportedGroup &group, const GroupStyle &style) {
  return group.operators.size() > style.rows;
}

Box fusion::boxOf(const ReportedGroup &group, const GroupStyle &style) {
  double lines = rowsOf(group, style) + (hasMore(group, style) ? 0.8 : 0);
  return {width, head + pitch * lines + pad - (pitch - row)};
}

static double rowTop(const Box &box, unsigned index) {
  return box.y + head + pitch * index;
}

/// A fused edge: down the left side, further out the further it goes.
static void drawFused(const Box &box, unsigned from, unsigned to,
                      mem::Svg &svg) {
  auto number = [](double value) { return shortNumber(value); };
  double x = box.x + inset, begin = rowTop(box, from) + row;
  if (to == from + 1)
    return svg.line(x + 12, begin, x + 12, rowTop(box, to), "f");
  double out = std::max(4., 10 - 1.2 * double(to - from - 2));
  double y1 = begin - row / 2, y2 = rowTop(box, to) + row / 2;
  svg.path("M" + number(x) + " " + number(y1) + "C" + number(box.x + out - 4) +
               " " + number(y1) + " " + number(box.x + out - 4) + " " +
               number(y2) + " " + number(x) + " " + number(y2),
           "f");
}

/// Frames around the rows of each stage, with what computes it.
static void drawStages(const ReportedGroup &group, const Box &box,
                       unsigned rows, mem::Svg &svg) {
  for (unsigned first = 0; first < rows;) {
    unsigned end = first;
    while (end < rows &&
           group.operators[end].stage == group.operators[first].stage)
      ++end;
    double y = rowTop(box, first) - 2;
    if (group.operators[first].stage >= 0)
      svg.rect({box.x + inset - 5, y, width - inset - 3,
                rowTop(box, end - 1) + row + 2 - y},
               "st");
    first = end;
  }
}

static void drawOperator(const ReportedGroup &group, unsigned index,
                         const Box &box, mem::Svg &svg) {
  const GroupOperator &each = group.operators[index];
  double y = rowTop(box, index), x = box.x + inset;
  bool startsStage =
      each.stage >= 0 &&
      (index == 0 || group.operators[index - 1].stage != each.stage);
  bool hasStrategy = startsStage && !each.strategy.empty();
  svg.rect({x, y, width - inset - pad, row}, "o",
           each.kind + "\n" + each.nodes);
  svg.text(x + 6, y + 12.5, "k", each.kind);
  double used = 13 + 6.4 * double(each.kind.size());
  double room = width - inset - pad - used -
                (hasStrategy ? 14 + 5.6 * double(each.strategy.size()) : 4);
  if (room > 30)
    svg.text(x + used, y + 12.5, "n",
             shortName(each.nodes, size_t(room / 5.8)));
  if (hasStrategy)
    svg.text(box.x + width - pad - 5, y + 12.5, "m e", each.strategy);
}

static unsigned savedLevel(const ReportedGroup &group) {
  double saved = group.saved();
  return saved < 0.01 ? 0 : std::min(4u, 1 + unsigned(saved * 5));
}

void fusion::drawGroup(const ReportedGroup &group, unsigned number,
                       const Box &box, const GroupStyle &style, mem::Svg &svg) {
  svg.raw("<g id=\"g" + std::to_string(number) + "\"><title>" +
          mem::svgEscape(describeGroup(group, number)) + "</title>\n");
  svg.rect({box.x, box.y, box.width, box.height},
           std::string("g b") + char('0' + unsigned(group.bound)) + " s" +
               char('0' + savedLevel(group)));
  svg.text(box.x + pad, box.y + 16, "t",
           "#" + std::to_string(number) + "  " + group.strategy);
  svg.text(box.x + width - pad, box.y + 16, "r e",
           sizeText(group.bytes) + "  " + savedText(group));
  svg.text(box.x + pad, box.y + 30, "d", detailOf(group));
  unsigned rows = rowsOf(group, style);
  drawStages(group, box, rows, svg);
  for (unsigned i = 0; i < rows; ++i)
    for (unsigned operand : group.operators[i].operands)
      drawFused(box, operand, i, svg);
  for (unsigned i = 0; i < rows; ++i)
    drawOperator(group, i, box, svg);
  if (hasMore(group, style))
    svg.text(box.x + inset + 6, rowTop(box, rows) + 10, "d",
             std::to_string(group.operators.size() - rows) + " more");
  svg.raw("</g>\n");
}
