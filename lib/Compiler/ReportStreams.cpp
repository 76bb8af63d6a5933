//===- ReportStreams.cpp - how launches of a device follow each other -----===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Launches of a wave are one by now: what they were stands in what the
// scheduler noted.
//===----------------------------------------------------------------------===//
#include "lib/Compiler/ReportSchedule.h"

#include "dialects/Kernel/ScheduleFacts.h"
#include "lib/Schedule/Draw/Draw.h"
#include "lib/Schedule/Solve.h"
#include "lib/Schedule/Text.h"
#include "passes/Memory/LaunchProgram.h"
#include "passes/Schedule/DeviceSchedule.h"

using namespace mlir;
using namespace tenon;

static ScheduleReport reportOf(const kernel::ScheduleFacts &facts) {
  ScheduleReport report;
  report.waves = facts.waves;
  report.launchesInWaves = facts.launchesInWaves;
  report.nanoseconds = facts.nanoseconds;
  report.inTurn = facts.inTurn;
  report.savedByWaves = facts.savedByWaves;
  report.way = facts.way;
  report.streams = facts.streams;
  report.waits = facts.waits;
  return report;
}

/// Each launch is one.
static sched::Steps stepsOf(func::FuncOp main) {
  sched::Steps steps;
  for (auto launch : main.getOps<kernel::LaunchOp>()) {
    auto number = unsigned(steps.size());
    sched::Step step{{number}, std::nullopt, 0, 1, {}};
    step.first = unsigned(launch.getStream().value_or(0));
    for (int64_t wait : launch.getWaits().value_or(ArrayRef<int64_t>()))
      if (wait >= 0 && wait < int64_t(number))
        step.waits.push_back(unsigned(wait));
    steps.push_back(std::move(step));
  }
  return steps;
}

/// As the scheduler had it, or one after the other.
static std::vector<kernel::StepFacts>
factsOfSteps(const sched::Problem &problem, const sched::Steps &steps,
             const std::optional<kernel::ScheduleFacts> &facts) {
  if (facts && facts->details && facts->details->steps.size() == steps.size())
    return facts->details->steps;
  sched::Timing timing = sched::simulate(problem, steps);
  std::vector<kernel::StepFacts> found;
  for (auto [launch, begin, end] :
       llvm::zip_equal(problem.launches, timing.begins, timing.ends))
    found.push_back({begin, end, 1, launch.times.front()});
  return found;
}

static void addLaunches(func::FuncOp main, const sched::Problem &problem,
                        ArrayRef<kernel::StepFacts> steps,
                        ScheduleReport &report) {
  for (auto [launch, stated, step] : llvm::zip_equal(
           main.getOps<kernel::LaunchOp>(), problem.launches, steps)) {
    LaunchReport each{launch.getNodes().str(), stated.kernel,
                      stated.times.front(), /*threads=*/0};
    each.stream = int64_t(launch.getStream().value_or(0));
    each.begin = step.begin;
    each.end = step.end;
    if (step.launches > 1) {
      report.ofWaves.push_back({step.launches, each.nanoseconds, step.inTurn});
      each.wave = int64_t(report.ofWaves.size());
    }
    report.launches.push_back(std::move(each));
  }
}

/// Streams over time, above the bytes in use.
static std::string drawStreams(const sched::Problem &problem,
                               const sched::Steps &steps,
                               const ScheduleReport &report, StringRef model) {
  sched::Timing timing;
  for (const LaunchReport &launch : report.launches) {
    timing.begins.push_back(launch.begin);
    timing.ends.push_back(launch.end);
    timing.time = std::max(timing.time, launch.end);
  }
  sched::Remarks remarks;
  if (!report.way.empty())
    remarks.text = std::to_string(report.waves) + " waves of " +
                   std::to_string(report.launchesInWaves) + " launches, " +
                   sched::microseconds(report.inTurn) +
                   " us one after the other";
  return sched::drawSteps(problem, steps, timing, model, remarks);
}

/// What the scheduler noted, or would have, had launches not kept their order.
static kernel::ScheduleDetails
frontOf(const sched::Problem &problem,
        const std::optional<kernel::ScheduleFacts> &facts) {
  if (facts && facts->details)
    return *facts->details;
  int64_t most = schedule::mostArena(sched::programPlan(problem).arena);
  return schedule::frontDetails(problem, most, {});
}

std::optional<ScheduleReport>
tenon::reportDeviceSchedule(func::FuncOp main, const tile::GpuTarget &gpu,
                            bool showFront, StringRef model) {
  std::optional<kernel::ScheduleFacts> facts = kernel::scheduleOf(main);
  ScheduleReport report = facts ? reportOf(*facts) : ScheduleReport();
  if (!memory::isPlain(main))
    return std::nullopt;
  auto device = schedule::deviceProblem(main, gpu);
  if (!device) {
    llvm::consumeError(device.takeError());
    return facts ? std::optional(report) : std::nullopt;
  }
  const sched::Problem &problem = device->problem;
  sched::Steps steps = stepsOf(main);
  addLaunches(main, problem, factsOfSteps(problem, steps, facts), report);
  if (!facts)
    report.nanoseconds = report.inTurn = sched::programOrder(problem).time;
  if (!showFront)
    return report;
  kernel::ScheduleDetails details = frontOf(problem, facts);
  for (auto [time, bytes] : details.front)
    report.front.push_back({time, bytes});
  report.picture = drawStreams(problem, steps, report, model);
  memory::MemoryDialect::ArenaBytesAttrHelper arena(main.getContext());
  IntegerAttr bytes = arena.getAttr(main);
  report.frontPicture = drawFront(report,
                                  {details.orderBytes, details.leastBytes,
                                   bytes ? bytes.getInt() : details.orderBytes},
                                  model);
  return report;
}
