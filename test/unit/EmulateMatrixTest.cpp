//===- EmulateMatrixTest.cpp - tensor cores on the emulator ---------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file multiplies matrices of small integers, whose products are exact in
// every type, and compares all elements. Layouts are computed here from the
// manual's pictures, not by the emulator's functions.
//===----------------------------------------------------------------------===//
// LINK: TenonEmulate MLIR LLVM
#include "lib/Support/NarrowFloat.h"
#include "test/unit/EmulateTest.h"

using namespace tenon;
using namespace tenon::emulate;

static float valueA(unsigned row, unsigned k) {
  return (row * 7 + k * 3) % 11 - 5.0f;
}
static float valueB(unsigned k, unsigned column) {
  return (k * 5 + column) % 9 - 4.0f;
}

static float product(unsigned row, unsigned column, unsigned depth) {
  float sum = 0;
  for (unsigned k = 0; k < depth; ++k)
    sum += valueA(row, k) * valueB(k, column);
  return sum;
}

static uint16_t half(float x) { return HalfFloat::narrow(x); }

static const char *const shared = ".extern .shared .align 1024 .b8 smem[];\n";

/// Copies 16 KiB from the first buffer to shared memory, by one warp or more;
/// %r1 is the thread, %d2 the output at 4 bytes a thread.
static std::string stage(unsigned bytes) {
  return "ld.param.u64 %d1, [p0];\nld.param.u64 %d2, [p1];\n"
         "mov.u32 %r1, %tid.x;\nmov.u32 %r2, %ntid.x;\nmov.b32 %r3, %r1;\n"
         "FILL: shl.b32 %r4, %r3, 2;\nmov.b32 %r5, smem;\n"
         "add.s32 %r5, %r5, %r4;\ncvt.u64.u32 %d3, %r4;\n"
         "add.s64 %d3, %d1, %d3;\nld.global.b32 %r6, [%d3];\n"
         "st.shared.b32 [%r5], %r6;\nadd.s32 %r3, %r3, %r2;\n"
         "setp.lt.u32 %p1, %r3, " +
         std::to_string(bytes / 4) +
         ";\n@%p1 bra FILL;\nbar.sync 0;\nmul.wide.u32 %d4, %r1, 4;\n"
         "add.s64 %d2, %d2, %d4;\n";
}

/// Stores %r<first>... to the output, register after register.
static std::string give(unsigned first, unsigned count, unsigned threads) {
  std::string text;
  for (unsigned r = 0; r < count; ++r)
    text += "st.global.b32 [%d2+" + std::to_string(r * threads * 4) + "], %r" +
            std::to_string(first + r) + ";\n";
  return text;
}

static std::string list(unsigned first, unsigned count) {
  std::string text = "{";
  for (unsigned r = 0; r < count; ++r)
    text += (r ? ", %r" : "%r") + std::to_string(first + r);
  return text + "}";
}

TEST(EmulateMatrixTest, LoadsMatrices) {
  // Matrix m, row r, column c is 64 m + 8 r + c.
  std::vector<uint16_t> in(256);
  for (unsigned i = 0; i < 256; ++i)
    in[i] = i;
  for (bool transposed : {false, true}) {
    Trial trial;
    trial.launch.dynamicShared = 512;
    trial.pass(trial.buffer(in));
    uint64_t out = trial.buffer(std::vector<uint32_t>(128));
    trial.pass(out);
    EXPECT_EQ(trial.body(stage(512) +
                             "mad.lo.u32 %r7, %r1, 16, smem;\n"
                             "ldmatrix.sync.aligned.m8n8.x4" +
                             (transposed ? ".trans" : "") +
                             ".shared.b16 {%r10, %r11, %r12, %r7}, [%r7];\n"
                             "mov.b32 %r13, %r7;\n" +
                             give(10, 4, 32),
                         shared),
              "");
    std::vector<uint16_t> result = trial.contents<uint16_t>(out, 256);
    for (unsigned m = 0; m < 4; ++m)
      for (unsigned lane = 0; lane < 32; ++lane)
        for (unsigned e = 0; e < 2; ++e) {
          unsigned row = lane / 4, column = lane % 4 * 2 + e;
          if (transposed)
            std::swap(row, column);
          EXPECT_EQ(result[m * 64 + lane * 2 + e], m * 64 + row * 8 + column);
        }
  }
}

