//===- MatrixUnit.cpp - kernels of a matrix unit --------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file builds the loops around the unit's squares of 32 x 32 results:
//   for block of row tiles, for pass over k:
//     split the block's A
//     for panel of columns, for chunk of the pass:
//       for row tile:
//         sums += A's pieces * B's pieces, while a part of the next chunk's B
//           is split
//         after the last chunk: epilogue(sums)
// A call has row tiles and makes blocks of them, or some panels of blocks.
// Pieces lie in the scratch of its thread. Kept.cpp has the loops that split
// all of B first.
//===----------------------------------------------------------------------===//
#include "passes/CodegenCpu/MatrixUnit/Emit.h"
#include "passes/CodegenCpu/Strategies.h"

#include "lib/Tile/Shares.h"
#include "passes/Codegen/Bodies/Overwrite.h"
#include "passes/CodegenCpu/Builder/MatrixTiles.h"

using namespace mlir;
using namespace tenon;
using namespace tenon::codegen;
using tile::ceilDiv;

Size MatrixUnitEmitter::extentOf(ArrayRef<NestDim> dims) {
  Size all = 1;
  for (const NestDim &dim : dims)
    all *= dim.extent;
  return all;
}

/// Where only the run knows what there is, some may have nothing to do.
Size MatrixUnitEmitter::launchTiles() const {
  Size all = items();
  if (all.isFixed())
    return std::min(plan.tiles, all.fixed());
  return plan.tiles == 1 ? 1 : std::max(plan.tiles, tile::balancedTiles);
}

FailureOr<StageInfo> MatrixUnitEmitter::emit() {
  StageInfo result;
  result.tiles = launchTiles();
  result.oneCall = true;
  if (isOpen && isInPasses())
    result.scratch = {batches * rowTiles * grid.panels *
                      MatrixSquare::sumBytes};
  allocate();
  configureTiles(b);
  Interval shared = b.shareOfCall(items(), result.tiles);
  if (plan.keepsColumns)
    emitKept(shared);
  else
    plan.byRows ? emitRows(shared) : emitColumns(shared);
  releaseTiles(b);
  if (output.failed())
    return failure();
  return result;
}

void MatrixUnitEmitter::allocate() {
  passing = b.threadScratch();
  kept = b.at(passing, MatrixSquare::passingChunks * chunkBytes(), byte);
  int64_t waiting = plan.steps < plan.pass ? plan.rowTiles : 1;
  sums = isInPasses() ? b.buffer(sharedSums)
                      : b.scratch(waiting * MatrixSquare::sumBytes, byte);
  awake = b.scratch(64, byte);
  if (packs())
    packed = b.scratch(packedSteps * stepElements, rhsType);
}

//===-- Blocks ------------------------------------------------------------===//

void MatrixUnitEmitter::forGroups(const Interval &items, Value each,
                                  function_ref<void(Value, Interval)> body) {
  if (!b.constant(each)) // Of nothing there are no groups.
    each = b.max(each, b.index(1));
  Value last = b.div(b.add(items.end, b.sub(each, b.index(1))), each);
  b.loop(b.div(items.begin, each), last, 1, [&](Value group) {
    Value first = b.mul(group, each);
    body(group, {b.max(b.sub(items.begin, first), b.index(0)),
                 b.min(b.sub(items.end, first), each)});
  });
}

void MatrixUnitEmitter::emitRows(const Interval &items) {
  forGroups(items, b.index(rowTiles), [&](Value batch, Interval part) {
    b.loop(part.begin, part.end, plan.rowTiles, [&](Value rowTile) {
      Value tiles = b.min(b.index(plan.rowTiles), b.sub(part.end, rowTile));
      emitBlock(blockAt(batch, rowTile, tiles),
                {b.index(0), b.index(grid.panels)});
    });
  });
}

void MatrixUnitEmitter::emitColumns(const Interval &items) {
  Value each = b.index(blocks());
  forGroups(items, b.index(grid.panels), [&](Value block, Interval panels) {
    Value rowTile = b.mul(b.rem(block, each), plan.rowTiles);
    Value tiles =
        b.min(b.index(plan.rowTiles), b.sub(b.index(rowTiles), rowTile));
    emitBlock(blockAt(b.div(block, each), rowTile, tiles), panels);
  });
}

