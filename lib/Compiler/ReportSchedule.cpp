//===- ReportSchedule.cpp - how launches follow each other ----------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "lib/Compiler/ReportSchedule.h"

#include "lib/Memory/Draw/Front.h"
#include "lib/Schedule/Draw/Draw.h"
#include "lib/Schedule/Solve.h"
#include "lib/Schedule/Text.h"
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

static int64_t peakOf(const sched::Problem &problem,
                      const schedule::Moments &moments) {
  return sched::measure(problem, schedule::stagesOf(problem, moments)).peak;
}

/// Time against peak of what the search finds below lower and lower caps.
static std::vector<sched::FrontPoint> frontOf(sched::Problem problem) {
  auto fastest =
      [&](std::optional<int64_t> cap) -> std::optional<sched::FrontPoint> {
    if (cap)
      problem.cap = cap;
    llvm::Expected<sched::Solution> next = sched::solve(problem);
    if (!next) {
      llvm::consumeError(next.takeError());
      return std::nullopt;
    }
    auto moments = schedule::withWaves(problem, next->stages);
    return sched::FrontPoint{schedule::timeOf(problem, moments),
                             peakOf(problem, moments)};
  };
  return sched::frontInSteps(sched::leastPeak(problem).peak, fastest);
}

/// Runs of neighbouring threads that are alike, as one step.
static sched::Steps stepsOf(std::vector<schedule::Run> runs,
                            sched::Timing &timing) {
  llvm::sort(runs, [](const schedule::Run &a, const schedule::Run &b) {
    return std::tie(a.begin, a.launch, a.end, a.thread) <
           std::tie(b.begin, b.launch, b.end, b.thread);
  });
  sched::Steps steps;
  for (const schedule::Run &run : runs) {
    sched::Step *last = steps.empty() ? nullptr : &steps.back();
    if (last && last->launches.front() == run.launch &&
        timing.begins.back() == run.begin && timing.ends.back() == run.end &&
        last->first + last->threads == run.thread) {
      ++last->threads;
      continue;
    }
    steps.push_back({{run.launch}, std::nullopt, run.thread, 1});
    timing.begins.push_back(run.begin);
    timing.ends.push_back(run.end);
  }
  return steps;
}

/// Threads over time, above the bytes in use.
static std::string drawMoments(const sched::Problem &problem,
                               const schedule::Moments &moments,
                               const ScheduleReport &report, StringRef model) {
  schedule::Course course = schedule::courseOf(problem, moments);
  std::vector<sched::Span> launches(problem.launches.size());
  for (auto [number, moment] : llvm::enumerate(moments))
    for (unsigned launch : moment)
      launches[launch] = {course.begins[number], course.begins[number + 1]};
  sched::Timing timing;
  sched::Steps steps = stepsOf(std::move(course.runs), timing);
  timing.time = course.begins.back();
  sched::Remarks remarks{launches, {}};
  if (report.waves)
    remarks.text = std::to_string(report.waves) + " waves of " +
                   std::to_string(report.launchesInWaves) + " launches, " +
                   sched::microseconds(report.inTurn) +
                   " us one after the other";
  return sched::drawSteps(problem, steps, timing, model, remarks);
}

std::string tenon::drawFront(const ScheduleReport &report,
                             const FrontBytes &bytes, StringRef model) {
  if (report.front.empty())
    return {};
  mem::FrontScene scene;
  scene.program = {"one after the other", report.inTurn, bytes.order};
  for (const sched::FrontPoint &point : report.front)
    scene.plans.push_back({"predicted", point.time, point.bytes});
  scene.others.push_back({"compiled", report.nanoseconds, bytes.compiled});
  scene.bound = bytes.least;
  return mem::drawFront(scene, model);
}

static void addWave(const sched::Problem &problem,
                    const std::vector<unsigned> &moment,
                    ScheduleReport &report) {
  WaveReport wave;
  wave.launches = int64_t(moment.size());
  wave.nanoseconds = schedule::timeOf(problem, {moment});
  for (unsigned launch : moment)
    wave.inTurn += problem.timeOf(launch, problem.threads);
  ++report.waves;
  report.launchesInWaves += wave.launches;
  report.ofWaves.push_back(wave);
}

