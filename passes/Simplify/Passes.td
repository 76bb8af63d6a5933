//===- Passes.td - less to compute, better arranged --------*- tablegen -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef TENON_PASSES_SIMPLIFY
#define TENON_PASSES_SIMPLIFY

include "mlir/Pass/PassBase.td"

def FoldConstantsPass : Pass<"tenon-fold-constants", "::mlir::ModuleOp"> {
  let summary = "evaluate what does not depend on the inputs";
  let description = [{
    Runs operations whose operands are all constants through the interpreter, as
    long as the result is not larger than the operands (or `max-bytes`) and the
    work on all of them together stays below `max-work`: counted in steps, not in
    seconds, so that every machine folds the same. Splats stay splats; large results become
    resources. `graph.pack` stays: the artefact's writer folds it. What is empty
    and products over nothing (zeros) are constants whatever their operands are.

    ```mlir
    %0 = graph.constant dense<[1.0, 2.0]> : tensor<2xf32>
    %1 = graph.neg %0 : (tensor<2xf32>) -> tensor<2xf32>
    // becomes
    %1 = graph.constant dense<[-1.0, -2.0]> : tensor<2xf32>
    ```
  }];
  let options = [
    Option<"maxBytes", "max-bytes", "int64_t", "1048576",
           "results up to this size may grow beyond their operands">,
    Option<"maxWork", "max-work", "int64_t", "500000000",
           "steps of the interpreter: arithmetic operations and results">];
  let dependentDialects = ["::tenon::graph::GraphDialect"];
  let statistics = [Statistic<"numFolded", "folded", "operations replaced by constants">,
                    Statistic<"numBytes", "bytes", "bytes of constants made">];
}

def SimplifyAlgebraPass : Pass<"tenon-simplify-algebra", "::mlir::ModuleOp"> {
  let summary = "rewrite by identities of algebra and of data movement";
  let description = [{
    Neutral elements, cheap powers, chains of scalar constants, clamps, casts and
    broadcasts that change nothing, merges of reshapes and transposes, and matrix
    products whose leading dimensions collapse into the rows. Only identities that
    are exact, or as precise as the original, are used; with `strict` only those
    that are exact, signs of zeros, infinities and NaN included.

    ```mlir
    %c = graph.constant dense<2.0> : tensor<f32>
    %0 = graph.pow %x, %c : (tensor<4xf32>, tensor<f32>) -> tensor<4xf32>
    // becomes
    %0 = graph.mul %x, %x : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
    ```
  }];
  let options = [Option<"strict", "strict", "bool", "false",
                        "only what changes no result">];
  let dependentDialects = ["::tenon::graph::GraphDialect"];
  let statistics = [Statistic<"numRemoved", "removed",
                              "operations fewer than before">];
}

def FoldScalesPass : Pass<"tenon-fold-scales", "::mlir::ModuleOp"> {
  let summary = "multiply constant weights by the scale that follows";
  let description = [{
    A multiplication by a constant per output channel behind a convolution or
    matrix product with constant weights goes into the weights; if a bias stands
    between them, into the bias too. Also a scale per input channel in front of
    them, which padding with zeros does not disturb. A scale of queries or keys
    that are parts of one tensor scales their product instead, so that they are
    read where they lie.

    ```mlir
    %0 = graph.matmul %x, %w : (tensor<1x4xf32>, tensor<4x2xf32>) -> tensor<1x2xf32>
    %1 = graph.mul %0, %s : (tensor<1x2xf32>, tensor<2xf32>) -> tensor<1x2xf32>
    // becomes, with %ws = %w * %s evaluated
    %1 = graph.matmul %x, %ws : (tensor<1x4xf32>, tensor<4x2xf32>) -> tensor<1x2xf32>
    ```
  }];
  let dependentDialects = ["::tenon::graph::GraphDialect"];
  let statistics = [Statistic<"numFolded", "folded", "scales folded">];
}

def DecomposeCompositesPass
    : Pass<"tenon-decompose-composites", "::mlir::ModuleOp"> {
  let summary = "replace composite operations by primitive ones";
  let description = [{
    Softmax, layer normalisation and recurrent layers become reductions,
    element-wise operations, products and recurrences, as each states in its
    `decompose`. Fusion joins the parts with what surrounds them. Local response
    normalisation stays: it is a window kernel.

    ```mlir
    %0 = graph.softmax %x {axis = 1 : i64} : (tensor<2x8xf32>) -> tensor<2x8xf32>
    // becomes graph.reduce_max, sub, exp, reduce_sum, reciprocal, mul
    ```
  }];
  let dependentDialects = ["::tenon::graph::GraphDialect"];
  let statistics = [Statistic<"numDecomposed", "decomposed",
                              "composite operations replaced">];
}

