//===- Log.cpp - what the assembler says of kernels -----------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "lib/Target/Cuda/Assembler.h"

#include "llvm/ADT/StringExtras.h"

using namespace tenon;
using llvm::StringRef;

/// The number in front of `unit` in a line, "Used 12 registers"; -1: none.
static int64_t numberBefore(StringRef line, StringRef unit) {
  size_t at = line.find(unit);
  if (at == StringRef::npos)
    return -1;
  StringRef before = line.take_front(at).rtrim();
  StringRef digits = before.take_back(
      before.size() - before.find_last_not_of("0123456789") - 1);
  int64_t number;
  return digits.getAsInteger(10, number) ? -1 : number;
}

/// The text between the first two quotes.
static StringRef quoted(StringRef line) {
  return line.split('\'').second.split('\'').first;
}

/// Calls `visit` with each line and the kernel that it is about.
template <typename Visit> static void forEachLine(StringRef log, Visit visit) {
  StringRef kernel;
  for (StringRef line : llvm::split(log, '\n')) {
    if (line.contains("Compiling entry function"))
      kernel = quoted(line);
    visit(kernel, line);
  }
}

llvm::StringMap<cuda::KernelUse> cuda::usesOf(StringRef log) {
  llvm::StringMap<KernelUse> uses;
  forEachLine(log, [&](StringRef kernel, StringRef line) {
    if (kernel.empty())
      return;
    KernelUse &use = uses[kernel];
    if (int64_t spills = numberBefore(line, " bytes spill stores"); spills >= 0)
      use.spillBytes = spills;
    if (!line.contains("Used "))
      return;
    use.registers = numberBefore(line, " registers");
    use.sharedBytes = std::max<int64_t>(0, numberBefore(line, " bytes smem"));
  });
  return uses;
}

std::vector<std::string> cuda::remarksOf(StringRef log) {
  std::vector<std::string> remarks;
  forEachLine(log, [&](StringRef kernel, StringRef line) {
    // C7510 and C7520: products are serialised.
    if (line.contains("C7510") || line.contains("C7520"))
      remarks.push_back(line.trim().str());
    if (int64_t spills = numberBefore(line, " bytes spill stores"); spills > 0)
      remarks.push_back("kernel '" + kernel.str() + "' spills " +
                        std::to_string(spills) + " bytes");
  });
  return remarks;
}
