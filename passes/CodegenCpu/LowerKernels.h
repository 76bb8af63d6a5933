//===- LowerKernels.h - kernels by structure --------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TENON_PASSES_CODEGENCPU_LOWERKERNELS_H
#define TENON_PASSES_CODEGENCPU_LOWERKERNELS_H

#include "dialects/Graph/GraphSteps.h"
#include "passes/CodegenCpu/Strategy.h"
#include <map>

namespace tenon::codegen {

/// An emitted kernel.
struct Kernel {
  std::string name;
  Size tiles = 1;
  Size steps = 1;
  Sizes scratch = {};         ///< bytes of each buffer
  mlir::ArrayAttr sizes = {}; ///< what a launch passes; null: nothing
  llvm::SmallVector<int64_t> inPlace = {}; ///< pairs, as a launch has them
};

struct JoinedSteps;

/// All kernels of a module; equal groups share one. Names are numbered in order
/// of first use, so they depend on the program only.
class KernelTable {
public:
  KernelTable(mlir::ModuleOp module, const tile::Target &target)
      : module(module), target(target) {}

  /// The kernel of a group with plan and buffers; failure as the emitter says.
  mlir::FailureOr<Kernel> get(kernel::GroupOp group);

  /// The kernel of a loop whose body has been lowered.
  JoinedSteps getSteps(graph::StepsOp steps);

  /// The kernel that clears the border of a buffer of that type.
  Kernel getZeroHalo(mlir::Location loc, memory::BufferType buffer);

  unsigned size() const { return kernels.size(); }

private:
  /// A name that is free.
  std::string nextName(llvm::StringRef kind);

  mlir::ModuleOp module;
  const tile::Target &target;
  std::map<std::string, Kernel> kernels;
};

/// The names of the ONNX nodes in a group, joined by ';'.
std::string nodeNames(kernel::GroupOp group);

} // namespace tenon::codegen

#endif // TENON_PASSES_CODEGENCPU_LOWERKERNELS_H
