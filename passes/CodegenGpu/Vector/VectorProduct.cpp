//===- VectorProduct.cpp - products of a few rows by lanes ----------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "passes/CodegenGpu/Vector/VectorProduct.h"

#include "dialects/Graph/Graph.h"
#include "lib/Tile/Rows.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "passes/Codegen/Bodies/Overwrite.h"
#include "passes/Codegen/Builder/ElementwiseOps.h"

using namespace mlir;
using namespace tenon;
using namespace tenon::gpu;
using tile::warpLanes;

VectorProduct::VectorProduct(const StageRequest &request,
                             const Product &product,
                             const VectorProblem &problem,
                             codegen::Epilogue &epilogue,
                             const VectorPlan &plan)
    : request(request), kernel(request.b), t(kernel.builder(), kernel.loc()),
      product(product), problem(problem), epilogue(epilogue), plan(plan),
      waits(targetOf(request.device).programmatic) {}

//===-- Places ------------------------------------------------------------===//

template <typename Dims> static SmallVector<int64_t> extentsOf(Dims &dims) {
  return llvm::map_to_vector(dims, [](const auto &dim) { return dim.extent; });
}

void VectorProduct::enter() {
  Value thread = t.thread(plan.threads());
  Value lane = t.rem(thread, warpLanes), warp = t.div(thread, warpLanes);
  group = t.div(warp, plan.share);
  part = t.rem(warp, plan.share);
  inTeam = t.rem(lane, plan.team);
  member = t.add(t.mul(part, plan.team), inTeam);
  int64_t across = tile::ceilDiv(problem.columns, plan.columnsOfBlock());
  Value number = t.block();
  batch = t.delinearize(t.div(number, across), extentsOf(product.batch));
  if (problem.batches > 1)
    number = t.rem(number, across);
  number = t.add(t.mul(number, plan.groups), group);
  number = t.add(t.mul(number, warpLanes / plan.team), t.div(lane, plan.team));
  column = t.mul(number, plan.columns);
}

/// Whether some team has columns behind the last one.
bool VectorProduct::exceeds() const {
  return problem.columns % plan.columnsOfBlock() != 0;
}

/// That column, or the last one.
Value VectorProduct::columnOf(Value number, Value &exists) {
  if (!exceeds())
    return number;
  exists = t.both(exists, t.less(number, problem.columns));
  return t.min(number, problem.columns - 1);
}

/// Where each row of the left operand and each column of the right one begins.
void VectorProduct::findOperands(ValueRange index) {
  Value lhs = t.number(product.lhs.offset), rhs = t.number(product.rhs.offset);
  for (auto [i, at] : llvm::enumerate(index)) {
    lhs = t.add(lhs, t.mul(at, product.lhs.batchStrides[i]));
    rhs = t.add(rhs, t.mul(at, product.rhs.batchStrides[i]));
  }
  for (int64_t row = 0; row < problem.rows; ++row) {
    Value start = lhs;
    Values place = t.delinearize(t.number(row), extentsOf(product.lhs.rows));
    for (auto [at, dim] : llvm::zip_equal(place, product.lhs.rows))
      start = t.add(start, t.mul(at, dim.stride));
    rowStarts.push_back(start);
  }
  for (int64_t i = 0; i < plan.columns; ++i) {
    Value exists;
    Value own = columnOf(t.add(column, i), exists);
    columnStarts.push_back(
        t.add(rhs, t.mul(own, product.rhs.rows.front().stride)));
  }
}

//===-- Products ----------------------------------------------------------===//

/// The stride of k: of the one dimension that has several elements.
static int64_t strideOf(const OperandLayout &layout) {
  for (const OperandDim &dim : layout.k)
    if (dim.extent > 1)
      return dim.stride;
  return 1;
}

