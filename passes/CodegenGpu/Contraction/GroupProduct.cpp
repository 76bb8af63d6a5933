//===- GroupProduct.cpp - products by the units of warpgroups -------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "passes/CodegenGpu/Contraction/GroupProduct.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "passes/Codegen/Bodies/Overwrite.h"
#include "passes/Codegen/PlanAttribute.h"

using namespace mlir;
using namespace tenon;
using namespace tenon::gpu;

static SmallVector<int64_t> alignmentsOf(kernel::GroupOp group,
                                         const codegen::Epilogue &epilogue) {
  return llvm::map_to_vector(epilogue.tensors(),
                             [&](const codegen::IndexedTensor &tensor) {
                               return alignmentOf(group, tensor.buffer);
                             });
}

GroupProduct::GroupProduct(const StageRequest &request, Product of, Boxes with,
                           codegen::Epilogue behind)
    : request(request), function(blockOf(request)), kernel(request.b),
      product(std::move(of)), boxes(std::move(with)),
      epilogue(std::move(behind)),
      plan(codegen::fromAttribute<tile::GpuProductPlan>(request.plan)),
      box(tile::boxOf(boxes.problem.rows, plan.rows)),
      t(kernel.builder(), kernel.loc()),
      results(kernel, t, product, epilogue, plan,
              alignmentsOf(request.group, epilogue)),
      waits(targetOf(request.device).programmatic) {
  shared = t.shared(sharedArray(moduleOf(request)));
}

//===-- Which tile --------------------------------------------------------===//

/// The index along each dimension of rows, of a row of the tile.
void GroupProduct::describeRows(Value tile) {
  Values tiles = t.delinearize(tile, box.tiles);
  for (auto [at, size] : llvm::zip_equal(tiles, box.extents))
    corner.push_back(t.mul(at, size));
  auto indexOf = [this](Value i) {
    Values index = t.delinearize(i, box.extents);
    for (auto [at, first] : llvm::zip_equal(index, corner))
      at = t.add(at, first);
    return index;
  };
  place.rowIndex = [this, indexOf](Value i) {
    Values index = indexOf(t.min(i, box.rows() - 1));
    for (auto [at, extent] : llvm::zip_equal(index, boxes.problem.rows))
      at = t.min(at, extent - 1);
    return index;
  };
  place.rowExists = [this, indexOf](Value i) {
    Value exists = t.less(i, box.rows());
    for (auto [at, extent] : llvm::zip_equal(indexOf(i), boxes.problem.rows))
      exists = t.both(exists, t.less(at, extent));
    return exists;
  };
}

void GroupProduct::begin() {
  place.thread = t.thread(consumers() + tile::warpLanes);
  Value number = t.block();
  int64_t blocks = boxes.problem.blocks();
  firstBlock = t.number(0);
  endBlock = t.number(blocks);
  if (plan.share > 1) {
    place.rank = t.rem(number, plan.share);
    number = t.div(number, plan.share);
    firstBlock = t.div(t.mul(place.rank, blocks), plan.share);
    endBlock = t.div(t.mul(t.add(place.rank, 1), blocks), plan.share);
  }
  int64_t down = box.count();
  int64_t across = tile::ceilDiv(product.column.extent, plan.columns);
  if (!product.batch.empty()) {
    batch = t.div(number, down * across);
    place.batch = {batch};
    number = t.rem(number, down * across);
  }
  // Some row tiles with all of their columns follow each other.
  Value row = t.rem(number, down), column = t.div(number, down);
  if (down > plan.group && across > 1) {
    int64_t each = plan.group * across;
    Value first = t.mul(t.div(number, each), plan.group);
    Value count = t.min(t.sub(t.number(down), first), plan.group);
    Value inGroup = t.rem(number, each);
    row = t.add(first, t.rem(inGroup, count));
    column = t.div(inGroup, count);
  }
  place.column = t.mul(column, plan.columns);
  describeRows(row);
}

//===-- Stages ------------------------------------------------------------===//

