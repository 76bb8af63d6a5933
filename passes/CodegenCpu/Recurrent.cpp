//===- Recurrent.cpp - the emitter of kind `recurrent` --------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file emits `graph.recurrence`. A tile is one direction of one sequence;
// its state lives in two rows on the stack. A step multiplies the state by the
// recurrence matrix, whose rows are read in order, a panel of gates at a time:
//   for panel of units: sums = gates[t]; for k: sums += h[k] * R[k, panel]
//   for units: (h, c) = cell(sums, h, c)
//===----------------------------------------------------------------------===//
#include "passes/CodegenCpu/ElementwiseOps.h"
#include "passes/CodegenCpu/Emitter.h"
#include "passes/CodegenCpu/KernelBuilder.h"
#include "passes/CodegenCpu/MicroKernel.h"
#include "passes/CodegenCpu/MoveCopy.h"
#include "passes/CodegenCpu/RecurrentCell.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;
using namespace tenon;
using namespace tenon::codegen;

/// The sums of one panel stay in this many registers.
static constexpr int64_t maxVectors = 8;

namespace {
class Recurrence {
public:
  Recurrence(KernelBuilder &b, graph::RecurrenceOp op,
             const EmitRequest &request)
      : b(b), op(op), request(request) {}

  FailureOr<int64_t> run();

private:
  LogicalResult readShape();
  memory::BufferType typeOf(Value operand) const;
  Value address(Value operand, ValueRange index);
  Value resultAddress(unsigned result, ValueRange index);
  void storeOut(Value next, Value out, Value i);
  void tile(Value number);
  void direction(int64_t d, Value sequence);
  void loadState(Value operand, Value row, int64_t d, Value sequence);
  void storeState(unsigned result, Value row, int64_t d, Value sequence);
  Value lengthOf(Value sequence);
  void step(int64_t d, Value sequence, Value t);
  void project(Value state, Value gates, Value matrix, int64_t first,
               int64_t count, bool withGates, Value bias);
  void panel(Value state, Value gates, Value matrix, Value bias, Value first,
             int64_t vectors, int64_t width, bool withGates);
  void units(llvm::function_ref<void(Value i, int64_t width)> visit);
  void cellStep(int64_t d, Value out);
  void gruStep(int64_t d, Value gates, Value matrix, Value bias, Value out);
  Num load(Value row, Value i, int64_t width);
  Num loadOperand(Value row, Value i, int64_t width);
  Num gateAt(int64_t gate, Value i, int64_t width);

  KernelBuilder &b;
  graph::RecurrenceOp op;
  const EmitRequest &request;
  Type element; ///< in memory
  Type work;    ///< in registers and on the stack: f32 for 16-bit floats
  int64_t steps = 0, directions = 0, batch = 0, hidden = 0, wide = 0, lanes = 1;
  RecurrentCell cell;
  SmallVector<Activation> activations;
  Value h, c, sums, reset; ///< rows on the stack
};
} // namespace

//===-- Operands ----------------------------------------------------------===//

memory::BufferType Recurrence::typeOf(Value operand) const {
  return request.operands[cast<BlockArgument>(operand).getArgNumber()];
}

Value Recurrence::address(Value operand, ValueRange index) {
  memory::BufferType type = typeOf(operand);
  Value buffer = b.buffer(cast<BlockArgument>(operand).getArgNumber());
  Value offset = b.add(dot(b, index, type.getStrides()), type.getOffset());
  return b.at(buffer, offset, type.getElementType());
}

/// Null when nobody uses the result.
Value Recurrence::resultAddress(unsigned result, ValueRange index) {
  Operation *yield = op->getBlock()->getTerminator();
  auto operands = yield->getOperands();
  auto used = llvm::find(operands, op->getResult(result));
  if (used == operands.end())
    return Value();
  size_t i = std::distance(operands.begin(), used);
  memory::BufferType type = request.results[i];
  Value offset = b.add(dot(b, index, type.getStrides()), type.getOffset());
  return b.at(b.buffer(request.operands.size() + i), offset,
              type.getElementType());
}

