//===- Mode.h - how much is fused -------------------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TENON_PASSES_FUSE_MODE_H
#define TENON_PASSES_FUSE_MODE_H

#include "llvm/ADT/StringRef.h"
#include <optional>

namespace tenon::fuse {

/// `--fusion`: which operations become one kernel.
enum class FusionMode {
  Off,    ///< none
  Atoms,  ///< an operation and its only user, if that is element-wise
  Greedy, ///< groups grow while one anchor or one domain serves them
  Full    ///< whatever is expected to take the least time
};

/// "off", "atoms", "greedy" or "full"; none for anything else.
std::optional<FusionMode> parseFusionMode(llvm::StringRef name);
llvm::StringRef toText(FusionMode mode);

} // namespace tenon::fuse

#endif // TENON_PASSES_FUSE_MODE_H
