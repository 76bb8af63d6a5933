//===- Compiler.h - from a file to an artifact ------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file declares the compiler as tools and the C API use it: one call that
// reads a model, runs the phases and writes what was asked for.
//===----------------------------------------------------------------------===//
#ifndef TENON_LIB_COMPILER_COMPILER_H
#define TENON_LIB_COMPILER_COMPILER_H

#include "lib/Compiler/Ensemble.h"
#include "lib/Compiler/Report.h"
#include "lib/Compiler/States.h"
#include "lib/Compiler/Training.h"
#include "lib/Compiler/Typical.h"
#include "lib/Import/Onnx/Import.h"
#include "lib/Tile/Winograd.h"
#include "mlir/IR/MLIRContext.h"
#include "passes/Pipeline.h"
#include "llvm/Support/Error.h"
#include <functional>

namespace tenon {

/// What is written in the end.
enum class EmitKind {
  Artifact, ///< one file for tenon-run and the run time
  Object,   ///< a `.o` and a `.h` for static linking
  Assembly, ///< the kernels as text
  Mlir,     ///< the program after `compileTo`
  Onnx,     ///< the model with what --apply-state says
  None      ///< nothing; for the report and the memory problem alone
};

/// That a device may be asked to run a program on.
inline constexpr unsigned mostStreams = 1024;

inline constexpr uint64_t defaultKernelCacheBytes = 512 << 20;

struct CompileOptions {
  onnximport::ImportOptions import;
  EnsembleOptions ensemble;      ///< --ensemble, --ensemble-inputs
  std::vector<StatePair> states; ///< --state
  TrainingOptions training;      ///< --train and what belongs to it
  std::string applyState;        ///< --apply-state; empty: none
  GivenTypical typical;          ///< --typical
  std::string cpu;               ///< --mcpu; several with commas between them
  std::string triple;            ///< --mtriple; empty: see resolveCpu
  std::string device;            ///< --device, see resolveDevices; empty: none
  tile::Precision precision = tile::Precision::F32; ///< --precision
  std::string times;                    ///< --times: a file of measured times
  std::string tune;                     ///< --tune: one to measure into
  int64_t attempt = -1;                 ///< the plans to measure next; -1: none
  unsigned streams = mostStreams;       ///< --streams
  int64_t threads = 0;                  ///< --threads; 0: as the target says
  Schedule schedule = Schedule::Auto;   ///< --schedule
  std::optional<int64_t> arenaCap = {}; ///< --arena-cap, bytes
  MicroBatch microBatch;                ///< --micro-batch
  std::optional<int64_t> codeSize = {}; ///< --code-size, bytes
  std::string arenaBudget = "free";     ///< --arena-budget, as the pass has it
  bool showFrontier = false;            ///< --arena-budget=frontier
  Phase compileTo = Phase::Emit;        ///< the last phase to run
  Guard guard = Guard::None;            ///< --guard-memory
  fuse::FusionMode fusion = fuse::FusionMode::Full;     ///< --fusion
  tile::WinogradUse winograd = tile::WinogradUse::Safe; ///< --winograd
  bool bf16x6 = true;                                   ///< --no-bf16x6
  Weights weights = Weights::F32;                       ///< --weights
  bool strict = false;                                  ///< --strict
  bool checkIndices = true;                             ///< --unchecked-indices
  EmitKind emit = EmitKind::Artifact;
  unsigned jobs = 0;       ///< threads; 0: one per CPU
  std::string kernelCache; ///< a folder for compiled kernels; empty: none
  uint64_t kernelCacheBytes = defaultKernelCacheBytes; ///< 0: no bound
  bool drawMemory = false;     ///< draw the memory plan into the report
  bool drawGroups = false;     ///< draw what is fused into the report
  bool showFront = false;      ///< time against memory, in the report
  std::string scheduleProblem; ///< a file for what launches are scheduled by
  std::string memoryProblem;   ///< a file for what is planned; .csv: its
                               ///< buffers, else the program; empty: none
  /// Runs an artifact on this machine's device: microseconds of each of its
  /// launches, which `tune` needs.
  std::function<llvm::Expected<std::vector<double>>(llvm::StringRef artifact)>
      measure;
  /// Called before each phase, for progress.
  std::function<void(llvm::StringRef phase)> progress;
  /// Asked between steps, in any thread: whether to give up.
  std::function<bool()> isCancelled;
  /// Called on the pass manager before each phase: instrumentation.
  std::function<mlir::LogicalResult(mlir::PassManager &)> instrument;
};

/// What of `options` asks for what --strict turns off, as `--winograd=exact`;
/// empty: nothing does. A --winograd that was not given is none.
std::string againstStrict(const CompileOptions &options, bool winogradGiven);

/// What `options` mean for results.
ArithmeticReport describeArithmetic(const CompileOptions &options);

/// A context that knows all dialects.
std::unique_ptr<mlir::MLIRContext> createContext(unsigned jobs = 0);

/// Reads a model: `.onnx`, `.onnxtxt` or, at any phase, `.mlir`. Diagnostics go
/// to the context's handler.
mlir::FailureOr<mlir::OwningOpRef<mlir::ModuleOp>>
readModel(llvm::StringRef path, mlir::MLIRContext &context,
          const onnximport::ImportOptions &options);

/// A model: a file, or bytes that `path` stands for in messages; its extension
/// says what they are.
struct ModelSource {
  std::string path;
  std::optional<llvm::StringRef> bytes = std::nullopt;
};

/// The same for either.
mlir::FailureOr<mlir::OwningOpRef<mlir::ModuleOp>>
readModel(const ModelSource &source, mlir::MLIRContext &context,
          const onnximport::ImportOptions &options);

/// The same for all that become one program: the source and the further files
/// of `options.ensemble`, if there are any.
mlir::FailureOr<mlir::OwningOpRef<mlir::ModuleOp>>
readModels(const ModelSource &source, mlir::MLIRContext &context,
           const CompileOptions &options);

/// The last phase that a module has been through.
Phase phaseOf(mlir::ModuleOp module);

/// Runs the phases after `phaseOf(module)` up to `options.compileTo` (Emit: up
/// to Memory). A program that has its plan gets another for `options.guard`.
/// Seconds per phase go to `report`.
mlir::LogicalResult runPhases(mlir::ModuleOp module,
                              const CompileOptions &options, Report &report);

/// Reads a model, compiles it and writes `output`. Errors come as text in the
/// returned error as well as through the context's diagnostics.
llvm::Expected<Report> compileModel(mlir::MLIRContext &context,
                                    const ModelSource &source,
                                    llvm::StringRef output,
                                    const CompileOptions &options);

} // namespace tenon

#endif // TENON_LIB_COMPILER_COMPILER_H
