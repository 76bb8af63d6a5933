//===- Memory.cpp - tenon-solve memory ------------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Memory.h"
#include "Budget.h"

#include "lib/Memory/Draw.h"
#include "lib/Memory/Solve.h"
#include "lib/Memory/Text.h"
#include "lib/Support/Bytes.h"
#include "lib/Support/File.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include <chrono>

using namespace tenon;
using namespace tenon::mem;

namespace {
/// An instance with its plan.
struct Solved {
  std::string name;
  Problem problem;
  Outcome outcome;
  double seconds = 0;
  bool fits = true;

  int64_t arena() const { return outcome.solution.arenaBytes(); }
  double ratio() const {
    return outcome.lowerBound ? double(arena()) / double(outcome.lowerBound)
                              : 1;
  }
};
} // namespace

static double now() {
  return std::chrono::duration<double>(
             std::chrono::steady_clock::now().time_since_epoch())
      .count();
}

/// "line 3: why" of a reader as `file:3: why`.
static llvm::Error inFile(llvm::StringRef file, llvm::Error error) {
  std::string text = llvm::toString(std::move(error));
  llvm::StringRef why = text, number;
  if (why.consume_front("line ")) {
    std::tie(number, why) = why.split(": ");
    return llvm::createStringError("%s:%s: %s", file.str().c_str(),
                                   number.str().c_str(), why.str().c_str());
  }
  return llvm::createStringError("%s: %s", file.str().c_str(), text.c_str());
}

static llvm::Expected<Problem> readFile(llvm::StringRef file) {
  auto buffer = llvm::MemoryBuffer::getFileOrSTDIN(file, /*IsText=*/true);
  if (!buffer)
    return llvm::createStringError("cannot read '%s': %s", file.str().c_str(),
                                   buffer.getError().message().c_str());
  auto problem = readProblem((*buffer)->getBuffer());
  if (!problem)
    return inFile(file, problem.takeError());
  return problem;
}

/// One line per step on standard error when it is a terminal.
static void showProgress(llvm::StringRef solver, int64_t arenaBytes) {
  if (llvm::errs().is_displayed())
    llvm::errs() << "  " << solver << ": " << humanBytes(arenaBytes) << " ("
                 << arenaBytes << " bytes)\n";
}

static bool reached(const Outcome &outcome, const Options &options) {
  return outcome.optimal ||
         (options.capacity &&
          llvm::all_of(outcome.solution.arenas, [&](int64_t arena) {
            return arena <= options.capacity;
          }));
}

/// Seconds are turned into work by the speed of a first, short run.
static Outcome solveFor(const Problem &problem, Options options,
                        double seconds) {
  double start = now();
  options.work = 100'000'000;
  Outcome outcome = solve(problem, options);
  double spent = std::max(now() - start, 1e-3), left = seconds - spent;
  if (reached(outcome, options) || left <= spent)
    return outcome;
  double speed = outcome.work > 0 ? double(outcome.work) / spent : 1e8;
  options.work = int64_t(std::min(speed * left, 1e18));
  Outcome longer = solve(problem, options);
  return longer.solution.arenaBytes() <= outcome.solution.arenaBytes()
             ? longer
             : outcome;
}

static llvm::Error solveInto(Solved &solved, const MemoryRequest &request) {
  auto budget = parseBudget(request.budget);
  if (!budget)
    return budget.takeError();
  Options options;
  options.work = budget->work;
  options.threads = request.threads;
  options.capacity = request.capacity;
  options.solver = request.solver;
  options.progress = showProgress;
  double start = now();
  solved.outcome = budget->seconds > 0
                       ? solveFor(solved.problem, options, budget->seconds)
                       : solve(solved.problem, options);
  solved.seconds = now() - start;
  solved.fits =
      !request.capacity ||
      llvm::all_of(solved.outcome.solution.arenas,
                   [&](int64_t arena) { return arena <= request.capacity; });
  if (llvm::Error error = validate(solved.problem, solved.outcome.solution))
    return llvm::createStringError("the plan is wrong: %s",
                                   llvm::toString(std::move(error)).c_str());
  return llvm::Error::success();
}

//===-- What is printed and written ---------------------------------------===//

