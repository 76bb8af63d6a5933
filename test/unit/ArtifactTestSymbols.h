//===- ArtifactTestSymbols.h - a small artifact with symbols ----*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file describes y = (x + z) + x over [batch, 100] floats, where batch is
// 0 to 512, and n = [batch, elements]. Tiles are elements.
//===----------------------------------------------------------------------===//
#ifndef TENON_TEST_UNIT_ARTIFACTTESTSYMBOLS_H
#define TENON_TEST_UNIT_ARTIFACTTESTSYMBOLS_H

#include "test/unit/ArtifactTestModel.h"

namespace tenon::test {

/// Behind addCode: void sizes(const tenon_call *call), which copies
/// call->sizes to buffers[0], tile by tile.
inline constexpr uint8_t sizesCode[] = {
    0x4c, 0x8b, 0x07,       // 0:  mov r8, [rdi]
    0x49, 0x8b, 0x00,       // 3:  mov rax, [r8]
    0x48, 0x8b, 0x4f, 0x08, // 6:  mov rcx, [rdi + 8]
    0x48, 0x8b, 0x77, 0x18, // a:  mov rsi, [rdi + 24]
    0x48, 0x8b, 0x57, 0x20, // e:  mov rdx, [rdi + 32]
    0x48, 0x39, 0xd6,       // 12: cmp rsi, rdx
    0x7d, 0x0d,             // 15: jge 24
    0x4c, 0x8b, 0x0c, 0xf1, // 17: mov r9, [rcx + 8*rsi]
    0x4c, 0x89, 0x0c, 0xf0, // 1b: mov [rax + 8*rsi], r9
    0x48, 0xff, 0xc6,       // 1f: inc rsi
    0xeb, 0xee,             // 22: jmp 12
    0xc3                    // 24: ret
};

inline llvm::ArrayRef<uint8_t> symbolsCode() {
  static const std::vector<uint8_t> code = [] {
    std::vector<uint8_t> both(std::begin(addCode), std::end(addCode));
    both.insert(both.end(), std::begin(sizesCode), std::end(sizesCode));
    return both;
  }();
  return code;
}

/// A description with the two kernels and nothing else.
inline artifact::ArtifactDesc makeKernels() {
  artifact::ArtifactDesc desc;
  desc.modelName = "symbols";
  desc.variants[0].targetCpu = "x86-64";
  desc.variants[0].kernels = {{"add", 0}, {"sizes", sizeof addCode}};
  desc.variants[0].code = symbolsCode();
  return desc;
}

inline artifact::ArtifactDesc makeSymbolic() {
  using namespace artifact;
  auto reg = registerValue;
  ArtifactDesc desc = makeKernels();
  // Registers 0 to 3 are the extents of x and z.
  desc.entries[0].inputs = {
      {"x", dtype::f32, {reg(0), 100}, {"batch", ""}, reg(7)},
      {"z", dtype::f32, {reg(2), 100}, {"batch", ""}, reg(7)}};
  desc.entries[0].outputs = {
      {"y", dtype::f32, {reg(0), 100}, {"batch", ""}, reg(7)},
      {"n", dtype::i64, {2}}};
  desc.sizePrograms = {{{SizeOp::CheckEqual, reg(2), reg(0), "node 'plus'"},
                        {SizeOp::CheckAtMost, reg(0), 512},
                        {SizeOp::Mul, reg(0), 100, "elements"},
                        {SizeOp::Mul, reg(6), 4, "bytes"},
                        {SizeOp::Add, reg(7), 63},
                        {SizeOp::FloorDiv, reg(8), 64},
                        {SizeOp::Mul, reg(9), 64}}};
  // The second buffer holds nothing, and tests that offsets may have registers.
  PlanDesc &plan = desc.variants[0].plan;
  plan.arenaBytes = reg(10);
  plan.buffers = {{0, 0, reg(7), 0, 1}, {1, reg(7), 0, 0, 2}};
  BufferRef x{Space::Input, 0, 0, reg(7)}, z{Space::Input, 1, 0, reg(7)};
  BufferRef y{Space::Output, 0, 0, reg(7)}, n{Space::Output, 1, 0, 16};
  BufferRef t{Space::Arena, 0, 0, reg(7)}, end{Space::Arena, 0, reg(7), 0};
  LaunchDesc sizes{1, 2, 0, {n, end}, {"shape"}};
  sizes.sizes = {reg(0), reg(6)};
  desc.variants[0].launches = {{0, reg(6), 2, {x, z, t}, {"plus"}},
                               {0, reg(6), 2, {t, x, y}, {"again"}},
                               sizes};
  return desc;
}

} // namespace tenon::test

#endif // TENON_TEST_UNIT_ARTIFACTTESTSYMBOLS_H
