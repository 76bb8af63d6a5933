//===- Graph.td - all of the graph dialect -----------------*- tablegen -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef TENON_GRAPH
#define TENON_GRAPH

include "dialects/Graph/GraphElementwise.td"
include "dialects/Graph/GraphContraction.td"
include "dialects/Graph/GraphReduction.td"
include "dialects/Graph/GraphWindow.td"
include "dialects/Graph/GraphMovement.td"
include "dialects/Graph/GraphRecurrent.td"

#endif // TENON_GRAPH
