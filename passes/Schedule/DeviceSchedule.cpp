//===- DeviceSchedule.cpp - launches of a GPU side by side ----------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "passes/Schedule/DeviceSchedule.h"

#include "passes/Memory/LaunchProgram.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace tenon;
using namespace tenon::schedule;

/// Of what launches take one by one: less is within the error of what is
/// predicted, and a launch that waits for another stream does not begin early.
static bool isWorthIt(int64_t time, int64_t inTurn) {
  return time * 100 <= inTurn * 97;
}

int64_t schedule::mostArena(int64_t bytes, unsigned members) {
  int64_t more = bytes / 10 * 13 + bytes % 10 * 13 / 10;
  return llvm::SaturatingMultiply<uint64_t>(more, members) > INT64_MAX
             ? INT64_MAX
             : more * members;
}

/// The fastest plan below a cap, proven.
static llvm::Expected<sched::Plan>
planBelow(sched::Problem problem, int64_t cap, const Beside &beside) {
  problem.cap = cap;
  if (!beside.waves)
    for (sched::Launch &launch : problem.launches)
      launch.blocks = {};
  sched::PlanOptions options;
  options.mostStreams = beside.streams;
  llvm::Expected<sched::Plan> plan = sched::plan(problem, options);
  if (plan)
    if (llvm::Error error = sched::validate(problem, *plan))
      return error;
  return plan;
}

std::optional<sched::Plan> schedule::planDevice(const sched::Problem &problem,
                                                int64_t cap,
                                                const Beside &beside) {
  llvm::Expected<sched::Plan> plan = planBelow(problem, cap, beside);
  if (plan && isWorthIt(plan->time, sched::programOrder(problem).time))
    return std::move(*plan);
  llvm::consumeError(plan.takeError());
  return std::nullopt;
}

std::vector<sched::FrontPoint>
schedule::deviceFront(const sched::Problem &problem, int64_t cap,
                      const Beside &beside) {
  return sched::frontInSteps(
      sched::leastPeak(problem).peak,
      [&](std::optional<int64_t> lower) -> std::optional<sched::FrontPoint> {
        auto plan = planBelow(problem, lower.value_or(cap), beside);
        if (plan)
          return sched::FrontPoint{plan->time, plan->arena};
        llvm::consumeError(plan.takeError());
        return std::nullopt;
      });
}

static int64_t inTurn(const sched::Problem &problem, const sched::Step &step) {
  int64_t time = 0;
  for (unsigned launch : step.launches)
    time += problem.launches[launch].times.front();
  return time;
}

kernel::ScheduleDetails schedule::frontDetails(const sched::Problem &problem,
                                               int64_t cap,
                                               const Beside &beside) {
  kernel::ScheduleDetails details;
  for (auto [time, bytes] : deviceFront(problem, cap, beside))
    details.front.push_back({time, bytes});
  details.orderBytes = sched::programPlan(problem).arena;
  details.leastBytes = sched::leastPeak(problem).peak;
  return details;
}

kernel::ScheduleDetails schedule::detailsOf(const sched::Problem &problem,
                                            const sched::Plan &plan,
                                            int64_t cap, const Beside &beside) {
  kernel::ScheduleDetails details = frontDetails(problem, cap, beside);
  sched::Timing timing = sched::simulate(problem, plan.steps);
  for (auto [step, begin, end] :
       llvm::zip_equal(plan.steps, timing.begins, timing.ends))
    details.steps.push_back(
        {begin, end, int64_t(step.launches.size()), ::inTurn(problem, step)});
  return details;
}

kernel::ScheduleFacts schedule::factsOf(const sched::Problem &problem,
                                        const sched::Plan &plan) {
  kernel::ScheduleFacts facts;
  facts.way = plan.name;
  facts.nanoseconds = plan.time;
  facts.inTurn = sched::programOrder(problem).time;
  llvm::DenseSet<unsigned> streams;
  for (const sched::Step &step : plan.steps) {
    streams.insert(step.first);
    facts.waits += int64_t(step.waits.size());
    if (step.launches.size() > 1) {
      ++facts.waves;
      facts.launchesInWaves += int64_t(step.launches.size());
      facts.savedByWaves +=
          ::inTurn(problem, step) - sched::costOf(problem, step).time;
    }
  }
  facts.streams = int64_t(streams.size());
  return facts;
}

namespace {
class Application {
public:
  Application(func::FuncOp main, const DeviceProblem &device,
              const sched::Plan &plan)
      : launches(main.getOps<kernel::LaunchOp>().begin(),
                 main.getOps<kernel::LaunchOp>().end()),
        main(main), device(device), plan(plan), b(main.getContext()) {}

  void run() {
    std::vector<unsigned> order;
    for (const sched::Step &step : plan.steps) {
      firstOf.push_back(int64_t(order.size()));
      llvm::append_range(order, step.launches);
    }
    memory::reorder(main, order);
    for (const sched::Step &step : plan.steps)
      write(step);
    for (auto [alloc, offset] : llvm::zip_equal(device.tensors, plan.offsets))
      memory::AllocOp(alloc).setOffsetAttr(b.getI64IntegerAttr(offset));
  }

private:
  void write(const sched::Step &step) {
    // Streams are numbered by first use.
    int64_t stream =
        streams.insert({step.first, int64_t(streams.size())}).first->second;
    bool isWave = step.launches.size() > 1;
    for (unsigned number : step.launches) {
      kernel::LaunchOp launch = launches[number];
      if (stream)
        launch.setStreamAttr(b.getI64IntegerAttr(stream));
      if (isWave)
        launch.setWaveAttr(b.getI64IntegerAttr(waves));
    }
    if (isWave)
      setTime(launches[step.launches.front()], step);
    waves += isWave;
    SmallVector<int64_t> waits;
    for (unsigned wait : step.waits)
      waits.push_back(firstOf[wait]);
    if (!waits.empty())
      launches[step.launches.front()].setWaits(waits);
  }

  /// What a wave takes stands among the costs of its first launch.
  void setTime(kernel::LaunchOp first, const sched::Step &step) {
    NamedAttrList costs(first.getCostsAttr());
    int64_t time = sched::costOf(device.problem, step).time;
    costs.set(kernel::waveCost, b.getI64IntegerAttr(time));
    first.setCostsAttr(costs.getDictionary(b.getContext()));
  }

  SmallVector<kernel::LaunchOp> launches; ///< of the problem
  func::FuncOp main;
  const DeviceProblem &device;
  const sched::Plan &plan;
  Builder b;
  std::vector<int64_t> firstOf; ///< launches before each step
  llvm::MapVector<unsigned, int64_t> streams;
  int64_t waves = 0;
};
} // namespace

void schedule::apply(func::FuncOp main, const DeviceProblem &device,
                     const sched::Plan &plan) {
  Application(main, device, plan).run();
}
