//===- Results.cpp - from the sums of warps to memory ---------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file holds what follows the steps of attention: sums of warps with the
// same rows wait in shared memory, and are joined where whole lines are stored.
//===----------------------------------------------------------------------===//
#include "dialects/Kernel/Buffers.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "passes/Codegen/Builder/ElementwiseOps.h"
#include "passes/CodegenGpu/Attention/AttentionKernel.h"

using namespace mlir;
using namespace tenon;
using namespace tenon::gpu;

/// Two neighbours of f32.
static Value pairOf(ThreadBuilder &t, Value first, Value second) {
  OpBuilder &b = t.builder();
  auto type = VectorType::get({2}, b.getF32Type());
  Value pair = LLVM::PoisonOp::create(b, t.loc(), type);
  pair = LLVM::InsertElementOp::create(b, t.loc(), pair, first, t.number(0));
  return LLVM::InsertElementOp::create(b, t.loc(), pair, second, t.number(1));
}

/// For each of the warps with the same keys: rows of sums; then each row's
/// maximum and sum of weights.
void AttentionKernel::putResults(State &state) {
  OpBuilder &b = t.builder();
  auto sum = [&](Value x, Value y) -> Value {
    return arith::AddFOp::create(b, t.loc(), x, y);
  };
  Value row =
      t.add(t.add(t.mul(warpKeys, plan.rows()), warpRow), t.div(lane, 4));
  Value ofRows = t.at(shared, plan.warpKeys * plan.rows() * pitch() * 4);
  for (int64_t half : {0, 1}) {
    Value own = t.add(row, half * 8);
    Value total = joinQuad(state.totals[half], sum);
    // All four lanes store the same.
    t.store(pairOf(t, state.most[half], total), t.at(ofRows, t.mul(own, 8)), 8);
    for (int64_t tile = 0; tile < columns / 8; ++tile) {
      Value column = t.add(t.mul(t.rem(lane, 4), 2), tile * 8);
      Value offset = t.mul(t.add(t.mul(own, pitch()), column), 4);
      size_t first = size_t(tile * 4 + half * 2);
      t.store(pairOf(t, state.sums[first], state.sums[first + 1]),
              t.at(shared, offset), 8);
    }
  }
}

/// Neighbours of a row that a thread stores at once.
int64_t AttentionKernel::resultLanes() const {
  memory::BufferType type = request.results[0];
  codegen::Sizes strides = kernel::stridesOf(type);
  if (!strides.back().is(1))
    return 1;
  int64_t bytes = int64_t(graph::elementBytes(type.getElementType()));
  auto fits = [&](int64_t lanes) {
    unsigned number = unsigned(request.operands.size());
    return alignmentOf(request.group, number) % (lanes * bytes) == 0 &&
           kernel::offsetOf(type).fixed() % lanes == 0 &&
           llvm::all_of(ArrayRef(strides).drop_back(), [&](const Size &stride) {
             return stride.fixed() % lanes == 0;
           });
  };
  return fits(4) ? 4 : fits(2) ? 2 : 1;
}

/// Neighbours of a row of the block from all of its warps, over the sum of the
/// weights.
Value AttentionKernel::joined(Value inTile, Value column, int64_t lanes) {
  OpBuilder &b = t.builder();
  Type f32 = kernel.f32Type(), vector = kernel.vectorType(f32, lanes);
  Value ofRows = t.at(shared, plan.warpKeys * plan.rows() * pitch() * 4);
  Values most, totals, sums;
  for (int64_t i = 0; i < plan.warpKeys; ++i) {
    Value row = t.add(inTile, i * plan.rows());
    Value own =
        t.load(t.at(ofRows, t.mul(row, 8)), VectorType::get({2}, f32), 8);
    most.push_back(kernel.lane(own, 0));
    totals.push_back(kernel.lane(own, 1));
    Value offset = t.mul(t.add(t.mul(row, pitch()), column), 4);
    sums.push_back(t.load(t.at(shared, offset), vector, lanes * 4));
  }
  if (plan.warpKeys > 1) {
    Value largest = most.front();
    for (Value each : ArrayRef(most).drop_front())
      largest = arith::MaxNumFOp::create(b, t.loc(), largest, each);
    Value shift = ifEmpty(largest);
    for (auto [each, total, sum] : llvm::zip_equal(most, totals, sums)) {
      Value factor = powerOf(each, shift);
      total = arith::MulFOp::create(b, t.loc(), total, factor);
      sum =
          arith::MulFOp::create(b, t.loc(), sum, kernel.splat(factor, vector));
    }
  }
  for (size_t i = 1; i < sums.size(); ++i) {
    totals[0] = arith::AddFOp::create(b, t.loc(), totals[0], totals[i]);
    sums[0] = arith::AddFOp::create(b, t.loc(), sums[0], sums[i]);
  }
  Value factor = kernel.splat(t.reciprocal(totals[0]), vector);
  Value result = arith::MulFOp::create(b, t.loc(), sums[0], factor);
  if (!attention.ops.clearsNaN)
    return result;
  Value counts = arith::CmpFOp::create(b, t.loc(), arith::CmpFPredicate::OGT,
                                       totals[0], kernel.constantOf(f32, 0));
  return t.choose(counts, result, kernel.constantOf(vector, 0));
}

void AttentionKernel::storeResult(Value row, Value column, Value result,
                                  int64_t lanes) {
  memory::BufferType type = request.results[0];
  Type element = type.getElementType();
  Values index(batch);
  index.append({row, column});
  Value offset = t.number(kernel::offsetOf(type).fixed());
  for (auto [at, stride] : llvm::zip_equal(index, kernel::stridesOf(type)))
    offset = t.add(offset, t.mul(at, stride.fixed()));
  offset =
      arith::ExtSIOp::create(t.builder(), t.loc(), kernel.i64Type(), offset);
  Value to = kernel.at(kernel.buffer(unsigned(request.operands.size())), offset,
                       element);
  kernel.store(codegen::narrowFloat(kernel, result, element), to, element);
  OpBuilder &b = kernel.builder();
  auto store = cast<LLVM::StoreOp>(*std::prev(b.getInsertionPoint()));
  store.setAlignment(uint64_t(lanes * graph::elementBytes(element)));
}

void AttentionKernel::finishPieces() {
  int64_t lanes = resultLanes(), across = problem.width / lanes;
  int64_t pieces = plan.rows() * across;
  for (int64_t first = 0; first < pieces; first += plan.threads()) {
    Value number = t.add(thread, first), exists;
    if (first + plan.threads() > pieces) {
      exists = t.less(number, pieces);
      number = t.min(number, pieces - 1);
    }
    Value inTile = t.div(number, across);
    Value column = t.mul(t.rem(number, across), lanes);
    Value row = t.add(firstRow, inTile);
    if (problem.rows % plan.rows() != 0)
      exists = t.both(exists, t.less(row, problem.rows));
    Value result = joined(inTile, column, lanes);
    t.ifThen(exists, [&] { storeResult(row, column, result, lanes); });
  }
}
