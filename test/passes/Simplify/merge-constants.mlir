// RUN: tenon-opt %s -tenon-merge-constants=min-bytes=16 | FileCheck %s
// RUN: tenon-opt %s -tenon-merge-constants | FileCheck %s --check-prefix=SMALL

// Two names for the same elements. Another type stays: the writer of artifacts
// sees that its bytes are the same. Small constants are not looked at.
// CHECK-LABEL: func @equal
// CHECK-DAG: %[[A:.*]] = graph.constant dense<[1, 2, 3, 4]> : tensor<4xi32>
// CHECK-DAG: %[[C:.*]] = graph.constant {{.*}} : tensor<2x2xi32>
// CHECK: graph.add %arg0, %[[A]]
// CHECK: graph.mul %{{.*}}, %[[A]]
// CHECK: graph.add %arg1, %[[C]]
// SMALL-LABEL: func @equal
// SMALL-COUNT-2: graph.constant {{.*}} : tensor<4xi32>
func.func @equal(%x: tensor<4xi32>, %y: tensor<2x2xi32>) -> (tensor<4xi32>, tensor<2x2xi32>) {
  %a = graph.constant dense<[1, 2, 3, 4]> : tensor<4xi32>
  %b = graph.constant dense_resource<one_to_four> : tensor<4xi32>
  %c = graph.constant dense<[[1, 2], [3, 4]]> : tensor<2x2xi32>
  %0 = graph.add %x, %a : (tensor<4xi32>, tensor<4xi32>) -> tensor<4xi32>
  %1 = graph.mul %0, %b : (tensor<4xi32>, tensor<4xi32>) -> tensor<4xi32>
  %2 = graph.add %y, %c : (tensor<2x2xi32>, tensor<2x2xi32>) -> tensor<2x2xi32>
  return %1, %2 : tensor<4xi32>, tensor<2x2xi32>
}

// Weights that are the transpose of a table; the table stands behind them.
// CHECK-LABEL: func @tied
// CHECK: %[[T:.*]] = graph.constant dense<{{\[+}}1, 2], [3, 4], [5, 6]]> : tensor<3x2xi32>
// CHECK: graph.matmul %arg0, %[[T]] {transpose_rhs}
// CHECK: graph.gather %[[T]]
func.func @tied(%x: tensor<2x2xi32>, %i: tensor<1xi64>) -> (tensor<2x3xi32>, tensor<1x2xi32>) {
  %w = graph.constant dense<[[1, 3, 5], [2, 4, 6]]> : tensor<2x3xi32>
  %0 = graph.matmul %x, %w : (tensor<2x2xi32>, tensor<2x3xi32>) -> tensor<2x3xi32>
  %t = graph.constant dense<[[1, 2], [3, 4], [5, 6]]> : tensor<3x2xi32>
  %1 = graph.gather %t, %i {axis = 0 : i64} : (tensor<3x2xi32>, tensor<1xi64>) -> tensor<1x2xi32>
  return %0, %1 : tensor<2x3xi32>, tensor<1x2xi32>
}

// Not where one number differs.
// CHECK-LABEL: func @other
// CHECK-NOT: transpose_rhs
func.func @other(%x: tensor<2x2xi32>, %i: tensor<1xi64>) -> (tensor<2x3xi32>, tensor<1x2xi32>) {
  %t = graph.constant dense<[[1, 2], [3, 4], [5, 7]]> : tensor<3x2xi32>
  %w = graph.constant dense<[[1, 3, 5], [2, 4, 6]]> : tensor<2x3xi32>
  %0 = graph.matmul %x, %w : (tensor<2x2xi32>, tensor<2x3xi32>) -> tensor<2x3xi32>
  %1 = graph.gather %t, %i {axis = 0 : i64} : (tensor<3x2xi32>, tensor<1xi64>) -> tensor<1x2xi32>
  return %0, %1 : tensor<2x3xi32>, tensor<1x2xi32>
}
{-# dialect_resources: { builtin: { one_to_four: "0x0400000001000000020000000300000004000000" } } #-}
