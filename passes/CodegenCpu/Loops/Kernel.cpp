//===- Kernel.cpp - the loops of a nest -----------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file drives rows and vectors of the parallel loops; stages over the
// reduced ones are in Stages.cpp.
//===----------------------------------------------------------------------===//
#include "passes/CodegenCpu/Loops/Kernel.h"
#include "passes/Codegen/Builder/Alternate.h"

using namespace mlir;
using namespace tenon;
using namespace tenon::codegen;

LogicalResult LoopsKernel::run() {
  for (unsigned loop = 0; loop < nest.program.loops.size(); ++loop) {
    if (loop == schedule.vector || loop == schedule.transposed ||
        loop == schedule.interleaved)
      continue;
    (nest.reduced(loop) ? reducedLoops : rowLoops).push_back(loop);
  }
  for (const kernel::LoopResult &result : nest.program.results)
    hasFull |= result.full;
  chooseKept();
  LoopScope entry(nest.program.loops.size());
  entry.live = schedule.lanes;
  body.prepare(entry, 0);
  versions(entry);
  return failure(body.failed());
}

/// What can be known at the entry only is decided there.
void LoopsKernel::versions(LoopScope &entry) {
  if (Value repeats = body.repeatsAlongVector())
    return b.ifThen(
        repeats, [&] { keptVersions(entry); },
        [&] {
          body.neverRepeats = true;
          keptVersions(entry);
        });
  if (schedule.stream)
    return b.ifThen(
        body.storesAreAligned(), [&] { streamTiles(entry); },
        [&] { tiles(entry); });
  keptVersions(entry);
}

/// Rows that are too long for what is kept are computed again.
void LoopsKernel::keptVersions(LoopScope &entry) {
  Value fits = keptFits();
  if (!fits)
    return tiles(entry);
  b.ifThen(
      fits, [&] { tiles(entry); },
      [&] {
        auto nodes = std::exchange(kept, {});
        tiles(entry);
        kept = std::move(nodes);
      });
}

void LoopsKernel::streamTiles(LoopScope &entry) {
  body.stream = true;
  tiles(entry);
  b.drain();
  body.stream = false;
}

static Value quotient(KernelBuilder &b, Value x, const Size &y) {
  return y.isFixed() ? b.div(x, y.fixed()) : b.div(x, b.index(y));
}

static Value remainder(KernelBuilder &b, Value x, const Size &y) {
  return y.isFixed() ? b.rem(x, y.fixed()) : b.rem(x, b.index(y));
}

void LoopsKernel::tiles(LoopScope &entry) {
  unsigned cut = schedule.cut;
  Size length = nest.reduced(cut) ? Size(1) : nest.extent(cut);
  b.forTiles([&](Value tile) {
    if (schedule.cutsRows()) {
      bool isOne = schedule.rowCount.is(1) && !length.isFixed();
      Value piece = isOne ? tile : remainder(b, tile, schedule.chunkCount);
      Value low = b.mul(piece, schedule.chunk);
      Value high = b.min(b.add(low, schedule.chunk), b.index(length));
      Value number =
          isOne ? b.index(0) : quotient(b, tile, schedule.chunkCount);
      row(entry, number, low, high);
      return;
    }
    Value first = b.mul(tile, schedule.rows);
    Value last = b.min(b.add(first, schedule.rows), b.index(schedule.rowCount));
    if (schedule.rowCount.is(1))
      return row(entry, b.index(0), b.index(0), b.index(length));
    rows(entry, first, last, length);
  });
}

void LoopsKernel::rows(LoopScope &entry, Value first, Value last,
                       const Size &length) {
  Value middle = first;
  if (int64_t jam = schedule.jam; jam > 1) {
    middle = b.add(first, b.mul(b.div(b.sub(last, first), jam), jam));
    jammedRows(entry, first, middle);
    if (schedule.rowCount.isMultipleOf(jam))
      return;
  }
  b.loop(middle, last, 1, [&](Value number) {
    row(entry, number, b.index(0), b.index(length));
  });
}

LoopScope LoopsKernel::enterRow(LoopScope &entry, Value number) {
  Sizes extents;
  for (unsigned loop : rowLoops)
    extents.push_back(nest.extent(loop));
  LoopScope scope(&entry);
  Values indices = b.delinearize(number, extents);
  for (auto [loop, index] : llvm::zip(rowLoops, indices))
    scope.index[loop] = index;
  body.prepare(scope, 0);
  return scope;
}

void LoopsKernel::withRows(LoopScope &entry, Value first,
                           function_ref<void(ArrayRef<LoopScope *>)> visit) {
  std::vector<LoopScope> rows;
  for (int64_t slot = 0; slot < schedule.jam; ++slot) {
    rows.push_back(enterRow(entry, b.add(first, b.index(slot))));
    rows.back().slot = slot;
  }
  Scopes pointers;
  for (LoopScope &scope : rows)
    pointers.push_back(&scope);
  visit(pointers);
}

