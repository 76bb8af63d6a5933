//===- Phases.h - which phases a program goes through -----------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file is private to the compiler: the phases of a model that is compiled
// for one CPU or for several.
//===----------------------------------------------------------------------===//
#ifndef TENON_LIB_COMPILER_PHASES_H
#define TENON_LIB_COMPILER_PHASES_H

#include "lib/Compiler/Compiler.h"
#include "passes/Emit/Emit.h"
#include <chrono>

namespace tenon {

/// Announces a phase and adds the seconds of its own life to the report: to
/// what is there when a variant has been through the phase before.
class PhaseTimer {
public:
  PhaseTimer(const CompileOptions &options, Report &report,
             llvm::StringRef name);
  ~PhaseTimer();

private:
  Report &report;
  llvm::StringRef name;
  std::chrono::steady_clock::time_point start;
};

/// The programs of an artifact, the preferred one first, and who owns them.
struct Variants {
  std::vector<mlir::OwningOpRef<mlir::ModuleOp>> modules;
  std::vector<emit::Program> programs;
};

/// Runs the phases up to `options.compileTo` (Emit: up to Memory), those that
/// depend on the CPU once for each of `options.cpu`. Fails with a diagnostic.
mlir::FailureOr<Variants> planVariants(mlir::OwningOpRef<mlir::ModuleOp> module,
                                       const CompileOptions &options,
                                       Report &report);

} // namespace tenon

#endif // TENON_LIB_COMPILER_PHASES_H
