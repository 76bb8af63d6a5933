// RUN: tenon-opt %s -tenon-simplify-algebra | FileCheck %s

// A dequantised table, with a scale per row and a zero point: rows of both are
// taken, then computed.
// CHECK-LABEL: func @per_row
// CHECK-DAG: %[[T:.*]] = graph.constant {{.*}} : tensor<4x2xi8>
// CHECK-DAG: %[[S:.*]] = graph.constant {{.*}} : tensor<4x1xf32>
// CHECK-DAG: %[[Q:.*]] = graph.gather %[[T]], %arg0 {axis = 0 : i64} : (tensor<4x2xi8>, tensor<1x3xi64>) -> tensor<1x3x2xi8>
// CHECK-DAG: %[[R:.*]] = graph.gather %[[S]], %arg0 {axis = 0 : i64} : (tensor<4x1xf32>, tensor<1x3xi64>) -> tensor<1x3x1xf32>
// CHECK-DAG: %[[F:.*]] = graph.cast %[[Q]]
// CHECK-DAG: %[[D:.*]] = graph.add %[[F]], %{{.*}} : (tensor<1x3x2xf32>, tensor<f32>)
// CHECK: %[[Y:.*]] = graph.mul %[[D]], %[[R]] : (tensor<1x3x2xf32>, tensor<1x3x1xf32>) -> tensor<1x3x2xf32>
// CHECK: return %[[Y]]
func.func @per_row(%i: tensor<1x3xi64>) -> tensor<1x3x2xf32> {
  %table = graph.constant dense<[[1, 2], [3, 4], [5, 6], [7, 8]]> : tensor<4x2xi8>
  %scale = graph.constant dense<[[1.0], [2.0], [3.0], [4.0]]> : tensor<4x1xf32>
  %zero = graph.constant dense<5.0> : tensor<f32>
  %0 = graph.cast %table : (tensor<4x2xi8>) -> tensor<4x2xf32>
  %1 = graph.sub %0, %zero : (tensor<4x2xf32>, tensor<f32>) -> tensor<4x2xf32>
  %2 = graph.mul %1, %scale : (tensor<4x2xf32>, tensor<4x1xf32>) -> tensor<4x2xf32>
  %3 = graph.gather %2, %i {axis = 0 : i64} : (tensor<4x2xf32>, tensor<1x3xi64>) -> tensor<1x3x2xf32>
  return %3 : tensor<1x3x2xf32>
}

// Gathered along the other dimension: the scale per row gets a dimension for
// the second one of the indices.
// CHECK-LABEL: func @columns
// CHECK: %[[Q:.*]] = graph.gather %{{.*}}, %arg0 {axis = 1 : i64} : (tensor<2x4xi8>, tensor<1x2xi64>) -> tensor<2x1x2xi8>
// CHECK: graph.mul %{{.*}}, %{{.*}} : (tensor<2x1x2xf32>, tensor<2x1x1xf32>) -> tensor<2x1x2xf32>
func.func @columns(%i: tensor<1x2xi64>) -> tensor<2x1x2xf32> {
  %table = graph.constant dense<[[1, 2, 3, 4], [5, 6, 7, 8]]> : tensor<2x4xi8>
  %scale = graph.constant dense<[[1.0], [2.0]]> : tensor<2x1xf32>
  %0 = graph.cast %table : (tensor<2x4xi8>) -> tensor<2x4xf32>
  %1 = graph.mul %0, %scale : (tensor<2x4xf32>, tensor<2x1xf32>) -> tensor<2x4xf32>
  %2 = graph.gather %1, %i {axis = 1 : i64} : (tensor<2x4xf32>, tensor<1x2xi64>) -> tensor<2x1x2xf32>
  return %2 : tensor<2x1x2xf32>
}