Value GroupProduct::stageAt(Value stage) {
  return t.at(shared, t.mul(stage, stageBytes()));
}

Value GroupProduct::full(Value stage) {
  int64_t before = tile::boxedBytes(boxes.problem, plan) - plan.stages * 16;
  return t.at(shared, t.add(t.mul(stage, 8), before));
}

Value GroupProduct::empty(Value stage) {
  return t.at(full(stage), plan.stages * 8);
}

GroupProduct::Turn GroupProduct::next(Turn turn) {
  Value stage = t.add(turn.stage, 1);
  Value isOver = t.equal(stage, plan.stages);
  Value other = t.bitXor(turn.parity, t.number(1));
  return {t.choose(isOver, t.number(0), stage),
          t.choose(isOver, other, turn.parity)};
}

void GroupProduct::initBarriers() {
  t.ifThen(t.equal(place.thread, 0), [&] {
    for (int64_t i = 0; i < plan.stages; ++i) {
      t.initBarrier(full(t.number(i)), 1);
      t.initBarrier(empty(t.number(i)), consumers() / tile::warpLanes);
    }
    t.fenceBarriers();
  });
  t.barrier();
}

//===-- The warp that copies ----------------------------------------------===//

void GroupProduct::copyLhs(Value number, Value stage, Value barrier) {
  int64_t perRun = boxes.problem.blocks() / boxes.problem.runs;
  Value run = t.div(number, perRun);
  Values at = {t.mul(t.rem(number, perRun), boxes.problem.product.block())};
  auto taps = llvm::map_to_vector(boxes.rows,
                                  [](const BoxDim &dim) { return dim.taps; });
  Values tap = t.delinearize(run, taps);
  for (size_t i = boxes.rows.size(); i-- > 0;) {
    const BoxDim &dim = boxes.rows[i];
    Value first = t.add(t.mul(corner[i], dim.step), -dim.pad);
    at.push_back(t.add(first, t.mul(tap[i], dim.dilation)));
  }
  if (batch)
    at.push_back(batch);
  t.copyBox(stageAt(stage), function.maps[0], barrier, at);
}

void GroupProduct::copyRhs(Value number, Value stage, Value barrier) {
  int64_t perRun = boxes.problem.blocks() / boxes.problem.runs;
  Values at = {t.mul(t.rem(number, perRun), boxes.problem.product.block()),
               t.div(number, perRun), place.column};
  if (boxes.problem.isSplit())
    at.push_back(t.number(0));
  if (batch)
    at.push_back(batch);
  t.copyBox(t.at(stageAt(stage), lhsBytes()), function.maps[1], barrier, at);
}

void GroupProduct::produceBlock(Value number, Turn turn, bool lhs, bool rhs) {
  Value barrier = full(turn.stage);
  if (rhs) {
    t.expect(barrier, copiedBytes());
    copyRhs(number, turn.stage, barrier);
  }
  if (lhs)
    copyLhs(number, turn.stage, barrier);
}

/// All stages are free at first, and constants are there before the kernels
/// have ended that write the rest.
void GroupProduct::produce() {
  int64_t sure = boxes.problem.blocks() / plan.share;
  int64_t ahead = std::min(plan.stages, sure);
  bool isConstant = request.plan.getInt("packed");
  auto forAhead = [&](bool lhs, bool rhs) {
    for (int64_t i = 0; i < ahead; ++i)
      produceBlock(t.add(firstBlock, i), {t.number(i), t.number(0)}, lhs, rhs);
  };
  if (waits && isConstant)
    forAhead(false, true);
  if (waits)
    t.waitForGrids();
  forAhead(true, !(waits && isConstant));
  Turn turn = {t.number(ahead % plan.stages),
               t.number(ahead == plan.stages ? 1 : 0)};
  t.loop(t.add(firstBlock, ahead), endBlock, {turn.stage, turn.parity},
         [&](Value number, ValueRange carried) {
           Turn now = {carried[0], carried[1]};
           t.wait(empty(now.stage), t.bitXor(now.parity, t.number(1)));
           produceBlock(number, now, true, true);
           Turn then = next(now);
           return Values{then.stage, then.parity};
         });
}

