//===- SmallElements.h - elements below eight bits, floats ------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file declares how elements that are only stored, moved and cast become
// numbers and back: floats of eight and four bits, integers of four and two. A
// byte holds each; bits above the element's own are written as 0 and ignored.
//===----------------------------------------------------------------------===//
#ifndef TENON_LIB_INTERPRETER_SMALLELEMENTS_H
#define TENON_LIB_INTERPRETER_SMALLELEMENTS_H

#include "dialects/Graph/Graph.h"

#include <cstdint>

namespace tenon::interp {

/// How a number becomes an f8; four bits always saturate and round to nearest.
struct Narrowing {
  bool saturate = true;
  graph::RoundMode mode = graph::RoundMode::Nearest; ///< of powers of two
};

/// The value of a small element. Integers of `type` are sign-extended.
double decodeFloat(mlir::FloatType type, uint8_t byte);
int64_t decodeInteger(mlir::IntegerType type, uint8_t byte);

/// The float nearest to `number`. A NaN keeps its sign where the type can hold
/// it; f4E2M1FN, which has no NaN, gets a zero of the other sign, as in ONNX's
/// own conversion. Powers of two take the exponent of the number as f32.
uint8_t encodeFloat(mlir::FloatType type, double number,
                    Narrowing narrowing = {});

/// The low bits of an integer; of a double those of its whole part, or 0 where
/// that does not fit 32 bits.
uint8_t encodeInteger(mlir::IntegerType type, uint64_t number);
uint8_t encodeInteger(mlir::IntegerType type, double number);

} // namespace tenon::interp

#endif // TENON_LIB_INTERPRETER_SMALLELEMENTS_H
