//===- Fragments.h - matrices in registers ----------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file says which lane has which elements of a matrix, and multiplies.
// Lane l has row or column l / 4; in it, l % 4 counts words.
//===----------------------------------------------------------------------===//
#ifndef TENON_LIB_EMULATE_FRAGMENTS_H
#define TENON_LIB_EMULATE_FRAGMENTS_H

#include "lib/Emulate/Lanes.h"

namespace tenon::emulate {

enum class Element : uint8_t { f16, bf16, tf32, s8, u8 };

/// Elements of a word: 1, 2 or 4.
inline unsigned perWord(Element element) {
  return element == Element::tf32                              ? 1
         : element == Element::f16 || element == Element::bf16 ? 2
                                                               : 4;
}

/// The value of element `which` of a word.
inline float elementOf(Element element, uint32_t word, unsigned which) {
  switch (element) {
  case Element::f16:
    return HalfFloat::widen(uint16_t(word >> 16 * which));
  case Element::bf16:
    return BrainFloat::widen(uint16_t(word >> 16 * which));
  case Element::tf32:
    return std::bit_cast<float>(word & 0xFFFFE000);
  case Element::s8:
    return int8_t(word >> 8 * which);
  default:
    return uint8_t(word >> 8 * which);
  }
}

/// Longest sums of one instruction.
constexpr unsigned mostDepth = 32;

/// Reads a 16 x depth matrix A from words[2 * (depth / 8 words)]: registers
/// are rows g, g + 8, then the same of the other half of the depth.
void readA(const Warp &warp, const Ref *refs, unsigned count, Element element,
           float (*a)[mostDepth]);
/// Reads a depth x 8 matrix B, as columns.
void readB(const Warp &warp, const Ref *refs, unsigned count, Element element,
           float (*b)[mostDepth]);

/// sums[r][c] = a[r] . b[c], in f64: exact but for the order of additions.
void multiply(const float (*a)[mostDepth], const float (*b)[mostDepth],
              unsigned rows, unsigned columns, unsigned depth, double *sums);

} // namespace tenon::emulate

#endif // TENON_LIB_EMULATE_FRAGMENTS_H
