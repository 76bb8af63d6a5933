//===- WindowTaps.h - the arithmetic of a window's tile ---------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file declares how the taps of one kernel row enter the accumulators of a
// register tile.
//===----------------------------------------------------------------------===//
#ifndef TENON_PASSES_CODEGEN_BODIES_WINDOWTAPS_H
#define TENON_PASSES_CODEGEN_BODIES_WINDOWTAPS_H

#include "passes/Codegen/Builder/KernelBuilder.h"
#include "passes/Codegen/Groups/WindowNest.h"

namespace tenon::codegen {

/// Neighbouring pixels of a row by neighbouring vectors of channels.
/// Accumulators lie pixel by pixel.
struct WindowTile {
  int64_t pixels, vectors;
  int64_t last; ///< existing lanes of the last vector
  bool edge;    ///< taps along the width are clipped too
  /// Columns of the input that exist, from the first pixel's tap 0 on.
  int64_t firstColumn = 0, endColumn = INT64_MAX;
};

/// Channels of a group that a kernel row mixes at once: their weights stay in
/// registers.
inline int64_t mixedTogether(const WindowNest &nest,
                             const tile::Target &target) {
  return std::min<int64_t>(nest.mixed, target.registers < 32 ? 2 : 4);
}

/// Taps of a kernel row whose weights are in registers at the same time: every
/// `step`-th one from `first` on.
struct TapPart {
  int64_t first, count, step;
};

/// `count` taps in such parts, which leave room for eleven pixels' sums: eight
/// hide the latency of multiply-adds. Those that read the same columns are
/// together, of stride 2 every other one. Of pools and of groups of channels,
/// all are.
llvm::SmallVector<TapPart> tapParts(const WindowNest &nest, int64_t count,
                                    const tile::Target &target);

/// Asks for the lines of `lanes` elements of each of `pixels` pixels, which lie
/// `pitch` apart.
void prefetchPixels(KernelBuilder &b, Value pointer, Type element,
                    int64_t pixels, int64_t pitch, int64_t lanes);

/// Emits the taps of one nest; keeps references to its arguments. Each input
/// vector of a kernel row is loaded once, for all pixels that use it and all
/// taps whose weights are in registers:
///
///   kernel 3, stride 1    column 0 -> p0            sum p0 += c0 w0
///                         column 1 -> p0 p1         sum p0 += c1 w1 ...
///                         column 2 -> p0 p1 p2
///
/// Of groups of channels, each member in turn stands in all of its group's
/// lanes, with weights of its own:
///
///   groups of 2             c = | a b | d e |    sum += | a a | d d | w0
///                                                sum += | b b | e e | w1
class WindowTaps {
public:
  WindowTaps(KernelBuilder &b, const WindowNest &nest, int64_t lanes,
             Type element);

  Type sumType() const { return sum; }
  int64_t lanes() const { return laneCount; }
  /// Vectors have so many lanes from now on.
  void setLanes(int64_t lanes);

  /// An accumulator before its first tap.
  Value initial() const;

  /// Whether the first element can be an accumulator: not where it might be a
  /// NaN that must not win.
  bool startsFromElement() const;

  /// `count` channels of the input at the element `offset` after `base`,
  /// widened to the accumulators' type.
  Value loadInput(Value base, const Size &offset, int64_t count) const;

  /// An accumulator after one more tap.
  Value combine(Value sum, Value value, Value weight = {}) const;

  /// `count` neighbouring taps of a kernel row. `base` and `weights` are the
  /// addresses of the first tap at the first pixel's first channel; without a
  /// filter `weights` is null.
  Values row(Value base, Value weights, ValueRange sums, const WindowTile &tile,
             int64_t count) const;

  /// Divides sums by `count` taps.
  void average(llvm::MutableArrayRef<Value> sums, Value count) const;

private:
  /// The same for one vector of results.
  void rowOf(Value base, Value weights, Values &sums, const WindowTile &tile,
             int64_t count, int64_t vector) const;
  /// The same for some members of each group, and taps whose weights stay in
  /// registers.
  void partOf(Value base, Value weights, Values &sums, const WindowTile &tile,
              TapPart part, int64_t vector, int64_t firstMember) const;
  void divideIntegers(llvm::MutableArrayRef<Value> sums, Value count) const;
  Value loadWeight(Value pointer, int64_t count) const;
  Value ofGroup(Value channels, int64_t member) const;
  Value widen(Value value) const;

  KernelBuilder &b;
  const WindowNest &nest;
  int64_t laneCount;
  Type element, sumElement, sum;
};

} // namespace tenon::codegen

#endif // TENON_PASSES_CODEGEN_BODIES_WINDOWTAPS_H
