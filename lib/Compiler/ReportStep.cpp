//===- ReportStep.cpp - what a step of training computes again ------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "lib/Compiler/ReportStep.h"
#include "lib/Checkpoint/Draw/Draw.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Format.h"

using namespace tenon;
using checkpoint::StepFrontier;
using checkpoint::StepPlan;

/// A table says so many at most; the JSON has all.
static constexpr size_t mostNames = 12;

static double partOf(int64_t part, int64_t whole) {
  return whole ? double(part) / double(whole) : 1;
}

static void printPlan(llvm::raw_ostream &stream, const StepPlan &plan,
                      const StepPlan &none, llvm::StringRef note) {
  stream << llvm::format("  %10.3f ms  %+6.2f %%  %14lld bytes  %.3f  %5lld",
                         double(plan.nanoseconds) / 1e6,
                         100 * (partOf(plan.nanoseconds, none.nanoseconds) - 1),
                         (long long)plan.arenaBytes,
                         partOf(plan.arenaBytes, none.arenaBytes),
                         (long long)plan.clones);
  stream << (note.empty() ? "" : "  ") << note << "\n";
}

void tenon::printStep(llvm::raw_ostream &stream, const StepFrontier &frontier,
                      bool showAll) {
  stream << "\n  predicted step     slower           arena          of it  "
            "computed again\n";
  printPlan(stream, frontier.none, frontier.none, "nothing");
  if (showAll)
    for (const StepPlan &plan : frontier.plans)
      printPlan(stream, plan, frontier.none,
                plan == frontier.taken ? "taken" : "");
  else
    printPlan(stream, frontier.taken, frontier.none, "taken");
  if (showAll)
    for (const checkpoint::OtherStepPlan &other : frontier.others)
      printPlan(stream, other.plan, frontier.none, other.name);
  stream << llvm::format("  no arena has fewer than %lld bytes\n",
                         (long long)frontier.boundBytes);
  if (frontier.again.empty())
    return;
  llvm::ArrayRef<std::string> again = frontier.again;
  stream << "  again: " << llvm::join(again.take_front(mostNames), ", ");
  if (again.size() > mostNames)
    stream << " and " << again.size() - mostNames << " more";
  stream << "\n";
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
  llvm::json::Array others;
  for (const checkpoint::OtherStepPlan &other : frontier.others) {
    others.push_back(planJson(other.plan));
    others.back().getAsObject()->insert({"name", other.name});
  }
  return llvm::json::Object{{"without", planJson(frontier.none)},
                            {"taken", planJson(frontier.taken)},
                            {"plans", std::move(plans)},
                            {"others", std::move(others)},
                            {"bound_bytes", frontier.boundBytes},
                            {"again", llvm::json::Array(frontier.again)}};
}

static ckpt::Plan pointOf(const StepPlan &plan) {
  return {{}, plan.nanoseconds, plan.arenaBytes};
}

std::string tenon::drawStep(const StepFrontier &frontier,
                            llvm::StringRef model) {
  ckpt::Frontier points;
  points.program = pointOf(frontier.none);
  points.bound = frontier.boundBytes;
  for (const StepPlan &plan : frontier.plans)
    points.plans.push_back(pointOf(plan));
  std::vector<ckpt::OtherPlan> others;
  for (const checkpoint::OtherStepPlan &other : frontier.others)
    others.push_back({other.name, pointOf(other.plan)});
  others.push_back({"taken", pointOf(frontier.taken)});
  return ckpt::drawFrontier(points, others, model);
}
