// RUN: tenon-opt %s --tenon-plan-kernels=target=avx512 --split-input-file --verify-diagnostics

func.func @main(%x: tensor<1x4x4x4xf32>) -> tensor<1x4x2x2xf32> {
  %r = kernel.group(%x) : (tensor<1x4x4x4xf32>) -> tensor<1x4x2x2xf32> {
  ^bb0(%a: tensor<1x4x4x4xf32>):
    // expected-error @+1 {{'graph.max_pool' needs layout nhwc here}}
    %0 = graph.max_pool %a {kernel = array<i64: 2, 2>, strides = array<i64: 2, 2>, pads = array<i64: 0, 0, 0, 0>, dilations = array<i64: 1, 1>} : (tensor<1x4x4x4xf32>) -> tensor<1x4x2x2xf32>
    kernel.yield %0 : tensor<1x4x2x2xf32>
  }
  return %r : tensor<1x4x2x2xf32>
}

// -----

func.func @main(%x: tensor<1x4x4x4xf32>) -> tensor<1x2x2x4xf32> {
  %r = kernel.group(%x) : (tensor<1x4x4x4xf32>) -> tensor<1x2x2x4xf32> {
  ^bb0(%a: tensor<1x4x4x4xf32>):
    %0 = graph.relu %a : (tensor<1x4x4x4xf32>) -> tensor<1x4x4x4xf32>
    // expected-error @+1 {{'graph.max_pool' must read operands of its group}}
    %1 = graph.max_pool %0 {kernel = array<i64: 2, 2>, strides = array<i64: 2, 2>, pads = array<i64: 0, 0, 0, 0>, dilations = array<i64: 1, 1>, layout = #graph<layout nhwc>} : (tensor<1x4x4x4xf32>) -> tensor<1x2x2x4xf32>
    kernel.yield %1 : tensor<1x2x2x4xf32>
  }
  return %r : tensor<1x2x2x4xf32>
}

// -----

func.func @main(%x: tensor<1x4x4x4xf32>) -> tensor<1x4x4x4xf32> {
  %r = kernel.group(%x) : (tensor<1x4x4x4xf32>) -> tensor<1x4x4x4xf32> {
  ^bb0(%a: tensor<1x4x4x4xf32>):
    // expected-error @+1 {{'graph.lrn' needs layout nhwc here}}
    %0 = graph.lrn %a {size = 3 : i64, alpha = 1.0 : f32, beta = 0.5 : f32, bias = 1.0 : f32} : (tensor<1x4x4x4xf32>) -> tensor<1x4x4x4xf32>
    kernel.yield %0 : tensor<1x4x4x4xf32>
  }
  return %r : tensor<1x4x4x4xf32>
}

// -----

func.func @main(%x: tensor<1x4x4x4xf32>, %w: tensor<4x1x1x1xf32>) -> tensor<1x4x4x4xf32> {
  %r = kernel.group(%x, %w) : (tensor<1x4x4x4xf32>, tensor<4x1x1x1xf32>) -> tensor<1x4x4x4xf32> {
  ^bb0(%a: tensor<1x4x4x4xf32>, %b: tensor<4x1x1x1xf32>):
    %0 = graph.relu %b : (tensor<4x1x1x1xf32>) -> tensor<4x1x1x1xf32>
    // expected-error @+1 {{'graph.conv' must read operands of its group}}
    %1 = graph.conv %a, %0 {group = 4 : i64, strides = array<i64: 1, 1>, pads = array<i64: 0, 0, 0, 0>, dilations = array<i64: 1, 1>, layout = #graph<layout nhwc>} : (tensor<1x4x4x4xf32>, tensor<4x1x1x1xf32>) -> tensor<1x4x4x4xf32>
    kernel.yield %1 : tensor<1x4x4x4xf32>
  }
  return %r : tensor<1x4x4x4xf32>
}
