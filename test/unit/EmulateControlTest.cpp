//===- EmulateControlTest.cpp - branches, calls, barriers, shuffles -------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file tests how lanes and warps go apart, meet, and wait for each other.
//===----------------------------------------------------------------------===//
// LINK: TenonEmulate MLIR LLVM
#include "test/unit/EmulateTest.h"

#include <bit>

using namespace tenon::emulate;

using Words = std::vector<uint32_t>;

static Words lanesUpTo32() {
  Words result(32);
  for (uint32_t i = 0; i < 32; ++i)
    result[i] = i;
  return result;
}

template <typename F>
static void expectLanes(const std::string &text, const F &f) {
  Words c = compute<uint32_t>(text, {lanesUpTo32()});
  for (uint32_t i = 0; i < 32; ++i)
    EXPECT_EQ(c[i], uint32_t(f(i))) << text << " in lane " << i;
}

static bool contains(const std::string &text, const std::string &part) {
  return text.find(part) != std::string::npos;
}

TEST(EmulateControlTest, LanesDivergeAndMeet) {
  // Each lane loops as often as its number says; then all vote.
  expectLanes("mov.b32 %r0, 0;\nmov.b32 %r3, %r1;\n"
              "L: setp.eq.s32 %p1, %r3, 0;\n@%p1 bra M;\n"
              "add.s32 %r0, %r0, %r3;\nsub.s32 %r3, %r3, 1;\nbra L;\n"
              "M: vote.sync.ballot.b32 %r4, 1, 0xFFFFFFFF;\n"
              "and.b32 %r4, %r4, 0x100;\nadd.s32 %r0, %r0, %r4;",
              [](uint32_t i) { return i * (i + 1) / 2 + 0x100; });
}

TEST(EmulateControlTest, JumpsByIndex) {
  expectLanes("and.b32 %r3, %r1, 3;\nT: .branchtargets A, B, A, C;\n"
              "brx.idx %r3, T;\nA: mov.b32 %r0, 1;\nbra.uni E;\n"
              "B: mov.b32 %r0, 2;\nbra.uni E;\nC: mov.b32 %r0, 3;\nE:",
              [](uint32_t i) { return "\1\2\1\3"[i & 3]; });
}

TEST(EmulateControlTest, CallsFunctions) {
  Trial run;
  uint64_t in = run.buffer(lanesUpTo32()), out = run.buffer(Words(32));
  run.pass(in);
  run.pass(out);
  // Half of the lanes call twice; a function behind the kernel calls another.
  std::string functions =
      ".func (.param .b32 v) twice(.param .b32 x, .param .align 8 .b8 s[16]);\n"
      ".func (.param .b32 v) add(.param .b32 x)\n{\n.reg .b32 %r<3>;\n"
      "ld.param.b32 %r1, [x];\nadd.s32 %r1, %r1, 1000;\n"
      "st.param.b32 [v], %r1;\nret;\n}\n";
  std::string later =
      ".func (.param .b32 v) twice(.param .b32 x, .param .align 8 .b8 s[16])\n"
      "{\n.reg .b32 %r<5>;\nld.param.b32 %r1, [x];\n"
      "ld.param.b32 %r2, [s+8];\nadd.s32 %r1, %r1, %r2;\n{\n.param .b32 a;\n"
      ".param .b32 b;\nst.param.b32 [a], %r1;\ncall.uni (b), add, (a);\n"
      "ld.param.b32 %r1, [b];\n}\nst.param.b32 [v], %r1;\nret;\n}\n";
  std::string error = run.body(
      elementwise(1, "mov.b32 %r0, %r1;\nsetp.lt.s32 %p1, %r1, 16;\n"
                     "@%p1 bra DONE;\n{\n.param .b32 a;\n"
                     ".param .align 8 .b8 s[16];\n.param .b32 b;\n"
                     "st.param.b32 [a], %r1;\nst.param.b32 [s+8], 5;\n"
                     "call (b), twice, (a, s);\nld.param.b32 %r0, [b];\n}\n"
                     "DONE:"),
      functions + later);
  EXPECT_EQ(error, "");
  Words result = run.contents<uint32_t>(out, 32);
  for (uint32_t i = 0; i < 32; ++i)
    EXPECT_EQ(result[i], i < 16 ? i : i + 1005);
}

