//===- Fragments.h - the order in which matrix units take k -----*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TENON_LIB_PACK_FRAGMENTS_H
#define TENON_LIB_PACK_FRAGMENTS_H

#include <cstdint>

namespace tenon::tile {

/// Steps of k that a unit of GPUs takes of 16-bit numbers at once.
constexpr int64_t fragmentSteps = 16;

/// The step that stands at place `at` of packed planes. A lane, one of four,
/// has places 2 t, 2 t + 1, 2 t + 8 and 2 t + 9 of sixteen, and so the four
/// steps from 4 t on: those of the other operand are 16 bytes of f32.
constexpr int64_t fragmentStep(int64_t at) {
  int64_t in = at % fragmentSteps;
  return at - in + in % 8 / 2 * 4 + in / 8 * 2 + in % 2;
}

} // namespace tenon::tile

#endif // TENON_LIB_PACK_FRAGMENTS_H
