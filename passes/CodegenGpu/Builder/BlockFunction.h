//===- BlockFunction.h - the function of a block of threads -----*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TENON_PASSES_CODEGENGPU_BUILDER_BLOCKFUNCTION_H
#define TENON_PASSES_CODEGENGPU_BUILDER_BLOCKFUNCTION_H

#include "dialects/Kernel/Kernel.h"
#include "passes/Codegen/Builder/KernelBuilder.h"

namespace tenon::gpu {

/// `llvm.func @name(maps..., buffers...)`, as #kernel.device says: what all
/// threads of a block run. Its sizes are fixed.
struct BlockFunction : codegen::KernelFunction {
  /// Opens it at the end of `module`.
  BlockFunction(mlir::ModuleOp module, mlir::Location loc, llvm::StringRef name,
                unsigned numBuffers);
  /// Terminates it, and says how it is launched; nothing may be built
  /// afterwards.
  void finish(kernel::DeviceAttr launch);
  /// Lets it have so many maps; before anything is built.
  void addMaps(unsigned count);
  codegen::Value size(mlir::Attribute dim) override;
  /// The parameter behind the buffers of a launch with steps: the first tile of
  /// the step that runs.
  codegen::Value addFirstTile();

  codegen::Values maps; ///< of copies by boxes
  /// Blocks that share out the registers of a multiprocessor at least; 0: the
  /// assembler decides.
  int64_t together = 0;
};

/// The memory that a block's threads share: one array of the module, whose size
/// the launch says.
mlir::LLVM::GlobalOp sharedArray(mlir::ModuleOp module);

} // namespace tenon::gpu

#endif // TENON_PASSES_CODEGENGPU_BUILDER_BLOCKFUNCTION_H
