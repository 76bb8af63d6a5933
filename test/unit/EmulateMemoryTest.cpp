//===- EmulateMemoryTest.cpp - spaces, bounds, atomics --------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file tests memory of all spaces, and that accesses outside are found.
//===----------------------------------------------------------------------===//
// LINK: TenonEmulate MLIR LLVM
#include "test/unit/EmulateTest.h"

using namespace tenon;
using namespace tenon::emulate;

using Words = std::vector<uint32_t>;

static bool contains(const std::string &text, const std::string &part) {
  return text.find(part) != std::string::npos;
}

/// A body that has %d1 = p0 and %r1 = tid.
static std::string start(const std::string &text) {
  return "ld.param.u64 %d1, [p0];\nmov.u32 %r1, %tid.x;\n" + text;
}

static std::string errorOf(const std::string &text, size_t words = 32,
                           uint32_t shared = 0) {
  Trial trial;
  trial.launch.dynamicShared = shared;
  trial.pass(trial.buffer(Words(words, 7)));
  return trial.body(start(text), ".extern .shared .align 16 .b8 smem[];\n");
}

TEST(EmulateMemoryTest, FindsAccessesOutside) {
  EXPECT_EQ(errorOf("ld.global.b32 %r2, [%d1+124];"), "");
  std::string error = errorOf("ld.global.b32 %r2, [%d1+136];");
  EXPECT_TRUE(contains(error, "thread (0, 0, 0), line 13 'ld.global.b32 %r2, "
                              "[%d1+136];': 4 bytes at 0x1000000088 of global "
                              "memory: out of bounds, 8 bytes behind the "
                              "allocation of 128 bytes at 0x1000000000"))
      << error;
  // The last thread alone is outside.
  error = errorOf("mul.wide.u32 %d2, %r1, 4;\nadd.s64 %d1, %d1, %d2;\n"
                  "st.global.b32 [%d1+4], %r1;");
  EXPECT_TRUE(contains(error, "thread (31, 0, 0)")) << error;
  EXPECT_TRUE(contains(error, "0 bytes behind")) << error;
  EXPECT_TRUE(contains(errorOf("ld.global.b32 %r2, [%d1+-4];"),
                       "4 bytes in front of the allocation"));
  EXPECT_TRUE(contains(errorOf("mov.b64 %d1, 8;\nld.b32 %r2, [%d1];"),
                       "4 bytes at 0x8 of generic memory"));
  EXPECT_TRUE(contains(errorOf("atom.global.add.u32 %r2, [%d1+128], 1;"),
                       "out of bounds"));
}

TEST(EmulateMemoryTest, FindsMisalignedAccesses) {
  EXPECT_TRUE(
      contains(errorOf("ld.global.v4.b32 {%r2, %r3, %r4, %r5}, "
                       "[%d1+8];"),
               "16 bytes at 0x1000000008 of global memory: misaligned"));
  EXPECT_TRUE(contains(errorOf("st.shared.b32 [smem+2], %r1;", 1, 64),
                       "of shared memory: misaligned"));
}

TEST(EmulateMemoryTest, KnowsBoundsOfSharedMemory) {
  EXPECT_EQ(errorOf("st.shared.b32 [smem+60], %r1;", 1, 64), "");
  EXPECT_TRUE(contains(errorOf("st.shared.b32 [smem+64], %r1;", 1, 64),
                       "out of bounds, byte 64 of 64"));
  EXPECT_TRUE(contains(errorOf("mapa.shared::cluster.u32 %r2, %r1, 1;"),
                       "a rank outside"));
}

TEST(EmulateMemoryTest, NewMemoryIsNaN) {
  Trial trial;
  trial.launch.dynamicShared = 64;
  uint64_t out = *trial.memory.allocate(8);
  trial.pass(out);
  EXPECT_EQ(trial.body(start("ld.shared.f32 %r2, [smem];\n"
                             "add.f32 %r2, %r2, 0f3F800000;\n"
                             "st.global.f32 [%d1], %r2;"),
                       ".extern .shared .align 16 .b8 smem[];\n"),
            "");
  for (float value : trial.contents<float>(out, 2))
    EXPECT_NE(value, value);
}

