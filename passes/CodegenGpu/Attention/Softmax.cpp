//===- Softmax.cpp - from scores to weights to sums -----------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file holds what an attention's warp does with the keys of a step.
//===----------------------------------------------------------------------===//
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "passes/Codegen/Builder/ElementwiseOps.h"
#include "passes/CodegenGpu/Attention/AttentionKernel.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace tenon;
using namespace tenon::gpu;

//===-- Places ------------------------------------------------------------===//

template <typename Of> Values AttentionKernel::forScores(Of of) const {
  Values result;
  for (int64_t tile = 0; tile < tiles(); ++tile)
    for (int64_t half : {0, 1})
      for (int64_t number : {0, 1})
        result.push_back(of(tile, half, number));
  return result;
}

/// Of a lane's two in a tile.
Value AttentionKernel::keyOf(Value step, int64_t tile, int64_t number) {
  Value key = t.add(t.mul(step, plan.keysOfStep(problem)),
                    t.mul(warpKeys, problem.keysOfWarp()));
  Value inQuad = t.rem(lane, 4);
  Value inTile = problem.elementBytes == 4 ? t.add(inQuad, number * 4)
                                           : t.add(t.mul(inQuad, 2), number);
  return t.add(t.add(key, inTile), tile * 8);
}

//===-- What is read beside the scores ------------------------------------===//

Value AttentionKernel::loadTensor(const codegen::IndexedTensor &tensor,
                                  int64_t half, Value key) {
  Value offset = t.number(tensor.offset.fixed());
  Values index(batch);
  index.append({rows[half], t.min(key, problem.keys - 1)});
  for (auto [at, stride] : llvm::zip_equal(index, tensor.strides))
    if (!stride.is(0))
      offset = t.add(offset, t.mul(at, stride.fixed()));
  offset =
      arith::ExtSIOp::create(t.builder(), t.loc(), kernel.i64Type(), offset);
  Value from = kernel.at(kernel.buffer(tensor.buffer), offset, tensor.element);
  return kernel.load(from, kernel.vectorType(tensor.element, 1),
                     tensor.element);
}

/// Each element once. They are asked for before the scores are computed.
std::vector<Values> AttentionKernel::loadTensors(Value step) {
  std::vector<Values> all;
  for (const codegen::IndexedTensor &tensor :
       between.tensors().drop_front(between.numResults())) {
    ArrayRef<Size> strides = tensor.strides;
    bool byRow = !strides[strides.size() - 2].is(0);
    bool byKey = !strides.back().is(0);
    std::map<std::array<int64_t, 3>, Value> known;
    all.push_back(forScores([&](int64_t tile, int64_t half, int64_t number) {
      Value &own =
          known[{byRow ? half : 0, byKey ? tile : 0, byKey ? number : 0}];
      if (!own)
        own = loadTensor(tensor, half, keyOf(step, tile, number));
      return own;
    }));
  }
  return all;
}

//===-- Scores ------------------------------------------------------------===//

Values AttentionKernel::scores(Value stage) {
  Type f32 = kernel.f32Type();
  Values zeros(tiles() * 4, kernel.constantOf(f32, 0)), sums(zeros);
  int64_t stepsOfBlock = 4, perStep = 32 / problem.elementBytes;
  int64_t steps = tile::ceilDiv(problem.depth, perStep);
  for (int64_t block = 0; block < problem.depthBlocks(); ++block) {
    Value ofQueries = t.at(shared, block * queries.bytes());
    Value ofKeys = t.at(stage, block * keys.bytes());
    Values own = isSplit() ? zeros : sums;
    int64_t count = std::min(stepsOfBlock, steps - block * stepsOfBlock);
    for (int64_t step = 0; step < count; ++step) {
      Fragment row = fragmentOf(
          t, problem.unit,
          queries.read(queryReader, ofQueries, 0, step, /*isLhs=*/true));
      SmallVector<Fragment> column;
      for (int64_t n = 0; n < tiles(); n += 2)
        column.push_back(fragmentOf(
            t, problem.unit,
            keys.read(keyReader, ofKeys, n * 8, step, /*isLhs=*/false)));
      addProducts(t, problem.unit, row, column, own);
    }
    if (isSplit())
      for (auto [sum, before] : llvm::zip_equal(own, sums))
        sum = arith::AddFOp::create(t.builder(), t.loc(), before, sum);
    sums = own;
  }
  return sums;
}

/// Of what exists; what does not has no weight.
Values AttentionKernel::logits(Value step, ValueRange scores,
                               ArrayRef<Values> tensors) {
  constexpr double none = -std::numeric_limits<double>::infinity();
  bool mayExceed = problem.keys % plan.keysOfStep(problem) != 0;
  Value least = kernel.constantOf(kernel.f32Type(), none);
  unsigned results = between.numResults();
  size_t number = 0;
  return forScores([&](int64_t tile, int64_t, int64_t inTile) {
    Value score =
        codegen::narrowFloat(kernel, scores[number], between.sumType());
    FailureOr<Values> own =
        between.compute(kernel, score, 1, [&](unsigned tensor) {
          return tensors[tensor - results][number];
        });
    ++number;
    failed |= mlir::failed(own);
    Value result = mlir::failed(own) ? score : own->front();
    if (!mayExceed)
      return result;
    Value exists = t.less(keyOf(step, tile, inTile), problem.keys);
    return t.choose(exists, result, least);
  });
}

//===-- Weights -----------------------------------------------------------===//

