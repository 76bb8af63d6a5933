//===- NonMaxSuppression.c - ONNX's NonMaxSuppression ---------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file selects boxes by their scores, which are sorted once per class.
//===----------------------------------------------------------------------===//
#include "src/vm/Machine.h"
#include "src/vm/Sort.h"

#include <string.h>

struct problem {
  const float *boxes;
  const float *scores;
  int64_t batches, classes, spatial;
  /// Boxes per class.
  int64_t most;
  float overlap;
  float threshold;
  bool hasThreshold;
  bool isCenter;
};

/// Ordered corners.
struct box {
  float x1, y1, x2, y2;
};

static struct box boxAt(const struct problem *problem, int64_t batch,
                        int64_t index) {
  const float *at = problem->boxes + (batch * problem->spatial + index) * 4;
  if (problem->isCenter)
    return (struct box){at[0] - at[2] / 2, at[1] - at[3] / 2, at[0] + at[2] / 2,
                        at[1] + at[3] / 2};
  struct box box = {at[1], at[0], at[3], at[2]};
  if (box.x1 > box.x2)
    box = (struct box){box.x2, box.y1, box.x1, box.y2};
  if (box.y1 > box.y2)
    box = (struct box){box.x1, box.y2, box.x2, box.y1};
  return box;
}

static float areaOf(struct box box) {
  return (box.x2 - box.x1) * (box.y2 - box.y1);
}

static bool overlaps(struct box a, struct box b, float most) {
  float width = (a.x2 < b.x2 ? a.x2 : b.x2) - (a.x1 > b.x1 ? a.x1 : b.x1);
  float height = (a.y2 < b.y2 ? a.y2 : b.y2) - (a.y1 > b.y1 ? a.y1 : b.y1);
  if (!(width > 0) || !(height > 0))
    return false;
  float common = width * height;
  float first = areaOf(a), second = areaOf(b);
  float whole = first + second - common;
  if (!(common > 0) || !(first > 0) || !(second > 0) || !(whole > 0))
    return false;
  return common / whole > most;
}

/// The higher score first; NaN last.
static int compareScores(const void *things, int64_t a, int64_t b) {
  const float *scores = things;
  float left = scores[a], right = scores[b];
  if (left > right || (left == left && right != right))
    return -1;
  return left < right || (left != left && right == right);
}

/// Room of a pass, and what it finds: (batch, class, box) each.
struct found {
  int64_t *numbers;
  int64_t *scratch;
  struct box *boxes;
  int64_t *triples;
  int64_t count;
};

static void select(const struct problem *problem, int64_t batch, int64_t class,
                   struct found *found) {
  const float *scores =
      problem->scores + (batch * problem->classes + class) * problem->spatial;
  int64_t candidates = 0, selected = 0;
  for (int64_t i = 0; i < problem->spatial; ++i)
    if (!problem->hasThreshold || scores[i] > problem->threshold)
      found->numbers[candidates++] = i;
  const int64_t *order = tenonSort(scores, compareScores, found->numbers,
                                   found->scratch, candidates);
  for (int64_t i = 0; i < candidates && selected < problem->most; ++i) {
    struct box box = boxAt(problem, batch, order[i]);
    bool isFree = true;
    for (int64_t k = 0; isFree && k < selected; ++k)
      isFree = !overlaps(box, found->boxes[k], problem->overlap);
    if (!isFree)
      continue;
    found->boxes[selected++] = box;
    int64_t *triple = found->triples + 3 * found->count++;
    triple[0] = batch;
    triple[1] = class;
    triple[2] = order[i];
  }
}

static tenon_status *readFloat(const struct tenonPrimitiveCall *call,
                               uint32_t index, const char *what, float *number,
                               bool *isThere) {
  const tenon_value *value = tenonOptionalOperand(call, index);
  *isThere = value != NULL;
  if (!value)
    return NULL;
  if (value->count != 1)
    return tenonNodeFails(call, TENON_TENSOR_MISMATCH,
                          "%s has %lld elements instead of one", what,
                          (long long)value->count);
  memcpy(number, value->data, sizeof *number);
  return NULL;
}

static tenon_status *readProblem(const struct tenonPrimitiveCall *call,
                                 struct problem *problem) {
  const tenon_value *boxes = tenonOperand(call, 0);
  const tenon_value *scores = tenonOperand(call, 1);
  if (boxes->rank != 3 || scores->rank != 3 || boxes->shape[2] != 4 ||
      boxes->shape[0] != scores->shape[0] ||
      boxes->shape[1] != scores->shape[2])
    return tenonNodeFails(call, TENON_TENSOR_MISMATCH,
                          "boxes and scores do not fit together");
  *problem = (struct problem){.boxes = boxes->data,
                              .scores = scores->data,
                              .batches = scores->shape[0],
                              .classes = scores->shape[1],
                              .spatial = scores->shape[2],
                              .isCenter = call->integers[0] != 0};
  const tenon_value *most = tenonOptionalOperand(call, 2);
  if (most)
    TENON_TRY(tenonReadInteger(call, most, "max_output_boxes_per_class",
                               &problem->most));
  bool isThere;
  TENON_TRY(readFloat(call, 3, "iou_threshold", &problem->overlap, &isThere));
  return readFloat(call, 4, "score_threshold", &problem->threshold,
                   &problem->hasThreshold);
}

/// The most that a class, and all classes, can give.
static int64_t mostSelected(const struct problem *problem) {
  int64_t most = problem->most < 0 ? 0 : problem->most;
  return most < problem->spatial ? most : problem->spatial;
}

static tenon_status *suppress(struct tenonPrimitiveCall *call,
                              const struct problem *problem,
                              struct found *found) {
  for (int64_t b = 0; b < problem->batches; ++b)
    for (int64_t c = 0; c < problem->classes; ++c)
      select(problem, b, c, found);
  static const tenon_dtype type = {TENON_INT, 64, 1};
  int64_t shape[2] = {found->count, 3};
  TENON_TRY(tenonNewTensor(call->heap, type, 2, shape, &call->results[0]));
  tenonCopyElements(type, call->results[0]->data, found->triples,
                    call->results[0]->bytes);
  return NULL;
}

tenon_status *tenonRun_non_max_suppression(struct tenonPrimitiveCall *call) {
  struct problem problem;
  TENON_TRY(readProblem(call, &problem));
  uint64_t spatial = (uint64_t)problem.spatial;
  // No more than there are scores.
  uint64_t most =
      (uint64_t)(problem.batches * problem.classes * mostSelected(&problem));
  struct tenonScratch numbers, boxes, triples = {NULL, 0};
  TENON_TRY(tenonTakeScratch(call, spatial, 2 * sizeof(int64_t), &numbers));
  tenon_status *status =
      tenonTakeScratch(call, spatial, sizeof(struct box), &boxes);
  if (!status)
    status = tenonTakeScratch(call, most, 3 * sizeof(int64_t), &triples);
  struct found found = {numbers.block, (int64_t *)numbers.block + spatial,
                        boxes.block, triples.block, 0};
  if (!status)
    status = suppress(call, &problem, &found);
  tenonGiveScratch(call, &triples);
  tenonGiveScratch(call, &boxes);
  tenonGiveScratch(call, &numbers);
  return status;
}
