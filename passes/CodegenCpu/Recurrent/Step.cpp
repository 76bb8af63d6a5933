//===- Step.cpp - register tiles of a recurrence --------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "passes/CodegenCpu/Recurrent/Step.h"

#include "passes/Codegen/Bodies/Move.h"
#include "passes/Codegen/Builder/ElementwiseOps.h"
#include "passes/CodegenCpu/Contraction/MicroKernel.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;
using namespace tenon;
using namespace tenon::codegen;

/// Sections of the state after the two of h.
static constexpr int64_t cellSection = 2, updateSection = 2, resetSection = 3;

//===-- Operands ----------------------------------------------------------===//

memory::BufferType RecurrentStep::typeOf(Value operand) const {
  return request.operands[cast<BlockArgument>(operand).getArgNumber()];
}

Value RecurrentStep::address(Value operand, ValueRange index) {
  memory::BufferType type = typeOf(operand);
  Value buffer = b.buffer(cast<BlockArgument>(operand).getArgNumber());
  Value offset =
      b.add(dot(b, index, kernel::stridesOf(type)), kernel::offsetOf(type));
  return b.at(buffer, offset, type.getElementType());
}

/// Null when nobody uses the result.
Value RecurrentStep::resultAddress(unsigned result, ValueRange index) {
  Operation *yield = op->getBlock()->getTerminator();
  auto operands = yield->getOperands();
  auto used = llvm::find(operands, op->getResult(result));
  if (used == operands.end())
    return Value();
  size_t i = std::distance(operands.begin(), used);
  memory::BufferType type = request.results[i];
  Value offset =
      b.add(dot(b, index, kernel::stridesOf(type)), kernel::offsetOf(type));
  return b.at(b.buffer(request.operands.size() + i), offset,
              type.getElementType());
}

LogicalResult RecurrentStep::read() {
  auto all = readActivations(op);
  if (failed(all))
    return failure();
  activations = *all;
  cell.kind = op.getCell();
  if (op.getClip())
    cell.clip = op.getClip()->convertToDouble();
  cell.inputForget = op.getInputForget();
  for (Value operand : op->getOperands())
    if (typeOf(operand).getStrides().size() > 1 &&
        !kernel::stridesOf(typeOf(operand)).back().is(1))
      return op.emitError() << "'graph.recurrence' needs contiguous rows";
  return success();
}

//===-- Directions and sequences ------------------------------------------===//

bool RecurrentStep::isUniform() const {
  ArrayRef<Activation> all = activations;
  size_t each = all.size() / shape.directions;
  return all.drop_back(each) == all.drop_front(each);
}

void RecurrentStep::useDirection(int64_t direction) {
  size_t each = activations.size() / shape.directions;
  ArrayRef<Activation> own =
      ArrayRef(activations).slice(direction * each, each);
  cell.activations.assign(own.begin(), own.end());
}

Value RecurrentStep::isReverse(const RecurrentTile &tile) {
  if (op.getDirection() == graph::Direction::Bidirectional)
    return b.equal(tile.direction, b.index(1));
  bool reverse = op.getDirection() == graph::Direction::Reverse;
  return b.equal(b.index(reverse), b.index(1));
}

/// A reverse direction runs through its `length` steps from the end; behind
/// them all directions are at the step itself.
RecurrentStep::Sequence RecurrentStep::sequenceAt(const RecurrentTile &tile,
                                                  int64_t i, Value step) {
  Sequence sequence;
  sequence.number = b.add(tile.row, i);
  if (tile.mayEnd)
    sequence.number = b.min(sequence.number, b.index(shape.batch - 1));
  sequence.length = b.index(shape.steps);
  Value back = isReverse(tile);
  if (op.getLengths()) {
    Type i32 = b.builder().getI32Type();
    Value length =
        b.load(address(op.getLengths(), {sequence.number}), i32, i32);
    length = arith::ExtSIOp::create(b.builder(), b.loc(), b.i64Type(), length);
    sequence.length = b.min(b.max(length, b.index(0)), sequence.length);
    sequence.active = b.less(b.sub(step, b.index(1)), sequence.length);
    back = andOf(b, back, sequence.active);
  }
  Value forward = b.sub(step, b.index(1));
  Value backward = b.sub(sequence.length, step);
  sequence.time = b.choose(back, backward, forward);
  return sequence;
}

