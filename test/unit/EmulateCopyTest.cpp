//===- EmulateCopyTest.cpp - copies and barriers in shared memory ---------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file tests cp.async, tiles of tensor maps, mbarriers and clusters.
//===----------------------------------------------------------------------===//
// LINK: TenonEmulate MLIR LLVM
#include "test/unit/EmulateTest.h"

#include <numeric>

using namespace tenon;
using namespace tenon::emulate;

using Words = std::vector<uint32_t>;

static bool contains(const std::string &text, const std::string &part) {
  return text.find(part) != std::string::npos;
}

static const char *const shared = ".extern .shared .align 1024 .b8 smem[];\n";

static Words counting(unsigned count) {
  Words result(count);
  std::iota(result.begin(), result.end(), 1);
  return result;
}

/// One thread copies 16 bytes, the last 8 of them zeroes, and reads them.
static Words asynchronous(const std::string &wait) {
  Trial trial(1);
  trial.launch.dynamicShared = 16;
  trial.pass(trial.buffer(counting(4)));
  uint64_t out = trial.buffer(Words(4));
  trial.pass(out);
  EXPECT_EQ(trial.body("ld.param.u64 %d1, [p0];\nld.param.u64 %d2, [p1];\n"
                       "cp.async.cg.shared.global [smem], [%d1], 16, 8;\n"
                       "cp.async.commit_group;\n" +
                           wait +
                           "ld.shared.v4.b32 {%r1, %r2, %r3, %r4}, [smem];\n"
                           "st.global.v4.b32 [%d2], {%r1, %r2, %r3, %r4};",
                       shared),
            "");
  return trial.contents<uint32_t>(out, 4);
}

TEST(EmulateCopyTest, CopiesArriveWhenTheyAreWaitedFor) {
  EXPECT_EQ(asynchronous("cp.async.wait_group 0;\n"), (Words{1, 2, 0, 0}));
  EXPECT_EQ(asynchronous("cp.async.wait_all;\n"), (Words{1, 2, 0, 0}));
  EXPECT_EQ(asynchronous("cp.async.wait_group 1;\n"), Words(4, ~0u));
}

/// A map of f32 and what a kernel that copies one tile of it sees: 32 words.
static std::string copyTile(const TensorMapInfo &info, int x, int y,
                            const Words &tensor, Words &tile) {
  Trial trial;
  trial.launch.dynamicShared = 2048;
  TensorMapInfo placed = info;
  placed.address = trial.buffer(tensor);
  Result<TensorMap> map = encode(placed);
  if (!map)
    return map.error().message;
  trial.pass(*map, 64);
  uint64_t out = trial.buffer(Words(tile.size()));
  trial.pass(out);
  std::string bytes = std::to_string(tile.size() * 4);
  std::string error = trial.module(
      std::string(header) + shared +
      ".visible .entry k(.param .align 64 .b8 m[128], .param .u64 o)\n{\n" +
      registers +
      "mov.u32 %r1, %tid.x;\nmov.b64 %d1, m;\ncvta.param.u64 %d1, %d1;\n"
      "setp.eq.u32 %p1, %r1, 0;\n@!%p1 bra WAIT;\n"
      "mbarrier.init.shared.b64 [smem+1024], 1;\n"
      "mbarrier.arrive.expect_tx.shared.b64 _, [smem+1024], " +
      bytes + ";\nmov.b32 %r3, " + std::to_string(x) + ";\nmov.b32 %r4, " +
      std::to_string(y) +
      ";\ncp.async.bulk.tensor.2d.shared::cluster.global.tile.mbarrier::"
      "complete_tx::bytes [smem], [%d1, {%r3, %r4}], [smem+1024];\n"
      "WAIT: bar.warp.sync -1;\nAGAIN: "
      "mbarrier.try_wait.parity.shared.b64 %p2, [smem+1024], 0;\n"
      "@!%p2 bra AGAIN;\nld.param.u64 %d2, [o];\nmov.b32 %r5, %r1;\n"
      "GIVE: mul.wide.u32 %d3, %r5, 4;\nadd.s64 %d3, %d2, %d3;\n"
      "mad.lo.u32 %r6, %r5, 4, smem;\nld.shared.b32 %r7, [%r6];\n"
      "st.global.b32 [%d3], %r7;\nadd.s32 %r5, %r5, 32;\n"
      "setp.lt.u32 %p3, %r5, " +
      std::to_string(tile.size()) + ";\n@%p3 bra GIVE;\nret;\n}\n");
  tile = trial.contents<uint32_t>(out, tile.size());
  return error;
}