LogicalResult Recurrence::readShape() {
  auto gates = cast<RankedTensorType>(op.getGates().getType());
  element = gates.getElementType();
  work = accumulatorType(element);
  steps = gates.getDimSize(0);
  directions = gates.getDimSize(1);
  batch = gates.getDimSize(2);
  wide = gates.getDimSize(3);
  hidden = cast<RankedTensorType>(op.getRecurrence().getType()).getDimSize(1);
  lanes = std::min<int64_t>(
      b.target().lanes(graph::elementBytes(work)),
      llvm::bit_floor(uint64_t(std::max<int64_t>(1, hidden))));
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
        typeOf(operand).getStrides().back() != 1)
      return op.emitError() << "'graph.recurrence' needs contiguous rows";
  return success();
}

//===-- Tiles -------------------------------------------------------------===//

FailureOr<int64_t> Recurrence::run() {
  if (failed(readShape()))
    return failure();
  h = b.scratch(hidden + lanes, work);
  c = b.scratch(hidden + lanes, work);
  reset = b.scratch(hidden + lanes, work);
  sums = b.scratch(wide + lanes, work);
  b.forTiles([&](Value number) { tile(number); });
  return directions * batch;
}

void Recurrence::tile(Value number) {
  Value sequence = b.rem(number, batch);
  Value d = b.div(number, batch);
  size_t each = activations.size() / directions;
  for (int64_t i = 0; i < directions; ++i)
    b.ifThen(b.equal(d, b.index(i)), [&] {
      cell.activations.assign(activations.begin() + i * each,
                              activations.begin() + (i + 1) * each);
      direction(i, sequence);
    });
}

void Recurrence::loadState(Value operand, Value row, int64_t d,
                           Value sequence) {
  if (!operand)
    return fillRun(b, b.constantOf(work, 0), row, b.index(hidden), work);
  Value from = address(operand, {b.index(d), sequence, b.index(0)});
  units([&](Value i, int64_t width) {
    b.store(loadOperand(from, i, width).get(), b.at(row, i, work), work);
  });
}

void Recurrence::storeState(unsigned result, Value row, int64_t d,
                            Value sequence) {
  Value to = resultAddress(result, {b.index(d), sequence, b.index(0)});
  if (!to)
    return;
  units([&](Value i, int64_t width) {
    Value narrow = narrowFloat(b, load(row, i, width).get(), element);
    b.store(narrow, b.at(to, i, element), element);
  });
}

Value Recurrence::lengthOf(Value sequence) {
  if (!op.getLengths())
    return b.index(steps);
  Type i32 = b.builder().getI32Type();
  Value length = b.load(address(op.getLengths(), {sequence}), i32, i32);
  length = arith::ExtSIOp::create(b.builder(), b.loc(), b.i64Type(), length);
  return b.min(b.max(length, b.index(0)), b.index(steps));
}

void Recurrence::direction(int64_t d, Value sequence) {
  bool reverse = d == 1 || op.getDirection() == graph::Direction::Reverse;
  loadState(op.getInitialH(), h, d, sequence);
  if (cell.kind == graph::Cell::Lstm)
    loadState(op.getInitialC(), c, d, sequence);
  Value length = lengthOf(sequence);
  b.loop(b.index(0), length, 1, [&](Value i) {
    Value t = reverse ? b.sub(b.sub(length, b.index(1)), i) : i;
    step(d, sequence, t);
  });
  // Steps beyond a sequence's end read as zero.
  b.loop(length, b.index(steps), 1, [&](Value t) {
    if (Value to = resultAddress(0, {t, b.index(d), sequence, b.index(0)}))
      fillRun(b, b.constantOf(element, 0), to, b.index(hidden), element);
  });
  storeState(1, h, d, sequence);
  storeState(2, cell.kind == graph::Cell::Lstm ? c : h, d, sequence);
}

//===-- One step ----------------------------------------------------------===//

