//===- Guards.h - buffers in pages of their own -----------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TENON_PASSES_MEMORY_GUARDS_H
#define TENON_PASSES_MEMORY_GUARDS_H

#include "passes/Memory/Liveness.h"

namespace tenon::memory {

/// Sets `first` of each buffer to the first launch that writes it, where there
/// is one: what a guarded run takes for the start of its life.
void startAtFirstWrite(mlir::func::FuncOp main,
                       llvm::MutableArrayRef<LiveBuffer> buffers);

} // namespace tenon::memory

#endif // TENON_PASSES_MEMORY_GUARDS_H
