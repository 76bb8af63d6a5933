//===- Memory.h - the memory dialect ----------------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file declares buffers, the operations that make them, and allocation
// problems as IR (Problem.td).
//===----------------------------------------------------------------------===//
#ifndef TENON_DIALECTS_MEMORY_MEMORY_H
#define TENON_DIALECTS_MEMORY_MEMORY_H

#include "mlir/Bytecode/BytecodeOpInterface.h"
#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Dialect.h"
#include "mlir/IR/OpDefinition.h"
#include "mlir/IR/OpImplementation.h"
#include "mlir/IR/RegionKindInterface.h"
#include "mlir/IR/SymbolTable.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

#include "dialects/Memory/MemoryDialect.h.inc"
#define GET_TYPEDEF_CLASSES
#include "dialects/Memory/MemoryTypes.h.inc"
#define GET_OP_CLASSES
#include "dialects/Memory/MemoryOps.h.inc"

#endif // TENON_DIALECTS_MEMORY_MEMORY_H
