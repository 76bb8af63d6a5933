// RUN: tenon-opt %s -split-input-file -verify-diagnostics -tenon-verify-simplify

func.func @composite(%x: tensor<2x8xf32>) -> tensor<2x8xf32> {
  // expected-error @+1 {{'graph.softmax' op was not decomposed}}
  %0 = graph.softmax %x {axis = 1 : i64} : (tensor<2x8xf32>) -> tensor<2x8xf32>
  return %0 : tensor<2x8xf32>
}

// -----

func.func @layout(%x: tensor<1x2x4x4xf32>) -> tensor<1x2x4x4xf32> {
  // expected-error @+1 {{'graph.max_pool' op does not have its channels last}}
  %0 = graph.max_pool %x {kernel = array<i64: 1, 1>, strides = array<i64: 1, 1>, pads = array<i64: 0, 0, 0, 0>,
    dilations = array<i64: 1, 1>} : (tensor<1x2x4x4xf32>) -> tensor<1x2x4x4xf32>
  return %0 : tensor<1x2x4x4xf32>
}

// -----

func.func @foreign(%x: tensor<2xf32>) -> tensor<2xf32> {
  // expected-error @+1 {{'arith.negf' op does not belong to the graph dialect}}
  %0 = arith.negf %x : tensor<2xf32>
  return %0 : tensor<2xf32>
}