void Recurrence::step(int64_t d, Value sequence, Value t) {
  Value gates = address(op.getGates(), {t, b.index(d), sequence, b.index(0)});
  Value matrix =
      address(op.getRecurrence(), {b.index(d), b.index(0), b.index(0)});
  Value bias =
      op.getBias() ? address(op.getBias(), {b.index(d), b.index(0)}) : Value();
  Value out = resultAddress(0, {t, b.index(d), sequence, b.index(0)});
  if (cell.kind == graph::Cell::Gru)
    return gruStep(d, gates, matrix, bias, out);
  project(h, gates, matrix, 0, wide, true, bias);
  cellStep(d, out);
}

/// sums[first, first + count) = (gates +) bias + state * matrix.
void Recurrence::project(Value state, Value gates, Value matrix, int64_t first,
                         int64_t count, bool withGates, Value bias) {
  int64_t done = 0;
  for (int64_t vectors = maxVectors; vectors > 0; vectors /= 2) {
    int64_t width = vectors * lanes,
            end = done + (count - done) / width * width;
    b.loop(b.index(first + done), b.index(first + end), width, [&](Value i) {
      panel(state, gates, matrix, bias, i, vectors, lanes, withGates);
    });
    done = end;
  }
  b.loop(b.index(first + done), b.index(first + count), 1, [&](Value i) {
    panel(state, gates, matrix, bias, i, 1, 1, withGates);
  });
}

void Recurrence::panel(Value state, Value gates, Value matrix, Value bias,
                       Value first, int64_t vectors, int64_t width,
                       bool withGates) {
  Type type = b.vectorType(work, width);
  auto vectorAt = [&](Value row, int64_t v) {
    return loadOperand(b.at(row, v * width, element), first, width).get();
  };
  Values start;
  for (int64_t v = 0; v < vectors; ++v) {
    Value sum = withGates ? vectorAt(gates, v) : b.constantOf(type, 0);
    if (bias)
      sum = (Num(b, sum) + Num(b, vectorAt(bias, v))).get();
    start.push_back(sum);
  }
  int64_t pitch = typeOf(op.getRecurrence()).getStrides()[1];
  Values total = b.loop(
      b.index(0), b.index(hidden), 1, start, [&](Value k, ValueRange carried) {
        Value x = b.loadBroadcast(b.at(state, k, work), type, work);
        Value row = b.at(matrix, b.mul(k, pitch), element);
        Values next;
        for (int64_t v = 0; v < vectors; ++v)
          next.push_back(b.fma(x, vectorAt(row, v), carried[v]));
        return next;
      });
  for (int64_t v = 0; v < vectors; ++v)
    b.store(total[v], b.at(b.at(sums, first, work), v * width, work), work);
}

/// Visits the hidden units, in vectors and then one by one.
void Recurrence::units(function_ref<void(Value, int64_t)> visit) {
  int64_t whole = hidden / lanes * lanes;
  b.loop(b.index(0), b.index(whole), lanes, [&](Value i) { visit(i, lanes); });
  if (lanes > 1)
    b.loop(b.index(whole), b.index(hidden), 1, [&](Value i) { visit(i, 1); });
}

/// Of a row on the stack.
Num Recurrence::load(Value row, Value i, int64_t width) {
  return Num(b, b.load(b.at(row, i, work), b.vectorType(work, width), work));
}

Num Recurrence::loadOperand(Value row, Value i, int64_t width) {
  Value loaded =
      b.load(b.at(row, i, element), b.vectorType(element, width), element);
  return Num(b, widenFloat(b, loaded));
}

Num Recurrence::gateAt(int64_t gate, Value i, int64_t width) {
  return load(sums, b.add(i, gate * hidden), width);
}

void Recurrence::storeOut(Value next, Value out, Value i) {
  b.store(next, b.at(h, i, work), work);
  if (out)
    b.store(narrowFloat(b, next, element), b.at(out, i, element), element);
}