/// 8 x 8 of f32, tiles of 4 x 8.
static TensorMapInfo smallMap() {
  TensorMapInfo info;
  info.type = 7;
  info.rank = 2;
  info.dims = {8, 8};
  info.strides = {32};
  info.box = {4, 8, 1, 1, 1};
  info.elementStrides = {1, 1, 1, 1, 1};
  return info;
}

TEST(EmulateCopyTest, CopiesTiles) {
  Words tile(32);
  EXPECT_EQ(copyTile(smallMap(), 2, 0, counting(64), tile), "");
  for (unsigned i = 0; i < 32; ++i)
    EXPECT_EQ(tile[i], i / 4 * 8 + i % 4 + 3);
}

TEST(EmulateCopyTest, FillsWithZeroesOutside) {
  Words tile(32);
  EXPECT_EQ(copyTile(smallMap(), -2, 3, counting(64), tile), "");
  for (int i = 0; i < 32; ++i) {
    int x = i % 4 - 2, y = i / 4 + 3;
    bool isInside = x >= 0 && y < 8;
    EXPECT_EQ(tile[i], isInside ? unsigned(y * 8 + x + 1) : 0u);
  }
}

TEST(EmulateCopyTest, StridesAndSwizzles) {
  // Every other row; 32 bytes a row, whose halves are exchanged in every
  // second run of 128 bytes.
  TensorMapInfo info = smallMap();
  info.box = {8, 8, 1, 1, 1};
  info.elementStrides[1] = 2;
  info.swizzle = 1;
  Words tile(32);
  EXPECT_EQ(copyTile(info, 0, 1, counting(64), tile), "");
  for (unsigned i = 0; i < 32; ++i) {
    unsigned row = i / 8 * 2 + 1, column = i % 8;
    EXPECT_EQ(tile[i], row < 8 ? row * 8 + column + 1 : 0u);
  }
  info.swizzle = 3;
  info.dims = {32, 8};
  info.strides = {128};
  info.box = {32, 8, 1, 1, 1};
  info.elementStrides[1] = 1;
  tile.resize(256);
  EXPECT_EQ(copyTile(info, 0, 0, counting(256), tile), "");
  for (unsigned i = 0; i < 256; ++i)
    EXPECT_EQ(tile[i ^ i / 32 * 4], i + 1);
}

TEST(EmulateCopyTest, ChecksMaps) {
  auto wrong = [](auto change) {
    TensorMapInfo info = smallMap();
    change(info);
    Result<TensorMap> map = encode(info);
    return map ? "" : map.error().message;
  };
  EXPECT_EQ(wrong([](auto &) {}), "");
  EXPECT_TRUE(contains(wrong([](auto &i) { i.type = 99; }), "type is unknown"));
  EXPECT_TRUE(contains(wrong([](auto &i) { i.rank = 6; }), "6 dimensions"));
  EXPECT_TRUE(contains(wrong([](auto &i) { i.address = 8; }),
                       "its address is no multiple of 16"));
  EXPECT_TRUE(contains(wrong([](auto &i) { i.swizzle = 9; }), "swizzle"));
  EXPECT_TRUE(contains(wrong([](auto &i) { i.dims[1] = 0; }),
                       "the size of dimension 1 is out of range"));
  EXPECT_TRUE(contains(wrong([](auto &i) { i.box[1] = 257; }),
                       "the box of dimension 1"));
  EXPECT_TRUE(contains(wrong([](auto &i) { i.elementStrides[1] = 9; }),
                       "the element stride of dimension 1"));
  EXPECT_TRUE(contains(wrong([](auto &i) { i.strides[0] = 40; }),
                       "the stride of dimension 1"));
  EXPECT_TRUE(contains(wrong([](auto &i) { i.box[0] = 3; }),
                       "12 bytes, which is no multiple of 16"));
  EXPECT_TRUE(contains(wrong([](auto &i) {
                         i.box[0] = 16;
                         i.swizzle = 1;
                       }),
                       "64 bytes, more than the swizzle"));
  EXPECT_FALSE(decode(TensorMap{}));
}