/// Launches in the order of the program, which is that of the problem.
static schedule::Moments momentsOf(func::FuncOp main) {
  schedule::Moments moments;
  for (auto [launch, moment] : llvm::enumerate(memory::momentsOf(main))) {
    moments.resize(moment + 1);
    moments.back().push_back(unsigned(launch));
  }
  return moments;
}

static void addLaunches(func::FuncOp main, const sched::Problem &problem,
                        const schedule::Moments &moments,
                        ScheduleReport &report) {
  for (auto [number, launch] :
       llvm::enumerate(main.getOps<kernel::LaunchOp>())) {
    const sched::Launch &stated = problem.launches[number];
    int64_t threads = std::clamp<int64_t>(stated.tiles, 1, problem.threads);
    report.launches.push_back(
        {launch.getNodes().str(), stated.kernel,
         problem.timeOf(unsigned(number), problem.threads),
         stated.tiles ? threads : problem.threads});
  }
  for (const std::vector<unsigned> &moment : moments) {
    if (moment.size() < 2)
      continue;
    addWave(problem, moment, report);
    for (unsigned launch : moment)
      report.launches[launch].wave = report.waves;
  }
}

ScheduleReport tenon::reportSchedule(func::FuncOp main,
                                     const sched::Problem &problem,
                                     bool showFront, StringRef model) {
  ScheduleReport report;
  schedule::Moments moments = momentsOf(main);
  addLaunches(main, problem, moments, report);
  report.nanoseconds = schedule::timeOf(problem, moments);
  for (const LaunchReport &launch : report.launches)
    report.inTurn += launch.nanoseconds;
  report.savedByWaves = report.inTurn - report.nanoseconds;
  if (!showFront)
    return report;
  report.front = frontOf(problem);
  report.picture = drawMoments(problem, moments, report, model);
  report.frontPicture =
      drawFront(report,
                {sched::programOrder(problem).peak,
                 sched::leastPeak(problem).peak, peakOf(problem, moments)},
                model);
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
  stream << llvm::format("  waves save %.1f us, streams %.1f us\n",
                         double(schedule.savedByWaves) / 1e3,
                         double(schedule.savedByStreams()) / 1e3);
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
  for (const sched::FrontPoint &point : schedule.front)
    stream << llvm::format("  %11.1f us  %14lld bytes\n",
                           double(point.time) / 1e3, (long long)point.bytes);
}

static llvm::json::Array launchesJson(const ScheduleReport &schedule) {
  llvm::json::Array launches;
  for (const LaunchReport &launch : schedule.launches) {
    llvm::json::Object object{{"nodes", launch.nodes},
                              {"kernel", launch.kernel},
                              {"nanoseconds", launch.nanoseconds}};
    if (launch.threads) {
      object["threads"] = launch.threads;
    } else {
      object["stream"] = launch.stream;
      object["begin"] = launch.begin;
      object["end"] = launch.end;
    }
    if (launch.wave)
      object["wave"] = launch.wave;
    launches.push_back(std::move(object));
  }
  return launches;
}

static llvm::json::Array wavesJson(const ScheduleReport &schedule) {
  llvm::json::Array waves;
  for (const WaveReport &wave : schedule.ofWaves)
    waves.push_back(llvm::json::Object{{"launches", wave.launches},
                                       {"nanoseconds", wave.nanoseconds},
                                       {"nanoseconds_in_turn", wave.inTurn}});
  return waves;
}

static llvm::json::Array frontJson(const ScheduleReport &schedule) {
  llvm::json::Array front;
  for (const sched::FrontPoint &point : schedule.front)
    front.push_back(llvm::json::Object{{"nanoseconds", point.time},
                                       {"peak_bytes", point.bytes}});
  return front;
}

llvm::json::Object tenon::scheduleJson(const ScheduleReport &schedule) {
  return llvm::json::Object{{"waves", schedule.waves},
                            {"launches_in_waves", schedule.launchesInWaves},
                            {"nanoseconds", schedule.nanoseconds},
                            {"nanoseconds_in_turn", schedule.inTurn},
                            {"saved_by_waves", schedule.savedByWaves},
                            {"saved_by_streams", schedule.savedByStreams()},
                            {"streams", schedule.streams},
                            {"waits", schedule.waits},
                            {"way", schedule.way},
                            {"launches", launchesJson(schedule)},
                            {"of_waves", wavesJson(schedule)},
                            {"front", frontJson(schedule)}};
}
