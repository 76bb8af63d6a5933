//===- Curve.cpp - losses as a table and a picture ------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "lib/Run/Train/Curve.h"

#include "lib/Run/Tensor.h"

#include <algorithm>
#include <cmath>
#include <cstdio>

using namespace tenon;
using namespace tenon::run;

template <typename... Args>
static std::string print(const char *format, Args... args) {
  char text[256];
  snprintf(text, sizeof text, format, args...);
  return text;
}

static std::string tableOf(const std::vector<CurvePoint> &points) {
  std::string text = "step,loss,rate,eval_loss\n";
  for (const CurvePoint &point : points) {
    text +=
        print("%lld,%.9g,%.9g,", (long long)point.step, point.loss, point.rate);
    text += point.evaluated ? print("%.9g\n", *point.evaluated) : "\n";
  }
  return text;
}

namespace {
/// Where a step and a loss lie in the picture.
struct Frame {
  static constexpr double width = 720, height = 360, left = 64, top = 16,
                          right = 16, bottom = 40;
  double firstStep = 0, lastStep = 1, most = 0;

  double x(double step) const {
    return left +
           (step - firstStep) / (lastStep - firstStep) * (width - left - right);
  }
  /// What is no number lies at the top.
  double y(double loss) const {
    double part = std::isfinite(loss) ? std::min(loss / most, 1.0) : 1;
    return height - bottom - part * (height - top - bottom);
  }
};
} // namespace

static Frame frameOf(const std::vector<CurvePoint> &points) {
  Frame frame;
  for (const CurvePoint &point : points)
    for (double loss : {point.loss, point.evaluated.value_or(0)})
      if (std::isfinite(loss))
        frame.most = std::max(frame.most, loss);
  if (!points.empty()) {
    frame.firstStep = double(points.front().step);
    frame.lastStep = double(points.back().step);
  }
  frame.lastStep = std::max(frame.lastStep, frame.firstStep + 1);
  frame.most = frame.most > 0 ? frame.most : 1;
  return frame;
}

/// Four lines with their numbers along each axis.
static std::string gridOf(const Frame &frame) {
  std::string text;
  for (int i = 0; i <= 4; ++i) {
    double loss = frame.most * i / 4, y = frame.y(loss);
    text += print("<line class=\"grid\" x1=\"%.1f\" x2=\"%.1f\" y1=\"%.1f\" "
                  "y2=\"%.1f\"/>\n",
                  frame.left, frame.width - frame.right, y, y);
    text += print("<text x=\"%.1f\" y=\"%.1f\" text-anchor=\"end\">%.3g"
                  "</text>\n",
                  frame.left - 6, y + 4, loss);
    double step = frame.firstStep + (frame.lastStep - frame.firstStep) * i / 4;
    text += print("<text x=\"%.1f\" y=\"%.1f\" text-anchor=\"middle\">%.0f"
                  "</text>\n",
                  frame.x(step), frame.height - frame.bottom + 18, step);
  }
  return text + print("<text x=\"%.1f\" y=\"%.1f\" text-anchor=\"middle\">step"
                      "</text>\n",
                      frame.width / 2, frame.height - 6);
}

static std::string pictureOf(const std::vector<CurvePoint> &points) {
  Frame frame = frameOf(points);
  std::string line, dots;
  for (const CurvePoint &point : points) {
    double x = frame.x(double(point.step));
    line += print("%.1f,%.1f ", x, frame.y(point.loss));
    if (point.evaluated)
      dots += print("<circle cx=\"%.1f\" cy=\"%.1f\" r=\"3\"><title>step %lld: "
                    "%.6g</title></circle>\n",
                    x, frame.y(*point.evaluated), (long long)point.step,
                    *point.evaluated);
  }
  return print("<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %.0f "
               "%.0f\">\n",
               frame.width, frame.height) +
         "<style>text{font:12px sans-serif;fill:#555}.grid{stroke:#ddd}"
         "polyline{fill:none;stroke:#2b6cb0}circle{fill:#c05621}</style>\n"
         "<title>Loss of each step; dots: of the evaluation</title>\n" +
         gridOf(frame) + "<polyline points=\"" + line + "\"/>\n" + dots +
         "</svg>\n";
}

Status tenon::run::writeCurve(const std::string &path,
                              const std::vector<CurvePoint> &points) {
  return writeText(path, path.ends_with(".svg") ? pictureOf(points)
                                                : tableOf(points));
}
