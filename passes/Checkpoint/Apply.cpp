//===- Apply.cpp - make a plan the program --------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "passes/Checkpoint/Apply.h"

#include "mlir/IR/IRMapping.h"

using namespace mlir;
using namespace tenon;
using namespace tenon::checkpoint;

namespace {
class Applier {
public:
  Applier(const StepProgram &program, KernelTimes &times)
      : program(program), times(times), latest(program.values),
        views(program.values.size()) {
    for (kernel::GroupOp group : program.groups)
      originals.emplace_back(group->operand_begin(), group->operand_end());
  }

  void run(const ckpt::Event &event) {
    if (event.clone)
      return makeClone(*event.clone, program.groups[event.step]);
    Operation *group = program.groups[event.step];
    for (auto [i, operand] : llvm::enumerate(originals[event.step]))
      group->setOperand(unsigned(i), now(operand, group));
  }

  unsigned clones = 0;

private:
  void makeClone(unsigned value, Operation *before);
  Value now(Value operand, Operation *before);

  /// Whether the last clone is one of all of a group, of the same values.
  bool isSame(Operation *group, ArrayRef<Value> operands) {
    return lastOf == group && last->getNumResults() > 1 &&
           llvm::equal(last->getOperands(), operands);
  }

  const StepProgram &program;
  KernelTimes &times;
  kernel::GroupOp last = {};   ///< the latest clone
  Operation *lastOf = nullptr; ///< the group that it is of
  SmallVector<Value> latest;   ///< what holds each value
  /// Of each value, the views of the clone that holds it.
  std::vector<IRMapping> views;
  std::vector<SmallVector<Value>> originals; ///< operands, by group
};
} // namespace

void Applier::makeClone(unsigned value, Operation *before) {
  auto result = cast<OpResult>(program.values[value]);
  unsigned maker = program.makers[value];
  kernel::GroupOp group = program.groups[maker];
  std::optional<Slice> slice = sliceOf(group, result.getResultNumber());
  SmallVector<Value> operands;
  for (unsigned operand : slice->operands)
    operands.push_back(now(originals[maker][operand], before));
  OpBuilder builder(before);
  if (slice->results.size() == 1 || !isSame(group, operands)) {
    last = cloneSlice(builder, *slice, operands);
    lastOf = group;
    // As for its recipe, which there would not be else.
    (void)times.finish(last);
    ++clones;
  }
  auto *place = llvm::find(slice->results, result.getResultNumber());
  latest[value] = last.getResult(unsigned(place - slice->results.begin()));
  views[value].clear();
}

/// What holds an operand now, through views of it.
Value Applier::now(Value operand, Operation *before) {
  auto number = program.numberOf(operand);
  if (!number || latest[*number] == program.values[*number])
    return operand;
  if (operand == program.values[*number])
    return latest[*number];
  IRMapping &known = views[*number];
  if (Value view = known.lookupOrNull(operand))
    return view;
  Operation *op = operand.getDefiningOp();
  IRMapping inner;
  inner.map(op->getOperand(0), now(op->getOperand(0), before));
  OpBuilder builder(before);
  Value view = builder.clone(*op, inner)->getResult(0);
  known.map(operand, view);
  return view;
}

/// What all of its readers find elsewhere.
static void eraseUnused(func::FuncOp function) {
  Block &block = function.front();
  for (Operation &op : llvm::make_early_inc_range(llvm::reverse(block)))
    if (&op != block.getTerminator() && op.use_empty() && isPure(&op))
      op.erase();
}

unsigned checkpoint::apply(const StepProgram &program,
                           const ckpt::Evaluation &evaluation,
                           KernelTimes &times) {
  Applier applier(program, times);
  for (const ckpt::Event &event : evaluation.events)
    applier.run(event);
  eraseUnused(program.function);
  return applier.clones;
}
