//===- Vm.h - bytecode as operations ----------------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file declares the vm dialect.
//===----------------------------------------------------------------------===//
#ifndef TENON_DIALECTS_VM_VM_H
#define TENON_DIALECTS_VM_VM_H

#include "dialects/Control/Control.h"
#include "mlir/Interfaces/ControlFlowInterfaces.h"

#include "dialects/Vm/VmDialect.h.inc"
#define GET_OP_CLASSES
#include "dialects/Vm/VmOps.h.inc"

#endif // TENON_DIALECTS_VM_VM_H
