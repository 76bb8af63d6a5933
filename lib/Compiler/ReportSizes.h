//===- ReportSizes.h - which plan serves which sizes ------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file is private to the compiler: what a report says of kernels with
// several plans.
//===----------------------------------------------------------------------===//
#ifndef TENON_LIB_COMPILER_REPORTSIZES_H
#define TENON_LIB_COMPILER_REPORTSIZES_H

#include "lib/Compiler/Report.h"
#include "mlir/IR/BuiltinOps.h"

namespace tenon {

/// Those of a planned module, in the order of their first launches.
std::vector<SizesReport> reportSizes(mlir::ModuleOp module);

/// Nothing where no kernel has several plans.
void printSizes(llvm::raw_ostream &stream, llvm::ArrayRef<SizesReport> kernels);

llvm::json::Array sizesJson(llvm::ArrayRef<SizesReport> kernels);

} // namespace tenon

#endif // TENON_LIB_COMPILER_REPORTSIZES_H
