//===- ReportDevice.h - what a compilation did for devices ------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file is private to reports: the kernels of devices.
//===----------------------------------------------------------------------===//
#ifndef TENON_LIB_COMPILER_REPORTDEVICE_H
#define TENON_LIB_COMPILER_REPORTDEVICE_H

#include "lib/Compiler/Report.h"

namespace tenon {

/// The assembler, and the kernels that it says something of; nothing for a
/// report without devices.
void printDevices(llvm::raw_ostream &stream, const Report &report);

/// The kernels of a variant for a device.
llvm::json::Array deviceKernelsJson(const VariantReport &variant);

/// The assembler and its remarks.
llvm::json::Object assemblerJson(const Report &report);

} // namespace tenon

#endif // TENON_LIB_COMPILER_REPORTDEVICE_H
