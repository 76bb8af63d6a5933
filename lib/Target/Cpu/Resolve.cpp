//===- Resolve.cpp - from a CPU's name to a target record -----------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "lib/Target/Cpu/Cpu.h"

#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/MC/MCSubtargetInfo.h"
#include "llvm/MC/TargetRegistry.h"
#include "llvm/Support/TargetSelect.h"
#include "llvm/TargetParser/Host.h"
#include "llvm/TargetParser/Triple.h"

using namespace tenon;

/// The features of the running machine, in a fixed order.
static std::string hostFeatures() {
  std::vector<std::string> features;
  for (const auto &feature : llvm::sys::getHostCPUFeatures())
    features.push_back((feature.second ? "+" : "-") + feature.first().str());
  std::sort(features.begin(), features.end());
  return llvm::join(features, ",");
}

static const tile::Target *rowFor(const llvm::Triple &triple,
                                  const llvm::MCSubtargetInfo &subtarget) {
  if (triple.isAArch64())
    return tile::findTarget("neon");
  if (subtarget.checkFeatures("+avx512f,+avx512vl,+avx512bw,+avx512dq"))
    return tile::findTarget("avx512");
  if (subtarget.checkFeatures("+avx2,+fma"))
    return tile::findTarget("avx2");
  return tile::findTarget("baseline");
}

llvm::Expected<cpu::CpuTarget> cpu::resolveCpu(llvm::StringRef mcpu) {
  llvm::InitializeNativeTarget();
  llvm::InitializeNativeTargetAsmPrinter();
  CpuTarget result;
  llvm::Triple triple(llvm::sys::getProcessTriple());
  result.triple = triple.str();
  bool host = mcpu.empty() || mcpu == "native" || mcpu == "host";
  result.cpu = host ? llvm::sys::getHostCPUName().str() : mcpu.str();
  if (host)
    result.features = hostFeatures();
  std::string error;
  const llvm::Target *target =
      llvm::TargetRegistry::lookupTarget(triple, error);
  if (!target)
    return llvm::createStringError("no code generator for '%s': %s",
                                   result.triple.c_str(), error.c_str());
  std::unique_ptr<llvm::MCSubtargetInfo> generic(
      target->createMCSubtargetInfo(triple, "", ""));
  if (!generic->isCPUStringValid(result.cpu))
    return llvm::createStringError("unknown CPU '%s' (try native, haswell, "
                                   "skylake-avx512, znver4, x86-64)",
                                   result.cpu.c_str());
  std::unique_ptr<llvm::MCSubtargetInfo> subtarget(
      target->createMCSubtargetInfo(triple, result.cpu, result.features));
  result.row = rowFor(triple, *subtarget);
  result.extensions = subtarget->getFeatureBits().count();
  return result;
}

llvm::Expected<std::vector<cpu::CpuTarget>>
cpu::resolveCpus(llvm::StringRef list) {
  llvm::SmallVector<llvm::StringRef> names;
  list.split(names, ',');
  std::vector<CpuTarget> targets;
  llvm::StringSet<> seen;
  for (llvm::StringRef name : names) {
    if (name.empty() && names.size() > 1)
      return llvm::createStringError("there is no CPU between two commas of "
                                     "'%s'",
                                     list.str().c_str());
    auto target = resolveCpu(name);
    if (!target)
      return target.takeError();
    if (!seen.insert(target->cpu).second)
      return llvm::createStringError("the CPU '%s' is named twice",
                                     target->cpu.c_str());
    targets.push_back(std::move(*target));
  }
  // Rows of the table are in this order.
  llvm::sort(targets, [](const CpuTarget &a, const CpuTarget &b) {
    return std::tuple(a.row, b.extensions, a.cpu) <
           std::tuple(b.row, a.extensions, b.cpu);
  });
  return targets;
}
