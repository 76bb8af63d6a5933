// RUN: tenon-opt %s -split-input-file -tenon-normalize-onnx | FileCheck %s

// What data say of a shape: 0 copies, -1 is what the others leave.
// CHECK-LABEL: func.func @main
// CHECK: %[[N:.*]] = graph.sizes {{.*}}["n"]
// CHECK: %[[COPY:.*]] = graph.select %{{.*}}, %[[N]], %{{.*}}
// CHECK: %[[ALL:.*]] = graph.sizes {{.*}}[4 * "n"]
// CHECK: %[[LEFT:.*]] = graph.div %[[ALL]], %{{.*}}
// CHECK: %[[FIRST:.*]] = graph.select %{{.*}}, %[[LEFT]], %[[COPY]]
// CHECK: %[[SHAPE:.*]] = graph.concat %[[FIRST]], %{{.*}}
// CHECK: control.call "extents"(%[[SHAPE]]) : (tensor<2xi64>) -> tensor<?x?x0xi8, #graph.dims<["reshape_size_0", "reshape_size_1", 0]>>
// CHECK: graph.reshape %arg0 : {{.*}} -> tensor<?x?xf32, #graph.dims<["reshape_size_0", "reshape_size_1"]>>
func.func @main(%x: tensor<?x4xf32, #graph.dims<["n", 4]>>, %s: tensor<2xi64>) -> tensor<?x?xf32> {
  %0 = "onnx.Reshape"(%x, %s) : (tensor<?x4xf32, #graph.dims<["n", 4]>>, tensor<2xi64>) -> tensor<?x?xf32> loc("reshape")
  return %0 : tensor<?x?xf32>
}

// -----

// Only what is not known comes of data. The same number has the same symbol,
// so that nothing has to be broadcast.
// CHECK-LABEL: func.func @main
// CHECK: control.call "extents"(%arg1) : (tensor<1xi64>) -> tensor<?x0xi8, #graph.dims<["first_size_0", 0]>>
// CHECK-NOT: "extents"
// CHECK: graph.add {{.*}} -> tensor<?x3xf32, #graph.dims<["first_size_0", 3]>>
func.func @main(%x: tensor<1x3xf32>, %n: tensor<1xi64>) -> tensor<?x?xf32> {
  %three = "onnx.Constant"() {value = dense<3> : tensor<1xi64>} : () -> tensor<1xi64>
  %s = "onnx.Concat"(%n, %three) {axis = 0 : i64} : (tensor<1xi64>, tensor<1xi64>) -> tensor<2xi64>
  %0 = "onnx.Expand"(%x, %s) : (tensor<1x3xf32>, tensor<2xi64>) -> tensor<?x?xf32> loc("first")
  %1 = "onnx.ConstantOfShape"(%s) : (tensor<2xi64>) -> tensor<?x?xf32> loc("second")
  %2 = "onnx.Add"(%0, %1) : (tensor<?x?xf32>, tensor<?x?xf32>) -> tensor<?x?xf32>
  return %2 : tensor<?x?xf32>
}

// -----

// A size that nothing has in the end is not asked for.
// CHECK-LABEL: func.func @main
// CHECK-NOT: control.call
func.func @main(%x: tensor<6xf32>, %n: tensor<2xi64>) -> tensor<6xf32> {
  %0 = "onnx.Reshape"(%x, %n) : (tensor<6xf32>, tensor<2xi64>) -> tensor<?x?xf32>
  return %x : tensor<6xf32>
}

// -----

// Positions that data have are clamped, as are those in sizes that data have;
// the inputs' own sizes have to fit.
// CHECK-LABEL: func.func @main
// CHECK: %[[COUNT:.*]] = control.call "nonzero"(%arg0)
// CHECK-SAME: -> tensor<1x?xi64, #graph.dims<[1, "nonzero_0_1"]>>
// CHECK: graph.slice %[[COUNT]] {{.*}}#graph.dims<[1, "min(3, nonzero_0_1)"]>
// CHECK: graph.slice %arg0 {sizes = array<i64: 2>, starts = array<i64: 1>
// CHECK: %[[MOST:.*]] = graph.min %{{.*}}, %{{.*}} : (tensor<1xi64>, tensor<1xi64>)
// CHECK: %[[END:.*]] = graph.max %[[MOST]], %{{.*}}
// CHECK: control.call "extents"{{.*}}"part_size_0"
// CHECK: graph.slice %arg0 {{.*}}#graph.dims<["part_size_0"]>
func.func @main(%x: tensor<?xf32, #graph.dims<["n"]>>, %e: tensor<1xi64>) -> (tensor<1x?xi64>, tensor<2xf32>, tensor<?xf32>) {
  %zero = "onnx.Constant"() {value = dense<0> : tensor<1xi64>} : () -> tensor<1xi64>
  %one = "onnx.Constant"() {value = dense<1> : tensor<1xi64>} : () -> tensor<1xi64>
  %three = "onnx.Constant"() {value = dense<3> : tensor<1xi64>} : () -> tensor<1xi64>
  %0 = "onnx.NonZero"(%x) : (tensor<?xf32, #graph.dims<["n"]>>) -> tensor<1x?xi64> loc("nonzero")
  %1 = "onnx.Slice"(%0, %zero, %three, %one) : (tensor<1x?xi64>, tensor<1xi64>, tensor<1xi64>, tensor<1xi64>) -> tensor<1x?xi64> loc("some")
  %2 = "onnx.Slice"(%x, %one, %three) : (tensor<?xf32, #graph.dims<["n"]>>, tensor<1xi64>, tensor<1xi64>) -> tensor<2xf32>
  %3 = "onnx.Slice"(%x, %zero, %e) : (tensor<?xf32, #graph.dims<["n"]>>, tensor<1xi64>, tensor<1xi64>) -> tensor<?xf32> loc("part")
  return %1, %2, %3 : tensor<1x?xi64>, tensor<2xf32>, tensor<?xf32>
}

// -----

// Arithmetic on sizes that has no form as a polynomial.
// CHECK-LABEL: func.func @main
// CHECK: %[[MIN:.*]] = graph.min
// CHECK: control.call "extents"(%[[MIN]])
func.func @main(%x: tensor<?x?xf32, #graph.dims<["m", "n"]>>) -> tensor<?xf32> {
  %m = "onnx.Shape"(%x) {end = 1 : i64} : (tensor<?x?xf32, #graph.dims<["m", "n"]>>) -> tensor<1xi64>
  %n = "onnx.Shape"(%x) {start = 1 : i64} : (tensor<?x?xf32, #graph.dims<["m", "n"]>>) -> tensor<1xi64>
  %s = "onnx.Min"(%m, %n) : (tensor<1xi64>, tensor<1xi64>) -> tensor<1xi64>
  %0 = "onnx.ConstantOfShape"(%s) : (tensor<1xi64>) -> tensor<?xf32>
  return %0 : tensor<?xf32>
}

// -----

// What relies on a check comes of the call that makes it: k is at most 9, and
// the parts are all of the whole.
// CHECK-LABEL: func.func @main
// CHECK: %[[REST:.*]] = graph.sub %{{.*}}, %arg1
// CHECK: %[[K:.*]] = graph.concat %arg1, %[[REST]]
// CHECK: control.call "extents"(%[[K]]) integers [1] : (tensor<2xi64>) -> tensor<?x?x0xi8, #graph.dims<["best_size_0", "best_size_1", 0]>>
// CHECK: graph.top_k %arg0 {axis = 1 : i64, k = 9 : i64
// CHECK: graph.slice {{.*}} -> tensor<2x?xf32, #graph.dims<[2, "best_size_0"]>>
// CHECK: control.call "extents"{{.*}} integers [2] : (tensor<4xi64>)
// CHECK-SAME: "parts_size_0", "parts_size_1"
// CHECK: graph.slice {{.*}} -> tensor<2x?xf32, #graph.dims<[2, "parts_size_0"]>>
// CHECK: graph.slice {{.*}}start_dims = #graph.dims<[0, "parts_size_0"]>
func.func @main(%x: tensor<2x9xf32>, %k: tensor<1xi64>, %p: tensor<2xi64>) -> (tensor<2x?xf32>, tensor<2x?xf32>, tensor<2x?xf32>) {
  %0, %1 = "onnx.TopK"(%x, %k) : (tensor<2x9xf32>, tensor<1xi64>) -> (tensor<2x?xf32>, tensor<2x?xi64>) loc("best")
  %2, %3 = "onnx.Split"(%x, %p) {axis = 1 : i64} : (tensor<2x9xf32>, tensor<2xi64>) -> (tensor<2x?xf32>, tensor<2x?xf32>) loc("parts")
  return %0, %2, %3 : tensor<2x?xf32>, tensor<2x?xf32>, tensor<2x?xf32>
}
