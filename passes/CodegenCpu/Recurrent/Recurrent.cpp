//===- Recurrent.cpp - the emitter of kind `recurrent` --------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file emits `graph.recurrence`: the loops around the register tiles of
// Step.h. A tile of the launch is some sequences through all of time,
//   start; for step: for panel: advance
// or, where one step is work enough for several threads, one panel in one step
// of the launch, for all sequences:
//   step 0: start    step s: advance (two steps of the launch per time step
//                            where a time step has two phases)
// Every other step runs backwards through the panels, so that it begins with
// the part of the matrix that the last one left in the cache.
//===----------------------------------------------------------------------===//
#include "passes/Codegen/PlanAttribute.h"
#include "passes/CodegenCpu/Recurrent/Step.h"
#include "passes/CodegenCpu/Strategies.h"

#include "lib/Tile/Rows.h"

using namespace mlir;
using namespace tenon;
using namespace tenon::codegen;

namespace {
class Recurrence {
public:
  Recurrence(KernelBuilder &b, graph::RecurrenceOp op,
             const StageRequest &request, const tile::RecurrencePlan &plan)
      : b(b), plan(plan), shape(op),
        step(b, op, request, plan, request.plan.getInt("packed")),
        panels(plan.panels(shape.problem())) {}

  FailureOr<StageInfo> run();

private:
  using TileFn = function_ref<void(const RecurrentTile &)>;

  void split();
  void whole(Value number);
  void inDirection(Value direction, function_ref<void(Value)> body);
  void forPanels(Value direction, Value block, Value isBackward, TileFn body);
  void withTile(Value direction, Value block, Value panel, TileFn body);
  Size blocks() const;
  void withRows(Value block, RecurrentTile tile, TileFn body);
  void withSplitRows(Value block, RecurrentTile tile, TileFn body);
  void withRowsLeft(Value left, int64_t rows, RecurrentTile tile, TileFn body);
  Value turned(Value isBackward, Value first, Value end, Value i);

  KernelBuilder &b;
  tile::RecurrencePlan plan;
  RecurrenceShape shape;
  RecurrentStep step;
  int64_t panels;
};
} // namespace

FailureOr<StageInfo> Recurrence::run() {
  if (failed(step.read()))
    return failure();
  StageInfo result;
  if (plan.split) {
    split();
    result.tiles = shape.directions * panels;
    result.steps = shape.steps * shape.phases + 1;
  } else {
    b.forTiles([&](Value number) { whole(number); });
    result.tiles = blocks() * shape.directions;
  }
  if (!shape.batch.isFixed())
    result.scratch = {shape.stateBytes(plan)};
  return result;
}

//===-- Tiles -------------------------------------------------------------===//

/// `i` of [first, end), or its mirror image.
Value Recurrence::turned(Value isBackward, Value first, Value end, Value i) {
  Value mirrored = b.sub(b.add(first, b.sub(end, b.index(1))), i);
  return b.choose(isBackward, mirrored, i);
}

void Recurrence::inDirection(Value direction, function_ref<void(Value)> body) {
  if (step.isUniform()) {
    step.useDirection(0);
    return body(direction);
  }
  for (int64_t d = 0; d < shape.directions; ++d)
    b.ifThen(b.equal(direction, b.index(d)), [&] {
      step.useDirection(d);
      body(b.index(d));
    });
}

/// Of the sequences.
Size Recurrence::blocks() const { return shape.batch.ceilDiv(plan.rows); }

void Recurrence::withRows(Value block, RecurrentTile tile, TileFn body) {
  if (shape.batch.isFixed())
    return withSplitRows(block, tile, body);
  tile.row = b.mul(block, plan.rows);
  withRowsLeft(b.sub(b.index(shape.batch), tile.row), plan.rows, tile, body);
}

/// In the lowest of a few tiles that hold all sequences that are left.
void Recurrence::withRowsLeft(Value left, int64_t rows, RecurrentTile tile,
                              TileFn body) {
  tile.rows = rows;
  tile.mayEnd = rows > 1;
  if (rows == 1)
    return body(tile);
  b.ifThen(
      b.less(left, b.index(rows / 2 + 1)),
      [&] { withRowsLeft(left, rows / 2, tile, body); }, [&] { body(tile); });
}

void Recurrence::withSplitRows(Value block, RecurrentTile tile, TileFn body) {
  tile::EvenSplit blocks = tile::EvenSplit::of(shape.batch.fixed(), plan.rows);
  tile.row = b.startOf(blocks, block);
  auto withHeight = [&](int64_t rows) {
    tile.rows = rows;
    body(tile);
  };
  if (blocks.uniform())
    return withHeight(blocks.height);
  b.ifThen(
      b.less(block, b.index(blocks.tall)), [&] { withHeight(blocks.height); },
      [&] { withHeight(blocks.height - 1); });
}

/// The last panel may be narrower than the others.
void Recurrence::withTile(Value direction, Value block, Value panel,
                          TileFn body) {
  auto withVectors = [&](int64_t units) {
    RecurrentTile tile;
    tile.direction = direction;
    tile.unit = b.mul(panel, plan.panel());
    tile.vectors = llvm::divideCeil(units, plan.lanes);
    tile.last = units - (tile.vectors - 1) * plan.lanes;
    withRows(block, tile, body);
  };
  int64_t left = shape.hidden % plan.panel();
  if (left == 0)
    return withVectors(plan.panel());
  b.ifThen(
      b.less(panel, b.index(panels - 1)), [&] { withVectors(plan.panel()); },
      [&] { withVectors(left); });
}