//===-- Rows of units -----------------------------------------------------===//

Value RecurrentStep::statePart(Value section, Value unit,
                               const RecurrentTile &tile, int64_t i) {
  int64_t pitch = plan.panels(shape.problem()) * plan.panel();
  Size rows = shape.stateRows(plan);
  Value row = b.add(b.mul(tile.direction, rows), b.add(tile.row, i));
  row = b.add(b.mul(section, rows * shape.directions), row);
  unsigned number = request.operands.size() + request.results.size();
  return b.at(b.buffer(number), b.add(b.mul(row, pitch), unit), shape.work);
}

Num RecurrentStep::loadState(Value part, int64_t v) {
  Type type = b.vectorType(shape.work, plan.lanes);
  return Num(b, b.load(b.at(part, v * plan.lanes, shape.work), type));
}

void RecurrentStep::storeState(Num value, Value part, int64_t v) {
  b.store(value.get(), b.at(part, v * plan.lanes, shape.work));
}

Num RecurrentStep::loadRow(Value row, int64_t v, const RecurrentTile &tile) {
  Value from = b.at(row, v * plan.lanes, shape.element);
  Type type = b.vectorType(shape.element, plan.lanes);
  bool part = v == tile.vectors - 1 && tile.last < plan.lanes;
  Value loaded =
      part ? b.loadPart(from, type, b.index(tile.last)) : b.load(from, type);
  return Num(b, widenFloat(b, loaded));
}

void RecurrentStep::storeRow(Num value, Value row, int64_t v,
                             const RecurrentTile &tile) {
  Value to = b.at(row, v * plan.lanes, shape.element);
  Value narrow = narrowFloat(b, value.get(), shape.element);
  if (v == tile.vectors - 1 && tile.last < plan.lanes)
    b.storePart(narrow, to, b.index(tile.last));
  else
    b.store(narrow, to);
}

/// Steps beyond a sequence's end read as zero.
void RecurrentStep::storeStep(ArrayRef<State> states, const Sequence &sequence,
                              const RecurrentTile &tile) {
  Value to = resultAddress(
      0, {sequence.time, tile.direction, sequence.number, tile.unit});
  for (int64_t v = 0; to && v < tile.vectors; ++v) {
    Num h = states[v].first;
    if (sequence.active)
      h = select(sequence.active, h, h.of(0));
    storeRow(h, to, v, tile);
  }
}

void RecurrentStep::storeLast(ArrayRef<State> states, Value step,
                              const Sequence &sequence,
                              const RecurrentTile &tile) {
  Values index = {tile.direction, sequence.number, tile.unit};
  Value h = resultAddress(1, index), c = resultAddress(2, index);
  if (!h && !c)
    return;
  b.ifThen(b.equal(step, sequence.length), [&] {
    for (int64_t v = 0; v < tile.vectors; ++v) {
      if (h)
        storeRow(states[v].first, h, v, tile);
      if (c)
        storeRow(states[v].second, c, v, tile);
    }
  });
}

//===-- Steps -------------------------------------------------------------===//

void RecurrentStep::start(const RecurrentTile &tile) {
  Num zero(b, b.constantOf(b.vectorType(shape.work, plan.lanes), 0));
  Value step = b.index(0);
  for (int64_t i = 0; i < tile.rows; ++i) {
    Sequence sequence = sequenceAt(tile, i, step);
    auto initial = [&](Value operand, int64_t v) {
      if (!operand)
        return zero;
      return loadRow(
          address(operand, {tile.direction, sequence.number, tile.unit}), v,
          tile);
    };
    SmallVector<State> states;
    for (int64_t v = 0; v < tile.vectors; ++v) {
      Num h = initial(op.getInitialH(), v);
      storeState(h, statePart(step, tile.unit, tile, i), v);
      states.push_back({h, h});
      if (cell.kind != graph::Cell::Lstm)
        continue;
      states[v].second = initial(op.getInitialC(), v);
      storeState(states[v].second,
                 statePart(b.index(cellSection), tile.unit, tile, i), v);
    }
    storeLast(states, step, sequence, tile);
  }
}

