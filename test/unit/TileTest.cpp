//===- TileTest.cpp - plans of contractions and recurrences ---------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// LINK: TenonTile MLIR LLVM
#include "lib/Tile/Contraction.h"
#include "lib/Tile/ContractionCost.h"
#include "lib/Tile/FixedPanel.h"
#include "lib/Tile/Recurrence.h"
#include "test/unit/TestGemm.h"

#include "gtest/gtest.h"

using namespace tenon::tile;
using tenon::test::gemm;

namespace {

ContractionProblem conv3x3(int64_t size, int64_t channels) {
  ContractionProblem problem;
  problem.rows = {size, size};
  problem.columns = channels;
  problem.k = {3, 3 * channels};
  problem.rowBytes = channels * 4;
  problem.constantB = true;
  return problem;
}

std::string planText(const ContractionProblem &problem, const char *target) {
  return toText(plan(problem, *findTarget(target)));
}

std::string whyInvalid(const ContractionProblem &problem,
                       const ContractionPlan &plan, const char *target) {
  return llvm::toString(validate(problem, plan, *findTarget(target)));
}

bool isValid(const ContractionProblem &problem, const ContractionPlan &plan,
             const char *target) {
  return whyInvalid(problem, plan, target).empty();
}

TEST(EvenSplit, HeightsDifferByOne) {
  EvenSplit split = EvenSplit::of(128, 14);
  EXPECT_EQ(split.count, 10);
  EXPECT_EQ(split.height, 13);
  EXPECT_EQ(split.tall, 8);
  for (int64_t extent = 1; extent < 70; ++extent)
    for (int64_t most = 1; most < 20; ++most) {
      EvenSplit s = EvenSplit::of(extent, most);
      EXPECT_LE(s.height, most);
      EXPECT_EQ(s.tall * s.height + (s.count - s.tall) * (s.height - 1),
                extent);
      EXPECT_TRUE(s.uniform() || s.height > 1);
    }
}

TEST(Threads, GetTilesAndPartsOfWork) {
  Target target = *findTarget("avx512");
  EXPECT_EQ(target.threads, defaultThreads);
  EXPECT_EQ(target.enoughTiles(), 8);
  EXPECT_EQ(target.busiestPart(3), 2.0 / 3);
  target.threads = 16;
  EXPECT_EQ(target.enoughTiles(), 16);
  EXPECT_EQ(target.busiestPart(48), 1.0 / 16);
  EXPECT_EQ(target.busiestPart(3), 1.0 / 3);
  target.threads = 1;
  EXPECT_EQ(target.busiestPart(5), 1);
}

TEST(LaunchTiles, AreWhatFewThreadsShareEvenly) {
  EXPECT_EQ(launchTiles(100, 0), 1);
  EXPECT_EQ(launchTiles(100, 3), 4);
  EXPECT_EQ(launchTiles(100, 5), 8);
  EXPECT_EQ(launchTiles(100, 11), 8);
  EXPECT_EQ(launchTiles(100, 12), 16);
  EXPECT_EQ(launchTiles(7, 5), 7); // one for each item
}

TEST(RowTiling, SmallMapsTakeTwoRows) {
  RowTiling tiling = tileRows({7, 7}, 14);
  EXPECT_EQ(tiling.outer.height, 2);
  EXPECT_EQ(tiling.inner.height, 7);
  EXPECT_EQ(tiling.tiles(), 4);
  EXPECT_EQ(tileRows({56, 56}, 14).variants(), 1);
}

TEST(RowTiling, OuterDimensionsMultiply) {
  EXPECT_EQ(tileRows({2, 3, 28, 28}, 14).tiles(), 2 * 3 * 28 * 2);
  EXPECT_EQ(tileRows({}, 8).tiles(), 1);
}

TEST(ContractionPlan, WeightsThatStreamByAreFollowed) {
  auto asks = [](const ContractionProblem &problem, const char *target) {
    return plan(problem, *findTarget(target)).prefetch;
  };
  EXPECT_FALSE(asks(gemm(1, 4096, 4096), "sapphirerapids"));
  EXPECT_TRUE(asks(gemm(1, 4096, 4096), "avx512"));
  EXPECT_TRUE(asks(gemm(1, 1024, 1024), "sapphirerapids")); // not from memory
  EXPECT_TRUE(asks(gemm(8, 4096, 4096), "sapphirerapids"));
  EXPECT_FALSE(asks(gemm(1, 4096, 4096), "avx2"));
  EXPECT_TRUE(asks(gemm(1, 1024, 1024), "avx2"));
}

TEST(ContractionPlan, ProductsOnAvx512) {
  EXPECT_EQ(
      planText(gemm(128, 768, 768), "avx512"),
      "mr=8 nv=3 lanes=16 panel=48 join=1 fold=1 unroll=4 "
      "k_block=0 row_tiles=16 panels=1 panels_outer=1 shares=0 prefetch=1 "
      "fetch_rows=0 fetch_results=0");
  EXPECT_EQ(
      planText(gemm(3136, 64, 256), "avx512"),
      "mr=6 nv=4 lanes=16 panel=64 join=1 fold=1 unroll=4 "
      "k_block=0 row_tiles=16 panels=1 panels_outer=0 shares=32 prefetch=0 "
      "fetch_rows=1 fetch_results=1");
  EXPECT_EQ(planText(gemm(1, 3072, 768), "avx512"),
            "mr=1 nv=8 lanes=16 panel=128 join=1 fold=1 unroll=4 "
            "k_block=0 row_tiles=1 panels=3 panels_outer=1 shares=0 prefetch=1 "
            "fetch_rows=0 fetch_results=0");
}

TEST(ContractionPlan, ConvolutionsOnAvx512) {
  EXPECT_EQ(
      planText(conv3x3(56, 64), "avx512"),
      "mr=6 nv=4 lanes=16 panel=64 join=1 fold=1 unroll=4 "
      "k_block=0 row_tiles=16 panels=1 panels_outer=0 shares=32 prefetch=0 "
      "fetch_rows=0 fetch_results=0");
  EXPECT_EQ(planText(conv3x3(7, 512), "avx512"),
            "mr=7 nv=3 lanes=16 panel=48 join=1 fold=1 unroll=4 "
            "k_block=1 row_tiles=7 panels=1 panels_outer=1 shares=0 prefetch=1 "
            "fetch_rows=0 fetch_results=0");
}

/// 112x112 pixels of 96 channels: C comes from afar, on AVX2 from memory.
TEST(ContractionPlan, LargeResultsAreWrittenByWholeRows) {
  EXPECT_EQ(
      planText(gemm(12544, 96, 16), "avx512"),
      "mr=4 nv=6 lanes=16 panel=96 join=1 fold=1 unroll=1 "
      "k_block=0 row_tiles=43 panels=1 panels_outer=0 shares=64 prefetch=0 "
      "fetch_rows=1 fetch_results=1");
  EXPECT_EQ(
      planText(gemm(25088, 96, 16), "avx2"),
      "mr=4 nv=3 lanes=8 panel=24 join=1 fold=1 unroll=4 "
      "k_block=0 row_tiles=1 panels=4 panels_outer=0 shares=64 prefetch=0 "
      "fetch_rows=0 fetch_results=3");
  // A small C, and one whose B would have to be read from the second level.
  EXPECT_EQ(plan(gemm(784, 96, 16), *findTarget("avx512")).nv, 3);
  EXPECT_EQ(plan(gemm(3136, 96, 16), *findTarget("avx2")).rowTiles, 24);
  EXPECT_GT(plan(gemm(25088, 96, 64), *findTarget("avx2")).rowTiles, 1);
}

/// C is asked for some 250 cycles before it is stored, but with lines that are
/// stored as wholes for as long as a tile is summed.
TEST(ContractionPlan, ShortSumsAskEarlyForResults) {
  auto made = [](int64_t k, const char *target) {
    return plan(gemm(12544, 96, k), *findTarget(target));
  };
  EXPECT_EQ(made(6, "avx2").fetchResults, 8);
  EXPECT_EQ(made(16, "avx2").fetchResults, 3);
  EXPECT_EQ(made(64, "avx2").fetchResults, 1);
  EXPECT_EQ(made(6, "zen4").fetchResults, 1);
  EXPECT_EQ(made(6, "sapphirerapids").fetchResults, 0);
  // Whole rows are finished where sums are shorter than any store.
  EXPECT_EQ(made(6, "avx2").rowTiles, 1);
  EXPECT_GT(made(16, "avx2").rowTiles, 1);
  EXPECT_EQ(plan(gemm(12544, 96, 0), *findTarget("avx2")).fetchResults, 9);
}

/// The second-level cache holds more of A, but a pass over k reads no more of
/// B; rows are followed without being asked for.
TEST(ContractionPlan, LargePrivateCaches) {
  EXPECT_EQ(
      planText(gemm(3136, 64, 256), "sapphirerapids"),
      "mr=6 nv=4 lanes=16 panel=64 join=1 fold=1 unroll=4 "
      "k_block=0 row_tiles=16 panels=1 panels_outer=0 shares=32 prefetch=0 "
      "fetch_rows=0 fetch_results=0");
  const Target &large = *findTarget("sapphirerapids");
  const Target &small = *findTarget("avx512");
  EXPECT_EQ(plan(gemm(128, 768, 3072), large).kBlock,
            plan(gemm(128, 768, 3072), small).kBlock);
  EXPECT_GT(plan(gemm(1024, 256, 768), large).rowTiles,
            plan(gemm(1024, 256, 768), small).rowTiles);
  // Nor need C's rows be written as a whole.
  EXPECT_EQ(plan(gemm(3136, 96, 384), small).panel, 96);
  EXPECT_EQ(plan(gemm(3136, 96, 384), large).panel, 48);
}

/// All rows read a block of k before the next one: A need not stay as a whole.
TEST(ContractionPlan, BlocksOfKNeedLessOfA) {
  ContractionPlan made = plan(gemm(128, 768, 3072), *findTarget("avx512"));
  EXPECT_EQ(made.kBlock, 680);
  EXPECT_EQ(made.rowTiles, 16);
}

/// Few tiles wait for their first weights, where memory is slow, but for a
/// short block of them.
TEST(ContractionPlan, FirstBlockOfWeightsIsShort) {
  const Target &slow = *findTarget("sapphirerapids");
  EXPECT_EQ(plan(gemm(49, 128, 992), slow).kBlock, 128);
  EXPECT_EQ(plan(gemm(49, 128, 992), *findTarget("avx512")).kBlock, 0);
  EXPECT_TRUE(plan(gemm(49, 128, 992), slow).prefetch);
  // There is enough else to do, or one tile, whose weights stream by.
  EXPECT_EQ(plan(gemm(196, 512, 992), slow).kBlock, 0);
  EXPECT_EQ(plan(gemm(4, 128, 992), slow).kBlock, 0);
}

/// What a mask adds to storing does not hide there.
TEST(ContractionPlan, MasksCostWhereUnitsAreHalves) {
  auto cycles = [](int64_t columns, const char *target) {
    ContractionPlan whole = plan(gemm(3136, 32, 6), *findTarget("avx512"));
    return gridCycles(gemm(3136, columns, 6), whole, *findTarget(target));
  };
  EXPECT_GT(cycles(28, "zen4"), cycles(32, "zen4"));
  EXPECT_EQ(cycles(28, "avx512"), cycles(32, "avx512"));
}

/// 24 columns are three half vectors, or two whole ones.
TEST(ContractionPlan, HalfVectorsWhereTheyWasteLess) {
  EXPECT_EQ(
      planText(gemm(3136, 24, 144), "avx512"),
      "mr=13 nv=2 lanes=16 panel=32 join=1 fold=1 unroll=4 "
      "k_block=0 row_tiles=8 panels=1 panels_outer=0 shares=32 prefetch=0 "
      "fetch_rows=1 fetch_results=0");
  EXPECT_EQ(
      planText(gemm(3136, 24, 144), "zen4"),
      "mr=8 nv=3 lanes=8 panel=24 join=1 fold=1 unroll=4 "
      "k_block=0 row_tiles=12 panels=1 panels_outer=0 shares=32 prefetch=0 "
      "fetch_rows=1 fetch_results=0");
  EXPECT_EQ(plan(gemm(128, 768, 768), *findTarget("zen4")).lanes, 16);
  EXPECT_EQ(plan(gemm(3136, 32, 144), *findTarget("zen4")).lanes, 16);
  EXPECT_EQ(plan(gemm(3136, 40, 144), *findTarget("zen4")).lanes, 8);
}

/// Three panels of three whole vectors, and one of three half vectors.
TEST(ContractionPlan, HalfVectorsInTheLastPanel) {
  ContractionProblem problem = gemm(1764, 168, 168);
  ContractionPlan made = plan(problem, *findTarget("zen4"));
  EXPECT_EQ(made.lanes, 16);
  EXPECT_EQ(made.panel, 48);
  EXPECT_EQ(lanesOfRest(made, 168, 4, *findTarget("zen4")), 8);
  EXPECT_EQ(lanesOfRest(made, 168, 4, *findTarget("avx512")), 16);
  // Two whole vectors are as good as four half ones.
  EXPECT_EQ(lanesOfRest(made, 144 + 32, 4, *findTarget("zen4")), 16);
  // Five half vectors would need more registers than three whole ones.
  EXPECT_EQ(lanesOfRest(made, 144 + 40, 4, *findTarget("zen4")), 16);
}

/// Multiply-adds of whole lines hide that lines come back; those of few short
/// vectors do not.
TEST(ContractionPlan, RowsThatMeetInOneSetAreFew) {
  ContractionProblem problem = gemm(197, 768, 3072);
  auto made = [&](const char *target, int64_t pitch) {
    problem.pitch = {pitch * 4};
    return plan(problem, *findTarget(target));
  };
  EXPECT_EQ(made("avx2", 3088).mr, 6);
  EXPECT_EQ(made("avx2", 3072).mr, 4);
  const Target &avx2 = *findTarget("avx2");
  EXPECT_TRUE(losesRows(problem, 1, 6, 2, avx2));
  EXPECT_FALSE(losesRows(problem, 1, 4, 3, avx2));
  EXPECT_EQ(toText(made("zen4", 3072)), toText(made("zen4", 3088)));
}

/// Where little is computed for each line, only of what comes from memory, and
/// not where they would drive out those in use.
TEST(ContractionPlan, ShortVectorsAskForRowsInMemory) {
  auto asks = [](int64_t rows, int64_t pitch) {
    ContractionProblem problem = gemm(rows, 768, 3072);
    problem.pitch = {pitch * 4};
    return plan(problem, *findTarget("avx2")).fetchRows;
  };
  EXPECT_FALSE(asks(197, 3088));
  EXPECT_TRUE(asks(1024, 3088));
  EXPECT_FALSE(asks(1024, 3072));
}

TEST(ContractionPlan, NarrowerTargets) {
  EXPECT_EQ(
      planText(gemm(128, 768, 768), "avx2"),
      "mr=4 nv=3 lanes=8 panel=24 join=1 fold=1 unroll=4 "
      "k_block=0 row_tiles=32 panels=1 panels_outer=1 shares=0 prefetch=1 "
      "fetch_rows=0 fetch_results=0");
  EXPECT_EQ(
      planText(gemm(128, 768, 768), "baseline"),
      "mr=6 nv=2 lanes=4 panel=8 join=1 fold=1 unroll=4 "
      "k_block=0 row_tiles=22 panels=1 panels_outer=1 shares=0 prefetch=1 "
      "fetch_rows=0 fetch_results=0");
}

TEST(ContractionPlan, PanelsThatAreGivenStay) {
  const Target &target = *findTarget("avx512");
  ContractionProblem problem;
  problem.rows = {8};
  problem.columns = 768;
  problem.k = {768};
  problem.constantB = true;
  for (int64_t panel : {16, 32, 48}) {
    auto plan = planForPanel(problem, panel, target);
    ASSERT_TRUE(plan);
    EXPECT_EQ(plan->panel, panel);
    EXPECT_FALSE(llvm::errorToBool(validate(problem, *plan, target)));
  }
  EXPECT_FALSE(planForPanel(problem, 20, target));
  EXPECT_FALSE(planForPanel(problem, 4096, target));
  problem.columns = 1;
  EXPECT_FALSE(planForPanel(problem, 16, target));
}

TEST(ContractionPlan, DotProductsForOneColumn) {
  EXPECT_EQ(planText(gemm(1000, 1, 1000), "avx512"),
            "mr=16 nv=1 lanes=16 panel=1 join=1 fold=1 unroll=1 "
            "k_block=0 row_tiles=2 panels=1 panels_outer=1 shares=0 prefetch=0 "
            "fetch_rows=0 fetch_results=0");
  EXPECT_EQ(planText(gemm(4, 1, 200000), "avx2"),
            "mr=4 nv=1 lanes=8 panel=1 join=1 fold=1 unroll=1 "
            "k_block=0 row_tiles=1 panels=1 panels_outer=1 shares=0 prefetch=0 "
            "fetch_rows=0 fetch_results=0");
  ContractionProblem problem = gemm(1000, 1, 1000);
  ContractionPlan tall = plan(problem, *findTarget("avx512"));
  tall.mr = 20;
  EXPECT_EQ(whyInvalid(problem, tall, "avx512"),
            "invalid contraction plan: the sums of a block do not fit one "
            "vector");
}

TEST(ContractionPlan, EveryPlanIsValid) {
  for (const Target &target : targets())
    for (int64_t m : {1, 2, 5, 49, 128, 3136})
      for (int64_t n : {1, 2, 3, 10, 64, 1000})
        for (int64_t k : {1, 3, 27, 64, 3072}) {
          ContractionProblem problem = gemm(m, n, k);
          for (bool packsB : {false, true}) {
            problem.packsB = packsB;
            problem.constantB = !packsB;
            ContractionPlan made = plan(problem, target);
            EXPECT_TRUE(isValid(problem, made, target.name.data()))
                << toText(made);
          }
        }
}

TEST(ContractionPlan, RejectsWhatDoesNotFit) {
  ContractionProblem problem = gemm(128, 768, 768);
  ContractionPlan good = plan(problem, *findTarget("avx512"));
  EXPECT_TRUE(isValid(problem, good, "avx512"));
  ContractionPlan tooTall = good;
  tooTall.mr = 30;
  EXPECT_EQ(whyInvalid(problem, tooTall, "avx512"),
            "invalid contraction plan: the register tile does not fit the "
            "registers");
  ContractionPlan gap = good;
  gap.panel = good.nv * good.lanes + 1;
  EXPECT_FALSE(isValid(problem, gap, "avx512"));
  ContractionPlan rest = good;
  rest.unroll = 5;
  EXPECT_FALSE(isValid(problem, rest, "avx512"));
  ContractionPlan empty = good;
  empty.shares = 17; // of 16 register tiles
  EXPECT_EQ(whyInvalid(problem, empty, "avx512"),
            "invalid contraction plan: a share has no rows");
  EXPECT_FALSE(isValid(problem, good, "avx2"));
}

TEST(ContractionPlan, EstimateGrowsWithWork) {
  const Target &target = *findTarget("avx512");
  ContractionProblem small = gemm(64, 256, 256), large = gemm(128, 256, 256);
  EXPECT_LT(estimateCycles(small, plan(small, target), target),
            estimateCycles(large, plan(large, target), target));
}

TEST(RecurrencePlan, SplitsStepsThatAreWorkForSeveralThreads) {
  const Target &target = *findTarget("avx512");
  RecurrencePlan large = plan({1, 1, 4, 512}, target);
  EXPECT_TRUE(large.split);
  EXPECT_EQ(large.panel(), 32);
  EXPECT_EQ(large.panels({1, 1, 4, 512}), 16);
  EXPECT_EQ(large.rows, 1);
  EXPECT_FALSE(plan({1, 1, 4, 128}, target).split);
  // One gate: narrower panels, so that there are some.
  EXPECT_EQ(plan({1, 1, 1, 512}, target).panels({1, 1, 1, 512}), 8);
}

TEST(RecurrencePlan, LeavesPanelsForAllThreads) {
  Target target = *findTarget("avx2");
  RecurrenceProblem problem{1, 1, 4, 192};
  EXPECT_LT(plan(problem, target).panels(problem), 16);
  target.threads = 16;
  EXPECT_GE(plan(problem, target).panels(problem), 16);
}

TEST(RecurrencePlan, SequencesShareWhatComesFromOutsideTheFirstCache) {
  const Target &target = *findTarget("avx512");
  EXPECT_EQ(plan({1, 10, 4, 512}, target).rows, 6);
  RecurrencePlan medium = plan({2, 10, 4, 96}, target);
  EXPECT_EQ(medium.rows, 2);
  EXPECT_FALSE(medium.split);
  EXPECT_EQ(plan({1, 10, 4, 16}, target).rows, 1);
}

TEST(RecurrencePlan, IsValidForAllProblems) {
  for (const Target &target : targets())
    for (int64_t hidden : {0, 1, 7, 16, 17, 100, 512, 2000})
      for (int64_t batch : {0, 1, 2, 5, 64})
        for (int64_t gates : {1, 3, 4}) {
          RecurrenceProblem problem{1 + batch % 2, batch, gates, hidden};
          EXPECT_EQ("", llvm::toString(
                            validate(problem, plan(problem, target), target)));
        }
}

TEST(RecurrencePlan, RejectsWhatDoesNotFit) {
  const Target &target = *findTarget("avx2");
  RecurrenceProblem problem{1, 8, 4, 512};
  auto why = [&](RecurrencePlan plan) {
    return llvm::toString(validate(problem, plan, target));
  };
  EXPECT_EQ(why({8, 1, 2, true}), "");
  EXPECT_EQ(why({8, 1, 0, true}), "a recurrence's plan is empty");
  EXPECT_EQ(why({16, 1, 1, true}), "a recurrence's vectors are not native");
  EXPECT_EQ(why({8, 2, 2, true}), "a recurrence's register tile spills");
}

} // namespace
