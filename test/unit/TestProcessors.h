//===- TestProcessors.h - instruction sets to test on -----------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TENON_TEST_UNIT_TESTPROCESSORS_H
#define TENON_TEST_UNIT_TESTPROCESSORS_H

#include "llvm/ADT/StringMap.h"
#include "llvm/TargetParser/Host.h"

namespace tenon::test {

/// The baseline and what this processor has.
inline std::vector<std::string> processors() {
  std::vector<std::string> names = {"x86-64"};
  llvm::StringMap<bool> features = llvm::sys::getHostCPUFeatures();
  if (features.lookup("avx2") && features.lookup("fma"))
    names.push_back("haswell");
  if (features.lookup("avx512f") && features.lookup("avx512vl"))
    names.push_back("skylake-avx512");
  // Newer ones of the family run its code too.
  if (features.lookup("avx512f") &&
      llvm::sys::getHostCPUName().starts_with("znver"))
    names.push_back("znver4");
  return names;
}

/// Whether this processor multiplies tiles of bf16, and runs what is compiled
/// for `sapphirerapids`.
inline bool hasMatrixUnit() {
  llvm::StringMap<bool> features = llvm::sys::getHostCPUFeatures();
  return features.lookup("amx-tile") && features.lookup("amx-bf16") &&
         features.lookup("avx512fp16");
}

} // namespace tenon::test

#endif // TENON_TEST_UNIT_TESTPROCESSORS_H
