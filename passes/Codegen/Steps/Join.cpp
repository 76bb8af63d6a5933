//===- Join.cpp - the launches of a loop's body as one kernel -------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "passes/Codegen/Steps/Parts.h"
#include "passes/Codegen/Steps/Steps.h"

#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/StringExtras.h"

using namespace mlir;
using namespace tenon;
using namespace tenon::codegen;

namespace {
/// Emits the loops around the parts of a body. Buffers of the kernel: the
/// operands and the constants of the body, results, scratch of the body, then
/// the two states of each result that is carried on but not stacked, which
/// steps read and write by turns, and the fault word.
class StepsEmitter {
public:
  StepsEmitter(KernelBuilder &b, graph::StepsOp steps, const StepParts &parts)
      : b(b), steps(steps), parts(parts) {}

  void emitAtOnce();
  void emitSplit();

private:
  void emitGroup(const StepParts::Group &group, Value step, Interval tiles,
                 Value turn);
  void emitPart(const StepParts::Part &part, Value step, Interval tiles);
  Value pointerOf(Value buffer, Value step);
  Value inputAt(unsigned number, Value step);
  Value outputAt(unsigned number, Value step);
  Value slice(Value pointer, Value index, Type tensor);
  Value firstTile(const StepParts::Part &part, Value tile);

  unsigned firstResult() {
    return steps.getInputs().size() + parts.constants.size();
  }
  unsigned firstScratch() { return firstResult() + steps.getNumResults(); }
  Value stateOf(unsigned result) {
    return b.buffer(firstScratch() + parts.scratch.size() +
                    parts.states.lookup(result));
  }

  KernelBuilder &b;
  graph::StepsOp steps;
  const StepParts &parts;
};
} // namespace

//===-- Buffers -----------------------------------------------------------===//

/// Slice `index` of what lies behind each other.
Value StepsEmitter::slice(Value pointer, Value index, Type tensor) {
  int64_t bytes = *graph::tensorBytes(tensor);
  return b.at(pointer, b.mul(index, bytes), b.builder().getI8Type());
}

/// What step `step` finds of operand `number` of the loop.
Value StepsEmitter::inputAt(unsigned number, Value step) {
  Value given = b.buffer(number);
  Type type = steps.getInputs()[number].getType();
  if (steps.isScan(number)) {
    auto tensor = cast<RankedTensorType>(type);
    return slice(given, step,
                 RankedTensorType::get(tensor.getShape().drop_front(),
                                       tensor.getElementType()));
  }
  if (!steps.isCarried(number))
    return given;
  unsigned result = steps.getNextOf(number);
  Value before = steps.getStacked()[result]
                     ? slice(b.buffer(firstResult() + result),
                             b.sub(step, b.index(1)), type)
                     : slice(stateOf(result), b.rem(step, 2), type);
  return b.choose(b.equal(step, b.index(0)), given, before);
}

/// Where step `step` leaves the body's result `number`.
Value StepsEmitter::outputAt(unsigned number, Value step) {
  Value result = b.buffer(firstResult() + number);
  auto tensor = cast<RankedTensorType>(steps->getResult(number).getType());
  if (steps.getStacked()[number])
    return slice(result, step,
                 RankedTensorType::get(tensor.getShape().drop_front(),
                                       tensor.getElementType()));
  if (!parts.states.contains(number))
    return result;
  Value next = slice(stateOf(number), b.rem(b.add(step, 1), 2), tensor);
  Value last = b.index(int64_t(steps.getCount()) - 1);
  return b.choose(b.equal(step, last), result, next);
}

Value StepsEmitter::pointerOf(Value buffer, Value step) {
  StepParts::Place place = parts.places.lookup(buffer);
  Value pointer;
  switch (place.kind) {
  case StepParts::Place::Input:
    pointer = inputAt(place.number, step);
    break;
  case StepParts::Place::Output:
    pointer = outputAt(place.number, step);
    break;
  case StepParts::Place::Constant:
    pointer = b.buffer(steps.getInputs().size() + place.number);
    break;
  case StepParts::Place::Scratch:
    pointer = b.buffer(firstScratch() + place.number);
    break;
  case StepParts::Place::Fault:
    pointer =
        b.buffer(firstScratch() + parts.scratch.size() + parts.states.size());
    break;
  }
  return b.at(pointer, place.byteOffset, b.builder().getI8Type());
}

//===-- Parts -------------------------------------------------------------===//

void StepsEmitter::emitPart(const StepParts::Part &part, Value step,
                            Interval tiles) {
  Values buffers;
  kernel::LaunchOp launch = part.launch;
  for (Value operand : launch->getOperands())
    buffers.push_back(pointerOf(operand, step));
  inlineKernel(b, part.kernel, buffers, tiles);
}

/// The first tile of a part that belongs to tile `tile` of the kernel, or
/// behind it.
Value StepsEmitter::firstTile(const StepParts::Part &part, Value tile) {
  if (part.tiles == parts.tiles)
    return tile;
  return b.div(b.mul(tile, part.tiles), parts.tiles);
}

