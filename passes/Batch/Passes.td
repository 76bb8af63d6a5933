//===- Passes.td - how much of a batch runs at once --------*- tablegen -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef TENON_PASSES_BATCH
#define TENON_PASSES_BATCH

include "passes/Codegen/DeviceOption.td"

def SliceBatchPass : Pass<"tenon-slice-batch", "::mlir::ModuleOp"> {
  let summary = "run parts of a program for one slice of the batch after the other";
  let description = [{
    Where all that lives at once is larger than a second-level cache, the program is
    fused and priced for slices of the batch as well, and its parts run in those
    with which it needs least memory among the fastest ones. Operations that mix
    images, programs with states, symbols or control flow stay as they are.

    ```mlir
    %0 = graph.relu %x : (tensor<8x1000xf32>) -> tensor<8x1000xf32>
    // becomes
    %0 = kernel.slices [@main_0, @main_0](%x) : (tensor<8x1000xf32>) -> tensor<8x1000xf32>
    func.func private @main_0(%x: tensor<4x1000xf32>) -> tensor<4x1000xf32>
    ```
  }];
  let options = DeviceOption<[
    Option<"images", "images", "int64_t", "0",
      "of each slice, the last one may have fewer; 0: as prices say">,
    Option<"below", "below", "int64_t", "-1",
      "bytes that may be in use, by prediction, if any slices do it; -1: any">]>.list_;
  let dependentDialects = ["::tenon::graph::GraphDialect", "::tenon::kernel::KernelDialect",
    "::mlir::LLVM::LLVMDialect", "::mlir::scf::SCFDialect", "::mlir::vector::VectorDialect",
    "::mlir::arith::ArithDialect"];
  let statistics = [Statistic<"numRanges", "ranges", "parts that run in slices">,
                    Statistic<"numSlices", "slices", "slices of all of them">];
}

def UnrollSlicesPass : Pass<"tenon-unroll-slices", "::mlir::ModuleOp"> {
  let summary = "put what runs for slices of the batch where it runs";
  let description = [{
    The groups of a callee follow each other, once for each slice. Slices of operands
    and the results together are groups of their own, which become views.

    ```mlir
    %y = kernel.slices [@half, @half](%x)
    // becomes
    %0 = kernel.group(%x) { graph.slice }
    %1 = kernel.group(%0) { ... }          // of @half
    %2 = kernel.group(%x) { graph.slice }
    %3 = kernel.group(%2) { ... }
    %y = kernel.group(%1, %3) { graph.concat }
    ```
  }];
  let dependentDialects = ["::tenon::graph::GraphDialect", "::tenon::kernel::KernelDialect"];
  let statistics = [Statistic<"numCopies", "copies", "of callees">];
}

#endif // TENON_PASSES_BATCH
