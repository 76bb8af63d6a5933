//===- Interleave.cpp - short inner dimensions ----------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file stores results whose innermost dimension is shorter than a vector,
// such as the channels of an image, where operands are contiguous along another
// one:
//
//   r0 r1 r2 r3 ...                r0 g0 b0 r1
//   g0 g1 g2 g3 ...      ->        g1 b1 r2 g2
//   b0 b1 b2 b3 ...                b2 r3 g3 b3
//===----------------------------------------------------------------------===//
#include "passes/CodegenCpu/Loops/Kernel.h"

using namespace mlir;
using namespace tenon;
using namespace tenon::codegen;

/// Vector `number` of those that interleave `rows`: each round puts the
/// elements of one more row in place.
static Value interleave(KernelBuilder &b, const Values &rows, int64_t lanes,
                        int64_t number) {
  int64_t count = rows.size();
  Value result = rows[0];
  for (int64_t row = 1; row < count; ++row) {
    SmallVector<int64_t> mask;
    for (int64_t lane = 0; lane < lanes; ++lane) {
      int64_t element = number * lanes + lane;
      int64_t from = element % count, at = element / count;
      bool isFirst = row == 1 && from == 0;
      mask.push_back(from == row ? lanes + at : isFirst ? at : lane);
    }
    result = b.permute(result, rows[row], mask);
  }
  return result;
}

void LoopsKernel::interleavedPoint(LoopScope &scope) {
  unsigned inner = *schedule.interleaved;
  int64_t count = nest.extent(inner).fixed(), lanes = schedule.lanes;
  std::vector<LoopScope> points(count, LoopScope(&scope));
  for (int64_t i = 0; i < count; ++i)
    points[i].index[inner] = b.index(i);
  for (auto [r, result] : llvm::enumerate(nest.program.results)) {
    Values rows;
    for (LoopScope &point : points)
      rows.push_back(body.getVector(result.node, point));
    Type element = nest.stores[r].element;
    Value pointer = body.address(nest.loads.size() + r, points[0]);
    for (int64_t i = 0; i < count; ++i) {
      int64_t live = scope.live.known() * count - i * lanes;
      if (live <= 0 && scope.live.areKnown())
        break;
      Value vector = interleave(b, rows, lanes, i);
      Value to = b.at(pointer, i * lanes, element);
      if (!scope.live.areKnown()) {
        Value left = b.sub(b.mul(scope.live.get(b), count), b.index(i * lanes));
        b.storePart(vector, to, left, element);
        continue;
      }
      if (live >= lanes)
        b.store(vector, to, element);
      else
        b.storePart(vector, to, b.index(live), element);
    }
  }
}
