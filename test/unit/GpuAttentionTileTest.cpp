//===- GpuAttentionTileTest.cpp - who shares rows and keys ----------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// LINK: TenonTile MLIR LLVM
#include "lib/Tile/GpuAttention.h"

#include "gtest/gtest.h"

using namespace tenon::tile;

namespace {

GpuAttention attention(int64_t batches, int64_t tokens, int64_t head,
                       Precision unit = Precision::F32) {
  GpuAttention problem;
  problem.batches = batches;
  problem.rows = problem.keys = tokens;
  problem.depth = problem.width = head;
  problem.unit = unit;
  problem.elementBytes = unit == Precision::F16 ? 2 : 4;
  problem.bytes = 4 * batches * tokens * head * problem.elementBytes;
  return problem;
}

std::string whyInvalid(const GpuAttention &problem,
                       const GpuAttentionPlan &plan, llvm::StringRef target) {
  llvm::Error error = validate(problem, plan, *findGpuTarget(target));
  return error ? llvm::toString(std::move(error)) : "";
}

TEST(GpuAttentionPlan, CommonHeadsHaveOneOnAnyTarget) {
  for (const GpuTarget &target : gpuTargets())
    for (Precision unit : {Precision::F32, Precision::TF32, Precision::F16})
      for (int64_t batches : {1, 12, 384})
        for (int64_t tokens : {1, 17, 128, 197, 4096})
          for (int64_t head : {8, 40, 64, 96, 128}) {
            GpuAttention problem = attention(batches, tokens, head, unit);
            EXPECT_EQ(whyInvalid(problem, plan(problem, target), target.name),
                      "")
                << target.name.str() << " " << tokens << " " << head;
          }
}

TEST(GpuAttentionPlan, WarpsShareRowsWhereTheseAreFew) {
  const GpuTarget &hopper = *findGpuTarget("sm_90a");
  GpuAttention few = attention(12, 128, 64), many = attention(384, 1024, 64);
  GpuAttentionPlan ofFew = plan(few, hopper), ofMany = plan(many, hopper);
  EXPECT_EQ(ofFew.blocks(few), 96);
  EXPECT_EQ(ofFew.warpKeys, 4);
  // All keys are there at once.
  EXPECT_EQ(ofFew.steps(few), 1);
  EXPECT_EQ(ofFew.stages, 1);
  EXPECT_GE(ofMany.rows(), 64);
  EXPECT_GE(ofMany.stages, 2);
}

TEST(GpuAttentionPlan, LessPreciseUnitsTakeLessTime) {
  const GpuTarget &hopper = *findGpuTarget("sm_90a");
  auto timeOf = [&](Precision unit) {
    GpuAttention problem = attention(96, 512, 64, unit);
    return estimateTime(problem, plan(problem, hopper), hopper);
  };
  EXPECT_LT(timeOf(Precision::F16), timeOf(Precision::TF32));
  EXPECT_LT(timeOf(Precision::TF32), timeOf(Precision::F32));
}

TEST(GpuAttentionPlan, RulesAreChecked) {
  GpuAttention problem = attention(12, 128, 64);
  std::string prefix = "the plan of the attention ";
  EXPECT_EQ(whyInvalid(problem, {1, 4, 1}, "sm_80"), "");
  EXPECT_EQ(whyInvalid(problem, {0, 4, 1}, "sm_80"),
            prefix + "has warps that do not share out copies");
  EXPECT_EQ(whyInvalid(problem, {1, 8, 1}, "sm_80"),
            prefix + "has warps that do not share out copies");
  EXPECT_EQ(whyInvalid(problem, {1, 1, 1}, "sm_80"),
            prefix + "has too few or too many stages");
  EXPECT_EQ(whyInvalid(problem, {1, 4, 5}, "sm_80"),
            prefix + "has too few or too many stages");
  problem = attention(12, 1024, 128);
  EXPECT_EQ(whyInvalid(problem, {1, 4, 2}, "sm_86"),
            prefix + "needs more shared memory than a block may have");
  problem = attention(12, 1024, 320);
  EXPECT_EQ(whyInvalid(problem, {1, 1, 2}, "sm_90a"),
            prefix + "needs more registers than there are");
}

} // namespace
