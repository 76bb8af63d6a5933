// RUN: tenon-opt %s -split-input-file -tenon-simplify-algebra | FileCheck %s

// No position is beyond the last one: the mask hides nothing.
// CHECK-LABEL: func.func @mask
// CHECK-NOT: graph.less_equal
// CHECK: return
func.func @mask(%x: tensor<?xf32, #graph.dims<["past" + 1]>>) -> tensor<?xf32, #graph.dims<["past" + 1]>> {
  %0 = graph.iota {axis = 0 : i64, start = 0.0 : f64, step = 1.0 : f64} : () -> tensor<?xi64, #graph.dims<["past" + 1]>>
  %1 = graph.sizes {dims = #graph.dims<["past"]>} : () -> tensor<i64>
  %2 = graph.less_equal %0, %1 : (tensor<?xi64, #graph.dims<["past" + 1]>>, tensor<i64>) -> tensor<?xi1, #graph.dims<["past" + 1]>>
  %3 = graph.constant dense<0.0> : tensor<f32>
  %4 = graph.select %2, %x, %3 : (tensor<?xi1, #graph.dims<["past" + 1]>>, tensor<?xf32, #graph.dims<["past" + 1]>>, tensor<f32>) -> tensor<?xf32, #graph.dims<["past" + 1]>>
  return %4 : tensor<?xf32, #graph.dims<["past" + 1]>>
}

// -----

// The first position is not beyond, others may be.
// CHECK-LABEL: func.func @open
// CHECK: graph.less
func.func @open(%x: tensor<?xf32, #graph.dims<["n"]>>) -> tensor<?xi1, #graph.dims<["n"]>> {
  %0 = graph.iota {axis = 0 : i64, start = 0.0 : f64, step = 1.0 : f64} : () -> tensor<?xi64, #graph.dims<["n"]>>
  %1 = graph.sizes {dims = #graph.dims<["m"]>} : () -> tensor<i64>
  %2 = graph.less %0, %1 : (tensor<?xi64, #graph.dims<["n"]>>, tensor<i64>) -> tensor<?xi1, #graph.dims<["n"]>>
  return %2 : tensor<?xi1, #graph.dims<["n"]>>
}

// -----

// Rows of a product become one dimension, a symbol times another.
// CHECK-LABEL: func.func @rows
// CHECK: graph.reshape %{{.*}} -> tensor<?x8xf32, #graph.dims<["batch" * "seq", 8]>>
// CHECK: graph.matmul {{.*}} -> tensor<?x4xf32, #graph.dims<["batch" * "seq", 4]>>
// CHECK: graph.add {{.*}} -> tensor<?x4xf32, #graph.dims<["batch" * "seq", 4]>>
// CHECK: graph.reshape {{.*}} -> tensor<?x?x4xf32, #graph.dims<["batch", "seq", 4]>>
func.func @rows(%x: tensor<?x?x8xf32, #graph.dims<["batch", "seq", 8]>>, %w: tensor<8x4xf32>, %b: tensor<4xf32>) -> tensor<?x?x4xf32, #graph.dims<["batch", "seq", 4]>> {
  %0 = graph.matmul %x, %w : (tensor<?x?x8xf32, #graph.dims<["batch", "seq", 8]>>, tensor<8x4xf32>) -> tensor<?x?x4xf32, #graph.dims<["batch", "seq", 4]>>
  %1 = graph.add %0, %b : (tensor<?x?x4xf32, #graph.dims<["batch", "seq", 4]>>, tensor<4xf32>) -> tensor<?x?x4xf32, #graph.dims<["batch", "seq", 4]>>
  return %1 : tensor<?x?x4xf32, #graph.dims<["batch", "seq", 4]>>
}

// -----

// A part of constant positions picks a part of a constant table.
// CHECK-LABEL: func.func @positions
// CHECK-NOT: graph.gather
// CHECK: graph.slice {{.*}} -> tensor<?x2xf32, #graph.dims<["n", 2]>>
func.func @positions(%x: tensor<?xf32, #graph.dims<["n"]>>) -> tensor<?x2xf32, #graph.dims<["n", 2]>> {
  %table = graph.constant dense<[[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]]> : tensor<3x2xf32>
  %all = graph.constant dense<[0, 1, 2]> : tensor<3xi64>
  %0 = graph.slice %all {starts = array<i64: 0>, sizes = array<i64: -9223372036854775808>, steps = array<i64: 1>, size_dims = #graph.dims<["n"]>} : (tensor<3xi64>) -> tensor<?xi64, #graph.dims<["n"]>>
  %1 = graph.gather %table, %0 {axis = 0 : i64} : (tensor<3x2xf32>, tensor<?xi64, #graph.dims<["n"]>>) -> tensor<?x2xf32, #graph.dims<["n", 2]>>
  return %1 : tensor<?x2xf32, #graph.dims<["n", 2]>>
}

// -----

// CHECK-LABEL: func.func @zeros
// CHECK-NOT: graph.gather
// CHECK: graph.broadcast
func.func @zeros(%x: tensor<?xf32, #graph.dims<["n"]>>) -> tensor<1x?xi64, #graph.dims<[1, "n"]>> {
  %zeros = graph.constant dense<0> : tensor<1x3xi64>
  %all = graph.constant dense<[[0, 1, 2]]> : tensor<1x3xi64>
  %0 = graph.slice %all {starts = array<i64: 0, 0>, sizes = array<i64: 1, -9223372036854775808>, steps = array<i64: 1, 1>, size_dims = #graph.dims<[1, "n"]>} : (tensor<1x3xi64>) -> tensor<1x?xi64, #graph.dims<[1, "n"]>>
  %1 = graph.gather_elements %zeros, %0 {axis = 1 : i64} : (tensor<1x3xi64>, tensor<1x?xi64, #graph.dims<[1, "n"]>>) -> tensor<1x?xi64, #graph.dims<[1, "n"]>>
  return %1 : tensor<1x?xi64, #graph.dims<[1, "n"]>>
}

// -----

// What the run has to check of a reshape, it need not find of what is computed:
// nothing moves in front.
// CHECK-LABEL: func.func @differ
// CHECK: graph.reshape {{.*}} -> tensor<1x?xf32, #graph.dims<[1, "n"]>>
// CHECK-NEXT: graph.add
func.func @differ(%x: tensor<?xf32, #graph.dims<["m"]>>) -> tensor<1x?xf32, #graph.dims<[1, "n"]>> {
  %0 = graph.constant dense<1.0> : tensor<f32>
  %1 = graph.reshape %x : (tensor<?xf32, #graph.dims<["m"]>>) -> tensor<1x?xf32, #graph.dims<[1, "n"]>>
  %2 = graph.add %1, %0 : (tensor<1x?xf32, #graph.dims<[1, "n"]>>, tensor<f32>) -> tensor<1x?xf32, #graph.dims<[1, "n"]>>
  return %2 : tensor<1x?xf32, #graph.dims<[1, "n"]>>
}
