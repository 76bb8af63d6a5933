//===- RecurrentSteps.cpp - a time step of a recurrent layer --------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "passes/CodegenGpu/Recurrent/RecurrentKernel.h"

#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace tenon;
using namespace tenon::gpu;

static constexpr int64_t floatBytes = 4;

/// A reverse direction runs through its steps from the end; behind them all
/// directions are at the step itself.
RecurrentKernel::Moment RecurrentKernel::momentOf(Value step) {
  Moment moment{step, Value()};
  if (op.getLengths())
    moment.active = t.less(step, length);
  if (op.getDirection() == graph::Direction::Forward)
    return moment;
  bool isEither = op.getDirection() == graph::Direction::Bidirectional;
  Value back =
      t.both(isEither ? t.equal(direction, 1) : Value(), moment.active);
  Value backward = t.sub(t.sub(length, step), t.number(1));
  moment.time = select(back, backward, step);
  return moment;
}

Values RecurrentKernel::inputs(const Moment &moment) {
  Values result;
  for (int64_t gate = 0; gate < problem.gates; ++gate) {
    Value column = t.add(unit, gate * problem.hidden);
    result.push_back(
        load(op.getGates(), {moment.time, direction, sequence, column}));
  }
  return result;
}

RecurrentKernel::State RecurrentKernel::advance(Value step,
                                                const State &state) {
  Moment moment = momentOf(step);
  // On their way while others publish their states.
  Values given = inputs(moment);
  Value exchange = t.mul(step, problem.phases);
  t.ifThen(t.less(t.number(0), step), [&] { receive(exchange); });
  State after = next(given, exchange, state);
  storeResult(0, {moment.time, direction, sequence, unit},
              select(moment.active, after.h, zero()));
  State result{select(moment.active, after.h, state.h), Value()};
  if (after.c)
    result.c = select(moment.active, after.c, state.c);
  Value index = t.add(t.mul(lane, problem.hidden), unit);
  t.ifThen(isUnit, [&] {
    states->publish(result.h, t.add(exchange, problem.phases), index);
  });
  return result;
}

/// Puts the states of an exchange into its half of the shared memory. The other
/// half is still read by some.
void RecurrentKernel::receive(Value exchange) {
  Value half = t.mul(t.bitAnd(exchange, 1), plan.rows * problem.padded());
  states->receive(
      exchange, thread, plan.threads(), [&](Value index, Value number) {
        Values at = t.delinearize(index, {plan.rows, problem.hidden});
        Value place = t.add(t.mul(at[0], problem.padded()), at[1]);
        t.store(number, t.element(shared, t.add(half, place), floatBytes),
                floatBytes);
      });
}

//===-- Products ----------------------------------------------------------===//

Values RecurrentKernel::products(Value exchange, ArrayRef<int64_t> gates) {
  t.barrier();
  int64_t width = problem.width(), rows = plan.rows;
  Value first = t.add(t.mul(lane, width),
                      t.mul(t.bitAnd(exchange, 1), rows * problem.padded()));
  Value own = t.element(shared, first, floatBytes);
  SmallVector<Values> sums(gates.size(), Values(size_t(rows), zero()));
  int64_t pieces = problem.padded() / (width * tile::warpLanes);
  for (int64_t piece = 0; piece < pieces; ++piece)
    for (int64_t row = 0; row < rows; ++row) {
      int64_t place = row * problem.padded() + piece * width * tile::warpLanes;
      Values state = loadFloats(t.at(own, place * floatBytes), width);
      for (auto [gate, sum] : llvm::zip(gates, sums))
        for (int64_t i = 0; i < width; ++i)
          sum[row] =
              codegen::fma(num(state[i]), num(weights[gate][piece * width + i]),
                           num(sum[row]))
                  .get();
    }
  Values result;
  for (Values &sum : sums)
    result.push_back(sumUp(std::move(sum)));
  return result;
}

/// Sums over all lanes; lane `i` has that of row `i`. Of two halves of the rows
/// each lane keeps one and gives away the other.
Value RecurrentKernel::sumUp(Values rows) {
  auto all = int64_t(llvm::PowerOf2Ceil(rows.size()));
  rows.resize(size_t(all), zero());
  for (int64_t distance = all / 2; distance >= 1; distance /= 2) {
    Value isLower = t.equal(t.bitAnd(lane, distance), 0);
    for (int64_t i = 0; i < distance; ++i) {
      Value kept = t.choose(isLower, rows[i], rows[i + distance]);
      Value given = t.choose(isLower, rows[i + distance], rows[i]);
      rows[i] = (num(kept) + num(t.exchange(given, distance))).get();
    }
  }
  for (int64_t distance = tile::warpLanes / 2; distance >= all; distance /= 2)
    rows[0] = (num(rows[0]) + num(t.exchange(rows[0], distance))).get();
  return rows[0];
}

//===-- Cells -------------------------------------------------------------===//

RecurrentKernel::State RecurrentKernel::next(ArrayRef<Value> inputs,
                                             Value exchange,
                                             const State &state) {
  if (cell.kind == graph::Cell::Gru)
    return {gru(inputs, exchange, num(state.h)).get(), Value()};
  auto gates = llvm::to_vector(llvm::seq<int64_t>(0, problem.gates));
  Values sums = products(exchange, gates);
  for (auto [gate, sum] : llvm::enumerate(sums)) {
    Num total = num(sum) + num(inputs[gate]);
    sum = (bias.empty() ? total : total + num(bias[gate])).get();
  }
  if (cell.kind == graph::Cell::Lstm)
    return lstm(sums, state.c);
  return {cell.rnn(num(sums[0])).get(), Value()};
}

RecurrentKernel::State RecurrentKernel::lstm(ArrayRef<Value> sums, Value c) {
  auto numbers = [&](ArrayRef<Value> values) {
    SmallVector<Num> result;
    for (Value value : values)
      result.push_back(num(value));
    return result;
  };
  auto [h, next] = cell.lstm(numbers(sums), num(c), numbers(peepholes));
  return {h.get(), next.get()};
}

/// The reset gate acts after the product of the candidate's gate, or before:
/// then all blocks need the states that it leaves.
RecurrentKernel::Num RecurrentKernel::gru(ArrayRef<Value> inputs,
                                          Value exchange, Num h) {
  bool isBefore = problem.phases == 2;
  auto withBias = [&](Value sum, size_t gate) {
    return bias.empty() ? num(sum) : num(sum) + num(bias[gate]);
  };
  constexpr int64_t gates[] = {0, 1, 2};
  Values sums =
      products(exchange, ArrayRef(gates).take_front(isBefore ? 2 : 3));
  Num update = withBias(sums[0], 0) + num(inputs[0]);
  Num reset = cell.gate(withBias(sums[1], 1) + num(inputs[1]));
  if (!isBefore)
    return cell.gru(update, reset * withBias(sums[2], 2) + num(inputs[2]), h);
  Value left = (reset * h).get();
  Value second = t.add(exchange, 1);
  Value index = t.add(t.mul(lane, problem.hidden), unit);
  t.ifThen(isUnit, [&] { states->publish(left, second, index); });
  receive(second);
  Values candidate = products(second, gates[2]);
  return cell.gru(update, withBias(candidate[0], 2) + num(inputs[2]), h);
}
