//===- Recurrence.cpp - recurrent layers as loops -------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A recurrence becomes one loop per direction, whose gradient is a loop. Steps
// behind the end of a sequence pass the state on.
//===----------------------------------------------------------------------===//
#include "passes/Differentiate/Rules.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/SymbolTable.h"

using namespace mlir;
using namespace tenon;
using namespace tenon::graph;
using namespace tenon::differentiate;

namespace {
/// One step of a cell. Shapes: gates [B, G*H], h and c [B, H].
class CellStep : public Build {
public:
  CellStep(OpBuilder &builder, RecurrenceOp op, unsigned direction);

  void step();
  Value gates, mask, h, c, matrix, bias, peephole; ///< null where there is none

private:
  Value activate(unsigned number, Value x);
  Value gate(Value all, int64_t number) {
    return part(all, 1, number * hidden, hidden);
  }
  /// state * matrix + bias, of the gates [first, last).
  Value project(Value state, int64_t first, int64_t last);
  Value peeped(Value sum, Value state, int64_t number);
  void stepGru();
  void stepLstm();

  RecurrenceOp op;
  int64_t hidden, gateCount;
  unsigned firstFunction;
};
} // namespace

static unsigned functionsOf(graph::Cell cell) {
  return cell == graph::Cell::Rnn ? 1 : cell == graph::Cell::Gru ? 2 : 3;
}

CellStep::CellStep(OpBuilder &builder, RecurrenceOp op, unsigned direction)
    : Build(builder, op.getLoc()), op(op),
      hidden(shapeOf(op.getRecurrence())[1]),
      gateCount(shapeOf(op.getRecurrence())[2] / hidden) {
  unsigned directions = shapeOf(op.getRecurrence())[0];
  firstFunction = op.getActivations().size() / directions * direction;
}

Value CellStep::activate(unsigned number, Value x) {
  if (op.getClip()) {
    double bound = op.getClip()->convertToDouble();
    x = make<MaxOp>(x, this->number(-bound, x));
    x = make<MinOp>(x, this->number(bound, x));
  }
  StringRef name =
      cast<StringAttr>(op.getActivations()[firstFunction + number]).getValue();
  if (name.equals_insensitive("sigmoid"))
    return make<SigmoidOp>(x);
  return name.equals_insensitive("tanh") ? make<TanhOp>(x) : make<ReluOp>(x);
}

Value CellStep::project(Value state, int64_t first, int64_t last) {
  Value columns = part(matrix, 1, first * hidden, (last - first) * hidden);
  Value sum = make<MatmulOp>(state, columns);
  if (!bias)
    return sum;
  return add(sum, part(bias, 0, first * hidden, (last - first) * hidden));
}

Value CellStep::peeped(Value sum, Value state, int64_t number) {
  if (!peephole)
    return sum;
  return add(sum, mul(part(peephole, 0, number * hidden, hidden), state));
}

/// Gates: update, reset, candidate.
void CellStep::stepGru() {
  Value sums = project(h, 0, 2);
  Value update = activate(0, add(gate(gates, 0), gate(sums, 0)));
  Value reset = activate(0, add(gate(gates, 1), gate(sums, 1)));
  Value candidate = op.getLinearBeforeReset() ? mul(reset, project(h, 2, 3))
                                              : project(mul(reset, h), 2, 3);
  Value next = activate(1, add(gate(gates, 2), candidate));
  Value fresh = mul(sub(this->number(1, update), update), next);
  h = add(fresh, mul(update, h));
}

/// Gates: input, output, forget, cell.
void CellStep::stepLstm() {
  Value sums = add(gates, project(h, 0, 4));
  Value input = activate(0, peeped(gate(sums, 0), c, 0));
  Value forget = op.getInputForget() ? sub(this->number(1, input), input)
                                     : activate(0, peeped(gate(sums, 2), c, 2));
  Value fresh = activate(1, gate(sums, 3));
  c = add(mul(forget, c), mul(input, fresh));
  Value output = activate(0, peeped(gate(sums, 1), c, 1));
  h = mul(output, activate(2, c));
}

void CellStep::step() {
  Value oldH = h, oldC = c;
  if (op.getCell() == graph::Cell::Rnn)
    h = activate(0, add(gates, project(h, 0, gateCount)));
  else if (op.getCell() == graph::Cell::Gru)
    stepGru();
  else
    stepLstm();
  if (!mask)
    return;
  h = select(mask, h, oldH);
  c = c ? select(mask, c, oldC) : c;
}

//===-- Loops -------------------------------------------------------------===//

namespace {
/// One direction of a layer.
class OneDirection : public Build {
public:
  OneDirection(OpBuilder &builder, RecurrenceOp op, unsigned index)
      : Build(builder, op.getLoc()), op(op), index(index),
        isReverse(index == 1 ||
                  op.getDirection() == graph::Direction::Reverse) {}

  /// [T, 1, B, H], [1, B, H] twice.
  SmallVector<Value> build();

private:
  /// What belongs to this direction; null of null.
  Value own(Value all, int64_t axis = 0);
  Value stateOf(Value initial);
  Value turned(Value stack) { return isReverse ? reverse(stack, 0) : stack; }
  Value makeMask();
  func::FuncOp makeBody(ArrayRef<Value> scans, ArrayRef<Value> others);

  RecurrenceOp op;
  unsigned index;
  bool isReverse;
  bool hasCell() const {
    return RecurrenceOp(op).getCell() == graph::Cell::Lstm;
  }
};
} // namespace

