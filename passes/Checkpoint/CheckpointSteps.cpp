//===- CheckpointSteps.cpp - what a step keeps and what it redoes ---------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file implements tenon-checkpoint-steps. Which plans there are does not
// depend on the budget, so that more bytes never take more time.
//===----------------------------------------------------------------------===//
#include "passes/Checkpoint/Apply.h"
#include "passes/Checkpoint/Budget.h"
#include "passes/Checkpoint/Frontier.h"
#include "passes/Checkpoint/Judge.h"
#include "passes/Checkpoint/LateOrder.h"
#include "passes/Checkpoint/Passes.h"
#include "passes/Checkpoint/StepProblem.h"

#include "dialects/Graph/GraphSteps.h"
#include "dialects/Graph/Programs.h"
#include "dialects/Graph/States.h"
#include "dialects/Graph/Symbols.h"
#include "lib/Checkpoint/Others.h"
#include "passes/Codegen/Backends.h"
#include "llvm/ADT/SetVector.h"

namespace tenon::checkpoint {
#define GEN_PASS_DEF_CHECKPOINTSTEPSPASS
#include "passes/Checkpoint/Passes.h.inc"
} // namespace tenon::checkpoint

using namespace mlir;
using namespace tenon;
using namespace tenon::checkpoint;

namespace {
class CheckpointSteps
    : public checkpoint::impl::CheckpointStepsPassBase<CheckpointSteps> {
public:
  using CheckpointStepsPassBase::CheckpointStepsPassBase;

  void runOnOperation() override;

private:
  LogicalResult run(func::FuncOp function, const Budget &wanted,
                    KernelTimes &times);
};
} // namespace

/// Whether a program changes states.
static bool updates(func::FuncOp function) {
  return !graph::isStepsBody(function) &&
         llvm::any_of(graph::statesOf(function), [](const graph::State &state) {
           return bool(state.output);
         });
}

static void bringInOrder(func::FuncOp function) {
  StepProgram program(function);
  SmallVector<kernel::GroupOp> order;
  for (unsigned group : lateOrder(program))
    order.push_back(program.groups[group]);
  reorder(function, order);
}

static LogicalResult fail(func::FuncOp function, llvm::Error error) {
  return emitError(graph::modelLoc(function))
         << "checkpointing: " << llvm::toString(std::move(error));
}

/// The fastest plan that a budget allows; null if there is none.
static const Judged *choose(ArrayRef<Judged> plans, const Judged &none,
                            const Budget &wanted, int64_t scale) {
  if (wanted.kind == Budget::None)
    return &none;
  std::optional<int64_t> bytes = wanted.bytesOf(none.arena);
  const Judged *chosen = nullptr;
  for (const Judged &plan : plans) {
    bool isFree = plan.plan.time <= none.plan.time;
    if (bytes ? plan.arena <= *bytes / 1000 * scale : isFree)
      chosen = &plan;
    if (bytes && chosen)
      break;
  }
  return chosen || bytes ? chosen : &none;
}

namespace {
/// What was found, and what is taken of it.
struct Decision {
  const Judged &none;
  ArrayRef<Judged> plans;
  const Judged &taken;
  int64_t bound;
  const ckpt::Evaluation &evaluation; ///< of what is taken
  std::vector<OtherStepPlan> others;
};
} // namespace

static StepPlan planOf(const ckpt::Problem &problem, const Judged &judged) {
  int64_t clones = 0;
  for (const ckpt::Event &event :
       ckpt::evaluate(problem, judged.plan.marks).events)
    clones += event.clone.has_value();
  return {judged.plan.time / 1000, judged.arena, clones};
}

/// The ONNX nodes of kernels that run again, each once.
static std::vector<std::string> nodesAgain(const StepProgram &program,
                                           const ckpt::Evaluation &evaluation) {
  llvm::SetVector<StringRef> names;
  std::vector<std::string> texts;
  for (const ckpt::Event &event : evaluation.events)
    if (event.clone)
      texts.push_back(program.nodesOf(program.makers[*event.clone]));
  for (StringRef text : texts) {
    SmallVector<StringRef> nodes;
    text.split(nodes, ';', -1, /*KeepEmpty=*/false);
    names.insert(nodes.begin(), nodes.end());
  }
  return {names.begin(), names.end()};
}

