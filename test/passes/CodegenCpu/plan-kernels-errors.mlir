// RUN: not tenon-opt %s --tenon-plan-kernels=target=abacus 2>&1 | FileCheck %s --check-prefix=TARGET
// RUN: tenon-opt %s --tenon-plan-kernels=target=avx2 --split-input-file --verify-diagnostics
// TARGET: error: no target 'abacus' in the target table

func.func @kind(%x: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error @+1 {{has no emitter for kind 'magic'}}
  %0 = kernel.group "magic"(%x) : (tensor<4xf32>) -> tensor<4xf32> {
  ^bb0(%a: tensor<4xf32>):
    kernel.yield %a : tensor<4xf32>
  }
  return %0 : tensor<4xf32>
}

// -----

func.func @no_contraction(%x: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error @+1 {{of kind 'contraction' has no matmul or conv}}
  %0 = kernel.group "contraction"(%x) : (tensor<4xf32>) -> tensor<4xf32> {
  ^bb0(%a: tensor<4xf32>):
    %1 = graph.relu %a : (tensor<4xf32>) -> tensor<4xf32>
    kernel.yield %1 : tensor<4xf32>
  }
  return %0 : tensor<4xf32>
}

// -----

func.func @computed_operand(%x: tensor<4x4xf32>) -> tensor<4x4xf32> {
  %0 = kernel.group "contraction"(%x) : (tensor<4x4xf32>) -> tensor<4x4xf32> {
  ^bb0(%a: tensor<4x4xf32>):
    %1 = graph.relu %a : (tensor<4x4xf32>) -> tensor<4x4xf32>
    // expected-error @+1 {{'graph.matmul' must read operands of its group}}
    %2 = graph.matmul %a, %1 : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
    kernel.yield %2 : tensor<4x4xf32>
  }
  return %0 : tensor<4x4xf32>
}

// -----

func.func @no_window(%x: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error @+1 {{of kind 'window' has no pool or convolution}}
  %0 = kernel.group "window"(%x) : (tensor<4xf32>) -> tensor<4xf32> {
  ^bb0(%a: tensor<4xf32>):
    %1 = graph.relu %a : (tensor<4xf32>) -> tensor<4xf32>
    kernel.yield %1 : tensor<4xf32>
  }
  return %0 : tensor<4xf32>
}

// -----

func.func @dense_in_window(%x: tensor<1x4x4x4xf32>, %w: tensor<8x4x1x1xf32>) -> tensor<1x4x4x8xf32> {
  %0 = kernel.group "window"(%x, %w) : (tensor<1x4x4x4xf32>, tensor<8x4x1x1xf32>) -> tensor<1x4x4x8xf32> {
  ^bb0(%a: tensor<1x4x4x4xf32>, %b: tensor<8x4x1x1xf32>):
    // expected-error @+1 {{'graph.conv' is not depthwise: 1 groups of 4 channels}}
    %1 = graph.conv %a, %b {strides = array<i64: 1, 1>, pads = array<i64: 0, 0, 0, 0>, dilations = array<i64: 1, 1>, layout = #graph<layout nhwc>} : (tensor<1x4x4x4xf32>, tensor<8x4x1x1xf32>) -> tensor<1x4x4x8xf32>
    kernel.yield %1 : tensor<1x4x4x8xf32>
  }
  return %0 : tensor<1x4x4x8xf32>
}

// -----

func.func @groups_across_vectors(%x: tensor<1x4x4x9xf32>, %w: tensor<9x3x1x1xf32>) -> tensor<1x4x4x9xf32> {
  %0 = kernel.group "window"(%x, %w) : (tensor<1x4x4x9xf32>, tensor<9x3x1x1xf32>) -> tensor<1x4x4x9xf32> {
  ^bb0(%a: tensor<1x4x4x9xf32>, %b: tensor<9x3x1x1xf32>):
    // expected-error @+1 {{'graph.conv' has groups of 3 channels, which do not fill vectors of 8}}
    %1 = graph.conv %a, %b {strides = array<i64: 1, 1>, pads = array<i64: 0, 0, 0, 0>, dilations = array<i64: 1, 1>, group = 3 : i64, layout = #graph<layout nhwc>} : (tensor<1x4x4x9xf32>, tensor<9x3x1x1xf32>) -> tensor<1x4x4x9xf32>
    kernel.yield %1 : tensor<1x4x4x9xf32>
  }
  return %0 : tensor<1x4x4x9xf32>
}

// -----

// Results that no group computes are copied, so they must be tensors.
func.func @main(%x: i32) -> i32 {
  // expected-error @+1 {{result 0 is no ranked tensor}}
  return %x : i32
}

// -----

// Tiles are numbers.
// expected-error @+1 {{dimensions without a size are left}}
func.func @unsized(%x: tensor<?x8xf32>) -> tensor<?x8xf32> {
  %0 = kernel.group "loops"(%x) : (tensor<?x8xf32>) -> tensor<?x8xf32> {
  ^bb0(%a: tensor<?x8xf32>):
    %1 = graph.relu %a : (tensor<?x8xf32>) -> tensor<?x8xf32>
    kernel.yield %1 : tensor<?x8xf32>
  }
  return %0 : tensor<?x8xf32>
}

// -----

// A sum of nothing: tiles of products divide by their extents.
func.func @empty(%x: tensor<8x0xf32>, %w: tensor<0x4xf32>) -> tensor<8x4xf32> {
  // expected-error @+1 {{of kind 'contraction' has an empty tensor, 'tensor<8x0xf32>'}}
  %0 = kernel.group "contraction"(%x, %w) : (tensor<8x0xf32>, tensor<0x4xf32>) -> tensor<8x4xf32> {
  ^bb0(%a: tensor<8x0xf32>, %b: tensor<0x4xf32>):
    %1 = graph.matmul %a, %b : (tensor<8x0xf32>, tensor<0x4xf32>) -> tensor<8x4xf32>
    kernel.yield %1 : tensor<8x4xf32>
  }
  return %0 : tensor<8x4xf32>
}
