//===- RecurrentKernel.cpp - all steps of a layer in one launch -----------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file holds where a lane is, what it reads before the first step, and
// what it writes; the steps are in RecurrentSteps.cpp.
//===----------------------------------------------------------------------===//
#include "passes/CodegenGpu/Recurrent/RecurrentKernel.h"

#include "dialects/Kernel/Buffers.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "passes/Codegen/PlanAttribute.h"

using namespace mlir;
using namespace tenon;
using namespace tenon::gpu;
using memory::BufferType;

static constexpr int64_t floatBytes = 4, wordBytes = 8;

tile::GpuRecurrence tenon::gpu::recurrenceProblem(graph::RecurrenceOp op) {
  codegen::RecurrenceShape shape(op);
  return {shape.directions, shape.batch.fixed(), shape.gates,
          shape.hidden,     shape.steps.fixed(), shape.phases};
}

RecurrentKernel::RecurrentKernel(const StageRequest &request,
                                 graph::RecurrenceOp op,
                                 codegen::RecurrentCell cell)
    : request(request), function(blockOf(request)), kernel(request.b), op(op),
      cell(std::move(cell)), problem(recurrenceProblem(op)),
      plan(codegen::fromAttribute<tile::GpuRecurrencePlan>(request.plan)),
      packed(request.plan.getInt("packed")), t(kernel.builder(), kernel.loc()),
      f32(t.builder().getF32Type()) {}

StageInfo RecurrentKernel::emit() {
  MLIRContext *context = op.getContext();
  Value first = function.addFirstTile();
  shared = t.shared(sharedArray(moduleOf(request)));
  Value none = arith::ConstantOp::create(t.builder(), t.loc(),
                                         t.builder().getI64IntegerAttr(0));
  auto when = [&](arith::CmpIPredicate predicate) {
    return arith::CmpIOp::create(t.builder(), t.loc(), predicate, first, none);
  };
  Value words = function.buffers.back();
  thread = t.thread(plan.threads());
  t.ifThen(when(arith::CmpIPredicate::eq), [&] { clear(words); });
  t.ifThen(when(arith::CmpIPredicate::ne), [&] { run(words); });
  StageInfo result;
  result.tiles = plan.blocks(problem);
  result.steps = 2;
  result.scratch = {plan.exchangeBytes(problem)};
  result.launch = kernel::DeviceAttr::get(
      context, {1, 1}, plan.threads(), plan.sharedBytes(problem), /*cluster=*/1,
      /*cooperative=*/true, /*programmatic=*/false,
      ArrayAttr::get(context, {}));
  return result;
}

void RecurrentKernel::clear(Value words) {
  int64_t count = plan.exchangeBytes(problem) / wordBytes;
  int64_t threads = plan.threads() * plan.blocks(problem);
  Value number = t.add(t.mul(t.block(), plan.threads()), thread);
  Value nothing = arith::ConstantOp::create(t.builder(), t.loc(),
                                            t.builder().getI64IntegerAttr(0));
  for (int64_t first = 0; first < count; first += threads) {
    Value index = t.add(number, first);
    t.ifThen(t.inside(index, count), [&] {
      t.store(nothing, t.element(words, index, wordBytes), wordBytes);
    });
  }
}

void RecurrentKernel::run(Value words) {
  locate(words);
  readLayer();
  startStates();
  State state{initial(op.getInitialH(), sequence, unit), Value()};
  Values carried = {state.h};
  if (cell.kind == graph::Cell::Lstm)
    carried.push_back(initial(op.getInitialC(), sequence, unit));
  auto stateOf = [](ValueRange values) {
    return State{values[0], values.size() > 1 ? values[1] : Value()};
  };
  carried = t.loop(t.number(0), t.number(problem.steps), carried,
                   [&](Value step, ValueRange now) {
                     State after = advance(step, stateOf(now));
                     Values next = {after.h};
                     if (after.c)
                       next.push_back(after.c);
                     return next;
                   });
  storeLast(stateOf(carried));
}

//===-- Where a lane is ---------------------------------------------------===//

void RecurrentKernel::locate(Value words) {
  int64_t groups = plan.groups(problem);
  int64_t each = plan.blocksOfChain(problem);
  Value chain = t.div(t.block(), each), part = t.rem(t.block(), each);
  direction = t.div(chain, groups);
  firstSequence = t.mul(t.rem(chain, groups), plan.rows);
  lane = t.rem(thread, tile::warpLanes);
  Value own = t.add(t.mul(part, plan.units), t.div(thread, tile::warpLanes));
  unit = t.min(own, problem.hidden - 1);
  Value mine = t.add(firstSequence, lane);
  sequence = t.min(mine, problem.batch - 1);
  isUnit = t.both(t.less(own, problem.hidden), t.less(lane, plan.rows));
  isReal = t.both(isUnit, t.less(mine, problem.batch));
  int64_t count = plan.rows * problem.hidden;
  Value first = t.mul(chain, 2 * count);
  states.emplace(t, t.element(words, first, wordBytes), count);
}

