//===- ReportDevice.cpp - what a compilation did for devices --------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "lib/Compiler/ReportDevice.h"

#include "lib/Compiler/FallBacks.h"

#include "llvm/Support/Format.h"

using namespace tenon;

static void printKernel(llvm::raw_ostream &stream, const KernelReport &kernel) {
  const DeviceUseReport &use = kernel.use;
  if (use.registers < 0)
    return;
  stream << llvm::format("  %-38.38s %9lld %12lld %10lld\n",
                         kernel.name.c_str(), (long long)use.registers,
                         (long long)use.sharedBytes, (long long)use.spillBytes);
}

static llvm::StringRef deviceOf(const VariantReport &variant) {
  return llvm::StringRef(variant.cpu).split('-').second; // "cuda-sm_90a"
}

void Report::printNotes(llvm::raw_ostream &stream) const {
  constexpr double much = 0.1;
  for (const VariantReport &variant : variants)
    if (variant.fallBacks.share() > much)
      stream << "note: " << fallBacksText(variant.fallBacks, deviceOf(variant))
             << "\n";
}

void tenon::printDevices(llvm::raw_ostream &stream, const Report &report) {
  bool hasDevices = false;
  for (const VariantReport &variant : report.variants) {
    if (!variant.isDevice())
      continue;
    hasDevices = true;
    std::string fallBacks = fallBacksText(variant.fallBacks, deviceOf(variant));
    if (!fallBacks.empty())
      stream << "\n  " << fallBacks << "\n";
    if (variant.streams > 1)
      stream << "\n  " << variant.cpu << " runs launches on " << variant.streams
             << " streams\n";
    if (report.assembler.empty())
      continue;
    stream << llvm::format("\n  %-38s registers shared bytes    spilled\n",
                           variant.cpu.c_str());
    for (const KernelReport &kernel : variant.deviceKernels)
      printKernel(stream, kernel);
  }
  if (!hasDevices)
    return;
  stream << "\n  "
         << (report.assembler.empty()
                 ? "no assembler for devices is installed: drivers compile "
                   "PTX"
                 : report.assembler)
         << "\n";
  for (const std::string &remark : report.remarks)
    stream << "  " << remark << "\n";
}

llvm::json::Array tenon::deviceKernelsJson(const VariantReport &variant) {
  llvm::json::Array array;
  for (const KernelReport &kernel : variant.deviceKernels) {
    llvm::json::Object object{{"name", kernel.name},
                              {"launches", kernel.launches},
                              {"nodes", kernel.nodes}};
    if (kernel.use.registers >= 0) {
      object["registers"] = kernel.use.registers;
      object["shared_bytes"] = kernel.use.sharedBytes;
      object["spilled_bytes"] = kernel.use.spillBytes;
    }
    array.push_back(std::move(object));
  }
  return array;
}

llvm::json::Object tenon::assemblerJson(const Report &report) {
  return llvm::json::Object{{"name", report.assembler},
                            {"remarks", llvm::json::Array(report.remarks)}};
}
