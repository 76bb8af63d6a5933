//===- ExactCast.h - casts known to lose nothing ----------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file declares how a graph.cast says so.
//===----------------------------------------------------------------------===//
#ifndef TENON_DIALECTS_GRAPH_EXACTCAST_H
#define TENON_DIALECTS_GRAPH_EXACTCAST_H

#include "llvm/ADT/StringRef.h"

namespace tenon::graph {

/// A unit attribute of a graph.cast whose operand holds only numbers that the
/// result's type has, too: casting them back gives the operand.
inline constexpr llvm::StringLiteral exactAttr = "exact";

} // namespace tenon::graph

#endif // TENON_DIALECTS_GRAPH_EXACTCAST_H
