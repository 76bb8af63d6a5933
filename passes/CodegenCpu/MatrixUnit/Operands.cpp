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
    extents.push_back(dim.extent.fixed());
  extents.push_back(grid.runSteps);
  Values index = b.delinearize(step, extents);
  const NestDim &run = nest.k.back();
  bool isWhole = run.extent.isMultipleOf(MatrixSquare::depth);
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

/// Bytes to a row's line in its tile's pieces.
Value MatrixUnitEmitter::lineOfRow(Value within) {
  constexpr int64_t tileRows = MatrixSquare::tileRows;
  return b.add(b.mul(b.div(within, tileRows), halfBytes),
               b.mul(b.rem(within, tileRows), 64));
}

void MatrixUnitEmitter::splitRows(const SquareBlock &block, Steps pass,
                                  Value to) {
  Value first = b.mul(block.rowTile, MatrixSquare::rows);
  Value end = b.min(b.add(first, b.mul(block.tiles, MatrixSquare::rows)),
                    b.index(rows));
  b.loop(first, end, 1, [&](Value row) {
    Value slot = b.sub(b.div(row, MatrixSquare::rows), block.rowTile);
    Value line = b.add(b.mul(slot, plan.pass * MatrixSquare::stepBytes),
                       lineOfRow(b.rem(row, MatrixSquare::rows)));
    Value lhs = moveOver(b, block.origin, nest.rows, row).lhs;
    b.loop(pass.first, pass.last, 1, [&](Value step) {
      StepPlace place = stepAt(step);
      Value before = b.mul(b.sub(step, pass.first), MatrixSquare::stepBytes);
      withLeft(place, [&](Value left) {
        splitRow(lhs, place, left, b.at(to, b.add(line, before), byte));
      });
    });
  });
}

void MatrixUnitEmitter::splitRow(Value lhs, const StepPlace &place, Value left,
                                 Value to) {
  Value from = b.at(b.buffer(at.lhs), b.add(lhs, place.lhs), f32);
  Value behind = b.sub(left, b.index(lanes));
  split(b, Pairs::neighbours, loadClamped(b, from, left, f32),
        loadClamped(b, b.at(from, lanes, f32), behind, f32), to);
}

/// A step of a row, which are numbered row by row.
void MatrixUnitEmitter::splitRowUnit(const SquareBlock &row, Value unit,
                                     Value to) {
  Value within = b.div(unit, grid.steps), step = b.rem(unit, grid.steps);
  Value number = b.add(b.mul(row.rowTile, MatrixSquare::rows), within);
  Value line = b.add(lineOfRow(within), b.mul(step, MatrixSquare::stepBytes));
  StepPlace place = stepAt(step);
  splitRow(moveOver(b, row.origin, nest.rows, number).lhs, place, place.left,
           b.at(to, line, byte));
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

void MatrixUnitEmitter::splitPackedPanel(const Panel &panel, Steps steps,
                                         Value to) {
  constexpr int64_t pitch = MatrixSquare::columns;
  b.loop(steps.first, steps.last, packedSteps, [&](Value first) {
    Steps some{first, b.min(b.add(first, packedSteps), steps.last)};
    Value lines = packPanel(panel, some);
    Value before = b.mul(b.sub(first, steps.first), MatrixSquare::stepBytes);
    Value end = b.mul(b.sub(some.last, first), stepPairs);
    // Steps behind the last one are zero.
    b.loop(b.index(0), end, 1, [&](Value line) {
      Value step = b.div(line, stepPairs), pair = b.rem(line, stepPairs);
      Value from = b.at(lines, b.mul(step, stepElements), rhsType);
      Value own = b.add(before, b.mul(step, MatrixSquare::stepBytes));
      splitPair(panel, from, pitch, stepAt(b.add(first, step)).left, pair,
                b.at(to, own, byte));
    });
  });
}

void MatrixUnitEmitter::splitPanel(const Panel &panel, Steps steps, Value to) {
  int64_t pitch = nest.k.back().rhs.fixed();
  b.loop(steps.first, steps.last, 1, [&](Value step) {
    StepPlace place = stepAt(step);
    Value from =
        b.at(b.buffer(at.rhs), b.add(panel.place.rhs, place.rhs), rhsType);
    Value before = b.mul(b.sub(step, steps.first), MatrixSquare::stepBytes);
    withLeft(place, [&](Value left) {
      b.loop(b.index(0), b.index(stepPairs), 1, [&](Value pair) {
        splitPair(panel, from, pitch, left, pair, b.at(to, before, byte));
      });
    });
  });
}

/// Pairs are numbered step by step, from step `first` on.
void MatrixUnitEmitter::splitPairUnit(const Panel &panel, Value first,
                                      Value unit, Value to) {
  Value number = b.div(unit, stepPairs), pair = b.rem(unit, stepPairs);
  StepPlace place = stepAt(b.add(first, number));
  Value from =
      b.at(b.buffer(at.rhs), b.add(panel.place.rhs, place.rhs), rhsType);
  splitPair(panel, from, nest.k.back().rhs.fixed(), place.left, pair,
            b.at(to, b.mul(number, MatrixSquare::stepBytes), byte));
}

/// The columns of two rows of a step; `left` are the rows of the run from the
/// step's first on.
void MatrixUnitEmitter::splitPair(const Panel &panel, Value from, int64_t pitch,
                                  Value left, Value pair, Value to) {
  Value row = b.mul(pair, 2);
  Value line = b.at(from, b.mul(row, pitch), rhsType);
  if (plan.prefetch && nest.packed)
    askForLines(line);
  bool isWhole = b.constant(left) == MatrixSquare::depth;
  Value columns = columnsOf(panel);
  for (int64_t half = 0; half < halves(nest.column.extent.fixed()); ++half) {
    auto load = [&](int64_t step) {
      Value existing = b.sub(columns, b.index(half * lanes));
      if (!isWhole) { // Steps behind the run's end have no columns.
        Value steps = b.sub(left, b.add(row, step));
        existing = b.min(existing, b.mul(steps, lanes));
      }
      return loadClamped(b, b.at(line, step * pitch + half * lanes, rhsType),
                         existing, rhsType);
    };
    Value own = b.add(b.mul(lineOfPair(b, pair), 64), half * halfBytes);
    split(b, Pairs::lanes, load(0), load(1), b.at(to, own, byte));
  }
}

/// Those that exist, at least: packed panels are whole.
Value MatrixUnitEmitter::columnsOf(const Panel &panel) {
  bool isWhole = packs() || nest.packed ||
                 nest.column.extent.isMultipleOf(MatrixSquare::columns);
  if (isWhole)
    return b.index(MatrixSquare::columns);
  return b.sub(b.index(nest.column.extent),
               b.mul(panel.number, MatrixSquare::columns));
}

/// Of steps soon to be split, which lie behind these.
void MatrixUnitEmitter::askForLines(Value pair) {
  constexpr int64_t ahead = 2;
  b.prefetchLines(b.at(pair, ahead * stepElements, rhsType),
                  2 * MatrixSquare::columns, rhsType, /*locality=*/2);
}
