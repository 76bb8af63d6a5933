//===- Describe.h - from launches to an artifact description ----*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TENON_PASSES_EMIT_DESCRIBE_H
#define TENON_PASSES_EMIT_DESCRIBE_H

#include "lib/Target/Artifact/Artifact.h"
#include "mlir/IR/BuiltinOps.h"
#include "passes/Emit/SizeProgram.h"
#include "passes/Emit/Weights.h"

#include <optional>

namespace tenon::emit {

/// The element type in DLPack's terms; nothing for what artifacts do not have.
std::optional<artifact::DType> dtypeOf(mlir::Type type);

/// Whether an operation is a function that launches run.
bool isKernel(mlir::Operation *op);

/// Gathers the programs of an artifact: one model, planned for one processor or
/// for several. Constants whose bytes are equal are described once.
class Description {
public:
  /// Turns a module's programs (launches on planned buffers) into a further
  /// variant: launch table, plan and kernel names; no code yet. `variant` says
  /// for whom. The first module gives the entries, their signatures, and the
  /// bytecode. Fails with a diagnostic on an element type that artifacts do not
  /// have.
  mlir::LogicalResult add(mlir::ModuleOp module, artifact::VariantDesc variant);

  artifact::ArtifactDesc desc;

private:
  void addEntries(mlir::ModuleOp module);
  void addSizes();

  bool isEmpty = true;
  WeightPool weights;
  std::vector<SizeProgram> sizes; ///< one for each entry
};

} // namespace tenon::emit

#endif // TENON_PASSES_EMIT_DESCRIBE_H
