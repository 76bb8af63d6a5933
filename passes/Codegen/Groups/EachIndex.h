//===- EachIndex.h - the same for each index of a dimension -----*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file declares how any strategy computes groups of which only the leading
// dimension is a symbol, images mostly: as often as there are indices, with
// pointers to the part of each. The code in between knows all sizes.
//===----------------------------------------------------------------------===//
#ifndef TENON_PASSES_CODEGEN_GROUPS_EACHINDEX_H
#define TENON_PASSES_CODEGEN_GROUPS_EACHINDEX_H

#include "passes/Codegen/Groups/GroupInstance.h"
#include "passes/Codegen/Strategy.h"

namespace tenon::codegen {

/// The leading dimension of a group that computes the same for each of its
/// indices, and nothing from one to the other: every tensor has it or no
/// symbol. Null if the group is none.
mlir::Attribute commonDim(kernel::GroupOp group);

/// The group as it is for one index of that dimension.
GroupInstance instanceOfOneIndex(kernel::GroupOp group);

/// The part of a buffer that one index has; none where what lies between its
/// elements depends on symbols.
std::optional<memory::BufferType> partOfOneIndex(memory::BufferType buffer);

/// Emits a group whose plan is for one index.
mlir::FailureOr<StageInfo> emitEach(const Strategy &strategy,
                                    const StageRequest &request);

} // namespace tenon::codegen

#endif // TENON_PASSES_CODEGEN_GROUPS_EACHINDEX_H
