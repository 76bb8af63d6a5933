//===- Lanes.h - one function for all lanes of a warp -----------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file makes handlers of functions on values. A full warp is a loop that
// the compiler vectorizes.
//===----------------------------------------------------------------------===//
#ifndef TENON_LIB_EMULATE_LANES_H
#define TENON_LIB_EMULATE_LANES_H

#include "lib/Emulate/Machine.h"
#include "lib/Support/NarrowFloat.h"

#include <bit>
#include <type_traits>

namespace tenon::emulate {

/// d[lane] = f(lane) where the mask has a bit.
template <typename T, typename F>
inline void forLanes(Mask mask, T *d, const F &f) {
  if (mask == allLanes) {
#pragma clang loop vectorize(assume_safety)
    for (unsigned lane = 0; lane < lanes; ++lane)
      d[lane] = f(lane);
    return;
  }
  for (Mask rest = mask; rest; rest &= rest - 1) {
    unsigned lane = std::countr_zero(rest);
    d[lane] = f(lane);
  }
}

/// Calls f(lane) for each lane of the mask, in order.
template <typename F> inline void eachLane(Mask mask, const F &f) {
  for (Mask rest = mask; rest; rest &= rest - 1)
    f(unsigned(std::countr_zero(rest)));
}

/// A bit for each lane of the mask where f(lane) holds; others stay.
template <typename F> inline void setBits(Mask mask, Mask &d, const F &f) {
  Mask bits = 0;
  for (unsigned lane = 0; lane < lanes; ++lane)
    bits |= Mask(f(lane)) << lane;
  d = (d & ~mask) | (bits & mask);
}

template <typename T, typename F>
Step unaryStep(Warp &warp, const Op &op, Mask mask) {
  const T *a = warp.from<T>(op.a);
  forLanes(mask, warp.at<T>(op.d),
           [=](unsigned i) { return F::template apply<T>(a[i]); });
  return Step::next;
}

template <typename T, typename F>
Step binaryStep(Warp &warp, const Op &op, Mask mask) {
  const T *a = warp.from<T>(op.a), *b = warp.from<T>(op.b);
  forLanes(mask, warp.at<T>(op.d),
           [=](unsigned i) { return F::template apply<T>(a[i], b[i]); });
  return Step::next;
}

template <typename T, typename F>
Step ternaryStep(Warp &warp, const Op &op, Mask mask) {
  const T *a = warp.from<T>(op.a), *b = warp.from<T>(op.b),
          *c = warp.from<T>(op.c);
  forLanes(mask, warp.at<T>(op.d),
           [=](unsigned i) { return F::template apply<T>(a[i], b[i], c[i]); });
  return Step::next;
}

/// 16-bit floats and pairs, as registers hold them.
struct Half {
  uint16_t bits;
  static Half of(float x) { return {HalfFloat::narrow(x)}; }
  float value() const { return HalfFloat::widen(bits); }
};
struct Brain {
  uint16_t bits;
  static Brain of(float x) { return {BrainFloat::narrow(x)}; }
  float value() const { return BrainFloat::widen(bits); }
};
template <typename T> struct Pair {
  T low, high;
};

} // namespace tenon::emulate

#endif // TENON_LIB_EMULATE_LANES_H
