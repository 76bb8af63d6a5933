//===- Minimize.h - the fewest that still fail ------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TENON_LIB_REDUCE_MINIMIZE_H
#define TENON_LIB_REDUCE_MINIMIZE_H

#include "llvm/ADT/BitVector.h"
#include "llvm/ADT/STLFunctionalExtras.h"

namespace tenon::reduce {

/// Whether these still fail.
using Fails = llvm::function_ref<bool(const llvm::BitVector &)>;

/// Of `count` things in an order in which each depends on those in front of it,
/// all of which fail together: a set that fails, and of which none can be left
/// out alone. Bisects from the end, then from the front, then leaves out ever
/// smaller parts (ddmin). For one culprit 2 log2(count) calls.
llvm::BitVector minimize(unsigned count, Fails fails);

} // namespace tenon::reduce

#endif // TENON_LIB_REDUCE_MINIMIZE_H
