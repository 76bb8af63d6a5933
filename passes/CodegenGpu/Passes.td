//===- Passes.td - from groups to kernels of GPUs ----------*- tablegen -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef TENON_PASSES_CODEGENGPU
#define TENON_PASSES_CODEGENGPU

include "mlir/Pass/PassBase.td"

class GpuOptions<list<Option> more = []> {
  list<Option> list_ = !listconcat([
    Option<"target", "target", "std::string", "\"sm_80\"",
      "the row of the table of GPUs: sm_80, sm_86, sm_89, sm_90a, sm_100a">,
    Option<"precision", "precision", "std::string", "\"f32\"",
      "what products compute with: f32, tf32, f16 or bf16">], more);
}

def PlanGpuKernelsPass : Pass<"tenon-plan-gpu-kernels", "::mlir::ModuleOp"> {
  let summary = "decide how a GPU computes each group";
  let description = [{
    As tenon-plan-kernels, for a GPU. Each strategy that computes the group says how
    and in what time; the fastest is taken. One computes any group: the plan of a
    CPU's strategy, whose tiles are run by a thread each. `costs` are nanoseconds,
    that of threads by the name of its CPU strategy.

    ```mlir
    %r = kernel.group(%x, %w) : ...
    // becomes
    %r = kernel.group(%x, %w) {plan = #kernel.plan<loops, {...}>, costs = {loops = 1800}, ...} : ...
    ```
  }];
  let dependentDialects = ["::tenon::graph::GraphDialect", "::tenon::kernel::KernelDialect",
    "::mlir::LLVM::LLVMDialect", "::mlir::scf::SCFDialect", "::mlir::vector::VectorDialect",
    "::mlir::arith::ArithDialect"];
  let options = GpuOptions<>.list_;
  let statistics = [Statistic<"numPlanned", "planned", "groups planned">,
                    Statistic<"numThreads", "threads", "groups computed by CPU strategies">];
}

def LowerGpuKernelsPass : Pass<"tenon-lower-gpu-kernels", "::mlir::ModuleOp"> {
  let summary = "one function for a GPU per distinct group, one launch per group";
  let description = [{
    As tenon-lower-kernels, for a GPU: kernels are functions of `llvm` with
    `nvvm.kernel`, and launches say how they run on the `device`.

    ```mlir
    %r = kernel.group(%x) {plan = ..., buffers = [...]} : ...
    // becomes
    %b = memory.alloc : !memory.buffer<...>
    kernel.launch @k0 tiles(4) reads(%x : ...) writes(%b : ...) {device = #kernel.device<grid = [1, 1], threads = 128, ...>, ...}
    ```
  }];
  let options = GpuOptions<>.list_;
  let dependentDialects = ["::mlir::LLVM::LLVMDialect", "::mlir::NVVM::NVVMDialect",
    "::mlir::scf::SCFDialect", "::mlir::vector::VectorDialect", "::mlir::arith::ArithDialect"];
  let statistics = [Statistic<"numKernels", "kernels", "distinct kernels">,
                    Statistic<"numLaunches", "launches", "launches">];
}

#endif // TENON_PASSES_CODEGENGPU