/// In pairs: results come before each other's.
static Value joinAll(Values values, function_ref<Value(Value, Value)> join) {
  while (values.size() > 1) {
    Values next;
    for (size_t i = 0; i + 1 < values.size(); i += 2)
      next.push_back(join(values[i], values[i + 1]));
    if (values.size() % 2)
      next.push_back(values.back());
    values = std::move(next);
  }
  return values.front();
}

/// Two to the power of the difference.
Value AttentionKernel::powerOf(Value exponent, Value shift) {
  return t.exp2(arith::SubFOp::create(t.builder(), t.loc(), exponent, shift));
}

/// Over the four lanes with the same rows.
Value AttentionKernel::joinQuad(Value value,
                                function_ref<Value(Value, Value)> join) {
  for (int64_t distance : {1, 2})
    value = join(value, t.exchange(value, distance));
  return value;
}

/// What to subtract: where nothing was seen that counts, differences of
/// infinities must not become NaN.
Value AttentionKernel::ifEmpty(Value most) {
  constexpr double none = -std::numeric_limits<double>::infinity();
  Type f32 = kernel.f32Type();
  Value isEmpty =
      arith::CmpFOp::create(t.builder(), t.loc(), arith::CmpFPredicate::OEQ,
                            most, kernel.constantOf(f32, none));
  return t.choose(isEmpty, kernel.constantOf(f32, 0), most);
}

/// All exponents are those of two. A rounded maximum is the same error in all
/// weights of a row, which division by their sum takes out.
Values AttentionKernel::weights(ValueRange logits, State &state,
                                Value (&factors)[2]) {
  OpBuilder &b = t.builder();
  Location loc = t.loc();
  Value scale = kernel.constantOf(kernel.f32Type(), llvm::numbers::log2e);
  auto larger = [&](Value x, Value y) -> Value {
    return arith::MaxNumFOp::create(b, loc, x, y);
  };
  auto sum = [&](Value x, Value y) -> Value {
    return arith::AddFOp::create(b, loc, x, y);
  };
  Values result(logits);
  for (size_t half : {0, 1}) {
    auto own = [&] {
      Values values;
      for (size_t i = 0; i < result.size(); ++i)
        if (i / 2 % 2 == half)
          values.push_back(result[i]);
      return values;
    };
    Value most = joinQuad(joinAll(own(), larger), larger);
    most = larger(state.most[half], arith::MulFOp::create(b, loc, most, scale));
    Value shift = ifEmpty(most);
    Value down = arith::NegFOp::create(b, loc, shift);
    factors[half] = powerOf(state.most[half], shift);
    for (size_t i = 0; i < result.size(); ++i)
      if (i / 2 % 2 == half)
        result[i] = t.exp2(kernel.fma(result[i], scale, down));
    state.most[half] = most;
    state.totals[half] =
        kernel.fma(state.totals[half], factors[half], joinAll(own(), sum));
  }
  return result;
}

/// As the left operand of the next product: a lane has just what it needs.
SmallVector<Fragment> AttentionKernel::fragmentsOf(ValueRange weights) {
  SmallVector<Fragment> fragments;
  Type i32 = t.builder().getI32Type();
  if (problem.elementBytes == 4) {
    for (int64_t tile = 0; tile < tiles(); ++tile) {
      ValueRange own = weights.slice(tile * 4, 4);
      Values words;
      for (Value weight : {own[0], own[2], own[1], own[3]})
        words.push_back(t.bitcast(weight, i32));
      fragments.push_back(fragmentOf(t, problem.unit, words));
    }
    return fragments;
  }
  for (int64_t tile = 0; tile < tiles(); tile += 2) {
    Values words;
    for (int64_t i = 0; i < 8; i += 2)
      words.push_back(t.toHalves(problem.unit, weights[tile * 4 + i],
                                 weights[tile * 4 + i + 1]));
    fragments.push_back({words});
  }
  return fragments;
}

//===-- Sums --------------------------------------------------------------===//

void AttentionKernel::addValues(Value stage, ArrayRef<Fragment> weights,
                                State &state, Value (&factors)[2]) {
  OpBuilder &b = t.builder();
  Value own = t.at(t.at(stage, problem.depthBlocks() * keys.bytes()),
                   t.mul(warpKeys, values.bytes()));
  bool isFirst = plan.steps(problem) == 1;
  auto factorOf = [&](size_t i) { return factors[i / 2 % 2]; };
  // Two pairs of tiles at a time, so that products do not wait for each other.
  constexpr int64_t together = 32;
  for (int64_t first = 0; first < columns; first += together) {
    int64_t count = std::min(together, columns - first);
    auto before =
        MutableArrayRef(state.sums).slice(first / 2, size_t(count / 2));
    Values sums(before);
    if (isSplit())
      sums.assign(before.size(), kernel.constantOf(kernel.f32Type(), 0));
    else if (!isFirst)
      for (auto [i, sum] : llvm::enumerate(sums))
        sum = arith::MulFOp::create(b, t.loc(), sum, factorOf(i));
    for (auto [step, weight] : llvm::enumerate(weights)) {
      SmallVector<Fragment> column;
      for (int64_t n = first; n < first + count; n += 16)
        column.push_back(fragmentOf(
            t, problem.unit,
            values.read(valueReader, own, n, int64_t(step), /*isLhs=*/false)));
      addProducts(t, problem.unit, weight, column, sums);
    }
    for (auto [i, sum] : llvm::enumerate(sums))
      before[i] =
          isSplit() && !isFirst ? kernel.fma(before[i], factorOf(i), sum) : sum;
  }
}
