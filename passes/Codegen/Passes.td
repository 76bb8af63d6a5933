//===- Passes.td - from groups to kernels ------------------*- tablegen -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef TENON_PASSES_CODEGEN
#define TENON_PASSES_CODEGEN

include "passes/Codegen/DeviceOption.td"

def PlanKernelsPass : Pass<"tenon-plan-kernels", "::mlir::ModuleOp"> {
  let summary = "decide tiling, packing and halos of each group";
  let description = [{
    Each strategy of the device that computes the group says how and in what time;
    the fastest is taken. Its plan is written down as `plan`, the order it wants
    constant weights in as `packs` (the attributes of a `graph.pack` per operand),
    the zero border it wants around operands as `halos`, its temporary storage as
    `scratch`, and what each of them would take, in nanoseconds, as `costs`. Where
    a plan of the group was measured, only those that were compete, in the times
    that they took. Convolutions that gain get a plan named
    `winograd` (lib/Tile/Winograd.h); products of f32 that gain on a matrix unit one
    named `bf16x6` (lib/Tile/MatrixUnit.h). Graph outputs that no group computes alone get
    a copying group first.

    ```mlir
    %r = kernel.group(%x, %w) : ...
    // becomes
    %r = kernel.group(%x, %w) {plan = #kernel.plan<gemm, {mr = 12, nv = 2}>,
           halos = [array<i64: 0, 1, 1, 0, 0, 1, 1, 0>, array<i64>], packs = [unit, #pack] } : ...
    ```
  }];
  let dependentDialects = ["::tenon::graph::GraphDialect", "::tenon::kernel::KernelDialect",
    "::mlir::LLVM::LLVMDialect", "::mlir::scf::SCFDialect", "::mlir::vector::VectorDialect",
    "::mlir::arith::ArithDialect"];
  let options = DeviceOption<[
    Option<"times", "times", "std::string", "\"\"",
      "a file of times that were measured (lib/Cost/MeasuredTimes.h)">,
    Option<"attempt", "attempt", "int64_t", "-1",
      "take the plan of that number, from the one that looks fastest, and note "
      "on each group which one it is; -1: take the fastest">]>.list_;
  let statistics = [Statistic<"numPlanned", "planned", "groups planned">,
                    Statistic<"numWinograd", "winograd", "Winograd convolutions">,
                    Statistic<"numSplit", "split", "products on the matrix unit">,
                    Statistic<"numPacked", "packed", "weights packed">];
}

def CheckIndicesPass : Pass<"tenon-check-indices", "::mlir::ModuleOp"> {
  let summary = "find indices that are out of range";
  let description = [{
    Refuses constant indices of gathers and scatters that are outside. Groups whose
    indices only the run knows are marked `checked` and get eight more bytes of
    `scratch`, the fault word: their kernels store in it when an index is outside,
    and the run time then stops with the name of the node.

    ```mlir
    %r = kernel.group(%x, %i) {plan = ..., scratch = array<i64>} ...
    // becomes
    %r = kernel.group(%x, %i) {checked, plan = ..., scratch = array<i64: 8>} ...
    ```
  }];
  let dependentDialects = ["::tenon::graph::GraphDialect", "::tenon::kernel::KernelDialect"];
  let options = [Option<"atRunTime", "at-run-time", "bool", "true",
    "mark what only the run knows; else kernels take the nearest valid index">];
  let statistics = [Statistic<"numChecked", "checked", "groups that check their indices">];
}

def NarrowWeightsPass : Pass<"tenon-narrow-weights", "::mlir::ModuleOp"> {
  let summary = "store the constants of products in 16 bits";
  let description = [{
    Adds `element` to the packs of f32 constants whose kernels widen what they
    load: right operands of products and convolutions, matrices of recurrences.
    Sums stay f32. Filters of Winograd convolutions stay as they are, and so does a
    constant with a number that would become infinite. `kernel.narrowed` on the
    module says what became of each that is packed, and why.

    ```mlir
    packs = [unit, {batch_dims = array<i64>, k_dims = array<i64: 0>, n_dims = array<i64: 1>, panel = 32 : i64} ]
    // becomes
    packs = [unit, {batch_dims = array<i64>, element = f16, k_dims = array<i64: 0>, n_dims = array<i64: 1>, panel = 32 : i64} ]
    ```
  }];
  let options = [Option<"type", "type", "std::string", "\"f16\"", "f16 or bf16">];
  let statistics = [Statistic<"numNarrowed", "narrowed", "constants stored in 16 bits">,
                    Statistic<"numKept", "kept", "constants that stay f32">];
}

