// RUN: tenon-opt %s --tenon-plan-kernels=target=avx512 | FileCheck %s --check-prefixes=CHECK,AVX512
// RUN: tenon-opt %s --tenon-plan-kernels=target=avx2 | FileCheck %s --check-prefixes=CHECK,AVX2

// A window over an image of one channel has lanes along rows and asks for no
// zeros around the image. Rows that share what they read are a tile: as many as
// leave few over of those whose windows lie inside.

// CHECK-LABEL: func.func @square
// CHECK: halos = [array<i64>, array<i64>], packs = [unit, unit]
// AVX512-SAME: plan = #kernel.plan<"stencil", {height = 6 : i64, lanes = 16 : i64
// AVX2-SAME: plan = #kernel.plan<"stencil", {height = 4 : i64, lanes = 8 : i64
func.func @square(%x: tensor<1x64x200x1xf32>, %w: tensor<1x1x3x3xf32>) -> tensor<1x64x200x1xf32> {
  %0 = kernel.group(%x, %w) : (tensor<1x64x200x1xf32>, tensor<1x1x3x3xf32>) -> tensor<1x64x200x1xf32> {
  ^bb0(%x0: tensor<1x64x200x1xf32>, %w0: tensor<1x1x3x3xf32>):
    %1 = graph.conv %x0, %w0 {strides = array<i64: 1, 1>, pads = array<i64: 1, 1, 1, 1>, dilations = array<i64: 1, 1>, group = 1 : i64, layout = #graph<layout nhwc>} : (tensor<1x64x200x1xf32>, tensor<1x1x3x3xf32>) -> tensor<1x64x200x1xf32>
    kernel.yield %1 : tensor<1x64x200x1xf32>
  }
  return %0 : tensor<1x64x200x1xf32>
}

// Rows that share nothing: some vectors of one row, whose weights are loaded
// once.

// CHECK-LABEL: func.func @row
// CHECK: plan = #kernel.plan<"stencil", {height = 1 : i64, lanes = {{16|8}} : i64, packed = 0 : i64, rows = {{[0-9]+}} : i64, vectors = 4 : i64}>
func.func @row(%x: tensor<1x64x200x1xf32>, %w: tensor<1x1x1x5xf32>) -> tensor<1x64x200x1xf32> {
  %0 = kernel.group(%x, %w) : (tensor<1x64x200x1xf32>, tensor<1x1x1x5xf32>) -> tensor<1x64x200x1xf32> {
  ^bb0(%x0: tensor<1x64x200x1xf32>, %w0: tensor<1x1x1x5xf32>):
    %1 = graph.conv %x0, %w0 {strides = array<i64: 1, 1>, pads = array<i64: 0, 2, 0, 2>, dilations = array<i64: 1, 1>, group = 1 : i64, layout = #graph<layout nhwc>} : (tensor<1x64x200x1xf32>, tensor<1x1x1x5xf32>) -> tensor<1x64x200x1xf32>
    kernel.yield %1 : tensor<1x64x200x1xf32>
  }
  return %0 : tensor<1x64x200x1xf32>
}

// More taps than are emitted one by one are a product.

// CHECK-LABEL: func.func @large
// CHECK: plan = #kernel.plan<"gemv"
func.func @large(%x: tensor<1x64x200x1xf32>, %w: tensor<1x1x13x13xf32>) -> tensor<1x52x188x1xf32> {
  %0 = kernel.group(%x, %w) : (tensor<1x64x200x1xf32>, tensor<1x1x13x13xf32>) -> tensor<1x52x188x1xf32> {
  ^bb0(%x0: tensor<1x64x200x1xf32>, %w0: tensor<1x1x13x13xf32>):
    %1 = graph.conv %x0, %w0 {strides = array<i64: 1, 1>, pads = array<i64: 0, 0, 0, 0>, dilations = array<i64: 1, 1>, group = 1 : i64, layout = #graph<layout nhwc>} : (tensor<1x64x200x1xf32>, tensor<1x1x13x13xf32>) -> tensor<1x52x188x1xf32>
    kernel.yield %1 : tensor<1x52x188x1xf32>
  }
  return %0 : tensor<1x52x188x1xf32>
}

// Pools of one channel are computed in the same way.

// CHECK-LABEL: func.func @pool
// CHECK: plan = #kernel.plan<"stencil"
func.func @pool(%x: tensor<1x64x200x1xf32>) -> tensor<1x64x200x1xf32> {
  %0 = kernel.group(%x) : (tensor<1x64x200x1xf32>) -> tensor<1x64x200x1xf32> {
  ^bb0(%x0: tensor<1x64x200x1xf32>):
    %1 = graph.avg_pool %x0 {kernel = array<i64: 7, 7>, strides = array<i64: 1, 1>, pads = array<i64: 3, 3, 3, 3>, dilations = array<i64: 1, 1>, count_include_pad = true, layout = #graph<layout nhwc>} : (tensor<1x64x200x1xf32>) -> tensor<1x64x200x1xf32>
    kernel.yield %1 : tensor<1x64x200x1xf32>
  }
  return %0 : tensor<1x64x200x1xf32>
}
