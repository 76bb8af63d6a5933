// RUN: tenon-opt %s --tenon-plan-kernels=target=avx512 --tenon-assign-buffers --tenon-lower-kernels=target=avx512 --split-input-file --verify-diagnostics

func.func @main(%x: tensor<1x2x4xi32>, %w: tensor<2x3x1xi32>) -> tensor<1x3x4xi32> {
  %r = kernel.group(%x, %w) : (tensor<1x2x4xi32>, tensor<2x3x1xi32>) -> tensor<1x3x4xi32> {
  ^bb0(%a: tensor<1x2x4xi32>, %b: tensor<2x3x1xi32>):
    // expected-error @+1 {{'graph.conv_transpose' has a kernel for one to three spatial dimensions of real numbers}}
    %0 = graph.conv_transpose %a, %b {strides = array<i64: 1>, pads = array<i64: 0, 0>, dilations = array<i64: 1>, output_padding = array<i64: 0>} : (tensor<1x2x4xi32>, tensor<2x3x1xi32>) -> tensor<1x3x4xi32>
    kernel.yield %0 : tensor<1x3x4xi32>
  }
  return %r : tensor<1x3x4xi32>
}

// -----

func.func @main(%x: tensor<3000000000xf32>) -> tensor<1xi64> {
  %r = kernel.group(%x) : (tensor<3000000000xf32>) -> tensor<1xi64> {
  ^bb0(%a: tensor<3000000000xf32>):
    // expected-error @+1 {{needs contiguous operands}}
    %0 = graph.arg_max %a {axis = 0 : i64} : (tensor<3000000000xf32>) -> tensor<1xi64>
    kernel.yield %0 : tensor<1xi64>
  }
  return %r : tensor<1xi64>
}

// -----

func.func @main(%x: tensor<f32>, %v: tensor<f32>) -> tensor<f32> {
  %r = kernel.group(%x, %v) : (tensor<f32>, tensor<f32>) -> tensor<f32> {
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    // expected-error @+1 {{'graph.pad' needs a contiguous result}}
    %0 = graph.pad %a, %b {low = array<i64>, high = array<i64>} : (tensor<f32>, tensor<f32>) -> tensor<f32>
    kernel.yield %0 : tensor<f32>
  }
  return %r : tensor<f32>
}

// -----

func.func @main(%x: tensor<3000000xf32>) -> tensor<6000000xf32> {
  %r = kernel.group(%x) : (tensor<3000000xf32>) -> tensor<6000000xf32> {
  ^bb0(%a: tensor<3000000xf32>):
    // expected-error @+1 {{'graph.resize' of that size or filter width}}
    %0 = graph.resize %a {scales = array<f32: 2.0>, mode = #graph<resize_mode nearest>, coordinate_mode = #graph<coordinate_mode asymmetric>, nearest_mode = #graph<nearest_mode floor>} : (tensor<3000000xf32>) -> tensor<6000000xf32>
    kernel.yield %0 : tensor<6000000xf32>
  }
  return %r : tensor<6000000xf32>
}

// -----

func.func @main(%x: tensor<0x4xf32>) -> tensor<0x8xf32> {
  %r = kernel.group(%x) : (tensor<0x4xf32>) -> tensor<0x8xf32> {
  ^bb0(%a: tensor<0x4xf32>):
    // expected-error @+1 {{'graph.resize' of an empty tensor or a scalar}}
    %0 = graph.resize %a {scales = array<f32: 1.0, 2.0>, mode = #graph<resize_mode nearest>, coordinate_mode = #graph<coordinate_mode asymmetric>, nearest_mode = #graph<nearest_mode floor>} : (tensor<0x4xf32>) -> tensor<0x8xf32>
    kernel.yield %0 : tensor<0x8xf32>
  }
  return %r : tensor<0x8xf32>
}

// -----

func.func @main(%x: tensor<100xf32>) -> tensor<2xf32> {
  %r = kernel.group(%x) : (tensor<100xf32>) -> tensor<2xf32> {
  ^bb0(%a: tensor<100xf32>):
    // expected-error @+1 {{'graph.resize' shrinks too far}}
    %0 = graph.resize %a {scales = array<f32: 0.02>, mode = #graph<resize_mode linear>, coordinate_mode = #graph<coordinate_mode half_pixel>, nearest_mode = #graph<nearest_mode floor>, antialias = true} : (tensor<100xf32>) -> tensor<2xf32>
    kernel.yield %0 : tensor<2xf32>
  }
  return %r : tensor<2xf32>
}

// -----

func.func @main(%x: tensor<4x6xf32>) -> tensor<2x6xf32> {
  %v, %i = kernel.group(%x) : (tensor<4x6xf32>) -> (tensor<2x6xf32>, tensor<2x6xi64>) {
  ^bb0(%a: tensor<4x6xf32>):
    // expected-error @+1 {{'graph.top_k' selects from contiguous rows of fewer than 2^31 elements}}
    %0, %1 = graph.top_k %a {axis = 0 : i64, k = 2 : i64} : (tensor<4x6xf32>) -> (tensor<2x6xf32>, tensor<2x6xi64>)
    kernel.yield %0, %1 : tensor<2x6xf32>, tensor<2x6xi64>
  }
  return %v : tensor<2x6xf32>
}
