//===- Kills.h - when registers are given back ------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TENON_PASSES_CONTROL_KILLS_H
#define TENON_PASSES_CONTROL_KILLS_H

#include "dialects/Vm/Vm.h"

namespace tenon::ctrl {

/// Has values killed behind their last use in a block, unless another block
/// reads them. What a block hands on or returns is not killed, nor are numbers,
/// which take less than the instruction.
void killDeadValues(vm::FuncOp function);

} // namespace tenon::ctrl

#endif // TENON_PASSES_CONTROL_KILLS_H