void RecurrentKernel::readLayer() {
  for (int64_t gate = 0; gate < problem.gates; ++gate)
    weights.push_back(weightsOf(gate));
  auto ofUnit = [&](Value operand, int64_t gate) {
    return load(operand, {direction, t.add(unit, gate * problem.hidden)});
  };
  for (int64_t gate = 0; op.getBias() && gate < problem.gates; ++gate)
    bias.push_back(ofUnit(op.getBias(), gate));
  for (int64_t gate = 0; op.getPeephole() && gate < 3; ++gate)
    peepholes.push_back(ofUnit(op.getPeephole(), gate));
  length = t.number(problem.steps);
  if (!op.getLengths())
    return;
  Value told = t.load(address(op.getLengths(), {sequence}),
                      t.builder().getI32Type(), floatBytes);
  told = arith::MaxSIOp::create(t.builder(), t.loc(), told, t.number(0));
  length = t.min(told, problem.steps);
}

/// The first states, and zeros behind all states of both halves.
void RecurrentKernel::startStates() {
  int64_t count = plan.sharedBytes(problem) / floatBytes;
  Value turns = t.number(llvm::divideCeil(count, plan.threads()));
  t.loop(t.number(0), turns, {}, [&](Value turn, ValueRange) {
    Value index = t.add(t.mul(turn, plan.threads()), thread);
    Values at = t.delinearize(index, {2, plan.rows, problem.padded()});
    Value known = t.add(firstSequence, at[1]);
    Value state = initial(op.getInitialH(), t.min(known, problem.batch - 1),
                          t.min(at[2], problem.hidden - 1));
    Value isThere = t.both(t.equal(at[0], 0), t.less(at[2], problem.hidden));
    t.ifThen(t.inside(index, count), [&] {
      t.store(select(isThere, state, zero()),
              t.element(shared, index, floatBytes), floatBytes);
    });
    return Values();
  });
}

void RecurrentKernel::storeLast(const State &state) {
  storeResult(1, {direction, sequence, unit}, state.h);
  if (state.c)
    storeResult(2, {direction, sequence, unit}, state.c);
}

//===-- Memory ------------------------------------------------------------===//

static Value elementAt(ThreadBuilder &t, Value buffer, BufferType type,
                       ValueRange index) {
  Value offset = t.number(kernel::offsetOf(type).fixed());
  for (auto [i, stride] : llvm::zip(index, kernel::stridesOf(type)))
    offset = t.add(offset, t.mul(i, stride.fixed()));
  return t.element(buffer, offset, floatBytes);
}

Value RecurrentKernel::address(Value operand, ValueRange index) {
  unsigned number = cast<BlockArgument>(operand).getArgNumber();
  return elementAt(t, function.buffers[number], request.operands[number],
                   index);
}

Value RecurrentKernel::load(Value operand, ValueRange index) {
  return t.load(address(operand, index), f32, floatBytes);
}

Value RecurrentKernel::initial(Value operand, Value ofSequence, Value ofUnit) {
  return operand ? load(operand, {direction, ofSequence, ofUnit}) : zero();
}

/// Unless nobody uses the result.
void RecurrentKernel::storeResult(unsigned result, ValueRange index,
                                  Value number) {
  auto operands = op->getBlock()->getTerminator()->getOperands();
  auto used = llvm::find(operands, op->getResult(result));
  if (used == operands.end())
    return;
  size_t i = size_t(std::distance(operands.begin(), used));
  Value buffer = function.buffers[request.operands.size() + i];
  t.ifThen(isReal, [&] {
    t.store(number, elementAt(t, buffer, request.results[i], index),
            floatBytes);
  });
}

Values RecurrentKernel::loadFloats(Value pointer, int64_t number) {
  if (number == 1)
    return {t.load(pointer, f32, floatBytes)};
  Value loaded =
      t.load(pointer, VectorType::get({number}, f32), number * floatBytes);
  Values result;
  for (int64_t i = 0; i < number; ++i)
    result.push_back(
        vector::ExtractOp::create(t.builder(), t.loc(), loaded, i));
  return result;
}

Value RecurrentKernel::weightAddress(int64_t gate, Value k) {
  auto matrix = cast<BlockArgument>(op.getRecurrence());
  BufferType type = request.operands[matrix.getArgNumber()];
  Value column = t.add(unit, gate * problem.hidden);
  if (!packed)
    return address(matrix, {direction, k, column});
  // Columns lie one after the other.
  Value offset = t.mul(direction, kernel::stridesOf(type).front().fixed());
  offset = t.add(t.add(offset, t.mul(column, problem.hidden)), k);
  return t.element(function.buffers[matrix.getArgNumber()], offset, floatBytes);
}

/// As many at once as lie together; zeros beyond the state.
Values RecurrentKernel::weightsOf(int64_t gate) {
  unsigned matrix = cast<BlockArgument>(op.getRecurrence()).getArgNumber();
  int64_t width = problem.width();
  bool areWide = packed && problem.hidden % width == 0 &&
                 alignmentOf(request.group, matrix) % (width * floatBytes) == 0;
  int64_t each = areWide ? width : 1;
  Values result;
  for (int64_t first = 0; first < problem.padded();
       first += width * tile::warpLanes)
    for (int64_t i = 0; i < width; i += each) {
      Value k = t.add(t.mul(lane, width), first + i);
      Value isThere = t.less(k, problem.hidden);
      Value known = t.min(k, problem.hidden - each);
      for (Value weight : loadFloats(weightAddress(gate, known), each))
        result.push_back(select(isThere, weight, zero()));
    }
  return result;
}

Value RecurrentKernel::select(Value condition, Value x, Value y) {
  return condition ? t.choose(condition, x, y) : x;
}

Value RecurrentKernel::zero() {
  return arith::ConstantOp::create(t.builder(), t.loc(),
                                   t.builder().getF32FloatAttr(0));
}
