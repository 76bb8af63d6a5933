//===- Team.h - threads that reduce together --------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TENON_PASSES_CODEGENGPU_ROWS_TEAM_H
#define TENON_PASSES_CODEGENGPU_ROWS_TEAM_H

#include "passes/Codegen/Bodies/Reduce.h"
#include "passes/CodegenGpu/Builder/ThreadBuilder.h"
#include "passes/CodegenGpu/Rows/RowPlan.h"

namespace tenon::gpu {

/// Combines what the threads of a team have, in an order that depends on the
/// plan alone: lanes exchange within a warp, warps and columns hand over in
/// shared memory.
class Team {
public:
  Team(codegen::KernelBuilder &kernel, ThreadBuilder &t, const ThreadNest &nest,
       const RowPlan &plan, Value shared);

  Value unit() const { return ownUnit; }     ///< of the launch
  Value member() const { return ownMember; } ///< of the team
  bool isAlone() const { return plan.team == 1; }

  /// What the thread has for others of a reduction: of a row, one number.
  Value offer(const codegen::Reduction &reduce, Value accumulator);
  /// Behind all that a stage offers.
  void meet();
  /// What the team has together, for each thread that asks. In the order of
  /// offers.
  Value take(const codegen::Reduction &reduce, Value offered);

private:
  bool inWarp() const { return plan.team <= lanesOfTeam(); }
  /// Members that a warp has of each of its teams.
  int64_t lanesOfTeam() const;
  Value combineWarp(const codegen::Reduction &reduce, Value value);
  Value exchange(Value value, int64_t distance);
  Value exchangeScalar(Value value, int64_t distance);
  void put(Value value, Value place);
  Value get(Type type, Value place);
  Value placeOf(Value index, int64_t region, Type type);
  int64_t regionBytes() const;

  codegen::KernelBuilder &kernel;
  ThreadBuilder &t;
  const ThreadNest &nest;
  const RowPlan &plan;
  Value shared, ownThread, ownUnit, ownMember;
  int64_t offers = 0, takes = 0;
};

} // namespace tenon::gpu

#endif // TENON_PASSES_CODEGENGPU_ROWS_TEAM_H