TEST(EmulateMemoryTest, VectorsAndNarrowValues) {
  Trial trial(1);
  uint64_t in = trial.buffer(Words{0x8899AABB, 0xCCDDEEFF, 3, 4});
  uint64_t out = trial.buffer(Words(8));
  trial.pass(in);
  trial.pass(out);
  EXPECT_EQ(
      trial.body(start("ld.param.u64 %d2, [p1];\n"
                       "ld.global.nc.L1::no_allocate.v4.b32 "
                       "{%r1, %r2, %r3, _}, [%d1];\n"
                       "st.global.v4.b32 [%d2], {%r3, %r2, %r1, %r3};\n"
                       "ld.global.s8 %r4, [%d1+3];\n"
                       "ld.global.u16 %r5, [%d1];\n"
                       "ld.global.u8 %h1, [%d1+4];\n"
                       "cvt.u32.u16 %r6, %h1;\nst.global.b8 [%d2+28], %r5;\n"
                       "st.global.v2.b32 [%d2+16], {%r4, %r5};\n"
                       "st.global.b32 [%d2+24], %r6;")),
      "");
  EXPECT_EQ(
      trial.contents<uint32_t>(out, 8),
      (Words{3, 0xCCDDEEFF, 0x8899AABB, 3, 0xFFFFFF88, 0xAABB, 0xFF, 0xBB}));
}

TEST(EmulateMemoryTest, VariablesOfModulesAndThreads) {
  Trial trial;
  uint64_t out = trial.buffer(Words(32));
  trial.pass(out);
  EXPECT_EQ(trial.body(
                start("and.b32 %r2, %r1, 3;\nshl.b32 %r2, %r2, 2;\n"
                      "mov.b32 %r3, table;\nadd.s32 %r3, %r3, %r2;\n"
                      "ld.const.b32 %r4, [%r3];\n"
                      "cvt.u64.u32 %d4, %r2;\nmov.b64 %d2, values;\n"
                      "add.s64 %d2, %d2, %d4;\nld.b32 %r5, [%d2+4];\n"
                      // a local array, through a generic address
                      "mov.b64 %d5, depot;\ncvta.local.u64 %d6, %d5;\n"
                      "add.s64 %d6, %d6, %d4;\nst.b32 [%d6], %r1;\n"
                      "add.s64 %d5, %d5, %d4;\nld.local.b32 %r6, [%d5];\n"
                      "add.s32 %r4, %r4, %r5;\nadd.s32 %r4, %r4, %r6;\n"
                      "mul.wide.u32 %d3, %r1, 4;\nadd.s64 %d1, %d1, %d3;\n"
                      "st.global.b32 [%d1], %r4;")
                    .insert(0, ".local .align 16 .b8 depot[16];\n"),
                ".const .align 16 .b8 table[16] = {1, 0, 0, 0, 2, 0, 0, 0, 3, "
                "0, 0, 0, 4};\n.global .align 4 .u32 values[5] = {0, 100, 200, "
                "300};\n"),
            "");
  Words result = trial.contents<uint32_t>(out, 32);
  for (uint32_t i = 0; i < 32; ++i)
    EXPECT_EQ(result[i], i % 4 + 1 + (i % 4 < 3 ? 100 * (i % 4 + 1) : 0) + i);
}

TEST(EmulateMemoryTest, Atomics) {
  Trial trial(64);
  uint64_t out = trial.buffer(Words{0, 5, 1000, 0, 0, 0});
  trial.pass(out);
  EXPECT_EQ(
      trial.body(start("red.global.add.u32 [%d1], %r1;\n"
                       "atom.global.max.u32 %r2, [%d1+4], %r1;\n"
                       "red.global.min.s32 [%d1+8], %r1;\n"
                       "red.global.add.f32 [%d1+12], 0f3F000000;\n"
                       "atom.acq_rel.gpu.global.inc.u32 %r2, [%d1+16], 49;\n"
                       "atom.cas.b32 %r3, [%d1+20], %r1, 77;")),
      "");
  Words result = trial.contents<uint32_t>(out, 6);
  EXPECT_EQ(result,
            (Words{2016, 63, 0, std::bit_cast<uint32_t>(32.0f), 14, 77}));
}

TEST(EmulateMemoryTest, ThreadsGiveTheSameResults) {
  std::vector<Words> results;
  for (unsigned threads : {1u, 3u}) {
    Trial trial;
    trial.launch.grid = {10, 2, 1};
    trial.launch.cpuThreads = threads;
    uint64_t out = trial.buffer(Words(640));
    trial.pass(out);
    EXPECT_EQ(
        trial.body(start("mov.u32 %r2, %ctaid.x;\nmov.u32 %r3, %ctaid.y;\n"
                         "mad.lo.u32 %r2, %r3, 10, %r2;\n"
                         "mad.lo.u32 %r2, %r2, 32, %r1;\n"
                         "mul.wide.u32 %d2, %r2, 4;\nadd.s64 %d1, %d1, %d2;\n"
                         "st.global.b32 [%d1], %r2;")),
        "");
    EXPECT_EQ(trial.work.laneInstructions, 20u * 32 * 10);
    results.push_back(trial.contents<uint32_t>(out, 640));
  }
  EXPECT_EQ(results[0], results[1]);
  EXPECT_EQ(results[0][639], 639u);
}