/// Fragments are loaded by each lane from a table of words, so that the
/// instruction is tested alone.
template <typename Pack>
static std::vector<float> multiply(const std::string &name, unsigned words,
                                   unsigned per, const Pack &pack) {
  std::vector<uint32_t> in;
  for (unsigned r = 0; r < 2 * words; ++r)
    for (unsigned lane = 0; lane < 32; ++lane)
      in.push_back(pack([&](unsigned e) {
        return valueA(lane / 4 + r % 2 * 8, (lane % 4 + r / 2 * 4) * per + e);
      }));
  for (unsigned r = 0; r < words; ++r)
    for (unsigned lane = 0; lane < 32; ++lane)
      in.push_back(pack([&](unsigned e) {
        return valueB((lane % 4 + r * 4) * per + e, lane / 4);
      }));
  Trial trial;
  trial.pass(trial.buffer(in));
  uint64_t out = trial.buffer(std::vector<float>(128));
  trial.pass(out);
  std::string text = "ld.param.u64 %d1, [p0];\nld.param.u64 %d2, [p1];\n"
                     "mov.u32 %r1, %tid.x;\nmul.wide.u32 %d4, %r1, 4;\n"
                     "add.s64 %d1, %d1, %d4;\nadd.s64 %d2, %d2, %d4;\n";
  for (unsigned r = 0; r < 3 * words; ++r)
    text += "ld.global.b32 %r" + std::to_string(20 + r) + ", [%d1+" +
            std::to_string(r * 128) + "];\n";
  bool isInt = per == 4;
  for (unsigned r = 10; r < 14; ++r)
    text += "mov.b32 %r" + std::to_string(r) +
            (isInt ? ", 1;\n" : ", 0f3F800000;\n");
  text += "mma.sync.aligned." + name + " " + list(10, 4) + ", " +
          list(20, 2 * words) + ", " + list(20 + 2 * words, words) + ", " +
          list(10, 4) + ";\n";
  for (unsigned r = 10; isInt && r < 14; ++r)
    text += "cvt.rn.f32.s32 %r" + std::to_string(r) + ", %r" +
            std::to_string(r) + ";\n";
  EXPECT_EQ(trial.body(text + give(10, 4, 32)), "");
  return trial.contents<float>(out, 128);
}

static void expectProduct(const std::vector<float> &result, unsigned depth) {
  for (unsigned r = 0; r < 4; ++r)
    for (unsigned lane = 0; lane < 32; ++lane)
      EXPECT_EQ(result[r * 32 + lane],
                product(lane / 4 + r / 2 * 8, lane % 4 * 2 + r % 2, depth) + 1);
}

TEST(EmulateMatrixTest, MultipliesFragments) {
  auto pair = [](const auto &value) {
    return half(value(0)) | uint32_t(half(value(1))) << 16;
  };
  expectProduct(multiply("m16n8k16.row.col.f32.f16.f16.f32", 2, 2, pair), 16);
  expectProduct(multiply("m16n8k8.row.col.f32.f16.f16.f32", 1, 2, pair), 8);
  auto brain = [](const auto &value) {
    return BrainFloat::narrow(value(0)) | uint32_t(BrainFloat::narrow(value(1)))
                                              << 16;
  };
  expectProduct(multiply("m16n8k16.row.col.f32.bf16.bf16.f32", 2, 2, brain),
                16);
  // What tf32 does not have is cut off.
  auto word = [](const auto &value) {
    return std::bit_cast<uint32_t>(value(0)) | 0x1FFF;
  };
  expectProduct(multiply("m16n8k8.row.col.f32.tf32.tf32.f32", 2, 1, word), 8);
  auto bytes = [](const auto &value) {
    uint32_t result = 0;
    for (unsigned e = 0; e < 4; ++e)
      result |= uint32_t(uint8_t(int8_t(value(e)))) << 8 * e;
    return result;
  };
  expectProduct(multiply("m16n8k32.row.col.s32.s8.s8.s32", 2, 4, bytes), 32);
}

/// Swizzled places of f16 in rows of `row` bytes.
static unsigned swizzled(unsigned address, unsigned row) {
  return address ^ (address / 128 % (row / 16)) * 16;
}

