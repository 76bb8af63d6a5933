//===- Steps.h - loops of the host as kernels -------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file declares how the launches of a loop's body become one kernel. The
// body is lowered as any program is; then its launches are the parts of a step:
//
//   step 0 of the launch: parts 1 of step 0    step 2: parts 1 of step 1
//   step 1              : parts 2 of step 0    ...
//
// Parts that do not need each other share a step of the launch. Where a step is
// too little work for several threads, a single tile runs all of them.
//===----------------------------------------------------------------------===//
#ifndef TENON_PASSES_CODEGEN_STEPS_STEPS_H
#define TENON_PASSES_CODEGEN_STEPS_STEPS_H

#include "dialects/Graph/GraphSteps.h"
#include "passes/Codegen/Programs/Kernels.h"

namespace tenon::codegen {

/// The strategy of loops of the host.
extern const Strategy stepsStrategy;

/// Cuts a planned group of a body into as many tiles as threads want, which
/// are awake already.
void shareWeights(kernel::GroupOp group, const tile::Target &target);

/// Emits the kernel of `steps`, whose body has been lowered, under that name.
JoinedSteps joinSteps(graph::StepsOp steps, const tile::Target &target,
                      llvm::StringRef name);

/// Builds the code of a kernel where `b` builds, for other buffers and tiles.
void inlineKernel(KernelBuilder &b, mlir::func::FuncOp kernel, Values buffers,
                  Interval tiles);

} // namespace tenon::codegen

#endif // TENON_PASSES_CODEGEN_STEPS_STEPS_H
