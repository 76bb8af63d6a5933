//===- Schedule.cpp - tenon-solve schedule --------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Schedule.h"
#include "Budget.h"
#include "Input.h"
#include "ScheduleOutput.h"

#include "lib/Schedule/Draw/Draw.h"
#include "lib/Schedule/Solve.h"
#include "lib/Schedule/Text.h"
#include "lib/Support/File.h"

#include "llvm/Support/CommandLine.h"
#include "llvm/Support/Path.h"

using namespace tenon;
using namespace tenon::sched;
namespace cl = llvm::cl;

static cl::OptionCategory category("tenon-solve schedule");
static cl::SubCommand command("schedule", "Run launches side by side");
static cl::opt<std::string> input(cl::Positional, cl::Required,
                                  cl::desc("FILE"), cl::cat(category),
                                  cl::sub(command));
static cl::opt<int64_t> cap("cap",
                            cl::desc("At most so many bytes in use at once"),
                            cl::value_desc("bytes"), cl::cat(category),
                            cl::sub(command));
static cl::opt<unsigned>
    threads("threads",
            cl::desc("Threads of the device (default: what FILE "
                     "says)"),
            cl::cat(category), cl::sub(command));
static cl::opt<bool>
    wantsFront("front",
               cl::desc("The fastest plan, then the fastest with fewer bytes, "
                        "until nothing fits"),
               cl::cat(category), cl::sub(command));
static cl::opt<std::string>
    budget("budget",
           cl::desc("States that the search of one part may visit, such as "
                    "100k (default: 50k)"),
           cl::init("50k"), cl::value_desc("states"), cl::cat(category),
           cl::sub(command));
static cl::opt<bool>
    wantsSteps("steps",
               cl::desc("Without barriers: threads or streams, and waits for "
                        "data and common bytes only"),
               cl::cat(category), cl::sub(command));
static cl::opt<std::string>
    picture("svg", cl::desc("Draw the fastest plan, and bytes in use, as SVG"),
            cl::value_desc("file.svg"), cl::cat(category), cl::sub(command));
static cl::opt<bool> json("json", cl::desc("Print the result as JSON"),
                          cl::cat(category), cl::sub(command));

void tenon::hideUnrelatedToSchedule() {
  cl::HideUnrelatedOptions(category, command);
}

bool tenon::isScheduleAsked() { return bool(command); }

static llvm::Expected<Problem> readFile() {
  auto problem = readAs(input, readProblem);
  if (!problem)
    return problem.takeError();
  if (cap.getNumOccurrences())
    problem->cap = cap;
  if (threads.getNumOccurrences() && !problem->isGpu())
    problem->threads = threads;
  return problem;
}

static llvm::Expected<Options> readOptions() {
  if (cap.getNumOccurrences() && cap < 0)
    return llvm::createStringError("--cap: a number of bytes");
  if (threads.getNumOccurrences() && (threads < 1 || threads > mostThreads))
    return llvm::createStringError("--threads: from 1 to %u", mostThreads);
  auto parsed = parseBudget(budget);
  if (!parsed)
    return parsed.takeError();
  if (parsed->seconds > 0 || parsed->work > int64_t(1) << 40)
    return llvm::createStringError(
        "--budget: a count of states up to 2^40, not '%s'", budget.c_str());
  Options options;
  options.search.states = parsed->work;
  options.search.transitions = parsed->work * 100;
  return options;
}

static llvm::Expected<std::vector<Solution>>
solutionsOf(const Problem &problem, const Options &options) {
  if (wantsFront)
    return front(problem, options);
  auto solution = solve(problem, options);
  if (!solution)
    return solution.takeError();
  return std::vector<Solution>{std::move(*solution)};
}

static std::string nameOfInput() { return llvm::sys::path::stem(input).str(); }

static llvm::Error draw(const Problem &problem, llvm::ArrayRef<Step> steps,
                        const Timing &timing) {
  if (picture.empty())
    return llvm::Error::success();
  return writeFile(picture, drawSteps(problem, steps, timing, nameOfInput()));
}

static llvm::Error planSteps(const Problem &problem, const Options &search) {
  PlanOptions options;
  options.search = search;
  auto best = plan(problem, options);
  if (!best)
    return inFile(input, best.takeError());
  Plan program = programPlan(problem, options);
  if (llvm::Error error = validate(problem, *best))
    return llvm::createStringError("the plan is wrong: %s",
                                   llvm::toString(std::move(error)).c_str());
  if (llvm::Error error =
          draw(problem, best->steps, simulate(problem, best->steps)))
    return error;
  StepsResult result{nameOfInput(), problem, program, *best};
  if (json)
    printJson(result);
  else
    printSteps(result);
  return llvm::Error::success();
}

llvm::Error tenon::solveSchedule() {
  auto options = readOptions();
  if (!options)
    return options.takeError();
  auto problem = readFile();
  if (!problem)
    return problem.takeError();
  if (wantsSteps)
    return planSteps(*problem, *options);
  auto solutions = solutionsOf(*problem, *options);
  if (!solutions)
    return inFile(input, solutions.takeError());
  for (const Solution &solution : *solutions)
    if (llvm::Error error = validate(*problem, solution))
      return llvm::createStringError("the plan is wrong: %s",
                                     llvm::toString(std::move(error)).c_str());
  const std::vector<Stage> &fastest = solutions->front().stages;
  LaidOut laid = layOut(*problem, fastest);
  if (llvm::Error error =
          draw(*problem, laid.steps, timeStages(*problem, fastest, laid)))
    return error;
  ScheduleResult result{nameOfInput(), *problem, programOrder(*problem),
                        std::move(*solutions)};
  if (json)
    printJson(result, wantsFront);
  else if (wantsFront)
    printFront(result);
  else
    printPlan(result);
  return llvm::Error::success();
}
