//===- ScheduleOutput.cpp - what tenon-solve schedule says ----------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ScheduleOutput.h"

#include "lib/Schedule/Text.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/JSON.h"

using namespace tenon;
using namespace tenon::sched;

static void printHead(llvm::StringRef name, const Problem &problem) {
  llvm::outs() << name << ": " << problem.launches.size() << " nodes, "
               << problem.tensors.size() << " tensors, ";
  if (problem.isGpu())
    llvm::outs() << "a GPU of " << problem.processors << " multiprocessors\n";
  else
    llvm::outs() << problem.threads
                 << (problem.threads > 1 ? " threads\n" : " thread\n");
}

/// Nanoseconds, bytes, and the time beside that of the program's order.
static void printLine(const char *what, int64_t time, int64_t bytes,
                      int64_t programTime) {
  double ratio = programTime ? double(time) / double(programTime) : 1;
  llvm::outs() << llvm::format("  %-14s %14s us %14lld bytes  %.4f\n", what,
                               microseconds(time).c_str(), (long long)bytes,
                               ratio);
}

static void printLine(const char *what, const ScheduleResult &result,
                      const Solution &solution) {
  printLine(what, solution.time, solution.peak, result.program.time);
}

/// The nodes of a track; those of a unit in parentheses.
static std::string trackText(const Problem &problem, const Track &track) {
  std::string text;
  for (const TrackItem &item : itemsOf(problem, track)) {
    std::string names;
    for (unsigned launch : item.launches)
      names += (names.empty() ? "" : " ") + problem.launches[launch].name;
    text += (text.empty() ? "" : " ") + (item.unit ? "(" + names + ")" : names);
  }
  return text;
}

static void printStage(const Problem &problem, const Stage &stage) {
  bool isApart = stage.tracks.size() > 1;
  llvm::ListSeparator separator(" | ");
  llvm::outs() << "  " << (stage.wave && isApart ? "wave " : "");
  for (const Track &track : stage.tracks) {
    llvm::outs() << separator << trackText(problem, track);
    if (isApart && !stage.wave)
      llvm::outs() << " on " << track.threads;
  }
  llvm::outs() << '\n';
}

void tenon::printPlan(const ScheduleResult &result) {
  const Solution &plan = result.solutions.front();
  const Solution::Statistics &statistics = plan.statistics;
  printHead(result.name, result.problem);
  printLine("program order", result, result.program);
  printLine("plan", result, plan);
  if (result.problem.cap)
    llvm::outs() << llvm::format("  %-14s %17s %14lld bytes\n", "cap", "",
                                 (long long)*result.problem.cap);
  llvm::outs() << "  search         " << statistics.parts << " parts, "
               << statistics.states << " states, " << statistics.transitions
               << " sets, " << (statistics.exact ? "exact\n" : "not exact\n");
  llvm::outs() << "stages\n";
  for (const Stage &stage : plan.stages)
    printStage(result.problem, stage);
}

void tenon::printFront(const ScheduleResult &result) {
  printHead(result.name, result.problem);
  printLine("program order", result, result.program);
  for (const Solution &plan : result.solutions)
    printLine("plan", result, plan);
}

static llvm::json::Array stagesOf(const Problem &problem,
                                  const Solution &solution) {
  llvm::json::Array stages;
  for (const Stage &stage : solution.stages) {
    llvm::json::Array tracks;
    for (const Track &track : stage.tracks) {
      llvm::json::Array nodes;
      for (unsigned launch : track.launches)
        nodes.push_back(llvm::json::fixUTF8(problem.launches[launch].name));
      llvm::json::Array units(track.units);
      tracks.push_back(llvm::json::Object{{"threads", int64_t(track.threads)},
                                          {"nodes", std::move(nodes)},
                                          {"units", std::move(units)}});
    }
    stages.push_back(llvm::json::Object{{"wave", stage.wave},
                                        {"tracks", std::move(tracks)}});
  }
  return stages;
}

