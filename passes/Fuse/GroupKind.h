//===- GroupKind.h - which emitter an operation belongs to ------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TENON_PASSES_FUSE_GROUPKIND_H
#define TENON_PASSES_FUSE_GROUPKIND_H

#include "mlir/IR/Operation.h"

namespace tenon::fuse {

/// The kind of group that `op` anchors ("contraction", "window", "move",
/// "recurrent", "loops"), or empty for what stays outside of groups.
llvm::StringRef groupKind(mlir::Operation *op);

/// Whether a convolution has one filter per channel.
bool isDepthwise(mlir::Operation *op);

} // namespace tenon::fuse

#endif // TENON_PASSES_FUSE_GROUPKIND_H
