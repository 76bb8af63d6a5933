//===- Control.h - what the host decides ------------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file declares the control dialect.
//===----------------------------------------------------------------------===//
#ifndef TENON_DIALECTS_CONTROL_CONTROL_H
#define TENON_DIALECTS_CONTROL_CONTROL_H

#include "mlir/Bytecode/BytecodeOpInterface.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Dialect.h"
#include "mlir/IR/OpImplementation.h"
#include "mlir/IR/SymbolTable.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

#include "dialects/Control/ControlDialect.h.inc"
#define GET_TYPEDEF_CLASSES
#include "dialects/Control/ControlTypes.h.inc"
#define GET_OP_CLASSES
#include "dialects/Control/ControlOps.h.inc"

namespace tenon::control {

/// Whether a value of type `from` can be taken for one of type `to`: the same
/// kind, element type and rank; extents may differ where one is not known.
bool isCompatible(mlir::Type from, mlir::Type to);

/// The same for lists, one by one.
bool areCompatible(mlir::TypeRange from, mlir::TypeRange to);

/// Whether a function takes such arguments and gives such results. A program
/// with buffers in place of tensors (it has `memory.inputs`) says no more what
/// it takes, and does.
bool takes(mlir::FunctionOpInterface function, mlir::TypeRange arguments);
bool gives(mlir::FunctionOpInterface function, mlir::TypeRange results);

/// Says that a function is a branch or a loop's body, and no entry of the
/// model, until control is split off: where nothing calls it, it is dead.
void markBody(mlir::FunctionOpInterface function);
bool isBody(mlir::FunctionOpInterface function);

} // namespace tenon::control

#endif // TENON_DIALECTS_CONTROL_CONTROL_H
