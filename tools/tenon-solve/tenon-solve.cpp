//===- tenon-solve.cpp - the compiler's solvers on text instances ---------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Checkpoint.h"
#include "Memory.h"
#include "Schedule.h"

#include "lib/Support/Version.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/InitLLVM.h"

using namespace tenon;
namespace cl = llvm::cl;

static cl::OptionCategory category("tenon-solve memory");
static cl::SubCommand memory("memory", "Place buffers in an arena");
static cl::opt<std::string> input(cl::Positional, cl::Required,
                                  cl::desc("FILE"), cl::cat(category),
                                  cl::sub(memory));
static cl::opt<std::string>
    output("o",
           cl::desc("Write the placement as CSV: id,lower,upper,size,"
                    "offset"),
           cl::value_desc("file.csv"), cl::cat(category), cl::sub(memory));
static cl::opt<std::string> picture("svg",
                                    cl::desc("Draw the placement as SVG"),
                                    cl::value_desc("file.svg"),
                                    cl::cat(category), cl::sub(memory));
static cl::opt<std::string>
    budget("budget",
           cl::desc("Search budget: a count of steps such as 500M or 7G "
                    "(default), which gives the same plan everywhere, or "
                    "seconds such as 10s, which depend on the machine"),
           cl::init("7G"), cl::value_desc("work"), cl::cat(category),
           cl::sub(memory));
static cl::opt<std::string>
    solver("solver",
           cl::desc("Use one solver only: greedy, repair, exact (default: "
                    "all, until one reaches the goal)"),
           cl::value_desc("name"), cl::cat(category), cl::sub(memory));
static cl::opt<int64_t>
    capacity("capacity",
             cl::desc("Stop as soon as each arena has at most this many "
                      "bytes; the exit status is 1 if no such plan is found"),
             cl::init(0), cl::value_desc("bytes"), cl::cat(category),
             cl::sub(memory));
static cl::opt<unsigned> threads(
    "threads",
    cl::desc("Number of threads (default: 1); does not change the plan"),
    cl::init(1), cl::cat(category), cl::sub(memory));
static cl::opt<bool> json("json", cl::desc("Print the result as JSON"),
                          cl::cat(category), cl::sub(memory));

static constexpr const char *overview =
    "Solves one of the compiler's problems from a text file.\n\n"
    "  tenon-solve memory plan.csv\n"
    "  tenon-solve memory plan.csv --svg plan.svg -o placed.csv\n"
    "  tenon-solve memory plan.csv --capacity 1048576 --budget 2G --json\n"
    "  tenon-compile model.onnx --memory-problem=model.csv && "
    "tenon-solve memory model.csv\n\n"
    "  tenon-solve schedule launches.txt --cap 1048576\n"
    "  tenon-solve schedule launches.txt --front --json\n"
    "  tenon-solve schedule launches.txt --steps --svg plan.svg\n\n"
    "  tenon-solve checkpoint step.txt --budget 300MiB\n"
    "  tenon-solve checkpoint step.txt --front --svg step.svg\n\n"
    "FILE of memory is CSV with the columns id,lower,upper,size, or a program "
    "of nodes,\nstreams and tensors (lib/Memory/Text/Text.h has both forms); "
    "that of schedule has\nnodes with times, and tensors "
    "(lib/Schedule/Text.h); that of checkpoint nodes,\nvalues and recipes "
    "(lib/Checkpoint/Text.h). '-' is standard input. Every plan is\nproven "
    "before it is printed. Errors name the line; the exit status is 1.\n";

static int fail(llvm::Error error) {
  llvm::errs() << "tenon-solve: error: " << llvm::toString(std::move(error))
               << "\n";
  return 1;
}

static llvm::Error checkOptions() {
  if (!memory)
    return llvm::createStringError(
        "nothing to solve: tenon-solve memory FILE, tenon-solve schedule FILE, "
        "tenon-solve checkpoint FILE");
  if (capacity < 0 || (capacity.getNumOccurrences() && capacity == 0))
    return llvm::createStringError("--capacity: a positive number of bytes");
  return llvm::Error::success();
}

int main(int argc, char **argv) {
  llvm::InitLLVM init(argc, argv);
  setVersionOf("tenon-solve");
  cl::HideUnrelatedOptions(category, memory);
  hideUnrelatedToSchedule();
  hideUnrelatedToCheckpoint();
  cl::ParseCommandLineOptions(argc, argv, overview);
  if (isScheduleAsked()) {
    llvm::Error error = solveSchedule();
    return error ? fail(std::move(error)) : 0;
  }
  if (isCheckpointAsked()) {
    llvm::Error error = solveCheckpoint();
    return error ? fail(std::move(error)) : 0;
  }
  if (llvm::Error error = checkOptions())
    return fail(std::move(error));
  auto fits = solveMemory(
      {input, output, picture, budget, solver, capacity, threads, json});
  if (!fits)
    return fail(fits.takeError());
  if (!*fits)
    llvm::errs() << "tenon-solve: no placement within " << capacity
                 << " bytes was found\n";
  return *fits ? 0 : 1;
}
