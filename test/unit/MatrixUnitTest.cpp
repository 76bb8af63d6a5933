//===- MatrixUnitTest.cpp - products of f32 on a unit for bf16 ------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// LINK: TenonTile MLIR LLVM
#include "lib/Tile/MatrixUnit.h"
#include "test/unit/TestGemm.h"

#include "gtest/gtest.h"
#include <bit>
#include <cmath>
#include <random>

using namespace tenon::tile;
using tenon::test::gemm;

namespace {

std::optional<MatrixUnitPlan> planOf(const ContractionProblem &problem) {
  const Target &amx = *findTarget("amx");
  std::optional<MatrixUnitPlan> plan = planMatrixUnit(problem, amx);
  double other = estimateCycles(problem, tenon::tile::plan(problem, amx), amx);
  bool gains = plan && chargedCycles(problem, *plan, amx) < other;
  return gains ? plan : std::nullopt;
}

std::string message(llvm::Error error) {
  return error ? llvm::toString(std::move(error)) : "";
}

/// As kernels do it: see passes/CodegenCpu/MatrixUnit/Split.h.
struct Pieces {
  float x[3];
};

float rounded(float x) {
  return std::bit_cast<float>((std::bit_cast<uint32_t>(x) + 0x8000) &
                              0xffff0000u);
}

Pieces split(float x) {
  Pieces pieces;
  pieces.x[0] = rounded(x);
  pieces.x[1] = rounded(x - pieces.x[0]);
  pieces.x[2] = x - pieces.x[0] - pieces.x[1];
  return pieces;
}

TEST(MatrixUnitPlan, OnlyWhereThereIsOneAndItGains) {
  ContractionProblem large = gemm(128, 768, 768);
  ASSERT_TRUE(planOf(large));
  EXPECT_FALSE(planMatrixUnit(large, *findTarget("sapphirerapids")));
  EXPECT_FALSE(planOf(gemm(8, 768, 768)));  // few rows
  EXPECT_FALSE(planOf(gemm(3136, 16, 64))); // few columns
  EXPECT_FALSE(planOf(gemm(3136, 256, 8))); // few steps
  ContractionProblem attention = gemm(128, 128, 64);
  attention.constantB = false;
  EXPECT_FALSE(planOf(attention));
  large.elementBytes = 8;
  EXPECT_FALSE(planOf(large));
}

/// Of a thread's own, the smaller operand is split, if there are tiles enough.
TEST(MatrixUnitPlan, SharesOutRowsOrColumns) {
  EXPECT_FALSE(planOf(gemm(128, 3072, 768)).value().byRows);
  EXPECT_TRUE(planOf(gemm(784, 128, 512)).value().byRows);
  EXPECT_TRUE(
      planOf(gemm(196, 256, 1024)).value().byRows); // rows are worth more
  EXPECT_FALSE(planOf(gemm(96, 512, 512)).value().byRows);
  EXPECT_FALSE(planOf(gemm(121, 336, 1344)).value().byRows); // too few for two
}

/// As far as there are items, and each is worth a thread.
TEST(MatrixUnitPlan, ManyThreadsHaveTiles) {
  for (int64_t m : {64, 128, 196, 784, 3136})
    for (int64_t n : {128, 768, 3072}) {
      ContractionProblem problem = gemm(m, n, 1024);
      std::optional<MatrixUnitPlan> made = planOf(problem);
      if (!made)
        continue;
      MatrixUnitGrid grid(problem);
      int64_t squares = grid.rowTiles * grid.panels;
      EXPECT_GE(made->tiles, std::min({int64_t(16), grid.items(*made),
                                       squares * grid.steps / 64}))
          << m << " x " << n;
      EXPECT_LE(made->tiles, grid.items(*made));
    }
}

/// More threads take no more of the arena.
TEST(MatrixUnitPlan, ScratchIsOfAThread) {
  ContractionProblem problem = gemm(784, 128, 512);
  MatrixUnitPlan made = planOf(problem).value();
  MatrixUnitGrid grid(problem);
  int64_t pieces = matrixUnitScratch(grid, made).pieces;
  made.tiles = 1;
  EXPECT_EQ(matrixUnitScratch(grid, made).pieces, pieces);
}

TEST(MatrixUnitPlan, PiecesOfAStayInACache) {
  const Target &amx = *findTarget("amx");
  for (int64_t m : {128, 197, 784, 3136})
    for (int64_t k : {256, 700, 3072, 20000}) {
      ContractionProblem problem = gemm(m, 512, k);
      std::optional<MatrixUnitPlan> made = planOf(problem);
      ASSERT_TRUE(made) << m << " rows, " << k << " steps";
      EXPECT_EQ(message(validate(problem, *made, amx)), "");
      MatrixUnitGrid grid(problem);
      MatrixUnitScratch scratch = matrixUnitScratch(grid, *made);
      EXPECT_LE(scratch.pieces, amx.blockingBytes() * 3 / 2);
      EXPECT_EQ(scratch.sums > 0, grid.isInPasses(*made));
      EXPECT_GE(grid.blocks(*made) * made->rowTiles * MatrixSquare::rows, m);
    }
}

/// Pieces of B that few row tiles read stay close; what more of them read goes
/// to the second-level cache, so that sums stay in registers.
TEST(MatrixUnitPlan, ChunksOfFewRowTilesAreShort) {
  MatrixUnitPlan few = planOf(gemm(49, 512, 2304)).value();
  EXPECT_EQ(few.rowTiles, 2);
  EXPECT_EQ(few.steps, MatrixSquare::nearSteps);
  EXPECT_EQ(few.pass, 72);
  MatrixUnitPlan more = planOf(gemm(128, 768, 768)).value();
  EXPECT_EQ(more.rowTiles, 4);
  EXPECT_EQ(more.steps, more.pass);
}

/// What is split once is the operand of which fewer pieces have to stay.
TEST(MatrixUnitPlan, KeepsASmallB) {
  const Target &amx = *findTarget("amx");
  auto isKept = [](int64_t m, int64_t n, int64_t k) {
    return planOf(gemm(m, n, k)).value().keepsColumns;
  };
  EXPECT_TRUE(isKept(3136, 64, 256));
  EXPECT_TRUE(isKept(784, 768, 192));
  EXPECT_FALSE(isKept(128, 768, 768));
  EXPECT_FALSE(isKept(3136, 512, 512)); // 1.5 MiB of pieces
  ContractionProblem few = gemm(3136, 384, 96);
  MatrixUnitPlan made = *planOf(few);
  MatrixUnitGrid grid(few);
  ASSERT_TRUE(made.keepsColumns);
  EXPECT_EQ(made.steps, 3); // all of k
  EXPECT_EQ(matrixUnitScratch(grid, made).pieces,
            (2 + 12) * 3 * MatrixSquare::stepBytes);
  EXPECT_EQ(message(validate(few, made, amx)), "");
  made.rowTiles = 2;
  EXPECT_EQ(message(validate(few, made, amx)),
            "invalid bf16x6 plan: what keeps B's pieces has blocks of rows, "
            "or passes");
}

TEST(MatrixUnitPlan, RefusesWhatDoesNotFit) {
  ContractionProblem problem = gemm(128, 768, 768);
  const Target &amx = *findTarget("amx");
  MatrixUnitPlan made = *planOf(problem);
  EXPECT_EQ(message(validate(problem, made, *findTarget("avx512"))),
            "invalid bf16x6 plan: the target has no matrix unit");
  problem.accumulatorBytes = 8;
  EXPECT_EQ(message(validate(problem, made, amx)),
            "invalid bf16x6 plan: elements are not of f32");
  problem.accumulatorBytes = 4;
  made.tiles = 0;
  EXPECT_EQ(message(validate(problem, made, amx)),
            "invalid bf16x6 plan: a size is not positive");
  made.tiles = 1;
  made.steps = made.pass + 1;
  EXPECT_EQ(message(validate(problem, made, amx)),
            "invalid bf16x6 plan: a pass is shorter than its chunks");
}

/// Three pieces of eight digits hold all 24, of any magnitude whose third
/// piece is a normal number.
TEST(Bf16x6, PiecesHoldAllDigits) {
  std::mt19937 random(1);
  for (int i = 0; i < 1000000; ++i) {
    auto exponent = uint32_t(1 + 24 + random() % (254 - 24 - 1));
    float x =
        std::bit_cast<float>(uint32_t(random() & 0x807fffffu) | exponent << 23);
    Pieces pieces = split(x);
    for (float piece : pieces.x)
      ASSERT_EQ(std::bit_cast<uint32_t>(piece) & 0xffff, 0u) << x;
    ASSERT_EQ(double(pieces.x[0]) + pieces.x[1] + pieces.x[2], double(x));
    ASSERT_LE(std::fabs(pieces.x[1]), std::ldexp(std::fabs(x), -8));
    ASSERT_LE(std::fabs(pieces.x[2]), std::ldexp(std::fabs(x), -16));
  }
}

/// What the unit does with the even and odd elements of 32 steps: a sum of f32
/// each, then both to the result.
float multiplyTile(const float *x, const float *y, float sum) {
  float even = 0, odd = 0;
  for (int k = 0; k < 32; k += 2) {
    even = std::fmaf(x[k], y[k], even);
    odd = std::fmaf(x[k + 1], y[k + 1], odd);
  }
  return sum + (even + odd);
}

/// What is left out is less than what summing in f32 rounds away.
TEST(Bf16x6, ErrorsAreNoLargerThanThoseOfSumsInF32) {
  static constexpr int order[][2] = {{2, 0}, {1, 0}, {1, 1},
                                     {0, 1}, {0, 0}, {0, 2}};
  std::mt19937 random(2);
  std::normal_distribution<float> normal;
  for (int steps : {32, 64, 768, 3072}) {
    double ofPieces = 0, ofChain = 0;
    for (int repeat = 0; repeat < 200; ++repeat) {
      std::vector<float> x[3], y[3];
      double exact = 0;
      float chain = 0, sum = 0;
      for (int k = 0; k < steps; ++k) {
        float a = normal(random), b = normal(random);
        exact += double(a) * b;
        chain = std::fmaf(a, b, chain);
        Pieces left = split(a), right = split(b);
        for (int i = 0; i < 3; ++i) {
          x[i].push_back(left.x[i]);
          y[i].push_back(right.x[i]);
        }
      }
      for (int k = 0; k < steps; k += 32)
        for (auto [i, j] : order)
          sum = multiplyTile(&x[i][k], &y[j][k], sum);
      ofPieces += (sum - exact) * (sum - exact);
      ofChain += (chain - exact) * (chain - exact);
    }
    EXPECT_LE(ofPieces, ofChain) << steps << " steps";
  }
}

} // namespace