Value OneDirection::own(Value all, int64_t axis) {
  if (!all)
    return nullptr;
  Shape shape(shapeOf(all));
  shape.erase(shape.begin() + axis);
  return reshape(part(all, axis, index, 1), shape);
}

Value OneDirection::stateOf(Value initial) {
  if (initial)
    return own(initial);
  Shape shape(shapeOf(op.getResult(1)).drop_front());
  return filled(
      0, RankedTensorType::get(shape, typeOf(op.getGates()).getElementType()));
}

/// Which sequences have a step, [T, B, 1].
Value OneDirection::makeMask() {
  int64_t steps = shapeOf(op.getGates())[0];
  Value lengths = castTo(op.getLengths(), builder.getI64Type());
  lengths = reshape(lengths, {1, shapeOf(lengths)[0], 1});
  return make<LessOp>(counter(3, 0, steps), lengths);
}

func::FuncOp OneDirection::makeBody(ArrayRef<Value> scans,
                                    ArrayRef<Value> others) {
  SmallVector<Type> types;
  for (Value scan : scans)
    types.push_back(RankedTensorType::get(shapeOf(scan).drop_front(),
                                          typeOf(scan).getElementType()));
  llvm::append_range(types, ValueRange(others).getTypes());
  auto module = op->getParentOfType<ModuleOp>();
  auto body = func::FuncOp::create(op.getLoc(), "recurrence",
                                   builder.getFunctionType(types, {}));
  markStepsBody(body);
  SymbolTable(module).insert(body, module.getBody()->end());
  OpBuilder inside = OpBuilder::atBlockEnd(body.addEntryBlock());
  CellStep cell(inside, op, index);
  unsigned next = 0;
  auto take = [&](bool exists) {
    return exists ? Value(body.getArgument(next++)) : Value();
  };
  cell.gates = take(true);
  cell.mask = take(scans.size() > 1);
  cell.h = take(true);
  cell.c = take(hasCell());
  cell.matrix = take(true);
  cell.bias = take(bool(op.getBias()));
  cell.peephole = take(bool(op.getPeephole()));
  cell.step();
  SmallVector<Value> results = {
      cell.mask ? cell.where(cell.mask, cell.h) : cell.h, cell.h};
  if (hasCell())
    results.push_back(cell.c);
  func::ReturnOp::create(inside, op.getLoc(), results);
  body.setType(builder.getFunctionType(types, ValueRange(results).getTypes()));
  return body;
}

SmallVector<Value> OneDirection::build() {
  SmallVector<Value> scans = {turned(own(op.getGates(), 1))};
  if (op.getLengths())
    scans.push_back(turned(makeMask()));
  SmallVector<Value> others = {stateOf(op.getInitialH())};
  SmallVector<int64_t> next = {1};
  if (hasCell()) {
    others.push_back(stateOf(op.getInitialC()));
    next.push_back(2);
  }
  others.push_back(own(op.getRecurrence()));
  for (Value optional : {own(op.getBias()), own(op.getPeephole())})
    if (optional)
      others.push_back(optional);
  func::FuncOp body = makeBody(scans, others);
  int64_t steps = shapeOf(op.getGates())[0];
  SmallVector<Type> types(body.getResultTypes());
  SmallVector<bool> stacked(types.size(), false);
  Shape all = {steps};
  llvm::append_range(all, cast<RankedTensorType>(types[0]).getShape());
  types[0] = RankedTensorType::get(
      all, cast<RankedTensorType>(types[0]).getElementType());
  stacked[0] = true;
  SmallVector<Value> operands(scans);
  llvm::append_range(operands, others);
  auto loop = StepsOp::create(builder, loc, types, body.getName(), operands,
                              steps, scans.size(), next, stacked);
  Shape last(shapeOf(loop.getResult(1)));
  last.insert(last.begin(), 1);
  all.insert(all.begin() + 1, 1);
  return {reshape(turned(loop.getResult(0)), all),
          reshape(loop.getResult(1), last),
          reshape(loop.getResult(hasCell() ? 2 : 1), last)};
}

/// Whether the functions of all directions are known here.
static bool canBeLoops(RecurrenceOp op) {
  auto isKnown = [](Attribute name) {
    StringRef text = cast<StringAttr>(name).getValue();
    return text.equals_insensitive("sigmoid") ||
           text.equals_insensitive("tanh") || text.equals_insensitive("relu");
  };
  auto isOpen = [](Type type) {
    return !cast<RankedTensorType>(type).hasStaticShape();
  };
  unsigned directions = op.getRecurrence().getType().getDimSize(0);
  return llvm::all_of(op.getActivations(), isKnown) && directions > 0 &&
         op.getActivations().size() / directions >= functionsOf(op.getCell()) &&
         llvm::none_of(op->getOperandTypes(), isOpen);
}

void differentiate::makeLoops(RecurrenceOp op) {
  if (!canBeLoops(op) || shapeOf(op.getGates())[0] == 0)
    return;
  OpBuilder builder(op);
  Build g(builder, op.getLoc());
  SmallVector<SmallVector<Value>, 3> results(3);
  for (unsigned d = 0; d < shapeOf(op.getRecurrence())[0]; ++d)
    for (auto [result, value] :
         llvm::zip(results, OneDirection(builder, op, d).build()))
      result.push_back(value);
  auto joined = [&](ArrayRef<Value> parts, int64_t axis) {
    return parts.size() == 1 ? parts.front() : g.make<ConcatOp>(parts, axis);
  };
  op->replaceAllUsesWith(ValueRange{
      joined(results[0], 1), joined(results[1], 0), joined(results[2], 0)});
  op->erase();
}
