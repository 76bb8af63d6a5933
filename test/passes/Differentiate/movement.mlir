// RUN: tenon-opt %s --split-input-file --tenon-append-gradients --canonicalize --cse | FileCheck %s

// Zeros between the elements, in front and behind; a negative step is reversed
// first.
// CHECK-LABEL: @slice
// CHECK: graph.slice %{{.*}} steps = array<i64: -1>
// CHECK: graph.pad {{.*}}high = array<i64: 0, 1>
// CHECK: graph.pad {{.*}}high = array<i64: 0>, low = array<i64: 1>
func.func @slice(%x: tensor<7xf32>, %s: tensor<3xf32>) -> tensor<3xf32> {
  %0 = graph.slice %x {starts = array<i64: 5>, sizes = array<i64: 3>, steps = array<i64: -2>} : (tensor<7xf32>) -> tensor<3xf32>
  %1 = graph.mul %0, %s : (tensor<3xf32>, tensor<3xf32>) -> tensor<3xf32>
  return %1 : tensor<3xf32>
}

// -----

// Borders are rows that were gathered: they are added to those they repeat.
// CHECK-LABEL: @reflect
// CHECK: %[[I:.*]] = graph.constant dense<[2, 1, 0, 1, 2, 3, 2]> : tensor<7xi64>
// CHECK: graph.scatter %{{.*}}, %[[I]], %{{.*}} {kind = #graph<scatter_kind add>}
func.func @reflect(%x: tensor<4xf32>, %s: tensor<7xf32>) -> tensor<7xf32> {
  %0 = graph.pad %x {low = array<i64: 2>, high = array<i64: 1>, mode = #graph<pad_mode reflect>} : (tensor<4xf32>) -> tensor<7xf32>
  %1 = graph.mul %0, %s : (tensor<7xf32>, tensor<7xf32>) -> tensor<7xf32>
  return %1 : tensor<7xf32>
}
