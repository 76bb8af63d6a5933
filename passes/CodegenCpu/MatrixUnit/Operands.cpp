//===- Operands.cpp - splits what a matrix unit multiplies ----------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "passes/CodegenCpu/MatrixUnit/Emit.h"

#include "passes/CodegenCpu/Contraction/PackPanel.h"
#include "passes/CodegenCpu/MatrixUnit/Split.h"

using namespace mlir;
using namespace tenon;
using namespace tenon::codegen;
using tile::ceilDiv;

StepPlace MatrixUnitEmitter::stepAt(Value step) {
  SmallVector<int64_t> extents;
  for (const NestDim &dim : ArrayRef(nest.k).drop_back())
    extents.push_back(dim.extent);
  extents.push_back(grid.runSteps);
  Values index = b.delinearize(step, extents);
  const NestDim &run = nest.k.back();
  bool isWhole = run.extent % MatrixSquare::depth == 0;
  Value within = b.mul(index.back(), MatrixSquare::depth);
  StepPlace place{b.mul(within, run.lhs), b.mul(within, run.rhs),
                  isWhole ? b.index(MatrixSquare::depth)
                          : b.sub(b.index(run.extent), within)};
  for (auto [dim, i] : llvm::zip(nest.k, ArrayRef<Value>(index).drop_back())) {
    place.lhs = b.add(place.lhs, b.mul(i, dim.lhs));
    place.rhs = b.add(place.rhs, b.mul(i, dim.rhs));
  }
  return place;
}

void MatrixUnitEmitter::withLeft(const StepPlace &place,
                                 function_ref<void(Value)> body) {
  Value whole = b.index(MatrixSquare::depth);
  if (b.constant(place.left))
    return body(place.left);
  b.ifThen(
      b.less(place.left, whole), [&] { body(place.left); },
      [&] { body(whole); });
}

void MatrixUnitEmitter::splitRows(const RowBlock &block, Steps pass) {
  Value first = b.mul(block.rowTile, MatrixSquare::rows);
  Value end = b.min(b.add(first, b.mul(block.tiles, MatrixSquare::rows)),
                    b.index(rows));
  b.loop(first, end, 1, [&](Value row) {
    Value slot = b.sub(b.div(row, MatrixSquare::rows), block.rowTile);
    Value tile = b.mul(slot, plan.pass * MatrixSquare::stepBytes);
    Value within = b.rem(row, MatrixSquare::rows);
    constexpr int64_t tileRows = MatrixSquare::tileRows;
    Value offset = b.add(b.mul(b.div(within, tileRows), halfBytes),
                         b.mul(b.rem(within, tileRows), 64));
    splitRow(moveOver(b, block.origin, nest.rows, row).lhs,
             b.at(lhsPieces, b.add(tile, offset), byte), pass);
  });
}

void MatrixUnitEmitter::splitRow(Value lhs, Value to, Steps pass) {
  b.loop(pass.first, pass.last, 1, [&](Value step) {
    StepPlace place = stepAt(step);
    Value from = b.at(b.buffer(at.lhs), b.add(lhs, place.lhs), f32);
    Value slot = b.mul(b.sub(step, pass.first), MatrixSquare::stepBytes);
    withLeft(place, [&](Value left) {
      Value behind = b.sub(left, b.index(lanes));
      splitPairs(b, loadClamped(b, from, left, f32),
                 loadClamped(b, b.at(from, lanes, f32), behind, f32),
                 b.at(to, slot, byte));
    });
  });
}

/// Columns that do not lie together: those of the steps, as [step][column].
Value MatrixUnitEmitter::packPanel(const Panel &panel, Steps steps) {
  const NestDim &k = nest.k.front();
  Value first = b.mul(steps.first, MatrixSquare::depth);
  Value end = b.min(b.mul(steps.last, MatrixSquare::depth), b.index(k.extent));
  Value from = b.at(b.buffer(at.rhs),
                    b.add(panel.place.rhs, b.mul(first, k.rhs)), rhsType);
  withColumns(panel, [&](int64_t columns) {
    PanelPacking packing;
    packing.k = {{k.extent, k.rhs}};
    packing.columnStride = nest.column.rhs;
    packing.vectors = ceilDiv(columns, lanes);
    packing.lanes = lanes;
    packing.lastLanes = columns - (packing.vectors - 1) * lanes;
    packing.pitch = MatrixSquare::columns;
    packing.element = rhsType;
    packing.emit(b, from, packed, b.sub(end, first));
  });
  return packed;
}

void MatrixUnitEmitter::splitPanel(const Panel &panel, Steps steps, Value to) {
  Value own = packs() ? packPanel(panel, steps) : Value();
  int64_t pitch = own ? MatrixSquare::columns : nest.k.back().rhs;
  bool isWhole =
      own || nest.packed || nest.column.extent % MatrixSquare::columns == 0;
  Value columns = b.index(MatrixSquare::columns);
  if (!isWhole)
    columns = b.sub(b.index(nest.column.extent),
                    b.mul(panel.number, MatrixSquare::columns));
  b.loop(steps.first, steps.last, 1, [&](Value step) {
    Value slot = b.sub(step, steps.first);
    StepPlace place = stepAt(step);
    Value from =
        own ? b.at(own, b.mul(slot, MatrixSquare::depth * pitch), rhsType)
            : b.at(b.buffer(at.rhs), b.add(panel.place.rhs, place.rhs),
                   rhsType);
    Value pieces = b.at(to, b.mul(slot, MatrixSquare::stepBytes), byte);
    withLeft(place, [&](Value left) {
      b.loop(b.index(0), b.index(MatrixSquare::tileRows), 1, [&](Value row) {
        bool isWhole = b.constant(left) == MatrixSquare::depth;
        Value line = b.at(from, b.mul(row, pitch), rhsType);
        if (plan.keepsColumns && plan.prefetch && nest.packed)
          askForLines(line, pitch);
        splitLine(line, pitch, isWhole ? left : b.sub(left, row), columns,
                  b.at(pieces, b.mul(row, 64), byte));
      });
    });
  });
}

/// Of the next steps' B, which lie behind these, as much as is split at once.
void MatrixUnitEmitter::askForLines(Value line, int64_t pitch) {
  for (int64_t step : {int64_t(0), MatrixSquare::tileRows})
    b.prefetchLines(
        b.at(line, plan.steps * stepElements + step * pitch, rhsType),
        MatrixSquare::columns, rhsType, /*locality=*/2);
}

/// The columns of a step and of the 16th after it; `left` are those of the run
/// from the first of them on.
void MatrixUnitEmitter::splitLine(Value from, int64_t pitch, Value left,
                                  Value columns, Value to) {
  for (int64_t half = 0; half < halves(nest.column.extent); ++half) {
    auto load = [&](int64_t step) {
      Value existing = b.sub(columns, b.index(half * lanes));
      // Steps behind the run's end have no columns.
      Value steps = b.sub(left, b.index(step));
      Value line = b.at(from, step * pitch + half * lanes, rhsType);
      return loadClamped(b, line, b.min(existing, b.mul(steps, lanes)),
                         rhsType);
    };
    splitPairs(b, load(0), load(MatrixSquare::tileRows),
               b.at(to, half * halfBytes, byte));
  }
}