void RecurrentStep::advance(Value step, int64_t phase,
                            const RecurrentTile &tile) {
  SmallVector<Sequence> sequences;
  for (int64_t i = 0; i < tile.rows; ++i)
    sequences.push_back(sequenceAt(tile, i, step));
  if (!op.getLengths())
    return compute(step, phase, sequences, tile);
  Value any = b.constantInt(b.builder().getI1Type(), 0);
  for (const Sequence &sequence : sequences)
    any = orOf(b, any, sequence.active);
  Num zero(b, b.constantOf(b.vectorType(shape.work, plan.lanes), 0));
  SmallVector<State> zeros(tile.vectors, {zero, zero});
  b.ifThen(
      any, [&] { compute(step, phase, sequences, tile); },
      [&] {
        for (const Sequence &sequence : sequences)
          storeStep(zeros, sequence, tile);
      });
}

void RecurrentStep::compute(Value step, int64_t phase, Sequences sequences,
                            const RecurrentTile &tile) {
  Value before = b.rem(b.add(step, 1), 2);
  bool isFirstOfTwo = shape.phases == 2 && phase == 0;
  // The first of two phases leaves the last gate, the candidate, to the second.
  int64_t firstGate = phase == 0 ? 0 : 2;
  int64_t endGate = isFirstOfTwo ? 2 : shape.gates;
  auto gates = llvm::to_vector(llvm::seq(firstGate, endGate));
  Value from = phase == 0 ? before : b.index(resetSection);
  Values total =
      sums(statePart(from, b.index(0), tile, 0), gates, sequences, tile);
  for (int64_t i = 0; i < tile.rows; ++i) {
    SmallVector<State> states;
    for (int64_t v = 0; v < tile.vectors; ++v) {
      SmallVector<Num> own;
      for (size_t gate = 0; gate < gates.size(); ++gate)
        own.push_back(
            Num(b, total[(i * gates.size() + gate) * tile.vectors + v]));
      Num h = loadState(statePart(before, tile.unit, tile, i), v);
      if (isFirstOfTwo)
        storeReset(own, h, i, v, tile);
      else
        states.push_back(next(own, h, i, v, sequences[i], tile));
    }
    if (!isFirstOfTwo)
      storeStates(states, step, i, sequences[i], tile);
  }
}

/// What the second phase of a step needs of the first.
void RecurrentStep::storeReset(ArrayRef<Num> gates, Num h, int64_t i, int64_t v,
                               const RecurrentTile &tile) {
  auto part = [&](int64_t section) {
    return statePart(b.index(section), tile.unit, tile, i);
  };
  storeState(gates[0], part(updateSection), v);
  storeState(cell.gate(gates[1]) * h, part(resetSection), v);
}

void RecurrentStep::storeStates(ArrayRef<State> states, Value step, int64_t i,
                                const Sequence &sequence,
                                const RecurrentTile &tile) {
  Value part = statePart(b.rem(step, 2), tile.unit, tile, i);
  for (int64_t v = 0; v < tile.vectors; ++v)
    storeState(states[v].first, part, v);
  storeStep(states, sequence, tile);
  storeLast(states, step, sequence, tile);
}

