// RUN: tenon-opt %s --tenon-verify-fuse --split-input-file --verify-diagnostics

// Constants, reshapes, groups and the return are all that may be left.
func.func @good(%x: tensor<4xf32>) -> tensor<2x2xf32> {
  %0 = kernel.group(%x) : (tensor<4xf32>) -> tensor<4xf32> {
  ^bb0(%a: tensor<4xf32>):
    %1 = graph.relu %a : (tensor<4xf32>) -> tensor<4xf32>
    kernel.yield %1 : tensor<4xf32>
  }
  %2 = graph.reshape %0 : (tensor<4xf32>) -> tensor<2x2xf32>
  return %2 : tensor<2x2xf32>
}

// -----

func.func @outside(%x: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error @+1 {{'graph.relu' is outside of any group}}
  %0 = graph.relu %x : (tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

func.func @anchors(%x: tensor<4x4xf32>) -> tensor<4x4xf32> {
  // expected-error @+1 {{has 2 anchors}}
  %0 = kernel.group(%x) : (tensor<4x4xf32>) -> tensor<4x4xf32> {
  ^bb0(%a: tensor<4x4xf32>):
    %1 = graph.matmul %a, %a : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
    %2 = graph.matmul %1, %a : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
    kernel.yield %2 : tensor<4x4xf32>
  }
  return %0 : tensor<4x4xf32>
}

// -----

func.func @recurrence(%x: tensor<16x1x1x8xf32>, %w: tensor<1x2x8xf32>) -> tensor<16x1x1x2xf32> {
  // expected-error @+1 {{has stages that state no accesses}}
  %r = kernel.group(%x, %w) {tile = #kernel.tile<dims = [], sizes = []>} : (tensor<16x1x1x8xf32>, tensor<1x2x8xf32>) -> tensor<16x1x1x2xf32> {
  ^bb0(%a: tensor<16x1x1x8xf32>, %b: tensor<1x2x8xf32>):
    %s = kernel.stage(%a, %b) : (tensor<16x1x1x8xf32>, tensor<1x2x8xf32>) -> tensor<16x1x1x2xf32> {
    ^bb0(%i: tensor<16x1x1x8xf32>, %f: tensor<1x2x8xf32>):
      %0:3 = "graph.recurrence"(%i, %f) <{operandSegmentSizes = array<i32: 1, 1, 0, 0, 0, 0, 0>, cell = #graph<cell lstm>, direction = #graph<direction forward>, activations = ["Sigmoid", "Tanh", "Tanh"]}> : (tensor<16x1x1x8xf32>, tensor<1x2x8xf32>) -> (tensor<16x1x1x2xf32>, tensor<1x1x2xf32>, tensor<1x1x2xf32>)
      kernel.yield %0#0 : tensor<16x1x1x2xf32>
    }
    kernel.yield %s : tensor<16x1x1x2xf32>
  }
  return %r : tensor<16x1x1x2xf32>
}
