// RUN: tenon-opt %s --split-input-file --tenon-append-gradients --canonicalize --cse | FileCheck %s

// Each window's tap that wins, from the last to the first; padding is no number
// and equals nothing. Windows side by side need no sum.
// CHECK-LABEL: @max_pool
// CHECK: %[[OWN:.*]] = graph.constant dense<{{.*}}0, 1{{.*}}> : tensor<1x1x1x2xi32>
// CHECK: %[[NAN:.*]] = graph.constant dense<0x7FC00000> : tensor<f32>
// CHECK: graph.pad %arg0, %[[NAN]]
// CHECK-COUNT-2: graph.equal {{.*}} -> tensor<1x2x3xi1>
// CHECK: graph.equal %{{.*}}, %[[OWN]] : {{.*}} -> tensor<1x2x3x2xi1>
// CHECK-NOT: graph.add
// CHECK: return
func.func @max_pool(%x: tensor<1x2x5xf32>) -> tensor<1x2x3xf32> {
  %0 = graph.max_pool %x {kernel = array<i64: 2>, strides = array<i64: 2>, pads = array<i64: 1, 0>,
    dilations = array<i64: 1>} : (tensor<1x2x5xf32>) -> tensor<1x2x3xf32>
  return %0 : tensor<1x2x3xf32>
}

// -----

// The first window counts one element, the others two.
// CHECK-LABEL: @avg_pool
// CHECK: graph.constant dense<{{.*}}1.000000e+00, 5.000000e-01, 5.000000e-01
// CHECK: graph.conv_transpose {{.*}} group = 2 : i64
func.func @avg_pool(%x: tensor<1x2x5xf32>) -> tensor<1x2x3xf32> {
  %0 = graph.avg_pool %x {kernel = array<i64: 2>, strides = array<i64: 2>, pads = array<i64: 1, 0>,
    dilations = array<i64: 1>} : (tensor<1x2x5xf32>) -> tensor<1x2x3xf32>
  return %0 : tensor<1x2x3xf32>
}

// -----

// Overlapping windows add up, tap by tap.
// CHECK-LABEL: @overlap
// CHECK-COUNT-2: graph.add
// CHECK-NOT: graph.add
// CHECK: return
func.func @overlap(%x: tensor<1x2x5xf32>) -> tensor<1x2x3xf32> {
  %0 = graph.max_pool %x {kernel = array<i64: 3>, strides = array<i64: 1>, pads = array<i64: 0, 0>,
    dilations = array<i64: 1>} : (tensor<1x2x5xf32>) -> tensor<1x2x3xf32>
  return %0 : tensor<1x2x3xf32>
}
