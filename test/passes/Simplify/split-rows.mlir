// RUN: tenon-opt %s --tenon-split-reductions=blocks=true | FileCheck %s

// One long row: parts of it, then the parts.
// CHECK-LABEL: func.func @sum
// CHECK: %[[PARTS:.*]] = graph.reshape %arg0 : (tensor<1x1048576xf32>) -> tensor<1x256x4096xf32>
// CHECK: %[[SUMS:.*]] = graph.reduce_sum %[[PARTS]] {axes = array<i64: 2>} : (tensor<1x256x4096xf32>) -> tensor<1x256x1xf32>
// CHECK: %[[SUM:.*]] = graph.reduce_sum %[[SUMS]] {axes = array<i64: 1>} : (tensor<1x256x1xf32>) -> tensor<1x1x1xf32>
// CHECK: graph.reshape %[[SUM]] : (tensor<1x1x1xf32>) -> tensor<1x1xf32>
func.func @sum(%x: tensor<1x1048576xf32>) -> tensor<1x1xf32> {
  %0 = graph.reduce_sum %x {axes = array<i64: 1>} : (tensor<1x1048576xf32>) -> tensor<1x1xf32>
  return %0 : tensor<1x1xf32>
}

// Two dimensions of a few rows, in as many parts as their extents allow; nothing
// is kept of them.
// CHECK-LABEL: func.func @most
// CHECK: tensor<4x16x24075xf32>
// CHECK: graph.reduce_max
// CHECK: graph.reduce_max
// CHECK: -> tensor<4xf32>
func.func @most(%x: tensor<4x600x642xf32>) -> tensor<4xf32> {
  %0 = graph.reduce_max %x {axes = array<i64: 1, 2>, keep_dims = false} : (tensor<4x600x642xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// Short rows, many rows, no equal parts, integers, unknown sizes, and
// products stay.
// CHECK-LABEL: func.func @unchanged
// CHECK-NOT: graph.reshape
// CHECK: return
func.func @unchanged(%short: tensor<1x65536xf32>, %many: tensor<17x262144xf32>, %odd: tensor<1x262151xf32>,
                     %integers: tensor<1x1048576xi64>, %unknown: tensor<?x1048576xf32>,
                     %x: tensor<1x1048576xf32>) {
  %0 = graph.reduce_sum %short {axes = array<i64: 1>} : (tensor<1x65536xf32>) -> tensor<1x1xf32>
  %1 = graph.reduce_mean %many {axes = array<i64: 1>} : (tensor<17x262144xf32>) -> tensor<17x1xf32>
  %2 = graph.reduce_min %odd {axes = array<i64: 1>} : (tensor<1x262151xf32>) -> tensor<1x1xf32>
  %4 = graph.reduce_sum %integers {axes = array<i64: 1>} : (tensor<1x1048576xi64>) -> tensor<1x1xi64>
  %5 = graph.reduce_sum %unknown {axes = array<i64: 1>} : (tensor<?x1048576xf32>) -> tensor<?x1xf32>
  %6 = graph.reduce_prod %x {axes = array<i64: 1>} : (tensor<1x1048576xf32>) -> tensor<1x1xf32>
  return
}
