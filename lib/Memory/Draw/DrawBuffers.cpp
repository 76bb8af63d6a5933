//===- DrawBuffers.cpp - the rectangles of a picture ----------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "lib/Memory/Draw/DrawPanel.h"
#include "lib/Support/Bytes.h"

#include "llvm/ADT/BitVector.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/xxhash.h"
#include <algorithm>
#include <cmath>

using namespace tenon;
using namespace tenon::mem;

static constexpr size_t mostRects = 4000, mostLabels = 1500;
static constexpr double cell = 2; // of the shading, in pixels

unsigned tenon::mem::colourOf(const Scene &scene, unsigned buffer) {
  const Problem &problem = scene.problem;
  if (problem.streams() > 1)
    return problem.buffers[buffer].stream % numColours;
  const Block &block = scene.blocks.blocks[scene.blocks.blockOf[buffer]];
  unsigned first = block.pieces.empty() ? buffer : block.pieces.front().buffer;
  return llvm::xxh3_64bits(problem.buffers[first].id) % numColours;
}

static std::string clockText(const Clock &clock) {
  if (clock.streams() == 1)
    return std::to_string(clock[0]);
  std::string text = "(";
  for (size_t s = 0; s < clock.streams(); ++s)
    text += (s ? ", " : "") + std::to_string(clock[s]);
  return text + ")";
}

namespace {
/// Draws the buffers of one scope.
class Painter {
public:
  Painter(const Scene &scene, unsigned scope, const Frame &frame, Svg &svg)
      : scene(scene), scope(scope), frame(frame), svg(svg),
        isView(scene.problem.buffers.size()) {
    for (const Overlay &overlay : scene.problem.overlays) {
      const std::string &whole = scene.problem.buffers[overlay.whole].id;
      bool view = overlay.kind == Overlay::View;
      if (view)
        isView.set(overlay.part);
      notes[overlay.part] +=
          (view ? "\nview of " : "\nin the place of ") + whole;
    }
  }

  unsigned paint() {
    std::vector<unsigned> shown = choose();
    shade();
    // Wholes go below their views.
    for (bool views : {false, true})
      for (unsigned i : shown)
        if (isView[i] == views)
          paintBuffer(i);
    paintLists();
    paintInPlace(shown);
    for (unsigned i : shown)
      paintLabel(i);
    return unsigned(melted.size());
  }

private:
  Rect rectOf(unsigned i, int64_t before = 0, int64_t after = 0) const {
    double from = double(scene.solution.offsets[i] - before);
    double to =
        double(scene.solution.offsets[i] + scene.problem.buffers[i].size) +
        double(after);
    double left = frame.x(scene.timeline.lower(i));
    double width = frame.x(scene.timeline.upper(i)) - left;
    return {left, frame.y(to), std::max(width, 0.75),
            frame.y(from) - frame.y(to)};
  }

  std::string tooltipOf(unsigned index) const {
    const Buffer &buffer = scene.problem.buffers[index];
    std::string text = buffer.id + "\n" + humanBytes(buffer.size) + " (" +
                       std::to_string(buffer.size) + " bytes) at " +
                       std::to_string(scene.solution.offsets[index]) +
                       "\nlives from " + clockText(buffer.lower) + " to " +
                       clockText(buffer.upper);
    if (scene.problem.streams() > 1)
      text += "\nstream " + std::to_string(buffer.stream);
    return text + (buffer.fixed ? "\nfixed" : "") + notes.lookup(index);
  }

  /// The buffers with a rectangle of their own; the others go to `melted`.
  std::vector<unsigned> choose() {
    std::vector<unsigned> shown;
    for (unsigned i = 0; i < scene.problem.buffers.size(); ++i)
      if (scene.problem.buffers[i].scope == scope &&
          scene.problem.buffers[i].size)
        shown.push_back(i);
    if (shown.size() <= mostRects)
      return shown;
    llvm::sort(shown, [&](unsigned a, unsigned b) {
      return std::pair(-areaOf(a), a) < std::pair(-areaOf(b), b);
    });
    melted.assign(shown.begin() + mostRects, shown.end());
    shown.resize(mostRects);
    return shown;
  }

  double areaOf(unsigned i) const {
    Rect rect = rectOf(i);
    return rect.width * rect.height;
  }

  /// Covers the plot with cells and joins those of one tone in each row.
  void shade() {
    if (melted.empty())
      return;
    size_t columns = size_t(std::ceil(frame.plot.width / cell));
    size_t rows = size_t(std::ceil(frame.plot.height / cell));
    std::vector<float> covered(columns * rows);
    for (unsigned i : melted)
      cover(rectOf(i), columns, rows, covered);
    std::string paths[3];
    for (size_t row = 0; row < rows; ++row)
      addRuns(llvm::ArrayRef(covered).slice(row * columns, columns),
              frame.plot.y + double(row) * cell, paths);
    for (unsigned tone = 0; tone < 3; ++tone)
      if (!paths[tone].empty())
        svg.path(paths[tone], "s" + llvm::Twine(tone));
  }

