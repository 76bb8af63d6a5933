//===- RunPipeline.h - passes of LLVM over kernels --------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TENON_LIB_TARGET_CACHE_RUNPIPELINE_H
#define TENON_LIB_TARGET_CACHE_RUNPIPELINE_H

#include "llvm/ADT/StringRef.h"

namespace llvm {
class Module;
class TargetMachine;
} // namespace llvm

namespace tenon {

/// Runs passes for a machine, as `opt -passes=` names them. They must exist.
void runPipeline(llvm::Module &module, llvm::TargetMachine &machine,
                 llvm::StringRef pipeline);

} // namespace tenon

#endif // TENON_LIB_TARGET_CACHE_RUNPIPELINE_H
