//===- CheckpointOutput.cpp - what tenon-solve checkpoint says ------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "CheckpointOutput.h"

#include "lib/Checkpoint/Text.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/raw_ostream.h"

using namespace tenon;
using namespace tenon::ckpt;

static constexpr int budgets = 24;

static void printLine(llvm::StringRef what, const CheckpointResult &result,
                      const Plan &plan) {
  double program = double(result.frontier.program.time);
  double ratio = program > 0 ? double(plan.time) / program : 1;
  llvm::outs() << llvm::format(
      "  %-14s %14s us %14lld bytes  %.4f\n", what.str().c_str(),
      microseconds(plan.time).c_str(), (long long)plan.peak, ratio);
}

static void printHead(const CheckpointResult &result) {
  const Problem &problem = result.problem;
  llvm::outs() << result.name << ": " << problem.steps.size() << " nodes, "
               << problem.values.size() << " values, loss at '"
               << problem.steps[problem.loss].name << "'\n";
  printLine("program", result, result.frontier.program);
}

static void printSearch(const CheckpointResult &result) {
  llvm::outs() << llvm::format("  %-14s %17s %14lld bytes\n", "bound", "",
                               (long long)result.frontier.bound)
               << "  search         " << result.frontier.evaluations
               << " evaluations, " << result.frontier.plans.size()
               << " plans\n";
}

static const char *howText(How how) {
  return how == How::Again ? "again" : "inside";
}

void tenon::printPlan(const CheckpointResult &result, const Plan &plan) {
  printHead(result);
  printLine("plan", result, plan);
  printSearch(result);
  const Problem &problem = result.problem;
  for (const Mark &mark : plan.marks.marks)
    llvm::outs() << "  " << problem.steps[mark.step].name << ": "
                 << problem.values[mark.value].name << ' ' << howText(mark.how)
                 << '\n';
  for (const Choice &choice : plan.marks.choices)
    llvm::outs() << "  " << problem.steps[choice.step].name << ": variant "
                 << choice.variant << '\n';
}

void tenon::printFront(const CheckpointResult &result) {
  printHead(result);
  const Plan *last = nullptr;
  for (int part = budgets; part >= 1; --part) {
    int64_t budget = result.frontier.program.peak * part / budgets;
    auto fits = llvm::find_if(result.frontier.plans, [&](const Plan &plan) {
      return plan.peak <= budget;
    });
    if (fits == result.frontier.plans.end() || &*fits == last)
      continue;
    last = &*fits;
    printLine("plan", result, *fits);
  }
  if (last != &result.frontier.plans.back())
    printLine("plan", result, result.frontier.plans.back());
  for (const OtherPlan &other : result.others)
    printLine(other.name, result, other.plan);
  printSearch(result);
}

static llvm::json::Object pointOf(const Plan &plan) {
  return llvm::json::Object{{"time_ps", plan.time}, {"peak_bytes", plan.peak}};
}

static llvm::json::Object planOf(const Problem &problem, const Plan &plan) {
  llvm::json::Array marks, variants;
  for (const Mark &mark : plan.marks.marks)
    marks.push_back(llvm::json::Object{
        {"node", llvm::json::fixUTF8(problem.steps[mark.step].name)},
        {"value", llvm::json::fixUTF8(problem.values[mark.value].name)},
        {"how", howText(mark.how)}});
  for (const Choice &choice : plan.marks.choices)
    variants.push_back(llvm::json::Object{
        {"node", llvm::json::fixUTF8(problem.steps[choice.step].name)},
        {"variant", int64_t(choice.variant)}});
  llvm::json::Object object = pointOf(plan);
  object["marks"] = std::move(marks);
  object["variants"] = std::move(variants);
  return object;
}

void tenon::printJson(const CheckpointResult &result, const Plan &plan) {
  const Frontier &frontier = result.frontier;
  llvm::json::Array front, others;
  for (const Plan &point : frontier.plans)
    front.push_back(pointOf(point));
  for (const OtherPlan &other : result.others) {
    llvm::json::Object object = pointOf(other.plan);
    object["name"] = other.name;
    others.push_back(std::move(object));
  }
  llvm::json::Object object{{"instance", llvm::json::fixUTF8(result.name)},
                            {"nodes", int64_t(result.problem.steps.size())},
                            {"values", int64_t(result.problem.values.size())},
                            {"program", pointOf(frontier.program)},
                            {"bound_bytes", frontier.bound},
                            {"evaluations", frontier.evaluations},
                            {"front", std::move(front)},
                            {"others", std::move(others)},
                            {"plan", planOf(result.problem, plan)}};
  llvm::outs() << llvm::formatv("{0:2}\n",
                                llvm::json::Value(std::move(object)));
}
