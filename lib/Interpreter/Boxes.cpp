//===- Boxes.cpp - the best boxes that do not overlap ---------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file says what the primitive non_max_suppression does. It computes in
// f32, the only type of its operands, in the order of ONNX's reference, so that
// overlaps at the threshold come out alike.
//===----------------------------------------------------------------------===//
#include "lib/Interpreter/Primitive.h"

#include <algorithm>

using namespace mlir;
using namespace tenon::interp;

namespace {
/// Corners of a box, each pair in order.
struct Box {
  float left, right, top, bottom;

  float area() const { return (right - left) * (bottom - top); }
};

struct Problem {
  int64_t batches, classes, count; ///< of boxes
  std::vector<double> boxes, scores;
  bool isCentered;
  int64_t most = 0; ///< per class
  double overlap = 0;
  std::optional<double> leastScore;

  Box box(int64_t batch, int64_t index) const;
  double score(int64_t batch, int64_t label, int64_t index) const {
    return scores[(batch * classes + label) * count + index];
  }
};
} // namespace

Box Problem::box(int64_t batch, int64_t index) const {
  const double *at = boxes.data() + (batch * count + index) * 4;
  float a = float(at[0]), b = float(at[1]), c = float(at[2]), d = float(at[3]);
  if (!isCentered)
    return {std::min(b, d), std::max(b, d), std::min(a, c), std::max(a, c)};
  float halfWidth = c / 2, halfHeight = d / 2;
  return {a - halfWidth, a + halfWidth, b - halfHeight, b + halfHeight};
}

/// Whether the boxes share more than `most` of what they cover together.
static bool overlaps(const Box &a, const Box &b, double most) {
  float width = std::min(a.right, b.right) - std::max(a.left, b.left);
  float height = std::min(a.bottom, b.bottom) - std::max(a.top, b.top);
  if (!(width > 0) || !(height > 0))
    return false;
  float shared = width * height, areaA = a.area(), areaB = b.area();
  float both = areaA + areaB - shared;
  if (shared <= 0 || areaA <= 0 || areaB <= 0 || both <= 0)
    return false;
  return shared / both > float(most);
}

/// The boxes of a class, best first, that may be chosen.
static std::vector<int64_t> candidates(const Problem &problem, int64_t batch,
                                       int64_t label) {
  std::vector<int64_t> indices;
  for (int64_t index = 0; index < problem.count; ++index)
    if (!problem.leastScore ||
        problem.score(batch, label, index) > *problem.leastScore)
      indices.push_back(index);
  llvm::stable_sort(indices, [&](int64_t a, int64_t b) {
    return problem.score(batch, label, a) > problem.score(batch, label, b);
  });
  return indices;
}

static std::vector<int64_t> choose(const Problem &problem, int64_t batch,
                                   int64_t label) {
  std::vector<int64_t> chosen;
  for (int64_t index : candidates(problem, batch, label)) {
    if (int64_t(chosen.size()) >= problem.most)
      break;
    Box box = problem.box(batch, index);
    if (llvm::none_of(chosen, [&](int64_t other) {
          return overlaps(box, problem.box(batch, other), problem.overlap);
        }))
      chosen.push_back(index);
  }
  return chosen;
}

/// The first number of an operand that may be left out.
static std::optional<double> parameter(const PrimitiveCall &call,
                                       unsigned index) {
  Datum datum = call.operand(index);
  if (!datum.tensor() || datum.tensor()->size() == 0)
    return std::nullopt;
  const Tensor &tensor = *datum.tensor();
  return isReal(tensor.getElementType())
             ? loadAll<double>(tensor).front()
             : double(loadAll<int64_t>(tensor).front());
}

static LogicalResult readProblem(PrimitiveCall &call, Problem &problem) {
  const Tensor *boxes = call.tensor(0), *scores = call.tensor(1);
  if (!boxes || !scores)
    return failure();
  Shape shape = boxes->getShape(), scored = scores->getShape();
  if (shape.size() != 3 || scored.size() != 3 || shape[2] != 4 ||
      shape[0] != scored[0] || shape[1] != scored[2])
    return call.fail("wants boxes [b, n, 4] and scores [b, c, n], not " +
                     call.operands[0].describe() + " and " +
                     call.operands[1].describe());
  problem.batches = shape[0];
  problem.classes = scored[1];
  problem.count = shape[1];
  problem.boxes = loadAll<double>(*boxes);
  problem.scores = loadAll<double>(*scores);
  problem.isCentered = call.integers[0] != 0;
  problem.most = int64_t(parameter(call, 2).value_or(0));
  problem.overlap = parameter(call, 3).value_or(0);
  problem.leastScore = parameter(call, 4);
  return success();
}

static LogicalResult nonMaxSuppression(PrimitiveCall &call) {
  Problem problem;
  if (failed(readProblem(call, problem)))
    return failure();
  std::vector<int64_t> rows;
  for (int64_t batch = 0; batch < problem.batches; ++batch)
    for (int64_t label = 0; label < problem.classes; ++label)
      for (int64_t index : choose(problem, batch, label))
        rows.insert(rows.end(), {batch, label, index});
  return call.give(
      numbersOf(call.context(), {int64_t(rows.size() / 3), 3}, rows));
}

static const PrimitiveEntry kEntries[] = {
    {"non_max_suppression", nonMaxSuppression},
};

ArrayRef<PrimitiveEntry> tenon::interp::boxPrimitives() { return kEntries; }
