//===- StageKey.h - stages that cost the same -------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TENON_PASSES_FUSE_STAGEKEY_H
#define TENON_PASSES_FUSE_STAGEKEY_H

#include "dialects/Kernel/Footprint.h"
#include <string>

namespace tenon::fuse {

/// Whether an input of a stage is a constant of the program.
bool isConstantOf(kernel::StageOp stage, mlir::Value input);

/// Equal for stages of equal operations, for groups of equal stages that read
/// each other in the same way, within one context, and for boxes of equal
/// sizes. Bytes, not text.
std::string keyOf(kernel::StageOp stage);
std::string keyOf(kernel::GroupOp group);
std::string keyOf(const kernel::StageFootprint &boxes);

} // namespace tenon::fuse

#endif // TENON_PASSES_FUSE_STAGEKEY_H
