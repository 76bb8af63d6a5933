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

/// The row that names the processor most closely, of those whose features it
/// has; of equal ones the first.
static const tile::Target *rowFor(llvm::StringRef architecture,
                                  const llvm::MCSubtargetInfo &subtarget) {
  const tile::Target *best = nullptr;
  for (const tile::Target &row : tile::targets()) {
    bool fits = row.architecture == architecture &&
                subtarget.getCPU().starts_with(row.cpus) &&
                subtarget.checkFeatures(row.features.str());
    if (fits && (!best || row.cpus.size() > best->cpus.size()))
      best = &row;
  }
  assert(best && "each architecture has a row that asks for nothing");
  return best;
}

static void initializeTargets() {
  LLVMInitializeX86TargetInfo();
  LLVMInitializeX86Target();
  LLVMInitializeX86TargetMC();
  LLVMInitializeX86AsmPrinter();
  LLVMInitializeAArch64TargetInfo();
  LLVMInitializeAArch64Target();
  LLVMInitializeAArch64TargetMC();
  LLVMInitializeAArch64AsmPrinter();
}

/// Little endian, ELF, and pointers of 64 bits.
static bool isKnown(const llvm::Triple &triple) {
  using llvm::Triple;
  return (triple.getArch() == Triple::x86_64 ||
          triple.getArch() == Triple::aarch64) &&
         triple.isOSBinFormatELF() && !triple.isX32() &&
         triple.getEnvironment() != Triple::GNUILP32;
}

/// The machines that a CPU may be of, the one that is preferred first.
static llvm::Expected<llvm::SmallVector<llvm::Triple>>
candidates(llvm::StringRef mtriple) {
  llvm::Triple host(llvm::sys::getProcessTriple());
  llvm::Triple first(mtriple.empty() ? host.str()
                                     : llvm::Triple::normalize(mtriple));
  if (!isKnown(first))
    return llvm::createStringError("unsupported target '%s' (try "
                                   "x86_64-linux-gnu, aarch64-linux-gnu)",
                                   first.str().c_str());
  llvm::SmallVector<llvm::Triple> result = {first};
  for (const char *name :
       {"x86_64-unknown-linux-gnu", "aarch64-unknown-linux-gnu"})
    if (llvm::Triple other(name);
        mtriple.empty() && other.getArch() != first.getArch())
      result.push_back(other);
  return result;
}

using Subtarget = std::unique_ptr<llvm::MCSubtargetInfo>;

/// Null when the machine has no such CPU.
static Subtarget findSubtarget(const cpu::CpuTarget &wanted) {
  llvm::Triple triple(wanted.triple);
  std::string error;
  const llvm::Target *target =
      llvm::TargetRegistry::lookupTarget(triple, error);
  assert(target && "every known triple has a code generator");
  // One that would not print a warning first.
  Subtarget any(target->createMCSubtargetInfo(triple, "", ""));
  if (!any->isCPUStringValid(wanted.cpu))
    return nullptr;
  return Subtarget(
      target->createMCSubtargetInfo(triple, wanted.cpu, wanted.features));
}

/// What any processor of the architecture runs.
static const char *leastCpu(const llvm::Triple &triple) {
  return triple.isAArch64() ? "generic" : "x86-64";
}

llvm::StringRef cpu::CpuTarget::architecture() const {
  return llvm::Triple(triple).isAArch64() ? "aarch64" : "x86_64";
}

static llvm::Error unknownCpu(llvm::StringRef cpu, llvm::StringRef mtriple) {
  std::string where = mtriple.empty() ? "" : " of " + mtriple.str();
  return llvm::createStringError(
      "unknown CPU '%s'%s (try native, haswell, skylake-avx512, znver4, "
      "x86-64, neoverse-n1, apple-m1)",
      cpu.str().c_str(), where.c_str());
}

llvm::Expected<cpu::CpuTarget> cpu::resolveCpu(llvm::StringRef mcpu,
                                               llvm::StringRef mtriple) {
  initializeTargets();
  auto triples = candidates(mtriple);
  if (!triples)
    return triples.takeError();
  CpuTarget result;
  bool isHost =
      mcpu == "native" || mcpu == "host" || (mcpu.empty() && mtriple.empty());
  llvm::Triple host(llvm::sys::getProcessTriple());
  if (isHost && triples->front().getArch() != host.getArch())
    return llvm::createStringError(
        "this machine is not %s: name a CPU with --mcpu",
        triples->front().str().c_str());
  result.cpu = isHost         ? llvm::sys::getHostCPUName().str()
               : mcpu.empty() ? leastCpu(triples->front())
                              : mcpu.str();
  if (isHost)
    result.features = hostFeatures();
  for (const llvm::Triple &triple : *triples) {
    result.triple = triple.str();
    Subtarget subtarget = findSubtarget(result);
    if (!subtarget)
      continue;
    result.row = rowFor(result.architecture(), *subtarget);
    for (const auto &feature : subtarget->getEnabledProcessorFeatures())
      result.extensions.push_back(feature.Key);
    return result;
  }
  return unknownCpu(result.cpu, mtriple);
}

llvm::Expected<std::vector<cpu::CpuTarget>>
cpu::resolveCpus(llvm::StringRef list, llvm::StringRef mtriple) {
  llvm::SmallVector<llvm::StringRef> names;
  list.split(names, ',');
  std::vector<CpuTarget> targets;
  llvm::StringSet<> seen;
  for (llvm::StringRef name : names) {
    if (name.empty() && names.size() > 1)
      return llvm::createStringError("an empty CPU name in "
                                     "'%s'",
                                     list.str().c_str());
    auto target = resolveCpu(name, mtriple);
    if (!target)
      return target.takeError();
    if (!seen.insert(target->cpu).second)
      return llvm::createStringError("the CPU '%s' is named twice",
                                     target->cpu.c_str());
    if (!targets.empty() &&
        targets.front().architecture() != target->architecture())
      return llvm::createStringError(
          "'%s' is %s and '%s' is %s: one artifact is for one architecture",
          targets.front().cpu.c_str(),
          targets.front().architecture().str().c_str(), target->cpu.c_str(),
          target->architecture().str().c_str());
    targets.push_back(std::move(*target));
  }
  // Rows of the table are in this order.
  llvm::sort(targets, [](const CpuTarget &a, const CpuTarget &b) {
    return std::tuple(a.row, b.extensions.size(), a.cpu) <
           std::tuple(b.row, a.extensions.size(), b.cpu);
  });
  return targets;
}