void LoopsKernel::jammedRows(LoopScope &entry, Value first, Value last) {
  if (overlaps())
    return overlappedRows(entry, first, last);
  b.loop(first, last, schedule.jam, [&](Value i) {
    withRows(entry, i, [&](ArrayRef<LoopScope *> rows) { runStages(rows); });
  });
}

/// What ends a reduction, lane by lane and with roots and quotients, takes
/// longer than a processor looks ahead past the results that wait for it. So
/// the next rows' first stage comes between.
void LoopsKernel::overlappedRows(LoopScope &entry, Value first, Value last) {
  auto start = [&](Value row) {
    Values sums;
    withRows(entry, row,
             [&](ArrayRef<LoopScope *> rows) { sums = startStages(rows); });
    return sums;
  };
  b.ifThen(b.less(first, last), [&] {
    b.loop(first, last, schedule.jam, start(first),
           [&](Value i, ValueRange sums) {
             Values following;
             withRows(entry, i, [&](ArrayRef<LoopScope *> rows) {
               endStages(rows, sums);
               Value next = b.add(i, schedule.jam);
               following = b.select(
                   b.less(next, last), [&] { return start(next); },
                   [&] { return Values(sums); });
               storeResults(rows);
             });
             return following;
           });
  });
}

/// The next rows must not write where these have something kept.
bool LoopsKernel::overlaps() const {
  auto isEarly = [](const KeptNode &node) { return node.stage == 1; };
  return schedule.overlap && llvm::none_of(kept, isEarly);
}

void LoopsKernel::row(LoopScope &entry, Value number, Value low, Value high) {
  LoopScope scope = enterRow(entry, number);
  if (schedule.transposed)
    transposedRow(scope, low, high);
  else if (vectorReduced())
    runStages({&scope});
  else
    parallelRow(scope, low, high);
}

/// What is left of `extent` behind whole vectors, from `from` to `end`.
void LoopsKernel::tail(const Size &extent, Value from, Value end,
                       function_ref<void(LiveLanes)> visit) {
  if (extent.isMultipleOf(schedule.lanes))
    return;
  b.ifThen(b.less(from, end), [&] {
    visit(extent.isFixed() ? LiveLanes(extent.fixed() % schedule.lanes)
                           : LiveLanes(b.sub(end, from)));
  });
}

/// Visits [low, high) of a loop of `extent` iterations with (index, number of
/// vectors, live lanes): unrolled, single, and the tail. `low` is a multiple of
/// the lanes, and `high` too unless it is the end.
void LoopsKernel::vectorLoop(
    Value low, Value high, const Size &extent,
    function_ref<void(Value, int64_t, LiveLanes)> visit) {
  int64_t lanes = schedule.lanes, step = lanes * schedule.unroll;
  Value count = b.sub(high, low);
  Value middle = b.add(low, b.mul(b.div(count, step), step));
  Value end = b.add(low, b.mul(b.div(count, lanes), lanes));
  b.loop(low, middle, step, [&](Value i) { visit(i, schedule.unroll, lanes); });
  if (schedule.unroll > 1)
    b.loop(middle, end, lanes, [&](Value i) { visit(i, 1, lanes); });
  tail(extent, end, high, [&](LiveLanes live) { visit(end, 1, live); });
}

void LoopsKernel::parallelRow(LoopScope &scope, Value low, Value high) {
  vectorLoop(low, high, nest.extent(schedule.vector),
             [&](Value i, int64_t unroll, LiveLanes live) {
               parallelPoint(scope, i, unroll, live);
             });
}

void LoopsKernel::parallelPoint(LoopScope &scope, Value i, int64_t unroll,
                                LiveLanes live) {
  std::vector<LoopScope> points(unroll, LoopScope(&scope));
  Scopes pointers;
  for (auto [u, point] : llvm::enumerate(points)) {
    point.index[schedule.vector] = i;
    point.shift = int64_t(u) * schedule.lanes;
    point.live = live;
    pointers.push_back(&point);
  }
  if (nest.stages() > 0) {
    for (LoopScope &point : points)
      body.prepare(point, 0);
    return runStages(pointers);
  }
  alternate(b, unroll, [&](int64_t u) {
    if (schedule.interleaved)
      interleavedPoint(points[u]);
    else
      storeFull(points[u]);
  });
}

void LoopsKernel::storeFull(LoopScope &scope) {
  for (auto [i, result] : llvm::enumerate(nest.program.results))
    if (result.full)
      body.store(i, scope);
}
