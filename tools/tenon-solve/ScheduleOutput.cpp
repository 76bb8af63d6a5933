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

static void printHead(const ScheduleResult &result) {
  const Problem &problem = result.problem;
  llvm::outs() << result.name << ": " << problem.launches.size() << " nodes, "
               << problem.tensors.size() << " tensors, " << problem.threads
               << (problem.threads > 1 ? " threads\n" : " thread\n");
}

static void printLine(const char *what, const ScheduleResult &result,
                      const Solution &solution) {
  double ratio = result.program.time
                     ? double(solution.time) / double(result.program.time)
                     : 1;
  llvm::outs() << llvm::format("  %-14s %14s us %14lld bytes  %.4f\n", what,
                               microseconds(solution.time).c_str(),
                               (long long)solution.peak, ratio);
}

static std::string trackText(const Problem &problem, const Track &track) {
  std::string text;
  for (unsigned launch : track.launches)
    text += (text.empty() ? "" : " ") + problem.launches[launch].name;
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
  printHead(result);
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
  printHead(result);
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
      tracks.push_back(llvm::json::Object{{"threads", int64_t(track.threads)},
                                          {"nodes", std::move(nodes)}});
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
