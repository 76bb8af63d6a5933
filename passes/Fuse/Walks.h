//===- Walks.h - which way a nest goes through memory -----------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TENON_PASSES_FUSE_WALKS_H
#define TENON_PASSES_FUSE_WALKS_H

#include "dialects/Kernel/LoopDomain.h"

namespace tenon::fuse {

/// Whether neighbours along one loop of a nest are neighbours in all large
/// values that it reads and writes: `results`, of types `types`. A nest without
/// reductions may go two ways, and transposes squares in registers; with them,
/// each line that it touches the other way is fetched for one element.
bool walksOneWay(const kernel::LoopProgram &program, mlir::TypeRange types);

/// Elements of what is reduced to one.
int64_t reducedElements(const kernel::LoopProgram &program);

/// Whether something is reduced in it.
bool reduces(const kernel::LoopProgram &program);

} // namespace tenon::fuse

#endif // TENON_PASSES_FUSE_WALKS_H
