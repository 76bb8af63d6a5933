//===- UnitProduct.cpp - products by the matrix units of warps ------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "passes/CodegenGpu/Contraction/UnitProduct.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "passes/Codegen/Bodies/Overwrite.h"
#include "passes/Codegen/PlanAttribute.h"
#include "passes/CodegenGpu/Contraction/UnitTerms.h"

using namespace mlir;
using namespace tenon;
using namespace tenon::gpu;

UnitProduct::UnitProduct(const StageRequest &request, Product of,
                         codegen::Epilogue epilogue)
    : request(request), kernel(request.b), product(std::move(of)),
      epilogue(std::move(epilogue)),
      plan(codegen::fromAttribute<tile::GpuProductPlan>(request.plan)),
      problem(product.problem(precisionOf(request.device))),
      t(kernel.builder(), kernel.loc()),
      waits(targetOf(request.device).programmatic),
      isEarly(waits && request.plan.getInt("packed")),
      lhs(t, product.lhs, plan.rows, plan.threads()),
      rhs(t, product.rhs, plan.columns, plan.threads(), isEarly) {
  shared = t.shared(sharedArray(moduleOf(request)));
}

//===-- Which tile --------------------------------------------------------===//

/// Some row tiles with all of their columns follow each other, so that blocks
/// that run at once read the same of both operands.
std::pair<Value, Value> UnitProduct::tileOf(Value number) {
  int64_t down = tilesAlong(problem.rows, plan.rows);
  int64_t across = tilesAlong(problem.columns, plan.columns);
  if (down <= plan.group || across == 1)
    return {t.rem(number, down), t.div(number, down)};
  int64_t each = plan.group * across;
  Value first = t.mul(t.div(number, each), plan.group);
  Value count = t.min(t.sub(t.number(down), first), plan.group);
  Value inGroup = t.rem(number, each);
  return {t.add(first, t.rem(inGroup, count)), t.div(inGroup, count)};
}

TilePlace UnitProduct::place() {
  TilePlace place;
  place.thread = t.thread(plan.threads());
  Value number = t.block();
  int64_t blocks = problem.blocks();
  firstBlock = t.number(0);
  endBlock = t.number(blocks);
  if (plan.share > 1) {
    place.rank = t.rem(number, plan.share);
    number = t.div(number, plan.share);
    firstBlock = t.div(t.mul(place.rank, blocks), plan.share);
    endBlock = t.div(t.mul(t.add(place.rank, 1), blocks), plan.share);
  }
  int64_t tiles = tilesAlong(problem.rows, plan.rows) *
                  tilesAlong(problem.columns, plan.columns);
  auto extents = llvm::map_to_vector(
      product.batch, [](const ResultDim &dim) { return dim.extent; });
  place.batch = t.delinearize(t.div(number, tiles), extents);
  if (!extents.empty())
    number = t.rem(number, tiles);
  auto [row, column] = tileOf(number);
  place.row = t.mul(row, plan.rows);
  place.column = t.mul(column, plan.columns);
  return place;
}

//===-- Copies ------------------------------------------------------------===//

Value UnitProduct::baseOf(const OperandLayout &layout, const TilePlace &place) {
  Value base = kernel.buffer(layout.buffer);
  for (auto [at, stride] : llvm::zip_equal(place.batch, layout.batchStrides))
    base = t.element(base, t.mul(at, stride), layout.elementBytes());
  return base;
}

void UnitProduct::beginOperands(const TilePlace &place) {
  lhs.begin(baseOf(product.lhs, place), place.row, place.thread);
  rhs.begin(baseOf(product.rhs, place), place.column, place.thread);
}

void UnitProduct::copyBlock(Value number, Value offset) {
  Value stage = t.at(shared, offset);
  lhs.copy(number, stage);
  rhs.copy(number, t.at(stage, lhs.bytes()));
}

/// All stages but one. Constants do not wait for earlier kernels.
void UnitProduct::fillStages() {
  int64_t stage = lhs.bytes() + rhs.bytes();
  int64_t sure = problem.blocks() / plan.share;
  auto forStages = [&](bool isAll, auto body) {
    for (int64_t i = 0; i + 1 < plan.stages; ++i) {
      Value number = t.add(firstBlock, i);
      Value condition = i < sure ? Value() : t.less(number, endBlock);
      t.ifThen(condition, [&] { body(number, t.at(shared, i * stage)); });
      if (isAll)
        t.commitCopies();
    }
  };
  auto copyRhs = [&](Value number, Value to) {
    rhs.copy(number, t.at(to, lhs.bytes()));
  };
  if (isEarly)
    forStages(false, copyRhs);
  if (waits)
    t.waitForGrids();
  forStages(true, [&](Value number, Value to) {
    lhs.copy(number, to);
    if (!isEarly)
      copyRhs(number, to);
  });
}

//===-- Products ----------------------------------------------------------===//

