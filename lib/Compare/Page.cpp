//===- Page.cpp - findings as a table and as a page -----------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "lib/Compare/Compare.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/raw_ostream.h"

#include <cmath>

using namespace tenon::compare;
using llvm::StringRef;

static std::string number(double value) {
  std::string text;
  llvm::raw_string_ostream(text) << llvm::format("%.3g", value);
  return text;
}

static std::string errorText(const Difference &difference) {
  if (difference.isOther)
    return "another type or shape";
  return number(difference.ulp) + " ULP, " + number(difference.relative()) +
         " of the scale";
}

static std::string culprit(const Findings &findings) {
  std::string text = "node '" + findings.node + "'";
  if (!findings.op.empty())
    text += " (" + findings.op + ")";
  if (!findings.value.empty())
    text +=
        ", value '" + findings.value + "': " + errorText(findings.difference);
  return text;
}

std::string tenon::compare::verdictOf(const Findings &findings) {
  switch (findings.cause) {
  case Cause::None:
    return "no value differs";
  case Cause::Alone:
    return "the first that differs is " + culprit(findings) +
           "; it does so alone, on the reference's inputs";
  case Cause::Fused:
    return "the first that differs is " + culprit(findings) +
           "; it does so in one kernel with others only, not with "
           "--fusion=off";
  case Cause::Memory:
    return culprit(findings) +
           " touches memory that is not its own: " + findings.note;
  case Cause::Unknown:
    return "the first that differs is " + culprit(findings) +
           "; no kernel does so alone, on the reference's inputs";
  case Cause::Outputs:
    return "the first output that differs is of " + culprit(findings);
  }
  return "";
}

//===-- A table -----------------------------------------------------------===//

static size_t countOf(const Findings &findings) {
  return llvm::count_if(findings.rows, [](auto &row) { return row.differs; });
}

void tenon::compare::printFindings(llvm::raw_ostream &stream,
                                   const Findings &findings) {
  constexpr int most = 20;
  int shown = 0;
  for (const Row &row : findings.rows) {
    if (!row.differs)
      continue;
    if (++shown == 1)
      stream << "  value                          node                     "
                "       ULP   of scale\n";
    if (shown > most)
      break;
    stream << llvm::format("  %-30s %-26s %9s %10s\n", row.value.c_str(),
                           row.node.c_str(), number(row.difference.ulp).c_str(),
                           number(row.difference.relative()).c_str());
  }
  stream << countOf(findings) << " of " << findings.rows.size()
         << " values between " << findings.groups << " kernels differ";
  if (!findings.sameGroups)
    stream << "; looking at them changed the kernels";
  stream << "\n" << verdictOf(findings) << "\n";
}

//===-- A page ------------------------------------------------------------===//

static std::string escaped(StringRef text) {
  std::string result;
  llvm::raw_string_ostream stream(result);
  llvm::printHTMLEscaped(text, stream);
  return result;
}

/// Elements by ULP as bars, of heights that grow with the logarithm.
static std::string bars(const Difference &difference) {
  constexpr int width = 5, height = 24;
  std::string text;
  llvm::raw_string_ostream stream(text);
  stream << "<svg width=\"" << width * int(difference.histogram.size())
         << "\" height=\"" << height << "\">";
  double all = std::log2(double(difference.elements) + 1);
  for (auto [i, count] : llvm::enumerate(difference.histogram)) {
    if (!count)
      continue;
    auto bar = int(std::ceil(std::log2(double(count) + 1) / all * height));
    stream << "<rect x=\"" << width * int(i) << "\" y=\"" << height - bar
           << "\" width=\"" << width - 1 << "\" height=\"" << bar
           << "\"><title>" << count << " elements, "
           << (i == 0 ? "equal"
                      : "up to " + number(std::exp2(double(i) - 1)) + " ULP")
           << "</title></rect>";
  }
  stream << "</svg>";
  return text;
}

static void drawRow(llvm::raw_ostream &stream, const Row &row) {
  stream << (row.differs ? "<tr class=\"d\">" : "<tr>");
  for (const std::string &cell :
       {escaped(row.value), escaped(row.node), escaped(row.op),
        row.group < 0 ? std::string("-") : std::to_string(row.group),
        number(row.difference.largest), number(row.difference.ulp),
        number(row.difference.relative()), bars(row.difference)})
    stream << "<td>" << cell << "</td>";
  stream << "</tr>\n";
}

std::string tenon::compare::drawFindings(const Findings &findings,
                                         StringRef title) {
  std::string text;
  llvm::raw_string_ostream stream(text);
  stream << "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">"
            "<title>"
         << escaped(title)
         << "</title>\n<style>body{font:14px sans-serif;margin:2em}"
            "td,th{padding:2px 10px;text-align:left}"
            "table{border-collapse:collapse}tr{border-bottom:1px solid #ddd}"
            "tr.d{background:#fde8e4}rect{fill:#3569a8}tr.d rect{fill:#b03a2e}"
            "</style></head><body>\n<h1>"
         << escaped(title) << "</h1>\n<p><b>" << escaped(verdictOf(findings))
         << "</b></p>\n<p>" << countOf(findings) << " of "
         << findings.rows.size() << " values between " << findings.groups
         << " kernels differ. Bars: elements by ULP, equal ones left, then up "
            "to 1, 2, 4, ...</p>\n<table><tr><th>value</th><th>node</th>"
            "<th>operator</th><th>kernel</th><th>largest error</th>"
            "<th>ULP</th><th>of the scale</th><th>elements by ULP</th></tr>\n";
  for (const Row &row : findings.rows)
    drawRow(stream, row);
  stream << "</table></body></html>\n";
  return text;
}
