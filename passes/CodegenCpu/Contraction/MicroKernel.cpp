//===- MicroKernel.cpp - the register tile of a contraction ---------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "passes/CodegenCpu/Contraction/MicroKernel.h"

#include "dialects/Graph/Graph.h"
#include "mlir/IR/BuiltinTypes.h"
#include "passes/Codegen/Bodies/Epilogue.h"
#include "passes/Codegen/Builder/ElementwiseOps.h"
#include "passes/CodegenCpu/Contraction/RowFactors.h"
#include "llvm/ADT/SetVector.h"
#include <algorithm>

using namespace mlir;
using namespace tenon;
using namespace tenon::codegen;

void MicroKernel::fetchShare(KernelBuilder &b, Value block, int64_t bytes,
                             Value number, int64_t tiles) {
  int64_t turnBytes =
      unroll * k.back().rhsStride.fixed() * graph::elementBytes(rhsElement);
  int64_t lines = llvm::divideCeil(turnBytes, tile::lineBytes);
  linesAhead = llvm::divideCeil(lines, tiles);
  int64_t share = bytes / turnBytes * linesAhead * tile::lineBytes;
  Value part = b.rem(number, llvm::divideCeil(bytes, share));
  ahead = b.at(block, b.mul(part, share), b.builder().getI8Type());
}

SmallVector<ColumnVector>
codegen::contiguousColumns(int64_t vectors, int64_t lanes, int64_t last) {
  SmallVector<ColumnVector> columns;
  for (int64_t j = 0; j < vectors; ++j)
    columns.push_back({j * lanes, j == vectors - 1 ? last : lanes});
  return columns;
}

Values MicroKernel::zeros(KernelBuilder &b) const {
  Value zero = b.constantOf(b.vectorType(accumulator, lanes), 0);
  return Values(rows.size() * columns.size(), zero);
}

/// The vectors of one step.
Values MicroKernel::columnsAt(KernelBuilder &b, Value rhs) const {
  Type vector = b.vectorType(rhsElement, lanes);
  Values row;
  for (const ColumnVector &column : columns) {
    Value pointer = b.at(rhs, column.displacement, rhsElement);
    Value loaded =
        column.live ? b.loadPart(pointer, vector, column.live, rhsElement)
        : column.existing < lanes
            ? b.loadPart(pointer, vector, b.index(column.existing), rhsElement)
            : b.load(pointer, vector, rhsElement);
    row.push_back(widenFloat(b, loaded));
  }
  return row;
}

Values MicroKernel::step(KernelBuilder &b, Value lhs, Value rhs, int64_t number,
                         ValueRange init) const {
  Values sums(init);
  Values right =
      columnsAt(b, atSteps(b, rhs, number, k.back().rhsStride, rhsElement));
  for (auto [r, row] : llvm::enumerate(rows)) {
    Value from = row.further ? b.at(lhs, row.further, lhsElement) : lhs;
    const Size &stride = k.back().lhsStride;
    Value place =
        stride.isFixed()
            ? b.at(from, row.fixed + number * stride.fixed(), lhsElement)
            : b.at(atSteps(b, from, number, stride, lhsElement), row.fixed,
                   lhsElement);
    RowFactors factors(b, *this, place);
    for (auto [j, column] : llvm::enumerate(columns)) {
      Value &sum = sums[r * columns.size() + j];
      sum = b.fma(factors.at(column), right[j], sum);
    }
  }
  return sums;
}

/// In how many turns a line of A is asked for once: all that it lasts for,
/// where each multiply-add loads from A and asking takes the place of loading.
/// Else each turn asks again; what found all miss buffers taken was dropped.
int64_t MicroKernel::turnsOfLine() const {
  int64_t bytes =
      unroll * k.back().lhsStride.fixed() * graph::elementBytes(lhsElement);
  if (columns.size() > 1 || rows.size() < 2 || bytes <= 0 ||
      tile::lineBytes % bytes != 0)
    return 1;
  for (size_t r = 1; r < rows.size(); ++r)
    if (rows[r].fixed - rows[r - 1].fixed != rows[1].fixed - rows[0].fixed)
      return 1;
  return std::min(tile::lineBytes / bytes, k.back().extent.fixed() / unroll);
}