/// `tiles` of the kernel's, at turn `turn` of the group.
void StepsEmitter::emitGroup(const StepParts::Group &group, Value step,
                             Interval tiles, Value turn) {
  for (const StepParts::Part &part : group.parts) {
    Value before = b.mul(turn, part.tiles);
    emitPart(part, step,
             {b.add(before, firstTile(part, tiles.begin)),
              b.add(before, firstTile(part, tiles.end))});
  }
}

//===-- Loops -------------------------------------------------------------===//

/// One tile that runs everything.
void StepsEmitter::emitAtOnce() {
  Interval all = {b.index(0), b.index(parts.tiles)};
  b.forTiles([&](Value) {
    b.loop(b.index(0), b.index(int64_t(steps.getCount())), 1, [&](Value step) {
      for (const StepParts::Group &group : parts.groups)
        b.loop(b.index(0), b.index(group.turns), 1,
               [&](Value turn) { emitGroup(group, step, all, turn); });
    });
  });
}

void StepsEmitter::emitSplit() {
  int64_t turns = parts.turns(), tiles = parts.tiles;
  Value first = b.div(b.tileBegin(), tiles), end = b.divUp(b.tileEnd(), tiles);
  b.loop(first, end, 1, [&](Value number) {
    Value base = b.mul(number, tiles), step = b.div(number, turns);
    Interval own = {b.max(b.sub(b.tileBegin(), base), b.index(0)),
                    b.min(b.sub(b.tileEnd(), base), b.index(tiles))};
    Value turn = b.rem(number, turns);
    int64_t before = 0;
    for (const StepParts::Group &group : parts.groups) {
      Value own_turn = b.sub(turn, b.index(before));
      auto emit = [&] { emitGroup(group, step, own, own_turn); };
      if (parts.groups.size() == 1)
        emit();
      else
        b.ifThen(b.inside(own_turn, group.turns), emit);
      before += group.turns;
    }
  });
}

//===-- The kernel --------------------------------------------------------===//

/// What is known of the kernels holds for all of them.
static void describeSteps(FunctionOpInterface function,
                          const StepParts &parts) {
  using kernel::KernelDialect;
  MLIRContext *context = function.getContext();
  KernelDialect::ErrorGrowthAttrHelper growth(context);
  KernelDialect::OneCallAttrHelper oneCall(context);
  KernelDialect::CheckedAttrHelper checked(context);
  double most = 1;
  for (const StepParts::Group &group : parts.groups)
    for (const StepParts::Part &part : group.parts) {
      if (FloatAttr own = growth.getAttr(part.kernel))
        most = std::max(most, own.getValueAsDouble());
      if (oneCall.isAttrPresent(part.kernel))
        oneCall.setAttr(function, UnitAttr::get(context));
    }
  if (most != 1)
    growth.setAttr(function, Builder(context).getF64FloatAttr(most));
  if (parts.isChecked)
    checked.setAttr(function, UnitAttr::get(context));
  function.setPrivate();
}

/// An index that is out of range is blamed on the first one.
static std::string nodesOf(const StepParts &parts) {
  using Checked = kernel::KernelDialect::CheckedAttrHelper;
  llvm::SetVector<StringRef> names;
  auto add = [&](bool areChecked) {
    for (const StepParts::Group &group : parts.groups)
      for (const StepParts::Part &part : group.parts) {
        kernel::LaunchOp launch = part.launch;
        Checked checked(launch.getContext());
        SmallVector<StringRef> own;
        launch.getNodes().split(own, ';', -1, /*KeepEmpty=*/false);
        if (checked.isAttrPresent(part.kernel) == areChecked)
          names.insert(own.begin(), own.end());
      }
  };
  add(true);
  add(false);
  return llvm::join(names, ";");
}

JoinedSteps codegen::joinSteps(graph::StepsOp steps, const tile::Target &target,
                               StringRef name) {
  StepParts parts(steps);
  JoinedSteps joined;
  joined.constants = parts.constants;
  Sizes &scratch = joined.kernel.scratch;
  scratch.append(parts.scratch.begin(), parts.scratch.end());
  scratch.resize(scratch.size() + parts.states.size());
  for (auto [result, state] : parts.states)
    scratch[parts.scratch.size() + state] =
        2 * *graph::tensorBytes(steps->getResult(result).getType());
  if (parts.isChecked)
    scratch.push_back(sizeof(int64_t));
  unsigned buffers = steps.getInputs().size() + joined.constants.size() +
                     steps.getNumResults() + scratch.size();
  CalledFunction function(steps->getParentOfType<ModuleOp>(), steps.getLoc(),
                          name, buffers);
  KernelBuilder b(function, steps.getLoc(), target);
  StepsEmitter emitter(b, steps, parts);
  joined.kernel.name = name.str();
  if (parts.paysToSplit(target)) {
    joined.kernel.tiles = parts.tiles;
    joined.kernel.steps = int64_t(steps.getCount()) * parts.turns();
    emitter.emitSplit();
  } else {
    emitter.emitAtOnce();
  }
  function.finish();
  describeSteps(function.op, parts);
  joined.nodes = nodesOf(parts);
  joined.threadScratch = parts.threadScratch;
  joined.flops = parts.flops * int64_t(steps.getCount());
  joined.bytes = parts.bytes * int64_t(steps.getCount());
  return joined;
}
