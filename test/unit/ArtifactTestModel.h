//===- ArtifactTestModel.h - a small artifact made by hand ------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file describes y = (x + w) + x over 1000 floats: two launches of one
// kernel, an input, a weight, an arena and an output. Tiles are elements.
//===----------------------------------------------------------------------===//
#ifndef TENON_TEST_UNIT_ARTIFACTTESTMODEL_H
#define TENON_TEST_UNIT_ARTIFACTTESTMODEL_H

#include "lib/Target/Artifact/Artifact.h"
#include "tenon-c/Runtime.h"
#include "llvm/Support/FileSystem.h"
#include "gtest/gtest.h"

namespace tenon::test {

inline constexpr int64_t elements = 1000;
inline constexpr uint64_t bytes = elements * sizeof(float);

/// void add(const tenon_call *call): buffers[2] = buffers[0] + buffers[1].
inline constexpr uint8_t addCode[] = {
    0x4c, 0x8b, 0x07,             // 0:  mov   r8, [rdi]
    0x48, 0x8b, 0x77, 0x18,       // 3:  mov   rsi, [rdi + 24]
    0x48, 0x8b, 0x57, 0x20,       // 7:  mov   rdx, [rdi + 32]
    0x49, 0x8b, 0x00,             // b:  mov   rax, [r8]
    0x49, 0x8b, 0x48, 0x08,       // e:  mov   rcx, [r8 + 8]
    0x49, 0x8b, 0x78, 0x10,       // 12: mov   rdi, [r8 + 16]
    0x48, 0x39, 0xd6,             // 16: cmp   rsi, rdx
    0x7d, 0x14,                   // 19: jge   2f
    0xf3, 0x0f, 0x10, 0x04, 0xb0, // 1b: movss xmm0, [rax + 4*rsi]
    0xf3, 0x0f, 0x58, 0x04, 0xb1, // 20: addss xmm0, [rcx + 4*rsi]
    0xf3, 0x0f, 0x11, 0x04, 0xb7, // 25: movss [rdi + 4*rsi], xmm0
    0x48, 0xff, 0xc6,             // 2a: inc   rsi
    0xeb, 0xe7,                   // 2d: jmp   16
    0xc3                          // 2f: ret
};

inline float weightAt(int64_t i) { return 0.5f * i; }

inline artifact::ArtifactDesc makeDesc() {
  using namespace artifact;
  ArtifactDesc desc;
  desc.modelName = "test";
  desc.variants[0].targetCpu = "x86-64";
  desc.variants[0].features = {"+sse3", "+prefer-256-bit"};
  desc.entries[0].inputs = {{"x", dtype::f32, {10, 100}}};
  desc.entries[0].outputs = {{"y", dtype::f32, {10, 100}}};
  desc.variants[0].kernels = {{"add", 0}};
  desc.variants[0].code = addCode;
  WeightDesc weight;
  weight.size = bytes;
  weight.stream = [](WeightSink sink) {
    for (int64_t i = 0; i < elements; ++i) {
      float value = weightAt(i);
      sink({reinterpret_cast<const uint8_t *>(&value), sizeof value});
    }
    return llvm::Error::success();
  };
  desc.weights = {weight};
  layoutWeights(desc.weights);
  desc.variants[0].plan = {bytes, 64, bytes, {{0, 0, bytes, 0, 1}}};
  BufferRef x{Space::Input, 0, 0, bytes}, y{Space::Output, 0, 0, bytes};
  BufferRef w{Space::Weights, 0, 0, bytes}, t{Space::Arena, 0, 0, bytes};
  desc.variants[0].launches = {
      {0, elements, 2, {x, w, t}, {"first"}, elements, 3 * bytes},
      {0, elements, 2, {t, x, y}, {"second", "third"}, 1, 2}};
  return desc;
}

/// The same for two processors: "one" computes y = (x + w) + x, "two" computes
/// y = (x - w) - x.
inline artifact::ArtifactDesc makeVariantsDesc() {
  static const std::vector<uint8_t> subCode = [] {
    std::vector<uint8_t> code(std::begin(addCode), std::end(addCode));
    code[0x22] = 0x5c; // addss -> subss
    return code;
  }();
  artifact::ArtifactDesc desc = makeDesc();
  desc.variants.push_back(desc.variants[0]);
  desc.variants[0].targetCpu = "one";
  desc.variants[1].targetCpu = "two";
  desc.variants[1].code = subCode;
  return desc;
}

/// The same with the arena's one buffer between guards.
inline artifact::ArtifactDesc
makeGuardedDesc(artifact::Guard side = artifact::Guard::Above) {
  using namespace artifact;
  ArtifactDesc desc = makeDesc();
  int64_t at =
      side == artifact::Guard::Above ? 2 * guardBytes - bytes : guardBytes;
  desc.variants[0].plan = {
      3 * guardBytes, guardBytes, bytes, {{0, at, bytes, 0, 1}}, side};
  desc.variants[0].launches[0].refs[2].offset = at;
  desc.variants[0].launches[1].refs[0].offset = at;
  return desc;
}

/// A path that is removed at the end of the scope.
struct TemporaryFile {
  TemporaryFile() {
    llvm::SmallString<128> name;
    EXPECT_FALSE(llvm::sys::fs::createTemporaryFile("artifact", "tenon", name));
    path = name.str().str();
  }
  ~TemporaryFile() { llvm::sys::fs::remove(path); }
  std::string path;
};

/// The message of a status, which is freed; "" for success.
inline std::string messageOf(tenon_status *status) {
  std::string message = tenon_status_message(status);
  tenon_status_destroy(status);
  return message;
}

inline std::string messageOf(std::string message) { return message; }

inline std::string messageOf(llvm::Error error) {
  return llvm::toString(std::move(error));
}

template <typename T> std::string messageOf(llvm::Expected<T> value) {
  return value ? "" : llvm::toString(value.takeError());
}

#define EXPECT_OK(call) EXPECT_EQ("", tenon::test::messageOf(call))
#define ASSERT_OK(call) ASSERT_EQ("", tenon::test::messageOf(call))
#define EXPECT_FAILS(text, call)                                               \
  EXPECT_PRED_FORMAT2(testing::IsSubstring, text, tenon::test::messageOf(call))

} // namespace tenon::test

#endif // TENON_TEST_UNIT_ARTIFACTTESTMODEL_H
