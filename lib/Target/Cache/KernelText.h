//===- KernelText.h - what kernels are told apart by ------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file declares what back ends need to give each kernel a name of its own:
// the text of what it does, and its hash.
//===----------------------------------------------------------------------===//
#ifndef TENON_LIB_TARGET_CACHE_KERNELTEXT_H
#define TENON_LIB_TARGET_CACHE_KERNELTEXT_H

#include "mlir/IR/BuiltinOps.h"

namespace tenon {

/// 32 hexadecimal digits of all parts together.
std::string hashOf(llvm::ArrayRef<llvm::StringRef> parts);

/// What is in the module with the data that it refers to, without locations.
/// The module is the top: all around it would be looked at, too.
std::string textOf(mlir::ModuleOp module);

/// The names of the ONNX nodes that a location is of, with commas.
std::string nodesOf(mlir::Location location);

/// `kernel 'name' of node 'node'`, for errors.
std::string describeKernel(llvm::StringRef name, mlir::Location location);

/// Takes what programs say of a kernel from it: its code does not depend on it.
void dropFacts(mlir::Operation *kernel);

} // namespace tenon

#endif // TENON_LIB_TARGET_CACHE_KERNELTEXT_H
