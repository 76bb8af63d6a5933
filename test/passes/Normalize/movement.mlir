// RUN: tenon-opt %s -split-input-file -tenon-normalize-onnx | FileCheck %s

// Positions count from the end, are clamped, and may run backwards.
// CHECK-LABEL: func.func @main
// CHECK: graph.slice %arg0 {sizes = array<i64: 2, 4>, starts = array<i64: 0, 1>, steps = array<i64: 1, 1>}
// CHECK: graph.slice %arg0 {sizes = array<i64: 2, 3>, starts = array<i64: 0, 4>, steps = array<i64: 1, -2>}
// CHECK: return %{{.*}}, %{{.*}}, %arg0
func.func @main(%x: tensor<2x5xf32>) -> (tensor<2x4xf32>, tensor<2x3xf32>, tensor<2x5xf32>) {
  %axis = "onnx.Constant"() {value = dense<-1> : tensor<1xi64>} : () -> tensor<1xi64>
  %one = "onnx.Constant"() {value = dense<1> : tensor<1xi64>} : () -> tensor<1xi64>
  %zero = "onnx.Constant"() {value = dense<0> : tensor<1xi64>} : () -> tensor<1xi64>
  %far = "onnx.Constant"() {value = dense<9223372036854775807> : tensor<1xi64>} : () -> tensor<1xi64>
  %low = "onnx.Constant"() {value = dense<-9223372036854775807> : tensor<1xi64>} : () -> tensor<1xi64>
  %back = "onnx.Constant"() {value = dense<-2> : tensor<1xi64>} : () -> tensor<1xi64>
  %0 = "onnx.Slice"(%x, %one, %far, %axis) : (tensor<2x5xf32>, tensor<1xi64>, tensor<1xi64>, tensor<1xi64>) -> tensor<2x4xf32>
  %1 = "onnx.Slice"(%x, %far, %low, %axis, %back) : (tensor<2x5xf32>, tensor<1xi64>, tensor<1xi64>, tensor<1xi64>, tensor<1xi64>) -> tensor<2x3xf32>
  %2 = "onnx.Slice"(%x, %zero, %far, %axis) : (tensor<2x5xf32>, tensor<1xi64>, tensor<1xi64>, tensor<1xi64>) -> tensor<2x5xf32>
  return %0, %1, %2 : tensor<2x4xf32>, tensor<2x3xf32>, tensor<2x5xf32>
}

// -----

// Equal parts, the last one smaller; no slice for what nobody reads.
// CHECK-LABEL: func.func @main
// CHECK-NEXT: graph.slice {{.*}} -> tensor<3xf32>
// CHECK-NEXT: graph.slice {{.*}}starts = array<i64: 6>{{.*}} -> tensor<1xf32>
// CHECK-NEXT: return
func.func @main(%x: tensor<7xf32>) -> (tensor<3xf32>, tensor<1xf32>) {
  %0, %1, %2 = "onnx.Split"(%x) {num_outputs = 3 : i64} : (tensor<7xf32>) -> (tensor<3xf32>, tensor<3xf32>, tensor<1xf32>)
  return %0, %2 : tensor<3xf32>, tensor<1xf32>
}

// -----

// CHECK-LABEL: func.func @main
// CHECK: graph.broadcast %arg0 : (tensor<2x1xf32>) -> tensor<3x2x4xf32>
// CHECK: graph.reshape %arg0 : (tensor<2x1xf32>) -> tensor<1x2x1x1xf32>
// CHECK: graph.broadcast %{{.*}} -> tensor<3x2x2x1xf32>
// CHECK: graph.reshape %{{.*}} -> tensor<6x2xf32>
func.func @main(%x: tensor<2x1xf32>) -> (tensor<3x2x4xf32>, tensor<6x2xf32>) {
  %shape = "onnx.Constant"() {value = dense<[3, 1, 4]> : tensor<3xi64>} : () -> tensor<3xi64>
  %repeats = "onnx.Constant"() {value = dense<[3, 2]> : tensor<2xi64>} : () -> tensor<2xi64>
  %0 = "onnx.Expand"(%x, %shape) : (tensor<2x1xf32>, tensor<3xi64>) -> tensor<3x2x4xf32>
  %1 = "onnx.Tile"(%x, %repeats) : (tensor<2x1xf32>, tensor<2xi64>) -> tensor<6x2xf32>
  return %0, %1 : tensor<3x2x4xf32>, tensor<6x2xf32>
}

// -----

// Pads of some axes only; no pads, no operation.
// CHECK-LABEL: func.func @main
// CHECK: graph.pad %arg0, %{{.*}} {high = array<i64: 0, 2>, low = array<i64: 0, 1>}
// CHECK: graph.pad %arg0 {high = array<i64: 0, 2>, low = array<i64: 0, 1>, mode = #graph<pad_mode edge>
func.func @main(%x: tensor<2x3xf32>) -> (tensor<2x6xf32>, tensor<2x6xf32>) {
  %none = "onnx.NoValue"() : () -> none
  %pads = "onnx.Constant"() {value = dense<[1, 2]> : tensor<2xi64>} : () -> tensor<2xi64>
  %axes = "onnx.Constant"() {value = dense<-1> : tensor<1xi64>} : () -> tensor<1xi64>
  %0 = "onnx.Pad"(%x, %pads, %none, %axes) : (tensor<2x3xf32>, tensor<2xi64>, none, tensor<1xi64>) -> tensor<2x6xf32>
  %1 = "onnx.Pad"(%x, %pads, %none, %axes) {mode = "edge"} : (tensor<2x3xf32>, tensor<2xi64>, none, tensor<1xi64>) -> tensor<2x6xf32>
  return %0, %1 : tensor<2x6xf32>, tensor<2x6xf32>
}

