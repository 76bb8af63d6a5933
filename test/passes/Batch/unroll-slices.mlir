// RUN: tenon-opt %s --tenon-unroll-slices | FileCheck %s

// CHECK-LABEL: func.func @main(
// CHECK-SAME: %[[X:.*]]: tensor<3x4xf32>
// CHECK: %[[C:.*]] = graph.constant
// CHECK-NOT: graph.constant
// CHECK: %[[A:.*]] = kernel.group(%[[X]])
// CHECK: graph.slice {{.*}}starts = array<i64: 0, 0>{{.*}} -> tensor<2x4xf32>
// CHECK: %[[B:.*]] = kernel.group(%[[A]], %[[C]])
// CHECK: graph.mul
// CHECK: %[[D:.*]] = kernel.group(%[[X]])
// CHECK: graph.slice {{.*}}starts = array<i64: 2, 0>{{.*}} -> tensor<1x4xf32>
// CHECK: %[[E:.*]] = kernel.group(%[[D]], %[[C]])
// CHECK: graph.mul
// CHECK: %[[Y:.*]] = kernel.group(%[[B]], %[[E]])
// CHECK: graph.concat
// CHECK: %[[Z:.*]] = kernel.group(%[[Y]])
// CHECK-NEXT: ^bb0(%[[V:.*]]: tensor<3x4xf32>)
// CHECK-NEXT: graph.relu %[[V]]
// CHECK: return %[[Z]]
// CHECK-NOT: func.func
func.func @main(%x: tensor<3x4xf32>) -> tensor<3x4xf32> {
  %y = kernel.slices [@two, @one](%x) : (tensor<3x4xf32>) -> tensor<3x4xf32>
  %z = kernel.slices [@all](%y) : (tensor<3x4xf32>) -> tensor<3x4xf32>
  return %z : tensor<3x4xf32>
}
func.func private @two(%x: tensor<2x4xf32>) -> tensor<2x4xf32> {
  %c = graph.constant dense<2.0> : tensor<4xf32>
  %y = kernel.group(%x, %c) : (tensor<2x4xf32>, tensor<4xf32>) -> tensor<2x4xf32> {
  ^bb0(%a: tensor<2x4xf32>, %b: tensor<4xf32>):
    %0 = graph.mul %a, %b : (tensor<2x4xf32>, tensor<4xf32>) -> tensor<2x4xf32>
    kernel.yield %0 : tensor<2x4xf32>
  }
  return %y : tensor<2x4xf32>
}
func.func private @one(%x: tensor<1x4xf32>) -> tensor<1x4xf32> {
  %c = graph.constant dense<2.0> : tensor<4xf32>
  %y = kernel.group(%x, %c) : (tensor<1x4xf32>, tensor<4xf32>) -> tensor<1x4xf32> {
  ^bb0(%a: tensor<1x4xf32>, %b: tensor<4xf32>):
    %0 = graph.mul %a, %b : (tensor<1x4xf32>, tensor<4xf32>) -> tensor<1x4xf32>
    kernel.yield %0 : tensor<1x4xf32>
  }
  return %y : tensor<1x4xf32>
}
func.func private @all(%x: tensor<3x4xf32>) -> tensor<3x4xf32> {
  %y = kernel.group(%x) : (tensor<3x4xf32>) -> tensor<3x4xf32> {
  ^bb0(%a: tensor<3x4xf32>):
    %0 = graph.relu %a : (tensor<3x4xf32>) -> tensor<3x4xf32>
    kernel.yield %0 : tensor<3x4xf32>
  }
  return %y : tensor<3x4xf32>
}
