//===- Tune.h - plans that are measured on a GPU ----------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file is private to the compiler: it makes the cost database that
// `--tune` names.
//===----------------------------------------------------------------------===//
#ifndef TENON_LIB_COMPILER_TUNE_H
#define TENON_LIB_COMPILER_TUNE_H

#include "lib/Compiler/Phases.h"

namespace tenon {

/// Compiles a simplified program again and again, each time with other plans,
/// runs it on this machine's GPU on made-up inputs, and adds what launches
/// took to the file `options.tune`. Plans whose time the file has are not run
/// again. Only the preferred target is measured, which must be a device. Fails
/// where no GPU here runs it; what was measured until then stays in the file.
llvm::Error tune(mlir::ModuleOp simplified,
                 llvm::ArrayRef<CompileTarget> targets,
                 const CompileOptions &options, Report &report);

} // namespace tenon

#endif // TENON_LIB_COMPILER_TUNE_H
