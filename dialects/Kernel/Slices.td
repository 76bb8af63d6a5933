//===- Slices.td - a program on slices of the batch --------*- tablegen -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef TENON_KERNEL_SLICES
#define TENON_KERNEL_SLICES

include "dialects/Kernel/KernelDialect.td"
include "mlir/IR/SymbolInterfaces.td"
include "mlir/Interfaces/SideEffectInterfaces.td"

def Kernel_SlicesOp : Op<Kernel_Dialect, "slices",
    [Pure, DeclareOpInterfaceMethods<SymbolUserOpInterface>]> {
  let summary = "functions on one slice of the batch after the other";
  let description = [{
    Operands of a callee's type go to each of the callees. Of others each takes as
    many rows as its type says, along the first dimension, from where the one
    before it ended. Results are those of the callees, one after the other.

    It stands in programs while operations become groups: what its callees run is
    fused once for each of them, and then takes its place, once for each slice.

    ```mlir
    %y = kernel.slices [@two, @two, @one](%x, %w)
        : (tensor<5x8xf32>, tensor<8x8xf32>) -> tensor<5x8xf32>
    func.func private @two(%x: tensor<2x8xf32>, %w: tensor<8x8xf32>) -> tensor<2x8xf32>
    func.func private @one(%x: tensor<1x8xf32>, %w: tensor<8x8xf32>) -> tensor<1x8xf32>
    ```
  }];
  let arguments = (ins TypedArrayAttrBase<FlatSymbolRefAttr, "functions">:$callees,
    Variadic<AnyRankedTensor>:$inputs);
  let results = (outs Variadic<AnyRankedTensor>:$results_);
  let assemblyFormat = [{
    $callees `(` $inputs `)` attr-dict `:` functional-type($inputs, $results_)
  }];
  let hasVerifier = 1;
}

#endif // TENON_KERNEL_SLICES
