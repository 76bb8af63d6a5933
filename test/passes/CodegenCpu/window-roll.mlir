// RUN: tenon-opt %s --split-input-file --tenon-plan-kernels=target=zen4 | FileCheck %s --check-prefixes=PLAN,ZEN4
// RUN: tenon-opt %s --split-input-file --tenon-plan-kernels=target=avx512 | FileCheck %s --check-prefixes=PLAN,WIDE
// RUN: tenon-opt %s --split-input-file --tenon-plan-kernels=target=avx2 | FileCheck %s --check-prefixes=PLAN,AVX2
// RUN: tenon-opt %s --split-input-file --tenon-plan-kernels=target=zen4 --tenon-assign-buffers=target=zen4 --tenon-lower-kernels=target=zen4 | FileCheck %s --check-prefix=CODE

// A pool's tiles roll down maps that are near: each row of 10 inputs is loaded once and added up
// for all windows, whose sums of earlier rows wait in registers.

// PLAN-LABEL: func.func @main
// ZEN4: kernel.plan<"{{depthwise|pool}}", {across = 2 : i64, band = 7 : i64, block = 1 : i64, columns = 1 : i64, {{.*}} pixels = 7 : i64, prefetch = 0 : i64, results = {{[01]}} : i64, rolls = 1 : i64
// AVX2: rolls = 0 : i64
// WIDE: rolls = 0 : i64
// CODE: func.func private @{{depthwise|pool}}
// CODE: scf.for {{.*}} iter_args
// CODE: scf.if
// CODE-COUNT-8: llvm.load {{.*}} vector<16xf32>
// CODE-NOT: llvm.load {{.*}} vector<16xf32>
// CODE: scf.yield
func.func @main(%x: tensor<1x14x14x32xf32>) -> tensor<1x14x14x32xf32> {
  %0 = kernel.group(%x) : (tensor<1x14x14x32xf32>) -> tensor<1x14x14x32xf32> {
  ^bb0(%x0: tensor<1x14x14x32xf32>):
    %1 = graph.avg_pool %x0 {kernel = array<i64: 3, 3>, strides = array<i64: 1, 1>, pads = array<i64: 1, 1, 1, 1>, dilations = array<i64: 1, 1>, count_include_pad = false, layout = #graph<layout nhwc>} : (tensor<1x14x14x32xf32>) -> tensor<1x14x14x32xf32>
    kernel.yield %1 : tensor<1x14x14x32xf32>
  }
  return %0 : tensor<1x14x14x32xf32>
}

// -----

// A map that is larger than the second-level cache: tiles ask for what comes next.

// PLAN-LABEL: func.func @main
// ZEN4: prefetch = 1 : i64, results = {{[01]}} : i64, rolls = 1 : i64
func.func @main(%x: tensor<1x35x35x192xf32>) -> tensor<1x33x33x192xf32> {
  %0 = kernel.group(%x) : (tensor<1x35x35x192xf32>) -> tensor<1x33x33x192xf32> {
  ^bb0(%x0: tensor<1x35x35x192xf32>):
    %1 = graph.max_pool %x0 {kernel = array<i64: 3, 3>, strides = array<i64: 1, 1>, pads = array<i64: 0, 0, 0, 0>, dilations = array<i64: 1, 1>, layout = #graph<layout nhwc>} : (tensor<1x35x35x192xf32>) -> tensor<1x33x33x192xf32>
    kernel.yield %1 : tensor<1x33x33x192xf32>
  }
  return %0 : tensor<1x33x33x192xf32>
}

// -----

// With a stride tiles of columns load rows once and a half: as good there.

// PLAN-LABEL: func.func @main
// PLAN: rolls = 0 : i64
func.func @main(%x: tensor<1x57x57x96xf32>) -> tensor<1x28x28x96xf32> {
  %0 = kernel.group(%x) : (tensor<1x57x57x96xf32>) -> tensor<1x28x28x96xf32> {
  ^bb0(%x0: tensor<1x57x57x96xf32>):
    %1 = graph.max_pool %x0 {kernel = array<i64: 3, 3>, strides = array<i64: 2, 2>, pads = array<i64: 0, 0, 0, 0>, dilations = array<i64: 1, 1>, layout = #graph<layout nhwc>} : (tensor<1x57x57x96xf32>) -> tensor<1x28x28x96xf32>
    kernel.yield %1 : tensor<1x28x28x96xf32>
  }
  return %0 : tensor<1x28x28x96xf32>
}

// -----

// Pixels of 512 bytes meet few sets of the cache, and this map cannot be padded.

// PLAN-LABEL: func.func @main
// PLAN: rolls = 0 : i64
func.func @main(%x: tensor<1x14x14x128xf32>) -> tensor<1x12x12x128xf32> {
  %0 = kernel.group(%x) : (tensor<1x14x14x128xf32>) -> tensor<1x12x12x128xf32> {
  ^bb0(%x0: tensor<1x14x14x128xf32>):
    %1 = graph.max_pool %x0 {kernel = array<i64: 3, 3>, strides = array<i64: 1, 1>, pads = array<i64: 0, 0, 0, 0>, dilations = array<i64: 1, 1>, layout = #graph<layout nhwc>} : (tensor<1x14x14x128xf32>) -> tensor<1x12x12x128xf32>
    kernel.yield %1 : tensor<1x12x12x128xf32>
  }
  return %0 : tensor<1x12x12x128xf32>
}
