//===- GraphSteps.td - loops of the host -------------------*- tablegen -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef TENON_GRAPH_STEPS
#define TENON_GRAPH_STEPS

include "dialects/Graph/GraphDialect.td"
include "mlir/IR/SymbolInterfaces.td"

def Graph_StepsOp : Graph_Op<"steps", [DeclareOpInterfaceMethods<SymbolUserOpInterface>]> {
  let summary = "a function, so many times";
  let description = [{
    The operands are `scans` tensors that step `t` takes slice `t` of, along the
    first dimension, which may be longer than `count`; then what is carried from
    step to step, with its values before the first step; then what all steps read.
    The body takes them in this order, and gives one tensor for each result. A
    result that is `stacked` holds what all steps gave, along a new first
    dimension; any other, what the last one gave. `next` says, for each carried
    value, which of the body's results the next step finds in its place.

    The body is a function with `graph.steps_body`. One that runs others stands in
    front of them, so that none runs itself.

    ```mlir
    %all = graph.steps @body(%xs, %h, %w) {count = 16, scans = 1, next = array<i64: 0>,
        stacked = array<i1: true>} : (tensor<16x4xf32>, tensor<4xf32>, tensor<4xf32>) -> tensor<16x4xf32>
    func.func @body(%x: tensor<4xf32>, %h: tensor<4xf32>, %w: tensor<4xf32>) -> tensor<4xf32>
        attributes {graph.steps_body}
    ```
  }];
  let arguments = (ins FlatSymbolRefAttr:$body, Variadic<Graph_Tensor>:$inputs,
    ConfinedAttr<I64Attr, [IntPositive]>:$count, ConfinedAttr<I64Attr, [IntNonNegative]>:$scans,
    DenseI64ArrayAttr:$next, DenseBoolArrayAttr:$stacked);
  let results = (outs Variadic<Graph_Tensor>:$results_);
  let assemblyFormat = [{
    $body `(` $inputs `)` attr-dict `:` functional-type($inputs, $results_)
  }];
  let hasVerifier = 1;
  let extraClassDeclaration = [{
    /// Whether operand `index` is sliced, or else carried.
    bool isScan(unsigned index) { return index < getScans(); }
    bool isCarried(unsigned index) {
      return !isScan(index) && index < getScans() + getNext().size();
    }
    /// The body's result that becomes carried operand `index`.
    unsigned getNextOf(unsigned index) {
      return unsigned(getNext()[index - getScans()]);
    }
  }];
}

#endif // TENON_GRAPH_STEPS
