//===- Passes.h - control beside programs -----------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TENON_PASSES_CONTROL_PASSES_H
#define TENON_PASSES_CONTROL_PASSES_H

#include "dialects/Vm/Vm.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Pass/Pass.h"

namespace tenon::ctrl {

#define GEN_PASS_DECL
#include "passes/Control/Passes.h.inc"

#define GEN_PASS_REGISTRATION
#include "passes/Control/Passes.h.inc"

} // namespace tenon::ctrl

#endif // TENON_PASSES_CONTROL_PASSES_H
