//===- OpenFilter.h - convolutions with filters of any size -----*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file declares convolutions whose filter's extents only the run knows:
// windows are gathered, and multiplied as rows of a matrix.
//===----------------------------------------------------------------------===//
#ifndef TENON_PASSES_NORMALIZE_CONTRACTION_OPENFILTER_H
#define TENON_PASSES_NORMALIZE_CONTRACTION_OPENFILTER_H

#include "passes/Normalize/Lowering.h"
#include "passes/Normalize/Shapes.h"

namespace tenon::normalize {

/// Whether an extent of operand `index` of the node is a symbol.
bool hasOpenExtents(const Node &node, unsigned index);

/// `Conv` of [N, C, spatial...] by [O, C / group, kernel...], attributes as the
/// node has them; null after a refusal.
Value convolveOpen(NormalizeContext &ctx, const Node &node, Value input,
                   Value filter);
/// `ConvTranspose` by [C, O / group, kernel...].
Value convolveOpenTransposed(NormalizeContext &ctx, const Node &node,
                             Value input, Value filter);

} // namespace tenon::normalize

#endif // TENON_PASSES_NORMALIZE_CONTRACTION_OPENFILTER_H
