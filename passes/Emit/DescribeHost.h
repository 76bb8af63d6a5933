//===- DescribeHost.h - from vm operations to bytecode ----------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TENON_PASSES_EMIT_DESCRIBEHOST_H
#define TENON_PASSES_EMIT_DESCRIBEHOST_H

#include "lib/Target/Artifact/Artifact.h"
#include "mlir/IR/BuiltinOps.h"
#include "passes/Emit/SizeProgram.h"
#include "passes/Emit/Weights.h"

namespace tenon::emit {

/// Describes the functions of bytecode in a module, if there are some, and the
/// signature of the one that is the model's: entry 0. `desc` has its entries;
/// `sizes` is the size program of the first. Fails with a diagnostic on an
/// element type that artifacts do not have.
mlir::LogicalResult describeHost(mlir::ModuleOp module,
                                 artifact::ArtifactDesc &desc,
                                 WeightPool &weights, SizeProgram &sizes);

} // namespace tenon::emit

#endif // TENON_PASSES_EMIT_DESCRIBEHOST_H