  void cover(const Rect &rect, size_t columns, size_t rows,
             std::vector<float> &covered) const {
    double left = (rect.x - frame.plot.x) / cell;
    double right = left + rect.width / cell;
    double top = (rect.y - frame.plot.y) / cell;
    double bottom = top + rect.height / cell;
    for (size_t row = size_t(std::max(0.0, top));
         row < rows && double(row) < bottom; ++row)
      for (size_t column = size_t(std::max(0.0, left));
           column < columns && double(column) < right; ++column) {
        double width = std::min(right, double(column + 1)) -
                       std::max(left, double(column));
        double height =
            std::min(bottom, double(row + 1)) - std::max(top, double(row));
        covered[row * columns + column] += float(width * height);
      }
  }

  static int toneOf(float covered) {
    return covered < 0.1f ? -1 : covered < 0.5f ? 0 : covered < 0.9f ? 1 : 2;
  }

  void addRuns(llvm::ArrayRef<float> row, double y, std::string (&paths)[3]) {
    for (size_t from = 0; from < row.size();) {
      size_t to = from + 1;
      int tone = toneOf(row[from]);
      while (to < row.size() && toneOf(row[to]) == tone)
        ++to;
      std::string width = shortNumber(double(to - from) * cell);
      if (tone >= 0)
        paths[tone] += "M" + shortNumber(frame.plot.x + double(from) * cell) +
                       " " + shortNumber(y) + "h" + width + "v" +
                       shortNumber(cell) + "h-" + width + "z";
      from = to;
    }
  }

  void paintBuffer(unsigned i) {
    Rect rect = rectOf(i);
    std::string style = "c" + std::to_string(colourOf(scene, i));
    if (isView[i])
      style += " v";
    else if (std::min(rect.width, rect.height) < 3)
      style += " t"; // an outline would be all that one sees
    svg.rect(rect, style, tooltipOf(i));
    if (isView[i])
      svg.rect(rect, "h");
    if (scene.problem.buffers[i].fixed && rect.height >= 4)
      svg.rect({rect.x + 1, rect.y + rect.height - 4, 3, 3}, "k");
  }

  /// A dark outline around each member, and stripes where guards are.
  void paintLists() {
    for (const Contiguous &list : scene.problem.lists) {
      unsigned first = list.buffers.front(), last = list.buffers.back();
      if (scene.problem.buffers[first].scope != scope)
        continue;
      if (list.buffers.size() <= mostRects)
        for (unsigned i : list.buffers)
          svg.rect(rectOf(i), "l");
      if (list.guardBytes == 0)
        continue;
      Rect below = rectOf(first, list.guardBytes);
      double height = below.height - rectOf(first).height;
      svg.rect({below.x, below.y + below.height - height, below.width, height},
               "g", "guard of " + scene.problem.buffers[first].id);
      Rect above = rectOf(last, 0, list.guardBytes);
      height = above.height - rectOf(last).height;
      svg.rect({above.x, above.y, above.width, height}, "g",
               "guard of " + scene.problem.buffers[last].id);
    }
  }

  /// An arrow from the overwritten buffer into the one that overwrites it.
  void paintInPlace(llvm::ArrayRef<unsigned> shown) {
    llvm::BitVector visible(scene.problem.buffers.size());
    for (unsigned i : shown)
      visible.set(i);
    for (const Overlay &overlay : scene.problem.overlays) {
      if (overlay.kind != Overlay::InPlace || !visible[overlay.part])
        continue;
      Rect rect = rectOf(overlay.part);
      double half = std::min(5.0, rect.height / 2);
      double middle = rect.y + rect.height / 2;
      if (half >= 1)
        svg.path("M" + shortNumber(rect.x - half) + " " +
                     shortNumber(middle - half) + "L" +
                     shortNumber(rect.x + half) + " " + shortNumber(middle) +
                     "L" + shortNumber(rect.x - half) + " " +
                     shortNumber(middle + half) + "z",
                 "k");
    }
  }

  /// The id, or what stands before its colon, or as much as fits, and the size
  /// below it where that fits too.
  void paintLabel(unsigned i) {
    Rect rect = rectOf(i);
    size_t room = size_t(std::max(0., (rect.width - 6) / 6));
    std::string id = scene.problem.buffers[i].id;
    if (labels >= mostLabels || rect.height < 12 ||
        room < std::min<size_t>(id.size(), 5))
      return;
    ++labels;
    if (id.size() > room && id.find(':') <= room)
      id.resize(id.find(':'));
    if (id.size() > room)
      id = id.substr(0, room - 1) + "\xE2\x80\xA6"; // an ellipsis
    std::string size = humanBytes(scene.problem.buffers[i].size);
    double x = rect.x + rect.width / 2, y = rect.y + rect.height / 2;
    bool two = rect.height >= 26 && size.size() <= room;
    svg.text(x, two ? y - 2 : y + 3.5, "b", id);
    if (two)
      svg.text(x, y + 10, "b q", size);
  }

  const Scene &scene;
  unsigned scope;
  const Frame &frame;
  Svg &svg;
  llvm::BitVector isView;
  llvm::DenseMap<unsigned, std::string> notes; // for tooltips of overlays
  std::vector<unsigned> melted;
  size_t labels = 0;
};
} // namespace

unsigned tenon::mem::drawBuffers(const Scene &scene, unsigned scope,
                                 const Frame &frame, Svg &svg) {
  return Painter(scene, scope, frame, svg).paint();
}