TEST(EmulateControlTest, Shuffles) {
  expectLanes("shfl.sync.bfly.b32 %r0, %r1, 5, 31, -1;",
              [](uint32_t i) { return i ^ 5; });
  expectLanes("shfl.sync.idx.b32 %r0, %r1, 7, 31, -1;",
              [](uint32_t) { return 7; });
  expectLanes("shfl.sync.up.b32 %r0|%p1, %r1, 3, 0, -1;\n"
              "@!%p1 mov.b32 %r0, 99;",
              [](uint32_t i) { return i < 3 ? 99 : i - 3; });
  // Segments of eight.
  expectLanes("shfl.sync.down.b32 %r0, %r1, 3, 0x181F, -1;",
              [](uint32_t i) { return i % 8 < 5 ? i + 3 : i; });
}

/// The second of two predicates is of the second half, else the opposite.
TEST(EmulateControlTest, ComparisonsOfPairs) {
  // 1.0 in the low half; 2.0, or NaN in lanes below 7, in the high one.
  std::string pair =
      "mov.b32 %r3, 0x40003C00;\nsetp.lt.u32 %p1, %r1, 7;\n"
      "@%p1 mov.b32 %r3, 0x7E003C00;\nmov.b32 %r4, 0x3C003C00;\n";
  std::string select = "selp.b32 %r0, 1, 0, %p2;\n"
                       "@%p3 add.s32 %r0, %r0, 2;";
  expectLanes(pair + "setp.nan.f16x2 %p2|%p3, %r3, %r4;\n" + select,
              [](uint32_t i) { return i < 7 ? 2 : 0; });
  expectLanes(pair + "setp.eq.and.f16x2 %p2|%p3, %r3, %r4, %p1;\n" + select,
              [](uint32_t i) { return i < 7 ? 1 : 0; });
  expectLanes("setp.lt.u32 %p2|%p3, %r1, 5;\n" + select,
              [](uint32_t i) { return i < 5 ? 1 : 2; });
}

TEST(EmulateControlTest, VotesAndReductions) {
  expectLanes("setp.lt.u32 %p1, %r1, 5;\nvote.sync.ballot.b32 %r0, %p1, -1;",
              [](uint32_t) { return 31; });
  expectLanes("setp.lt.u32 %p1, %r1, 5;\nvote.sync.any.pred %p2, %p1, -1;\n"
              "vote.sync.all.pred %p3, %p1, -1;\nselp.b32 %r0, 1, 0, %p2;\n"
              "@%p3 add.s32 %r0, %r0, 2;",
              [](uint32_t) { return 1; });
  expectLanes("redux.sync.add.s32 %r0, %r1, -1;", [](uint32_t) { return 496; });
  expectLanes("redux.sync.max.u32 %r0, %r1, -1;", [](uint32_t) { return 31; });
  expectLanes("and.b32 %r3, %r1, 3;\nmatch.any.sync.b32 %r0, %r3, -1;",
              [](uint32_t i) { return 0x11111111u << (i & 3); });
  expectLanes("setp.gt.u32 %p1, %r1, 3;\nmov.b32 %r0, 0;\n"
              "@%p1 activemask.b32 %r0;",
              [](uint32_t i) { return i > 3 ? 0xFFFFFFF0u : 0; });
  expectLanes("elect.sync %r3|%p1, -1;\nselp.b32 %r0, 1, %r3, %p1;",
              [](uint32_t i) { return i == 0; });
}

TEST(EmulateControlTest, WarpsMeetAtBarriers) {
  // Thread t writes to its place, reads that of thread 127 - t.
  Trial run(128);
  uint64_t out = run.buffer(Words(128));
  run.pass(out);
  run.launch.dynamicShared = 512;
  std::string error = run.body(
      "mov.u32 %r1, %tid.x;\nshl.b32 %r2, %r1, 2;\nmov.b32 %r3, smem;\n"
      "add.s32 %r4, %r3, %r2;\nst.shared.b32 [%r4], %r1;\nbar.sync 0;\n"
      "sub.s32 %r5, %r3, %r2;\nld.shared.b32 %r6, [%r5+508];\n"
      "ld.param.u64 %d1, [p0];\ncvt.u64.u32 %d2, %r2;\nadd.s64 %d1, %d1, %d2;\n"
      "st.global.b32 [%d1], %r6;",
      ".extern .shared .align 16 .b8 smem[];\n");
  EXPECT_EQ(error, "");
  Words result = run.contents<uint32_t>(out, 128);
  for (uint32_t i = 0; i < 128; ++i)
    EXPECT_EQ(result[i], 127 - i);
}

