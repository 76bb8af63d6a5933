//===- ReportSchedule.cpp - how launches follow each other ----------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "lib/Compiler/ReportSchedule.h"

#include "dialects/Kernel/ScheduleFacts.h"
#include "lib/Schedule/Solve.h"
#include "passes/Memory/LaunchProgram.h"
#include "passes/Schedule/LaunchProblem.h"
#include "passes/Schedule/Moments.h"
#include "llvm/Support/Format.h"

using namespace mlir;
using namespace tenon;

static bool isForScheduler(func::FuncOp main) {
  return memory::isPlain(main) && !memory::hasStreams(main);
}

std::optional<sched::Problem> tenon::scheduleProblem(func::FuncOp main,
                                                     int64_t threads) {
  if (!isForScheduler(main))
    return std::nullopt;
  auto problem =
      schedule::launchProblem(main, unsigned(std::max<int64_t>(threads, 1)));
  if (problem)
    return std::move(*problem);
  llvm::consumeError(problem.takeError());
  return std::nullopt;
}

std::optional<sched::Problem>
tenon::scheduleProblem(func::FuncOp main, const tile::GpuTarget &gpu) {
  if (!isForScheduler(main))
    return std::nullopt;
  auto device = schedule::deviceProblem(main, gpu);
  if (device)
    return std::move(device->problem);
  llvm::consumeError(device.takeError());
  return std::nullopt;
}

std::optional<ScheduleReport> tenon::reportDeviceSchedule(func::FuncOp main) {
  std::optional<kernel::ScheduleFacts> facts = kernel::scheduleOf(main);
  if (!facts)
    return std::nullopt;
  ScheduleReport report;
  report.waves = facts->waves;
  report.launchesInWaves = facts->launchesInWaves;
  report.nanoseconds = facts->nanoseconds;
  report.inTurn = facts->inTurn;
  report.way = facts->way;
  report.streams = facts->streams;
  report.waits = facts->waits;
  return report;
}

/// The fastest schedules below lower and lower peaks, down to the least, in at
/// most so many steps: each takes as long as a compilation's.
static std::vector<FrontPoint> frontOf(sched::Problem problem) {
  constexpr int64_t steps = 8;
  int64_t least = sched::leastPeak(problem).peak, step = 0;
  std::vector<FrontPoint> front;
  while (true) {
    llvm::Expected<sched::Solution> next = sched::solve(problem);
    if (!next) {
      llvm::consumeError(next.takeError());
      return front;
    }
    auto moments = schedule::withWaves(problem, next->stages);
    int64_t peak =
        sched::measure(problem, schedule::stagesOf(problem, moments)).peak;
    int64_t time = schedule::timeOf(problem, moments);
    // With less freedom something faster may have been found.
    llvm::erase_if(front, [&](const FrontPoint &point) {
      return point.nanoseconds >= time;
    });
    front.push_back({time, peak});
    if (peak <= least)
      return front;
    step = step ? step : std::max<int64_t>((peak - least) / steps, 1);
    problem.cap = std::max(peak - step, least);
  }
}

ScheduleReport tenon::reportSchedule(func::FuncOp main,
                                     const sched::Problem &problem,
                                     bool showFront) {
  ScheduleReport report;
  schedule::Moments moments, inTurn;
  for (auto [launch, moment] : llvm::enumerate(memory::momentsOf(main))) {
    moments.resize(moment + 1);
    moments.back().push_back(unsigned(launch));
    inTurn.push_back({unsigned(launch)});
  }
  for (const std::vector<unsigned> &moment : moments)
    if (moment.size() > 1) {
      ++report.waves;
      report.launchesInWaves += int64_t(moment.size());
    }
  report.nanoseconds = schedule::timeOf(problem, moments);
  report.inTurn = schedule::timeOf(problem, inTurn);
  if (showFront)
    report.front = frontOf(problem);
  return report;
}

/// Of a device, whose schedule has a name.
static void printDeviceSchedule(llvm::raw_ostream &stream,
                                const ScheduleReport &schedule) {
  stream << llvm::format(
      "\n  %lld waves of %lld launches, %lld streams with "
      "%lld waits (%s); predicted %.1f us, %.1f one after "
      "the other: %.3f\n",
      (long long)schedule.waves, (long long)schedule.launchesInWaves,
      (long long)schedule.streams, (long long)schedule.waits,
      schedule.way.c_str(), double(schedule.nanoseconds) / 1e3,
      double(schedule.inTurn) / 1e3,
      double(schedule.nanoseconds) /
          double(std::max<int64_t>(schedule.inTurn, 1)));
}

void tenon::printSchedule(llvm::raw_ostream &stream,
                          const ScheduleReport &schedule, int64_t threads) {
  if (!schedule.way.empty())
    printDeviceSchedule(stream, schedule);
  else if (schedule.waves)
    stream << llvm::format(
        "\n  %lld waves of %lld launches; predicted %.1f us on %lld threads, "
        "%.1f one after the other\n",
        (long long)schedule.waves, (long long)schedule.launchesInWaves,
        double(schedule.nanoseconds) / 1e3, (long long)threads,
        double(schedule.inTurn) / 1e3);
  if (schedule.front.empty())
    return;
  stream << "\n  predicted time      peak of memory\n";
  for (const FrontPoint &point : schedule.front)
    stream << llvm::format("  %11.1f us  %14lld bytes\n",
                           double(point.nanoseconds) / 1e3,
                           (long long)point.peakBytes);
}

llvm::json::Object tenon::scheduleJson(const ScheduleReport &schedule) {
  llvm::json::Array front;
  for (const FrontPoint &point : schedule.front)
    front.push_back(llvm::json::Object{{"nanoseconds", point.nanoseconds},
                                       {"peak_bytes", point.peakBytes}});
  return llvm::json::Object{{"waves", schedule.waves},
                            {"launches_in_waves", schedule.launchesInWaves},
                            {"nanoseconds", schedule.nanoseconds},
                            {"nanoseconds_in_turn", schedule.inTurn},
                            {"streams", schedule.streams},
                            {"waits", schedule.waits},
                            {"way", schedule.way},
                            {"front", std::move(front)}};
}
