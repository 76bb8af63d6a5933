//===- Shared.cpp - what tools that look for faults share -----------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "lib/Programs/Shared.h"

using namespace tenon;

std::string TrialOptions::compilerPath() const {
  return compiler.empty() ? programBeside("tenon-compile")
                          : compiler.getValue();
}

std::string TrialOptions::readDims(
    std::vector<std::pair<std::string, int64_t>> &sizes) const {
  for (const std::string &dim : dims) {
    auto [name, size] = llvm::StringRef(dim).split('=');
    int64_t value = 0;
    if (name.empty() || size.getAsInteger(10, value) || value < 0)
      return "--dim: expected NAME=VALUE, got '" + dim + "'";
    sizes.emplace_back(name.str(), value);
  }
  return "";
}
