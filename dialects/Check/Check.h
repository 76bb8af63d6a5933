//===- Check.h - programs that check themselves -----------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file declares the check dialect, which only tests use.
//===----------------------------------------------------------------------===//
#ifndef TENON_DIALECTS_CHECK_CHECK_H
#define TENON_DIALECTS_CHECK_CHECK_H

#include "mlir/Bytecode/BytecodeOpInterface.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Dialect.h"
#include "mlir/IR/OpDefinition.h"
#include "mlir/IR/OpImplementation.h"

#include "dialects/Check/CheckDialect.h.inc"
#define GET_OP_CLASSES
#include "dialects/Check/CheckOps.h.inc"

#endif // TENON_DIALECTS_CHECK_CHECK_H
