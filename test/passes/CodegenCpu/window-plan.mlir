// RUN: tenon-opt %s --tenon-plan-kernels=target=avx512 | FileCheck %s --check-prefixes=CHECK,AVX512
// RUN: tenon-opt %s --tenon-plan-kernels=target=avx2 | FileCheck %s --check-prefixes=CHECK,AVX2

// Short rows are filled up with vectors.

// CHECK-LABEL: func.func @short
// AVX512: kernel.plan<"window", {lanes = 16 : i64, packed = 0 : i64, pixels = 3 : i64, prefetch = 0 : i64, rows = 1 : i64, vectors = 3 : i64}>
// AVX2: kernel.plan<"window", {lanes = 8 : i64, packed = 0 : i64, pixels = 3 : i64, prefetch = 0 : i64, rows = 1 : i64, vectors = 3 : i64}>
func.func @short(%x: tensor<1x3x3x160xf32>, %w: tensor<160x1x3x3xf32>) -> tensor<1x3x3x160xf32> {
  %0 = kernel.group "window"(%x, %w) : (tensor<1x3x3x160xf32>, tensor<160x1x3x3xf32>) -> tensor<1x3x3x160xf32> {
  ^bb0(%x0: tensor<1x3x3x160xf32>, %w0: tensor<160x1x3x3xf32>):
    %1 = graph.conv %x0, %w0 {strides = array<i64: 1, 1>, pads = array<i64: 1, 1, 1, 1>, dilations = array<i64: 1, 1>, group = 160 : i64, layout = #graph<layout nhwc>} : (tensor<1x3x3x160xf32>, tensor<160x1x3x3xf32>) -> tensor<1x3x3x160xf32>
    kernel.yield %1 : tensor<1x3x3x160xf32>
  }
  return %0 : tensor<1x3x3x160xf32>
}

// CHECK-LABEL: func.func @pool
// AVX512: pixels = 5 : i64, prefetch = 0 : i64, rows = {{[0-9]+}} : i64, vectors = 2 : i64
// AVX2: pixels = 5 : i64, prefetch = 0 : i64, rows = {{[0-9]+}} : i64, vectors = 2 : i64
func.func @pool(%x: tensor<1x17x17x64xf32>) -> tensor<1x17x17x64xf32> {
  %0 = kernel.group "window"(%x) : (tensor<1x17x17x64xf32>) -> tensor<1x17x17x64xf32> {
  ^bb0(%x0: tensor<1x17x17x64xf32>):
    %1 = graph.max_pool %x0 {kernel = array<i64: 3, 3>, strides = array<i64: 1, 1>, pads = array<i64: 1, 1, 1, 1>, dilations = array<i64: 1, 1>, layout = #graph<layout nhwc>} : (tensor<1x17x17x64xf32>) -> tensor<1x17x17x64xf32>
    kernel.yield %1 : tensor<1x17x17x64xf32>
  }
  return %0 : tensor<1x17x17x64xf32>
}
