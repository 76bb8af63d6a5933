// RUN: tenon-opt %s -split-input-file -verify-diagnostics -tenon-append-gradients

// What does not lead to the result may be anything.
func.func @beside(%x: tensor<2xf32>) -> (tensor<2xf32>, tensor<2xf32>) {
  %0 = graph.prefix %x {axis = 0 : i64, product = true} : (tensor<2xf32>) -> tensor<2xf32>
  %1 = graph.exp %x : (tensor<2xf32>) -> tensor<2xf32>
  return %1, %0 : tensor<2xf32>, tensor<2xf32>
}

// -----

func.func @products(%x: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error @+1 {{'graph.prefix' has no gradient yet: running products}}
  %0 = graph.prefix %x {axis = 0 : i64, product = true} : (tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

func.func @scatter(%x: tensor<4xf32>, %i: tensor<2xi64>, %u: tensor<2xf32>) -> tensor<4xf32> {
  // expected-error @+1 {{'graph.scatter' has no gradient yet: updates that multiply or compare}}
  %0 = graph.scatter %x, %i, %u {kind = #graph<scatter_kind max>} : (tensor<4xf32>, tensor<2xi64>, tensor<2xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

func.func @open(%x: tensor<?xi32, #graph.dims<["n"]>>, %w: tensor<f32>) -> tensor<f32> {
  %0 = graph.cast %x : (tensor<?xi32, #graph.dims<["n"]>>) -> tensor<?xf32, #graph.dims<["n"]>>
  %1 = graph.mul %0, %w : (tensor<?xf32, #graph.dims<["n"]>>, tensor<f32>) -> tensor<?xf32, #graph.dims<["n"]>>
  // expected-error @+1 {{'graph.reduce_sum' has a size that is open, which gradients do not support: --dim or --shape fix it}}
  %2 = graph.reduce_sum %1 {axes = array<i64: 0>, keep_dims = false} : (tensor<?xf32, #graph.dims<["n"]>>) -> tensor<f32>
  return %2 : tensor<f32>
}

// -----

// expected-error @+1 {{has a result of type 'tensor<4xi32>', which has no gradient}}
func.func @integers(%x: tensor<4xf32>) -> tensor<4xi32> {
  %0 = graph.cast %x : (tensor<4xf32>) -> tensor<4xi32>
  return %0 : tensor<4xi32>
}

// -----

// expected-error @+1 {{has an argument of type 'tensor<?xf32, #graph.dims<["n"]>>', for which there is no gradient}}
func.func @unknown(%x: tensor<?xf32, #graph.dims<["n"]>>) -> tensor<f32> {
  %0 = graph.reduce_sum %x {axes = array<i64: 0>, keep_dims = false} : (tensor<?xf32, #graph.dims<["n"]>>) -> tensor<f32>
  return %0 : tensor<f32>
}

// -----

func.func @wide(%x: tensor<1x1x300xf32>) -> tensor<1x1x1xf32> {
  // expected-error @+1 {{'graph.max_pool' has no gradient yet: windows or strides of more than 256 elements}}
  %0 = graph.max_pool %x {kernel = array<i64: 300>, strides = array<i64: 1>, pads = array<i64: 0, 0>, dilations = array<i64: 1>} : (tensor<1x1x300xf32>) -> tensor<1x1x1xf32>
  return %0 : tensor<1x1x1xf32>
}

// -----

func.func @plane(%x: tensor<1x1x65536x65536xf32>) -> tensor<1x1x1x1xf32> {
  // expected-error @+1 {{'graph.max_pool' has no gradient yet: windows or strides of more than 256 elements}}
  %0 = graph.max_pool %x {kernel = array<i64: 65536, 65536>, strides = array<i64: 1, 1>, pads = array<i64: 0, 0, 0, 0>, dilations = array<i64: 1, 1>} : (tensor<1x1x65536x65536xf32>) -> tensor<1x1x1x1xf32>
  return %0 : tensor<1x1x1x1xf32>
}

// -----

func.func @sparse(%x: tensor<1x1x4096x4096xf32>) -> tensor<1x1x2x2xf32> {
  // expected-error @+1 {{'graph.max_pool' has no gradient yet: windows or strides of more than 256 elements}}
  %0 = graph.max_pool %x {kernel = array<i64: 1, 1>, strides = array<i64: 4000, 4000>, pads = array<i64: 0, 0, 0, 0>, dilations = array<i64: 1, 1>} : (tensor<1x1x4096x4096xf32>) -> tensor<1x1x2x2xf32>
  return %0 : tensor<1x1x2x2xf32>
}