/// All units of the state meet the tile's columns of the matrix.
Values RecurrentStep::sums(Value state, ArrayRef<int64_t> gates,
                           Sequences sequences, const RecurrentTile &tile) {
  memory::BufferType type = typeOf(op.getRecurrence());
  int64_t panels = plan.panels(shape.problem());
  int64_t perUnit = packed ? shape.hidden : 1;
  int64_t perGate = packed ? panels * plan.panel() * perUnit : shape.hidden;
  MicroKernel kernel;
  kernel.lanes = plan.lanes;
  kernel.k = {{shape.hidden, 1, packed ? plan.panel() : type.getStrides()[1]}};
  kernel.unroll = shape.hidden % 2 == 0 ? 2 : 1;
  kernel.lhsElement = kernel.accumulator = shape.work;
  kernel.rhsElement = type.getElementType();
  Values start;
  for (int64_t i = 0; i < tile.rows; ++i) {
    kernel.rows.push_back(i * panels * plan.panel());
    for (int64_t gate : gates)
      for (int64_t v = 0; v < tile.vectors; ++v)
        start.push_back(firstSum(gate, v, sequences[i], tile));
  }
  // Panels are padded to whole vectors.
  int64_t last = packed ? plan.lanes : tile.last;
  for (int64_t gate : gates)
    for (ColumnVector column :
         contiguousColumns(tile.vectors, plan.lanes, last))
      kernel.columns.push_back(
          {gate * perGate + column.displacement, column.existing});
  Value offset = b.add(b.mul(tile.direction, type.getStrides()[0]),
                       b.mul(tile.unit, perUnit));
  Value matrix =
      address(op.getRecurrence(), Values(type.getStrides().size(), b.index(0)));
  return kernel.accumulate(b, state, b.at(matrix, offset, kernel.rhsElement),
                           start, b.index(shape.hidden));
}

/// Where the reset gate acts after the product, the candidate's product is kept
/// apart from its input.
Value RecurrentStep::firstSum(int64_t gate, int64_t v, const Sequence &sequence,
                              const RecurrentTile &tile) {
  Value unit = b.add(tile.unit, gate * shape.hidden);
  Num sum(b, b.constantOf(b.vectorType(shape.work, plan.lanes), 0));
  bool apart = cell.kind == graph::Cell::Gru && shape.phases == 1 && gate == 2;
  if (!apart)
    sum = loadRow(address(op.getGates(), {sequence.time, tile.direction,
                                          sequence.number, unit}),
                  v, tile);
  if (op.getBias())
    sum = sum + loadRow(address(op.getBias(), {tile.direction, unit}), v, tile);
  return sum.get();
}

RecurrentStep::State RecurrentStep::next(ArrayRef<Num> gates, Num h, int64_t i,
                                         int64_t v, const Sequence &sequence,
                                         const RecurrentTile &tile) {
  if (cell.kind == graph::Cell::Lstm)
    return nextLstm(gates, i, v, tile);
  if (cell.kind == graph::Cell::Rnn) {
    Num next = cell.rnn(gates[0]);
    return {next, next};
  }
  if (shape.phases == 2) {
    Value part = statePart(b.index(updateSection), tile.unit, tile, i);
    Num next = cell.gru(loadState(part, v), gates[0], h);
    return {next, next};
  }
  Value unit = b.add(tile.unit, 2 * shape.hidden);
  Value input = address(op.getGates(),
                        {sequence.time, tile.direction, sequence.number, unit});
  Num candidate = cell.gate(gates[1]) * gates[2] + loadRow(input, v, tile);
  Num next = cell.gru(gates[0], candidate, h);
  return {next, next};
}

RecurrentStep::State RecurrentStep::nextLstm(ArrayRef<Num> gates, int64_t i,
                                             int64_t v,
                                             const RecurrentTile &tile) {
  SmallVector<Num> peepholes;
  for (int64_t gate = 0; gate < 3 && op.getPeephole(); ++gate) {
    Value unit = b.add(tile.unit, gate * shape.hidden);
    peepholes.push_back(
        loadRow(address(op.getPeephole(), {tile.direction, unit}), v, tile));
  }
  Value part = statePart(b.index(cellSection), tile.unit, tile, i);
  State state = cell.lstm(gates, loadState(part, v), peepholes);
  storeState(state.second, part, v);
  return state;
}