SquareBlock MatrixUnitEmitter::blockAt(Value batch, Value rowTile,
                                       Value tiles) {
  Place origin =
      moveOver(b, originOf(b, nest, output.tensors()), nest.batch, batch);
  return {origin, batch, rowTile, tiles};
}

void MatrixUnitEmitter::emitBlock(const SquareBlock &block,
                                  const Interval &panels) {
  b.loop(b.index(0), b.index(grid.steps), plan.pass, [&](Value step) {
    Steps pass{step, b.min(b.add(step, plan.pass), b.index(grid.steps))};
    splitRows(block, pass, kept);
    emitPanels(block, panels, pass);
  });
}

//===-- Panels ------------------------------------------------------------===//

Panel MatrixUnitEmitter::panelAt(const SquareBlock &block, Value number) {
  NestDim step = nest.column;
  step.rhs =
      nest.packed ? Size(nest.panelStride) : step.rhs * MatrixSquare::columns;
  for (Size &stride : step.result)
    stride *= MatrixSquare::columns;
  return {moveAlong(b, block.origin, step, number), number};
}

void MatrixUnitEmitter::emitPanels(const SquareBlock &block,
                                   const Interval &panels, Steps pass) {
  Value chunks = b.divUp(b.sub(pass.last, pass.first), plan.steps);
  if (!packs())
    splitPanel(panelAt(block, panels.begin), stepsFrom(pass.first, pass),
               passingPieces(b.index(0)));
  b.loop(panels.begin, panels.end, 1, [&](Value number) {
    Value before = b.mul(b.sub(number, panels.begin), chunks);
    b.loop(pass.first, pass.last, plan.steps, [&](Value first) {
      Value turn = b.add(before, b.div(b.sub(first, pass.first), plan.steps));
      emitChunk(block, {number, stepsFrom(first, pass), pass, turn}, panels);
    });
  });
}

void MatrixUnitEmitter::emitChunk(const SquareBlock &block, const Chunk &chunk,
                                  const Interval &panels) {
  Panel panel = panelAt(block, chunk.panel);
  Chunk next = nextOf(chunk, panels);
  Panel nextPanel = panelAt(block, next.panel);
  Value to = passingPieces(next.turn);
  auto split = [&](Value pair) {
    splitPairUnit(nextPanel, next.steps.first, pair, to);
  };
  Share share;
  if (packs()) // Transposing does not go on beside products.
    splitPackedPanel(panel, chunk.steps, passingPieces(chunk.turn));
  else
    share.split = split;
  share.end = b.mul(countOf(next.steps), stepPairs);
  Value steps = b.mul(block.tiles, countOf(chunk.steps));
  share.each = b.div(b.add(share.end, b.sub(steps, b.index(1))), steps);
  b.loop(b.index(0), block.tiles, 1, [&](Value slot) {
    share.first = b.mul(b.mul(slot, share.each), countOf(chunk.steps));
    emitSquare(panel, b.add(block.rowTile, slot), productOf(block, chunk, slot),
               share);
  });
}

/// Behind the last chunk comes one of no steps.
Chunk MatrixUnitEmitter::nextOf(const Chunk &chunk, const Interval &panels) {
  Value isLast = b.equal(chunk.steps.last, chunk.pass.last);
  Value panel = b.choose(isLast, b.add(chunk.panel, 1), chunk.panel);
  Value first = b.choose(isLast, chunk.pass.first, chunk.steps.last);
  Steps steps = stepsFrom(first, chunk.pass);
  steps.last = b.choose(b.less(panel, panels.end), steps.last, first);
  return {panel, steps, chunk.pass, b.add(chunk.turn, 1)};
}

Product MatrixUnitEmitter::productOf(const SquareBlock &block,
                                     const Chunk &chunk, Value slot) {
  Value first = b.sub(chunk.steps.first, chunk.pass.first);
  Value isLast = b.equal(b.add(slot, 1), block.tiles);
  Value nextSlot = b.choose(isLast, b.index(0), b.add(slot, 1));
  Value nextFirst = b.choose(isLast, b.add(first, countOf(chunk.steps)), first);
  Value nextTurn = b.choose(isLast, b.add(chunk.turn, 1), chunk.turn);
  Product product;
  product.lhs = keptPieces(slot, first);
  product.rhs = passingPieces(chunk.turn);
  product.nextLhs = keptPieces(nextSlot, nextFirst);
  product.nextRhs = passingPieces(nextTurn);
  product.sums = sumsOf(block, slot, chunk.panel);
  product.steps = chunk.steps;
  return product;
}

