// RUN: tenon-opt %s -split-input-file -tenon-normalize-onnx | FileCheck %s

// What exporters write to expand a tensor: the chain vanishes.
// CHECK-LABEL: func.func @main
// CHECK-SAME: (%[[X:.*]]: tensor<?x?xf32
// CHECK-NEXT: %[[Y:.*]] = graph.broadcast %[[X]] : {{.*}} -> tensor<3x?x?xf32, #graph.dims<[3, "batch", "seq"]>>
// CHECK-NEXT: %[[Z:.*]] = graph.reshape %[[Y]] : {{.*}} -> tensor<?x?xf32, #graph.dims<["seq", 3 * "batch"]>>
// CHECK-NEXT: return %[[Z]]
func.func @main(%x: tensor<?x?xf32, #graph.dims<["batch", "seq"]>>) -> tensor<?x?xf32> {
  %shape = "onnx.Shape"(%x) : (tensor<?x?xf32, #graph.dims<["batch", "seq"]>>) -> tensor<2xi64>
  %three = "onnx.Constant"() {value = dense<3> : tensor<1xi64>} : () -> tensor<1xi64>
  %minus = "onnx.Constant"() {value = dense<-1> : tensor<3xi64>} : () -> tensor<3xi64>
  %ones = "onnx.Constant"() {value = dense<1> : tensor<3xi64>} : () -> tensor<3xi64>
  %all = "onnx.Concat"(%three, %shape) {axis = 0 : i64} : (tensor<1xi64>, tensor<2xi64>) -> tensor<3xi64>
  %equal = "onnx.Equal"(%all, %minus) : (tensor<3xi64>, tensor<3xi64>) -> tensor<3xi1>
  %wanted = "onnx.Where"(%equal, %ones, %all) : (tensor<3xi1>, tensor<3xi64>, tensor<3xi64>) -> tensor<3xi64>
  %0 = "onnx.Expand"(%x, %wanted) : (tensor<?x?xf32, #graph.dims<["batch", "seq"]>>, tensor<3xi64>) -> tensor<3x?x?xf32>
  %seq = "onnx.Constant"() {value = dense<1> : tensor<1xi64>} : () -> tensor<1xi64>
  %len = "onnx.Gather"(%shape, %seq) : (tensor<2xi64>, tensor<1xi64>) -> tensor<1xi64>
  %rest = "onnx.Constant"() {value = dense<-1> : tensor<1xi64>} : () -> tensor<1xi64>
  %flat = "onnx.Concat"(%len, %rest) {axis = 0 : i64} : (tensor<1xi64>, tensor<1xi64>) -> tensor<2xi64>
  %1 = "onnx.Reshape"(%0, %flat) : (tensor<3x?x?xf32>, tensor<2xi64>) -> tensor<?x?xf32>
  return %1 : tensor<?x?xf32>
}

// -----

// Positions up to a length: a range of symbolic extent, and numbers where the
// model reads sizes as data.
// CHECK-LABEL: func.func @main
// CHECK-DAG: %[[RANGE:.*]] = graph.iota {{.*}} -> tensor<?xi64, #graph.dims<["past" + 1]>>
// CHECK-DAG: %[[LAST:.*]] = graph.sizes {dims = #graph.dims<["past"]>} : () -> tensor<i64>
// CHECK: graph.less_equal %[[RANGE]], %[[LAST]]
func.func @main(%x: tensor<1x?x64xf32, #graph.dims<[1, "past", 64]>>) -> tensor<?xi1> {
  %shape = "onnx.Shape"(%x) {start = 1 : i64, end = 2 : i64} : (tensor<1x?x64xf32, #graph.dims<[1, "past", 64]>>) -> tensor<1xi64>
  %axis = "onnx.Constant"() {value = dense<0> : tensor<1xi64>} : () -> tensor<1xi64>
  %zero = "onnx.Constant"() {value = dense<0> : tensor<i64>} : () -> tensor<i64>
  %one = "onnx.Constant"() {value = dense<1> : tensor<i64>} : () -> tensor<i64>
  %past = "onnx.Squeeze"(%shape, %axis) : (tensor<1xi64>, tensor<1xi64>) -> tensor<i64>
  %total = "onnx.Add"(%past, %one) : (tensor<i64>, tensor<i64>) -> tensor<i64>
  %range = "onnx.Range"(%zero, %total, %one) : (tensor<i64>, tensor<i64>, tensor<i64>) -> tensor<?xi64>
  %0 = "onnx.LessOrEqual"(%range, %past) : (tensor<?xi64>, tensor<i64>) -> tensor<?xi1>
  return %0 : tensor<?xi1>
}

// -----

// An end that is meant to be beyond any size, and is checked to be.
// CHECK: module attributes {graph.symbols = {n = {max = 999999999 : i64, min = 0 : i64, multiple_of = 1 : i64}}}
// CHECK: return %arg0
module {
  func.func @main(%x: tensor<?xf32, #graph.dims<["n"]>>) -> tensor<?xf32> {
    %zero = "onnx.Constant"() {value = dense<0> : tensor<1xi64>} : () -> tensor<1xi64>
    %end = "onnx.Constant"() {value = dense<999999999> : tensor<1xi64>} : () -> tensor<1xi64>
    %0 = "onnx.Slice"(%x, %zero, %end) : (tensor<?xf32, #graph.dims<["n"]>>, tensor<1xi64>, tensor<1xi64>) -> tensor<?xf32>
    return %0 : tensor<?xf32>
  }
}

// -----

// A table cut to a length, which must not be longer than the table; and the
// last three of a length, which must not be shorter.
// CHECK: module attributes {graph.symbols = {seq = {max = 16 : i64, min = 3 : i64, multiple_of = 1 : i64}}}
// CHECK: graph.slice {{.*}} {size_dims = #graph.dims<["seq", 4]>, sizes = array<i64: -9223372036854775808, 4>, starts = array<i64: 0, 0>, steps = array<i64: 1, 1>} : {{.*}} -> tensor<?x4xf32, #graph.dims<["seq", 4]>>
// CHECK: graph.slice {{.*}} {sizes = array<i64: 3>, start_dims = #graph.dims<["seq" - 3]>, starts = array<i64: -9223372036854775808>, steps = array<i64: 1>} : {{.*}} -> tensor<3xf32>
// CHECK: graph.slice {{.*}} {sizes = array<i64: -9223372036854775808>, start_dims = #graph.dims<["seq" - 1]>, starts = array<i64: -9223372036854775808>, steps = array<i64: -1>} : {{.*}} -> tensor<?xf32, #graph.dims<["seq"]>>
module {
  func.func @main(%x: tensor<?xf32, #graph.dims<["seq"]>>, %table: tensor<16x4xf32>) -> (tensor<?x4xf32>, tensor<3xf32>, tensor<?xf32>) {
    %zero = "onnx.Constant"() {value = dense<0> : tensor<1xi64>} : () -> tensor<1xi64>
    %len = "onnx.Shape"(%x) : (tensor<?xf32, #graph.dims<["seq"]>>) -> tensor<1xi64>
    %0 = "onnx.Slice"(%table, %zero, %len) : (tensor<16x4xf32>, tensor<1xi64>, tensor<1xi64>) -> tensor<?x4xf32>
    %from = "onnx.Constant"() {value = dense<-3> : tensor<1xi64>} : () -> tensor<1xi64>
    %end = "onnx.Constant"() {value = dense<9223372036854775807> : tensor<1xi64>} : () -> tensor<1xi64>
    %1 = "onnx.Slice"(%x, %from, %end) : (tensor<?xf32, #graph.dims<["seq"]>>, tensor<1xi64>, tensor<1xi64>) -> tensor<3xf32>
    %last = "onnx.Constant"() {value = dense<-1> : tensor<1xi64>} : () -> tensor<1xi64>
    %first = "onnx.Constant"() {value = dense<-9223372036854775807> : tensor<1xi64>} : () -> tensor<1xi64>
    %2 = "onnx.Slice"(%x, %last, %first, %zero, %last) : (tensor<?xf32, #graph.dims<["seq"]>>, tensor<1xi64>, tensor<1xi64>, tensor<1xi64>, tensor<1xi64>) -> tensor<?xf32>
    return %0, %1, %2 : tensor<?x4xf32>, tensor<3xf32>, tensor<?xf32>
  }
}

// -----

// Padded to a multiple of 8, and repeated a computed number of times.
// CHECK: graph.pad {{.*}} high_dims = #graph.dims<[0, -1 * "n" + 8 * (("n" + 7) floordiv 8)]>{{.*}} -> tensor<2x?xf32, #graph.dims<[2, 8 * (("n" + 7) floordiv 8)]>>
// CHECK: graph.reshape {{.*}} -> tensor<?x?xf32, #graph.dims<[2 * "n", "n"]>>
func.func @main(%x: tensor<2x?xf32, #graph.dims<[2, "n"]>>) -> (tensor<2x?xf32>, tensor<?x?xf32>) {
  %n = "onnx.Shape"(%x) {start = 1 : i64} : (tensor<2x?xf32, #graph.dims<[2, "n"]>>) -> tensor<1xi64>
  %seven = "onnx.Constant"() {value = dense<7> : tensor<1xi64>} : () -> tensor<1xi64>
  %eight = "onnx.Constant"() {value = dense<8> : tensor<1xi64>} : () -> tensor<1xi64>
  %zeros = "onnx.Constant"() {value = dense<0> : tensor<3xi64>} : () -> tensor<3xi64>
  %one = "onnx.Constant"() {value = dense<1> : tensor<1xi64>} : () -> tensor<1xi64>
  %a = "onnx.Add"(%n, %seven) : (tensor<1xi64>, tensor<1xi64>) -> tensor<1xi64>
  %b = "onnx.Div"(%a, %eight) : (tensor<1xi64>, tensor<1xi64>) -> tensor<1xi64>
  %c = "onnx.Mul"(%b, %eight) : (tensor<1xi64>, tensor<1xi64>) -> tensor<1xi64>
  %d = "onnx.Sub"(%c, %n) : (tensor<1xi64>, tensor<1xi64>) -> tensor<1xi64>
  %pads = "onnx.Concat"(%zeros, %d) {axis = 0 : i64} : (tensor<3xi64>, tensor<1xi64>) -> tensor<4xi64>
  %0 = "onnx.Pad"(%x, %pads) : (tensor<2x?xf32, #graph.dims<[2, "n"]>>, tensor<4xi64>) -> tensor<2x?xf32>
  %repeats = "onnx.Concat"(%n, %one) {axis = 0 : i64} : (tensor<1xi64>, tensor<1xi64>) -> tensor<2xi64>
  %1 = "onnx.Tile"(%x, %repeats) : (tensor<2x?xf32, #graph.dims<[2, "n"]>>, tensor<2xi64>) -> tensor<?x?xf32>
  return %0, %1 : tensor<2x?xf32>, tensor<?x?xf32>
}

// -----

// Two halves of a dimension, and the number of elements.
// CHECK: graph.slice {{.*}} -> tensor<?x?xf32, #graph.dims<["m", ("n" + 1) floordiv 2]>>
// CHECK: graph.slice {{.*}} -> tensor<?x?xf32, #graph.dims<["m", "n" floordiv 2]>>
// CHECK: graph.sizes {dims = #graph.dims<["m" * "n"]>} : () -> tensor<i64>
func.func @main(%x: tensor<?x?xf32, #graph.dims<["m", "n"]>>) -> (tensor<?x?xf32>, tensor<?x?xf32>, tensor<i64>) {
  %0:2 = "onnx.Split"(%x) {axis = 1 : i64} : (tensor<?x?xf32, #graph.dims<["m", "n"]>>) -> (tensor<?x?xf32>, tensor<?x?xf32>)
  %1 = "onnx.Size"(%x) : (tensor<?x?xf32, #graph.dims<["m", "n"]>>) -> tensor<i64>
  return %0#1, %0#0, %1 : tensor<?x?xf32>, tensor<?x?xf32>, tensor<i64>
}

// -----

// Only one depth, one number of channels and one scale fit the constants; half
// of the depth is a name of its own.
// CHECK: func.func @main(%{{.*}}: tensor<?x8xf32, #graph.dims<["batch", 8]>>, %{{.*}}: tensor<4x2xf32>, %{{.*}}: tensor<?x6x?xf32, #graph.dims<["images", 6, "width"]>>, %{{.*}}: tensor<?x3xf32, #graph.dims<["rows", 3]>>)
// CHECK: graph.matmul {{.*}} -> tensor<?x5xf32, #graph.dims<["batch", 5]>>
// CHECK: graph.matmul {{.*}} -> tensor<4x5xf32>
// CHECK: graph.conv {{.*}} -> tensor<?x4x?xf32, #graph.dims<["images", 4, "width"]>>
// CHECK: graph.layer_norm {{.*}} -> tensor<?x3xf32, #graph.dims<["rows", 3]>>
func.func @main(%x: tensor<?x?xf32, #graph.dims<["batch", 2 * "half"]>>, %turned: tensor<?x2xf32, #graph.dims<["half", 2]>>, %image: tensor<?x?x?xf32, #graph.dims<["images", "channels", "width"]>>, %rows: tensor<?x?xf32, #graph.dims<["rows", "columns"]>>) -> (tensor<?x?xf32>, tensor<?x?xf32>, tensor<?x?x?xf32>, tensor<?x?xf32>) {
  %weight = "onnx.Constant"() {value = dense<1.0> : tensor<8x5xf32>} : () -> tensor<8x5xf32>
  %0 = "onnx.MatMul"(%x, %weight) : (tensor<?x?xf32, #graph.dims<["batch", 2 * "half"]>>, tensor<8x5xf32>) -> tensor<?x?xf32>
  %small = "onnx.Constant"() {value = dense<1.0> : tensor<2x5xf32>} : () -> tensor<2x5xf32>
  %1 = "onnx.MatMul"(%turned, %small) : (tensor<?x2xf32, #graph.dims<["half", 2]>>, tensor<2x5xf32>) -> tensor<?x?xf32>
  %filter = "onnx.Constant"() {value = dense<1.0> : tensor<4x3x1xf32>} : () -> tensor<4x3x1xf32>
  %2 = "onnx.Conv"(%image, %filter) {group = 2 : i64} : (tensor<?x?x?xf32, #graph.dims<["images", "channels", "width"]>>, tensor<4x3x1xf32>) -> tensor<?x?x?xf32>
  %scale = "onnx.Constant"() {value = dense<1.0> : tensor<3xf32>} : () -> tensor<3xf32>
  %3 = "onnx.LayerNormalization"(%rows, %scale) : (tensor<?x?xf32, #graph.dims<["rows", "columns"]>>, tensor<3xf32>) -> tensor<?x?xf32>
  return %0, %1, %2, %3 : tensor<?x?xf32>, tensor<?x?xf32>, tensor<?x?x?xf32>, tensor<?x?xf32>
}
