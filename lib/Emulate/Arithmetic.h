//===- Arithmetic.h - what arithmetic shares --------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file declares what integers and floats have in common.
//===----------------------------------------------------------------------===//
#ifndef TENON_LIB_EMULATE_ARITHMETIC_H
#define TENON_LIB_EMULATE_ARITHMETIC_H

#include "lib/Emulate/Decoder.h"

namespace tenon::emulate {

/// "d, a, b, c", all of the same size.
void decodeOperands(Decoder &decoder, Op &op, unsigned count, unsigned bytes);

/// Decodes add, sub, mul, fma, div, min, max, neg, abs of floats. False, with
/// nothing taken, if the instruction is one of integers.
bool decodeFloat(Decoder &decoder, Op &op);

} // namespace tenon::emulate

#endif // TENON_LIB_EMULATE_ARITHMETIC_H