static void printBytes(const char *what, int64_t bytes) {
  llvm::outs() << llvm::format("  %-12s %14lld bytes  %s\n", what,
                               (long long)bytes, humanBytes(bytes).c_str());
}

static void printTable(const Solved &solved, const MemoryRequest &request) {
  const Outcome &outcome = solved.outcome;
  llvm::outs() << solved.name << ": " << solved.problem.buffers.size()
               << " buffers";
  if (solved.problem.streams() > 1)
    llvm::outs() << ", " << solved.problem.streams() << " streams";
  if (solved.problem.scopes() > 1)
    llvm::outs() << ", " << solved.problem.scopes() << " scopes";
  llvm::outs() << "\n";
  printBytes("lower bound", outcome.lowerBound);
  printBytes("arena", solved.arena());
  for (size_t s = 0;
       solved.problem.scopes() > 1 && s < outcome.solution.arenas.size(); ++s)
    printBytes(("  scope " + std::to_string(s)).c_str(),
               outcome.solution.arenas[s]);
  if (request.capacity)
    printBytes("capacity", request.capacity);
  llvm::outs() << llvm::format("  %-12s %14.4f x bound\n", "ratio",
                               solved.ratio())
               << llvm::format(
                      "  %-12s %14s, %s\n", "solver", outcome.solver.c_str(),
                      outcome.optimal ? "proven optimal" : "not proven optimal")
               << llvm::format("  %-12s %14.3f s\n", "time", solved.seconds);
}

static void printJson(const Solved &solved, const MemoryRequest &request) {
  const Outcome &outcome = solved.outcome;
  llvm::json::Object object{
      {"instance", solved.name},
      {"buffers", int64_t(solved.problem.buffers.size())},
      {"streams", int64_t(solved.problem.streams())},
      {"arena_bytes", solved.arena()},
      {"arenas", llvm::json::Array(outcome.solution.arenas)},
      {"lower_bound_bytes", outcome.lowerBound},
      {"ratio", solved.ratio()},
      {"solver", outcome.solver},
      {"optimal", outcome.optimal},
      {"work", outcome.work},
      {"seconds", solved.seconds},
  };
  if (request.capacity) {
    object["capacity_bytes"] = request.capacity;
    object["fits"] = solved.fits;
  }
  llvm::outs() << llvm::formatv("{0:2}\n",
                                llvm::json::Value(std::move(object)));
}

static void writeClock(const Clock &clock, llvm::raw_ostream &stream) {
  for (size_t s = 0; s < clock.streams(); ++s)
    stream << (s ? ":" : "") << clock[s];
}

/// `id,lower,upper,size,offset`; `scope` where there are several; clocks of
/// several streams with their counters joined by colons.
static std::string placementText(const Solved &solved) {
  std::string text;
  llvm::raw_string_ostream stream(text);
  bool scopes = solved.problem.scopes() > 1;
  stream << "id,lower,upper,size,offset" << (scopes ? ",scope\n" : "\n");
  for (auto [buffer, offset] :
       llvm::zip(solved.problem.buffers, solved.outcome.solution.offsets)) {
    stream << buffer.id << ',';
    writeClock(buffer.lower, stream);
    stream << ',';
    writeClock(buffer.upper, stream);
    stream << ',' << buffer.size << ',' << offset;
    if (scopes)
      stream << ',' << buffer.scope;
    stream << '\n';
  }
  return text;
}

static llvm::Error writeFiles(const Solved &solved,
                              const MemoryRequest &request) {
  if (!request.output.empty())
    if (llvm::Error error = writeFile(request.output, placementText(solved)))
      return error;
  if (request.picture.empty())
    return llvm::Error::success();
  DrawOptions options;
  options.title = solved.name;
  options.capacity = request.capacity;
  return writeFile(request.picture,
                   drawPlan(solved.problem, solved.outcome.solution, options));
}

llvm::Expected<bool> tenon::solveMemory(const MemoryRequest &request) {
  Solved solved;
  solved.name = llvm::sys::path::stem(request.input).str();
  auto problem = readFile(request.input);
  if (!problem)
    return problem.takeError();
  solved.problem = std::move(*problem);
  if (llvm::Error error = solveInto(solved, request))
    return error;
  request.json ? printJson(solved, request) : printTable(solved, request);
  if (llvm::Error error = writeFiles(solved, request))
    return error;
  return solved.fits;
}
