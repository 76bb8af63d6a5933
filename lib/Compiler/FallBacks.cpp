//===- FallBacks.cpp - what no strategy of a device computes --------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "lib/Compiler/FallBacks.h"

#include "dialects/Graph/Programs.h"
#include "dialects/Kernel/Kernel.h"
#include "passes/Codegen/Backends.h"
#include "passes/Memory/LaunchProgram.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/Support/Format.h"

using namespace mlir;
using namespace tenon;

double FallBackReport::share() const {
  return ofTime > Time() ? time.nanoseconds / ofTime.nanoseconds : 0;
}

static bool isFallBack(kernel::LaunchOp launch) {
  DictionaryAttr costs = launch.getCostsAttr();
  return !costs || llvm::none_of(costs, [&](NamedAttribute cost) {
    const codegen::Backend *backend =
        codegen::Backends::of(launch.getContext()).withStrategy(cost.getName());
    return backend && backend->name == "gpu";
  });
}

FallBackReport tenon::fallBacksOf(ModuleOp module) {
  FallBackReport report;
  llvm::SmallSetVector<StringRef, 16> kernels, fallBacks;
  llvm::MapVector<StringRef, Time> nodes;
  for (func::FuncOp program : graph::programs(module))
    for (auto launch : program.getOps<kernel::LaunchOp>()) {
      Time time = memory::timeOf(launch);
      report.ofTime += time;
      kernels.insert(launch.getCallee());
      if (!isFallBack(launch))
        continue;
      report.time += time;
      fallBacks.insert(launch.getCallee());
      // What only clears a border has no operators.
      if (ArrayAttr operators = launch.getOperatorsAttr();
          operators && !operators.empty())
        nodes[launch.getNodes().split(';').first] += time;
    }
  report.kernels = int64_t(fallBacks.size());
  report.ofKernels = int64_t(kernels.size());
  auto byTime = nodes.takeVector();
  llvm::stable_sort(
      byTime, [](const auto &a, const auto &b) { return a.second > b.second; });
  for (auto &[node, time] : byTime)
    report.nodes.push_back(node.str());
  return report;
}

static std::string percentText(double share) {
  std::string text;
  llvm::raw_string_ostream stream(text);
  if (share > 0 && share < 0.01)
    stream << "less than 1 %";
  else
    stream << llvm::format("%.0f %%", 100 * share);
  return text;
}

std::string tenon::fallBacksText(const FallBackReport &fallBacks,
                                 StringRef device) {
  constexpr size_t most = 6;
  if (!fallBacks.kernels)
    return "";
  bool isOne = fallBacks.kernels == 1;
  std::string text;
  llvm::raw_string_ostream stream(text);
  stream << fallBacks.kernels << " of " << fallBacks.ofKernels << " kernels, "
         << percentText(fallBacks.share()) << " of the predicted time, "
         << (isOne ? "has no strategy of its own on "
                   : "have no strategy of their own on ")
         << device;
  ArrayRef<std::string> nodes = fallBacks.nodes;
  if (!nodes.empty())
    stream << ": " << llvm::join(nodes.take_front(most), ", ");
  if (nodes.size() > most)
    stream << " and " << nodes.size() - most << " more";
  return text;
}

llvm::json::Object tenon::fallBacksJson(const FallBackReport &fallBacks) {
  return llvm::json::Object{{"kernels", fallBacks.kernels},
                            {"of_kernels", fallBacks.ofKernels},
                            {"of_predicted_time", fallBacks.share()},
                            {"nodes", llvm::json::Array(fallBacks.nodes)}};
}
