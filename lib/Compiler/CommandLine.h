//===- CommandLine.h - options that tools share -----------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TENON_LIB_COMPILER_COMMANDLINE_H
#define TENON_LIB_COMPILER_COMMANDLINE_H

#include "lib/Compiler/Compiler.h"
#include "llvm/Support/CommandLine.h"

namespace tenon {

/// `--shape`, `--dim`, `--typical`, `--const`, `--ensemble`, `--state`,
/// `--train` and its like, `--mcpu`, `--mtriple`, `--device`, `--precision`,
/// `--streams`, `--schedule`, `--arena-cap`, `--micro-batch`, `--code-size`,
/// `--compile-to`, `--guard-memory`, `--fusion`, `--winograd`, `--strict`,
/// `--kernel-cache` and its like, `-j`. Construct before parsing.
class CompilerCommandLine {
public:
  explicit CompilerCommandLine(llvm::cl::OptionCategory &category);

  /// The options as given; an error names the malformed one.
  llvm::Expected<CompileOptions> get(EmitKind emit) const;

  /// Puts the models of an ensemble into the options; an error where there are
  /// several and no --ensemble, or the other way round.
  llvm::Error setModels(llvm::ArrayRef<std::string> models,
                        CompileOptions &options) const;

  bool hasCompileTo() const { return compileTo.getNumOccurrences(); }

private:
  llvm::Error readModel(CompileOptions &options) const;
  llvm::Error readTarget(CompileOptions &options) const;
  TrainingOptions readTraining() const;
  llvm::Error readPlan(CompileOptions &options) const;
  llvm::Error readWork(CompileOptions &options, EmitKind emit) const;

  llvm::cl::list<std::string> shapes, dims, typical, constants, states;
  llvm::cl::opt<bool> isEnsemble;
  llvm::cl::opt<ensemble::Inputs> ensembleInputs;
  llvm::cl::opt<bool> train;
  llvm::cl::opt<std::string> loss, optimizer, trainable, noDecay;
  llvm::cl::opt<bool> keepTied;
  llvm::cl::opt<double> clipNorm, clipValue;
  llvm::cl::opt<std::string> lossScale;
  llvm::cl::opt<unsigned> accumulate;
  llvm::cl::opt<uint64_t> seed;
  llvm::cl::opt<std::string> applyState, arenaBudget;
  llvm::cl::opt<std::string> cpu, triple, device;
  llvm::cl::opt<tile::Precision> precision;
  llvm::cl::opt<std::string> times, tune;
  llvm::cl::opt<unsigned> streams, threads;
  llvm::cl::opt<Schedule> schedule;
  llvm::cl::opt<std::string> arenaCap, microBatch, codeSize;
  llvm::cl::opt<std::string> compileTo;
  llvm::cl::opt<Guard> guard;
  llvm::cl::opt<fuse::FusionMode> fusion;
  llvm::cl::opt<tile::WinogradUse> winograd;
  llvm::cl::opt<bool> noBf16x6, strict, uncheckedIndices;
  llvm::cl::opt<std::string> kernelCache;
  llvm::cl::opt<uint64_t> kernelCacheSize;
  llvm::cl::opt<bool> noKernelCache;
  llvm::cl::opt<Weights> weights;
  llvm::cl::opt<unsigned> jobs;
};

/// Where compiled kernels are kept unless an option says otherwise:
/// $TENON_KERNEL_CACHE (may be empty: nowhere), else the folder `kernels` of
/// $TENON_CACHE, $XDG_CACHE_HOME/tenon or ~/.cache/tenon. Empty: nowhere.
std::string defaultKernelCache();

/// One line per phase on standard error when it is a terminal.
void printProgress(llvm::StringRef phase);

/// What a location is about, in front of a message: `node 'name': ` for the
/// first node in it, else `file: `, or nothing.
std::string placeOf(mlir::Location location);

/// Prints the context's diagnostics as `where: error: what` on standard error,
/// where is the ONNX node, or the file for errors about a file.
void printDiagnostics(mlir::MLIRContext &context);

/// The model's name with the extension of what is written, in the current
/// folder.
std::string defaultOutput(llvm::StringRef input, const CompileOptions &options);

} // namespace tenon

#endif // TENON_LIB_COMPILER_COMMANDLINE_H