TEST(EmulateControlTest, NamedBarriersAndReductions) {
  // Warps 0 and 1 arrive, 2 and 3 wait; all count those below 40.
  Trial run(128);
  uint64_t out = run.buffer(Words(1));
  run.pass(out);
  std::string error =
      run.body("mov.u32 %r1, %tid.x;\nsetp.lt.u32 %p1, %r1, 64;\n"
               "@%p1 bar.arrive 3, 128;\n@!%p1 bar.sync 3, 128;\n"
               "setp.lt.u32 %p2, %r1, 40;\nbar.red.popc.u32 %r2, 0, %p2;\n"
               "ld.param.u64 %d1, [p0];\nst.global.b32 [%d1], %r2;");
  EXPECT_EQ(error, "");
  EXPECT_EQ(run.contents<uint32_t>(out, 1)[0], 40u);
}

TEST(EmulateControlTest, ReportsDivergedBarriers) {
  Trial run;
  std::string error =
      run.body("mov.u32 %r1, %tid.x;\nsetp.lt.u32 %p1, %r1, 7;\n@%p1 bra A;\n"
               "bar.sync 0;\nbra B;\nA: bar.sync 0;\nB:");
  EXPECT_TRUE(contains(error, "lanes of the warp wait for each other"))
      << error;
  EXPECT_TRUE(contains(error, "kernel 'k', CTA (0, 0, 0), thread (7, 0, 0), "
                              "line 13 'bar.sync 0;'"))
      << error;
}

TEST(EmulateControlTest, ReportsDeadlocks) {
  Trial run(64);
  std::string error =
      run.body("mov.u32 %r1, %tid.x;\nsetp.lt.u32 %p1, %r1, 32;\n"
               "@%p1 bar.sync 1, 64;\n@!%p1 bar.sync 2, 64;");
  EXPECT_TRUE(contains(error, "deadlock")) << error;
  EXPECT_TRUE(contains(error,
                       "warp 0, line 12 '@%p1 bar.sync 1, 64;': barrier 1 "
                       "has 32 of 64 threads"))
      << error;
  EXPECT_TRUE(contains(error, "barrier 2 has 32 of 64 threads")) << error;
}

TEST(EmulateControlTest, ReportsWrongBarriers) {
  EXPECT_TRUE(contains(Trial().body("bar.sync 1, 48;"), "no multiple of 32"));
  EXPECT_TRUE(contains(Trial().body("mov.b32 %r1, 16;\nbar.sync %r1;"),
                       "there is no barrier 16"));
  EXPECT_TRUE(contains(Trial(32).body("bar.sync 1, 64;"),
                       "more threads than the CTA has"));
  EXPECT_TRUE(contains(
      Trial(96).body("mov.u32 %r1, %tid.x;\nsetp.lt.u32 %p1, %r1, 32;\n"
                     "@%p1 bar.arrive 1, 64;\n@!%p1 bar.sync 1, 96;"),
      "others came to this barrier for 64 threads, not 96"));
  EXPECT_TRUE(contains(Trial().body("barrier.cluster.wait;"),
                       "the warp waits without having arrived"));
}

TEST(EmulateControlTest, LimitsInstructions) {
  Trial run;
  run.launch.mostInstructions = 100000;
  std::string error = run.body("L: bra L;");
  EXPECT_TRUE(contains(error, "instructions: ")) << error;
}

TEST(EmulateControlTest, ReportsTraps) {
  EXPECT_TRUE(contains(Trial().body("trap;"), "the kernel stops itself"));
}

TEST(EmulateControlTest, RefusesWrongLaunches) {
  Trial large(1025);
  EXPECT_TRUE(
      contains(large.body(""), "CTAs of 1025 threads; 1024 are allowed"));
  Trial cluster;
  cluster.launch.cluster = {2, 1, 1};
  EXPECT_TRUE(
      contains(cluster.body(""), "a grid of 1 x 1 x 1 CTAs in clusters"));
  Trial shared;
  shared.launch.dynamicShared = 233 * 1024;
  EXPECT_TRUE(contains(shared.body(""), "bytes of shared memory; there are"));
  Trial parameters;
  parameters.pass(uint64_t(0));
  EXPECT_TRUE(contains(
      parameters.module(std::string(header) + ".entry k()\n{\nret;\n}\n"),
      "8 bytes of parameters; they are 0"));
}
