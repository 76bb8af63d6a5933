//===- ReportSizes.cpp - which plan serves which sizes --------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "lib/Compiler/ReportSizes.h"

#include "dialects/Graph/DimExpr.h"
#include "passes/Codegen/SizePlans.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Support/Format.h"

using namespace mlir;
using namespace tenon;

static SizesReport sizesOf(kernel::LaunchOp launch,
                           ArrayRef<codegen::SmallerPlan> plans) {
  SizesReport report;
  report.kernel = launch.getCallee().str();
  auto result = cast<memory::BufferType>(launch.getWrites().front().getType());
  report.counted = graph::dimText(
      codegen::countedOf(result.getTensor()).dim(launch.getContext()));
  for (const codegen::SmallerPlan &each : plans)
    report.plans.emplace_back(each.plan.getStrategy().str(), each.most);
  return report;
}

std::vector<SizesReport> tenon::reportSizes(ModuleOp module) {
  std::vector<SizesReport> kernels;
  llvm::StringSet<> seen;
  module.walk([&](kernel::LaunchOp launch) {
    auto plans = codegen::smallerPlansOf(launch);
    if (!plans.empty() && !launch.getWrites().empty() &&
        seen.insert(launch.getCallee()).second)
      kernels.push_back(sizesOf(launch, plans));
  });
  return kernels;
}

void tenon::printSizes(llvm::raw_ostream &stream,
                       llvm::ArrayRef<SizesReport> kernels) {
  if (kernels.empty())
    return;
  stream << "\n  other plans               up to\n";
  for (const SizesReport &kernel : kernels) {
    stream << llvm::format("  %-24.24s ", kernel.kernel.c_str());
    for (const auto &[strategy, most] : kernel.plans)
      stream << ' ' << strategy << ' ' << most << ',';
    stream << " of " << kernel.counted << '\n';
  }
}

llvm::json::Array tenon::sizesJson(llvm::ArrayRef<SizesReport> kernels) {
  llvm::json::Array array;
  for (const SizesReport &kernel : kernels) {
    llvm::json::Array plans;
    for (const auto &[strategy, most] : kernel.plans)
      plans.push_back(
          llvm::json::Object{{"strategy", strategy}, {"most", most}});
    array.push_back(llvm::json::Object{{"kernel", kernel.kernel},
                                       {"counted", kernel.counted},
                                       {"plans", std::move(plans)}});
  }
  return array;
}
