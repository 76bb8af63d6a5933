//===- Passes.td - less to compute, better arranged --------*- tablegen -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef TENON_PASSES_SIMPLIFY
#define TENON_PASSES_SIMPLIFY

include "mlir/Pass/PassBase.td"

def FoldConstantsPass : Pass<"tenon-fold-constants", "::mlir::ModuleOp"> {
  let summary = "evaluate what does not depend on the inputs";
  let description = [{
    Runs operations whose operands are all constants through the interpreter, as
    long as the work on all of them together stays below `max-work`: counted in steps,
    not in seconds, so that every machine folds the same. Equal elements are computed
    once: splats stay splats, sums of them included, and what repeats a row stays a
    `graph.broadcast` of it.

    A constant that is larger than what it is made of by more than a page is stored
    only for a reason: it ends in the weights of a product or recurrence; it is small
    and would cost a launch at each run (64 KiB); it is costly to compute (up to
    `max-bytes`). What is only on the way to smaller constants is not stored.

    `graph.pack` stays: the artifact's writer folds it. The transpose of a table that
    is gathered from stays for the product behind, which reads the table itself. What
    is empty and products over nothing (zeros) are constants whatever their operands are.

    ```mlir
    %0 = graph.constant dense<[1.0, 2.0]> : tensor<2xf32>
    %1 = graph.neg %0 : (tensor<2xf32>) -> tensor<2xf32>
    // becomes
    %1 = graph.constant dense<[-1.0, -2.0]> : tensor<2xf32>
    ```
  }];
  let options = [
    Option<"maxBytes", "max-bytes", "int64_t", "1048576",
           "what is costly to compute may grow by this much">,
    Option<"maxWork", "max-work", "int64_t", "500000000",
           "steps of the interpreter: arithmetic operations and results">];
  let dependentDialects = ["::tenon::graph::GraphDialect"];
  let statistics = [Statistic<"numFolded", "folded", "operations replaced by constants">,
                    Statistic<"numBytes", "bytes", "bytes of constants made">];
}

def MergeConstantsPass : Pass<"tenon-merge-constants", "::mlir::ModuleOp"> {
  let summary = "make equal constants one";
  let description = [{
    Constants of a page or more that have the same type and elements, under
    whatever names, become one. Weights of a product that are a transposed copy of a
    table that rows are gathered from are read from the table: exporters write the
    last layer of a language model so, whose weights are its embedding.

    ```mlir
    %0 = graph.gather %table, %i {axis = 0 : i64} : (tensor<64x32xf32>, tensor<3xi64>) -> tensor<3x32xf32>
    %1 = graph.matmul %x, %w : (tensor<3x32xf32>, tensor<32x64xf32>) -> tensor<3x64xf32>
    // becomes, where %w is the transpose of %table
    %1 = graph.matmul %x, %table {transpose_rhs} : (tensor<3x32xf32>, tensor<64x32xf32>) -> tensor<3x64xf32>
    ```
  }];
  let options = [Option<"minBytes", "min-bytes", "int64_t", "4096",
                        "smaller constants are left alone">];
  let dependentDialects = ["::tenon::graph::GraphDialect"];
  let statistics = [Statistic<"numMerged", "merged", "constants fewer">];
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

    Blocks of threads of a GPU share out rows themselves, and a second step is
    another launch: with `blocks` a map is split only where its columns would keep
    few blocks busy for long.
  }];
  let dependentDialects = ["::tenon::graph::GraphDialect"];
  let options = [
    Option<"blocks", "blocks", "bool", "false",
      "rows are shared out by blocks of threads">];
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

def ShrinkSplatsPass : Pass<"tenon-shrink-splats", "::mlir::ModuleOp"> {
  let summary = "repeat equal elements where they are read";
  let description = [{
    A splat of more than a page becomes a constant of one element: element-wise
    operations broadcast it by themselves, others read a `graph.broadcast` that is
    computed at each run. A product with such weights is a sum of rows. Weights of up
    to `max-weight-bytes` (matrices: `max-matrix-bytes`) are stored, because kernels
    read them packed.

    ```mlir
    %0 = graph.constant dense<2.0> : tensor<512x64xf32>
    %1 = graph.mul %x, %0 : (tensor<512x64xf32>, tensor<512x64xf32>) -> tensor<512x64xf32>
    // becomes
    %0 = graph.constant dense<2.0> : tensor<f32>
    %1 = graph.mul %x, %0 : (tensor<512x64xf32>, tensor<f32>) -> tensor<512x64xf32>
    ```
  }];
  let options = [Option<"maxWeightBytes", "max-weight-bytes", "int64_t", "16777216",
                        "filters of equal elements up to this size are stored">,
                 Option<"maxMatrixBytes", "max-matrix-bytes", "int64_t", "1048576",
                        "matrices of equal elements up to this size are stored">];
  let dependentDialects = ["::tenon::graph::GraphDialect"];
  let statistics = [Statistic<"numShrunk", "shrunk", "splats that became smaller">];
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
