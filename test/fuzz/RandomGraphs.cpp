//===- RandomGraphs.cpp - graphs of chance against the interpreter --------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file is the program: numbers in, a table and an exit status out.
//===----------------------------------------------------------------------===//
#include "lib/Run/Measure.h"
#include "lib/Support/File.h"
#include "test/fuzz/Generate.h"
#include "test/fuzz/Shrink.h"
#include "test/fuzz/Tally.h"
#include "test/fuzz/Workers.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/InitLLVM.h"

#include <cstdio>

using namespace tenon;
using namespace tenon::fuzz;
namespace cl = llvm::cl;

static cl::OptionCategory category("random-graphs");
static cl::opt<uint64_t> first("first", cl::init(0), cl::cat(category),
                               cl::desc("The first graph's number (0)"));
static cl::opt<uint64_t> countOption("count", cl::init(500), cl::cat(category),
                                     cl::desc("So many graphs (500)"));
static cl::opt<unsigned> jobs("jobs", cl::init(2), cl::cat(category),
                              cl::desc("Processes (2)"));
static cl::opt<std::string> cpus("cpus", cl::init("native"), cl::cat(category),
                                 cl::desc("Processors, in turn (native)"));
static cl::opt<std::string> cacheOption("cache", cl::cat(category),
                                        cl::value_desc("folder"),
                                        cl::desc("A kernel cache that stays"));
static cl::opt<std::string>
    shrinkOption("shrink", cl::cat(category), cl::value_desc("folder"),
                 cl::desc("Makes the first faults as small as they can be, and "
                          "writes their models and inputs"));
static cl::opt<std::string>
    writeOption("write", cl::cat(category), cl::value_desc("file.onnx"),
                cl::desc("Only writes the first graph"));
static cl::opt<bool> quiet("quiet", cl::cat(category),
                           cl::desc("No lines of progress"));

/// Faults that are worth their time.
static constexpr size_t mostShrunk = 10;

/// A folder that goes with the program.
namespace {
struct Scratch {
  Scratch() { llvm::sys::fs::createUniqueDirectory("random-graphs", path); }
  ~Scratch() { llvm::sys::fs::remove_directories(path); }
  std::string in(const char *name) const {
    std::string folder = (path + "/" + name).str();
    (void)llvm::sys::fs::create_directories(folder);
    return folder;
  }
  llvm::SmallString<128> path;
};
} // namespace

//===-- Small faults ------------------------------------------------------===//

static void writeInputs(const Case &given, const std::string &stem) {
  for (const CaseInput &input : given.inputs)
    for (unsigned run = 0; run < runCount; ++run) {
      run::Tensor tensor = toTensor(input, run, run);
      (void)run::writeNpy(tensor, stem + "-" + std::to_string(run) + "-" +
                                      input.name + ".npy");
    }
}

static void shrinkOne(uint64_t seed, const Work &work,
                      const std::string &folder) {
  CheckOptions options = optionsFor(work, seed, folder);
  Case given = generate(seed);
  Verdict whole = checkAside(given, options, work.secondsEach);
  auto isWrong = [&](const Case &other) {
    Verdict verdict = checkAside(other, options, work.secondsEach);
    return verdict.outcome == whole.outcome;
  };
  auto values = [&](const Case &other, unsigned run, unsigned data) {
    std::string model = folder + "/values.onnx";
    llvm::consumeError(writeFile(model, other.model));
    return interpret(other, model, run, data);
  };
  Case small = shrink(given, {isWrong, values});
  Verdict verdict = checkAside(small, options, work.secondsEach);
  (void)llvm::sys::fs::create_directories(shrinkOption);
  std::string stem = shrinkOption + "/" + std::to_string(seed);
  llvm::consumeError(writeFile(stem + ".onnx", small.model));
  writeInputs(small, stem);
  std::string operators;
  for (const auto &[node, op] : small.operators)
    operators += " " + op;
  printf("graph %llu shrinks to %s:%s\n  %s: %s\n", (unsigned long long)seed,
         (stem + ".onnx").c_str(), operators.c_str(),
         outcomeName(verdict.outcome), verdict.text.c_str());
  fflush(stdout);
}

//===-- All of them -------------------------------------------------------===//

static Tally checkGraphs(const Work &work) {
  Tally tally;
  double start = run::now(), said = start;
  checkAll(work, [&](uint64_t seed, const Verdict &verdict) {
    tally.add(seed, verdict);
    if (isFault(verdict.outcome))
      printf("graph %llu %s: %s\n", (unsigned long long)seed,
             outcomeName(verdict.outcome), verdict.text.c_str());
    if (!quiet && run::now() - said > 20000) {
      said = run::now();
      printf("%s\n", tally.line((said - start) / 1000).c_str());
    }
    fflush(stdout);
  });
  printf("%s", tally.table((run::now() - start) / 1000).c_str());
  return tally;
}

int main(int argc, char **argv) {
  llvm::InitLLVM init(argc, argv);
  cl::HideUnrelatedOptions(category);
  cl::ParseCommandLineOptions(argc, argv,
                              "Random graphs over open dimensions, "
                              "against the interpreter\n");
  if (!writeOption.empty()) {
    llvm::consumeError(writeFile(writeOption, generate(first).model));
    return 0;
  }
  Scratch scratch;
  Work work;
  work.first = first;
  work.count = countOption;
  work.jobs = std::max(1u, unsigned(jobs));
  work.folder = scratch.in("work");
  work.kernelCache = cacheOption.empty() ? scratch.in("cache") : cacheOption;
  llvm::SmallVector<llvm::StringRef> names;
  llvm::StringRef(cpus).split(names, ',');
  for (llvm::StringRef name : names)
    work.cpus.push_back(name.str());
  std::string small = shrinkOption;
  Tally tally = checkGraphs(work);
  std::vector<uint64_t> faults = tally.faults();
  for (size_t i = 0; i < faults.size() && i < mostShrunk && !small.empty(); ++i)
    shrinkOne(faults[i], work, scratch.in("small"));
  return faults.empty() ? 0 : 1;
}
