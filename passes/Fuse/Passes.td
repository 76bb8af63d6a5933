//===- Passes.td - from operations to groups ---------------*- tablegen -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef TENON_PASSES_FUSE
#define TENON_PASSES_FUSE

include "passes/Codegen/DeviceOption.td"

def RequireSizesPass : Pass<"tenon-require-sizes", "::mlir::ModuleOp"> {
  let summary = "refuse sizes that the inputs' shapes do not determine";
  let description = [{
    From here on every dimension is a number or is computed from those of the
    inputs when a program runs. One error lists what is not: results whose size
    depends on data, by their node, and dimensions of inputs without a name. An
    input of unknown shape that nothing uses is left out.

    ```mlir
    func.func @main(%x: tensor<4x?xf32> {onnx.name = "x"}) ...
    // error: sizes that the shapes of the inputs do not determine:
    //   dimension 1 of input 'x'
    ```
  }];
  let statistics = [Statistic<"numDropped", "dropped", "unused inputs left out">];
}

def CheckStatesPass : Pass<"tenon-check-states", "::mlir::ModuleOp"> {
  let summary = "refuse states whose output cannot be the next run's input";
  let description = [{
    Each entry of `graph.states` names an input and an output of the program, of
    one element type and rank, with no dimension that is two different numbers.

    ```mlir
    // error: state 'past': dimension 1 is 8 in the input, but 9 in the output
    // 'present'
    ```
  }];
  let statistics = [Statistic<"numStates", "states", "states checked">];
}

def FuseGroupsPass : Pass<"tenon-fuse-groups", "::mlir::ModuleOp"> {
  let summary = "put operations that become one kernel into a group";
  let description = [{
    Grows a group around every contraction and window with the element-wise
    operations that follow it on the same shape; what is left grows into `loops`
    groups as long as one iteration domain serves all. A group is convex: no value
    leaves it and comes back. Contractions and windows keep one live result.

    `mode=atoms` only joins an operation with its only user where that is
    element-wise on the same shape, `mode=off` nothing; `full` is `greedy` here,
    but for reductions, which go through memory one way only (Walks.h).

    ```mlir
    %0 = graph.conv %x, %w {...}
    %1 = graph.relu %0
    // becomes
    %1 = kernel.group(%x, %w) { ... graph.conv ... graph.relu ... kernel.yield }
    ```
  }];
  let options = [Option<"mode", "mode", "std::string", "\"greedy\"",
    "what may join: off, atoms, greedy or full">,
    Option<"maxOperations", "max-operations", "unsigned", "48",
    "largest number of operations in one group">];
  let dependentDialects = ["::tenon::kernel::KernelDialect"];
  let statistics = [Statistic<"numGroups", "groups", "groups made">,
                    Statistic<"numFused", "fused", "operations that joined another's group">];
}

def MergeGroupsPass : Pass<"tenon-merge-groups", "::mlir::ModuleOp"> {
  let summary = "put groups into one kernel, tile by tile, where that pays";
  let description = [{
    Groups become stages of larger ones: for each tile of the result, the stages
    run one after the other, and what lies between them stays in a cache. Which
    ones is found by a dynamic programme over the ideals of the program
    (lib/Fusion), with prices that the target's planners give (Price.h); tiles are
    searched for each candidate. Groups of loops that share no such kernel become
    one nest where that is cheaper (JoinNests.h). A reduction of what a kernel
    leaves is split in two then, where the first step gains as a stage of it. For
    GPUs, groups are merged that one of their strategies computes as a whole: it
    says the tile and what the kernel takes.

    ```mlir
    %0 = kernel.group(%x, %w) { graph.conv }
    %1 = kernel.group(%0, %v) { graph.conv }
    // becomes
    %1 = kernel.group(%x, %w, %v) {tile = #kernel.tile<dims = [1], sizes = [8]>} {
      %0 = kernel.stage(%x, %w) { graph.conv }
      %1 = kernel.stage(%0, %v) { graph.conv }
      kernel.yield %1
    }
    ```
  }];
  let dependentDialects = ["::tenon::graph::GraphDialect", "::tenon::kernel::KernelDialect",
    "::mlir::LLVM::LLVMDialect", "::mlir::scf::SCFDialect", "::mlir::vector::VectorDialect",
    "::mlir::arith::ArithDialect"];
  let options = DeviceOption<[
    Option<"reasons", "reasons", "bool", "true",
      "say for each value that goes through memory why it does: half of the time">]>.list_;
  let statistics = [Statistic<"numMerged", "merged", "groups of several stages">,
                    Statistic<"numJoined", "joined", "groups that became one nest with another">,
                    Statistic<"numCloned", "cloned", "groups that their users compute for themselves">,
                    Statistic<"numSplit", "split", "reductions whose first step joins what they reduce">,
                    Statistic<"numRefused", "refused", "groups without a kernel or a proof">,
                    Statistic<"numIdeals", "ideals", "ideals visited">,
                    Statistic<"numPriced", "priced", "candidates priced">];
}

def VerifyFusePass : Pass<"tenon-verify-fuse", "::mlir::ModuleOp"> {
  let summary = "check that all computation is in groups";
  let description = [{
    After this phase `@main` holds constants, packs, reshapes, groups and the
    return; a group of a kind other than `loops` has exactly one anchor.

    ```mlir
    %0 = graph.relu %x : ...   // error: 'graph.relu' is outside of any group
    ```
  }];
}

#endif // TENON_PASSES_FUSE