/// Vector `step` of those of this lane, as f32.
Value VectorProduct::loadVector(const OperandLayout &layout, Value start,
                                Value step) {
  Value k = t.mul(t.add(t.mul(step, plan.members()), member), problem.vector);
  Value exists;
  int64_t whole = plan.members() * problem.vector * loadsAtOnce(problem, plan);
  if (problem.k % whole != 0) {
    exists = t.less(k, problem.k);
    k = t.choose(exists, k, t.number(0));
  }
  Type element = layout.type.getTensor().getElementType();
  Value from =
      t.element(kernel.buffer(layout.buffer),
                t.add(start, t.mul(k, strideOf(layout))), problem.elementBytes);
  Type type = kernel.vectorType(element, problem.vector);
  Value loaded = t.load(from, type, problem.vector * problem.elementBytes);
  // Constants are read before earlier kernels are waited for.
  if (layout.buffer == product.rhs.buffer && isConstant())
    loaded.getDefiningOp<LLVM::LoadOp>().setInvariant(true);
  if (exists)
    loaded = t.choose(exists, loaded, kernel.constantOf(type, 0));
  return loaded;
}

/// Vectors of each column, from that step on.
Values VectorProduct::loadWeights(Value step) {
  Values weights;
  for (int64_t i = 0; i < loadsAtOnce(problem, plan); ++i)
    for (Value start : columnStarts)
      weights.push_back(loadVector(product.rhs, start, t.add(step, i)));
  return weights;
}

void VectorProduct::multiply(Value step, ValueRange weights, Values &sums) {
  for (int64_t i = 0; i < loadsAtOnce(problem, plan); ++i)
    for (auto [row, start] : llvm::enumerate(rowStarts)) {
      Value x = loadVector(product.lhs, start, t.add(step, i));
      x = codegen::widenFloat(kernel, x);
      for (int64_t c = 0; c < plan.columns; ++c) {
        Value weight =
            codegen::widenFloat(kernel, weights[size_t(i * plan.columns + c)]);
        Value &sum = sums[row * size_t(plan.columns) + size_t(c)];
        sum = kernel.fma(x, weight, sum);
      }
    }
}

/// The next vectors are on their way while some are multiplied.
void VectorProduct::multiplyAll(Values &sums) {
  int64_t atOnce = loadsAtOnce(problem, plan);
  int64_t turns = tile::ceilDiv(problem.loads(plan), atOnce);
  Values weights = loadWeights(t.number(0));
  if (waits && isConstant())
    t.waitForGrids();
  for (int64_t number = 0; number < results(); number += plan.team)
    pieces.push_back(pieceOf(t.add(inTeam, number)));
  if (turns > 1) {
    Values carried(sums);
    carried.append(weights);
    carried = t.loop(
        t.number(0), t.number(turns - 1), carried,
        [&](Value turn, ValueRange given) {
          Values next(given.take_front(sums.size()));
          Values later = loadWeights(t.mul(t.add(turn, 1), atOnce));
          multiply(t.mul(turn, atOnce), given.drop_front(sums.size()), next);
          next.append(later);
          return next;
        });
    weights.assign(carried.begin() + sums.size(), carried.end());
    carried.resize(sums.size());
    sums = carried;
  }
  multiply(t.number((turns - 1) * atOnce), weights, sums);
}

//===-- Sums --------------------------------------------------------------===//

/// Lanes of vectors, then lanes of the team.
Values VectorProduct::addLanes(ValueRange sums) {
  OpBuilder &b = t.builder();
  Values totals;
  for (Value sum : sums) {
    Values parts;
    for (int64_t i = 0; i < problem.vector; ++i)
      parts.push_back(kernel.lane(sum, i));
    for (; parts.size() > 1; parts.resize(parts.size() / 2))
      for (size_t i = 0, half = parts.size() / 2; i < half; ++i)
        parts[i] = arith::AddFOp::create(b, t.loc(), parts[i], parts[half + i]);
    totals.push_back(parts.front());
  }
  for (int64_t distance = 1; distance < plan.team; distance *= 2)
    for (Value &total : totals)
      total =
          arith::AddFOp::create(b, t.loc(), total, t.exchange(total, distance));
  return totals;
}

