//===- Mask.h - small sets as bits of a word --------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TENON_LIB_SUPPORT_MASK_H
#define TENON_LIB_SUPPORT_MASK_H

#include "llvm/ADT/bit.h"
#include <cstdint>

namespace tenon {

/// A set of numbers below 64.
using Mask = uint64_t;

inline Mask bit(unsigned index) { return Mask(1) << index; }

/// Calls the function with the index of each bit, ascending.
template <typename Function> void forEach(Mask mask, Function function) {
  for (; mask; mask &= mask - 1)
    function(unsigned(llvm::countr_zero(mask)));
}

} // namespace tenon

#endif // TENON_LIB_SUPPORT_MASK_H
