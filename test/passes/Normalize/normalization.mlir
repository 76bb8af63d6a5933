// RUN: tenon-opt %s -split-input-file -tenon-normalize-onnx | FileCheck %s

// CHECK-LABEL: func.func @main
// CHECK: graph.add %arg4
// CHECK: graph.sqrt
// CHECK: %[[F:.*]] = graph.div %arg1
// CHECK: %[[P:.*]] = graph.mul %arg3, %[[F]]
// CHECK: %[[S:.*]] = graph.sub %arg2, %[[P]]
// CHECK: graph.reshape %[[F]] : (tensor<3xf32>) -> tensor<1x3x1x1xf32>
// CHECK: graph.mul %arg0
// CHECK: graph.reshape %[[S]]
// CHECK: graph.add
func.func @main(%x: tensor<1x3x4x4xf32>, %scale: tensor<3xf32>, %bias: tensor<3xf32>, %mean: tensor<3xf32>, %var: tensor<3xf32>) -> tensor<1x3x4x4xf32> {
  %0 = "onnx.BatchNormalization"(%x, %scale, %bias, %mean, %var)
    : (tensor<1x3x4x4xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>) -> tensor<1x3x4x4xf32>
  return %0 : tensor<1x3x4x4xf32>
}

// -----

// In training the batch has its own mean and variance, which others follow.
// CHECK-LABEL: func.func @main
// CHECK: %[[M:.*]] = graph.reduce_mean %arg0 {axes = array<i64: 0, 2, 3>}
// CHECK: %[[C:.*]] = graph.sub %arg0, %[[M]]
// CHECK: %[[Q:.*]] = graph.mul %[[C]], %[[C]]
// CHECK: %[[V:.*]] = graph.reduce_mean %[[Q]] {axes = array<i64: 0, 2, 3>}
// CHECK: graph.rsqrt
// CHECK: graph.reshape %[[M]] : (tensor<1x3x1x1xf32>) -> tensor<3xf32>
// CHECK: graph.reshape %[[V]] : (tensor<1x3x1x1xf32>) -> tensor<3xf32>
func.func @main(%x: tensor<2x3x4x4xf32>, %scale: tensor<3xf32>, %bias: tensor<3xf32>, %mean: tensor<3xf32>, %var: tensor<3xf32>) -> (tensor<2x3x4x4xf32>, tensor<3xf32>, tensor<3xf32>) {
  %0, %1, %2 = "onnx.BatchNormalization"(%x, %scale, %bias, %mean, %var) {training_mode = 1 : i64}
    : (tensor<2x3x4x4xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>) -> (tensor<2x3x4x4xf32>, tensor<3xf32>, tensor<3xf32>)
  return %0, %1, %2 : tensor<2x3x4x4xf32>, tensor<3xf32>, tensor<3xf32>
}

// -----

// Half precision is normalised in f32; mean and deviation only where read.
// CHECK-LABEL: func.func @main
// CHECK: graph.layer_norm {{.*}} : (tensor<2x8xf32>, tensor<8xf32>, tensor<8xf32>) -> tensor<2x8xf32>
// CHECK: graph.cast {{.*}} -> tensor<2x8xf16>
// CHECK: %[[M:.*]] = graph.reduce_mean
// CHECK-NOT: rsqrt
// CHECK: return %{{.*}}, %[[M]]
func.func @main(%x: tensor<2x8xf16>, %scale: tensor<8xf16>, %bias: tensor<8xf16>) -> (tensor<2x8xf16>, tensor<2x1xf32>) {
  %0, %1 = "onnx.LayerNormalization"(%x, %scale, %bias) : (tensor<2x8xf16>, tensor<8xf16>, tensor<8xf16>) -> (tensor<2x8xf16>, tensor<2x1xf32>)
  return %0, %1 : tensor<2x8xf16>, tensor<2x1xf32>
}

// -----

// CHECK-LABEL: func.func @main
// CHECK: graph.layer_norm {{.*}} {axis = 2 : i64, epsilon
// CHECK: graph.reshape %arg0 : (tensor<1x4x5x5xf32>) -> tensor<1x2x2x5x5xf32>
// CHECK: graph.layer_norm {{.*}} {axis = 2 : i64
// CHECK: graph.rsqrt
// CHECK: graph.lrn %arg0 {{{.*}}size = 3 : i64}
func.func @main(%x: tensor<1x4x5x5xf32>, %scale: tensor<4xf32>, %w: tensor<5xf32>)
    -> (tensor<1x4x5x5xf32>, tensor<1x4x5x5xf32>, tensor<1x4x5x5xf32>, tensor<1x4x5x5xf32>) {
  %0 = "onnx.InstanceNormalization"(%x, %scale, %scale) : (tensor<1x4x5x5xf32>, tensor<4xf32>, tensor<4xf32>) -> tensor<1x4x5x5xf32>
  %1 = "onnx.GroupNormalization"(%x, %scale, %scale) {num_groups = 2 : i64} : (tensor<1x4x5x5xf32>, tensor<4xf32>, tensor<4xf32>) -> tensor<1x4x5x5xf32>
  %2 = "onnx.RMSNormalization"(%x, %w) : (tensor<1x4x5x5xf32>, tensor<5xf32>) -> tensor<1x4x5x5xf32>
  %3 = "onnx.LRN"(%x) {size = 3 : i64} : (tensor<1x4x5x5xf32>) -> tensor<1x4x5x5xf32>
  return %0, %1, %2, %3 : tensor<1x4x5x5xf32>, tensor<1x4x5x5xf32>, tensor<1x4x5x5xf32>, tensor<1x4x5x5xf32>
}
