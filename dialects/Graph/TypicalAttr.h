//===- TypicalAttr.h - what a module says of typical sizes ------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TENON_DIALECTS_GRAPH_TYPICALATTR_H
#define TENON_DIALECTS_GRAPH_TYPICALATTR_H

#include "llvm/ADT/StringRef.h"

namespace tenon::graph {

/// The attribute of a module that says what symbols are likely to be that have
/// no `typical` of their own in `graph.symbols`: `graph.typical = array<i64: 3,
/// 131>`, of which the name of a symbol picks one.
inline constexpr llvm::StringLiteral typicalAttr = "graph.typical";

/// The attribute of a module that says for which further sizes kernels have
/// plans, from the largest on: `graph.further = [{batch = 1, seq = 16}]`, the
/// sizes of those symbols in place of their typical ones, or `2 : i64`, all
/// typical ones divided by the square root of two, and by two.
inline constexpr llvm::StringLiteral furtherAttr = "graph.further";

} // namespace tenon::graph

#endif // TENON_DIALECTS_GRAPH_TYPICALATTR_H