void Recurrence::cellStep(int64_t d, Value out) {
  units([&](Value i, int64_t width) {
    if (cell.kind == graph::Cell::Rnn) {
      Value next = cell.rnn(gateAt(0, i, width)).get();
      return storeOut(next, out, i);
    }
    SmallVector<Num> gates, peepholes;
    for (int64_t gate = 0; gate < 4; ++gate)
      gates.push_back(gateAt(gate, i, width));
    for (int64_t gate = 0; gate < 3 && op.getPeephole(); ++gate)
      peepholes.push_back(loadOperand(
          address(op.getPeephole(), {b.index(d), b.index(gate * hidden)}), i,
          width));
    auto [next, state] = cell.lstm(gates, load(c, i, width), peepholes);
    b.store(state.get(), b.at(c, i, work), work);
    storeOut(next.get(), out, i);
  });
}

/// The candidate sees the state after the reset gate: either the state itself
/// before its product, or the product after it.
void Recurrence::gruStep(int64_t d, Value gates, Value matrix, Value bias,
                         Value out) {
  bool after = op.getLinearBeforeReset();
  project(h, gates, matrix, 0, 2 * hidden, true, bias);
  if (after)
    project(h, gates, matrix, 2 * hidden, hidden, false, bias);
  units([&](Value i, int64_t width) {
    Num factor = cell.gate(gateAt(1, i, width));
    Num base = after ? gateAt(2, i, width) : load(h, i, width);
    b.store((factor * base).get(), b.at(reset, i, work), work);
  });
  if (!after)
    project(reset, gates, matrix, 2 * hidden, hidden, true, bias);
  units([&](Value i, int64_t width) {
    Num candidate = gateAt(2, i, width);
    if (after)
      candidate = load(reset, i, width) +
                  loadOperand(gates, b.add(i, 2 * hidden), width);
    Value next =
        cell.gru(gateAt(0, i, width), candidate, load(h, i, width)).get();
    storeOut(next, out, i);
  });
}

//===-- Emitter -----------------------------------------------------------===//

static graph::RecurrenceOp getRecurrence(kernel::GroupOp group) {
  auto op = dyn_cast<graph::RecurrenceOp>(&group.getBlock().front());
  Operation *yield = group.getBlock().getTerminator();
  if (op && llvm::all_of(yield->getOperands(), [&](Value value) {
        return value.getDefiningOp() == op;
      }))
    return op;
  group.emitError() << "a recurrence stands alone in its group";
  return nullptr;
}

static FailureOr<PlanResult> planRecurrent(kernel::GroupOp group,
                                           const tile::Target &target) {
  graph::RecurrenceOp op = getRecurrence(group);
  if (!op)
    return failure();
  for (Type type :
       llvm::concat<Type>(llvm::to_vector_of<Type>(op->getOperandTypes()),
                          llvm::to_vector_of<Type>(op->getResultTypes())))
    if (!cast<RankedTensorType>(type).hasStaticShape())
      return op.emitError() << "a recurrence needs static shapes, got " << type;
  Builder b(group.getContext());
  NamedAttribute vectors =
      b.getNamedAttr("vectors", b.getI64IntegerAttr(maxVectors));
  PlanResult result;
  result.plan = kernel::PlanAttr::get(group.getContext(), "recurrent",
                                      b.getDictionaryAttr({vectors}));
  return result;
}

static FailureOr<EmitResult> emitRecurrent(const EmitRequest &request) {
  kernel::GroupOp group = request.group;
  graph::RecurrenceOp op = getRecurrence(group);
  if (!op)
    return failure();
  KernelBuilder b(request.module, group.getLoc(), request.name,
                  request.operands.size() + request.results.size(),
                  request.target);
  FailureOr<int64_t> tiles = Recurrence(b, op, request).run();
  b.finish();
  if (failed(tiles))
    return failure();
  return EmitResult{*tiles};
}

/// A step walks whole rows of everything.
static bool canAddressRecurrent(kernel::GroupOp, unsigned,
                                memory::BufferType type) {
  return type.isDense();
}

const Emitter &codegen::recurrentEmitter() {
  static const Emitter emitter = {"recurrent", planRecurrent, emitRecurrent,
                                  canAddressRecurrent};
  return emitter;
}
