//===- LateOrder.h - an order that keeps little -----------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file declares the order in which the groups of a step run. Phases before
// leave any: a copy of what the forward part made, for a gradient, may stand
// there and be kept until then.
//===----------------------------------------------------------------------===//
#ifndef TENON_PASSES_CHECKPOINT_LATEORDER_H
#define TENON_PASSES_CHECKPOINT_LATEORDER_H

#include "passes/Checkpoint/StepProgram.h"

namespace tenon::checkpoint {

/// Numbers of groups: what leaves the program as soon as it can be computed,
/// the rest just before its first reader, but early where that frees more than
/// it makes.
std::vector<unsigned> lateOrder(const StepProgram &program);

} // namespace tenon::checkpoint

#endif // TENON_PASSES_CHECKPOINT_LATEORDER_H