// -----

// Sizes give scales, scales give sizes.
// CHECK-LABEL: func.func @main
// CHECK: graph.resize {{.*}}scales = array<f32: 1.000000e+00, 1.000000e+00, 1.500000e+00, 2.000000e+00>{{.*}} -> tensor<1x1x6x8xf32>
// CHECK: graph.resize {{.*}}scales = array<f32: 1.000000e+00, 1.000000e+00, 1.000000e+00, 6.000000e-01>{{.*}} -> tensor<1x1x4x2xf32>
func.func @main(%x: tensor<1x1x4x4xf32>) -> (tensor<1x1x6x8xf32>, tensor<1x1x4x2xf32>) {
  %none = "onnx.NoValue"() : () -> none
  %sizes = "onnx.Constant"() {value = dense<[6, 8]> : tensor<2xi64>} : () -> tensor<2xi64>
  %scales = "onnx.Constant"() {value = dense<[1.0, 1.0, 1.0, 0.6]> : tensor<4xf32>} : () -> tensor<4xf32>
  %0 = "onnx.Resize"(%x, %none, %none, %sizes) {axes = array<i64: 2, 3>, mode = "linear"} : (tensor<1x1x4x4xf32>, none, none, tensor<2xi64>) -> tensor<1x1x6x8xf32>
  %1 = "onnx.Resize"(%x, %none, %scales) {mode = "nearest"} : (tensor<1x1x4x4xf32>, none, tensor<4xf32>) -> tensor<1x1x4x2xf32>
  return %0, %1 : tensor<1x1x6x8xf32>, tensor<1x1x4x2xf32>
}

// -----

// CHECK-LABEL: func.func @main
// CHECK: graph.transpose %{{.*}} {permutation = array<i64: 0, 3, 4, 1, 5, 2>}
// CHECK: graph.transpose %{{.*}} {permutation = array<i64: 0, 1, 4, 2, 5, 3>}
// CHECK: graph.transpose %{{.*}} {permutation = array<i64: 0, 3, 5, 1, 2, 4>}
func.func @main(%x: tensor<1x8x4x6xf32>) -> (tensor<1x2x8x12xf32>, tensor<1x2x8x12xf32>, tensor<1x32x2x3xf32>) {
  %0 = "onnx.DepthToSpace"(%x) {blocksize = 2 : i64} : (tensor<1x8x4x6xf32>) -> tensor<1x2x8x12xf32>
  %1 = "onnx.DepthToSpace"(%x) {blocksize = 2 : i64, mode = "CRD"} : (tensor<1x8x4x6xf32>) -> tensor<1x2x8x12xf32>
  %2 = "onnx.SpaceToDepth"(%x) {blocksize = 2 : i64} : (tensor<1x8x4x6xf32>) -> tensor<1x32x2x3xf32>
  return %0, %1, %2 : tensor<1x2x8x12xf32>, tensor<1x2x8x12xf32>, tensor<1x32x2x3xf32>
}

// -----

// Masks of constant positions are constants.
// CHECK-LABEL: func.func @main
// CHECK: graph.constant dense<{{\[}}[true, false, false], [true, true, false]]> : tensor<2x3xi1>
// CHECK: graph.select
func.func @main(%x: tensor<2x3xf32>) -> tensor<2x3xf32> {
  %0 = "onnx.Trilu"(%x) {upper = 0 : i64} : (tensor<2x3xf32>) -> tensor<2x3xf32>
  return %0 : tensor<2x3xf32>
}

// -----

// CHECK-LABEL: func.func @main
// CHECK: graph.gather %arg0, %arg1 {axis = 1 : i64}
// CHECK: graph.gather_elements %arg0, %{{.*}} {axis = 1 : i64}
// CHECK: graph.concat %arg0, %arg0 {axis = 0 : i64}
// CHECK: graph.transpose %arg0 {permutation = array<i64: 1, 0>}
func.func @main(%x: tensor<2x3xf32>, %i: tensor<4xi64>) -> (tensor<2x4xf32>, tensor<1x1xf32>, tensor<4x3xf32>, tensor<3x2xf32>) {
  %e = "onnx.Constant"() {value = dense<1> : tensor<1x1xi64>} : () -> tensor<1x1xi64>
  %0 = "onnx.Gather"(%x, %i) {axis = -1 : i64} : (tensor<2x3xf32>, tensor<4xi64>) -> tensor<2x4xf32>
  %1 = "onnx.GatherElements"(%x, %e) {axis = 1 : i64} : (tensor<2x3xf32>, tensor<1x1xi64>) -> tensor<1x1xf32>
  %2 = "onnx.Concat"(%x, %x) {axis = 0 : i64} : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<4x3xf32>
  %3 = "onnx.Transpose"(%x) : (tensor<2x3xf32>) -> tensor<3x2xf32>
  return %0, %1, %2, %3 : tensor<2x4xf32>, tensor<1x1xf32>, tensor<4x3xf32>, tensor<3x2xf32>
}

// -----

// A copied dimension of 0 leaves -1 what any other would.
// CHECK-LABEL: func.func @main
// CHECK: graph.reshape %arg0 : (tensor<8x0x20xf32>) -> tensor<8x0x2x10xf32>
func.func @main(%x: tensor<8x0x20xf32>) -> tensor<8x0x2x10xf32> {
  %s = "onnx.Constant"() {value = dense<[0, 0, 2, -1]> : tensor<4xi64>} : () -> tensor<4xi64>
  %0 = "onnx.Reshape"(%x, %s) : (tensor<8x0x20xf32>, tensor<4xi64>) -> tensor<8x0x2x10xf32>
  return %0 : tensor<8x0x2x10xf32>
}
