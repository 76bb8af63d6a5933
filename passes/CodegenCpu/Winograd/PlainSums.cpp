//===- PlainSums.cpp - tiles that Winograd cannot compute -----------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file keeps infinities and NaN where they belong. The transforms would
// spread one over all outputs of its tile, so such a tile is summed up plainly,
// with the taps that its transformed filters came from. It happens rarely: what
// counts is how little the question costs.
//===----------------------------------------------------------------------===//
#include "passes/CodegenCpu/Winograd/Emit.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;
using namespace tenon;
using namespace tenon::codegen;

/// Of the points of a square of `count` each way, or of a line of them, in rows
/// of `width`.
static SmallVector<int64_t> pointsOf(size_t rank, int64_t count,
                                     int64_t width) {
  SmallVector<int64_t> points;
  for (int64_t i = 0; i < tile::windowSize(count, int64_t(rank)); ++i)
    points.push_back(i / count * width + i % count);
  return points;
}

/// Whether all products are finite: each counts in the first or the last output
/// of each dimension, so that the sum of the corners has them all.
Value WinogradEmitter::areFinite(ValueRange outputs) {
  int64_t last = plan.m - 1;
  Value sum = b.plus(outputs.front(), outputs.back());
  if (dims.size() == 2)
    sum = b.plus(sum, b.plus(outputs[last], outputs[last * plan.m]));
  OpBuilder &builder = b.builder();
  Value zero = arith::SubFOp::create(builder, b.loc(), sum, sum);
  Value finite = arith::CmpFOp::create(builder, b.loc(),
                                       arith::CmpFPredicate::ORD, zero, zero);
  return isa<VectorType>(finite.getType())
             ? vector::ReductionOp::create(builder, b.loc(),
                                           vector::CombiningKind::AND, finite)
             : finite;
}

/// For each tap of a window an i1, or null if the filter always has it: the
/// last windows are padded.
Values WinogradEmitter::tapsExist(Value window) {
  ArrayRef<int64_t> sides = conv.getFilter().getType().getShape().drop_front(2);
  int64_t side = sides[dims.front()], taps = problem.taps;
  Values exist(tile::windowSize(taps, dims.size()));
  if (side % taps == 0)
    return exist;
  SmallVector<int64_t> extents(dims.size(), tile::windowsAlong(side, taps));
  for (unsigned dim = 0; dim < sides.size(); ++dim)
    if (!llvm::is_contained(dims, dim))
      extents.push_back(sides[dim]);
  Values index = b.delinearize(window, extents);
  for (size_t number = 0; number < dims.size(); ++number)
    for (auto [i, tap] : llvm::enumerate(exist)) {
      int64_t inWindow = number + 1 == dims.size() ? i % taps : i / taps;
      if (inWindow < side % taps)
        continue;
      Value inside =
          b.less(b.add(b.mul(index[number], taps), inWindow), b.index(side));
      tap = tap ? arith::AndIOp::create(b.builder(), b.loc(), tap, inside)
                      .getResult()
                : inside;
    }
  return exist;
}

/// Adds the products of one channel of one window.
Values WinogradEmitter::addChannel(Value from, Value filters, ValueRange exist,
                                   ValueRange sums) {
  Values points, inputs, results(sums);
  int64_t filterBlock = problem.depth() * plan.tile.panel;
  for (int64_t i = 0; i < this->points(); ++i)
    points.push_back(
        b.load(b.at(filters, i * filterBlock, element), vector, element));
  Values taps = transform(matrices.recovery, points);
  PointGrid grid = inputGrid();
  for (int64_t i = 0; i < grid.size(); ++i)
    inputs.push_back(
        b.loadBroadcast(grid.at(b, from, i, element), vector, element));
  int64_t width = matrices.points;
  SmallVector<int64_t> outputAt = pointsOf(dims.size(), plan.m, width),
                       tapAt = pointsOf(dims.size(), problem.taps, width);
  Value zero = b.constantOf(vector, 0);
  for (auto [result, output] : llvm::zip_equal(results, outputAt))
    for (auto [tap, at, exists] : llvm::zip_equal(taps, tapAt, exist)) {
      Value input = inputs[output + at];
      if (exists)
        input = b.choose(exists, input, zero);
      result = b.fma(input, tap, result);
    }
  return results;
}

/// The outputs of one tile and the vector of filters at `offset` of a panel.
Values WinogradEmitter::plainSums(const TilePlace &tile,
                                  const FilterPanel &panel, Value offset) {
  int64_t stride = channelStride();
  int64_t filterBlock = problem.depth() * plan.tile.panel;
  Value first = b.mul(panel.group, problem.channels * stride);
  Value from = b.at(inputAddress(tile.number), first, element);
  Value filters =
      b.at(b.buffer(at.rhs),
           b.add(b.mul(panel.number, points() * filterBlock), offset), element);
  Values zeros(tile::windowSize(plan.m, dims.size()), b.constantOf(vector, 0));
  return b.loop(b.index(0), b.index(problem.windows), 1, zeros,
                [&](Value window, ValueRange sums) {
                  Values exist = tapsExist(window);
                  Value inputs = b.at(from, windowOffset(window), element);
                  Value at = b.mul(window, problem.channels);
                  return b.loop(
                      b.index(0), b.index(problem.channels), 1, sums,
                      [&](Value channel, ValueRange partial) {
                        Value row = b.mul(b.add(at, channel), plan.tile.panel);
                        return addChannel(
                            b.at(inputs, b.mul(channel, stride), element),
                            b.at(filters, row, element), exist, partial);
                      });
                });
}
