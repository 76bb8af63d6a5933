//===- Draw.cpp - steps as a picture --------------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "lib/Schedule/Draw/Draw.h"
#include "lib/Memory/Draw/DrawPanel.h"
#include "lib/Memory/Draw/Page.h"
#include "lib/Schedule/Text.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringMap.h"

#include <algorithm>

using namespace tenon;
using namespace tenon::sched;
namespace page = mem::page;

Timing sched::timeStages(const Problem &problem,
                         const std::vector<Stage> &stages,
                         const LaidOut &laid) {
  Timing timing;
  std::vector<int64_t> begins = {0};
  for (const Stage &stage : stages)
    begins.push_back(begins.back() + timeOf(problem, stage));
  std::vector<int64_t> free; // per first thread, within its stage
  unsigned stage = 0;
  for (auto [step, number] : llvm::zip_equal(laid.steps, laid.stageOf)) {
    if (number != stage)
      free.clear();
    stage = number;
    if (free.size() <= step.first)
      free.resize(step.first + 1, 0);
    int64_t begin = std::max(free[step.first], begins[number]);
    free[step.first] = begin + costOf(problem, step).time;
    timing.begins.push_back(begin);
    timing.ends.push_back(free[step.first]);
  }
  timing.time = begins.back();
  return timing;
}

namespace {
class Picture {
public:
  Picture(const Problem &problem, llvm::ArrayRef<Step> steps,
          const Timing &timing, const Remarks &remarks)
      : problem(problem), steps(steps), timing(timing), remark(remarks.text),
        launches(remarks.launches) {
    for (const Step &step : steps)
      rows = std::max(rows, step.first + step.threads);
    if (launches.empty())
      useSteps();
    rowHeight = std::clamp(mostHeight / rows, 2.0, 22.0);
  }

  std::string draw(llvm::StringRef title) {
    double top = page::top, below = top + rowHeight * rows + mem::liveGap;
    mem::beginPage(below + mem::liveHeight + page::footer, svg);
    svg.text(page::left, 36, "title", title);
    svg.text(page::left, 58, "sub", summary());
    mem::Rect plot = {page::left, top, page::width - page::left - page::right,
                      rowHeight * rows};
    mem::Frame frame = {plot, 0, std::max(1.0, micro(timing.time)), 1};
    svg.rect(plot, "plot");
    drawRows(frame);
    drawWaits(frame);
    for (size_t number = 0; number < steps.size(); ++number)
      drawStep(frame, number);
    frame.plot.y = below;
    frame.plot.height = mem::liveHeight;
    std::vector<mem::LiveStep> live = liveBytes();
    frame.mostBytes = 1;
    for (const mem::LiveStep &step : live)
      frame.mostBytes = std::max(frame.mostBytes, step.bytes * 1.1);
    mem::drawLive(frame, live, top, svg);
    svg.text(page::width - page::right, frame.bottom() + 34, "tick end",
             "time in microseconds");
    svg.raw("</svg>\n");
    return svg.take();
  }

private:
  static constexpr double mostHeight = 560;
  static constexpr size_t mostWaits = 2000;

  static double micro(int64_t time) { return double(time) / 1000; }

  std::string summary() const {
    std::string text = std::to_string(problem.launches.size()) + " launches";
    if (!ofSteps.empty())
      text += " in " + std::to_string(steps.size()) + " steps";
    return text + " on " + std::to_string(rows) +
           (problem.isGpu() ? " streams" : " threads") + "   ·   " +
           microseconds(timing.time) + " us" +
           (remark.empty() ? "" : "   ·   " + remark.str());
  }

  double yOf(const mem::Frame &frame, unsigned row) const {
    return frame.plot.y + rowHeight * row;
  }

  void drawRows(const mem::Frame &frame) {
    unsigned every = std::max(1u, unsigned(12 / rowHeight + 0.99));
    for (unsigned row = 0; row < rows; row += every) {
      double y = yOf(frame, row);
      svg.line(frame.plot.x, y, frame.right(), y, "grid");
      svg.text(frame.plot.x - 8, y + rowHeight / 2 + 3.5, "tick end",
               (problem.isGpu() ? "stream " : "thread ") + std::to_string(row));
    }
  }

