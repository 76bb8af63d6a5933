// RUN: tenon-opt %s --tenon-lower-kernels=target=sm_90a --split-input-file --verify-diagnostics

// Plans that somebody wrote.

!gates = !memory.buffer<tensor<2x1x1x8xf32>, [8, 8, 8, 1], 0, 64>
!matrix = !memory.buffer<tensor<1x8x8xf32>, [64, 8, 1], 0, 256>
!result = !memory.buffer<tensor<2x1x1x8xf32>, [8, 8, 8, 1], 0, 64>
func.func @plan(%g: tensor<2x1x1x8xf32>, %m: tensor<1x8x8xf32>) -> tensor<2x1x1x8xf32> {
  // expected-error@+1 {{a recurrence has bad rows or units}}
  %0 = kernel.group(%g, %m) {buffers = [!gates, !matrix, !result], plan = #kernel.plan<"gpu_recurrent", {rows = 1, units = 64, packed = 0}>} : (tensor<2x1x1x8xf32>, tensor<1x8x8xf32>) -> tensor<2x1x1x8xf32> {
  ^bb0(%a: tensor<2x1x1x8xf32>, %b: tensor<1x8x8xf32>):
    %1:3 = "graph.recurrence"(%a, %b) <{operandSegmentSizes = array<i32: 1, 1, 0, 0, 0, 0, 0>, cell = #graph<cell rnn>, direction = #graph<direction forward>, activations = ["Tanh"]}> : (tensor<2x1x1x8xf32>, tensor<1x8x8xf32>) -> (tensor<2x1x1x8xf32>, tensor<1x1x8xf32>, tensor<1x1x8xf32>)
    kernel.yield %1#0 : tensor<2x1x1x8xf32>
  }
  return %0 : tensor<2x1x1x8xf32>
}

// -----

!gates = !memory.buffer<tensor<2x2x1x8xf32>, [16, 8, 8, 1], 0, 128>
!matrix = !memory.buffer<tensor<2x8x8xf32>, [64, 8, 1], 0, 512>
!result = !memory.buffer<tensor<2x2x1x8xf32>, [16, 8, 8, 1], 0, 128>
func.func @functions(%g: tensor<2x2x1x8xf32>, %m: tensor<2x8x8xf32>) -> tensor<2x2x1x8xf32> {
  // expected-error@+1 {{has directions with different functions}}
  %0 = kernel.group(%g, %m) {buffers = [!gates, !matrix, !result], plan = #kernel.plan<"gpu_recurrent", {rows = 1, units = 8, packed = 0}>} : (tensor<2x2x1x8xf32>, tensor<2x8x8xf32>) -> tensor<2x2x1x8xf32> {
  ^bb0(%a: tensor<2x2x1x8xf32>, %b: tensor<2x8x8xf32>):
    %1:3 = "graph.recurrence"(%a, %b) <{operandSegmentSizes = array<i32: 1, 1, 0, 0, 0, 0, 0>, cell = #graph<cell rnn>, direction = #graph<direction bidirectional>, activations = ["Relu", "Tanh"]}> : (tensor<2x2x1x8xf32>, tensor<2x8x8xf32>) -> (tensor<2x2x1x8xf32>, tensor<2x1x8xf32>, tensor<2x1x8xf32>)
    kernel.yield %1#0 : tensor<2x2x1x8xf32>
  }
  return %0 : tensor<2x2x1x8xf32>
}

// -----

!gates = !memory.buffer<tensor<2x1x1x8xf32>, [8, 8, 8, 1], 0, 64>
!matrix = !memory.buffer<tensor<1x8x8xf32>, [64, 8, 1], 0, 256>
!result = !memory.buffer<tensor<2x1x1x8xf32>, [8, 8, 8, 1], 0, 64>
func.func @scratch(%g: tensor<2x1x1x8xf32>, %m: tensor<1x8x8xf32>) -> tensor<2x1x1x8xf32> {
  // expected-error@+1 {{has no scratch for states that blocks tell each other}}
  %0 = kernel.group(%g, %m) {buffers = [!gates, !matrix, !result], plan = #kernel.plan<"gpu_recurrent", {rows = 1, units = 8, packed = 0}>} : (tensor<2x1x1x8xf32>, tensor<1x8x8xf32>) -> tensor<2x1x1x8xf32> {
  ^bb0(%a: tensor<2x1x1x8xf32>, %b: tensor<1x8x8xf32>):
    %1:3 = "graph.recurrence"(%a, %b) <{operandSegmentSizes = array<i32: 1, 1, 0, 0, 0, 0, 0>, cell = #graph<cell rnn>, direction = #graph<direction forward>, activations = ["Tanh"]}> : (tensor<2x1x1x8xf32>, tensor<1x8x8xf32>) -> (tensor<2x1x1x8xf32>, tensor<1x1x8xf32>, tensor<1x1x8xf32>)
    kernel.yield %1#0 : tensor<2x1x1x8xf32>
  }
  return %0 : tensor<2x1x1x8xf32>
}
