//===- ReportSlices.h - what runs slice by slice ----------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file is private to reports: parts that run for one slice of the batch
// after the other.
//===----------------------------------------------------------------------===//
#ifndef TENON_LIB_COMPILER_REPORTSLICES_H
#define TENON_LIB_COMPILER_REPORTSLICES_H

#include "lib/Compiler/Report.h"

namespace tenon {

void printSlices(llvm::raw_ostream &stream, const kernel::SliceFacts &slices);

llvm::json::Object slicesJson(const kernel::SliceFacts &slices);

} // namespace tenon

#endif // TENON_LIB_COMPILER_REPORTSLICES_H