TEST(EmulateMemoryTest, TheHostIsChecked) {
  Memory memory;
  uint64_t a = *memory.allocate(100), b = *memory.allocate(0);
  EXPECT_GE(b - a, 100 + Memory::redZone);
  uint8_t bytes[101] = {};
  EXPECT_TRUE(memory.fill(a, 0x01020304, 4, 25));
  EXPECT_TRUE(memory.read(a, bytes, 100));
  EXPECT_EQ(bytes[99], 1);
  EXPECT_EQ(bytes[96], 4);
  EXPECT_TRUE(contains(memory.read(a, bytes, 101).error().message,
                       "the host reads 101 bytes"));
  EXPECT_TRUE(contains(memory.write(a + 50, bytes, 51).error().message,
                       "the host writes 51 bytes"));
  EXPECT_FALSE(memory.copy(b, a, 1));
  EXPECT_FALSE(memory.free(a + 1));
  EXPECT_EQ(memory.used(), 100u);
  EXPECT_TRUE(memory.free(a));
  EXPECT_FALSE(memory.read(a, bytes, 1));
  EXPECT_FALSE(memory.allocate(uint64_t(1) << 60));
}

static std::string parseError(const std::string &text) {
  Result<Module> module = Module::parse(header + text);
  return module ? "" : module.error().message;
}
static std::string bodyError(const std::string &text) {
  return parseError(".entry k(.param .u64 p0)\n{\n" + std::string(registers) +
                    text + "\nret;\n}\n");
}

TEST(EmulateMemoryTest, RefusesWhatItDoesNotKnow) {
  EXPECT_EQ(bodyError("add.s32 %r1, %r2, 3;"), "");
  EXPECT_EQ(bodyError("frobnicate.b32 %r1;"),
            "PTX: line 10: unknown instruction 'frobnicate'");
  EXPECT_EQ(bodyError("add.odd.s32 %r1, %r2, 3;"),
            "PTX: line 10: unknown modifier '.odd' of 'add'");
  EXPECT_EQ(bodyError("add.s32 %d1, %r2, 3;"),
            "PTX: line 10: '%d1' has 64 bits, not 32 bits");
  EXPECT_EQ(bodyError("add.s32 %r1, %x, 3;"),
            "PTX: line 10: '%x' is no value of 32 bits");
  EXPECT_EQ(bodyError("add.b32 %r1, %r2;"),
            "PTX: line 10: 'add' has a wrong number of operands");
  EXPECT_EQ(bodyError("bra NOWHERE;"),
            "PTX: line 12: there is no label 'NOWHERE'");
  EXPECT_EQ(bodyError("add.s32 %r1, %r2, ;"),
            "PTX: line 10: expected an operand, found ';'");
  EXPECT_EQ(bodyError("{\ncall gone;\n}"),
            "PTX: line 14: function 'gone' has no body");
  EXPECT_EQ(parseError(".func f()\n{\ncall f;\nret;\n}\n"),
            "PTX: line 9: function 'f' calls itself");
  EXPECT_EQ(parseError(".entry k()\n{\nret;\n"),
            "PTX: line 7: the function has no end");
  EXPECT_EQ(parseError(".nonsense\n"),
            "PTX: line 4: unknown directive '.nonsense'");
}

/// Any prefix of a module is read or refused, but never more than that.
TEST(EmulateMemoryTest, ReadsDamagedModules) {
  std::string text = std::string(header) +
                     ".global .align 4 .u32 x[2] = {1, 2};\n.entry k(.param "
                     ".u64 p0)\n{\n.reg .b32 %r<9>;\nL: {\n.reg .pred q;\n"
                     "setp.lt.s32 q, %r1, -5;\n@!q bra L;\n}\nld.global.v2.b32 "
                     "{%r1, %r2}, [x+4];\nret;\n}\n";
  for (size_t size = 0; size <= text.size(); ++size) {
    bool isRead = bool(Module::parse(text.substr(0, size)));
    EXPECT_EQ(isRead && size > 120, size >= text.size() - 1) << size;
  }
  for (size_t i = 0; i < text.size(); ++i) {
    std::string other = text;
    other[i] = "{}[];,@%9."[i % 10];
    (void)bool(Module::parse(other));
  }
}
