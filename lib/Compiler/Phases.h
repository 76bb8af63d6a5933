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

/// What a program is compiled for: a device, or a processor.
struct CompileTarget {
  cpu::CpuTarget processor; ///< of a device the host
  const tile::GpuTarget *device = nullptr;

  /// The variant's, and that of the row that planners read.
  std::string name() const;
  llvm::StringRef row() const;
};

/// The devices and CPUs of `options`, the preferred first; several only where
/// an artifact comes out. Fails with a diagnostic where the module cannot be
/// compiled for them.
mlir::FailureOr<std::vector<CompileTarget>>
targetsOf(mlir::ModuleOp module, const CompileOptions &options, Report &report);

/// Fails with a diagnostic that says why where a module that has been
/// simplified cannot be compiled for devices; a warning where it can, but none
/// will load it.
mlir::LogicalResult checkForDevices(mlir::ModuleOp module);

/// The same of one that has been planned for a device.
mlir::LogicalResult checkDeviceLaunches(mlir::ModuleOp module);

/// Runs the phases that the module has not been through, up to `last`. Fails
/// with a diagnostic.
mlir::LogicalResult runUpTo(Phase last, mlir::ModuleOp module,
                            const CompileTarget &target,
                            const CompileOptions &options, Report &report);

/// How files are written.
emit::EmitOptions emitOptionsOf(const CompileOptions &options,
                                const Report &report);

/// The programs of an artifact, the preferred one first, and who owns them.
struct Variants {
  std::vector<mlir::OwningOpRef<mlir::ModuleOp>> modules;
  std::vector<emit::Program> programs;
};

/// Runs the phases up to `options.compileTo` (Emit: up to Memory), those that
/// depend on the target once for each. Fails with a diagnostic.
mlir::FailureOr<Variants> planVariants(mlir::OwningOpRef<mlir::ModuleOp> module,
                                       const CompileOptions &options,
                                       Report &report);

} // namespace tenon

#endif // TENON_LIB_COMPILER_PHASES_H
