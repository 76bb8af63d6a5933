//===- FallBacks.h - what no strategy of a device computes ------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file is private to the compiler. What none of a device's strategies
// computes is left to the kernels of processors, a thread for a tile: right,
// but far from what the device can do. A user should know how much that is.
//===----------------------------------------------------------------------===//
#ifndef TENON_LIB_COMPILER_FALLBACKS_H
#define TENON_LIB_COMPILER_FALLBACKS_H

#include "lib/Compiler/Report.h"
#include "mlir/IR/BuiltinOps.h"

namespace tenon {

/// Of a program that has been planned for a device. A launch whose group one of
/// the device's strategies could have computed is none, whoever is faster.
FallBackReport fallBacksOf(mlir::ModuleOp module);

/// "3 of 19 kernels, 98 % of the predicted time, have no strategy of their own
/// on sm_90a: conv2, norm1"; empty: all have.
std::string fallBacksText(const FallBackReport &fallBacks,
                          llvm::StringRef device);

llvm::json::Object fallBacksJson(const FallBackReport &fallBacks);

} // namespace tenon

#endif // TENON_LIB_COMPILER_FALLBACKS_H