Values UnitProduct::addStep(Value stage, int64_t step, Values sums) {
  SmallVector<Fragment> rows, columns;
  for (int64_t m = 0; m < lhsTiles(); ++m)
    rows.push_back(fragmentOf(t, problem.unit,
                              lhs.read(lhsReader, stage, m * 16, step, true)));
  Value rhsStage = t.at(stage, lhs.bytes());
  for (int64_t n = 0; n < rhsTiles(); n += 2)
    columns.push_back(fragmentOf(
        t, problem.unit, rhs.read(rhsReader, rhsStage, n * 8, step, false)));
  addProducts(t, problem.unit, rows, columns, sums);
  return sums;
}

Values UnitProduct::addBlock(Value stage, ValueRange sums) {
  OpBuilder &b = t.builder();
  bool isApart = problem.terms() > 1;
  Values own(sums);
  if (isApart)
    own.assign(sums.size(), kernel.constantOf(b.getF32Type(), 0));
  for (int64_t step = 0; step < 4; ++step)
    own = addStep(stage, step, std::move(own));
  if (isApart)
    for (auto [sum, before] : llvm::zip_equal(own, sums))
      sum = arith::AddFOp::create(b, t.loc(), before, sum);
  return own;
}

Values UnitProduct::sumUp(Value thread) {
  Value lane = t.rem(thread, tile::warpLanes);
  Value warp = t.div(thread, tile::warpLanes);
  warpRow = t.mul(t.rem(warp, plan.warpRows), plan.tileRows());
  warpColumn = t.mul(t.div(warp, plan.warpRows), plan.tileColumns());
  lhsReader = lhs.readerOf(warpRow, lane, true);
  rhsReader = rhs.readerOf(warpColumn, lane, false);
  int64_t stage = lhs.bytes() + rhs.bytes(), all = stage * plan.stages;
  int64_t ahead = plan.stages - 1;
  Values init(lhsTiles() * rhsTiles() * 4,
              kernel.constantOf(kernel.f32Type(), 0));
  init.append({t.number(0), t.number(ahead * stage)});
  Values results =
      t.loop(firstBlock, endBlock, init, [&](Value number, ValueRange carried) {
        Value reads = carried[carried.size() - 2], writes = carried.back();
        t.waitCopies(ahead - 1);
        t.barrier();
        Value later = t.add(number, ahead);
        t.ifThen(t.less(later, endBlock), [&] { copyBlock(later, writes); });
        t.commitCopies();
        Values next = addBlock(t.at(shared, reads), carried.drop_back(2));
        for (Value offset : {reads, writes}) {
          Value moved = t.add(offset, stage);
          next.push_back(t.choose(t.equal(moved, all), t.number(0), moved));
        }
        return next;
      });
  results.pop_back_n(2);
  return results;
}

//===-- All of it ---------------------------------------------------------===//

void UnitProduct::putSums(ResultTile &results, ValueRange sums) {
  for (int64_t m = 0; m < lhsTiles(); ++m)
    for (int64_t n = 0; n < rhsTiles(); ++n)
      for (int64_t half = 0; half < 2; ++half) {
        Value row = t.add(t.add(warpRow, lhsReader.quad), m * 16 + half * 8);
        Value column =
            t.add(t.add(warpColumn, t.mul(lhsReader.inQuad, 2)), n * 8);
        size_t first = (m * rhsTiles() + n) * 4 + half * 2;
        results.put(shared, row, column, sums[first], sums[first + 1]);
      }
}

SmallVector<int64_t> UnitProduct::alignments() const {
  return llvm::map_to_vector(epilogue.tensors(),
                             [&](const codegen::IndexedTensor &tensor) {
                               return alignmentOf(request.group, tensor.buffer);
                             });
}

FailureOr<StageInfo> UnitProduct::emit() {
  TilePlace where = place();
  beginOperands(where);
  fillStages();
  Values sums = sumUp(where.thread);
  if (waits)
    t.launchDependents();
  // The stages become the sums.
  t.waitCopies(0);
  t.barrier();
  ResultTile results(kernel, t, product, epilogue, plan, alignments());
  putSums(results, sums);
  plan.share > 1 ? t.clusterBarrier() : t.barrier();
  if (failed(results.finish(shared, where)))
    return failure();
  // Nobody leaves whose sums others still read.
  if (plan.share > 1)
    t.clusterBarrier();
  StageInfo device;
  device.tiles = tilesAlong(problem.rows, plan.rows) *
                 tilesAlong(problem.columns, plan.columns) * problem.batches *
                 plan.share;
  device.inPlace = codegen::overwritesOf(request.group, epilogue);
  int64_t bytes = tile::sharedBytes(plan, lhs.bytes(), rhs.bytes());
  MLIRContext *context = t.builder().getContext();
  device.launch = kernel::DeviceAttr::get(
      context, {1, 1}, plan.threads(), bytes, plan.share,
      /*cooperative=*/false, /*programmatic=*/waits,
      ArrayAttr::get(context, {}));
  return device;
}