def SharePacksPass : Pass<"tenon-share-packs", "::mlir::ModuleOp"> {
  let summary = "gather rows from the weights of a product";
  let description = [{
    A table that rows are gathered from and that a product reads transposed, as the
    last layer of a language model does, would be stored as it is and packed. A row
    of it is a column of the panels: the gather reads it there, with a stride.

    ```mlir
    %r = kernel.group(%table, %i) {packs = [unit, unit], ...}
    // becomes, where a product has the operand %table with `packs = [unit, #panels]`
    %r = kernel.group(%table, %i) {packs = [#panels, unit], ...}
    ```
  }];
  let dependentDialects = ["::tenon::graph::GraphDialect", "::tenon::kernel::KernelDialect"];
  let statistics = [Statistic<"numShared", "shared", "tables that are read packed">];
}

def FormViewsPass : Pass<"tenon-form-views", "::mlir::ModuleOp"> {
  let summary = "read slices and transpositions where they are";
  let description = [{
    A group that only slices, transposes and reshapes is a copy that its users do
    not need when they can read the operand with other strides. Its operations
    move out into `@main`, where they are views. Left alone are results that
    some user cannot read so, that need a halo, whose rows are short or not
    contiguous, graph outputs, and small parts that would keep a large tensor
    alive: beyond one `spare`th more than the most bytes that live without views.

    ```mlir
    %q = kernel.group(%x) {...} : (tensor<8x96xf32>) -> tensor<8x32xf32> { ... graph.slice ... }
    // becomes
    %q = graph.slice %x {...} : (tensor<8x96xf32>) -> tensor<8x32xf32>
    ```
  }];
  let options = [Option<"spare", "spare", "int64_t", "8",
    "memory may grow by one of so many parts for the sake of a view">];
  let statistics = [Statistic<"numViews", "views", "groups that became views">];
}

def AssignBuffersPass : Pass<"tenon-assign-buffers", "::mlir::ModuleOp"> {
  let summary = "decide how each tensor between groups lies in memory";
  let description = [{
    Every tensor that crosses groups gets a buffer type: dense, or with the halo
    that its consumers asked for. The decision is noted as `buffers` on each
    group. Where a graph input or a view cannot have the halo, a copying group is
    inserted.

    A concatenation or transposition copies nothing when the producers of its
    operands write into its result: such operands are listed in `in_place`, and
    `offsets` says where each buffer starts in its storage.

    A state of `graph.states` whose output is its input with something appended
    is one buffer for both, with room behind, where all readers take strides that
    come with the call; its entry gets `axis` and `room`. Others stay two buffers.

    Maps that depthwise windows read or write get free elements behind each
    pixel, so that no vector of a pixel crosses a cache line.

    ```mlir
    kernel.group(%x, %w) {halos = [...]} : ...
    // becomes
    kernel.group(%x, %w) {buffers = [!memory.buffer<tensor<1x8x8x16xf32>, [1600, 160, 16, 1], 176, 6400>, ...] } : ...
    ```
  }];
  let options = DeviceOption<>.list_;
  let statistics = [Statistic<"numHalos", "halos", "buffers with a halo">,
                    Statistic<"numCopies", "copies", "copies inserted for a halo">,
                    Statistic<"numInPlace", "in-place", "operands computed where they would be copied to">,
                    Statistic<"numStates", "states", "states that grow in place">,
                    Statistic<"numPadded", "padded", "maps with free space behind each pixel">];
}

def LowerKernelsPass : Pass<"tenon-lower-kernels", "::mlir::ModuleOp"> {
  let summary = "one function per distinct group, one launch per group";
  let description = [{
    Emits the kernel of each group, once per structure: body, plan and buffer
    types are the key, names and locations are not. Kernels for a GPU are functions
    of `llvm` with `nvvm.kernel`, and launches say how they run on the `device`. Kernels are private, and all
    programs share them; a program then holds only buffers and `kernel.launch`.

    ```mlir
    %r = kernel.group(%x) {plan = ..., buffers = [...]} : ...
    // becomes
    %b = memory.alloc : !memory.buffer<...>
    kernel.launch @k0 tiles(4) reads(%x : ...) writes(%b : ...) {...}
    ```
  }];
  let options = DeviceOption<>.list_;
  let dependentDialects = ["::mlir::LLVM::LLVMDialect", "::mlir::NVVM::NVVMDialect",
    "::mlir::scf::SCFDialect", "::mlir::vector::VectorDialect", "::mlir::arith::ArithDialect"];
  let statistics = [Statistic<"numKernels", "kernels", "distinct kernels">,
                    Statistic<"numLaunches", "launches", "launches">];
}

def VerifyCodegenPass : Pass<"tenon-verify-codegen", "::mlir::ModuleOp"> {
  let summary = "check that only buffers, launches and kernels are left";
  let description = [{
    Fails on any tensor-valued operation in a program, and on any launch whose
    callee is missing or a program.

    ```mlir
    %0 = graph.relu %x : ...   // error: 'graph.relu' must not survive codegen
    ```
  }];
}

#endif // TENON_PASSES_CODEGEN
