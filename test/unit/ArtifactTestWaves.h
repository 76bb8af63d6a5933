//===- ArtifactTestWaves.h - a small artifact with waves --------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file describes five launches in two waves, over 1000 floats each:
//
//   0 {a} t0 = x + w    2 {c} y = t0 + t1
//   1 {b} t1 = x + x    3 {d} columns 0 to 5 of each 10 of z, from t0
//                       4 {e} columns 6 to 9, from t1
//===----------------------------------------------------------------------===//
#ifndef TENON_TEST_UNIT_ARTIFACTTESTWAVES_H
#define TENON_TEST_UNIT_ARTIFACTTESTWAVES_H

#include "test/unit/ArtifactTestModel.h"

namespace tenon::test {

inline constexpr int64_t rows = 100, columns = 10, leftColumns = 6;

inline artifact::ArtifactDesc makeWavesDesc() {
  using namespace artifact;
  constexpr int64_t pitch = columns * sizeof(float);
  constexpr int64_t left = leftColumns * sizeof(float);
  ArtifactDesc desc = makeDesc();
  desc.entries[0].outputs.push_back({"z", dtype::f32, {rows, columns}});
  VariantDesc &variant = desc.variants[0];
  variant.kernels = {{"add", 0}, {"left", 0}, {"right", 0}};
  BufferRef x{Space::Input, 0, 0, bytes}, w{Space::Weights, 0, 0, bytes};
  BufferRef t0{Space::Arena, 0, 0, bytes}, t1{Space::Arena, 0, 4032, bytes};
  BufferRef y{Space::Output, 0, 0, bytes}, z{Space::Output, 1, 0, bytes};
  variant.plan = {
      8064, 64, 2 * bytes, {{0, 0, bytes, 0, 4}, {1, 4032, bytes, 0, 4}}};
  BufferRef begins = z, ends = z;
  begins.piece = {0, int64_t(bytes) - pitch + left, left, pitch};
  ends.piece = {left, int64_t(bytes), pitch - left, pitch};
  variant.launches = {{0, elements, 2, {x, w, t0}, {"a"}},
                      {0, elements, 2, {x, x, t1}, {"b"}},
                      {0, elements, 2, {t0, t1, y}, {"c"}},
                      {1, rows, 1, {t0, begins}, {"d"}},
                      {2, rows, 1, {t1, ends}, {"e"}}};
  for (auto [i, launch] : llvm::enumerate(variant.launches)) {
    launch.wave = i < 2 ? 3 : 7;
    launch.nanoseconds = 100 * (i + 1);
  }
  return desc;
}

} // namespace tenon::test

#endif // TENON_TEST_UNIT_ARTIFACTTESTWAVES_H
