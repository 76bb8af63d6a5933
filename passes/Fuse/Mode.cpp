//===- Mode.cpp - how much is fused ---------------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "passes/Fuse/Mode.h"

using namespace tenon::fuse;

std::optional<FusionMode> tenon::fuse::parseFusionMode(llvm::StringRef name) {
  for (FusionMode mode : {FusionMode::Off, FusionMode::Atoms,
                          FusionMode::Greedy, FusionMode::Full})
    if (name == toText(mode))
      return mode;
  return std::nullopt;
}

llvm::StringRef tenon::fuse::toText(FusionMode mode) {
  static constexpr const char *names[] = {"off", "atoms", "greedy", "full"};
  return names[unsigned(mode)];
}