/// Result `number` of the team, of all warps that share k: in their order.
Value VectorProduct::shareOf(Value own, Value number) {
  if (plan.share == 1)
    return own;
  Value shared = t.shared(sharedArray(moduleOf(request)));
  auto placeOf = [&](Value warp) {
    Value first = t.mul(t.add(t.mul(group, plan.share), warp), results());
    return t.at(shared, t.mul(t.add(first, number), 4));
  };
  t.ifThen(t.less(inTeam, results()), [&] { t.store(own, placeOf(part), 4); });
  t.barrier();
  Value total;
  for (int64_t warp = 0; warp < plan.share; ++warp) {
    Value one = t.load(placeOf(t.number(warp)), kernel.f32Type(), 4);
    total =
        total ? arith::AddFOp::create(t.builder(), t.loc(), total, one) : one;
  }
  return total;
}

//===-- Results -----------------------------------------------------------===//

VectorProduct::Piece VectorProduct::pieceOf(Value number) {
  Piece piece;
  if (results() % plan.team != 0) {
    piece.exists = t.less(number, results());
    number = t.min(number, results() - 1);
  }
  piece.number = number;
  Value at = columnOf(t.add(column, t.rem(number, plan.columns)), piece.exists);
  Values rows =
      t.delinearize(t.div(number, plan.columns), extentsOf(product.rows));
  for (auto [i, tensor] : llvm::enumerate(epilogue.tensors())) {
    Value offset = t.number(tensor.offset.fixed());
    for (auto [index, dim] : llvm::zip_equal(batch, product.batch))
      offset = t.add(offset, t.mul(index, dim.strides[i]));
    for (auto [index, dim] : llvm::zip_equal(rows, product.rows))
      offset = t.add(offset, t.mul(index, dim.strides[i]));
    offset = t.add(offset, t.mul(at, product.column.strides[i]));
    offset =
        arith::ExtSIOp::create(t.builder(), t.loc(), kernel.i64Type(), offset);
    piece.offsets.push_back(offset);
    Value from =
        kernel.at(kernel.buffer(tensor.buffer), offset, tensor.element);
    piece.loaded.push_back(
        i < epilogue.numResults()
            ? Value()
            : kernel.load(from, kernel.registerType(tensor.element),
                          tensor.element));
  }
  if (plan.share > 1)
    piece.exists = t.both(piece.exists, t.equal(part, 0));
  return piece;
}

LogicalResult VectorProduct::finish(ValueRange sums) {
  for (const Piece &piece : pieces) {
    Value own = sums.front();
    for (size_t i = 1; i < sums.size(); ++i)
      own = t.choose(t.equal(piece.number, int64_t(i)), sums[i], own);
    own = shareOf(own, piece.number);
    FailureOr<codegen::Values> values = epilogue.compute(
        kernel, codegen::narrowFloat(kernel, own, epilogue.sumType()), 1,
        [&](unsigned i) { return piece.loaded[i]; });
    if (failed(values))
      return failure();
    t.ifThen(piece.exists, [&] {
      for (auto [i, value] : llvm::enumerate(*values)) {
        const codegen::IndexedTensor &tensor = epilogue.tensors()[i];
        kernel.store(value,
                     kernel.at(kernel.buffer(tensor.buffer), piece.offsets[i],
                               tensor.element),
                     tensor.element);
      }
    });
  }
  return success();
}

FailureOr<StageInfo> VectorProduct::emit() {
  enter();
  findOperands(batch);
  if (waits && !isConstant())
    t.waitForGrids();
  Type type = kernel.vectorType(kernel.f32Type(), problem.vector);
  Values sums(size_t(results()), kernel.constantOf(type, 0));
  multiplyAll(sums);
  if (waits)
    t.launchDependents();
  if (failed(finish(addLanes(sums))))
    return failure();
  int64_t shared = plan.share > 1 ? plan.warps() * results() * 4 : 0;
  MLIRContext *context = t.builder().getContext();
  StageInfo device;
  device.tiles = problem.blocks(plan);
  device.inPlace = codegen::overwritesOf(request.group, epilogue);
  device.launch = kernel::DeviceAttr::get(
      context, {1, 1}, plan.threads(), shared, /*cluster=*/1,
      /*cooperative=*/false, /*programmatic=*/waits,
      ArrayAttr::get(context, {}));
  return device;
}