static llvm::json::Object planOf(const Problem &problem,
                                 const Solution &solution) {
  const Solution::Statistics &statistics = solution.statistics;
  return llvm::json::Object{{"time_ns", solution.time},
                            {"peak_bytes", solution.peak},
                            {"exact", statistics.exact},
                            {"parts", statistics.parts},
                            {"states", statistics.states},
                            {"sets", statistics.transitions},
                            {"stages", stagesOf(problem, solution)}};
}

void tenon::printJson(const ScheduleResult &result, bool isFront) {
  const Problem &problem = result.problem;
  llvm::json::Object object{
      {"instance", llvm::json::fixUTF8(result.name)},
      {"nodes", int64_t(problem.launches.size())},
      {"tensors", int64_t(problem.tensors.size())},
      {"threads", int64_t(problem.threads)},
      {"program_time_ns", result.program.time},
      {"program_peak_bytes", result.program.peak},
  };
  if (problem.cap)
    object["cap_bytes"] = *problem.cap;
  llvm::json::Array plans;
  for (const Solution &solution : result.solutions)
    plans.push_back(planOf(problem, solution));
  if (isFront)
    object["front"] = std::move(plans);
  else
    object["plan"] = std::move(plans.front());
  llvm::outs() << llvm::formatv("{0:2}\n",
                                llvm::json::Value(std::move(object)));
}

static unsigned streamsOf(llvm::ArrayRef<Step> steps) {
  unsigned streams = 0;
  for (const Step &step : steps)
    streams = std::max(streams, step.first + step.threads);
  return streams;
}

static size_t waitsOf(llvm::ArrayRef<Step> steps) {
  size_t waits = 0;
  for (const Step &step : steps)
    waits += step.waits.size();
  return waits;
}

static void printStep(const Problem &problem, size_t number, const Step &step) {
  llvm::outs() << "  " << number << ':';
  for (unsigned launch : step.launches)
    llvm::outs() << ' ' << problem.launches[launch].name;
  if (step.launches.size() > 1)
    llvm::outs() << (step.unit ? " as one" : " as a wave");
  llvm::outs() << (problem.isGpu() ? " on stream " : " on ") << step.first;
  if (step.threads > 1)
    llvm::outs() << ".." << step.first + step.threads - 1;
  if (!step.waits.empty())
    llvm::outs() << " after";
  for (unsigned wait : step.waits)
    llvm::outs() << ' ' << wait;
  llvm::outs() << '\n';
}

void tenon::printSteps(const StepsResult &result) {
  const Plan &program = result.program, &plan = result.plan;
  printHead(result.name, result.problem);
  printLine("program order", program.time, program.arena, program.time);
  printLine("plan", plan.time, plan.arena, program.time);
  llvm::outs() << "  how            " << plan.name << ": " << plan.steps.size()
               << " steps, " << streamsOf(plan.steps)
               << (result.problem.isGpu() ? " streams, " : " threads, ")
               << waitsOf(plan.steps) << " waits\nsteps\n";
  for (auto [number, step] : llvm::enumerate(plan.steps))
    printStep(result.problem, number, step);
}

void tenon::printJson(const StepsResult &result) {
  llvm::json::Array steps;
  for (const Step &step : result.plan.steps) {
    llvm::json::Array nodes;
    for (unsigned launch : step.launches)
      nodes.push_back(
          llvm::json::fixUTF8(result.problem.launches[launch].name));
    steps.push_back(
        llvm::json::Object{{"nodes", std::move(nodes)},
                           {"unit", step.unit.has_value()},
                           {"first", int64_t(step.first)},
                           {"threads", int64_t(step.threads)},
                           {"waits", llvm::json::Array(step.waits)}});
  }
  llvm::json::Object object{{"instance", llvm::json::fixUTF8(result.name)},
                            {"nodes", int64_t(result.problem.launches.size())},
                            {"program_time_ns", result.program.time},
                            {"program_arena_bytes", result.program.arena},
                            {"how", result.plan.name},
                            {"time_ns", result.plan.time},
                            {"arena_bytes", result.plan.arena},
                            {"offsets", llvm::json::Array(result.plan.offsets)},
                            {"steps", std::move(steps)}};
  llvm::outs() << llvm::formatv("{0:2}\n",
                                llvm::json::Value(std::move(object)));
}
