//===- EmulateCheckTest.cpp - rules that running does not show ------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file tests the static checks of kernels.
//===----------------------------------------------------------------------===//
// LINK: TenonEmulate MLIR LLVM
#include "test/unit/EmulateTest.h"

using namespace tenon;
using namespace tenon::emulate;

static std::string findings(const std::string &body) {
  Result<Module> module = Module::parse(
      std::string(header) + ".entry k(.param .u64 p)\n{\n" + registers +
      "ld.param.u64 %d1, [p];\n" + body + "\nret;\n}\n");
  if (!module)
    return module.error().message;
  std::string all;
  for (const std::string &finding : module->check())
    all += finding + "\n";
  return all;
}

static bool contains(const std::string &text, const std::string &part) {
  return text.find(part) != std::string::npos;
}

static const std::string product =
    "wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16 "
    "{%r1, %r2, %r3, %r4}, %d2, %d3, %p1, 1, 1, 0, 0;\n"
    "wgmma.commit_group.sync.aligned;\n";
static std::string wait(int left) {
  return "wgmma.wait_group.sync.aligned " + std::to_string(left) + ";\n";
}

TEST(EmulateCheckTest, SumsAreReadBehindTheWait) {
  EXPECT_EQ(findings(product + wait(0) + "add.f32 %r5, %r1, %r2;"), "");
  std::string found =
      findings(product + wait(1) + "add.f32 %r5, %r1, %r6;\n" + wait(0));
  EXPECT_TRUE(contains(found,
                       "line 14 'add.f32 %r5, %r1, %r6;': reads a sum of "
                       "wgmma before wgmma.wait_group"))
      << found;
  EXPECT_TRUE(contains(findings(product +
                                "mov.b32 %r7, %r1;\n"
                                "st.global.b32 [%d1], %r7;\n" +
                                wait(0)),
                       "reads a sum"));
  EXPECT_TRUE(contains(findings(product), "ends before wgmma.wait_group"));
}

TEST(EmulateCheckTest, SumsMayBeInFlightAroundALoop) {
  std::string loop = "L:\n" + product + wait(1) +
                     "add.s32 %r9, %r9, 1;\nsetp.lt.s32 %p2, %r9, 5;\n"
                     "@%p2 bra L;\n";
  EXPECT_EQ(findings(loop + wait(0) + "add.f32 %r5, %r1, %r2;"), "");
  EXPECT_TRUE(contains(findings(loop + "add.f32 %r5, %r1, %r2;\n" + wait(0)),
                       "reads a sum"));
}

TEST(EmulateCheckTest, ProgrammaticLaunchesWait) {
  const std::string gridWait = "griddepcontrol.wait;\n";
  const std::string launch = "griddepcontrol.launch_dependents;\n";
  const std::string write = "st.global.b32 [%d1], %r1;\n";
  EXPECT_EQ(findings(write), "");
  EXPECT_EQ(findings(gridWait + launch + write), "");
  EXPECT_TRUE(contains(findings(launch + write),
                       "writes global memory before griddepcontrol.wait"));
  EXPECT_TRUE(
      contains(findings("ld.global.b32 %r1, [%d1];\n" + gridWait + write),
               "reads global memory before griddepcontrol.wait"));
  EXPECT_EQ(findings("ld.global.nc.b32 %r1, [%d1];\n" + gridWait + write), "");
  EXPECT_EQ(
      findings("ld.global.L1::evict_last.b32 %r1, [%d1];\n" + gridWait + write),
      "");
  EXPECT_TRUE(contains(
      findings("st.global.L1::evict_last.b32 [%d1], %r1;\n" + gridWait),
      "writes global memory before griddepcontrol.wait"));
  // One of two paths waits.
  EXPECT_TRUE(contains(findings("@%p1 bra M;\n" + gridWait + "M:\n" + write),
                       "writes global memory"));
  // Who waits for threads that wait may write, but not read.
  const std::string one = "@%p1 bra M;\n" + gridWait + "M:\nbar.sync 0;\n";
  EXPECT_EQ(findings(one + write), "");
  EXPECT_TRUE(contains(findings(one + "ld.global.b32 %r1, [%d1];\n"),
                       "reads global memory"));
}

TEST(EmulateCheckTest, BarriersHaveArrivals) {
  const std::string init = "mbarrier.init.shared.b64 [%r1], 1;\n";
  const std::string arrive = "mbarrier.arrive.shared.b64 _, [%r1];\n";
  const std::string test =
      "mbarrier.try_wait.parity.shared.b64 %p1, [%r1], 0;\n";
  EXPECT_EQ(findings(init + arrive + test), "");
  EXPECT_TRUE(contains(findings(arrive + test), "has no mbarrier.init"));
  EXPECT_TRUE(contains(findings(init + test), "has no arrival"));
}
