//===- Describe.h - from launches to an artefact description ----*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TENON_PASSES_EMIT_DESCRIBE_H
#define TENON_PASSES_EMIT_DESCRIBE_H

#include "lib/Target/Artifact/Artifact.h"
#include "mlir/IR/BuiltinOps.h"

namespace tenon::emit {

/// Turns `@main` (launches on planned buffers) into a description: signature,
/// launch table, weights, plan and kernel names; no code yet. Fails with a
/// diagnostic on an element type that artefacts do not have.
mlir::FailureOr<artifact::ArtifactDesc> describe(mlir::ModuleOp module);

} // namespace tenon::emit

#endif // TENON_PASSES_EMIT_DESCRIBE_H