//===-- The warps that multiply -------------------------------------------===//

Values GroupProduct::multiplyBlock(Value stage, ValueRange sums) {
  constexpr int64_t steps = 4, bytes = 32;
  Value group = t.uniform(t.div(place.thread, 128));
  Value start = t.sharedAddress(stageAt(stage));
  Value lhs = t.add(start, t.mul(group, 64 * 128));
  Value rhs = t.add(start, lhsBytes());
  Values own(sums);
  t.fenceProducts();
  for (int64_t step = 0; step < steps; ++step)
    own = t.multiplyGroup(boxes.problem.product.unit,
                          t.descriptorOf(t.add(lhs, step * bytes)),
                          t.descriptorOf(t.add(rhs, step * bytes)), own);
  t.commitProducts();
  return own;
}

/// The first of the two rows of the tile whose sums the lane has. With the rows
/// of split numbers in this order lanes read 16 bytes each without conflicts.
Value GroupProduct::tileRow() {
  Value quad = t.div(t.rem(place.thread, tile::warpLanes), 4);
  if (boxes.problem.isSplit())
    quad = t.add(t.mul(t.rem(quad, 2), 4), t.div(quad, 2));
  Value warp = t.div(place.thread, tile::warpLanes);
  return t.add(t.mul(warp, 16), quad);
}

SmallVector<Values> GroupProduct::piecesOf(Value stage, int64_t step) {
  OpBuilder &b = t.builder();
  Value row = tileRow();
  Value chunk = t.add(t.rem(place.thread, 4), step * 4);
  Value offset =
      t.add(t.mul(row, 128), t.mul(t.bitXor(chunk, t.bitAnd(row, 7)), 16));
  auto four = VectorType::get({4}, b.getF32Type());
  SmallVector<Values, 2> numbers(2);
  for (int64_t half = 0; half < 2; ++half) {
    Value loaded =
        t.load(t.at(t.at(stageAt(stage), offset), half * 8 * 128), four, 16);
    for (int64_t i = 0; i < 4; ++i)
      numbers[half].push_back(
          LLVM::ExtractElementOp::create(b, t.loc(), loaded, t.number(i)));
  }
  SmallVector<Values> pieces(3);
  for (int64_t first : {0, 2})
    for (int64_t half = 0; half < 2; ++half) {
      Value low = numbers[half][first], high = numbers[half][first + 1];
      for (int64_t piece = 0; piece < 3; ++piece) {
        Value word = t.toBrainFloats(low, high);
        pieces[piece].push_back(word);
        auto less = [&](Value number, Value bits) -> Value {
          Value part = t.bitcast(bits, b.getF32Type());
          return arith::SubFOp::create(b, t.loc(), number, part);
        };
        Value upper = arith::ShLIOp::create(b, t.loc(), word, t.number(16));
        low = less(low, upper);
        high = less(high, t.bitAnd(word, 0xffff0000));
      }
    }
  return pieces;
}

/// The six largest of nine products, small ones first, apart from all others:
/// units truncate what they add.
Values GroupProduct::multiplySplit(Value stage, ValueRange sums) {
  constexpr int64_t steps = 2, bytes = 32, rowBytes = 64;
  Value rhs = t.add(t.sharedAddress(stageAt(stage)), lhsBytes());
  SmallVector<SmallVector<Values>> pieces;
  for (int64_t step = 0; step < steps; ++step)
    pieces.push_back(piecesOf(stage, step));
  Values own(sums.size(), kernel.constantOf(kernel.f32Type(), 0));
  bool begins = true;
  t.fenceProducts();
  for (int64_t step = 0; step < steps; ++step)
    for (auto [u, v] :
         {std::pair(2, 0), {1, 1}, {0, 2}, {1, 0}, {0, 1}, {0, 0}}) {
      int64_t plane = v * plan.columns * rowBytes;
      Value columns =
          t.descriptorOf(t.add(rhs, plane + step * bytes), rowBytes);
      own = t.multiplyWords(pieces[step][u], columns, own, begins);
      begins = false;
    }
  t.commitProducts();
  t.waitProducts(0);
  own = t.pin(own);
  for (auto [sum, before] : llvm::zip_equal(own, sums))
    sum = arith::AddFOp::create(t.builder(), t.loc(), before, sum);
  return own;
}

