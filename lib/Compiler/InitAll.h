//===- InitAll.h - every dialect and pass -----------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TENON_LIB_COMPILER_INITALL_H
#define TENON_LIB_COMPILER_INITALL_H

#include "mlir/IR/DialectRegistry.h"

namespace tenon {

/// Our dialects and those of MLIR that kernels are written in.
void registerAllDialects(mlir::DialectRegistry &registry);

/// All passes of all stages, and the few of MLIR that pipelines use. May be
/// called more than once.
void registerAllPasses();

} // namespace tenon

#endif // TENON_LIB_COMPILER_INITALL_H
