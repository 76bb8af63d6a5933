//===- Winograd.cpp - kernels of minimal filtering ------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file builds the three steps of a block of units. Scratch holds its
// transformed inputs [unit][point][tile][window][channel] and the products
// [unit][point][tile][filter] of one panel:
//   for block of units:
//     inputs: for unit, tile, window, channels: V = B^T d B
//     for panel of filters:
//       products: for point, unit: M[point] = V[point] * U[panel][point]
//       outputs:  for unit, tile, filters: epilogue(A^T M A)
// With one filtered dimension, V = B^T d and the outputs are A^T M.
// A call has some of the units, or some of the panels, or both. It uses the
// scratch of its thread again for each of its blocks.
//===----------------------------------------------------------------------===//
#include "passes/CodegenCpu/Strategies.h"
#include "passes/CodegenCpu/Winograd/Emit.h"

#include "passes/Codegen/Bodies/Overwrite.h"
#include "passes/Codegen/Builder/Cuts.h"
#include "passes/CodegenCpu/Contraction/MicroKernel.h"
#include "passes/CodegenCpu/Winograd/LinearTransform.h"

using namespace mlir;
using namespace tenon;
using namespace tenon::codegen;
using tile::ceilDiv;

//===-- Blocks ------------------------------------------------------------===//

FailureOr<StageInfo> WinogradEmitter::emit() {
  transformed = b.threadScratch();
  products = b.at(transformed, sizes.inputs(), element);
  int64_t allPanels = problem.groups * groupPanels;
  WinogradShare share{{b.index(0), b.index(unitCount)},
                      {b.index(0), b.index(allPanels)}};
  if (!tileCount.isFixed())
    countUnits();
  StageInfo result = shareOut(share);
  if (plan.cuts == 1)
    emitBlocks(share);
  else
    forShares(b, plan.cuts,
              [&](Interval tiles) { emitBlocks(shareOf(tiles)); });
  if (output.failed())
    return failure();
  result.errorGrowth = problem.errorGrowth(plan.m);
  return result;
}

/// What tiles have that are whole shares of the units, or within one.
WinogradShare WinogradEmitter::shareOf(Interval tiles) {
  Interval shares{b.div(tiles.begin, plan.cuts),
                  b.div(b.add(tiles.end, plan.cuts - 1), plan.cuts)};
  Value last = b.rem(b.sub(tiles.end, b.index(1)), plan.cuts);
  Interval cuts{b.rem(tiles.begin, plan.cuts), b.add(last, 1)};
  return {b.shareOf(units.count, plan.tiles / plan.cuts, shares),
          b.shareOf(problem.groups * groupPanels, plan.cuts, cuts)};
}

void WinogradEmitter::emitBlocks(const WinogradShare &share) {
  const Interval &of = share.units;
  b.loop(of.begin, of.end, plan.block, [&](Value first) {
    emitBlock({first, b.min(b.add(first, plan.block), of.end)}, share.panels);
  });
}

void WinogradEmitter::emitBlock(UnitBlock block, const Interval &panels) {
  forTiles(block, [&](TilePlace tile) { transformInput(tile); });
  b.loop(panels.begin, panels.end, 1, [&](Value number) {
    Values index = b.delinearize(number, {problem.groups, groupPanels});
    FilterPanel panel{number, index[0], index[1]};
    multiply(block, panel);
    forTiles(block, [&](TilePlace tile) { transformOutput(tile, panel); });
  });
}

void WinogradEmitter::forTiles(UnitBlock block,
                               llvm::function_ref<void(TilePlace)> body) {
  b.loop(block.first, block.last, 1, [&](Value unit) {
    Value slot = b.sub(unit, block.first);
    Value inputs = b.at(transformed, b.mul(slot, sizes.inputUnit), element);
    Value sums = b.at(products, b.mul(slot, sizes.productUnit), element);
    Value begin = startOf(unit);
    Value end = startOf(b.add(unit, 1));
    b.loop(b.index(0), b.sub(end, begin), 1, [&](Value i) {
      body({b.add(begin, i), b.at(inputs, b.mul(i, sizes.inputPitch), element),
            b.at(sums, b.mul(i, plan.tile.panel), element)});
    });
  });
}

//===-- Transforms --------------------------------------------------------===//

Values WinogradEmitter::transform(const tile::Matrix &matrix,
                                  ValueRange values) {
  return dims.size() == 1 ? applyMatrix(b, matrix, values)
                          : applyToSquare(b, matrix, values);
}

/// The first output of a tile in the result, but for its filter.
Values WinogradEmitter::positionOf(Value tile) {
  Values index = b.delinearize(tile, tileExtents);
  size_t next = conv.getType().getRank() - 1;
  for (auto [number, dim] : llvm::enumerate(dims)) {
    int64_t step = plan.m * problem.dims[number].dilation;
    index[dim + 1] = b.add(b.mul(index[next], step), index[next + 1]);
    next += 2;
  }
  index.resize(conv.getType().getRank() - 1);
  return index;
}

//===-- Products ----------------------------------------------------------===//