/// Where a square's sums wait: for the epilogue, the next steps or the next
/// pass.
Value MatrixUnitEmitter::sumsOf(const SquareBlock &block, Value slot,
                                Value panel) {
  Value before = b.index(0);
  if (isInPasses()) {
    Value rowTile = b.add(block.rowTile, slot);
    before = b.add(b.mul(block.batch, rowTiles), rowTile);
    before = b.add(b.mul(before, grid.panels), panel);
  } else if (plan.steps < plan.pass) {
    before = slot;
  }
  return b.at(sums, b.mul(before, MatrixSquare::sumBytes), byte);
}

void MatrixUnitEmitter::emitSquare(const Panel &panel, Value rowTile,
                                   Product product, const Share &share) {
  Value isLast = b.equal(product.steps.last, b.index(grid.steps));
  b.ifThen(isLast, [&] { prefetchResults(panel, rowTile); });
  withHalves(rowTile, panel, [&](Halves halves) {
    product.halves = halves;
    multiply(product, share);
  });
  b.ifThen(isLast, [&] { finish(panel, rowTile, product.sums); });
}

//===-- Rows and columns --------------------------------------------------===//

void MatrixUnitEmitter::forRows(const Place &from, Value number, int64_t step,
                                function_ref<void(const Place &, Value)> body) {
  Value first = b.mul(number, MatrixSquare::rows);
  Value count = b.min(b.index(MatrixSquare::rows), b.sub(b.index(rows), first));
  b.loop(b.index(0), count, step, [&](Value row) {
    body(moveOver(b, from, nest.rows, b.add(first, row)), row);
  });
}

void MatrixUnitEmitter::withColumns(const Panel &panel,
                                    function_ref<void(int64_t)> body) {
  int64_t columns = nest.column.extent.fixed();
  int64_t whole = columns / MatrixSquare::columns;
  int64_t rest = columns % MatrixSquare::columns;
  if (whole == 0)
    return body(rest);
  if (rest == 0)
    return body(MatrixSquare::columns);
  b.ifThen(
      b.less(panel.number, b.index(whole)),
      [&] { body(MatrixSquare::columns); }, [&] { body(rest); });
}

//===-- Groups ------------------------------------------------------------===//

FailureOr<StageInfo> codegen::emitMatrixUnit(const StageRequest &request) {
  FailureOr<ContractionStage> stage =
      readContraction(request, {.panel = tile::MatrixSquare::columns});
  if (failed(stage))
    return failure();
  // A plan that somebody wrote may be none for this product.
  if (llvm::Error error = tile::validate(
          stage->nest.stepsProblem(),
          fromAttribute<tile::MatrixUnitPlan>(request.plan), request.target()))
    return stage->at.anchor->emitOpError(llvm::toString(std::move(error)));
  OverwritePairs inPlace = overwritesOf(request.group, stage->epilogue);
  FailureOr<StageInfo> result =
      MatrixUnitEmitter(request, stage->at, std::move(stage->nest),
                        std::move(stage->epilogue))
          .emit();
  if (succeeded(result))
    result->inPlace = std::move(inPlace);
  return result;
}

//===-- Strategy ----------------------------------------------------------===//

/// Steps of k are multiplied in pairs.
static bool canAddress(kernel::GroupOp group, unsigned index,
                       memory::BufferType type) {
  return canAddressProduct(group, index, type, /*joinsSteps=*/true);
}

static StringRef whyWide(kernel::GroupOp group, unsigned index) {
  FailureOr<ContractionOperands> at = contractionOperands(group);
  bool widens = succeeded(at) && index == at->rhs;
  return widens ? StringRef() : StringRef(readsF32);
}

/// Of constant weights: batches and rows may be any.
static bool takesSymbols(kernel::GroupOp group) {
  if (!takesSymbolicProduct(group) || !hasKnownSteps(group))
    return false;
  FailureOr<ContractionOperands> at = contractionOperands(group);
  return succeeded(at) && canPack(group, *at);
}

const Strategy codegen::bf16x6Strategy{.name = "bf16x6",
                                       .matches = isProduct,
                                       .plan = planMatrixUnit,
                                       .emit = emitMatrixUnit,
                                       .canAddress = canAddress,
                                       .whyWide = whyWide,
                                       .takesSymbols = takesSymbols};
