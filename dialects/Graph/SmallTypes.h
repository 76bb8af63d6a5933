//===- SmallTypes.h - elements that are only moved and cast -----*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TENON_DIALECTS_GRAPH_SMALLTYPES_H
#define TENON_DIALECTS_GRAPH_SMALLTYPES_H

#include "mlir/IR/Types.h"

namespace tenon::graph {

/// Whether elements of `type` are only stored, moved and cast: floats of eight
/// and four bits, integers of four and two.
bool isSmall(mlir::Type type);

} // namespace tenon::graph

#endif // TENON_DIALECTS_GRAPH_SMALLTYPES_H
