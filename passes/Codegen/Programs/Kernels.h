//===- Kernels.h - kernels by structure -------------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file declares what programs know of their kernels, whoever emits them.
//===----------------------------------------------------------------------===//
#ifndef TENON_PASSES_CODEGEN_PROGRAMS_KERNELS_H
#define TENON_PASSES_CODEGEN_PROGRAMS_KERNELS_H

#include "dialects/Graph/GraphSteps.h"
#include "passes/Codegen/Strategy.h"
#include <map>

namespace tenon::codegen {

/// An emitted kernel.
struct Kernel {
  std::string name;
  Size tiles = 1;
  Size steps = 1;
  Sizes scratch = {};         ///< bytes of each buffer
  int64_t threadScratch = 0;  ///< bytes of each thread that runs tiles
  mlir::ArrayAttr sizes = {}; ///< what a launch passes; null: nothing
  llvm::SmallVector<int64_t> inPlace = {}; ///< pairs, as a launch has them
  kernel::DeviceAttr device = {};          ///< null: a CPU
};

/// A kernel of all steps of a loop, and what a launch of it takes beside the
/// buffers of the group: behind its operands, the body's constants, and behind
/// its results, scratch.
struct JoinedSteps {
  Kernel kernel;
  llvm::SmallVector<memory::ConstantOp> constants;
  std::string nodes; ///< names of the ONNX nodes
  int64_t threadScratch = 0;
  int64_t flops = 0, bytes = 0; ///< of all steps
};

/// All kernels of a module; equal groups share one. Names are numbered in order
/// of first use, so they depend on the program only.
class KernelTable {
public:
  explicit KernelTable(mlir::ModuleOp module) : module(module) {}
  virtual ~KernelTable() = default;

  /// The kernel of a group with plan and buffers; failure as the emitter says.
  mlir::FailureOr<Kernel> get(kernel::GroupOp group);

  /// The kernel of a loop whose body has been lowered.
  mlir::FailureOr<JoinedSteps> getSteps(graph::StepsOp steps);

  /// The kernel that clears the border of a buffer of that type.
  Kernel getZeroHalo(mlir::Location loc, memory::BufferType buffer);

  unsigned size() const { return kernels.size(); }

protected:
  /// What kernels of groups with the same structure may differ by.
  virtual std::string differences(kernel::GroupOp group) { return {}; }
  /// Emits a kernel of that name at the end of the module.
  virtual mlir::FailureOr<Kernel> emit(kernel::GroupOp group,
                                       llvm::StringRef name) = 0;
  virtual mlir::FailureOr<JoinedSteps> emitSteps(graph::StepsOp steps,
                                                 llvm::StringRef name) = 0;
  virtual Kernel emitZeroHalo(mlir::Location loc, memory::BufferType buffer,
                              llvm::StringRef name) = 0;

  mlir::ModuleOp module;

private:
  /// A name that is free.
  std::string nextName(llvm::StringRef kind);

  std::map<std::string, Kernel> kernels;
};

/// What a launch must know of a kernel beside its code.
struct KernelFacts {
  double errorGrowth = 1;
  bool oneCall = false, isChecked = false;
};

/// Writes down what is known of a kernel, and makes it private.
void describe(mlir::FunctionOpInterface function, const KernelFacts &facts);

/// The text of a group with everything that is only a name taken out.
std::string structureOf(kernel::GroupOp group);

/// The bytes of scratch that a plan asks for.
llvm::ArrayRef<int64_t> scratchOf(kernel::GroupOp group);

/// What an emitter is asked: the group as it is planned and laid out.
StageRequest requestFor(const Device &device, KernelFunction &function,
                        KernelBuilder &b, kernel::GroupOp group);

/// Builds the code of a planned group; failure where its plan is of no strategy
/// or no plan for it.
mlir::FailureOr<StageInfo> emitStage(const StageRequest &request);

/// A kernel as the code that was built for it says, but for its tiles.
Kernel kernelOf(const StageInfo &info, kernel::GroupOp group);

/// What the calls of a kernel have in `sizes`; null where it asks for none.
mlir::ArrayAttr sizesOf(const KernelFunction &function);

/// Rewrites all programs of a module from tensors to buffers and launches of
/// kernels; the number of launches.
mlir::FailureOr<unsigned> lowerPrograms(mlir::ModuleOp module,
                                        KernelTable &kernels);

/// The loop that a group consists of, null where there is more or none.
graph::StepsOp stepsIn(kernel::GroupOp group);

/// The names of the ONNX nodes in a group, joined by ';'.
std::string nodeNames(kernel::GroupOp group);

} // namespace tenon::codegen

#endif // TENON_PASSES_CODEGEN_PROGRAMS_KERNELS_H
