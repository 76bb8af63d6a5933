// RUN: tenon-opt %s --tenon-plan-kernels=target=avx512 --split-input-file --verify-diagnostics

func.func @main(%x: tensor<4x6xf32>) -> tensor<1x1xf32> {
  // expected-error @+1 {{no loop nest computes this group: reductions run over different dimensions}}
  %r = kernel.group(%x) : (tensor<4x6xf32>) -> tensor<1x1xf32> {
  ^bb0(%a: tensor<4x6xf32>):
    %0 = graph.reduce_sum %a {axes = array<i64: 1>} : (tensor<4x6xf32>) -> tensor<4x1xf32>
    %1 = graph.reduce_max %0 {axes = array<i64: 0>} : (tensor<4x1xf32>) -> tensor<1x1xf32>
    kernel.yield %1 : tensor<1x1xf32>
  }
  return %r : tensor<1x1xf32>
}

// -----

func.func @main(%x: tensor<4x4xf32>) -> tensor<4x4xf32> {
  // expected-error @+1 {{no loop nest computes this group: a value is read along a diagonal}}
  %r = kernel.group(%x) : (tensor<4x4xf32>) -> tensor<4x4xf32> {
  ^bb0(%a: tensor<4x4xf32>):
    %0 = graph.transpose %a {permutation = array<i64: 1, 0>} : (tensor<4x4xf32>) -> tensor<4x4xf32>
    %1 = graph.add %a, %0 : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
    kernel.yield %1 : tensor<4x4xf32>
  }
  return %r : tensor<4x4xf32>
}

// -----

func.func @main(%x: tensor<4x8xf32>) -> (tensor<4x8xf32>, tensor<8xf32>) {
  // expected-error @+1 {{no loop nest computes this group: a result lacks one of the loops}}
  %r:2 = kernel.group(%x) : (tensor<4x8xf32>) -> (tensor<4x8xf32>, tensor<8xf32>) {
  ^bb0(%a: tensor<4x8xf32>):
    %0 = graph.constant dense<1.0> : tensor<8xf32>
    %1 = graph.exp %0 : (tensor<8xf32>) -> tensor<8xf32>
    %2 = graph.add %a, %1 : (tensor<4x8xf32>, tensor<8xf32>) -> tensor<4x8xf32>
    kernel.yield %2, %1 : tensor<4x8xf32>, tensor<8xf32>
  }
  return %r#0, %r#1 : tensor<4x8xf32>, tensor<8xf32>
}

// -----

func.func @main(%x: tensor<4x8xf32>) -> tensor<8x1x8x1xf32> {
  // expected-error @+1 {{no loop nest computes this group: 'graph.concat' is not a loop}}
  %r = kernel.group(%x) : (tensor<4x8xf32>) -> tensor<8x1x8x1xf32> {
  ^bb0(%a: tensor<4x8xf32>):
    %2 = graph.relu %a : (tensor<4x8xf32>) -> tensor<4x8xf32>
    %0 = graph.concat %2, %2 {axis = 0 : i64} : (tensor<4x8xf32>, tensor<4x8xf32>) -> tensor<8x8xf32>
    %1 = graph.reshape %0 : (tensor<8x8xf32>) -> tensor<8x1x8x1xf32>
    kernel.yield %1 : tensor<8x1x8x1xf32>
  }
  return %r : tensor<8x1x8x1xf32>
}

// -----

// One bit of an element number per dimension.
!deep = tensor<2x2x2x2x2x2x2x2x2x2x2x2x2x2x2x2x2x2x2x2x2x2x2x2x2x2x2x2x2x2x2x2x2x2x2x2x2x2x2x2x2x2x2x2x2x2x2x2x2x2x2x2x2x2x2x2x2x2x2x2x2xi8>

func.func @main(%x: !deep) -> !deep {
  // expected-error @+1 {{more than 60 loops}}
  %r = kernel.group(%x) : (!deep) -> !deep {
  ^bb0(%a: !deep):
    %0 = graph.relu %a : (!deep) -> !deep
    kernel.yield %0 : !deep
  }
  return %r : !deep
}

// -----

func.func @main(%x: tensor<6x16xf32>, %y: tensor<4x16xf32>) -> tensor<12x16xf32> {
  // expected-error @+1 {{no loop nest computes this group: a resize splits a dimension where others do not}}
  %r = kernel.group(%x, %y) : (tensor<6x16xf32>, tensor<4x16xf32>) -> tensor<12x16xf32> {
  ^bb0(%a: tensor<6x16xf32>, %b: tensor<4x16xf32>):
    %0 = graph.resize %a {scales = array<f32: 2.0, 1.0>, mode = #graph<resize_mode nearest>, coordinate_mode = #graph<coordinate_mode asymmetric>, nearest_mode = #graph<nearest_mode floor>} : (tensor<6x16xf32>) -> tensor<12x16xf32>
    %1 = graph.resize %b {scales = array<f32: 3.0, 1.0>, mode = #graph<resize_mode nearest>, coordinate_mode = #graph<coordinate_mode asymmetric>, nearest_mode = #graph<nearest_mode floor>} : (tensor<4x16xf32>) -> tensor<12x16xf32>
    %2 = graph.add %0, %1 : (tensor<12x16xf32>, tensor<12x16xf32>) -> tensor<12x16xf32>
    kernel.yield %2 : tensor<12x16xf32>
  }
  return %r : tensor<12x16xf32>
}

// -----

func.func @main(%x: tensor<6x16xf32>) -> tensor<8x16xf32> {
  // expected-error @+1 {{no loop nest computes this group: a resize does not follow the loops}}
  %r = kernel.group(%x) : (tensor<6x16xf32>) -> tensor<8x16xf32> {
  ^bb0(%a: tensor<6x16xf32>):
    %0 = graph.resize %a {scales = array<f32: 2.0, 1.0>, mode = #graph<resize_mode nearest>, coordinate_mode = #graph<coordinate_mode asymmetric>, nearest_mode = #graph<nearest_mode floor>} : (tensor<6x16xf32>) -> tensor<12x16xf32>
    %1 = graph.slice %0 {starts = array<i64: 1, 0>, sizes = array<i64: 8, 16>, steps = array<i64: 1, 1>} : (tensor<12x16xf32>) -> tensor<8x16xf32>
    kernel.yield %1 : tensor<8x16xf32>
  }
  return %r : tensor<8x16xf32>
}
