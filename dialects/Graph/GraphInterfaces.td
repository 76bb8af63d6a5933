//===- GraphInterfaces.td - what every operation states ----*- tablegen -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef TENON_GRAPH_INTERFACES
#define TENON_GRAPH_INTERFACES

include "mlir/IR/OpBase.td"

def TensorOpInterface : OpInterface<"TensorOpInterface"> {
  let cppNamespace = "::tenon::graph";
  let description = [{
    The mathematics of an operation, as fusion, scheduling and code generation
    need it. An *iteration domain* is a box of parallel, sequential and reduction
    dimensions; an *access* maps a point of the domain to the elements of an operand
    or result that it touches. Every element of a result is written by one point of
    the parallel dimensions: what is left of its reductions, and of the last point
    of a sequential dimension that its map lacks.
  }];
  let methods = [
    InterfaceMethod<"The box of dimensions that the operation runs over: those of "
      "the result first, then the reduced ones.",
      "::tenon::graph::IterationDomain", "getIterationDomain", (ins)>,
    InterfaceMethod<"The accesses, in the order of operands, then of results. An "
      "operation without a recurrence has one of each.",
      "::llvm::SmallVector<::tenon::graph::Access>", "getAccesses", (ins)>,
    InterfaceMethod<"How the points along the reduction dimensions are combined; "
      "none of operations without these.",
      "::std::optional<::tenon::graph::Reduction>", "getReduction",
      (ins), "", "return ::std::nullopt;">,
    InterfaceMethod<"Floating-point (or integer) operations and bytes moved, "
      "each operand read once and each result written once.",
      "::tenon::graph::Cost", "getCost", (ins)>,
    InterfaceMethod<"Rewrites the operation in terms of more primitive ones at the "
      "builder's insertion point; failure when it is primitive itself.",
      "::llvm::FailureOr<::llvm::SmallVector<::mlir::Value>>", "decompose",
      (ins "::mlir::OpBuilder &":$builder), "", "return ::mlir::failure();">,
  ];
}

// Marks operations that compute each result element from the broadcast operand
// elements at the same index.
def ElementwiseTrait : NativeOpTrait<"Elementwise"> {
  let cppNamespace = "::tenon::graph";
}

#endif // TENON_GRAPH_INTERFACES
