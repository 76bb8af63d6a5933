//===- SharesTest.cpp - what threads get of a contraction -----------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// LINK: TenonTile MLIR LLVM
#include "lib/Tile/Shares.h"
#include "test/unit/TestGemm.h"
#include "test/unit/TileTestProblems.h"

#include "gtest/gtest.h"

using namespace tenon::tile;
using tenon::test::gemm;

namespace {

TEST(Shares, EarlierOnesHaveOneMore) {
  EXPECT_EQ(shareStart(7, 2, 1), 4);
  for (int64_t items : {1, 7, 8, 49, 196})
    for (int64_t shares = 1; shares <= std::min<int64_t>(8, items); ++shares) {
      EXPECT_EQ(shareStart(items, shares, 0), 0);
      EXPECT_EQ(shareStart(items, shares, shares), items);
      for (int64_t i = 0; i < shares; ++i) {
        int64_t count =
            shareStart(items, shares, i + 1) - shareStart(items, shares, i);
        EXPECT_GE(count, items / shares);
        EXPECT_LE(count, ceilDiv(items, shares));
      }
    }
}

/// As an emitter cuts them: the first tiles have `height` rows.
bool hasTwoHeights(int64_t rows, int64_t height) {
  int64_t tiles = ceilDiv(rows, height);
  int64_t tall = rows - tiles * (height - 1);
  return tall >= 0 && tall <= tiles &&
         tall * height + (tiles - tall) * (height - 1) == rows;
}

TEST(Shares, AreCutIntoTwoHeights) {
  int64_t cut = 0;
  for (int64_t extent = 2; extent <= 200; ++extent)
    for (int64_t most : {1, 4, 6, 8, 13})
      for (int64_t shares : {2, 3, 8}) {
        RowTiling rows = tileRows({extent}, most);
        bool all = true;
        for (int64_t first = 0; first < shares; ++first)
          for (int64_t last = first + 1; last <= shares; ++last)
            all &= hasTwoHeights(shareStart(extent, shares, last) -
                                     shareStart(extent, shares, first),
                                 rows.inner.height);
        EXPECT_EQ(cutsShares(rows, shares), all) << extent << " by " << most;
        cut += all;
      }
  EXPECT_GT(cut, 1000);
}

TEST(Shares, NeedRowsOfOneDimension) {
  EXPECT_TRUE(cutsShares(tileRows({196}, 6), 8));
  EXPECT_FALSE(cutsShares(tileRows({14, 14}, 6), 8));
  EXPECT_FALSE(cutsShares(tileRows({13}, 6), 2)); // 7 rows are no tiles of 5
}

TEST(Shares, AreOfRowsWhereMapsOutweighWeights) {
  auto shares = [](const ContractionProblem &problem) {
    return planFor(problem, "avx512").shares;
  };
  EXPECT_EQ(shares(gemm(196, 384, 64)), 8);
  EXPECT_EQ(shares(gemm(49, 160, 960)), 4);   // as many as register tiles
  EXPECT_EQ(shares(gemm(128, 3072, 768)), 0); // weights come from memory
  EXPECT_EQ(shares(gemm(3136, 64, 256)), 32); // blocks of rows
  EXPECT_EQ(shares(gemm(1, 4096, 4096)), 0);  // one row
  EXPECT_EQ(shares(gemm(24, 16, 16)), 0);     // little to do
  EXPECT_GT(shares(grouped(28, 4, 64)), 1);   // groups are columns
  ContractionProblem product = gemm(196, 384, 64);
  product.constantB = false; // of heads, which are maps of their own
  EXPECT_EQ(shares(product), 0);
}

TEST(Shares, LeaveTilesForMoreThreads) {
  ContractionPlan made = planFor(gemm(196, 384, 64), "avx512");
  int64_t panels = ceilDiv(384, made.panel);
  EXPECT_GT(ceilDiv(panels, made.panels), 1);
  EXPECT_LE(made.shares * ceilDiv(panels, made.panels), balancedTiles);
}

/// Launch tiles of a plan, as the emitter numbers them.
int64_t launchTilesOf(const ContractionProblem &problem,
                      const ContractionPlan &made) {
  int64_t panels = ceilDiv(problem.columns, made.panel);
  if (made.shares)
    return made.shares * ceilDiv(problem.batches * panels, made.panels);
  int64_t rows = tileRows(problem.rows, made.mr).tiles();
  return problem.batches * ceilDiv(rows, made.rowTiles) *
         ceilDiv(panels, made.panels);
}

TEST(Shares, ManyThreadsHaveTiles) {
  int64_t shared = 0;
  for (const char *target : {"avx2", "avx512", "neon"})
    for (int64_t m : {96, 196, 784, 3136})
      for (int64_t n : {24, 64, 128, 512, 1000})
        for (int64_t k : {64, 576}) {
          ContractionProblem problem = gemm(m, n, k);
          ContractionPlan made = planFor(problem, target);
          int64_t work = tileRows(problem.rows, made.mr).tiles() *
                         ceilDiv(n, made.panel) * k * made.mr * made.nv;
          if (work < 32 * leastTileWork || made.join > 1 || made.fold > 1)
            continue;
          // Shares cost nothing; other tiles read something again.
          EXPECT_GE(launchTilesOf(problem, made), made.shares ? 16 : 8)
              << target << ": " << m << " x " << n << " x " << k;
          shared += made.shares > 0;
        }
  EXPECT_GT(shared, 10);
}

} // namespace
