// RUN: tenon-opt %s --tenon-plan-kernels=target=avx2 --tenon-form-views --tenon-assign-buffers=target=avx2 --tenon-lower-kernels=target=avx2 --tenon-verify-codegen --split-input-file | FileCheck %s

// Both operands are read where the result is stored; the row is not.
// CHECK-LABEL: func.func @main
// CHECK: kernel.launch {{.*}} in_place = array<i64: 0, 0, 1, 0>, nodes
func.func @main(%x: tensor<4x8xf32>, %y: tensor<4x8xf32>, %row: tensor<8xf32>) -> tensor<4x8xf32> {
  %0 = kernel.group(%x, %y, %row) : (tensor<4x8xf32>, tensor<4x8xf32>, tensor<8xf32>) -> tensor<4x8xf32> {
  ^bb0(%a: tensor<4x8xf32>, %b: tensor<4x8xf32>, %c: tensor<8xf32>):
    %1 = graph.add %a, %b : (tensor<4x8xf32>, tensor<4x8xf32>) -> tensor<4x8xf32>
    %2 = graph.mul %1, %c : (tensor<4x8xf32>, tensor<8xf32>) -> tensor<4x8xf32>
    kernel.yield %2 : tensor<4x8xf32>
  }
  return %0 : tensor<4x8xf32>
}

// -----

// Every stage of a softmax reads its row before the last one writes it.
// CHECK-LABEL: func.func @main
// CHECK: kernel.launch {{.*}} in_place = array<i64: 0, 0>, nodes
func.func @main(%x: tensor<4x64xf32>) -> tensor<4x64xf32> {
  %0 = kernel.group(%x) : (tensor<4x64xf32>) -> tensor<4x64xf32> {
  ^bb0(%a: tensor<4x64xf32>):
    %1 = graph.reduce_max %a {axes = array<i64: 1>, keep_dims = true} : (tensor<4x64xf32>) -> tensor<4x1xf32>
    %2 = graph.sub %a, %1 : (tensor<4x64xf32>, tensor<4x1xf32>) -> tensor<4x64xf32>
    kernel.yield %2 : tensor<4x64xf32>
  }
  return %0 : tensor<4x64xf32>
}

// -----

// The second result reads `x` again after the first is stored: only the second
// lies on it. Where rows are reduced, no one of two does.
// CHECK-LABEL: func.func @main
// CHECK: kernel.launch {{.*}} in_place = array<i64: 1, 0, 0, 1, 1, 1>, nodes
// CHECK: kernel.launch
// CHECK-NOT: in_place
// CHECK: nodes
func.func @main(%x: tensor<4x8xf32>, %y: tensor<4x8xf32>) -> (tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>) {
  %0:2 = kernel.group(%x, %y) : (tensor<4x8xf32>, tensor<4x8xf32>) -> (tensor<4x8xf32>, tensor<4x8xf32>) {
  ^bb0(%a: tensor<4x8xf32>, %b: tensor<4x8xf32>):
    %1 = graph.relu %b : (tensor<4x8xf32>) -> tensor<4x8xf32>
    %2 = graph.add %a, %1 : (tensor<4x8xf32>, tensor<4x8xf32>) -> tensor<4x8xf32>
    kernel.yield %1, %2 : tensor<4x8xf32>, tensor<4x8xf32>
  }
  %3:2 = kernel.group(%x, %y) : (tensor<4x8xf32>, tensor<4x8xf32>) -> (tensor<4x8xf32>, tensor<4x8xf32>) {
  ^bb0(%a: tensor<4x8xf32>, %b: tensor<4x8xf32>):
    %1 = graph.reduce_max %a {axes = array<i64: 1>, keep_dims = true} : (tensor<4x8xf32>) -> tensor<4x1xf32>
    %2 = graph.sub %a, %1 : (tensor<4x8xf32>, tensor<4x1xf32>) -> tensor<4x8xf32>
    %4 = graph.mul %a, %b : (tensor<4x8xf32>, tensor<4x8xf32>) -> tensor<4x8xf32>
    kernel.yield %2, %4 : tensor<4x8xf32>, tensor<4x8xf32>
  }
  return %0#0, %0#1, %3#0, %3#1 : tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>
}

// -----

