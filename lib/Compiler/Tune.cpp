//===- Tune.cpp - plans that are measured on a GPU ------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "lib/Compiler/Tune.h"

#include "dialects/Graph/Programs.h"
#include "dialects/Kernel/Kernel.h"
#include "lib/Cost/MeasuredTimes.h"
#include "passes/Codegen/Contest.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FileUtilities.h"

using namespace mlir;
using namespace tenon;

namespace {
/// A launch whose plan is on trial.
struct Trial {
  size_t launch; ///< its number in the program
  std::string work, plan;
};

class Tuner {
public:
  Tuner(ModuleOp simplified, ArrayRef<CompileTarget> targets,
        const CompileOptions &options, Report &report)
      : simplified(simplified), targets(targets), options(options),
        report(report) {}

  llvm::Error run();

private:
  llvm::Error attempt(int64_t number, bool &isLast);
  llvm::Expected<OwningOpRef<ModuleOp>> plan(const CompileTarget &target,
                                             int64_t number);
  llvm::Error measure(ModuleOp program, ArrayRef<Trial> trials);
  llvm::Error build(ModuleOp program, StringRef path);

  ModuleOp simplified;
  ArrayRef<CompileTarget> targets;
  const CompileOptions &options;
  Report &report;
  OwningOpRef<ModuleOp> onHost; ///< what stands behind the device's program
  cost::MeasuredTimes times;
};
} // namespace

/// Launches with a plan on trial whose time is not known.
static std::vector<Trial>
trialsOf(ModuleOp program, const cost::MeasuredTimes &times, bool &hasSome) {
  std::vector<Trial> trials;
  size_t number = 0;
  for (func::FuncOp function : graph::programs(program))
    for (auto launch : function.getOps<kernel::LaunchOp>()) {
      auto tried = launch->getAttrOfType<ArrayAttr>(codegen::triedAttr);
      size_t index = number++;
      hasSome |= bool(tried);
      if (!tried)
        continue;
      StringRef work = cast<StringAttr>(tried[0]).getValue();
      StringRef plan = cast<StringAttr>(tried[1]).getValue();
      if (!times.find(work, plan))
        trials.push_back({index, work.str(), plan.str()});
    }
  return trials;
}

llvm::Expected<OwningOpRef<ModuleOp>> Tuner::plan(const CompileTarget &target,
                                                  int64_t number) {
  OwningOpRef<ModuleOp> program = simplified.clone();
  CompileOptions own = options;
  own.attempt = target.device ? number : -1;
  own.schedule = Schedule::Order; // launches are measured one by one
  if (failed(runUpTo(Phase::Memory, *program, target, own, report)))
    return llvm::createStringError("--tune: plans that cannot be tried");
  return program;
}

llvm::Error Tuner::build(ModuleOp program, StringRef path) {
  if (!onHost) {
    auto planned = plan(targets.back(), -1);
    if (!planned)
      return planned.takeError();
    onHost = std::move(*planned);
  }
  OwningOpRef<ModuleOp> host = onHost->clone();
  emit::Program programs[] = {{program, targets.front().processor,
                               targets.front().device, options.precision},
                              {*host, targets.back().processor}};
  auto made =
      emit::emitArtifact(programs, emitOptionsOf(options, report), path);
  return made ? llvm::Error::success() : made.takeError();
}

llvm::Error Tuner::measure(ModuleOp program, ArrayRef<Trial> trials) {
  SmallString<128> path;
  if (auto error =
          llvm::sys::fs::createTemporaryFile("tenon-tune", "tenon", path))
    return llvm::createStringError(error, "--tune: no temporary file");
  llvm::FileRemover remove(path);
  if (llvm::Error error = build(program, path))
    return error;
  auto took = options.measure(path);
  if (!took)
    return llvm::createStringError("--tune: " +
                                   llvm::toString(took.takeError()));
  for (const Trial &trial : trials)
    if (trial.launch < took->size() && (*took)[trial.launch] > 0)
      times.add(trial.work, trial.plan, (*took)[trial.launch]);
  return times.write(options.tune);
}

llvm::Error Tuner::attempt(int64_t number, bool &isLast) {
  auto program = plan(targets.front(), number);
  if (!program)
    return program.takeError();
  bool hasSome = false;
  std::vector<Trial> trials = trialsOf(**program, times, hasSome);
  isLast = !hasSome;
  return trials.empty() ? llvm::Error::success() : measure(**program, trials);
}

llvm::Error Tuner::run() {
  // Every group has fewer plans on offer.
  constexpr int64_t mostAttempts = 32;
  assert(targets.front().device && "options have been checked");
  auto known = cost::MeasuredTimes::read(options.tune);
  if (!known)
    return known.takeError();
  times = std::move(*known);
  bool isLast = false;
  for (int64_t number = 0; number < mostAttempts && !isLast; ++number) {
    if (options.progress)
      options.progress("tune: plans " + std::to_string(number));
    if (llvm::Error error = attempt(number, isLast))
      return error;
  }
  return llvm::Error::success();
}

llvm::Error tenon::tune(ModuleOp simplified, ArrayRef<CompileTarget> targets,
                        const CompileOptions &options, Report &report) {
  return Tuner(simplified, targets, options, report).run();
}
