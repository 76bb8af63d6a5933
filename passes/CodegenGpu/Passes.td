//===- Passes.td - from groups to kernels of GPUs ----------*- tablegen -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef TENON_PASSES_CODEGENGPU
#define TENON_PASSES_CODEGENGPU

include "passes/Codegen/DeviceOption.td"

def JoinProductsPass : Pass<"tenon-join-products", "::mlir::ModuleOp"> {
  let summary = "products of one input with several constants as one";
  let description = [{
    Queries, keys and values: one launch instead of three, where that is expected
    to take less time. The matrices, and rows that are added to all of the
    products, become one constant each (tenon-fold-constants), the results slices
    of one. They are left apart where element-wise operations follow that are
    epilogues of them alone.

    ```mlir
    %q = graph.matmul %x, %wq : (tensor<8x16xf32>, tensor<16x16xf32>) -> tensor<8x16xf32>
    %k = graph.matmul %x, %wk : (tensor<8x16xf32>, tensor<16x16xf32>) -> tensor<8x16xf32>
    // becomes
    %w = graph.concat %wq, %wk {axis = 1 : i64} : ...
    %0 = graph.matmul %x, %w : (tensor<8x16xf32>, tensor<16x32xf32>) -> tensor<8x32xf32>
    %q = graph.slice %0 {starts = array<i64: 0, 0>, ...} : (tensor<8x32xf32>) -> tensor<8x16xf32>
    %k = graph.slice %0 {starts = array<i64: 0, 16>, ...} : (tensor<8x32xf32>) -> tensor<8x16xf32>
    ```
  }];
  let options = DeviceOption<>.list_;
  let dependentDialects = ["::tenon::graph::GraphDialect", "::tenon::kernel::KernelDialect",
    "::mlir::LLVM::LLVMDialect", "::mlir::scf::SCFDialect", "::mlir::vector::VectorDialect",
    "::mlir::arith::ArithDialect"];
  let statistics = [Statistic<"numJoined", "joined", "products that took in others">];
}

def NarrowValuesPass : Pass<"tenon-narrow-values", "::mlir::ModuleOp"> {
  let summary = "values between groups in 16 bits";
  let description = [{
    What one group stores and only others read becomes f16 or bf16: groups widen
    what they load and round what they store, once, and compute in f32 between.
    Anchors (`graph.matmul`, `graph.conv`, pools) take their operands as they are,
    constants converted, and sum in f32; their result is rounded where nothing in
    their group follows. Inputs and outputs of the program keep their types, and so
    does what 16 bits are not enough for (passes/CodegenGpu/Narrow/README.md).

    ```mlir
    %h = kernel.group(%x, %w) : (tensor<4x8xf16>, tensor<8x8xf32>) -> tensor<4x8xf32> { ... }
    // becomes
    %h = kernel.group(%x, %v) : (tensor<4x8xf16>, tensor<8x8xf16>) -> tensor<4x8xf16> { ... }
    ```
  }];
  let options = [Option<"type", "type", "std::string", "\"f16\"", "f16 or bf16">];
  let dependentDialects = ["::tenon::graph::GraphDialect", "::tenon::kernel::KernelDialect"];
  let statistics = [Statistic<"numValues", "values", "values between groups that lie in 16 bits">,
                    Statistic<"numConstants", "constants", "constants that became narrow">];
}

def FormWavesPass : Pass<"tenon-form-waves", "::mlir::ModuleOp"> {
  let summary = "launches of one wave on a device as one launch";
  let description = [{
    Neighbours with one `wave` become one launch of a kernel whose blocks are those
    of all. Equal waves share a kernel; kernels that nobody launches any more go.

    ```mlir
    kernel.launch @a tiles(8) reads(%x) writes(%a) {device = ..., wave = 0 : i64}
    kernel.launch @b tiles(4) reads(%x) writes(%b) {device = ..., wave = 0 : i64}
    // becomes
    kernel.launch @gpu_wave_0 tiles(12) reads(%x, %x) writes(%a, %b) {device = ...}
    ```
  }];
  let dependentDialects = ["::tenon::kernel::KernelDialect", "::mlir::LLVM::LLVMDialect",
    "::mlir::NVVM::NVVMDialect", "::mlir::scf::SCFDialect", "::mlir::arith::ArithDialect"];
  let statistics = [Statistic<"numWaves", "waves", "waves that became one launch">];
}

#endif // TENON_PASSES_CODEGENGPU