/// wgmma of 64 x 16 by 16 x 32 with A at 0 and B at 8192 bytes.
static void warpgroup(unsigned row, bool transposesB, bool fromRegisters) {
  std::vector<uint16_t> in(8192);
  for (unsigned r = 0; r < 64; ++r)
    for (unsigned k = 0; k < 16; ++k)
      in[swizzled(r * row + k * 2, row) / 2] = half(valueA(r, k));
  for (unsigned n = 0; n < 32; ++n)
    for (unsigned k = 0; k < 16; ++k) {
      unsigned place = transposesB ? k * row + n * 2 : n * row + k * 2;
      in[4096 + swizzled(place, row) / 2] = half(valueB(k, n));
    }
  Trial trial(128);
  trial.launch.dynamicShared = 16384;
  trial.pass(trial.buffer(in));
  uint64_t out = trial.buffer(std::vector<float>(16 * 128));
  trial.pass(out);
  std::string code = row == 128 ? "1" : "2";
  std::string stride = std::to_string(row * 8 / 16);
  std::string text = stage(16384) +
                     "mov.b32 %r7, smem;\ncvt.u64.u32 %d5, %r7;\n"
                     "shr.u64 %d5, %d5, 4;\nmov.b64 %d6, " +
                     code +
                     ";\nshl.b64 %d6, %d6, 62;\nor.b64 %d5, %d5, %d6;\n"
                     "mov.b64 %d6, " +
                     stride +
                     ";\nshl.b64 %d6, %d6, 32;\nor.b64 %d5, %d5, %d6;\n"
                     "add.s64 %d6, %d5, 512;\nmov.pred %p2, 0;\n";
  // Row g of a warp's 16 is 16 w + g, whose words are read as they lie.
  if (fromRegisters)
    for (unsigned r = 0; r < 4; ++r)
      text += "shr.u32 %r8, %r1, 5;\nshl.b32 %r8, %r8, 4;\nbfe.u32 %r9, %r1, "
              "2, 3;\n"
              "add.s32 %r8, %r8, %r9;\nadd.s32 %r8, %r8, " +
              std::to_string(r % 2 * 8) +
              ";\nmul.lo.u32 %r8, %r8, 128;\nand.b32 %r9, %r1, 3;\n"
              "mad.lo.u32 %r8, %r9, 4, %r8;\nadd.s32 %r8, %r8, " +
              std::to_string(r / 2 * 16) +
              ";\nshr.u32 %r9, %r8, 7;\nand.b32 %r9, %r9, 7;\n"
              "shl.b32 %r9, %r9, 4;\nxor.b32 %r8, %r8, %r9;\n"
              "add.s32 %r8, %r8, %r7;\nld.shared.b32 %r" +
              std::to_string(40 + r) + ", [%r8];\n";
  text += "wgmma.fence.sync.aligned;\n"
          "wgmma.mma_async.sync.aligned.m64n32k16.f32.f16.f16 " +
          list(100, 16) + ", " + (fromRegisters ? list(40, 4) : "%d5") +
          ", %d6, %p2, 1, -1, " + (fromRegisters ? "" : "0, ") +
          (transposesB ? "1" : "0") +
          ";\nwgmma.commit_group.sync.aligned;\n"
          "wgmma.wait_group.sync.aligned 0;\n";
  EXPECT_EQ(trial.body(text + give(100, 16, 128), shared), "");
  std::vector<float> result = trial.contents<float>(out, 16 * 128);
  for (unsigned r = 0; r < 16; ++r)
    for (unsigned t = 0; t < 128; ++t)
      EXPECT_EQ(result[r * 128 + t],
                -product(t / 32 * 16 + t % 32 / 4 + r / 2 % 2 * 8,
                         r / 4 * 8 + t % 4 * 2 + r % 2, 16));
}

TEST(EmulateMatrixTest, MultipliesByDescriptors) {
  warpgroup(128, false, false);
  warpgroup(64, false, false);
  warpgroup(128, true, false);
  warpgroup(128, false, true);
}

TEST(EmulateMatrixTest, RefusesMatricesOutsideOfSharedMemory) {
  Trial trial(128);
  std::string error = trial.body(
      "mov.b64 %d5, 0x3000;\nmov.pred %p2, 0;\n"
      "wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16 {%r1, %r2, %r3, %r4}, "
      "%d5, %d5, %p2, 1, 1, 0, 0;");
  EXPECT_NE(error.find("lies outside of shared memory"), std::string::npos)
      << error;
}
