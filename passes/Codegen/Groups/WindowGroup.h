//===- WindowGroup.h - groups around windows --------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TENON_PASSES_CODEGEN_GROUPS_WINDOWGROUP_H
#define TENON_PASSES_CODEGEN_GROUPS_WINDOWGROUP_H

#include "dialects/Graph/Graph.h"
#include "dialects/Kernel/Kernel.h"

namespace tenon::codegen {

/// Whether the lanes of a convolution are its groups, or channels that are
/// mixed inside of vectors.
bool hasLanesOfGroups(graph::ConvOp conv);

/// The pool or convolution of a group, which reads the group's operands; null
/// after a diagnostic.
mlir::Operation *windowAnchor(kernel::GroupOp group);

/// Whether a filter may be packed at compile time: a constant that nothing else
/// in the group reads.
bool canPackFilter(kernel::GroupOp group, mlir::BlockArgument filter);

/// The depthwise filter as `[vector][tap][mixed][lane]`: a tile reads what lies
/// together, and the next one what follows.
mlir::DictionaryAttr packFilter(graph::ConvOp conv, int64_t lanes);

/// Channels of the input are neighbours; a filter lies as it was planned.
bool canAddressWindow(kernel::GroupOp group, unsigned index,
                      memory::BufferType type);

} // namespace tenon::codegen

#endif // TENON_PASSES_CODEGEN_GROUPS_WINDOWGROUP_H
