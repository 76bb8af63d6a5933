//===- Resolve.cpp - which devices a name means ---------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "lib/Target/Cuda/Cuda.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

using namespace tenon;
using llvm::StringRef;
using Targets = std::vector<const tile::GpuTarget *>;

/// What "cuda" means: code for Hopper, and code that runs on all others.
static constexpr llvm::StringLiteral usual = "sm_90a,sm_80";

static llvm::Error unknown(StringRef name) {
  auto names = llvm::map_range(
      tile::gpuTargets(), [](const tile::GpuTarget &row) { return row.name; });
  return llvm::createStringError("unknown device '%s' (try cuda, or cuda: with "
                                 "%s)",
                                 name.str().c_str(),
                                 llvm::join(names, ", ").c_str());
}

llvm::Expected<Targets> cuda::resolveDevices(StringRef text) {
  auto [kind, list] = text.split(':');
  if (kind != "cuda" || (list.empty() && text != kind))
    return unknown(text);
  llvm::SmallVector<StringRef> names;
  (list.empty() ? StringRef(usual) : list).split(names, ',');
  Targets targets;
  for (StringRef name : names) {
    const tile::GpuTarget *row = tile::findGpuTarget(name);
    if (!row)
      return unknown(name);
    if (llvm::is_contained(targets, row))
      return llvm::createStringError("the device '%s' is named twice",
                                     name.str().c_str());
    targets.push_back(row);
  }
  // Rows of the table are in the order of generations.
  llvm::sort(targets, std::greater<>());
  return targets;
}

std::string cuda::variantName(const tile::GpuTarget &target) {
  return ("cuda-" + target.name).str();
}