/// Asks for what the turn from step `i` on has of later rows, from `lhs` on: a
/// line that several turns share in one of them, where that is worth it.
void MicroKernel::prefetchRows(KernelBuilder &b, Value i, Value lhs) const {
  llvm::SmallSetVector<int64_t, 4> sources;
  for (const ColumnVector &column : columns)
    for (const LaneSource &source : column.sources)
      sources.insert(source.lhs);
  int64_t turns = turnsOfLine(), count = unroll * k.back().lhsStride.fixed();
  Value from = b.at(lhs, rowsAhead, lhsElement);
  if (turns > 1) {
    Value turn = b.rem(b.div(i, unroll), turns);
    from = b.at(from, b.mul(turn, rows[1].fixed - rows[0].fixed - count),
                lhsElement);
  }
  for (size_t r = 0; r < rows.size(); r += turns)
    for (int64_t source : sources)
      b.prefetchLines(b.at(from, rows[r].fixed + source, lhsElement), count,
                      lhsElement, /*locality=*/2);
}

/// What step `number` of a turn has to ask for, the first line being `line`.
void MicroKernel::prefetchAhead(KernelBuilder &b, Value line,
                                int64_t number) const {
  Type byte = b.builder().getI8Type();
  for (int64_t i = number * linesAhead / unroll;
       i < (number + 1) * linesAhead / unroll; ++i)
    b.prefetch(b.at(line, i * tile::lineBytes, byte));
}

/// A turn of the unrolled loop from step `i` on. `carried` are the sums, then
/// the first line to ask for, if any.
Values MicroKernel::turn(KernelBuilder &b, Value i, Value lhs, Value rhs,
                         ValueRange carried) const {
  if (rowsAhead)
    prefetchRows(b, i, lhs);
  Values sums(linesAhead ? carried.drop_back() : carried);
  for (int64_t u = 0; u < unroll; ++u) {
    if (linesAhead)
      prefetchAhead(b, carried.back(), u);
    MutableArrayRef<Value> chain =
        MutableArrayRef(sums).slice(u % chains * numSums(), numSums());
    llvm::copy(step(b, lhs, rhs, u, chain), chain.begin());
  }
  if (linesAhead)
    sums.push_back(b.at(carried.back(), linesAhead * tile::lineBytes,
                        b.builder().getI8Type()));
  return sums;
}

Values MicroKernel::nest(KernelBuilder &b, unsigned depth, Value lhs, Value rhs,
                         ValueRange init, Value count) const {
  if (depth + 1 == k.size())
    return innermost(b, lhs, rhs, init, count);
  const ReductionDim &dim = k[depth];
  return b.loop(
      b.index(0), count, 1, init, [&](Value i, ValueRange carried) -> Values {
        Value a = b.at(lhs, b.mul(i, dim.lhsStride), lhsElement);
        Value c = b.at(rhs, b.mul(i, dim.rhsStride), rhsElement);
        return nest(b, depth + 1, a, c, carried, b.index(k[depth + 1].extent));
      });
}

Values MicroKernel::innermost(KernelBuilder &b, Value lhs, Value rhs,
                              ValueRange init, Value count) const {
  const ReductionDim &dim = k.back();
  auto at = [&](Value i, auto body) {
    return body(b.at(lhs, b.mul(i, dim.lhsStride), lhsElement),
                b.at(rhs, b.mul(i, dim.rhsStride), rhsElement));
  };
  // What is known is a multiple.
  bool isWhole = dim.extent.isFixed() || unroll == 1;
  Value whole = isWhole ? count : b.sub(count, b.rem(count, unroll));
  Values sums =
      b.loop(b.index(0), whole, unroll, init, [&](Value i, ValueRange carried) {
        return at(i,
                  [&](Value a, Value c) { return turn(b, i, a, c, carried); });
      });
  if (isWhole)
    return sums;
  return b.loop(whole, count, 1, sums, [&](Value i, ValueRange carried) {
    return at(i, [&](Value a, Value c) {
      Values next(carried);
      llvm::copy(step(b, a, c, 0, carried.take_front(numSums())), next.begin());
      return next;
    });
  });
}

Values MicroKernel::accumulate(KernelBuilder &b, Value lhs, Value rhs,
                               ValueRange init, Value count) const {
  Values carried(init);
  if (chains > 1)
    for (int64_t i = 1; i < chains; ++i)
      llvm::append_range(carried, zeros(b));
  if (linesAhead)
    carried.push_back(ahead);
  Values result = nest(b, 0, lhs, rhs, carried, count);
  if (linesAhead)
    result.pop_back();
  for (; result.size() > numSums(); result.pop_back()) {
    Value &sum = result[(result.size() - 1) % numSums()];
    sum = b.plus(sum, result.back());
  }
  return result;
}
