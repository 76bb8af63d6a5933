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
