//===- ReportStep.cpp - what a step of training computes again ------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "lib/Compiler/ReportStep.h"

#include "llvm/Support/Format.h"

using namespace tenon;
using checkpoint::StepFrontier;
using checkpoint::StepPlan;

static double partOf(int64_t part, int64_t whole) {
  return whole ? double(part) / double(whole) : 1;
}

static void printPlan(llvm::raw_ostream &stream, const StepPlan &plan,
                      const StepPlan &none, const char *note) {
  stream << llvm::format(
      "  %10.3f ms  %+6.2f %%  %14lld bytes  %.3f  %5lld%s\n",
      double(plan.nanoseconds) / 1e6,
      100 * (partOf(plan.nanoseconds, none.nanoseconds) - 1),
      (long long)plan.arenaBytes, partOf(plan.arenaBytes, none.arenaBytes),
      (long long)plan.clones, note);
}

void tenon::printStep(llvm::raw_ostream &stream, const StepFrontier &frontier,
                      bool showAll) {
  stream << "\n  predicted step     slower           arena          of it  "
            "computed again\n";
  printPlan(stream, frontier.none, frontier.none, "  nothing");
  if (showAll)
    for (const StepPlan &plan : frontier.plans)
      printPlan(stream, plan, frontier.none,
                plan == frontier.taken ? "  taken" : "");
  else
    printPlan(stream, frontier.taken, frontier.none, "  taken");
  stream << llvm::format("  no arena has fewer than %lld bytes\n",
                         (long long)frontier.boundBytes);
  if (frontier.again.empty())
    return;
  stream << "  again:";
  for (const std::string &name : frontier.again)
    stream << " " << name << (&name == &frontier.again.back() ? "\n" : ",");
}

static llvm::json::Object planJson(const StepPlan &plan) {
  return llvm::json::Object{{"nanoseconds", plan.nanoseconds},
                            {"arena_bytes", plan.arenaBytes},
                            {"clones", plan.clones}};
}

llvm::json::Object tenon::stepJson(const StepFrontier &frontier) {
  llvm::json::Array plans;
  for (const StepPlan &plan : frontier.plans)
    plans.push_back(planJson(plan));
  return llvm::json::Object{{"without", planJson(frontier.none)},
                            {"taken", planJson(frontier.taken)},
                            {"plans", std::move(plans)},
                            {"bound_bytes", frontier.boundBytes},
                            {"again", llvm::json::Array(frontier.again)}};
}
