// RUN: tenon-opt %s --split-input-file --tenon-slice-batch=images=2 | FileCheck %s

// The last slice has what is left. Rows of several images are as many times as
// long, and a slice of something else keeps that.
// CHECK-LABEL: func.func @main(
// CHECK-SAME: kernel.sliced = {images = 5 : i64, ranges = [{first = "reshape", images = 2 : i64, last = "concat", operations = 7 : i64, slices = 3 : i64}]}
// CHECK: %[[Y:.*]] = kernel.slices [@main_0, @main_0, @main_1](%arg0, %arg1) : (tensor<5x3x4xf32>, tensor<4x6xf32>) -> tensor<5x18xf32>
// CHECK-NEXT: return %[[Y]]
// CHECK-LABEL: func.func private @main_0(
// CHECK-SAME: tensor<2x3x4xf32>, %{{.*}}: tensor<4x6xf32>) -> tensor<2x18xf32>
// CHECK: graph.constant
// CHECK: graph.reshape {{.*}} -> tensor<6x4xf32>
// CHECK: graph.matmul {{.*}} -> tensor<6x6xf32>
// CHECK: graph.reshape {{.*}} -> tensor<2x18xf32>
// CHECK: graph.slice {{.*}}sizes = array<i64: 2, 9>
// CHECK: graph.concat {{.*}} -> tensor<2x18xf32>
// CHECK-LABEL: func.func private @main_1(
// CHECK-SAME: tensor<1x3x4xf32>
func.func @main(%x: tensor<5x3x4xf32>, %w: tensor<4x6xf32>) -> tensor<5x18xf32> {
  %c = graph.constant dense<2.0> : tensor<6xf32>
  %0 = graph.reshape %x : (tensor<5x3x4xf32>) -> tensor<15x4xf32>
  %1 = graph.matmul %0, %w : (tensor<15x4xf32>, tensor<4x6xf32>) -> tensor<15x6xf32>
  %2 = graph.add %1, %c : (tensor<15x6xf32>, tensor<6xf32>) -> tensor<15x6xf32>
  %3 = graph.reshape %2 : (tensor<15x6xf32>) -> tensor<5x18xf32>
  %4 = graph.slice %3 {starts = array<i64: 0, 9>, sizes = array<i64: 5, 9>, steps = array<i64: 1, 1>} : (tensor<5x18xf32>) -> tensor<5x9xf32>
  %5 = graph.relu %4 : (tensor<5x9xf32>) -> tensor<5x9xf32>
  %6 = graph.concat %5, %4 {axis = 1 : i64} : (tensor<5x9xf32>, tensor<5x9xf32>) -> tensor<5x18xf32>
  return %6 : tensor<5x18xf32>
}

// -----

// What mixes images is for all of them: softmax's sum along the batch, a
// transpose, a slice of the batch.
// CHECK-LABEL: func.func @mixed(
// CHECK: %[[A:.*]] = kernel.slices [@mixed_0, @mixed_0](%arg0) : (tensor<4x6xf32>) -> tensor<4x6xf32>
// CHECK: %[[B:.*]] = kernel.slices [@mixed_1](%[[A]]) : (tensor<4x6xf32>) -> tensor<1x6xf32>
// CHECK: kernel.slices [@mixed_2, @mixed_2](%[[A]], %[[B]]) : (tensor<4x6xf32>, tensor<1x6xf32>) -> tensor<4x6xf32>
// CHECK: kernel.slices [@mixed_3]
// CHECK-LABEL: func.func private @mixed_0(
// CHECK-LABEL: func.func private @mixed_1(
// CHECK-SAME: tensor<4x6xf32>) -> tensor<1x6xf32>
// CHECK-LABEL: func.func private @mixed_3(
// CHECK-SAME: tensor<4x6xf32>
func.func @mixed(%x: tensor<4x6xf32>) -> (tensor<6x4xf32>, tensor<3x6xf32>) {
  %0 = graph.exp %x : (tensor<4x6xf32>) -> tensor<4x6xf32>
  %1 = graph.reduce_sum %0 {axes = array<i64: 0>} : (tensor<4x6xf32>) -> tensor<1x6xf32>
  %2 = graph.div %0, %1 : (tensor<4x6xf32>, tensor<1x6xf32>) -> tensor<4x6xf32>
  %3 = graph.transpose %2 {permutation = array<i64: 1, 0>} : (tensor<4x6xf32>) -> tensor<6x4xf32>
  %4 = graph.slice %2 {starts = array<i64: 1, 0>, sizes = array<i64: 3, 6>, steps = array<i64: 1, 1>} : (tensor<4x6xf32>) -> tensor<3x6xf32>
  return %3, %4 : tensor<6x4xf32>, tensor<3x6xf32>
}

// -----

// A matrix that has as many rows as there are images is none of them.
// CHECK-LABEL: func.func @square(
// CHECK-NOT: kernel.slices [{{.*}},
func.func @square(%x: tensor<4x4xf32>, %w: tensor<4x4xf32>) -> tensor<4x4xf32> {
  %0 = graph.matmul %x, %w : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
  return %0 : tensor<4x4xf32>
}

// -----

// Of unknown size there is nothing to slice.
// CHECK-LABEL: func.func @open(
// CHECK-NOT: kernel.slices
func.func @open(%x: tensor<?x4xf32, #graph.dims<["n", 4]>>) -> tensor<?x4xf32, #graph.dims<["n", 4]>> {
  %0 = graph.relu %x : (tensor<?x4xf32, #graph.dims<["n", 4]>>) -> tensor<?x4xf32, #graph.dims<["n", 4]>>
  return %0 : tensor<?x4xf32, #graph.dims<["n", 4]>>
}

// -----

// Indices count the rows of the whole batch, as the rows of an addition do not.
// CHECK-LABEL: func.func @scatter(
// CHECK-NOT: kernel.slices
// CHECK: graph.scatter
func.func @scatter(%x: tensor<4x3xf32>, %i: tensor<2xi64>, %u: tensor<2x3xf32>) -> tensor<4x3xf32> {
  %0 = graph.scatter %x, %i, %u {kind = #graph<scatter_kind add>} : (tensor<4x3xf32>, tensor<2xi64>, tensor<2x3xf32>) -> tensor<4x3xf32>
  return %0 : tensor<4x3xf32>
}