def AssignLayoutsPass : Pass<"tenon-assign-layouts", "::mlir::ModuleOp"> {
  let summary = "put the channels of images last";
  let description = [{
    Convolutions and windows compute with channels last. Every other operation on
    images that can work either way is given the layout that makes the transposed
    bytes of the whole function minimal: a minimum cut between the operations that
    need channels last and those that need the model's order.

    ```mlir
    %0 = graph.conv %x, %w {...} : (tensor<1x3x8x8xf32>, ...) -> tensor<1x4x8x8xf32>
    // becomes
    %1 = graph.transpose %x {permutation = array<i64: 0, 2, 3, 1>} : ...
    %2 = graph.conv %1, %w {layout = #graph<layout nhwc>, ...} : ...
    %0 = graph.transpose %2 {permutation = array<i64: 0, 3, 1, 2>} : ...
    ```
  }];
  let dependentDialects = ["::tenon::graph::GraphDialect"];
  let statistics = [
    Statistic<"numChannelsLast", "channels-last", "operations now channels last">,
    Statistic<"numTransposes", "transposes", "transposes inserted">];
}

def WidenHalvesPass : Pass<"tenon-widen-halves", "::mlir::ModuleOp"> {
  let summary = "compute with numbers of 16 bits in f32";
  let description = [{
    Operations on f16 and bf16 become operations on f32 whose results are rounded to
    16 bits where they are computed, so that values stay those of the model. Between
    kernels they lie as f32, and constants are widened here, once; inputs, outputs
    and what is only moved keep 16 bits. What is exact (a maximum, a sign) is not
    rounded, and a product is rounded behind its bias.

    ```mlir
    %0 = graph.exp %x : (tensor<8xf16>) -> tensor<8xf16>
    // becomes
    %1 = graph.cast %x : (tensor<8xf16>) -> tensor<8xf32>
    %2 = graph.exp %1 : (tensor<8xf32>) -> tensor<8xf32>
    %0 = graph.cast %2 : (tensor<8xf32>) -> tensor<8xf16>
    ```
  }];
  let dependentDialects = ["::tenon::graph::GraphDialect"];
  let statistics = [Statistic<"numWidened", "widened", "operations now on f32">];
}

def SplitReductionsPass : Pass<"tenon-split-reductions", "::mlir::ModuleOp"> {
  let summary = "reduce large maps in two steps";
  let description = [{
    A global average over a large map with its channels last has few results and
    would be the work of one thread, in whose cache the map then lies. Its rows are
    summed up in equal parts first, which threads share like the kernels before and
    behind share them.

    ```mlir
    %0 = graph.reduce_mean %x {axes = array<i64: 1, 2>} : (tensor<1x56x56x96xf32>) -> tensor<1x1x1x96xf32>
    // becomes
    %1 = graph.reshape %x : (tensor<1x56x56x96xf32>) -> tensor<1x8x392x96xf32>
    %2 = graph.reduce_mean %1 {axes = array<i64: 2>} : (tensor<1x8x392x96xf32>) -> tensor<1x8x1x96xf32>
    %0 = graph.reduce_mean %2 {axes = array<i64: 1>} : (tensor<1x8x1x96xf32>) -> tensor<1x1x1x96xf32>
    ```
  }];
  let dependentDialects = ["::tenon::graph::GraphDialect"];
  let statistics = [Statistic<"numSplit", "split", "reductions split">];
}

def SliceAttentionPass : Pass<"tenon-slice-attention", "::mlir::ModuleOp"> {
  let summary = "compute long attentions in slices";
  let description = [{
    The scores of an attention are as many as tokens times tokens for each head.
    Two products with a row reduction between them and more than 16 MiB of scores are
    computed in slices of heads and rows, whose scores stay in a second-level cache
    and whose memory is used again by the next slice. Slices are views of the
    operands and of the result; the numbers do not change.

    ```mlir
    %0 = graph.matmul %q, %k : (tensor<8x1024x64xf32>, tensor<8x64x1024xf32>) -> tensor<8x1024x1024xf32>
    %1 = ... // softmax
    %2 = graph.matmul %1, %v : (tensor<8x1024x1024xf32>, tensor<8x1024x64xf32>) -> tensor<8x1024x64xf32>
    // becomes, for each head and each 128 rows
    %3 = graph.slice %q {starts = array<i64: 0, 128, 0>, sizes = array<i64: 1, 128, 64>, ...}
    %4 = graph.matmul %3, %k0 : (tensor<1x128x64xf32>, tensor<1x64x1024xf32>) -> tensor<1x128x1024xf32>
    %5 = ... // softmax
    %6 = graph.matmul %5, %v0 : (tensor<1x128x1024xf32>, tensor<1x1024x64xf32>) -> tensor<1x128x64xf32>
    ```
  }];
  let dependentDialects = ["::tenon::graph::GraphDialect"];
  let statistics = [Statistic<"numSliced", "sliced", "attentions sliced">];
}

def VerifySimplifyPass : Pass<"tenon-verify-simplify", "::mlir::ModuleOp"> {
  let summary = "check what simplify promises";
  let description = [{
    After this phase no composite operation is left, convolutions and windows have
    their channels last, and functions hold only operations of the graph dialect.

    ```mlir
    %0 = graph.softmax %x {axis = 1 : i64} : ...   // error: not decomposed
    ```
  }];
}

#endif // TENON_PASSES_SIMPLIFY
