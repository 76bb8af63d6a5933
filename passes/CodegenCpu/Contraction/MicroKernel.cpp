//===- MicroKernel.cpp - the register tile of a contraction ---------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "passes/CodegenCpu/Contraction/MicroKernel.h"

#include "mlir/IR/BuiltinTypes.h"
#include "passes/CodegenCpu/Builder/ElementwiseOps.h"
#include "passes/CodegenCpu/Contraction/RowFactors.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;
using namespace tenon;
using namespace tenon::codegen;

Type codegen::accumulatorType(Type element) {
  if (element.isF16() || element.isBF16())
    return Float32Type::get(element.getContext());
  return element;
}

Values codegen::prefetchDistances(KernelBuilder &b, Value number, int64_t tiles,
                                  int64_t stepBytes, int64_t blockBytes) {
  constexpr int64_t lineBytes = 64;
  int64_t lines = llvm::divideCeil(stepBytes, lineBytes);
  int64_t each = llvm::divideCeil(lines, tiles);
  Values distances;
  for (int64_t i = 0; i < each; ++i) {
    Value line = b.rem(b.add(b.mul(number, each), i), lines);
    distances.push_back(b.add(b.mul(line, lineBytes), blockBytes));
  }
  return distances;
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
        column.existing < lanes
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
      columnsAt(b, b.at(rhs, number * k.back().rhsStride, rhsElement));
  for (auto [r, displacement] : llvm::enumerate(rows)) {
    int64_t place = displacement + number * k.back().lhsStride;
    RowFactors factors(b, *this, b.at(lhs, place, lhsElement));
    for (auto [j, column] : llvm::enumerate(columns)) {
      Value &sum = sums[r * columns.size() + j];
      sum = b.fma(factors.at(column), right[j], sum);
    }
  }
  return sums;
}

void MicroKernel::prefetchRows(KernelBuilder &b, Value lhs) const {
  llvm::SmallSetVector<int64_t, 4> sources;
  for (const ColumnVector &column : columns)
    for (const LaneSource &source : column.sources)
      sources.insert(source.lhs);
  for (int64_t row : rows)
    for (int64_t source : sources)
      b.prefetchLines(b.at(lhs, row + source + rowsAhead, lhsElement),
                      unroll * k.back().lhsStride, lhsElement, /*locality=*/2);
}

void MicroKernel::prefetchAhead(KernelBuilder &b, Value rhs, int64_t number,
                                ValueRange ahead) const {
  Value row = b.at(rhs, number * k.back().rhsStride, rhsElement);
  for (Value distance : ahead)
    b.prefetch(b.at(row, distance, b.builder().getI8Type()));
}

Values MicroKernel::nest(KernelBuilder &b, unsigned depth, Value lhs, Value rhs,
                         ValueRange init, Value count, ValueRange ahead) const {
  const ReductionDim &dim = k[depth];
  bool innermost = depth + 1 == k.size();
  return b.loop(b.index(0), count, innermost ? unroll : 1, init,
                [&](Value i, ValueRange sums) -> Values {
                  Value a = b.at(lhs, b.mul(i, dim.lhsStride), lhsElement);
                  Value c = b.at(rhs, b.mul(i, dim.rhsStride), rhsElement);
                  if (!innermost)
                    return nest(b, depth + 1, a, c, sums,
                                b.index(k[depth + 1].extent), ahead);
                  if (rowsAhead)
                    prefetchRows(b, a);
                  Values next(sums);
                  for (int64_t u = 0; u < unroll; ++u) {
                    prefetchAhead(b, c, u, ahead);
                    next = step(b, a, c, u, next);
                  }
                  return next;
                });
}

Values MicroKernel::accumulate(KernelBuilder &b, Value lhs, Value rhs,
                               ValueRange init, Value count,
                               ValueRange ahead) const {
  return nest(b, 0, lhs, rhs, init, count, ahead);
}