TEST(EmulateCopyTest, CountsArrivals) {
  auto error = [](const std::string &text) {
    Trial trial(1);
    trial.launch.dynamicShared = 64;
    return trial.body(text, shared);
  };
  std::string init = "mbarrier.init.shared.b64 [smem], 1;\n";
  std::string arrive = "mbarrier.arrive.shared.b64 %d1, [smem];\n";
  EXPECT_EQ(error(init + arrive +
                  "mbarrier.test_wait.shared.b64 %p1, [smem], %d1;\n"
                  "@!%p1 trap;\n" +
                  arrive),
            "");
  EXPECT_TRUE(contains(error(init + "mbarrier.arrive.shared.b64 _, [smem], 2;"),
                       "more arrivals than the 1 that"));
  EXPECT_TRUE(contains(error(arrive), "there is no mbarrier at this address"));
  EXPECT_TRUE(contains(error("mbarrier.init.shared.b64 [smem], 0;"),
                       "an mbarrier for 0 arrivals"));
  std::string stuck =
      error(init + "mbarrier.expect_tx.shared.b64 [smem], 96;\n"
                   "L: mbarrier.try_wait.parity.shared.b64 %p1, "
                   "[smem], 0;\n@!%p1 bra L;");
  EXPECT_TRUE(contains(stuck, "deadlock")) << stuck;
  EXPECT_TRUE(contains(stuck, "the mbarrier at 1024 is in phase 0, which lacks "
                              "1 of 1 arrivals and 96 bytes"))
      << stuck;
}

/// Each CTA of a cluster writes its rank to the next one's shared memory.
TEST(EmulateCopyTest, ClustersShareMemory) {
  Trial trial(32);
  trial.launch.grid = {8, 1, 1};
  trial.launch.cluster = {4, 1, 1};
  trial.launch.dynamicShared = 16;
  uint64_t out = trial.buffer(Words(8));
  trial.pass(out);
  std::string error =
      trial.body("mov.u32 %r1, %cluster_ctarank;\nadd.s32 %r2, %r1, 1;\n"
                 "and.b32 %r2, %r2, 3;\nmov.b32 %r3, smem;\n"
                 "mapa.shared::cluster.u32 %r4, %r3, %r2;\n"
                 "st.shared::cluster.b32 [%r4], %r1;\n"
                 "barrier.cluster.arrive;\nbarrier.cluster.wait;\n"
                 "ld.shared.b32 %r5, [smem];\nmov.u32 %r6, %ctaid.x;\n"
                 "mul.wide.u32 %d2, %r6, 4;\nld.param.u64 %d1, [p0];\n"
                 "add.s64 %d1, %d1, %d2;\nst.global.b32 [%d1], %r5;\n"
                 "barrier.cluster.arrive;\nbarrier.cluster.wait;",
                 shared);
  EXPECT_EQ(error, "");
  EXPECT_EQ(trial.contents<uint32_t>(out, 8), (Words{3, 0, 1, 2, 3, 0, 1, 2}));
}

/// CTAs of a cooperative launch wait for all others.
TEST(EmulateCopyTest, CooperativeLaunches) {
  std::string text = "ld.param.u64 %d1, [p0];\nred.global.add.u32 [%d1], 1;\n"
                     "L: ld.relaxed.gpu.global.b32 %r1, [%d1];\n"
                     "setp.ne.u32 %p1, %r1, 6;\n@%p1 bra L;";
  for (bool cooperative : {true, false}) {
    Trial trial(1);
    trial.launch.grid = {6, 1, 1};
    trial.launch.cooperative = cooperative;
    trial.pass(trial.buffer(Words(1)));
    std::string error = trial.body(text);
    EXPECT_EQ(contains(error, "it polls memory"), !cooperative) << error;
  }
}