void Recurrence::forPanels(Value direction, Value block, Value isBackward,
                           TileFn body) {
  b.loop(b.index(0), b.index(panels), 1, [&](Value i) {
    Value panel = turned(isBackward, b.index(0), b.index(panels), i);
    withTile(direction, block, panel, body);
  });
}

void Recurrence::whole(Value number) {
  Value block = b.rem(number, b.index(blocks()));
  Value own = b.div(number, b.index(blocks()));
  inDirection(own, [&](Value direction) {
    Value never = b.constantInt(b.builder().getI1Type(), 0);
    forPanels(direction, block, never,
              [&](const RecurrentTile &tile) { step.start(tile); });
    b.loop(b.index(1), b.index(shape.steps + 1), 1, [&](Value time) {
      Value isBackward = b.equal(b.rem(time, 2), b.index(1));
      for (int64_t phase = 0; phase < shape.phases; ++phase)
        forPanels(direction, block, isBackward, [&](const RecurrentTile &tile) {
          step.advance(time, phase, tile);
        });
    });
  });
}

void Recurrence::split() {
  int64_t tiles = shape.directions * panels;
  Value number = b.div(b.tileBegin(), tiles);
  Value base = b.mul(number, tiles);
  Value isBackward = b.equal(b.rem(number, 2), b.index(1));
  Value before = b.sub(number, b.index(1));
  Value time = b.add(b.div(before, shape.phases), 1);
  Value phase = b.rem(before, shape.phases);
  auto advance = [&](const RecurrentTile &tile) {
    if (shape.phases == 1)
      return step.advance(time, 0, tile);
    b.ifThen(
        b.equal(phase, b.index(0)), [&] { step.advance(time, 0, tile); },
        [&] { step.advance(time, 1, tile); });
  };
  b.forTiles([&](Value i) {
    Value own = b.sub(turned(isBackward, b.tileBegin(), b.tileEnd(), i), base);
    inDirection(b.div(own, panels), [&](Value direction) {
      Value panel = b.rem(own, panels);
      b.loop(b.index(0), b.index(blocks()), 1, [&](Value block) {
        withTile(direction, block, panel, [&](const RecurrentTile &tile) {
          b.ifThen(
              b.equal(number, b.index(0)), [&] { step.start(tile); },
              [&] { advance(tile); });
        });
      });
    });
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
  group.emitError() << "a recurrence must be alone in its group";
  return nullptr;
}

/// `[directions, hidden, gates * hidden]` in panels, gate by gate.
static DictionaryAttr packAttributes(graph::RecurrenceOp op,
                                     const RecurrenceShape &shape,
                                     int64_t panel) {
  Builder b(op.getContext());
  return b.getDictionaryAttr(
      {b.getNamedAttr("batch_dims", b.getDenseI64ArrayAttr({0})),
       b.getNamedAttr("k_dims", b.getDenseI64ArrayAttr({1})),
       b.getNamedAttr("n_dims", b.getDenseI64ArrayAttr({2})),
       b.getNamedAttr("panel", b.getI64IntegerAttr(panel)),
       b.getNamedAttr("groups", b.getI64IntegerAttr(shape.gates))});
}

static bool isRecurrence(kernel::GroupOp group) {
  return isa<graph::RecurrenceOp>(group.getBlock().front());
}

static PlannedChoices planRecurrent(const PlanRequest &request) {
  kernel::GroupOp group = request.group;
  const tile::Target &target = request.target;
  graph::RecurrenceOp op = getRecurrence(group);
  if (!op)
    return failure();
  RecurrenceShape shape(op);
  tile::RecurrencePlan plan = tile::plan(shape.problem(), target);
  if (llvm::Error error = tile::validate(shape.problem(), plan, target)) {
    group.emitOpError() << llvm::toString(std::move(error));
    return failure();
  }
  auto matrix = cast<BlockArgument>(op.getRecurrence());
  Value constant = group.getOperands_()[matrix.getArgNumber()];
  bool packed = constant.getDefiningOp<graph::ConstantOp>() &&
                matrix.hasOneUse() && shape.hidden > 0;
  StagePlan result;
  result.plan =
      toAttribute(group.getContext(), recurrenceStrategy.name, plan, packed);
  result.packs.resize(group.getOperands_().size());
  if (packed)
    result.packs[matrix.getArgNumber()] =
        packAttributes(op, shape, plan.panel());
  result.scratchBytes = {shape.stateBytes(plan).fixed()};
  return theOnlyChoice(std::move(result), request);
}

static FailureOr<StageInfo> emitRecurrent(const StageRequest &request) {
  kernel::GroupOp group = request.group;
  graph::RecurrenceOp op = getRecurrence(group);
  if (!op)
    return failure();
  return Recurrence(request.b, op, request,
                    fromAttribute<tile::RecurrencePlan>(request.plan))
      .run();
}

/// A step walks whole rows of everything.
static bool canAddressRecurrent(kernel::GroupOp, unsigned,
                                memory::BufferType type) {
  return type.isDense();
}

static bool takesSymbols(kernel::GroupOp) { return true; }

/// Only the matrix is packed.
static StringRef whyWide(kernel::GroupOp, unsigned) { return ""; }

const Strategy codegen::recurrenceStrategy{.name = "recurrence",
                                           .matches = isRecurrence,
                                           .plan = planRecurrent,
                                           .emit = emitRecurrent,
                                           .canAddress = canAddressRecurrent,
                                           .whyWide = whyWide,
                                           .takesSymbols = takesSymbols};
