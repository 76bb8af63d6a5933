//===- Checkpoint.cpp - tenon-solve checkpoint ----------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Checkpoint.h"
#include "Budget.h"
#include "CheckpointOutput.h"
#include "Input.h"

#include "lib/Checkpoint/Draw/Draw.h"
#include "lib/Checkpoint/Text.h"
#include "lib/Support/File.h"

#include "llvm/Support/CommandLine.h"
#include "llvm/Support/Path.h"

using namespace tenon;
using namespace tenon::ckpt;
namespace cl = llvm::cl;

static cl::OptionCategory category("tenon-solve checkpoint");
static cl::SubCommand command("checkpoint",
                              "Choose what a training step computes again");
static cl::opt<std::string> input(cl::Positional, cl::Required,
                                  cl::desc("FILE"), cl::cat(category),
                                  cl::sub(command));
static cl::opt<std::string>
    budget("budget",
           cl::desc("At most so many bytes in use at once: a number, with "
                    "KiB, MiB or GiB, or a part of what the program needs "
                    "such as 0.4 (default: the fastest plan)"),
           cl::value_desc("bytes"), cl::cat(category), cl::sub(command));
static cl::opt<std::string> evaluations(
    "evaluations",
    cl::desc("Plans that the search may evaluate, such as 50k (default: 1000 "
             "for each node, at most 250k)"),
    cl::value_desc("count"), cl::cat(category), cl::sub(command));
static cl::opt<bool>
    wantsFront("front",
               cl::desc("The frontier at 24 budgets, and where others are"),
               cl::cat(category), cl::sub(command));
static cl::opt<bool> json("json", cl::desc("Print the result as JSON"),
                          cl::cat(category), cl::sub(command));
static cl::opt<std::string> picture("svg", cl::desc("Draw the frontier as SVG"),
                                    cl::value_desc("file.svg"),
                                    cl::cat(category), cl::sub(command));

void tenon::hideUnrelatedToCheckpoint() {
  cl::HideUnrelatedOptions(category, command);
}

bool tenon::isCheckpointAsked() { return bool(command); }

/// Bytes, or a part of the program's.
static llvm::Expected<int64_t> readBytes(int64_t program) {
  llvm::StringRef text = budget;
  double part = 0;
  if (text.contains('.') && !text.ends_with("iB") && !text.getAsDouble(part) &&
      part > 0 && part <= 1)
    return int64_t(part * double(program));
  int64_t unit = 1;
  for (auto [name, shift] :
       {std::pair("KiB", 10), std::pair("MiB", 20), std::pair("GiB", 30)})
    if (text.consume_back(name))
      unit = int64_t(1) << shift;
  int64_t count = 0;
  if (!text.getAsInteger(10, count) && count >= 0 && count <= mostBytes / unit)
    return count * unit;
  return llvm::createStringError(
      "--budget: '%s' is neither bytes (4096, 300MiB) nor a part (0.4)",
      budget.c_str());
}

static llvm::Expected<Options> readOptions() {
  Options options;
  if (evaluations.empty())
    return options;
  llvm::Expected<Budget> parsed = parseBudget(evaluations);
  bool wrong =
      !parsed || parsed->seconds > 0 || parsed->work > int64_t(1) << 40;
  if (!parsed)
    llvm::consumeError(parsed.takeError());
  if (wrong)
    return llvm::createStringError(
        "--evaluations: a count up to 2^40 such as 50k, not '%s'",
        evaluations.c_str());
  options.evaluations = parsed->work;
  return options;
}

static llvm::Error prove(const Problem &problem, const Frontier &frontier) {
  for (const Plan &plan : frontier.plans) {
    Evaluation is = evaluate(problem, plan.marks);
    is.time = plan.time;
    is.peak = plan.peak;
    if (llvm::Error error = validate(problem, plan.marks, is))
      return llvm::createStringError("a plan is wrong: %s",
                                     llvm::toString(std::move(error)).c_str());
  }
  return llvm::Error::success();
}

static llvm::Error print(const CheckpointResult &result) {
  if (!picture.empty())
    if (llvm::Error error = writeFile(
            picture, drawFrontier(result.frontier, result.others, result.name)))
      return error;
  llvm::Expected<Plan> plan = result.frontier.plans.front();
  if (!budget.empty()) {
    llvm::Expected<int64_t> bytes = readBytes(result.frontier.program.peak);
    if (!bytes)
      return bytes.takeError();
    plan = result.frontier.within(result.problem, *bytes);
    if (!plan)
      return inFile(input, plan.takeError());
  }
  if (json)
    printJson(result, *plan);
  else if (wantsFront)
    printFront(result);
  else
    printPlan(result, *plan);
  return llvm::Error::success();
}

llvm::Error tenon::solveCheckpoint() {
  llvm::Expected<Options> options = readOptions();
  if (!options)
    return options.takeError();
  llvm::Expected<Problem> problem = readAs(input, readProblem);
  if (!problem)
    return problem.takeError();
  llvm::Expected<Frontier> frontier = solve(*problem, *options);
  if (!frontier)
    return inFile(input, frontier.takeError());
  if (llvm::Error error = prove(*problem, *frontier))
    return error;
  return print({llvm::sys::path::stem(input).str(), *problem, *frontier,
                othersOf(*problem)});
}
