// RUN: tenon-opt %s -tenon-shrink-splats | FileCheck %s
// RUN: tenon-opt %s -tenon-shrink-splats="max-weight-bytes=1024 max-matrix-bytes=1024" | FileCheck %s --check-prefix=WEIGHTS

// Element-wise operations broadcast by themselves; one whose result gets its
// extents from the splat reads a broadcast beside it. A page is left alone.
// CHECK-LABEL: func @elementwise
// CHECK: %[[S:.*]] = graph.constant dense<2.000000e+00> : tensor<f32>
// CHECK-NOT: graph.constant dense<2.000000e+00> : tensor<512x64xf32>
// CHECK: graph.mul %arg0, %[[S]] : (tensor<512x64xf32>, tensor<f32>)
// CHECK: %[[B:.*]] = graph.broadcast %[[S]] : (tensor<f32>) -> tensor<512x64xf32>
// CHECK-NEXT: graph.mul %arg1, %[[B]]
// CHECK: graph.add %{{.*}}, %{{.*}} : (tensor<16x64xf32>, tensor<16x64xf32>)
func.func @elementwise(%x: tensor<512x64xf32>, %y: tensor<512x1xf32>, %z: tensor<16x64xf32>)
    -> (tensor<512x64xf32>, tensor<512x64xf32>, tensor<16x64xf32>) {
  %0 = graph.constant dense<2.0> : tensor<512x64xf32>
  %1 = graph.mul %x, %0 : (tensor<512x64xf32>, tensor<512x64xf32>) -> tensor<512x64xf32>
  %2 = graph.mul %y, %0 : (tensor<512x1xf32>, tensor<512x64xf32>) -> tensor<512x64xf32>
  %3 = graph.constant dense<3.0> : tensor<16x64xf32>
  %4 = graph.add %z, %3 : (tensor<16x64xf32>, tensor<16x64xf32>) -> tensor<16x64xf32>
  return %1, %2, %4 : tensor<512x64xf32>, tensor<512x64xf32>, tensor<16x64xf32>
}

// Weights stay, unless they are many: then a product is a sum of rows, and a
// convolution reads what is made at each run.
// CHECK-LABEL: func @weights
// CHECK: %[[W:.*]] = graph.constant dense<2.000000e+00> : tensor<64x32xf32>
// CHECK: graph.matmul %arg0, %[[W]]
// CHECK: %[[F:.*]] = graph.constant dense<3.000000e+00> : tensor<8x64x3x3xf32>
// CHECK: graph.conv %arg1, %[[F]]
// WEIGHTS-LABEL: func @weights
// WEIGHTS: %[[M:.*]] = graph.mul %arg0, %{{.*}} : (tensor<4x64xf32>, tensor<f32>)
// WEIGHTS: %[[R:.*]] = graph.reduce_sum %[[M]] {axes = array<i64: 1>} : (tensor<4x64xf32>) -> tensor<4x1xf32>
// WEIGHTS: graph.broadcast %[[R]] : (tensor<4x1xf32>) -> tensor<4x32xf32>
// WEIGHTS: graph.broadcast %{{.*}} : (tensor<f32>) -> tensor<8x64x3x3xf32>
func.func @weights(%x: tensor<4x64xf32>, %y: tensor<1x64x9x9xf32>) -> (tensor<4x32xf32>, tensor<1x8x7x7xf32>) {
  %0 = graph.constant dense<2.0> : tensor<64x32xf32>
  %1 = graph.matmul %x, %0 : (tensor<4x64xf32>, tensor<64x32xf32>) -> tensor<4x32xf32>
  %2 = graph.constant dense<3.0> : tensor<8x64x3x3xf32>
  %3 = graph.conv %y, %2 {strides = array<i64: 1, 1>, pads = array<i64: 0, 0, 0, 0>, dilations = array<i64: 1, 1>, group = 1 : i64}
    : (tensor<1x64x9x9xf32>, tensor<8x64x3x3xf32>) -> tensor<1x8x7x7xf32>
  return %1, %3 : tensor<4x32xf32>, tensor<1x8x7x7xf32>
}

// Whatever else reads one shares a broadcast.
// CHECK-LABEL: func @others
// CHECK: %[[B:.*]] = graph.broadcast %{{.*}} : (tensor<i64>) -> tensor<4096xi64>
// CHECK-NOT: graph.broadcast
// CHECK: graph.concat %arg0, %[[B]]
// CHECK: return %[[B]]
func.func @others(%x: tensor<1xi64>) -> (tensor<4096xi64>, tensor<4097xi64>) {
  %0 = graph.constant dense<5> : tensor<4096xi64>
  %1 = graph.concat %x, %0 {axis = 0 : i64} : (tensor<1xi64>, tensor<4096xi64>) -> tensor<4097xi64>
  return %0, %1 : tensor<4096xi64>, tensor<4097xi64>
}
