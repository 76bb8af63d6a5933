// RUN: not tenon-opt %s --tenon-plan-kernels=target=abacus 2>&1 | FileCheck %s --check-prefix=TARGET
// RUN: tenon-opt %s --tenon-plan-kernels=target=avx2 --split-input-file --verify-diagnostics
// TARGET: error: no target 'abacus' in the tables of processors and GPUs

// What comes before a recurrence is a group of its own.
func.func @recurrence(%g: tensor<2x1x1x4xf32>, %m: tensor<1x4x4xf32>) -> tensor<2x1x1x4xf32> {
  // expected-error @+1 {{has no strategy that computes it}}
  %r = kernel.group(%g, %m) : (tensor<2x1x1x4xf32>, tensor<1x4x4xf32>) -> tensor<2x1x1x4xf32> {
  ^bb0(%a: tensor<2x1x1x4xf32>, %b: tensor<1x4x4xf32>):
    %0 = graph.relu %a : (tensor<2x1x1x4xf32>) -> tensor<2x1x1x4xf32>
    %1:3 = "graph.recurrence"(%0, %b) <{operandSegmentSizes = array<i32: 1, 1, 0, 0, 0, 0, 0>, cell = #graph<cell rnn>, direction = #graph<direction forward>, activations = ["Tanh"]}> : (tensor<2x1x1x4xf32>, tensor<1x4x4xf32>) -> (tensor<2x1x1x4xf32>, tensor<1x1x4xf32>, tensor<1x1x4xf32>)
    kernel.yield %1#0 : tensor<2x1x1x4xf32>
  }
  return %r : tensor<2x1x1x4xf32>
}

// -----

func.func @computed_operand(%x: tensor<4x4xf32>) -> tensor<4x4xf32> {
  %0 = kernel.group(%x) : (tensor<4x4xf32>) -> tensor<4x4xf32> {
  ^bb0(%a: tensor<4x4xf32>):
    %1 = graph.relu %a : (tensor<4x4xf32>) -> tensor<4x4xf32>
    // expected-error @+1 {{'graph.matmul' must read operands of its group}}
    %2 = graph.matmul %a, %1 : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
    kernel.yield %2 : tensor<4x4xf32>
  }
  return %0 : tensor<4x4xf32>
}

// -----

// Results that no group computes are copied, so they must be tensors.
func.func @main(%x: i32) -> i32 {
  // expected-error @+1 {{result 0 is not a ranked tensor}}
  return %x : i32
}

// -----

// Tiles are numbers, or computed from the inputs' shapes.
// expected-error @+1 {{sizes that the shapes of the inputs do not determine}}
func.func @unsized(%x: tensor<?x8xf32>) -> tensor<?x8xf32> {
  %0 = kernel.group(%x) : (tensor<?x8xf32>) -> tensor<?x8xf32> {
  ^bb0(%a: tensor<?x8xf32>):
    %1 = graph.relu %a : (tensor<?x8xf32>) -> tensor<?x8xf32>
    kernel.yield %1 : tensor<?x8xf32>
  }
  return %0 : tensor<?x8xf32>
}

// -----

// A sum of nothing: tiles of products divide by their extents.
func.func @empty(%x: tensor<8x0xf32>, %w: tensor<0x4xf32>) -> tensor<8x4xf32> {
  // expected-error @+1 {{around 'graph.matmul' has an empty tensor, 'tensor<8x0xf32>'}}
  %0 = kernel.group(%x, %w) : (tensor<8x0xf32>, tensor<0x4xf32>) -> tensor<8x4xf32> {
  ^bb0(%a: tensor<8x0xf32>, %b: tensor<0x4xf32>):
    %1 = graph.matmul %a, %b : (tensor<8x0xf32>, tensor<0x4xf32>) -> tensor<8x4xf32>
    kernel.yield %1 : tensor<8x4xf32>
  }
  return %0 : tensor<8x4xf32>
}

// -----

// A filter that is as wide as the image is larger than the result.
!x = tensor<?x?xf32, #graph.dims<["n", "m"]>>
!y = tensor<?x?xf32, #graph.dims<["n", "k"]>>
func.func @resized(%x: !x {onnx.name = "x"}, %like: !y {onnx.name = "like"}) -> !y {
  // expected-error @+1 {{no kernel computes this for sizes that are known in the run only; what fixes them:}}
  %0 = kernel.group(%x) : (!x) -> !y {
  ^bb0(%a: !x):
    %1 = graph.resize %a {antialias = true, scales = array<f32: 1.0, 0.0>, mode = #graph<resize_mode linear>, coordinate_mode = #graph<coordinate_mode half_pixel>, nearest_mode = #graph<nearest_mode floor>} : (!x) -> !y
    kernel.yield %1 : !y
  }
  return %0 : !y
}

// -----

// An empty extent beside a symbol.
!empty = tensor<?x0x8xf32, #graph.dims<["n", 0, 8]>>
func.func @empty_rows(%x: !empty {onnx.name = "x"}) -> tensor<?x0x0xf32, #graph.dims<["n", 0, 0]>> {
  // expected-error @+1 {{around 'graph.matmul' has an empty tensor}}
  %0 = kernel.group(%x) : (!empty) -> tensor<?x0x0xf32, #graph.dims<["n", 0, 0]>> {
  ^bb0(%a: !empty):
    %1 = graph.matmul %a, %a {transpose_rhs} : (!empty, !empty) -> tensor<?x0x0xf32, #graph.dims<["n", 0, 0]>>
    kernel.yield %1 : tensor<?x0x0xf32, #graph.dims<["n", 0, 0]>>
  }
  return %0 : tensor<?x0x0xf32, #graph.dims<["n", 0, 0]>>
}