void WinogradEmitter::multiply(UnitBlock block, const FilterPanel &panel) {
  int64_t left = problem.filters % plan.tile.panel;
  int64_t last = ceilDiv(left, plan.tile.lanes);
  auto all = [&](int64_t vectors) {
    b.loop(b.index(0), b.index(points()), 1, [&](Value point) {
      b.loop(block.first, block.last, 1, [&](Value unit) {
        forHeights(unit, [&](int64_t height) {
          multiplyUnit(block, panel, point, unit, height, vectors);
        });
      });
    });
  };
  if (last == 0 || last == plan.tile.nv)
    return all(plan.tile.nv);
  b.ifThen(
      b.less(panel.inGroup, b.index(groupPanels - 1)),
      [&] { all(plan.tile.nv); }, [&] { all(last); });
}

void WinogradEmitter::multiplyUnit(UnitBlock block, const FilterPanel &panel,
                                   Value point, Value unit, int64_t height,
                                   int64_t vectors) {
  const tile::ContractionPlan &tile = plan.tile;
  MicroKernel kernel;
  for (int64_t i = 0; i < height; ++i)
    kernel.rows.push_back(i * sizes.inputPitch);
  kernel.columns = contiguousColumns(vectors, tile.lanes, tile.lanes);
  kernel.lanes = tile.lanes;
  kernel.k = {{problem.depth(), 1, tile.panel}};
  kernel.unroll = tile.unroll;
  kernel.lhsElement = kernel.rhsElement = kernel.accumulator = element;
  Value slot = b.sub(unit, block.first);
  auto scratchAt = [&](Value buffer, int64_t unitSize, int64_t pointSize) {
    return b.at(buffer, b.add(b.mul(slot, unitSize), b.mul(point, pointSize)),
                element);
  };
  int64_t filterBlock = problem.depth() * tile.panel;
  Value filter =
      b.mul(b.add(b.mul(panel.number, points()), point), filterBlock);
  Value inputs =
      b.at(transformed, b.mul(panel.group, problem.channels), element);
  int64_t filterBytes = filterBlock * int64_t(sizeof(float));
  Value filters = b.at(b.buffer(at.rhs), filter, element);
  if (tile.prefetch)
    kernel.fetchShare(b, b.at(filters, filterBlock, element), filterBytes, unit,
                      unitHeight ? plan.block
                                 : std::min(units.count, plan.block));
  Values sums =
      kernel.accumulate(b, scratchAt(inputs, sizes.inputUnit, sizes.inputPoint),
                        filters, kernel.zeros(b), b.index(problem.depth()));
  Value result = scratchAt(products, sizes.productUnit, sizes.productPoint);
  for (int64_t i = 0; i < height; ++i)
    for (int64_t j = 0; j < vectors; ++j)
      b.store(sums[i * vectors + j],
              b.at(result, i * tile.panel + j * tile.lanes, element), element);
}

//===-- Groups ------------------------------------------------------------===//

/// A plan that somebody wrote may be none for this convolution.
static FailureOr<tile::WinogradProblem>
checkPlan(kernel::GroupOp group, const tile::WinogradPlan &plan,
          const tile::Target &target) {
  auto conv = cast<graph::ConvOp>(group.getAnchor());
  if (filteredDims(conv).empty())
    return conv.emitOpError("cannot be computed with Winograd");
  tile::WinogradProblem problem = winogradProblem(conv);
  if (llvm::Error error = tile::validate(problem, plan, target))
    return conv.emitOpError(llvm::toString(std::move(error)));
  return problem;
}

FailureOr<StageInfo> codegen::emitWinograd(const StageRequest &request) {
  FailureOr<ContractionOperands> at = contractionOperands(request.group);
  FailureOr<Epilogue> epilogue = failure();
  if (failed(at) || failed(epilogue = Epilogue::create(request)))
    return failure();
  auto conv = cast<graph::ConvOp>(at->anchor);
  auto plan = fromAttribute<tile::WinogradPlan>(request.plan);
  FailureOr<tile::WinogradProblem> problem =
      checkPlan(request.group, plan, request.target());
  if (failed(problem))
    return failure();
  FailureOr<WindowGeometry> geometry = winogradGeometry(conv, plan.m);
  if (failed(geometry) ||
      failed(checkHalo(conv, *geometry, request.operands[at->lhs])))
    return failure();
  OverwritePairs inPlace = overwritesOf(request.group, *epilogue);
  FailureOr<StageInfo> result =
      WinogradEmitter(request, *at, *geometry, *problem, std::move(*epilogue))
          .emit();
  if (succeeded(result))
    result->inPlace = std::move(inPlace);
  return result;
}

//===-- Strategy ----------------------------------------------------------===//

static bool isConvolution(kernel::GroupOp group) {
  return isa_and_nonnull<graph::ConvOp>(group.getAnchor()) && isProduct(group);
}

static bool canAddress(kernel::GroupOp group, unsigned index,
                       memory::BufferType type) {
  return canAddressProduct(group, index, type, /*joinsSteps=*/false);
}

static bool takesSymbols(kernel::GroupOp group) {
  return isConvolution(group) && takesSymbolicProduct(group);
}

/// No operand is narrow: errors of transformed filters would grow on the way
/// back.
static StringRef whyWide(kernel::GroupOp, unsigned) {
  return "transformed to need fewer products (--winograd=off)";
}

const Strategy codegen::winogradStrategy{.name = "winograd",
                                         .matches = isConvolution,
                                         .plan = planWinograd,
                                         .emit = emitWinograd,
                                         .canAddress = canAddress,
                                         .whyWide = whyWide,
                                         .takesSymbols = takesSymbols,
                                         .adaptHalos = widenWinogradHalo};