void GroupProduct::putSums(ValueRange sums) {
  Value lane = t.rem(place.thread, tile::warpLanes);
  Value row = tileRow();
  Value column = t.mul(t.rem(lane, 4), 2);
  for (int64_t n = 0; n < plan.columns / 8; ++n)
    for (int64_t half = 0; half < 2; ++half)
      results.put(shared, t.add(row, half * 8), t.add(column, n * 8),
                  sums[n * 4 + half * 2], sums[n * 4 + half * 2 + 1]);
}

/// One block's products stay on their way while the next ones are asked for:
/// the stage before is free then.
void GroupProduct::consume() {
  Value isFirstLane = t.equal(t.rem(place.thread, tile::warpLanes), 0);
  Values init(plan.columns / 2, kernel.constantOf(kernel.f32Type(), 0));
  init.append({t.number(0), t.number(0), t.number(-1)});
  Values after =
      t.loop(firstBlock, endBlock, init, [&](Value, ValueRange carried) {
        size_t sums = carried.size() - 3;
        Turn turn = {carried[sums], carried[sums + 1]};
        Value before = carried[sums + 2];
        t.wait(full(turn.stage), turn.parity);
        Turn then = next(turn);
        if (boxes.problem.isSplit()) {
          Values result = multiplySplit(turn.stage, carried.take_front(sums));
          t.arrive(empty(turn.stage), isFirstLane);
          result.append({then.stage, then.parity, turn.stage});
          return result;
        }
        Values result = multiplyBlock(turn.stage, carried.take_front(sums));
        t.waitProducts(1);
        Value wasOne = t.less(t.number(-1), before);
        t.arrive(empty(before), t.both(isFirstLane, wasOne));
        result.append({then.stage, then.parity, turn.stage});
        return result;
      });
  after.pop_back_n(3);
  t.waitProducts(0);
  after = t.pin(after);
  if (waits)
    t.launchDependents();
  // Others may still read the stages that become the sums.
  t.barrierOf(1, consumers());
  putSums(after);
}

//===-- All of it ---------------------------------------------------------===//

FailureOr<StageInfo> GroupProduct::emit() {
  begin();
  initBarriers();
  Value group = t.uniform(t.div(place.thread, 128));
  Value isProducer = t.equal(group, plan.rows / 64);
  Value isConsumer = t.less(group, plan.rows / 64);
  t.ifThen(isProducer, [&] {
    t.ifThen(t.equal(place.thread, consumers()), [&] { produce(); });
  });
  t.ifThen(isConsumer, [&] { consume(); });
  plan.share > 1 ? t.clusterBarrier() : t.barrier();
  LogicalResult finished = success();
  t.ifThen(isConsumer, [&] {
    if (waits)
      t.waitForGrids();
    finished = results.finish(shared, place);
  });
  if (plan.share > 1)
    t.clusterBarrier();
  if (failed(finished))
    return failure();
  MLIRContext *context = t.builder().getContext();
  StageInfo device;
  device.tiles = box.count() *
                 tile::ceilDiv(product.column.extent, plan.columns) *
                 product.batches() * plan.share;
  device.inPlace = codegen::overwritesOf(request.group, epilogue);
  device.launch = kernel::DeviceAttr::get(
      context, {1, 1}, consumers() + tile::warpLanes,
      tile::boxedBytes(boxes.problem, plan), plan.share, /*cooperative=*/false,
      /*programmatic=*/waits, mapsOf(product, boxes, plan, context));
  return device;
}
