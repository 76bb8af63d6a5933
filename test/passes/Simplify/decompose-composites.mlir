// RUN: tenon-opt %s -tenon-decompose-composites | FileCheck %s

// CHECK-LABEL: func @softmax
// CHECK-NEXT: %[[M:.*]] = graph.reduce_max %arg0 {axes = array<i64: 1>
// CHECK-NEXT: %[[S:.*]] = graph.sub %arg0, %[[M]]
// CHECK-NEXT: %[[E:.*]] = graph.exp %[[S]]
// CHECK-NEXT: %[[T:.*]] = graph.reduce_sum %[[E]]
// CHECK-NEXT: %[[R:.*]] = graph.reciprocal %[[T]]
// CHECK-NEXT: graph.mul %[[E]], %[[R]]
func.func @softmax(%x: tensor<2x8xf32>) -> tensor<2x8xf32> {
  %0 = graph.softmax %x {axis = 1 : i64} : (tensor<2x8xf32>) -> tensor<2x8xf32>
  return %0 : tensor<2x8xf32>
}

// Parts of 16 bits would round each.
// CHECK-LABEL: func @softmax_half
// CHECK-NEXT: %[[W:.*]] = graph.cast %arg0 : (tensor<2x8xf16>) -> tensor<2x8xf32>
// CHECK-NEXT: graph.reduce_max %[[W]]
// CHECK-NOT: f16
// CHECK: %[[R:.*]] = graph.mul
// CHECK-NEXT: %[[H:.*]] = graph.cast %[[R]] : (tensor<2x8xf32>) -> tensor<2x8xf16>
// CHECK-NEXT: return %[[H]]
func.func @softmax_half(%x: tensor<2x8xf16>) -> tensor<2x8xf16> {
  %0 = graph.softmax %x {axis = 1 : i64} : (tensor<2x8xf16>) -> tensor<2x8xf16>
  return %0 : tensor<2x8xf16>
}

// CHECK-LABEL: func @layer_norm
// CHECK: graph.reduce_mean
// CHECK: graph.reduce_mean
// CHECK: graph.rsqrt
// CHECK: graph.add %{{.*}}, %arg2
// CHECK-NOT: graph.layer_norm
func.func @layer_norm(%x: tensor<2x8xf32>, %s: tensor<8xf32>, %b: tensor<8xf32>) -> tensor<2x8xf32> {
  %0 = graph.layer_norm %x, %s, %b {axis = 1 : i64, epsilon = 1.0e-5 : f32}
    : (tensor<2x8xf32>, tensor<8xf32>, tensor<8xf32>) -> tensor<2x8xf32>
  return %0 : tensor<2x8xf32>
}

// CHECK-LABEL: func @lrn
// CHECK: graph.lrn
func.func @lrn(%x: tensor<1x4x2x2xf32>) -> tensor<1x4x2x2xf32> {
  %0 = graph.lrn %x {size = 3 : i64, alpha = 1.0e-4 : f32, beta = 0.75 : f32, bias = 1.0 : f32}
    : (tensor<1x4x2x2xf32>) -> tensor<1x4x2x2xf32>
  return %0 : tensor<1x4x2x2xf32>
}

// CHECK-LABEL: func @recurrent
// CHECK: graph.matmul
// CHECK: graph.recurrence
// CHECK-NOT: graph.recurrent
func.func @recurrent(%x: tensor<7x2x3xf32>, %w: tensor<1x20x3xf32>, %r: tensor<1x20x5xf32>) -> tensor<7x1x2x5xf32> {
  %0:3 = graph.recurrent %x, %w, %r {cell = #graph<cell lstm>, direction = #graph<direction forward>,
    activations = ["Sigmoid", "Tanh", "Tanh"], operandSegmentSizes = array<i32: 1, 1, 1, 0, 0, 0, 0, 0>}
    : (tensor<7x2x3xf32>, tensor<1x20x3xf32>, tensor<1x20x5xf32>)
    -> (tensor<7x1x2x5xf32>, tensor<1x2x5xf32>, tensor<1x2x5xf32>)
  return %0#0 : tensor<7x1x2x5xf32>
}

// CHECK-LABEL: func @layer_norm_half
// CHECK-DAG: graph.cast %arg0 : (tensor<2x8xbf16>) -> tensor<2x8xf32>
// CHECK-DAG: graph.cast %arg1 : (tensor<8xbf16>) -> tensor<8xf32>
// CHECK: graph.reduce_mean {{.*}} -> tensor<2x1xf32>
// CHECK: graph.rsqrt
// CHECK: graph.cast {{.*}} : (tensor<2x8xf32>) -> tensor<2x8xbf16>
func.func @layer_norm_half(%x: tensor<2x8xbf16>, %s: tensor<8xbf16>) -> tensor<2x8xbf16> {
  %0 = graph.layer_norm %x, %s {axis = 1 : i64, epsilon = 1.0e-5 : f32}
    : (tensor<2x8xbf16>, tensor<8xbf16>) -> tensor<2x8xbf16>
  return %0 : tensor<2x8xbf16>
}
