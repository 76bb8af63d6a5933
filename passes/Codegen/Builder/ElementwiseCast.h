//===- ElementwiseCast.h - conversions of small elements --------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file declares the conversions from and to elements that are only stored,
// moved and cast: floats of eight and four bits, integers of four and two. In
// registers each is an i8, whose bits above the element's own mean nothing.
//===----------------------------------------------------------------------===//
#ifndef TENON_PASSES_CODEGEN_BUILDER_ELEMENTWISECAST_H
#define TENON_PASSES_CODEGEN_BUILDER_ELEMENTWISECAST_H

#include "dialects/Graph/Graph.h"
#include "passes/Codegen/Builder/ElementwiseOps.h"

namespace tenon::codegen {

/// `emitCast` where one of the types is small.
Value emitSmallCast(KernelBuilder &b, Value value, Type from, Type to,
                    bool saturate, graph::RoundMode mode);

/// f64 to f32 rounded to odd, so that a second rounding to fewer bits is right.
Value narrowToOdd(KernelBuilder &b, Value wide);

} // namespace tenon::codegen

#endif // TENON_PASSES_CODEGEN_BUILDER_ELEMENTWISECAST_H