// Read elsewhere (a transposition); wider results; results of rows.
// CHECK-LABEL: func.func @main
// CHECK-NOT: in_place
// CHECK: return
func.func @main(%x: tensor<8x8xf32>) -> (tensor<8x8xf32>, tensor<8x8xf64>, tensor<8xf32>) {
  %0 = kernel.group(%x) : (tensor<8x8xf32>) -> tensor<8x8xf32> {
  ^bb0(%a: tensor<8x8xf32>):
    %1 = graph.transpose %a {permutation = array<i64: 1, 0>} : (tensor<8x8xf32>) -> tensor<8x8xf32>
    kernel.yield %1 : tensor<8x8xf32>
  }
  %3 = kernel.group(%x) : (tensor<8x8xf32>) -> tensor<8x8xf64> {
  ^bb0(%a: tensor<8x8xf32>):
    %1 = graph.cast %a : (tensor<8x8xf32>) -> tensor<8x8xf64>
    kernel.yield %1 : tensor<8x8xf64>
  }
  %4 = kernel.group(%x) : (tensor<8x8xf32>) -> tensor<8xf32> {
  ^bb0(%a: tensor<8x8xf32>):
    %1 = graph.reduce_max %a {axes = array<i64: 1>, keep_dims = false} : (tensor<8x8xf32>) -> tensor<8xf32>
    kernel.yield %1 : tensor<8xf32>
  }
  return %0, %3, %4 : tensor<8x8xf32>, tensor<8x8xf64>, tensor<8xf32>
}

// -----

// The residual of a product, but neither its operands nor its bias.
// CHECK-LABEL: func.func @main
// CHECK: kernel.launch {{.*}} in_place = array<i64: 3, 0>, nodes
// CHECK: kernel.launch
// CHECK-NOT: in_place
// CHECK: nodes
func.func @main(%x: tensor<8x8xf32>, %y: tensor<8x8xf32>, %bias: tensor<8xf32>, %z: tensor<8x8xf32>) -> (tensor<8x8xf32>, tensor<8x8xf32>) {
  %0 = kernel.group(%x, %y, %bias, %z) : (tensor<8x8xf32>, tensor<8x8xf32>, tensor<8xf32>, tensor<8x8xf32>) -> tensor<8x8xf32> {
  ^bb0(%a: tensor<8x8xf32>, %b: tensor<8x8xf32>, %c: tensor<8xf32>, %d: tensor<8x8xf32>):
    %1 = graph.matmul %a, %b : (tensor<8x8xf32>, tensor<8x8xf32>) -> tensor<8x8xf32>
    %2 = graph.add %1, %c : (tensor<8x8xf32>, tensor<8xf32>) -> tensor<8x8xf32>
    %3 = graph.add %2, %d : (tensor<8x8xf32>, tensor<8x8xf32>) -> tensor<8x8xf32>
    kernel.yield %3 : tensor<8x8xf32>
  }
  %4 = kernel.group(%x, %y) : (tensor<8x8xf32>, tensor<8x8xf32>) -> tensor<8x8xf32> {
  ^bb0(%a: tensor<8x8xf32>, %b: tensor<8x8xf32>):
    %1 = graph.matmul %a, %b : (tensor<8x8xf32>, tensor<8x8xf32>) -> tensor<8x8xf32>
    %2 = graph.add %1, %a : (tensor<8x8xf32>, tensor<8x8xf32>) -> tensor<8x8xf32>
    kernel.yield %2 : tensor<8x8xf32>
  }
  return %0, %4 : tensor<8x8xf32>, tensor<8x8xf32>
}

// -----

// The residual of a window (channels are neighbours), at the result's place.
// CHECK-LABEL: func.func @main
// CHECK: kernel.launch {{.*}} in_place = array<i64: 1, 0>, nodes
func.func @main(%x: tensor<1x8x4x4xf32>, %z: tensor<1x8x4x4xf32>) -> tensor<1x8x4x4xf32> {
  %t = kernel.group(%x) : (tensor<1x8x4x4xf32>) -> tensor<1x4x4x8xf32> {
  ^bb0(%a: tensor<1x8x4x4xf32>):
    %1 = graph.transpose %a {permutation = array<i64: 0, 2, 3, 1>} : (tensor<1x8x4x4xf32>) -> tensor<1x4x4x8xf32>
    kernel.yield %1 : tensor<1x4x4x8xf32>
  }
  %u = graph.reshape %z : (tensor<1x8x4x4xf32>) -> tensor<1x4x4x8xf32>
  %0 = kernel.group(%t, %u) : (tensor<1x4x4x8xf32>, tensor<1x4x4x8xf32>) -> tensor<1x4x4x8xf32> {
  ^bb0(%a: tensor<1x4x4x8xf32>, %b: tensor<1x4x4x8xf32>):
    %1 = graph.max_pool %a {kernel = array<i64: 3, 3>, strides = array<i64: 1, 1>, pads = array<i64: 1, 1, 1, 1>, dilations = array<i64: 1, 1>, layout = #graph<layout nhwc>} : (tensor<1x4x4x8xf32>) -> tensor<1x4x4x8xf32>
    %2 = graph.add %1, %b : (tensor<1x4x4x8xf32>, tensor<1x4x4x8xf32>) -> tensor<1x4x4x8xf32>
    kernel.yield %2 : tensor<1x4x4x8xf32>
  }
  %y = graph.reshape %0 : (tensor<1x4x4x8xf32>) -> tensor<1x8x4x4xf32>
  return %y : tensor<1x8x4x4xf32>
}
