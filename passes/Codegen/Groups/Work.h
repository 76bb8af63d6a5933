//===- Work.h - what a group does, as plain numbers -------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TENON_PASSES_CODEGEN_GROUPS_WORK_H
#define TENON_PASSES_CODEGEN_GROUPS_WORK_H

#include "dialects/Kernel/Kernel.h"
#include "lib/Cost/StageCost.h"

namespace tenon::codegen {

/// The work of a group before it has a plan, from what its operations say of
/// themselves. Shapes must be static. What operations hand to each other stays
/// in registers; operands and results move once. `tiles` are those of a loop
/// nest over the group's largest operation.
///
///   double cycles = cost::estimate(workOf(group), target).cycles;
cost::StageWork workOf(kernel::GroupOp group);

} // namespace tenon::codegen

#endif // TENON_PASSES_CODEGEN_GROUPS_WORK_H
