//===- DescribeSignature.h - what bytecode takes and gives ------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TENON_PASSES_EMIT_DESCRIBESIGNATURE_H
#define TENON_PASSES_EMIT_DESCRIBESIGNATURE_H

#include "dialects/Vm/Vm.h"
#include "lib/Target/Artifact/Artifact.h"
#include "passes/Emit/SizeProgram.h"

namespace tenon::emit {

/// Describes the inputs and outputs of the model's entry, with the checks of
/// what inputs have in common. An extent that data decide is unknown.
mlir::LogicalResult describeSignature(vm::FuncOp host,
                                      artifact::EntryDesc &entry,
                                      SizeProgram &sizes);

} // namespace tenon::emit

#endif // TENON_PASSES_EMIT_DESCRIBESIGNATURE_H