// A scale per block of columns is repeated after its row is taken.
// CHECK-LABEL: func @blocks
// CHECK: %[[S:.*]] = graph.gather %{{.*}}, %arg0 {axis = 0 : i64} : (tensor<4x2x1xf32>, tensor<2xi64>) -> tensor<2x2x1xf32>
// CHECK: %[[B:.*]] = graph.broadcast %[[S]] : (tensor<2x2x1xf32>) -> tensor<2x2x2xf32>
// CHECK: %[[J:.*]] = graph.reshape %[[B]] : (tensor<2x2x2xf32>) -> tensor<2x4xf32>
// CHECK: %[[C:.*]] = graph.slice %[[J]] {{.*}} -> tensor<2x3xf32>
// CHECK: graph.mul %{{.*}}, %[[C]] : (tensor<2x3xf32>, tensor<2x3xf32>)
func.func @blocks(%i: tensor<2xi64>) -> tensor<2x3xf32> {
  %table = graph.constant dense<[[1, 2, 3], [4, 5, 6], [7, 8, 9], [10, 11, 12]]> : tensor<4x3xi8>
  %scale = graph.constant dense<[[1.0, 2.0], [3.0, 4.0], [5.0, 6.0], [7.0, 8.0]]> : tensor<4x2xf32>
  %0 = graph.cast %table : (tensor<4x3xi8>) -> tensor<4x3xf32>
  %1 = graph.reshape %scale : (tensor<4x2xf32>) -> tensor<4x2x1xf32>
  %2 = graph.broadcast %1 : (tensor<4x2x1xf32>) -> tensor<4x2x2xf32>
  %3 = graph.reshape %2 : (tensor<4x2x2xf32>) -> tensor<4x4xf32>
  %4 = graph.slice %3 {starts = array<i64: 0, 0>, sizes = array<i64: 4, 3>, steps = array<i64: 1, 1>} : (tensor<4x4xf32>) -> tensor<4x3xf32>
  %5 = graph.mul %0, %4 : (tensor<4x3xf32>, tensor<4x3xf32>) -> tensor<4x3xf32>
  %6 = graph.gather %5, %i {axis = 0 : i64} : (tensor<4x3xf32>, tensor<2xi64>) -> tensor<2x3xf32>
  return %6 : tensor<2x3xf32>
}

// Part of a table, the same.
// CHECK-LABEL: func @part
// CHECK: %[[P:.*]] = graph.slice %{{.*}} -> tensor<1x2xi8>
// CHECK: graph.cast %[[P]]
func.func @part() -> tensor<1x2xf32> {
  %table = graph.constant dense<[[1, 2], [3, 4], [5, 6], [7, 8]]> : tensor<4x2xi8>
  %0 = graph.cast %table : (tensor<4x2xi8>) -> tensor<4x2xf32>
  %1 = graph.slice %0 {starts = array<i64: 2, 0>, sizes = array<i64: 1, 2>, steps = array<i64: 1, 1>} : (tensor<4x2xf32>) -> tensor<1x2xf32>
  return %1 : tensor<1x2xf32>
}

// Not of what somebody else needs whole, nor of what depends on an input.
// CHECK-LABEL: func @whole
// CHECK-COUNT-2: graph.cast
// CHECK-COUNT-2: graph.gather {{.*}} -> tensor<1x2xf32>
func.func @whole(%x: tensor<4x2xi8>, %i: tensor<1xi64>) -> (tensor<4x2xf32>, tensor<1x2xf32>, tensor<1x2xf32>) {
  %table = graph.constant dense<[[1, 2], [3, 4], [5, 6], [7, 8]]> : tensor<4x2xi8>
  %0 = graph.cast %table : (tensor<4x2xi8>) -> tensor<4x2xf32>
  %1 = graph.cast %x : (tensor<4x2xi8>) -> tensor<4x2xf32>
  %2 = graph.gather %0, %i {axis = 0 : i64} : (tensor<4x2xf32>, tensor<1xi64>) -> tensor<1x2xf32>
  %3 = graph.gather %1, %i {axis = 0 : i64} : (tensor<4x2xf32>, tensor<1xi64>) -> tensor<1x2xf32>
  return %0, %2, %3 : tensor<4x2xf32>, tensor<1x2xf32>, tensor<1x2xf32>
}
