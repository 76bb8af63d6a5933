//===- Memory.cpp - tenon-solve memory ------------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Memory.h"
#include "Budget.h"
#include "Input.h"
#include "MemoryOutput.h"

#include "lib/Support/Bytes.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/Path.h"
#include <chrono>

using namespace tenon;
using namespace tenon::mem;

static double now() {
  return std::chrono::duration<double>(
             std::chrono::steady_clock::now().time_since_epoch())
      .count();
}

/// One line per step on standard error when it is a terminal.
static void showProgress(llvm::StringRef solver, int64_t arenaBytes) {
  if (llvm::errs().is_displayed())
    llvm::errs() << "  " << solver << ": " << humanBytes(arenaBytes) << " ("
                 << arenaBytes << " bytes)\n";
}

static bool fitsInto(const Solution &solution, int64_t capacity) {
  return llvm::all_of(solution.arenas,
                      [&](int64_t arena) { return arena <= capacity; });
}

static bool reached(const Outcome &outcome, const Options &options) {
  return outcome.optimal ||
         (options.capacity && fitsInto(outcome.solution, options.capacity));
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

static llvm::Error prove(const Solved &solved) {
  if (llvm::Error error = validate(solved.problem(), solved.solution()))
    return error;
  if (solved.instance.program)
    return validateProgram(*solved.instance.program, solved.solution());
  return llvm::Error::success();
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
                       ? solveFor(solved.problem(), options, budget->seconds)
                       : solve(solved.problem(), options);
  solved.seconds = now() - start;
  solved.fits =
      !request.capacity || fitsInto(solved.solution(), request.capacity);
  if (llvm::Error error = prove(solved))
    return llvm::createStringError("the plan is wrong: %s",
                                   llvm::toString(std::move(error)).c_str());
  return llvm::Error::success();
}

static llvm::Error check(const MemoryRequest &request) {
  if (!request.solver.empty() && !isSolver(request.solver))
    return llvm::createStringError(
        "--solver: unknown solver '%s' (greedy, repair or exact)",
        request.solver.c_str());
  if (request.threads < 1 || request.threads > 256)
    return llvm::createStringError("--threads: from 1 to 256");
  return llvm::Error::success();
}

llvm::Expected<bool> tenon::solveMemory(const MemoryRequest &request) {
  if (llvm::Error error = check(request))
    return error;
  auto instance = readAs(request.input, readInstance);
  if (!instance)
    return instance.takeError();
  Solved solved{
      llvm::sys::path::stem(request.input).str(), std::move(*instance), {}};
  if (llvm::Error error = solveInto(solved, request))
    return error;
  request.json ? printJson(solved, request) : printTable(solved, request);
  if (llvm::Error error = writeFiles(solved, request))
    return error;
  return solved.fits;
}
