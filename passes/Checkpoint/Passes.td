//===- Passes.td - what a step keeps and redoes ------------*- tablegen -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef TENON_PASSES_CHECKPOINT
#define TENON_PASSES_CHECKPOINT

include "passes/Codegen/DeviceOption.td"

def CheckpointStepsPass : Pass<"tenon-checkpoint-steps", "::mlir::ModuleOp"> {
  let summary = "decide what a step of training computes again";
  let description = [{
    Groups of a program with states are put in an order that keeps little: each as
    late as what reads it, updates as soon as they can run. Then values are chosen
    that are computed again before some of their readers (lib/Checkpoint), so that
    the arena has at most `budget` bytes. What is computed again is a clone of a
    group, or of a part of it, with the same order of sums. `budget` is a number of
    bytes, a fraction of what is needed without clones (`0.25`), `free`, the
    smallest arena that takes no time, or `none`, no clones. `scale`, in thousandths,
    makes it smaller: halos and scratch are known only when there are kernels.
    Fails where no plan fits. `tenon.frontier` says which plans there are; with
    `others`, also what torch's partitioner and checkpointing by blocks would do.

    ```mlir
    %y = kernel.group(%x) { graph.relu }
    ...
    %g = kernel.group(%dy, %y) { graph.select }
    // becomes
    %y = kernel.group(%x) { graph.relu }
    ...
    %again = kernel.group(%x) { graph.relu }
    %g = kernel.group(%dy, %again) { graph.select }
    ```
  }];
  let dependentDialects = ["::tenon::graph::GraphDialect", "::tenon::kernel::KernelDialect",
    "::mlir::LLVM::LLVMDialect", "::mlir::scf::SCFDialect", "::mlir::vector::VectorDialect",
    "::mlir::arith::ArithDialect"];
  let options = DeviceOption<[
    Option<"budget", "budget", "std::string", "\"free\"",
      "bytes, a fraction, free or none">,
    Option<"scale", "scale", "int64_t", "1000", "thousandths of the budget that are planned for">,
    Option<"others", "others", "bool", "false", "note what other ways would do">]>.list_;
  let statistics = [Statistic<"numClones", "clones", "groups that are computed again">];
}

#endif // TENON_PASSES_CHECKPOINT
