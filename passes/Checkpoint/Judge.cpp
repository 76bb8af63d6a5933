//===- Judge.cpp - arenas of plans ----------------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "passes/Checkpoint/Judge.h"

#include "lib/Memory/Solve.h"

using namespace tenon;
using namespace tenon::checkpoint;

/// So many plans are placed at most, beside the first and the last.
static constexpr size_t mostPlaced = 64;

namespace {
/// The buffers of events: one for each time that a value is stored.
class Placement {
public:
  Placement(const ckpt::Problem &problem, const ckpt::Evaluation &evaluation,
            llvm::ArrayRef<int64_t> beside)
      : problem(problem), beside(beside), latest(problem.values.size(), -1) {
    for (const ckpt::Event &event : evaluation.events)
      add(event);
  }

  mem::Problem buffers;

private:
  void add(const ckpt::Event &event) {
    for (unsigned value : event.reads)
      buffers.buffers[latest[value]].upper = mem::Clock(now + 1);
    std::vector<int> before(latest);
    if (event.clone) {
      addBuffer(beside[*event.clone]);
      store(*event.clone);
    } else {
      for (unsigned value : problem.steps[event.step].writes)
        store(value);
    }
    for (auto [result, operand] : event.inPlace)
      buffers.overlays.push_back({unsigned(before[operand]),
                                  unsigned(latest[result]), 0,
                                  mem::Overlay::InPlace});
    ++now;
  }

  void store(unsigned value) {
    latest[value] = int(buffers.buffers.size());
    addBuffer(problem.values[value].bytes);
  }

  /// One that only this event needs, so far.
  void addBuffer(int64_t bytes) {
    mem::Buffer buffer;
    buffer.id = std::to_string(buffers.buffers.size());
    buffer.lower = mem::Clock(now);
    buffer.upper = mem::Clock(now + 1);
    buffer.size = bytes;
    buffer.alignment = 64;
    buffers.buffers.push_back(std::move(buffer));
  }

  const ckpt::Problem &problem;
  llvm::ArrayRef<int64_t> beside;
  std::vector<int> latest; ///< buffers, by value
  int64_t now = 0;
};
} // namespace

llvm::Expected<int64_t> checkpoint::arenaOf(const ckpt::Problem &problem,
                                            const ckpt::Evaluation &evaluation,
                                            llvm::ArrayRef<int64_t> beside) {
  mem::Problem buffers = Placement(problem, evaluation, beside).buffers;
  if (llvm::Error error = buffers.check())
    return std::move(error);
  mem::Solution solution = mem::solvePortfolio(buffers);
  if (llvm::Error error = mem::validate(buffers, solution))
    return std::move(error);
  return solution.arenaBytes();
}

/// Evenly spread, the first and the last one among them.
static std::vector<ckpt::Plan> someOf(const std::vector<ckpt::Plan> &plans) {
  if (plans.size() <= mostPlaced)
    return plans;
  std::vector<ckpt::Plan> some;
  for (size_t i = 0; i < mostPlaced; ++i)
    some.push_back(plans[i * (plans.size() - 1) / (mostPlaced - 1)]);
  return some;
}

llvm::Expected<Judged> checkpoint::judge(const ckpt::Problem &problem,
                                         const ckpt::Plan &plan,
                                         llvm::ArrayRef<int64_t> beside) {
  ckpt::Evaluation evaluation = ckpt::evaluate(problem, plan.marks);
  if (llvm::Error error = ckpt::validate(problem, plan.marks, evaluation))
    return std::move(error);
  auto arena = arenaOf(problem, evaluation, beside);
  if (!arena)
    return arena.takeError();
  return Judged{plan, *arena};
}

llvm::Expected<std::vector<Judged>>
checkpoint::judge(const ckpt::Problem &problem, const ckpt::Frontier &frontier,
                  llvm::ArrayRef<int64_t> beside) {
  std::vector<Judged> judged;
  for (const ckpt::Plan &plan : someOf(frontier.plans)) {
    auto one = judge(problem, plan, beside);
    if (!one)
      return one.takeError();
    if (judged.empty() || one->arena < judged.back().arena)
      judged.push_back(std::move(*one));
  }
  return judged;
}