/// Leaves the decision for reports.
static void note(const StepProgram &program, const ckpt::Problem &problem,
                 const Decision &decision) {
  StepFrontier frontier;
  frontier.none = planOf(problem, decision.none);
  frontier.taken = planOf(problem, decision.taken);
  frontier.boundBytes = decision.bound;
  for (const Judged &plan : decision.plans)
    frontier.plans.push_back(planOf(problem, plan));
  frontier.others = decision.others;
  frontier.again = nodesAgain(program, decision.evaluation);
  setFrontier(program.function->getParentOfType<ModuleOp>(), frontier);
}

/// What other ways would do on the same kernels.
static llvm::Expected<std::vector<OtherStepPlan>>
judgeOthers(const ckpt::Problem &problem, ArrayRef<int64_t> beside) {
  std::vector<OtherStepPlan> others;
  for (const ckpt::OtherPlan &other : ckpt::othersOf(problem)) {
    auto judged = judge(problem, other.plan, beside);
    if (!judged)
      return judged.takeError();
    others.push_back({other.name, planOf(problem, *judged)});
  }
  return others;
}

/// Says what stands in the way of a smaller arena. `least` counts what halos
/// and scratch were found to need.
static LogicalResult refuse(func::FuncOp function, const ckpt::Problem &problem,
                            int64_t bytes, int64_t least) {
  ckpt::LeastBytes bound = ckpt::leastBytes(problem);
  return emitError(graph::modelLoc(function))
         << "--arena-budget: " << bytes
         << " bytes are too few: the smallest arena known has " << least
         << ", and none has fewer than " << bound.bytes << ", which '"
         << StringRef(problem.steps[bound.step].name).rsplit(" #").first
         << "' needs at once";
}

LogicalResult CheckpointSteps::run(func::FuncOp function, const Budget &wanted,
                                   KernelTimes &times) {
  bringInOrder(function);
  StepProgram program(function);
  if (program.groups.empty())
    return success();
  ckpt::Problem problem = problemOf(program, times);
  auto frontier = ckpt::solve(problem);
  if (!frontier)
    return fail(function, frontier.takeError());
  std::vector<int64_t> beside = bytesBeside(program);
  auto plans = judge(problem, *frontier, beside);
  if (!plans)
    return fail(function, plans.takeError());
  auto arena = arenaOf(problem, ckpt::evaluate(problem, {}), beside);
  if (!arena)
    return fail(function, arena.takeError());
  Judged none{frontier->program, *arena};
  const Judged *chosen = choose(*plans, none, wanted, scale);
  if (!chosen)
    return refuse(function, problem, *wanted.bytesOf(none.arena),
                  plans->back().arena * 1000 / std::max<int64_t>(scale, 1));
  auto beats =
      others ? judgeOthers(problem, beside) : std::vector<OtherStepPlan>();
  if (!beats)
    return fail(function, beats.takeError());
  ckpt::Evaluation evaluation = ckpt::evaluate(problem, chosen->plan.marks);
  note(program, problem,
       {none, *plans, *chosen, frontier->bound, evaluation, std::move(*beats)});
  numClones += apply(program, evaluation, times);
  return success();
}

void CheckpointSteps::runOnOperation() {
  std::optional<Budget> wanted = parseBudget(budget);
  if (!wanted || scale < 0 || scale > 1000) {
    getOperation().emitError("a budget is a number of bytes, a fraction as "
                             "0.25, free or none, not '")
        << budget << "'";
    return signalPassFailure();
  }
  std::unique_ptr<codegen::Device> device = codegen::makeDevice(
      getOperation(), {target, threads, winograd, bf16x6, precision});
  if (!device)
    return signalPassFailure();
  KernelTimes times(*device);
  for (func::FuncOp function : graph::programs(getOperation()))
    if (updates(function) && failed(run(function, *wanted, times)))
      return signalPassFailure();
}
