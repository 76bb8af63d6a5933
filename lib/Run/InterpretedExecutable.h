//===- InterpretedExecutable.h - models on the interpreter ------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file is the one part of lib/Run that links the compiler: tenon-interpret
// has it, tenon-run has not.
//===----------------------------------------------------------------------===//
#ifndef TENON_RUN_INTERPRETEDEXECUTABLE_H
#define TENON_RUN_INTERPRETEDEXECUTABLE_H

#include "lib/Run/Executable.h"

namespace tenon::run {

/// Reads a .onnx file, or a .mlir file of any phase from import to fuse,
/// brings it to the graph dialect and runs it on the reference interpreter.
/// All shapes must be fixed (`options.shapes`, `options.dims`).
Result<std::unique_ptr<Executable>> openInterpreted(const Options &options);

} // namespace tenon::run

#endif // TENON_RUN_INTERPRETEDEXECUTABLE_H
