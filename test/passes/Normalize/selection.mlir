// RUN: tenon-opt %s -split-input-file -tenon-normalize-onnx | FileCheck %s

// A size that depends on data has the bounds that are known.
// CHECK: graph.symbols = {nonzero_0_1 = {max = 6 : i64, min = 0 : i64, multiple_of = 1 : i64}}
// CHECK-LABEL: func.func @main
// CHECK: control.call "nonzero"(%arg0) : (tensor<2x3xf32>) -> tensor<2x?xi64, #graph.dims<[2, "nonzero_0_1"]>>
func.func @main(%x: tensor<2x3xf32>) -> tensor<2x?xi64> {
  %0 = "onnx.NonZero"(%x) : (tensor<2x3xf32>) -> tensor<2x?xi64> loc("nonzero")
  return %0 : tensor<2x?xi64>
}

// -----

// Places that are known are numbers.
// CHECK-LABEL: func.func @main
// CHECK: graph.constant dense<{{\[}}[0, 1, 1], [1, 0, 2]]> : tensor<2x3xi64>
// CHECK-NOT: control.call
// CHECK: graph.iota {axis = 0 : i64
// CHECK: graph.iota {axis = 1 : i64
// CHECK: graph.concat {{.*}} -> tensor<2x?xi64, #graph.dims<[2, 3 * "n"]>>
func.func @main(%x: tensor<?x3xf32, #graph.dims<["n", 3]>>) -> (tensor<2x3xi64>, tensor<2x?xi64>) {
  %c = "onnx.Constant"() {value = dense<[[0, 1, 0], [5, 0, -1]]> : tensor<2x3xi32>} : () -> tensor<2x3xi32>
  %0 = "onnx.NonZero"(%c) : (tensor<2x3xi32>) -> tensor<2x3xi64>
  %s = "onnx.Shape"(%x) : (tensor<?x3xf32, #graph.dims<["n", 3]>>) -> tensor<2xi64>
  %o = "onnx.ConstantOfShape"(%s) {value = dense<1.0> : tensor<1xf32>} : (tensor<2xi64>) -> tensor<?x3xf32>
  %1 = "onnx.NonZero"(%o) : (tensor<?x3xf32>) -> tensor<2x?xi64>
  return %0, %1 : tensor<2x3xi64>, tensor<2x?xi64>
}

// -----

// CHECK-LABEL: func.func @main
// CHECK: control.call "compress"(%arg0, %arg1) integers [1, 0] : (tensor<4x3xf32>, tensor<3xi1>) -> tensor<?x3xf32, #graph.dims<["rows_0_0", 3]>>
// CHECK: %[[FLAT:.*]] = graph.reshape %arg0 : (tensor<4x3xf32>) -> tensor<12xf32>
// CHECK: control.call "compress"(%[[FLAT]], %arg1) integers [1, 0]
// CHECK: %[[PLACES:.*]] = graph.constant dense<[0, 2]> : tensor<2xi64>
// CHECK: graph.gather %arg0, %[[PLACES]] {axis = 1 : i64}
func.func @main(%x: tensor<4x3xf32>, %c: tensor<3xi1>) -> (tensor<?x3xf32>, tensor<?xf32>, tensor<4x2xf32>) {
  %k = "onnx.Constant"() {value = dense<[true, false, true]> : tensor<3xi1>} : () -> tensor<3xi1>
  %0 = "onnx.Compress"(%x, %c) {axis = 0 : i64} : (tensor<4x3xf32>, tensor<3xi1>) -> tensor<?x3xf32> loc("rows")
  %1 = "onnx.Compress"(%x, %c) : (tensor<4x3xf32>, tensor<3xi1>) -> tensor<?xf32>
  %2 = "onnx.Compress"(%x, %k) {axis = -1 : i64} : (tensor<4x3xf32>, tensor<3xi1>) -> tensor<4x2xf32>
  return %0, %1, %2 : tensor<?x3xf32>, tensor<?xf32>, tensor<4x2xf32>
}

// -----

// CHECK-LABEL: func.func @main
// CHECK: control.call "unique"(%arg0) integers [1, 1, 0]
// CHECK-SAME: -> (tensor<2x?xf32, #graph.dims<[2, "each_0_1"]>>, tensor<?xi64, #graph.dims<["each_0_1"]>>, tensor<5xi64>, tensor<?xi64, #graph.dims<["each_0_1"]>>)
func.func @main(%x: tensor<2x5xf32>) -> (tensor<2x?xf32>, tensor<5xi64>) {
  %0, %1, %2 = "onnx.Unique"(%x) {axis = 1 : i64, sorted = 0 : i64} : (tensor<2x5xf32>) -> (tensor<2x?xf32>, tensor<?xi64>, tensor<5xi64>) loc("each")
  return %0, %2 : tensor<2x?xf32>, tensor<5xi64>
}

// -----

// What is left out between operands is an optional that is empty. None at all
// are chosen where nobody says how many.
// CHECK-LABEL: func.func @main
// CHECK: %[[NONE:.*]] = control.call "optional"() : () -> !control.optional<tensor<f32>>
// CHECK: control.call "non_max_suppression"(%arg0, %arg1, %arg2, %[[NONE]], %arg3) integers [1] : {{.*}} -> tensor<?x3xi64, #graph.dims<["boxes_0_0", 3]>>
// CHECK: graph.constant dense<0> : tensor<0x3xi64>
func.func @main(%b: tensor<1x6x4xf32>, %s: tensor<1x2x6xf32>, %m: tensor<i64>, %t: tensor<f32>) -> (tensor<?x3xi64>, tensor<0x3xi64>) {
  %none = "onnx.NoValue"() {value} : () -> none
  %0 = "onnx.NonMaxSuppression"(%b, %s, %m, %none, %t) {center_point_box = 1 : i64} : (tensor<1x6x4xf32>, tensor<1x2x6xf32>, tensor<i64>, none, tensor<f32>) -> tensor<?x3xi64> loc("boxes")
  %1 = "onnx.NonMaxSuppression"(%b, %s) : (tensor<1x6x4xf32>, tensor<1x2x6xf32>) -> tensor<0x3xi64>
  return %0, %1 : tensor<?x3xi64>, tensor<0x3xi64>
}

// -----

// Places that data choose pick and replace elements.
// CHECK-LABEL: func.func @main
// CHECK: %[[PLACES:.*]] = control.call "nonzero"
// CHECK: graph.gather {{.*}} -> tensor<?xf32, #graph.dims<["nonzero_0_1"]>>
// CHECK: graph.scatter {{.*}} (tensor<?xf32, #graph.dims<[4 * "n"]>>, tensor<?xi64, #graph.dims<["nonzero_0_1"]>>, tensor<?xf32, #graph.dims<["nonzero_0_1"]>>)
func.func @main(%x: tensor<?x4xf32, #graph.dims<["n", 4]>>) -> tensor<?x4xf32> {
  %0 = "onnx.NonZero"(%x) : (tensor<?x4xf32, #graph.dims<["n", 4]>>) -> tensor<2x?xi64> loc("nonzero")
  %1 = "onnx.Transpose"(%0) {perm = array<i64: 1, 0>} : (tensor<2x?xi64>) -> tensor<?x2xi64>
  %2 = "onnx.GatherND"(%x, %1) : (tensor<?x4xf32, #graph.dims<["n", 4]>>, tensor<?x2xi64>) -> tensor<?xf32>
  %3 = "onnx.Exp"(%2) : (tensor<?xf32>) -> tensor<?xf32>
  %4 = "onnx.ScatterND"(%x, %1, %3) : (tensor<?x4xf32, #graph.dims<["n", 4]>>, tensor<?x2xi64>, tensor<?xf32>) -> tensor<?x4xf32>
  return %4 : tensor<?x4xf32>
}
