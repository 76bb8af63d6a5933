// RUN: tenon-opt %s -tenon-simplify-algebra | FileCheck %s

// NASNet's second path: a crop, a border, then every second element.
// CHECK-LABEL: func @shifted
// CHECK: %[[S:.*]] = graph.slice %arg0 {sizes = array<i64: 1, 4, 3, 3>, starts = array<i64: 0, 0, 1, 1>, steps = array<i64: 1, 1, 2, 2>}
// CHECK-NEXT: graph.conv %[[S]], %{{.*}} pads = array<i64: 0, 0, 1, 1>
// CHECK-NEXT: return
func.func @shifted(%x: tensor<1x4x7x7xf32>, %w: tensor<5x4x1x1xf32>) -> tensor<1x5x4x4xf32> {
  %zero = graph.constant dense<0.0> : tensor<f32>
  %0 = graph.pad %x, %zero {low = array<i64: 0, 0, -1, -1>, high = array<i64: 0, 0, 1, 1>} : (tensor<1x4x7x7xf32>, tensor<f32>) -> tensor<1x4x7x7xf32>
  %1 = graph.avg_pool %0 {kernel = array<i64: 1, 1>, strides = array<i64: 2, 2>, pads = array<i64: 0, 0, 0, 0>, dilations = array<i64: 1, 1>} : (tensor<1x4x7x7xf32>) -> tensor<1x4x4x4xf32>
  %2 = graph.conv %1, %w {strides = array<i64: 1, 1>, pads = array<i64: 0, 0, 0, 0>, dilations = array<i64: 1, 1>} : (tensor<1x4x4x4xf32>, tensor<5x4x1x1xf32>) -> tensor<1x5x4x4xf32>
  return %2 : tensor<1x5x4x4xf32>
}

// CHECK-LABEL: func @identity
// CHECK-NEXT: return %arg0
func.func @identity(%x: tensor<1x4x7x7xf32>) -> tensor<1x4x7x7xf32> {
  %0 = graph.avg_pool %x {kernel = array<i64: 1, 1>, strides = array<i64: 1, 1>, pads = array<i64: 0, 0, 0, 0>, dilations = array<i64: 1, 1>} : (tensor<1x4x7x7xf32>) -> tensor<1x4x7x7xf32>
  return %0 : tensor<1x4x7x7xf32>
}

// Zeros around are elements of the result, and a maximum drops NaN.
// CHECK-LABEL: func @pools
// CHECK: graph.avg_pool
// CHECK: graph.max_pool
func.func @pools(%x: tensor<1x4x7x7xf32>) -> (tensor<1x4x5x5xf32>, tensor<1x4x4x4xf32>) {
  %0 = graph.avg_pool %x {kernel = array<i64: 1, 1>, strides = array<i64: 2, 2>, pads = array<i64: 1, 1, 1, 1>, dilations = array<i64: 1, 1>, count_include_pad = true} : (tensor<1x4x7x7xf32>) -> tensor<1x4x5x5xf32>
  %1 = graph.max_pool %x {kernel = array<i64: 1, 1>, strides = array<i64: 2, 2>, pads = array<i64: 0, 0, 0, 0>, dilations = array<i64: 1, 1>} : (tensor<1x4x7x7xf32>) -> tensor<1x4x4x4xf32>
  return %0, %1 : tensor<1x4x5x5xf32>, tensor<1x4x4x4xf32>
}

// What lies inside needs no pad.
// CHECK-LABEL: func @inside
// CHECK-NEXT: %[[S:.*]] = graph.slice %arg0 {sizes = array<i64: 2>, starts = array<i64: 1>, steps = array<i64: 3>}
// CHECK-NEXT: return %[[S]]
func.func @inside(%x: tensor<5xf32>) -> tensor<2xf32> {
  %v = graph.constant dense<7.0> : tensor<f32>
  %0 = graph.pad %x, %v {low = array<i64: 2>, high = array<i64: 4>} : (tensor<5xf32>, tensor<f32>) -> tensor<11xf32>
  %1 = graph.slice %0 {starts = array<i64: 3>, sizes = array<i64: 2>, steps = array<i64: 3>} : (tensor<11xf32>) -> tensor<2xf32>
  return %1 : tensor<2xf32>
}

// Elements 1, 4, 7 and 10 of 3 + 5 + 4.
// CHECK-LABEL: func @both_sides
// CHECK: %[[S:.*]] = graph.slice %arg0 {sizes = array<i64: 2>, starts = array<i64: 1>, steps = array<i64: 3>}
// CHECK-NEXT: graph.pad %[[S]], %{{.*}} {high = array<i64: 1>, low = array<i64: 1>}
func.func @both_sides(%x: tensor<5xf32>) -> tensor<4xf32> {
  %v = graph.constant dense<7.0> : tensor<f32>
  %0 = graph.pad %x, %v {low = array<i64: 3>, high = array<i64: 4>} : (tensor<5xf32>, tensor<f32>) -> tensor<12xf32>
  %1 = graph.slice %0 {starts = array<i64: 1>, sizes = array<i64: 4>, steps = array<i64: 3>} : (tensor<12xf32>) -> tensor<4xf32>
  return %1 : tensor<4xf32>
}

// Nothing of the operand, backwards, reflections, and a pad that others read.
// CHECK-LABEL: func @stay
// CHECK-COUNT-4: graph.slice %{{[0-9]+}} {
// CHECK-NOT: graph.slice
func.func @stay(%x: tensor<5xf32>) -> (tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<11xf32>, tensor<2xf32>) {
  %v = graph.constant dense<7.0> : tensor<f32>
  %0 = graph.pad %x, %v {low = array<i64: 2>, high = array<i64: 3>} : (tensor<5xf32>, tensor<f32>) -> tensor<10xf32>
  %1 = graph.slice %0 {starts = array<i64: 0>, sizes = array<i64: 2>, steps = array<i64: 1>} : (tensor<10xf32>) -> tensor<2xf32>
  %2 = graph.pad %x, %v {low = array<i64: 2>, high = array<i64: 2>} : (tensor<5xf32>, tensor<f32>) -> tensor<9xf32>
  %3 = graph.slice %2 {starts = array<i64: 6>, sizes = array<i64: 2>, steps = array<i64: -2>} : (tensor<9xf32>) -> tensor<2xf32>
  %4 = graph.pad %x {low = array<i64: 1>, high = array<i64: 2>, mode = #graph<pad_mode reflect>} : (tensor<5xf32>) -> tensor<8xf32>
  %5 = graph.slice %4 {starts = array<i64: 1>, sizes = array<i64: 2>, steps = array<i64: 2>} : (tensor<8xf32>) -> tensor<2xf32>
  %6 = graph.pad %x, %v {low = array<i64: 2>, high = array<i64: 4>} : (tensor<5xf32>, tensor<f32>) -> tensor<11xf32>
  %7 = graph.slice %6 {starts = array<i64: 3>, sizes = array<i64: 2>, steps = array<i64: 3>} : (tensor<11xf32>) -> tensor<2xf32>
  return %1, %3, %5, %6, %7 : tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<11xf32>, tensor<2xf32>
}
