//===- Planes.h - packed numbers in pieces ----------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TENON_DIALECTS_GRAPH_PLANES_H
#define TENON_DIALECTS_GRAPH_PLANES_H

#include "mlir/IR/Types.h"

namespace tenon::graph {

/// How many planes the numbers of a `graph.pack` become whose `element` this
/// is: 3 of vector<3xbf16>, 1 of any other type.
int64_t packedPlanes(mlir::Type element);

} // namespace tenon::graph

#endif // TENON_DIALECTS_GRAPH_PLANES_H
