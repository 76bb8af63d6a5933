//===- StepProblem.cpp - groups as a problem of checkpointing -------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "passes/Checkpoint/StepProblem.h"

#include "dialects/Graph/Graph.h"
#include "dialects/Graph/States.h"
#include "lib/Checkpoint/Dropped.h"
#include "lib/Support/SortUnique.h"

using namespace mlir;
using namespace tenon;
using namespace tenon::checkpoint;

/// Buffers begin at cache lines.
static constexpr int64_t lineBytes = 64;

static int64_t bytesOf(Value value) {
  int64_t bytes = graph::tensorBytes(value.getType()).value_or(0);
  return (bytes + lineBytes - 1) / lineBytes * lineBytes;
}

namespace {
class Reader {
public:
  Reader(const StepProgram &program, KernelTimes &times)
      : program(program), times(times) {}

  ckpt::Problem run();

private:
  ckpt::Step stepOf(unsigned group);
  ckpt::Value valueOf(unsigned value);
  std::optional<ckpt::Recipe> recipeOf(unsigned value);
  std::vector<unsigned> overwritesOf(unsigned group) const;
  unsigned lossStep() const;

  const StepProgram &program;
  KernelTimes &times;
};
} // namespace

/// What a clone of a value's group, or of a part of it, takes.
std::optional<ckpt::Recipe> Reader::recipeOf(unsigned value) {
  auto result = cast<OpResult>(program.values[value]);
  kernel::GroupOp group = program.groups[program.makers[value]];
  std::optional<Slice> slice = sliceOf(group, result.getResultNumber());
  if (!slice)
    return std::nullopt;
  SmallVector<Value> operands;
  ckpt::Recipe recipe;
  for (unsigned operand : slice->operands) {
    operands.push_back(group.getOperands_()[operand]);
    if (auto number = program.numberOf(operands.back()))
      recipe.operands.push_back(*number);
  }
  sortUnique(recipe.operands);
  OpBuilder builder(group->getBlock()->getTerminator());
  kernel::GroupOp clone = cloneSlice(builder, *slice, operands);
  std::optional<int64_t> time = times.finish(clone);
  recipe.pointwise = llvm::all_of(slice->ops, [](Operation *op) {
    return op->hasTrait<graph::Elementwise>();
  });
  clone.erase();
  if (!time)
    return std::nullopt;
  recipe.time = *time;
  return recipe;
}

ckpt::Value Reader::valueOf(unsigned number) {
  ckpt::Value value;
  unsigned maker = program.makers[number];
  Value result = program.values[number];
  value.name = program.nameOf(maker) + " #" + std::to_string(number);
  value.pinned = program.returned[number];
  if (value.pinned)
    return value;
  value.bytes = bytesOf(result);
  value.recipe = recipeOf(number);
  return value;
}

/// Operands in whose place an element-wise kernel may write.
std::vector<unsigned> Reader::overwritesOf(unsigned number) const {
  kernel::GroupOp group = program.groups[number];
  std::vector<unsigned> list;
  for (Operation &op : group.getBlock().without_terminator())
    if (!op.hasTrait<graph::Elementwise>())
      return list;
  for (Value operand : group.getOperands_()) {
    auto value = program.numbers.find(operand);
    if (value == program.numbers.end() || program.returned[value->second])
      continue;
    if (llvm::any_of(group.getResultTypes(),
                     [&](Type type) { return type == operand.getType(); }))
      list.push_back(value->second);
  }
  sortUnique(list);
  return list;
}

ckpt::Step Reader::stepOf(unsigned number) {
  kernel::GroupOp group = program.groups[number];
  ckpt::Step step;
  step.name = program.nameOf(number) + " #" + std::to_string(number);
  step.variants = {{times.of(group), 0}};
  step.reads = program.reads[number];
  for (Value result : group.getResults())
    step.writes.push_back(program.numbers.lookup(result));
  step.overwrites = overwritesOf(number);
  return step;
}

/// The last step of the forward part: it writes the loss or, where that is an
/// output of the model, what else the program gives.
unsigned Reader::lossStep() const {
  auto function = program.function;
  llvm::DenseSet<Attribute> states;
  for (const graph::State &state : graph::statesOf(function))
    states.insert(state.output);
  unsigned step = 0;
  for (auto [i, output] :
       llvm::enumerate(function.front().getTerminator()->getOperands())) {
    auto number = program.numberOf(output);
    auto name = function.getResultAttrOfType<StringAttr>(i, "onnx.name");
    if (number && !states.contains(name))
      step = std::max(step, program.makers[*number]);
  }
  return step;
}

ckpt::Problem Reader::run() {
  ckpt::Problem problem;
  for (unsigned group = 0; group < program.groups.size(); ++group)
    problem.steps.push_back(stepOf(group));
  for (unsigned value = 0; value < program.values.size(); ++value)
    problem.values.push_back(valueOf(value));
  problem.loss = lossStep();
  problem.borders = ckpt::narrowBorders(problem);
  return problem;
}

std::vector<int64_t> checkpoint::bytesBeside(const StepProgram &program) {
  std::vector<int64_t> bytes;
  for (auto [value, maker] : llvm::zip_equal(program.values, program.makers)) {
    auto slice =
        sliceOf(program.groups[maker], cast<OpResult>(value).getResultNumber());
    int64_t beside = 0;
    if (slice && slice->results.size() > 1) {
      for (Value result : slice->group->getResults())
        beside += bytesOf(result);
      beside -= bytesOf(value);
    }
    bytes.push_back(beside);
  }
  return bytes;
}

ckpt::Problem checkpoint::problemOf(const StepProgram &program,
                                    KernelTimes &times) {
  return Reader(program, times).run();
}