  /// From the end of a step to the begin of one that waits for it.
  void drawWaits(const mem::Frame &frame) {
    size_t count = 0;
    for (auto [number, step] : llvm::enumerate(steps))
      for (unsigned wait : step.waits)
        if (steps[wait].first != step.first && ++count <= mostWaits)
          svg.line(frame.x(micro(timing.ends[wait])),
                   yOf(frame, steps[wait].first) + rowHeight / 2,
                   frame.x(micro(timing.begins[number])),
                   yOf(frame, step.first) + rowHeight / 2, "axis");
  }

  std::string namesOf(const Step &step) const {
    std::string names;
    for (unsigned launch : step.launches)
      names += (names.empty() ? "" : " ") + problem.launches[launch].name;
    return names;
  }

  void drawStep(const mem::Frame &frame, size_t number) {
    const Step &step = steps[number];
    int64_t begin = timing.begins[number], end = timing.ends[number];
    std::string tip = std::to_string(number) + ": " + namesOf(step) + "\n" +
                      microseconds(begin) + " to " + microseconds(end) + " us";
    for (unsigned wait : step.waits)
      tip += "\nafter " + std::to_string(wait) + ": " + namesOf(steps[wait]);
    double x = frame.x(micro(begin)), width = frame.x(micro(end)) - x;
    // One kernel has one colour.
    const std::string &kernel = problem.launches[step.launches.front()].kernel;
    unsigned colour =
        kernels.try_emplace(kernel, unsigned(kernels.size())).first->second %
        mem::numColours;
    double height = rowHeight * step.threads;
    svg.rect({x, yOf(frame, step.first), width, height},
             "c" + llvm::Twine(colour), tip);
    constexpr double letter = 6;
    std::string label = namesOf(step);
    if (height >= 11 && double(label.size()) * letter < width)
      svg.text(x + width / 2, yOf(frame, step.first) + height / 2 + 3.5, "b",
               label);
  }

  /// Each launch is one step.
  void useSteps() {
    for (unsigned step : stepsOfLaunches(problem, steps))
      ofSteps.push_back({timing.begins[step], timing.ends[step]});
    launches = ofSteps;
  }

  /// From the begin of the first writer to the end of the last use.
  std::vector<mem::LiveStep> liveBytes() const {
    std::vector<mem::LiveStep> changes;
    for (const Tensor &tensor : problem.tensors) {
      int64_t begin = tensor.writers.empty() ? 0 : timing.time, end = 0;
      for (unsigned writer : tensor.writers) {
        begin = std::min(begin, launches[writer].begin);
        end = std::max(end, launches[writer].end);
      }
      for (unsigned reader : tensor.readers)
        end = std::max(end, launches[reader].end);
      if (tensor.output)
        end = timing.time;
      changes.push_back({micro(begin), double(tensor.bytes)});
      changes.push_back({micro(end), -double(tensor.bytes)});
    }
    llvm::sort(changes, [](const mem::LiveStep &a, const mem::LiveStep &b) {
      return std::pair(a.time, a.bytes) < std::pair(b.time, b.bytes);
    });
    double live = 0;
    for (mem::LiveStep &change : changes)
      change.bytes = live += change.bytes;
    return changes;
  }

  const Problem &problem;
  llvm::ArrayRef<Step> steps;
  const Timing &timing;
  llvm::StringRef remark;
  std::vector<Span> ofSteps;
  llvm::ArrayRef<Span> launches;
  unsigned rows = 1;
  double rowHeight = 0;
  llvm::StringMap<unsigned> kernels;
  mem::Svg svg;
};
} // namespace

std::string sched::drawSteps(const Problem &problem, llvm::ArrayRef<Step> steps,
                             const Timing &timing, llvm::StringRef title,
                             const Remarks &remarks) {
  return Picture(problem, steps, timing, remarks).draw(title);
}
